// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<2x3xi1>) {
  // expected-error@+2 {{booleans have no sum; cast them to a number first}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.reduce sum %x : (tensor<2x3xi1>) -> tensor<i1>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  %axes = brisk.constant dense<[2]> : tensor<1xi64>
  // expected-error@+2 {{axis 2 is out of range for 2 dimensions}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.reduce sum %x, %axes : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  %axes = brisk.constant dense<[1, -1]> : tensor<2xi64>
  // expected-error@+2 {{axis 1 comes twice}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.reduce sum %x, %axes : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x0xf32>) {
  // expected-error@+2 {{dimension 1 is empty and has no largest or smallest element}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.arg_reduce max %x {axis = 1 : i64} : (tensor<2x0xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis 2 is out of range for 2 dimensions}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.arg_reduce max %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  %axes = brisk.constant dense<[0, 1]> : tensor<2xi64>
  // expected-error@+2 {{axis has 2 elements, expected one}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.cumsum %x, %axes : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+2 {{axis -3 is out of range for 2 dimensions}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.softmax %x {axis = -3 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
