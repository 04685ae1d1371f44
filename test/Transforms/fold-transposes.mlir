// RUN: brisk-opt %s --fold-transposes --canonicalize | FileCheck %s

// Rows of the weights: (channel, pixel) becomes (pixel, channel).
// CHECK-LABEL: func.func @flatten(
// CHECK-SAME: %[[X:.*]]: tensor<1x2x3xf32>
// CHECK: %[[W:.*]] = brisk.constant dense<{{\[\[}}1.000000e+00], [3.000000e+00], [5.000000e+00], [2.000000e+00], [4.000000e+00], [6.000000e+00]]>
// CHECK-NOT: brisk.transpose
// CHECK: %[[F:.*]] = brisk.reshape %[[X]]
// CHECK: brisk.matmul %[[F]], %[[W]]
func.func @flatten(%x: tensor<1x2x3xf32>) -> tensor<1x1xf32> {
  %shape = brisk.constant dense<[1, 6]> : tensor<2xi64>
  %w = brisk.constant dense<[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]> : tensor<6x1xf32>
  %0 = brisk.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<1x2x3xf32>) -> tensor<1x3x2xf32>
  %1 = brisk.reshape %0, %shape : (tensor<1x3x2xf32>, tensor<2xi64>) -> tensor<1x6xf32>
  %2 = brisk.matmul %1, %w : (tensor<1x6xf32>, tensor<6x1xf32>) -> tensor<1x1xf32>
  return %2 : tensor<1x1xf32>
}

// The batch moves too.
// CHECK-LABEL: func.func @batch(
// CHECK: brisk.transpose
func.func @batch(%x: tensor<2x4x3xf32>) -> tensor<4x1xf32> {
  %shape = brisk.constant dense<[4, 6]> : tensor<2xi64>
  %w = brisk.constant dense<1.0> : tensor<6x1xf32>
  %0 = brisk.transpose %x {permutation = array<i64: 1, 0, 2>} : (tensor<2x4x3xf32>) -> tensor<4x2x3xf32>
  %1 = brisk.reshape %0, %shape : (tensor<4x2x3xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  %2 = brisk.matmul %1, %w : (tensor<4x6xf32>, tensor<6x1xf32>) -> tensor<4x1xf32>
  return %2 : tensor<4x1xf32>
}
