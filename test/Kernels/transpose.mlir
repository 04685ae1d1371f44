// RUN: brisk-opt %s --pass-pipeline="builtin.module(func.func(select-kernels{target=x86-64-v4}))" | FileCheck %s

// CHECK-LABEL: func @matrix
// CHECK: brisk.group schedule <"transpose", {chunk = 16384 : i64}>
func.func @matrix(%x: tensor<64x48xf32>, %o: tensor<48x64xf32>) -> tensor<48x64xf32> {
  %r = brisk.group ins(%x : tensor<64x48xf32>) outs(%o : tensor<48x64xf32>) -> tensor<48x64xf32> {
  ^bb0(%a: tensor<64x48xf32>):
    %0 = brisk.transpose %a {permutation = array<i64: 1, 0>} : (tensor<64x48xf32>) -> tensor<48x64xf32>
    brisk.yield %0 : tensor<48x64xf32>
  }
  return %r : tensor<48x64xf32>
}
