// RUN: brisk-opt %s --pass-pipeline="builtin.module(func.func(select-kernels{target=x86-64-v4}))" | FileCheck %s

// CHECK-LABEL: func @max
// CHECK: brisk.group schedule <"pool", {pixels = 8 : i64}>
func.func @max(%x: tensor<1x8x8x16xf32>, %o: tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  %r = brisk.group ins(%x : tensor<1x8x8x16xf32>) outs(%o : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>):
    %0 = brisk.max_pool %a {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
    brisk.yield %0 : tensor<1x8x8x16xf32>
  }
  return %r : tensor<1x8x8x16xf32>
}
