// RUN: brisk-opt %s --pass-pipeline="builtin.module(func.func(select-kernels{target=x86-64-v4}))" | FileCheck %s

// The weights are constants, and transposed.
// CHECK-LABEL: func @forward
// CHECK: brisk.group schedule <"lstm", {}>
// CHECK-SAME: tensor<5x2x4xf32>, tensor<1x4x32xf32>, tensor<1x8x32xf32>
// CHECK: brisk.unpack %{{.*}} : tensor<1x4x32xf32> -> tensor<1x32x4xf32>
func.func @forward(%x: tensor<5x2x4xf32>, %y: tensor<5x1x2x8xf32>, %h: tensor<1x2x8xf32>, %c: tensor<1x2x8xf32>) -> tensor<5x1x2x8xf32> {
  %w = brisk.constant dense<0.5> : tensor<1x32x4xf32>
  %u = brisk.constant dense<0.25> : tensor<1x32x8xf32>
  %r:3 = brisk.group ins(%x, %w, %u : tensor<5x2x4xf32>, tensor<1x32x4xf32>, tensor<1x32x8xf32>)
      outs(%y, %h, %c : tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32> {
  ^bb0(%a: tensor<5x2x4xf32>, %f: tensor<1x32x4xf32>, %g: tensor<1x32x8xf32>):
    %0, %1, %2 = brisk.lstm %a, %f, %g {hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<1x32x4xf32>, tensor<1x32x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)
    brisk.yield %0, %1, %2 : tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>
  }
  return %r#0 : tensor<5x1x2x8xf32>
}
