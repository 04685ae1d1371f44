// RUN: brisk-opt %s --pass-pipeline="builtin.module(func.func(select-kernels{target=x86-64-v4}))" | FileCheck %s

// CHECK-LABEL: func @upsample
// CHECK: brisk.group schedule <"conv_transpose", {pixels = 8 : i64}>
func.func @upsample(%x: tensor<1x8x8x24xf32>, %w: tensor<2x2x24x16xf32>, %o: tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
  %r = brisk.group ins(%x, %w : tensor<1x8x8x24xf32>, tensor<2x2x24x16xf32>) outs(%o : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
  ^bb0(%a: tensor<1x8x8x24xf32>, %f: tensor<2x2x24x16xf32>):
    %0 = brisk.conv_transpose %a, %f {strides = array<i64: 2, 2>} : (tensor<1x8x8x24xf32>, tensor<2x2x24x16xf32>) -> tensor<1x16x16x16xf32>
    brisk.yield %0 : tensor<1x16x16x16xf32>
  }
  return %r : tensor<1x16x16x16xf32>
}
