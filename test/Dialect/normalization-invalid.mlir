// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // expected-error@+2 {{operands do not broadcast: dimension 1 is 3 and 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.layer_norm %x scale %s : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf16>) {
  // expected-error@+2 {{bias has elements of type 'f16' and input of type 'f32'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.layer_norm %x bias %s : (tensor<2x3xf32>, tensor<3xf16>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<1x3xf32>, %s: tensor<2x3xf32>) {
  // expected-error@+2 {{scale of type 'tensor<2x3xf32>' does not broadcast to 'tensor<1x3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.rms_norm %x, %s : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{'brisk.lrn' op attribute 'size' failed to satisfy constraint}}
  %0 = brisk.lrn %x {size = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
