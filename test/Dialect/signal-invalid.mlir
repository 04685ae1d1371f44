// RUN: brisk-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<8xf32>) {
  // expected-error@+2 {{input has 1 dimensions, expected at least 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.dft %x  : (tensor<8xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8x3xf32>) {
  // expected-error@+2 {{the last dimension is 3, expected 1 for real numbers or 2 for complex ones}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.dft %x  : (tensor<4x8x3xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8x2xf32>) {
  // expected-error@+2 {{a onesided transform of complex numbers}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.dft %x {onesided} : (tensor<4x8x2xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8x1xf32>) {
  // expected-error@+2 {{a onesided inverse transform of real numbers, expected complex ones}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.dft %x {onesided, inverse} : (tensor<4x8x1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8x1xf32>) {
  // expected-error@+2 {{axis is the last dimension, which holds the parts of complex numbers}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.dft %x {axis = 2} : (tensor<4x8x1xf32>) -> tensor<*xf32>
  return
}

// -----

func.func @f(%x: tensor<4x0x1xf32>) {
  // expected-error@+2 {{a transform of 0 elements, expected at least 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.dft %x  : (tensor<4x0x1xf32>) -> tensor<*xf32>
  return
}
