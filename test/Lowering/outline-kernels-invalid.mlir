// RUN: brisk-opt %s --outline-kernels --split-input-file --verify-diagnostics

func.func @model(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{has no kernel; run select-kernels first}}
  brisk.group ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @tensors(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is not on buffers; run bufferize-model first}}
  %r = brisk.group schedule <"elementwise", {chunk = 8192 : i64}> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %0 = brisk.abs %a : (tensor<4xf32>) -> tensor<4xf32>
    brisk.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
