// RUN: brisk-opt %s --split-input-file --remove-dead-channels --canonicalize | FileCheck %s

// Channel 1 of the first layer is read by nothing but zeros.
// CHECK-LABEL: func.func @never_read(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x4x2xf32>
// CHECK-DAG: %[[W0:.*]] = brisk.constant dense<{{\[\[\[\[}}1.000000e+00, 3.000000e+00], [4.000000e+00, 6.000000e+00]]]]> : tensor<1x1x2x2xf32>
// CHECK-DAG: %[[B0:.*]] = brisk.constant dense<[1.000000e-01, 3.000000e-01]>
// CHECK-DAG: %[[W1:.*]] = brisk.constant dense<{{\[\[\[\[}}1.000000e+00], [2.000000e+00]]]]> : tensor<1x1x2x1xf32>
// CHECK: %[[C:.*]] = brisk.conv %[[X]], %[[W0]], %[[B0]] {{.*}} -> tensor<1x4x4x2xf32>
// CHECK: %[[R:.*]] = brisk.max %[[C]], {{.*}} -> tensor<1x4x4x2xf32>
// CHECK: brisk.conv %[[R]], %[[W1]] {{.*}} -> tensor<1x4x4x1xf32>
func.func @never_read(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x1xf32> {
  %zero = brisk.constant dense<0.0> : tensor<f32>
  %w0 = brisk.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]]> : tensor<1x1x2x3xf32>
  %b0 = brisk.constant dense<[0.1, 0.2, 0.3]> : tensor<3xf32>
  %w1 = brisk.constant dense<[[[[1.0], [0.0], [2.0]]]]> : tensor<1x1x3x1xf32>
  %0 = brisk.conv %x, %w0, %b0 : (tensor<1x4x4x2xf32>, tensor<1x1x2x3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  %1 = brisk.max %0, %zero : (tensor<1x4x4x3xf32>, tensor<f32>) -> tensor<1x4x4x3xf32>
  %2 = brisk.conv %1, %w1 : (tensor<1x4x4x3xf32>, tensor<1x1x3x1xf32>) -> tensor<1x4x4x1xf32>
  return %2 : tensor<1x4x4x1xf32>
}

// -----

