// RUN: brisk-opt %s --expand-conv1d | FileCheck %s

// CHECK-LABEL: func.func @conv(
// CHECK: brisk.reshape {{.*}} -> tensor<1x1x8x4xf32>
// CHECK: brisk.reshape {{.*}} -> tensor<1x3x4x6xf32>
// CHECK: brisk.conv {{.*}}pads = array<i64: 0, 1, 0, 2>, strides = array<i64: 1, 2>{{.*}} -> tensor<1x1x5x6xf32>
// CHECK: brisk.reshape {{.*}} -> tensor<1x5x6xf32>
func.func @conv(%x: tensor<1x8x4xf32>, %w: tensor<3x4x6xf32>, %b: tensor<6xf32>) -> tensor<1x5x6xf32> {
  %0 = brisk.conv %x, %w, %b {pads = array<i64: 1, 2>, strides = array<i64: 2>}
      : (tensor<1x8x4xf32>, tensor<3x4x6xf32>, tensor<6xf32>) -> tensor<1x5x6xf32>
  return %0 : tensor<1x5x6xf32>
}

// CHECK-LABEL: func.func @conv_transpose(
// CHECK: brisk.conv_transpose {{.*}}output_padding = array<i64: 0, 1>{{.*}} -> tensor<1x1x10x6xf32>
func.func @conv_transpose(%x: tensor<1x4x4xf32>, %w: tensor<3x4x6xf32>) -> tensor<1x10x6xf32> {
  %0 = brisk.conv_transpose %x, %w {strides = array<i64: 2>, output_padding = array<i64: 1>}
      : (tensor<1x4x4xf32>, tensor<3x4x6xf32>) -> tensor<1x10x6xf32>
  return %0 : tensor<1x10x6xf32>
}

// CHECK-LABEL: func.func @pool(
// CHECK: brisk.max_pool_with_indices {{.*}}kernel_shape = array<i64: 1, 2>{{.*}} -> (tensor<1x1x7x4xf32>, tensor<1x1x7x4xi64>)
// CHECK-COUNT-2: brisk.reshape
func.func @pool(%x: tensor<1x8x4xf32>) -> (tensor<1x7x4xf32>, tensor<1x7x4xi64>) {
  %0, %1 = brisk.max_pool_with_indices %x {kernel_shape = array<i64: 2>}
      : (tensor<1x8x4xf32>) -> (tensor<1x7x4xf32>, tensor<1x7x4xi64>)
  return %0, %1 : tensor<1x7x4xf32>, tensor<1x7x4xi64>
}
