// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @max_pool(
// CHECK: brisk.max_pool {{.*}} -> tensor<1x4x4x4xf32>
func.func @max_pool(%x: tensor<1x8x8x4xf32>) {
  %0 = brisk.max_pool %x {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// CHECK-LABEL: func.func @average_pool(
// CHECK: brisk.average_pool {{.*}} -> tensor<1x8x8x4xf32>
func.func @average_pool(%x: tensor<1x8x8x4xf32>) {
  %0 = brisk.average_pool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return
}

// CHECK-LABEL: func.func @lp_pool(
// CHECK: brisk.lp_pool {{.*}} -> tensor<1x7x7x4xf32>
func.func @lp_pool(%x: tensor<1x8x8x4xf32>) {
  %0 = brisk.lp_pool %x {kernel_shape = array<i64: 2, 2>, p = 2} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
  return
}

// CHECK-LABEL: func.func @max_pool_with_indices(
// CHECK: brisk.max_pool_with_indices {{.*}} -> (tensor<1x7x7x4xf32>, tensor<1x7x7x4xi64>)
func.func @max_pool_with_indices(%x: tensor<1x8x8x4xf32>) {
  %0, %1 = brisk.max_pool_with_indices %x {kernel_shape = array<i64: 2, 2>}
      : (tensor<1x8x8x4xf32>) -> (tensor<1x7x7x4xf32>, tensor<1x7x7x4xi64>)
  return
}

// CHECK-LABEL: func.func @max_pool_ceil(
// CHECK: brisk.max_pool {{.*}} -> tensor<1x2x2x1xf32>
// CHECK: brisk.max_pool {{.*}} -> tensor<1x1x1x1xf32>
func.func @max_pool_ceil(%x: tensor<1x4x4x1xf32>, %y: tensor<1x2x2x1xf32>) {
  %0 = brisk.max_pool %x {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, ceil_mode} : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  // The third window would start in the padding.
  %1 = brisk.max_pool %y {kernel_shape = array<i64: 1, 1>, strides = array<i64: 2, 2>, ceil_mode} : (tensor<1x2x2x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// CHECK-LABEL: func.func @max_pool_same(
// CHECK: brisk.max_pool {{.*}} -> tensor<1x3x3x1xf32>
func.func @max_pool_same(%x: tensor<1x5x5x1xf32>) {
  %0 = brisk.max_pool %x {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>, auto_pad = #brisk<auto_pad same_upper>} : (tensor<1x5x5x1xf32>) -> tensor<1x3x3x1xf32>
  return
}
