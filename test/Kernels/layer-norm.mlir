// RUN: brisk-opt %s --pass-pipeline="builtin.module(func.func(select-kernels{target=x86-64-v4}))" | FileCheck %s

// CHECK-LABEL: func @rows
// CHECK: brisk.group schedule <"layer_norm", {rows = 5 : i64}>
func.func @rows(%x: tensor<128x768xf32>, %o: tensor<128x768xf32>) -> tensor<128x768xf32> {
  %r = brisk.group ins(%x : tensor<128x768xf32>) outs(%o : tensor<128x768xf32>) -> tensor<128x768xf32> {
  ^bb0(%a: tensor<128x768xf32>):
    %0 = brisk.layer_norm %a {axis = -1 : i64} : (tensor<128x768xf32>) -> tensor<128x768xf32>
    brisk.yield %0 : tensor<128x768xf32>
  }
  return %r : tensor<128x768xf32>
}
