// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -select-kernels | FileCheck %s --check-prefix=SELECT
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s

// A tile's sums are carried through the reduction; the filter is packed.
// SELECT-LABEL: func @pointwise
// SELECT: brisk.constant dense_resource<packed> : tensor<512xf32>
// SELECT: brisk.group schedule #brisk.gemm<mr = 14, nv = 2
// SELECT: brisk.unpack {{.*}} <shape = [16, 32], axes = {{\[\[}}1] by [32], [0]]> : tensor<512xf32> -> tensor<1x1x16x32xf32>
// CHECK-LABEL: func.func private @pointwise_kernel_0_gemm
// CHECK: scf.for {{.*}} iter_args(
// CHECK-COUNT-28: math.fma
// CHECK-NOT: math.fma
func.func @pointwise(%x: tensor<1x14x14x16xf32>) -> tensor<1x14x14x32xf32> {
  %w = brisk.constant dense<1.0> : tensor<1x1x16x32xf32>
  %e = tensor.empty() : tensor<1x14x14x32xf32>
  %r = brisk.group ins(%x, %w : tensor<1x14x14x16xf32>, tensor<1x1x16x32xf32>)
      outs(%e : tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32> {
  ^bb0(%a: tensor<1x14x14x16xf32>, %b: tensor<1x1x16x32xf32>):
    %0 = brisk.conv %a, %b : (tensor<1x14x14x16xf32>, tensor<1x1x16x32xf32>) -> tensor<1x14x14x32xf32>
    brisk.yield %0 : tensor<1x14x14x32xf32>
  }
  return %r : tensor<1x14x14x32xf32>
}

// -----

// The residual of an epilogue is added in registers.
// CHECK-LABEL: func.func private @residual_kernel_0_gemm
// CHECK: math.fma
// CHECK: vector.load
// CHECK: arith.addf
// CHECK: vector.store
func.func @residual(%x: tensor<14x16xf32>, %y: tensor<14x32xf32>) -> tensor<14x32xf32> {
  %w = brisk.constant dense<1.0> : tensor<16x32xf32>
  %e = tensor.empty() : tensor<14x32xf32>
  %r = brisk.group ins(%x, %w, %y : tensor<14x16xf32>, tensor<16x32xf32>, tensor<14x32xf32>)
      outs(%e : tensor<14x32xf32>) -> tensor<14x32xf32> {
  ^bb0(%a: tensor<14x16xf32>, %b: tensor<16x32xf32>, %c: tensor<14x32xf32>):
    %0 = brisk.matmul %a, %b : (tensor<14x16xf32>, tensor<16x32xf32>) -> tensor<14x32xf32>
    %1 = brisk.add %0, %c : (tensor<14x32xf32>, tensor<14x32xf32>) -> tensor<14x32xf32>
    brisk.yield %1 : tensor<14x32xf32>
  }
  return %r : tensor<14x32xf32>
}

// -----

// A right operand that is computed is read where it lies, under a mask at its
// last columns.
// SELECT-LABEL: func @computed_rhs
// SELECT: schedule #brisk.gemm
// SELECT-NOT: brisk.unpack
// CHECK-LABEL: func.func private @computed_rhs_kernel_0_gemm
// CHECK: vector.maskedload
// CHECK: math.fma
func.func @computed_rhs(%x: tensor<2x8x4xf32>, %y: tensor<2x4x10xf32>) -> tensor<2x8x10xf32> {
  %e = tensor.empty() : tensor<2x8x10xf32>
  %r = brisk.group ins(%x, %y : tensor<2x8x4xf32>, tensor<2x4x10xf32>)
      outs(%e : tensor<2x8x10xf32>) -> tensor<2x8x10xf32> {
  ^bb0(%a: tensor<2x8x4xf32>, %b: tensor<2x4x10xf32>):
    %0 = brisk.matmul %a, %b : (tensor<2x8x4xf32>, tensor<2x4x10xf32>) -> tensor<2x8x10xf32>
    brisk.yield %0 : tensor<2x8x10xf32>
  }
  return %r : tensor<2x8x10xf32>
}

// -----

// Rows a page apart would displace each other in the first-level cache, were
// there more of them in a tile than it has ways.
// SELECT-LABEL: func @rows_a_page_apart
// SELECT: schedule #brisk.gemm<mr = 7, nv = 2
func.func @rows_a_page_apart(%x: tensor<14x1024xf32>) -> tensor<14x32xf32> {
  %w = brisk.constant dense<1.0> : tensor<1024x32xf32>
  %e = tensor.empty() : tensor<14x32xf32>
  %r = brisk.group ins(%x, %w : tensor<14x1024xf32>, tensor<1024x32xf32>)
      outs(%e : tensor<14x32xf32>) -> tensor<14x32xf32> {
  ^bb0(%a: tensor<14x1024xf32>, %b: tensor<1024x32xf32>):
    %0 = brisk.matmul %a, %b : (tensor<14x1024xf32>, tensor<1024x32xf32>) -> tensor<14x32xf32>
    brisk.yield %0 : tensor<14x32xf32>
  }
  return %r : tensor<14x32xf32>
}

// -----

// Half a vector of columns is left over.
// SELECT-LABEL: func @half_a_vector
// SELECT: brisk.constant dense_resource<packed> : tensor<384xf32>
// SELECT: schedule #brisk.gemm<mr = 14, nv = 2
// CHECK-LABEL: func.func private @half_a_vector_kernel_0_gemm
// CHECK: math.fma {{.*}} : vector<16xf32>
// CHECK-NEXT: vector.broadcast {{.*}} : f32 to vector<8xf32>
// CHECK-NEXT: math.fma {{.*}} : vector<8xf32>
// CHECK-NOT: vector.maskedstore
func.func @half_a_vector(%x: tensor<14x16xf32>) -> tensor<14x24xf32> {
  %w = brisk.constant dense<1.0> : tensor<16x24xf32>
  %e = tensor.empty() : tensor<14x24xf32>
  %r = brisk.group ins(%x, %w : tensor<14x16xf32>, tensor<16x24xf32>)
      outs(%e : tensor<14x24xf32>) -> tensor<14x24xf32> {
  ^bb0(%a: tensor<14x16xf32>, %b: tensor<16x24xf32>):
    %0 = brisk.matmul %a, %b : (tensor<14x16xf32>, tensor<16x24xf32>) -> tensor<14x24xf32>
    brisk.yield %0 : tensor<14x24xf32>
  }
  return %r : tensor<14x24xf32>
}

// -----

// The left operand comes from beyond the second-level cache.
// SELECT-LABEL: func @streamed_rows
// SELECT: schedule #brisk.gemm<{{.*}}prefetch = true
// CHECK-LABEL: func.func private @streamed_rows_kernel_0_gemm
// CHECK: scf.for {{.*}} iter_args(
// CHECK: math.fma
// CHECK: memref.prefetch {{.*}}, read, locality<3>, data
// CHECK: scf.yield
func.func @streamed_rows(%x: tensor<1x140x140x16xf32>) -> tensor<1x140x140x32xf32> {
  %w = brisk.constant dense<1.0> : tensor<1x1x16x32xf32>
  %e = tensor.empty() : tensor<1x140x140x32xf32>
  %r = brisk.group ins(%x, %w : tensor<1x140x140x16xf32>, tensor<1x1x16x32xf32>)
      outs(%e : tensor<1x140x140x32xf32>) -> tensor<1x140x140x32xf32> {
  ^bb0(%a: tensor<1x140x140x16xf32>, %b: tensor<1x1x16x32xf32>):
    %0 = brisk.conv %a, %b : (tensor<1x140x140x16xf32>, tensor<1x1x16x32xf32>) -> tensor<1x140x140x32xf32>
    brisk.yield %0 : tensor<1x140x140x32xf32>
  }
  return %r : tensor<1x140x140x32xf32>
}

// -----

// Of doubles, in vectors of half as many.
// SELECT-LABEL: func @doubles
// SELECT: brisk.group schedule #brisk.gemm<
// CHECK-LABEL: func.func private @doubles_kernel_0_gemm
// CHECK: math.fma {{.*}} : vector<8xf64>
func.func @doubles(%x: tensor<14x16xf64>) -> tensor<14x24xf64> {
  %w = brisk.constant dense<1.0> : tensor<16x24xf64>
  %e = tensor.empty() : tensor<14x24xf64>
  %r = brisk.group ins(%x, %w : tensor<14x16xf64>, tensor<16x24xf64>) outs(%e : tensor<14x24xf64>) -> tensor<14x24xf64> {
  ^bb0(%a: tensor<14x16xf64>, %b: tensor<16x24xf64>):
    %0 = brisk.matmul %a, %b : (tensor<14x16xf64>, tensor<16x24xf64>) -> tensor<14x24xf64>
    brisk.yield %0 : tensor<14x24xf64>
  }
  return %r : tensor<14x24xf64>
}
