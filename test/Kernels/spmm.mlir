// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -select-kernels | FileCheck %s --check-prefix=SELECT
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// Entries of columns, in fours, in place of the weights. The rows of the left
// operand are turned first, then a column's sums are carried through the loop
// over its entries, of which each row number says where in the panel to read.
// SELECT-LABEL: func @turned
// SELECT: brisk.group schedule #brisk.spmm<rows = {{[0-9]+}}, columns = 8>
// SELECT: brisk.assemble {{.*}} : tensor<[[N:[0-9]+]]xf32>, tensor<[[N]]xui16>, tensor<9xi32> -> tensor<24x8xf32>
// CHECK-LABEL: func.func private @turned_kernel_0_spmm
// CHECK: vector.shuffle
// CHECK: scf.for {{.*}} step %c4{{[_0-9]*}} iter_args(
// CHECK: arith.index_castui %{{.*}} : i16 to index
// CHECK: math.fma {{.*}} : vector<16xf32>
// CHECK: arith.maximumf
// SCALAR-LABEL: func.func private @turned_kernel_0_spmm
// SCALAR-NOT: vector.
// SCALAR: scf.for {{.*}} iter_args(
// SCALAR: arith.index_castui %{{.*}} : i16 to index
func.func @turned(%x: tensor<96x24xf32>) -> tensor<96x8xf32> {
  %w = brisk.constant dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 1.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, -2.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -2.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, -2.0, 0.0, 0.0],
      [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
      [0.0, 0.0, -2.0, 0.0, 2.0, -2.0, 0.0, 0.0]]> : tensor<24x8xf32>
  %e = tensor.empty() : tensor<96x8xf32>
  %r = brisk.group ins(%x, %w : tensor<96x24xf32>, tensor<24x8xf32>)
      outs(%e : tensor<96x8xf32>) -> tensor<96x8xf32> {
  ^bb0(%a: tensor<96x24xf32>, %b: tensor<24x8xf32>):
    %z = brisk.constant dense<0.0> : tensor<f32>
    %0 = brisk.matmul %a, %b : (tensor<96x24xf32>, tensor<24x8xf32>) -> tensor<96x8xf32>
    %1 = brisk.max %0, %z : (tensor<96x8xf32>, tensor<f32>) -> tensor<96x8xf32>
    brisk.yield %1 : tensor<96x8xf32>
  }
  return %r : tensor<96x8xf32>
}

// -----

// One row is read as it lies, in scalars that are stored as a vector.
// CHECK-LABEL: func.func private @one_row_kernel_0_spmm
// CHECK-NOT: vector.shuffle
// CHECK: math.fma {{.*}} : f32
// CHECK: vector.load {{.*}} : memref<{{.*}}>, vector<8xf32>
func.func @one_row(%x: tensor<1x24xf32>) -> tensor<1x8xf32> {
  %v = brisk.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.0]> : tensor<8xf32>
  %n = brisk.constant dense<[0, 3, 11, 23, 2, 3, 4, 0]> : tensor<8xui16>
  %s = brisk.constant dense<[0, 0, 4, 4, 4, 4, 4, 8, 8]> : tensor<9xi32>
  %e = tensor.empty() : tensor<1x8xf32>
  %r = brisk.group schedule #brisk.spmm<rows = 1, columns = 8> ins(%x, %v, %n, %s : tensor<1x24xf32>, tensor<8xf32>, tensor<8xui16>, tensor<9xi32>)
      outs(%e : tensor<1x8xf32>) -> tensor<1x8xf32> {
  ^bb0(%a: tensor<1x24xf32>, %b: tensor<8xf32>, %c: tensor<8xui16>, %d: tensor<9xi32>):
    %w = brisk.assemble %b, %c, %d : tensor<8xf32>, tensor<8xui16>, tensor<9xi32> -> tensor<24x8xf32>
    %0 = brisk.matmul %a, %w : (tensor<1x24xf32>, tensor<24x8xf32>) -> tensor<1x8xf32>
    brisk.yield %0 : tensor<1x8xf32>
  }
  return %r : tensor<1x8xf32>
}

// -----

// Few zeros are multiplied by.
// SELECT-LABEL: func @few_zeros
// SELECT: brisk.group schedule #brisk.gemm
func.func @few_zeros(%x: tensor<96x24xf32>) -> tensor<96x8xf32> {
  %w = brisk.constant dense<[[-2.0, -1.0, 2.0, 2.0, -2.0, 1.0, 0.0, 3.0],
      [-2.0, 1.0, 2.0, 1.0, 3.0, 0.0, 1.0, -2.0],
      [1.0, 2.0, -2.0, 1.0, 1.0, 2.0, 1.0, 1.0],
      [1.0, -1.0, 3.0, -1.0, -2.0, 3.0, 3.0, 2.0],
      [-1.0, -2.0, 3.0, -2.0, 1.0, -1.0, -1.0, 3.0],
      [-1.0, 2.0, 3.0, 1.0, 2.0, 1.0, 0.0, -2.0],
      [3.0, 1.0, 0.0, -2.0, 1.0, -2.0, -2.0, -1.0],
      [-1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 3.0, 1.0],
      [-2.0, 2.0, 1.0, 0.0, 3.0, 2.0, 2.0, 0.0],
      [-1.0, -1.0, -2.0, 3.0, 1.0, 2.0, 0.0, 2.0],
      [-2.0, -2.0, 2.0, 2.0, -1.0, -2.0, 0.0, 2.0],
      [2.0, -2.0, 2.0, -2.0, 0.0, -1.0, -2.0, 3.0],
      [3.0, -1.0, 2.0, 3.0, -1.0, 2.0, -1.0, 2.0],
      [-2.0, 1.0, -1.0, 1.0, 2.0, 1.0, 0.0, 2.0],
      [3.0, -2.0, 1.0, 3.0, 1.0, -1.0, 1.0, 3.0],
      [3.0, -1.0, 3.0, 3.0, -1.0, 2.0, -1.0, -2.0],
      [3.0, -1.0, -2.0, 0.0, 3.0, 3.0, 3.0, 3.0],
      [3.0, -2.0, -1.0, 1.0, -2.0, 2.0, -1.0, -2.0],
      [3.0, -2.0, 3.0, -1.0, 2.0, 1.0, -2.0, -1.0],
      [3.0, 1.0, 1.0, 3.0, -2.0, 3.0, 0.0, 1.0],
      [1.0, -2.0, 1.0, 1.0, 2.0, -1.0, 2.0, 2.0],
      [2.0, 2.0, 2.0, 3.0, 1.0, -1.0, -1.0, -2.0],
      [-1.0, 0.0, 3.0, -1.0, 2.0, 1.0, 2.0, -2.0],
      [2.0, -2.0, -2.0, 0.0, 0.0, 3.0, 0.0, 2.0]]> : tensor<24x8xf32>
  %e = tensor.empty() : tensor<96x8xf32>
  %r = brisk.group ins(%x, %w : tensor<96x24xf32>, tensor<24x8xf32>)
      outs(%e : tensor<96x8xf32>) -> tensor<96x8xf32> {
  ^bb0(%a: tensor<96x24xf32>, %b: tensor<24x8xf32>):
    %0 = brisk.matmul %a, %b : (tensor<96x24xf32>, tensor<24x8xf32>) -> tensor<96x8xf32>
    brisk.yield %0 : tensor<96x8xf32>
  }
  return %r : tensor<96x8xf32>
}