// A channel without weights is its bias, 2; the sigmoid of 0 is 0.5.
// CHECK-LABEL: func.func @constant(
// CHECK-DAG: brisk.constant dense<[1.100000e+01, 2.200000e+01]> : tensor<2xf32>
// CHECK-DAG: brisk.constant dense<{{\[\[}}1.000000e+00], [3.000000e+00]]> : tensor<2x1xf32>
// CHECK-DAG: brisk.constant dense<5.000000e+00> : tensor<1xf32>
// CHECK-DAG: brisk.constant dense<{{\[\[}}3.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>
// CHECK: brisk.matmul {{.*}} -> tensor<8x1xf32>
// CHECK: brisk.add {{.*}} -> tensor<8x1xf32>
// CHECK: brisk.sigmoid
// CHECK: brisk.matmul {{.*}} -> tensor<8x2xf32>
// CHECK: brisk.add
// CHECK-NEXT: return
func.func @constant(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %w0 = brisk.constant dense<[[0.0, 1.0], [0.0, 3.0]]> : tensor<2x2xf32>
  %b0 = brisk.constant dense<[0.0, 5.0]> : tensor<2xf32>
  %w1 = brisk.constant dense<[[22.0, 44.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %0 = brisk.matmul %x, %w0 : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
  %1 = brisk.add %0, %b0 : (tensor<8x2xf32>, tensor<2xf32>) -> tensor<8x2xf32>
  %2 = brisk.sigmoid %1 : (tensor<8x2xf32>) -> tensor<8x2xf32>
  %3 = brisk.matmul %2, %w1 : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
  return %3 : tensor<8x2xf32>
}

// -----

// Padding is zeros, so that only a channel of zeros can go before it.
// CHECK-LABEL: func.func @padding(
// CHECK: brisk.conv {{.*}} -> tensor<1x4x4x2xf32>
// CHECK: brisk.conv {{.*}} (tensor<1x4x4x2xf32>, tensor<3x3x2x1xf32>) -> tensor<1x4x4x1xf32>
func.func @padding(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32> {
  %w0 = brisk.constant dense<[[[[0.0, 0.0, 3.0]]]]> : tensor<1x1x1x3xf32>
  %b0 = brisk.constant dense<[0.0, 2.0, 0.0]> : tensor<3xf32>
  %w1 = brisk.constant dense<2.0> : tensor<3x3x3x1xf32>
  %0 = brisk.conv %x, %w0, %b0 : (tensor<1x4x4x1xf32>, tensor<1x1x1x3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  %1 = brisk.conv %0, %w1 {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x4x3xf32>, tensor<3x3x3x1xf32>) -> tensor<1x4x4x1xf32>
  return %1 : tensor<1x4x4x1xf32>
}

// -----

// Depthwise convolutions, transposes, per-channel arithmetic, pools, sums of
// pixels and a flattened matrix lose the channel as well.
// CHECK-LABEL: func.func @through(
// CHECK: brisk.conv {{.*}} -> tensor<1x4x4x2xf32>
// CHECK: brisk.transpose {{.*}} -> tensor<1x2x4x4xf32>
// CHECK: brisk.mul {{.*}} (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>)
// CHECK: brisk.conv {{.*}}group = 2{{.*}} (tensor<1x4x4x2xf32>, tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
// CHECK: brisk.max_pool {{.*}} -> tensor<1x2x2x2xf32>
// CHECK: brisk.transpose {{.*}} -> tensor<1x2x2x2xf32>
// CHECK: brisk.reshape {{.*}} -> tensor<1x8xf32>
// CHECK: brisk.matmul {{.*}} (tensor<1x8xf32>, tensor<8x5xf32>)
// CHECK: brisk.reduce mean {{.*}} -> tensor<1x2xf32>
// CHECK: brisk.matmul {{.*}} (tensor<1x2xf32>, tensor<2x2xf32>)
func.func @through(%x: tensor<1x4x4x1xf32>) -> (tensor<1x5xf32>, tensor<1x2xf32>) {
  %w0 = brisk.constant dense<[[[[1.0, 2.0, 3.0]]]]> : tensor<1x1x1x3xf32>
  %scale = brisk.constant dense<[[[1.0]], [[2.0]], [[3.0]]]> : tensor<3x1x1xf32>
  %w1 = brisk.constant dense<[[[[1.0, 2.0, 3.0]]]]> : tensor<1x1x1x3xf32>
  %b1 = brisk.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %shape = brisk.constant dense<[1, 12]> : tensor<2xi64>
  %axes = brisk.constant dense<[1, 2]> : tensor<2xi64>
  %w2 = brisk.constant dense<[[1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0],
                              [0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0],
                              [2.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0]]> : tensor<12x5xf32>
  %w3 = brisk.constant dense<[[1.0, 2.0], [0.0, 0.0], [3.0, 4.0]]> : tensor<3x2xf32>
  %0 = brisk.conv %x, %w0 : (tensor<1x4x4x1xf32>, tensor<1x1x1x3xf32>) -> tensor<1x4x4x3xf32>
  %1 = brisk.transpose %0 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  %2 = brisk.mul %1, %scale : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %3 = brisk.transpose %2 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x3x4x4xf32>) -> tensor<1x4x4x3xf32>
  %4 = brisk.conv %3, %w1, %b1 {group = 3} : (tensor<1x4x4x3xf32>, tensor<1x1x1x3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  %5 = brisk.max_pool %4 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x2x2x3xf32>
  %6 = brisk.transpose %5 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x2x2x3xf32>) -> tensor<1x3x2x2xf32>
  %7 = brisk.reshape %6, %shape : (tensor<1x3x2x2xf32>, tensor<2xi64>) -> tensor<1x12xf32>
  %8 = brisk.matmul %7, %w2 : (tensor<1x12xf32>, tensor<12x5xf32>) -> tensor<1x5xf32>
  %9 = brisk.reduce mean %4, %axes : (tensor<1x4x4x3xf32>, tensor<2xi64>) -> tensor<1x3xf32>
  %10 = brisk.matmul %9, %w3 : (tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
  return %8, %10 : tensor<1x5xf32>, tensor<1x2xf32>
}

// -----

// Concatenations and slices know whose channels they have.
// CHECK-LABEL: func.func @concat(
// CHECK: brisk.matmul {{.*}} -> tensor<8x1xf32>
// CHECK: brisk.matmul {{.*}} -> tensor<8x2xf32>
// CHECK: brisk.concat {{.*}} -> tensor<8x3xf32>
// CHECK: brisk.matmul {{.*}} (tensor<8x3xf32>, tensor<3x1xf32>)
func.func @concat(%x: tensor<8x1xf32>) -> tensor<8x1xf32> {
  %w0 = brisk.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %w1 = brisk.constant dense<[[3.0, 4.0]]> : tensor<1x2xf32>
  %w2 = brisk.constant dense<[[1.0], [0.0], [2.0], [3.0]]> : tensor<4x1xf32>
  %0 = brisk.matmul %x, %w0 : (tensor<8x1xf32>, tensor<1x2xf32>) -> tensor<8x2xf32>
  %1 = brisk.matmul %x, %w1 : (tensor<8x1xf32>, tensor<1x2xf32>) -> tensor<8x2xf32>
  %2 = brisk.concat %0, %1 {axis = 1 : i64} : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  %3 = brisk.matmul %2, %w2 : (tensor<8x4xf32>, tensor<4x1xf32>) -> tensor<8x1xf32>
  return %3 : tensor<8x1xf32>
}

// CHECK-LABEL: func.func @slice(
// CHECK-DAG: %[[ONE:.*]] = brisk.constant dense<[0, 1]> : tensor<2xi64>
// CHECK-DAG: %[[THREE:.*]] = brisk.constant dense<[8, 3]> : tensor<2xi64>
// CHECK: brisk.matmul {{.*}} -> tensor<8x3xf32>
// CHECK: brisk.slice %{{.*}}, %[[ONE]], %[[THREE]] {{.*}} -> tensor<8x2xf32>
func.func @slice(%x: tensor<8x1xf32>) -> (tensor<8x2xf32>, tensor<8x1xf32>) {
  %w0 = brisk.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %w1 = brisk.constant dense<[[1.0], [0.0]]> : tensor<2x1xf32>
  %zero = brisk.constant dense<0> : tensor<1xi64>
  %one = brisk.constant dense<1> : tensor<1xi64>
  %two = brisk.constant dense<2> : tensor<1xi64>
  %four = brisk.constant dense<4> : tensor<1xi64>
  %0 = brisk.matmul %x, %w0 : (tensor<8x1xf32>, tensor<1x4xf32>) -> tensor<8x4xf32>
  %1 = brisk.slice %0, %two, %four axes %one : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8x2xf32>
  %2 = brisk.slice %0, %zero, %two axes %one : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8x2xf32>
  %3 = brisk.matmul %2, %w1 : (tensor<8x2xf32>, tensor<2x1xf32>) -> tensor<8x1xf32>
  return %1, %3 : tensor<8x2xf32>, tensor<8x1xf32>
}

// -----

// A sum has a channel as long as one of its terms has: both layers give channel
// 0, one of them channel 1, and none channel 2.
// CHECK-LABEL: func.func @residual(
// CHECK: brisk.matmul {{.*}} -> tensor<8x2xf32>
// CHECK: brisk.matmul {{.*}} -> tensor<8x2xf32>
// CHECK: brisk.add {{.*}} -> tensor<8x2xf32>
// CHECK: brisk.matmul {{.*}} (tensor<8x2xf32>, tensor<2x1xf32>)
func.func @residual(%x: tensor<8x1xf32>) -> tensor<8x1xf32> {
  %w0 = brisk.constant dense<[[1.0, 2.0, 0.0]]> : tensor<1x3xf32>
  %w1 = brisk.constant dense<[[3.0, 0.0, 0.0]]> : tensor<1x3xf32>
  %w2 = brisk.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %0 = brisk.matmul %x, %w0 : (tensor<8x1xf32>, tensor<1x3xf32>) -> tensor<8x3xf32>
  %1 = brisk.matmul %x, %w1 : (tensor<8x1xf32>, tensor<1x3xf32>) -> tensor<8x3xf32>
  %2 = brisk.add %0, %1 : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
  %3 = brisk.matmul %2, %w2 : (tensor<8x3xf32>, tensor<3x1xf32>) -> tensor<8x1xf32>
  return %3 : tensor<8x1xf32>
}

// -----

// Results, inputs, and what mixes channels otherwise keep them, and one channel
// of a layer is left.
// CHECK-LABEL: func.func @pinned(
// CHECK: brisk.matmul {{.*}} (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
// CHECK: brisk.softmax
// CHECK: brisk.matmul {{.*}} (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
func.func @pinned(%x: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %w0 = brisk.constant dense<[[0.0, 0.0], [2.0, 0.0]]> : tensor<2x2xf32>
  %w1 = brisk.constant dense<[[1.0, 0.0], [0.0, 0.0]]> : tensor<2x2xf32>
  %0 = brisk.matmul %x, %w0 : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
  %1 = brisk.softmax %0 : (tensor<8x2xf32>) -> tensor<8x2xf32>
  %2 = brisk.matmul %1, %w1 : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
  return %2 : tensor<8x2xf32>
}

// CHECK-LABEL: func.func @all_dead(
// CHECK: brisk.matmul {{.*}} -> tensor<8x1xf32>
// CHECK: brisk.matmul {{.*}} -> tensor<8x3xf32>
func.func @all_dead(%x: tensor<8x2xf32>) -> tensor<8x3xf32> {
  %w0 = brisk.constant dense<0.0> : tensor<2x4xf32>
  %w1 = brisk.constant dense<1.0> : tensor<4x3xf32>
  %0 = brisk.matmul %x, %w0 : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  %1 = brisk.matmul %0, %w1 : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  return %1 : tensor<8x3xf32>
}

// -----

// Weights that are computed have no zeros that are known.
// CHECK-LABEL: func.func @computed(
// CHECK: brisk.matmul {{.*}} -> tensor<8x2xf32>
func.func @computed(%x: tensor<8x2xf32>, %w1: tensor<2x1xf32>) -> tensor<8x1xf32> {
  %w0 = brisk.constant dense<[[0.0, 1.0], [0.0, 2.0]]> : tensor<2x2xf32>
  %0 = brisk.matmul %x, %w0 : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
  %1 = brisk.matmul %0, %w1 : (tensor<8x2xf32>, tensor<2x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// -----

// Interpolation between pixels keeps channels apart, and so does a softmax of
// each channel over the pixels.
// CHECK-LABEL: func.func @other_dimensions(
// CHECK-DAG: %[[SIZES:.*]] = brisk.constant dense<[1, 8, 4, 2]> : tensor<4xi64>
// CHECK: %[[C:.*]] = brisk.conv {{.*}} -> tensor<1x4x4x2xf32>
// CHECK: %[[R:.*]] = brisk.resize %[[C]] sizes %[[SIZES]] {{.*}} -> tensor<1x8x4x2xf32>
// CHECK: %[[S:.*]] = brisk.softmax %[[R]] {axis = 1 : i64} : (tensor<1x8x4x2xf32>) -> tensor<1x8x4x2xf32>
// CHECK: brisk.conv %[[S]], {{.*}} : (tensor<1x8x4x2xf32>, tensor<1x1x2x1xf32>) -> tensor<1x8x4x1xf32>
func.func @other_dimensions(%x: tensor<1x4x4x2xf32>) -> tensor<1x8x4x1xf32> {
  %w0 = brisk.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]]> : tensor<1x1x2x3xf32>
  %w1 = brisk.constant dense<[[[[1.0], [0.0], [2.0]]]]> : tensor<1x1x3x1xf32>
  %sizes = brisk.constant dense<[1, 8, 4, 3]> : tensor<4xi64>
  %0 = brisk.conv %x, %w0 : (tensor<1x4x4x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x4x4x3xf32>
  %1 = brisk.resize %0 sizes %sizes {mode = #brisk<resize_mode linear>} : (tensor<1x4x4x3xf32>, tensor<4xi64>) -> tensor<1x8x4x3xf32>
  %2 = brisk.softmax %1 {axis = 1 : i64} : (tensor<1x8x4x3xf32>) -> tensor<1x8x4x3xf32>
  %3 = brisk.conv %2, %w1 : (tensor<1x8x4x3xf32>, tensor<1x1x3x1xf32>) -> tensor<1x8x4x1xf32>
  return %3 : tensor<1x8x4x1xf32>
}

// -----

// Sizes that keep the aspect ratio stay as they are asked for: 7 by 11 for 6 by 11,
// where 7 by 11 would become 7 by 12.
// CHECK-LABEL: func.func @aspect_ratio(
// CHECK-DAG: brisk.constant dense<[6, 11]> : tensor<2xi64>
// CHECK: brisk.resize {{.*}} -> tensor<1x7x11x2xf32>
func.func @aspect_ratio(%x: tensor<1x3x5x2xf32>) -> tensor<1x7x11x1xf32> {
  %w0 = brisk.constant dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]]> : tensor<1x1x2x3xf32>
  %w1 = brisk.constant dense<[[[[1.0], [0.0], [2.0]]]]> : tensor<1x1x3x1xf32>
  %sizes = brisk.constant dense<[6, 11]> : tensor<2xi64>
  %0 = brisk.conv %x, %w0 : (tensor<1x3x5x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x3x5x3xf32>
  %1 = brisk.resize %0 sizes %sizes {axes = array<i64: 1, 2>, keep_aspect_ratio_policy = #brisk<aspect_ratio_policy not_smaller>} : (tensor<1x3x5x3xf32>, tensor<2xi64>) -> tensor<1x7x11x3xf32>
  %2 = brisk.conv %1, %w1 : (tensor<1x7x11x3xf32>, tensor<1x1x3x1xf32>) -> tensor<1x7x11x1xf32>
  return %2 : tensor<1x7x11x1xf32>
}

// -----

// The channels that a softmax is over depend on each other.
// CHECK-LABEL: func.func @softmax_of_channels(
// CHECK: brisk.softmax {{.*}} -> tensor<8x3xf32>
func.func @softmax_of_channels(%x: tensor<8x2xf32>) -> tensor<8x1xf32> {
  %w0 = brisk.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %w1 = brisk.constant dense<[[1.0], [0.0], [2.0]]> : tensor<3x1xf32>
  %0 = brisk.matmul %x, %w0 : (tensor<8x2xf32>, tensor<2x3xf32>) -> tensor<8x3xf32>
  %1 = brisk.softmax %0 {axis = -1 : i64} : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %2 = brisk.matmul %1, %w1 : (tensor<8x3xf32>, tensor<3x1xf32>) -> tensor<8x1xf32>
  return %2 : tensor<8x1xf32>
}
