// RUN: brisk-opt %s --pass-pipeline="builtin.module(func.func(select-kernels{target=x86-64-v4}))" | FileCheck %s

// CHECK-LABEL: func @embedding
// CHECK: brisk.group schedule <"gather", {rows = 21 : i64}>
func.func @embedding(%x: tensor<1000x384xf32>, %i: tensor<1x128xi64>, %o: tensor<1x128x384xf32>) -> tensor<1x128x384xf32> {
  %r = brisk.group ins(%x, %i : tensor<1000x384xf32>, tensor<1x128xi64>) outs(%o : tensor<1x128x384xf32>) -> tensor<1x128x384xf32> {
  ^bb0(%a: tensor<1000x384xf32>, %b: tensor<1x128xi64>):
    %0 = brisk.gather %a, %b {axis = 0 : i64} : (tensor<1000x384xf32>, tensor<1x128xi64>) -> tensor<1x128x384xf32>
    brisk.yield %0 : tensor<1x128x384xf32>
  }
  return %r : tensor<1x128x384xf32>
}
