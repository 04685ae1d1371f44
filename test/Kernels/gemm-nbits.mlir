// RUN: brisk-opt %s --split-input-file --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s --split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s --split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// Bytes and scales of 20 columns are packed in panels. Weights are signed: a row of bytes gives the lower four
// bits of each column, then the upper ones. A row's sums of a block are scaled. The block of six rows is code of
// its own.
// CHECK-LABEL: func @blocks
// CHECK: brisk.group schedule #brisk.gemm<mr = 1, nv = 2
// CHECK-DAG: brisk.unpack %{{.*}} <shape = [35, 20], axes = {{\[\[}}1] by [32, 20], [0]]> : tensor<700xi8> -> tensor<35x20xi8>
// CHECK-DAG: brisk.unpack %{{.*}} <shape = [3, 20], axes = {{\[\[}}1] by [32, 20], [0]]> : tensor<60xf32> -> tensor<3x20xf32>
// CODE-LABEL: func.func private @blocks_kernel_0_gemm
// CODE: scf.for
// CODE: scf.for
// CODE: %[[BYTES:.*]] = vector.load {{.*}} vector<16xi8>
// CODE: %[[W:.*]] = arith.extsi %[[BYTES]] : vector<16xi8> to vector<16xi32>
// CODE: %[[UP:.*]] = arith.shli %[[W]], %{{.*}} : vector<16xi32>
// CODE: %[[LOW:.*]] = arith.shrsi %[[UP]], %{{.*}} : vector<16xi32>
// CODE: %[[F:.*]] = arith.sitofp %[[LOW]] : vector<16xi32> to vector<16xf32>
// CODE: math.fma %{{.*}}, %[[F]], %{{.*}} : vector<16xf32>
// CODE: arith.shrsi %[[W]], %{{.*}} : vector<16xi32>
// CODE: scf.yield
// CODE: %[[S:.*]] = vector.load {{.*}} vector<16xf32>
// CODE: math.fma %{{.*}}, %[[S]], %{{.*}} : vector<16xf32>
// SCALAR-LABEL: func.func private @blocks_kernel_0_gemm
// SCALAR: arith.extsi {{.*}} : vector<1xi8> to vector<1xi32>
// SCALAR: arith.sitofp {{.*}} : vector<1xi32> to vector<1xf32>
func.func @blocks(%x: tensor<1x70xf32>, %o: tensor<1x20xf32>) -> tensor<1x20xf32> {
  %w = brisk.constant dense<33> : tensor<35x20xi8>
  %s = brisk.constant dense<0.5> : tensor<3x20xf32>
  %r = brisk.group ins(%x, %w, %s : tensor<1x70xf32>, tensor<35x20xi8>, tensor<3x20xf32>) outs(%o : tensor<1x20xf32>) -> tensor<1x20xf32> {
  ^bb0(%a: tensor<1x70xf32>, %b: tensor<35x20xi8>, %c: tensor<3x20xf32>):
    %y = brisk.matmul_nbits %a, %b scale %c {bits = 4, block = 32} : (tensor<1x70xf32>, tensor<35x20xi8>, tensor<3x20xf32>) -> tensor<1x20xf32>
    brisk.yield %y : tensor<1x20xf32>
  }
  return %r : tensor<1x20xf32>
}

// -----

// With one scale for each column, and no zero points, whole sums are scaled.
// CODE-LABEL: func.func private @columns_kernel_0_gemm
// CODE: scf.for
// CODE: arith.sitofp {{.*}} : vector<16xi32> to vector<16xf32>
// CODE-NOT: arith.mulf
// CODE: scf.yield
// CODE: %[[S:.*]] = vector.load {{.*}} vector<16xf32>
// CODE: math.fma %{{.*}}, %[[S]], %{{.*}} : vector<16xf32>
func.func @columns(%x: tensor<3x64xf32>, %o: tensor<3x16xf32>) -> tensor<3x16xf32> {
  %w = brisk.constant dense<33> : tensor<64x16xi8>
  %s = brisk.constant dense<0.5> : tensor<1x16xf32>
  %r = brisk.group ins(%x, %w, %s : tensor<3x64xf32>, tensor<64x16xi8>, tensor<1x16xf32>) outs(%o : tensor<3x16xf32>) -> tensor<3x16xf32> {
  ^bb0(%a: tensor<3x64xf32>, %b: tensor<64x16xi8>, %c: tensor<1x16xf32>):
    %y = brisk.matmul_nbits %a, %b scale %c {bits = 8, block = 64} : (tensor<3x64xf32>, tensor<64x16xi8>, tensor<1x16xf32>) -> tensor<3x16xf32>
    brisk.yield %y : tensor<3x16xf32>
  }
  return %r : tensor<3x16xf32>
}

