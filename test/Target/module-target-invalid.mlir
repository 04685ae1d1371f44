// RUN: brisk-opt %s --select-kernels --split-input-file --verify-diagnostics
// RUN: not brisk-opt %s --set-target=z80 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: there is no target 'z80'; choose from host, x86-64-v2,
// expected-error @+1 {{is in a module without a target; run --set-target=NAME first, or write 'module attributes {brisk.target = #brisk.target<"NAME">}'}}
func.func @without(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

module attributes {brisk.target = #brisk.target<"z80">} {
  // expected-error @+1 {{there is no target 'z80'; choose from host, x86-64-v2,}}
  func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

module attributes {brisk.target = #brisk.target<"host", triple = "x86_64-pc-linux-gnu", cpu = "z80", features = "">} {
  // expected-error @+1 {{is for #brisk.target<"host", triple = "x86_64-pc-linux-gnu", cpu = "z80", features = "">, and here 'host' is #brisk.target<"host", }}
  func.func @elsewhere(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

module attributes {brisk.target = #brisk.target<"x86-64-v3", triple = "", cpu = "znver4", features = "">} {
  // expected-error @+1 {{and here 'x86-64-v3' is #brisk.target<"x86-64-v3">; go on where it was begun, or begin with the model}}
  func.func @more(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
