// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @no_broadcast(%a: tensor<2x3xf32>, %b: tensor<2xf32>) {
  // expected-error@below {{operands do not broadcast: dimension 1 is 3 and 2}}
  // expected-error@below {{'brisk.add' op failed to infer returned types}}
  %0 = brisk.add %a, %b : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @result_shape(%a: tensor<2x3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<3x2xf32>'}}
  // expected-error@below {{'brisk.neg' op failed to infer returned types}}
  %0 = brisk.neg %a : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @element_types(%a: tensor<3xf32>, %b: tensor<3xi32>) {
  // expected-error@below {{requires the same element type for all operands}}
  %0 = brisk.mul %a, %b : (tensor<3xf32>, tensor<3xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @no_booleans(%a: tensor<3xi1>) {
  // expected-error@below {{operand #0 must be tensor of number values}}
  %0 = brisk.add %a, %a : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
  return
}

// -----

// Sizes of valid tensors do not overflow.
func.func @larger_than_memory(%x: tensor<9223372036854775807x0xf32>) {
  // expected-error@below {{operand #0 must be tensor of number values}}
  %0 = brisk.neg %x : (tensor<9223372036854775807x0xf32>) -> tensor<9223372036854775807x0xf32>
  return
}

// -----

func.func @broadcast_too_large(%x: tensor<4294967296x1xf32>, %y: tensor<4294967296xf32>) {
  // expected-error@below {{the result has too many elements}}
  // expected-error@below {{failed to infer returned types}}
  %0 = brisk.add %x, %y : (tensor<4294967296x1xf32>, tensor<4294967296xf32>) -> tensor<?x?xf32>
  return
}