// -----

// (w - z) * s is w * s - z * s: one operation a weight.
// CODE-LABEL: func.func private @zeros_kernel_0_gemm
// CODE: arith.extui {{.*}} : vector<16xi8> to vector<16xi32>
// CODE: %[[ZS:.*]] = arith.mulf
// CODE: %[[OFF:.*]] = arith.subf %{{.*}}, %[[ZS]]
// CODE: %[[BYTES:.*]] = arith.extui {{.*}} : vector<16xi8> to vector<16xi32>
// CODE: arith.andi %[[BYTES]], %{{.*}} : vector<16xi32>
// CODE: %[[W:.*]] = math.fma %{{.*}}, %{{.*}}, %[[OFF]]
// CODE: math.fma %{{.*}}, %[[W]]
// CODE: arith.shrui %[[BYTES]]
func.func @zeros(%x: tensor<3x64xf32>, %o: tensor<3x16xf32>) -> tensor<3x16xf32> {
  %w = brisk.constant dense<33> : tensor<16x16xui8>
  %s = brisk.constant dense<0.5> : tensor<4x16xf32>
  %z = brisk.constant dense<1> : tensor<4x16xui8>
  %r = brisk.group ins(%x, %w, %s, %z : tensor<3x64xf32>, tensor<16x16xui8>, tensor<4x16xf32>, tensor<4x16xui8>) outs(%o : tensor<3x16xf32>) -> tensor<3x16xf32> {
  ^bb0(%a: tensor<3x64xf32>, %b: tensor<16x16xui8>, %c: tensor<4x16xf32>, %d: tensor<4x16xui8>):
    %y = brisk.matmul_nbits %a, %b scale %c zero %d {bits = 2, block = 16} : (tensor<3x64xf32>, tensor<16x16xui8>, tensor<4x16xf32>, tensor<4x16xui8>) -> tensor<3x16xf32>
    brisk.yield %y : tensor<3x16xf32>
  }
  return %r : tensor<3x16xf32>
}

// -----

// Of many rows there are no registers for a block's sums, and weights are scaled.
// CHECK-LABEL: func @rows
// CHECK: brisk.group schedule #brisk.gemm<mr = 12, nv = 2
// CODE-LABEL: func.func private @rows_kernel_0_gemm
// CODE: %[[S:.*]] = vector.load {{.*}} vector<16xf32>
// CODE: %[[F:.*]] = arith.sitofp {{.*}} : vector<16xi32> to vector<16xf32>
// CODE: %[[SCALED:.*]] = arith.mulf %[[F]], %[[S]]
// CODE: math.fma %{{.*}}, %[[SCALED]], %{{.*}} : vector<16xf32>
func.func @rows(%x: tensor<12x64xf32>, %o: tensor<12x32xf32>) -> tensor<12x32xf32> {
  %w = brisk.constant dense<33> : tensor<64x32xi8>
  %s = brisk.constant dense<0.5> : tensor<2x32xf32>
  %r = brisk.group ins(%x, %w, %s : tensor<12x64xf32>, tensor<64x32xi8>, tensor<2x32xf32>) outs(%o : tensor<12x32xf32>) -> tensor<12x32xf32> {
  ^bb0(%a: tensor<12x64xf32>, %b: tensor<64x32xi8>, %c: tensor<2x32xf32>):
    %y = brisk.matmul_nbits %a, %b scale %c {bits = 8, block = 32} : (tensor<12x64xf32>, tensor<64x32xi8>, tensor<2x32xf32>) -> tensor<12x32xf32>
    brisk.yield %y : tensor<12x32xf32>
  }
  return %r : tensor<12x32xf32>
}
