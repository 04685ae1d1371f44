// RUN: brisk-opt %s --set-target=x86-64-v3 --split-input-file --verify-diagnostics

// Selected for one machine, the rest for another: packed weights would be read
// in the wrong order.
// expected-error @+1 {{is for target 'x86-64-v4', not for 'x86-64-v3'; go on with that target, or begin with the model}}
module attributes {brisk.target = #brisk.target<"x86-64-v4">} {
  func.func @model(%x: tensor<8x64xf32>, %w: tensor<4096xf32>) -> tensor<8x64xf32> {
    %0 = tensor.empty() : tensor<8x64xf32>
    %1 = brisk.group schedule #brisk.gemm<mr = 8, nv = 2, unroll = 1, panels_outer = false, prefetch = false> ins(%x, %w : tensor<8x64xf32>, tensor<4096xf32>) outs(%0 : tensor<8x64xf32>) -> tensor<8x64xf32> {
    ^bb0(%a: tensor<8x64xf32>, %b: tensor<4096xf32>):
      %2 = brisk.unpack %b <shape = [64, 64], axes = [[1] by [32], [0]]> : tensor<4096xf32> -> tensor<64x64xf32>
      %3 = brisk.matmul %a, %2 : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
      brisk.yield %3 : tensor<8x64xf32>
    }
    return %1 : tensor<8x64xf32>
  }
}

// -----

// expected-error @+1 {{is for target 'z80', not for 'x86-64-v3'}}
module attributes {brisk.target = #brisk.target<"z80">} {}
