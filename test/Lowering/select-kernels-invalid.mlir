// RUN: brisk-opt %s --select-kernels=target=z80 --split-input-file --verify-diagnostics

// expected-error @+1 {{unknown target 'z80'}}
func.func @target(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
