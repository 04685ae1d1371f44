// RUN: brisk-opt %s --pass-pipeline="builtin.module(func.func(hoist-input-products))" | FileCheck %s

// Columns are those of the first direction, gate by gate, then the second's.
// CHECK-LABEL: func @both_directions
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<5x2x3xf32>
// CHECK: %[[W:.*]] = brisk.constant dense<{{\[}}[1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK: %[[PRODUCTS:.*]] = brisk.matmul %[[X]], %[[W]] : (tensor<5x2x3xf32>, tensor<3x2xf32>) -> tensor<5x2x2xf32>
// CHECK: brisk.rnn %[[PRODUCTS]] r %{{.*}} {direction = #brisk<recurrent_direction bidirectional>, hidden_size = 1 : i64}
func.func @both_directions(%x: tensor<5x2x3xf32>, %r: tensor<2x1x1xf32>) -> tensor<5x2x2x1xf32> {
  %w = brisk.constant dense<[[[1.0, 2.0, 3.0]], [[4.0, 5.0, 6.0]]]> : tensor<2x1x3xf32>
  %0, %1 = brisk.rnn %x w %w r %r {hidden_size = 1 : i64, direction = #brisk<recurrent_direction bidirectional>} : (tensor<5x2x3xf32>, tensor<2x1x3xf32>, tensor<2x1x1xf32>) -> (tensor<5x2x2x1xf32>, tensor<2x2x1xf32>)
  return %0 : tensor<5x2x2x1xf32>
}

// Weights that are no constant, and products that would be rounded, stay.
// CHECK-LABEL: func @stay
// CHECK-NOT: brisk.matmul
func.func @stay(%x: tensor<5x2x3xf32>, %w: tensor<1x1x3xf32>, %r: tensor<1x1x1xf32>, %u: tensor<5x2x3xf16>, %v: tensor<1x1x1xf16>) -> (tensor<5x1x2x1xf32>, tensor<5x1x2x1xf16>) {
  %0, %1 = brisk.rnn %x w %w r %r {hidden_size = 1 : i64} : (tensor<5x2x3xf32>, tensor<1x1x3xf32>, tensor<1x1x1xf32>) -> (tensor<5x1x2x1xf32>, tensor<1x2x1xf32>)
  %half = brisk.constant dense<1.0> : tensor<1x1x3xf16>
  %2, %3 = brisk.rnn %u w %half r %v {hidden_size = 1 : i64} : (tensor<5x2x3xf16>, tensor<1x1x3xf16>, tensor<1x1x1xf16>) -> (tensor<5x1x2x1xf16>, tensor<1x2x1xf16>)
  return %0, %2 : tensor<5x1x2x1xf32>, tensor<5x1x2x1xf16>
}

// Bytes with scales are weights, too.
// CHECK-LABEL: func @quantized
// CHECK: %[[W:.*]] = brisk.dequantize
// CHECK: %[[T:.*]] = brisk.transpose %[[W]] {permutation = array<i64: 2, 0, 1>}
// CHECK: %[[R:.*]] = brisk.reshape %[[T]], %{{.*}} -> tensor<3x1xf32>
// CHECK: brisk.matmul %{{.*}}, %[[R]]
func.func @quantized(%x: tensor<5x2x3xf32>, %r: tensor<1x1x1xf32>) -> tensor<5x1x2x1xf32> {
  %b = brisk.constant dense<[[[1, 2, 3]]]> : tensor<1x1x3xi8>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %w = brisk.dequantize %b scale %s {to = f32} : (tensor<1x1x3xi8>, tensor<f32>) -> tensor<1x1x3xf32>
  %0, %1 = brisk.rnn %x w %w r %r {hidden_size = 1 : i64} : (tensor<5x2x3xf32>, tensor<1x1x3xf32>, tensor<1x1x1xf32>) -> (tensor<5x1x2x1xf32>, tensor<1x2x1xf32>)
  return %0 : tensor<5x1x2x1xf32>
}
