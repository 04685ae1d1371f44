// RUN: brisk-opt %s --outline-kernels --verify-diagnostics

func.func @model(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{has no kernel; run select-kernels first}}
  brisk.group ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return
}
