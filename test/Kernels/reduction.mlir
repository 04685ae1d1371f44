// RUN: brisk-opt %s --pass-pipeline="builtin.module(func.func(select-kernels{target=x86-64-v4}))" | FileCheck %s

// CHECK-LABEL: func @spatial_mean
// CHECK: brisk.group schedule <"reduction", {chunk = 128 : i64}>
func.func @spatial_mean(%x: tensor<1x7x7x256xf32>, %o: tensor<1x256xf32>) -> tensor<1x256xf32> {
  %r = brisk.group ins(%x : tensor<1x7x7x256xf32>) outs(%o : tensor<1x256xf32>) -> tensor<1x256xf32> {
  ^bb0(%a: tensor<1x7x7x256xf32>):
    %axes = brisk.constant dense<[1, 2]> : tensor<2xi64>
    %0 = brisk.reduce mean %a, %axes : (tensor<1x7x7x256xf32>, tensor<2xi64>) -> tensor<1x256xf32>
    brisk.yield %0 : tensor<1x256xf32>
  }
  return %r : tensor<1x256xf32>
}
