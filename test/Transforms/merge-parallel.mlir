// RUN: brisk-opt %s --merge-parallel | FileCheck %s

// CHECK-LABEL: func.func @qkv(
// CHECK-SAME: %[[X:.*]]: tensor<8x2xf32>
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00, 5.000000e+00], [3.000000e+00, 4.000000e+00, 6.000000e+00]]>
// CHECK-DAG: %[[B:.*]] = brisk.constant dense<[7.000000e+00, 8.000000e+00, 9.000000e+00]>
// CHECK: %[[M:.*]] = brisk.matmul %[[X]], %[[W]]
// CHECK-NEXT: %[[S:.*]] = brisk.add %[[M]], %[[B]]
// CHECK: brisk.slice %[[S]], {{.*}} -> tensor<8x2xf32>
// CHECK: brisk.slice %[[S]], {{.*}} -> tensor<8x1xf32>
// CHECK-NOT: brisk.add
func.func @qkv(%x: tensor<8x2xf32>) -> (tensor<2x8xf32>, tensor<1x8xf32>) {
  %w0 = brisk.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %w1 = brisk.constant dense<[[5.0], [6.0]]> : tensor<2x1xf32>
  %b0 = brisk.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %b1 = brisk.constant dense<[9.0]> : tensor<1xf32>
  %0 = brisk.matmul %x, %w0 : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
  %1 = brisk.add %b0, %0 : (tensor<2xf32>, tensor<8x2xf32>) -> tensor<8x2xf32>
  %2 = brisk.matmul %x, %w1 : (tensor<8x2xf32>, tensor<2x1xf32>) -> tensor<8x1xf32>
  %3 = brisk.add %2, %b1 : (tensor<8x1xf32>, tensor<1xf32>) -> tensor<8x1xf32>
  %4 = brisk.transpose %1 {permutation = array<i64: 1, 0>} : (tensor<8x2xf32>) -> tensor<2x8xf32>
  %5 = brisk.transpose %3 {permutation = array<i64: 1, 0>} : (tensor<8x1xf32>) -> tensor<1x8xf32>
  return %4, %5 : tensor<2x8xf32>, tensor<1x8xf32>
}

// What an elementwise op follows would lose it from its group.
// CHECK-LABEL: func.func @activation(
// CHECK-COUNT-2: brisk.matmul
func.func @activation(%x: tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<2x8xf32>) {
  %w0 = brisk.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %w1 = brisk.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %0 = brisk.matmul %x, %w0 : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
  %1 = brisk.tanh %0 : (tensor<8x2xf32>) -> tensor<8x2xf32>
  %2 = brisk.matmul %x, %w1 : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
  %3 = brisk.transpose %2 {permutation = array<i64: 1, 0>} : (tensor<8x2xf32>) -> tensor<2x8xf32>
  return %1, %3 : tensor<8x2xf32>, tensor<2x8xf32>
}
