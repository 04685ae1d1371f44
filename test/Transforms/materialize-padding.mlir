// RUN: brisk-opt %s --materialize-padding | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: brisk-opt %s --materialize-padding="depthwise=false" | FileCheck %s --check-prefixes=CHECK,SOME

// CHECK-LABEL: func.func @pads(
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x4xf32>
// CHECK: %[[PADS:.*]] = brisk.constant dense<[0, 1, 2, 0, 0, 3, 4, 0]>
// CHECK: %[[P:.*]] = brisk.pad constant %[[X]], %[[PADS]] : {{.*}} -> tensor<1x12x14x4xf32>
// CHECK: brisk.conv %[[P]], %{{.*}} {pads = array<i64: 0, 0, 0, 0>
func.func @pads(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x10x12x8xf32> {
  %0 = brisk.conv %x, %w {pads = array<i64: 1, 2, 3, 4>}
      : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x10x12x8xf32>
  return %0 : tensor<1x10x12x8xf32>
}

// CHECK-LABEL: func.func @same(
// CHECK: dense<[0, 0, 0, 0, 0, 1, 1, 0]>
// CHECK: brisk.conv {{.*}}pads = array<i64: 0, 0, 0, 0>, strides
func.func @same(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %0 = brisk.conv %x, %w {auto_pad = #brisk<auto_pad same_upper>, strides = array<i64: 2, 2>}
      : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}

// CHECK-LABEL: func.func @depthwise(
// ALL: brisk.pad
// SOME-NOT: brisk.pad
func.func @depthwise(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x1x4xf32>) -> tensor<1x8x8x4xf32> {
  %0 = brisk.conv %x, %w {pads = array<i64: 1, 1, 1, 1>, group = 4 : i64}
      : (tensor<1x8x8x4xf32>, tensor<3x3x1x4xf32>) -> tensor<1x8x8x4xf32>
  return %0 : tensor<1x8x8x4xf32>
}

// CHECK-LABEL: func.func @none(
// CHECK-NOT: brisk.pad
func.func @none(%x: tensor<1x8x8x4xf32>, %w: tensor<1x1x4x8xf32>) -> tensor<1x8x8x8xf32> {
  %0 = brisk.conv %x, %w : (tensor<1x8x8x4xf32>, tensor<1x1x4x8xf32>) -> tensor<1x8x8x8xf32>
  return %0 : tensor<1x8x8x8xf32>
}
