// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @select_types(%c: tensor<i1>, %x: tensor<3xf32>, %y: tensor<3xi32>) {
  // expected-error@below {{failed to verify that all of {x, y} have same element type}}
  %0 = brisk.select %c, %x, %y : (tensor<i1>, tensor<3xf32>, tensor<3xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @cast_result(%x: tensor<3xf32>) {
  // expected-error@below {{inferred type(s) 'tensor<3xi32>' are incompatible with return type(s) of operation 'tensor<3xi64>'}}
  // expected-error@below {{'brisk.cast' op failed to infer returned types}}
  %0 = brisk.cast %x {to = i32} : (tensor<3xf32>) -> tensor<3xi64>
  return
}

// -----

func.func @compare_gives_booleans(%x: tensor<3xf32>) {
  // expected-error@below {{result #0 must be tensor of boolean values}}
  %0 = brisk.less %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @shift_floats(%x: tensor<3xf32>) {
  // expected-error@below {{operand #0 must be tensor of integer values}}
  %0 = brisk.shift_left %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
