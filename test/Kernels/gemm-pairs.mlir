// RUN: brisk-opt %s --split-input-file --set-target=cooperlake --select-kernels | FileCheck %s --check-prefix=SELECT
// RUN: brisk-opt %s --split-input-file --set-target=cooperlake --brisk-select --brisk-plan --brisk-kernels | FileCheck %s
// RUN: brisk-opt %s --split-input-file --set-target=cooperlake --brisk-select --brisk-plan --brisk-kernels --brisk-codegen | FileCheck %s --check-prefix=LLVM
// RUN: brisk-opt %s --split-input-file --set-target=neoverse-v1 --brisk-select --brisk-plan --brisk-kernels | FileCheck %s --check-prefix=ARM
// RUN: brisk-opt %s --split-input-file --set-target=x86-64-v3 --brisk-select --brisk-plan --brisk-kernels | FileCheck %s --check-prefix=WIDE

// Two rows of the weights at a time, column by column. The last of 33 rows is
// alone. What follows the sums ends in two types.
// SELECT-LABEL: func.func @packed
// SELECT: brisk.group schedule #brisk.gemm<
// SELECT: brisk.unpack {{.*}} <shape = [1, 33, 32], axes = {{\[\[}}2] by [32], [0], [1] by [2]]> : tensor<1088xbf16>
// CHECK-LABEL: func.func private @packed_kernel_0_gemm
// CHECK: scf.for {{.*}} iter_args(
// CHECK: vector.load {{.*}} vector<32xbf16>
// CHECK: %[[PAIR:.*]] = vector.bitcast {{.*}} : vector<2xbf16> to vector<1xf32>
// CHECK: llvm.bitcast {{.*}} : vector<16xf32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"({{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK: vector.insert {{.*}} : bf16 into vector<2xbf16>
// CHECK: arith.truncf {{.*}} : vector<16xf32> to vector<16xbf16>
// CHECK: vector.store {{.*}} vector<16xf32>
// CHECK: vector.store {{.*}} vector<16xbf16>
// ARM-LABEL: func.func private @packed_kernel_0_gemm
// ARM: llvm.call_intrinsic "llvm.aarch64.neon.bfdot.v4f32.v8bf16"({{.*}}) : (vector<4xf32>, vector<8xbf16>, vector<8xbf16>) -> vector<4xf32>
// LLVM-LABEL: llvm.func {{.*}}@packed_kernel_0_gemm
// LLVM: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// LLVM-NOT: unrealized_conversion_cast
// WIDE-LABEL: func.func private @packed_kernel_0_gemm
// WIDE: arith.extf {{.*}} : vector<8xbf16> to vector<8xf32>
// WIDE: arith.extf {{.*}} : bf16 to f32
// WIDE: math.fma {{.*}} : vector<8xf32>
func.func @packed(%x: tensor<14x33xbf16>, %o: tensor<14x32xf32>, %p: tensor<14x32xbf16>) -> (tensor<14x32xf32>, tensor<14x32xbf16>) {
  %w = brisk.constant dense<1.0> : tensor<33x32xbf16>
  %r:2 = brisk.group ins(%x, %w : tensor<14x33xbf16>, tensor<33x32xbf16>) outs(%o, %p : tensor<14x32xf32>, tensor<14x32xbf16>) -> tensor<14x32xf32>, tensor<14x32xbf16> {
  ^bb0(%a: tensor<14x33xbf16>, %b: tensor<33x32xbf16>):
    %0 = brisk.matmul %a, %b : (tensor<14x33xbf16>, tensor<33x32xbf16>) -> tensor<14x32xf32>
    %1 = brisk.cast %0 {to = bf16} : (tensor<14x32xf32>) -> tensor<14x32xbf16>
    brisk.yield %0, %1 : tensor<14x32xf32>, tensor<14x32xbf16>
  }
  return %r#0, %r#1 : tensor<14x32xf32>, tensor<14x32xbf16>
}

// -----

// Rows that are computed are brought into pairs in registers.
// SELECT-LABEL: func.func @computed
// SELECT: brisk.group schedule #brisk.gemm<
// CHECK-LABEL: func.func private @computed_kernel_0_gemm
// CHECK: vector.load {{.*}} vector<16xbf16>
// CHECK: vector.load {{.*}} vector<16xbf16>
// CHECK: arith.shli
// CHECK: %[[AB:.*]] = arith.ori {{.*}} : vector<16xi32>
// CHECK: vector.bitcast %[[AB]] : vector<16xi32> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// WIDE-LABEL: func.func private @computed_kernel_0_gemm
// WIDE-NOT: arith.shli
// WIDE: math.fma
func.func @computed(%x: tensor<2x8x6xbf16>, %y: tensor<2x6x16xbf16>, %o: tensor<2x8x16xbf16>) -> tensor<2x8x16xbf16> {
  %r = brisk.group ins(%x, %y : tensor<2x8x6xbf16>, tensor<2x6x16xbf16>) outs(%o : tensor<2x8x16xbf16>) -> tensor<2x8x16xbf16> {
  ^bb0(%a: tensor<2x8x6xbf16>, %b: tensor<2x6x16xbf16>):
    %0 = brisk.matmul %a, %b : (tensor<2x8x6xbf16>, tensor<2x6x16xbf16>) -> tensor<2x8x16xbf16>
    brisk.yield %0 : tensor<2x8x16xbf16>
  }
  return %r : tensor<2x8x16xbf16>
}

// -----

// Weights of another type than what they multiply are extended as they are
// loaded.
// CHECK-LABEL: func.func private @weights_kernel_0_gemm
// CHECK: arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// CHECK: math.fma {{.*}} : vector<16xf32>
// WIDE-LABEL: func.func private @weights_kernel_0_gemm
// WIDE: arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
// WIDE: math.fma {{.*}} : vector<8xf32>
func.func @weights(%x: tensor<14x16xf32>, %o: tensor<14x32xf32>) -> tensor<14x32xf32> {
  %w = brisk.constant dense<1.0> : tensor<16x32xf16>
  %r = brisk.group ins(%x, %w : tensor<14x16xf32>, tensor<16x32xf16>) outs(%o : tensor<14x32xf32>) -> tensor<14x32xf32> {
  ^bb0(%a: tensor<14x16xf32>, %b: tensor<16x32xf16>):
    %0 = brisk.matmul %a, %b : (tensor<14x16xf32>, tensor<16x32xf16>) -> tensor<14x32xf32>
    brisk.yield %0 : tensor<14x32xf32>
  }
  return %r : tensor<14x32xf32>
}
