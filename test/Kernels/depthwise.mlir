// RUN: brisk-opt %s --pass-pipeline="builtin.module(func.func(select-kernels{target=x86-64-v4}))" | FileCheck %s

// CHECK-LABEL: func @channels_last
// CHECK: brisk.group schedule <"depthwise", {pixels = 8 : i64}>
func.func @channels_last(%x: tensor<1x12x12x24xf32>, %w: tensor<3x3x1x24xf32>, %o: tensor<1x12x12x24xf32>) -> tensor<1x12x12x24xf32> {
  %r = brisk.group ins(%x, %w : tensor<1x12x12x24xf32>, tensor<3x3x1x24xf32>) outs(%o : tensor<1x12x12x24xf32>) -> tensor<1x12x12x24xf32> {
  ^bb0(%a: tensor<1x12x12x24xf32>, %f: tensor<3x3x1x24xf32>):
    %0 = brisk.conv %a, %f {pads = array<i64: 1, 1, 1, 1>, group = 24 : i64} : (tensor<1x12x12x24xf32>, tensor<3x3x1x24xf32>) -> tensor<1x12x12x24xf32>
    brisk.yield %0 : tensor<1x12x12x24xf32>
  }
  return %r : tensor<1x12x12x24xf32>
}

// Two results a channel are not this family's.
// CHECK-LABEL: func @multiplier
// CHECK-NOT: "depthwise"
func.func @multiplier(%x: tensor<1x12x12x4xf32>, %w: tensor<3x3x1x8xf32>, %o: tensor<1x10x10x8xf32>) -> tensor<1x10x10x8xf32> {
  %r = brisk.group ins(%x, %w : tensor<1x12x12x4xf32>, tensor<3x3x1x8xf32>) outs(%o : tensor<1x10x10x8xf32>) -> tensor<1x10x10x8xf32> {
  ^bb0(%a: tensor<1x12x12x4xf32>, %f: tensor<3x3x1x8xf32>):
    %0 = brisk.conv %a, %f {group = 4 : i64} : (tensor<1x12x12x4xf32>, tensor<3x3x1x8xf32>) -> tensor<1x10x10x8xf32>
    brisk.yield %0 : tensor<1x10x10x8xf32>
  }
  return %r : tensor<1x10x10x8xf32>
}
