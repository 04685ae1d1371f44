// RUN: brisk-opt %s --set-target=x86-64-v3 --select-kernels --split-input-file --verify-diagnostics

// No kernel reads a left operand that is packed.
func.func @packed_input(%x: tensor<32xf32>, %w: tensor<8x20xf32>, %y: tensor<4x20xf32>) -> tensor<4x20xf32> {
  %0 = brisk.group ins(%x, %w : tensor<32xf32>, tensor<8x20xf32>) outs(%y : tensor<4x20xf32>) -> tensor<4x20xf32> {
  ^bb0(%a: tensor<32xf32>, %b: tensor<8x20xf32>):
    %1 = brisk.unpack %a <shape = [4, 8], axes = [[0], [1]]> : tensor<32xf32> -> tensor<4x8xf32>
    // expected-error @+2 {{no kernel computes brisk.matmul on 'tensor<4x8xf32>', 'tensor<8x20xf32>'}}
    // expected-note @+1 {{target is x86-64-v3}}
    %2 = brisk.matmul %1, %b : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
    brisk.yield %2 : tensor<4x20xf32>
  }
  return %0 : tensor<4x20xf32>
}

// -----

// A group of several copies, which no kernel makes at once.
func.func @two_shapes(%x: tensor<4xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  // expected-error @+2 {{no kernel computes brisk.group on}}
  // expected-note @+1 {{target is x86-64-v3}}
  %0:2 = brisk.group ins(%x, %y : tensor<4xf32>, tensor<2xf32>) outs(%x, %y : tensor<4xf32>, tensor<2xf32>) -> tensor<4xf32>, tensor<2xf32> {
  ^bb0(%a: tensor<4xf32>, %b: tensor<2xf32>):
    brisk.yield %a, %b : tensor<4xf32>, tensor<2xf32>
  }
  return %0#0, %0#1 : tensor<4xf32>, tensor<2xf32>
}
