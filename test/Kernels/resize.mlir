// RUN: brisk-opt %s --pass-pipeline="builtin.module(func.func(select-kernels{target=x86-64-v4}))" | FileCheck %s

// CHECK-LABEL: func @nearest
// CHECK: brisk.group schedule <"resize", {rows = 512 : i64}>
func.func @nearest(%x: tensor<1x4x4x16xf32>, %o: tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  %r = brisk.group ins(%x : tensor<1x4x4x16xf32>) outs(%o : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  ^bb0(%a: tensor<1x4x4x16xf32>):
    %s = brisk.constant dense<[1.0, 2.0, 2.0, 1.0]> : tensor<4xf32>
    %0 = brisk.resize %a scales %s {coordinate_transformation_mode = #brisk<coordinate_mode asymmetric>, nearest_mode = #brisk<nearest_mode floor>} : (tensor<1x4x4x16xf32>, tensor<4xf32>) -> tensor<1x8x8x16xf32>
    brisk.yield %0 : tensor<1x8x8x16xf32>
  }
  return %r : tensor<1x8x8x16xf32>
}
