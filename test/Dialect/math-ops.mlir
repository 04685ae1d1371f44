// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @exp(
func.func @exp(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.exp {{.*}} -> tensor<2x3xf32>
  %0 = brisk.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @log(
func.func @log(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.log {{.*}} -> tensor<2x3xf32>
  %0 = brisk.log %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @sin(
func.func @sin(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.sin {{.*}} -> tensor<2x3xf32>
  %0 = brisk.sin %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @cos(
func.func @cos(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.cos {{.*}} -> tensor<2x3xf32>
  %0 = brisk.cos %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @tan(
func.func @tan(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.tan {{.*}} -> tensor<2x3xf32>
  %0 = brisk.tan %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @asin(
func.func @asin(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.asin {{.*}} -> tensor<2x3xf32>
  %0 = brisk.asin %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @acos(
func.func @acos(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.acos {{.*}} -> tensor<2x3xf32>
  %0 = brisk.acos %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @atan(
func.func @atan(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.atan {{.*}} -> tensor<2x3xf32>
  %0 = brisk.atan %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @sinh(
func.func @sinh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.sinh {{.*}} -> tensor<2x3xf32>
  %0 = brisk.sinh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @cosh(
func.func @cosh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.cosh {{.*}} -> tensor<2x3xf32>
  %0 = brisk.cosh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @asinh(
func.func @asinh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.asinh {{.*}} -> tensor<2x3xf32>
  %0 = brisk.asinh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @acosh(
func.func @acosh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.acosh {{.*}} -> tensor<2x3xf32>
  %0 = brisk.acosh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @atanh(
func.func @atanh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.atanh {{.*}} -> tensor<2x3xf32>
  %0 = brisk.atanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @erf(
func.func @erf(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.erf {{.*}} -> tensor<2x3xf32>
  %0 = brisk.erf %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @tanh(
func.func @tanh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.tanh {{.*}} -> tensor<2x3xf32>
  %0 = brisk.tanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @sigmoid(
func.func @sigmoid(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.sigmoid {{.*}} -> tensor<2x3xf32>
  %0 = brisk.sigmoid %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @softplus(
func.func @softplus(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.softplus {{.*}} -> tensor<2x3xf32>
  %0 = brisk.softplus %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @floor(
func.func @floor(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.floor {{.*}} -> tensor<2x3xf32>
  %0 = brisk.floor %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @ceil(
func.func @ceil(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.ceil {{.*}} -> tensor<2x3xf32>
  %0 = brisk.ceil %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @round(
func.func @round(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.round {{.*}} -> tensor<2x3xf32>
  %0 = brisk.round %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @silu(
func.func @silu(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.silu {{.*}} -> tensor<2x3xf32>
  %0 = brisk.silu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @gelu(
func.func @gelu(%x: tensor<2x3xf16>) -> tensor<2x3xf16> {
  // CHECK: brisk.gelu none {{.*}} -> tensor<2x3xf16>
  %0 = brisk.gelu none %x : (tensor<2x3xf16>) -> tensor<2x3xf16>
  return %0 : tensor<2x3xf16>
}

// CHECK-LABEL: func.func @gelu_tanh(
func.func @gelu_tanh(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: brisk.gelu tanh {{.*}} -> tensor<2x3xf32>
  %0 = brisk.gelu tanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
