// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<1x8x8x4xf32>) {
  // expected-error@+2 {{kernel_shape has 1 entries where 2 spatial dimensions need 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.max_pool %x {kernel_shape = array<i64: 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>) {
  // expected-error@+2 {{pads has 2 entries where 2 spatial dimensions need 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.average_pool %x {kernel_shape = array<i64: 2, 2>, pads = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>) {
  // expected-error@+2 {{input has 2 dimensions, expected N x spatial x C}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.lp_pool %x {kernel_shape = array<i64: 2, 2>} : (tensor<8x4xf32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>) {
  // expected-error@+2 {{kernel_shape has the entry 0, expected at least 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.max_pool %x {kernel_shape = array<i64: 0, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
  return
}

// -----

func.func @f(%x: tensor<1x1x1x1x1xf32>) {
  // expected-error@+2 {{kernel_shape has too many elements}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.max_pool %x {kernel_shape = array<i64: 1073741824, 1073741824, 1073741824>, pads = array<i64: 1073741824, 1073741824, 1073741824, 0, 0, 0>} : (tensor<1x1x1x1x1xf32>) -> tensor<1x2x2x2x1xf32>
  return
}
