// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @integer(%a: tensor<3xi32>) {
  // expected-error@below {{operand #0 must be tensor of floating point values}}
  %0 = brisk.exp %a : (tensor<3xi32>) -> tensor<3xi32>
  return
}

// -----

func.func @result_type(%a: tensor<3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<3xf16>'}}
  // expected-error@below {{'brisk.gelu' op failed to infer returned types}}
  %0 = brisk.gelu none %a : (tensor<3xf32>) -> tensor<3xf16>
  return
}
