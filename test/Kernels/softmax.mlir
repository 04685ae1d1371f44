// RUN: brisk-opt %s --pass-pipeline="builtin.module(func.func(select-kernels{target=x86-64-v4}))" | FileCheck %s

// CHECK-LABEL: func @rows
// CHECK: brisk.group schedule <"softmax", {rows = 10 : i64}>
func.func @rows(%x: tensor<3x197x197xf32>, %o: tensor<3x197x197xf32>) -> tensor<3x197x197xf32> {
  %r = brisk.group ins(%x : tensor<3x197x197xf32>) outs(%o : tensor<3x197x197xf32>) -> tensor<3x197x197xf32> {
  ^bb0(%a: tensor<3x197x197xf32>):
    %0 = brisk.softmax %a {axis = -1 : i64} : (tensor<3x197x197xf32>) -> tensor<3x197x197xf32>
    brisk.yield %0 : tensor<3x197x197xf32>
  }
  return %r : tensor<3x197x197xf32>
}
