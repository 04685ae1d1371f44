// RUN: brisk-opt %s --canonicalize | FileCheck %s

// Each function folds to whether the results are within 3e-7 of values that NumPy
// computed in f64; zeros must be zeros.

// CHECK-LABEL: func.func @exp(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @exp() -> tensor<5xi1> {
  %x = brisk.constant dense<[-2.5e+00, -5.0e-01, 1.0e-06, 2.5e-01, 1.5e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[8.2085e-02, 6.0653067e-01, 1.000001e+00, 1.2840254e+00, 4.481689e+00]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.exp %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @log(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @log() -> tensor<5xi1> {
  %x = brisk.constant dense<[1.0e-30, 5.0e-01, 1.0e+00, 3.0e+00, 1.0e+30]> : tensor<5xf32>
  %expected = brisk.constant dense<[-6.907755e+01, -6.931472e-01, 0.0e+00, 1.0986123e+00, 6.907755e+01]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.log %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @sin(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @sin() -> tensor<5xi1> {
  %x = brisk.constant dense<[-2.5e+00, -5.0e-01, 1.0e-06, 2.5e-01, 1.5e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[-5.984721e-01, -4.7942555e-01, 1.0e-06, 2.4740396e-01, 9.97495e-01]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.sin %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @cos(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @cos() -> tensor<5xi1> {
  %x = brisk.constant dense<[-2.5e+00, -5.0e-01, 1.0e-06, 2.5e-01, 1.5e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[-8.011436e-01, 8.7758255e-01, 1.0e+00, 9.689124e-01, 7.07372e-02]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.cos %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @tan(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @tan() -> tensor<5xi1> {
  %x = brisk.constant dense<[-2.5e+00, -5.0e-01, 1.0e-06, 2.5e-01, 1.5e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[7.470223e-01, -5.463025e-01, 1.0e-06, 2.5534192e-01, 1.410142e+01]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.tan %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @asin(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @asin() -> tensor<5xi1> {
  %x = brisk.constant dense<[-1.0e+00, -5.0e-01, 1.0e-06, 2.5e-01, 1.0e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[-1.5707964e+00, -5.235988e-01, 1.0e-06, 2.5268024e-01, 1.5707964e+00]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.asin %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @acos(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @acos() -> tensor<5xi1> {
  %x = brisk.constant dense<[-1.0e+00, -5.0e-01, 1.0e-06, 2.5e-01, 1.0e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[3.1415927e+00, 2.0943952e+00, 1.5707953e+00, 1.3181161e+00, 0.0e+00]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.acos %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @atan(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @atan() -> tensor<5xi1> {
  %x = brisk.constant dense<[-2.5e+00, -5.0e-01, 1.0e-06, 2.5e-01, 1.5e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[-1.19029e+00, -4.636476e-01, 1.0e-06, 2.4497867e-01, 9.8279375e-01]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.atan %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @sinh(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @sinh() -> tensor<5xi1> {
  %x = brisk.constant dense<[-8.9e+01, -5.0e-01, 1.0e-06, 9.9e-01, 5.0e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[-2.2448064e+38, -5.210953e-01, 1.0e-06, 1.1598289e+00, 7.420321e+01]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.sinh %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @cosh(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @cosh() -> tensor<5xi1> {
  %x = brisk.constant dense<[-8.9e+01, -5.0e-01, 1.0e-06, 9.9e-01, 5.0e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[2.2448064e+38, 1.127626e+00, 1.0e+00, 1.5314056e+00, 7.4209946e+01]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.cosh %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @asinh(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @asinh() -> tensor<5xi1> {
  %x = brisk.constant dense<[-1.0e+30, -5.0e-01, 1.0e-06, 2.5e-01, 1.0e+02]> : tensor<5xf32>
  %expected = brisk.constant dense<[-6.97707e+01, -4.812118e-01, 1.0e-06, 2.4746646e-01, 5.298342e+00]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.asinh %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @acosh(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @acosh() -> tensor<5xi1> {
  %x = brisk.constant dense<[1.0e+00, 1.0000001e+00, 1.5e+00, 3.0e+01, 1.0e+30]> : tensor<5xf32>
  %expected = brisk.constant dense<[0.0e+00, 4.8828125e-04, 9.624236e-01, 4.0940666e+00, 6.97707e+01]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.acosh %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @atanh(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @atanh() -> tensor<5xi1> {
  %x = brisk.constant dense<[-9.0e-01, -5.0e-01, 1.0e-06, 2.5e-01, 9.9e-01]> : tensor<5xf32>
  %expected = brisk.constant dense<[-1.4722193e+00, -5.4930615e-01, 1.0e-06, 2.5541282e-01, 2.646653e+00]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.atanh %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @erf(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @erf() -> tensor<5xi1> {
  %x = brisk.constant dense<[-2.5e+00, -5.0e-01, 1.0e-06, 2.5e-01, 1.5e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[-9.99593e-01, -5.204999e-01, 1.1283792e-06, 2.763264e-01, 9.6610516e-01]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.erf %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @tanh(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @tanh() -> tensor<5xi1> {
  %x = brisk.constant dense<[-2.5e+00, -5.0e-01, 1.0e-06, 2.5e-01, 1.5e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[-9.866143e-01, -4.6211717e-01, 1.0e-06, 2.4491866e-01, 9.0514827e-01]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.tanh %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @sigmoid(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @sigmoid() -> tensor<5xi1> {
  %x = brisk.constant dense<[-8.0e+01, -5.0e-01, 1.0e-06, 2.5e-01, 3.0e+01]> : tensor<5xf32>
  %expected = brisk.constant dense<[1.8048513e-35, 3.7754068e-01, 5.0000024e-01, 5.621765e-01, 1.0e+00]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.sigmoid %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @softplus(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @softplus() -> tensor<5xi1> {
  %x = brisk.constant dense<[-8.0e+01, -5.0e-01, 1.0e-06, 2.5e-01, 1.0e+02]> : tensor<5xf32>
  %expected = brisk.constant dense<[1.8048513e-35, 4.74077e-01, 6.9314766e-01, 8.259394e-01, 1.0e+02]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.softplus %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @silu(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @silu() -> tensor<5xi1> {
  %x = brisk.constant dense<[-8.0e+01, -5.0e-01, 1.0e-06, 2.5e-01, 3.0e+01]> : tensor<5xf32>
  %expected = brisk.constant dense<[-1.4438811e-33, -1.8877034e-01, 5.000002e-07, 1.4054413e-01, 3.0e+01]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.silu %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @gelu_none(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @gelu_none() -> tensor<5xi1> {
  %x = brisk.constant dense<[-7.5e-01, -5.0e-01, 1.0e-06, 2.5e-01, 3.0e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[-1.6997051e-01, -1.5426877e-01, 5.000004e-07, 1.4967658e-01, 2.9959502e+00]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.gelu none %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @gelu_tanh(
// CHECK-NEXT: brisk.constant dense<true> : tensor<5xi1>
func.func @gelu_tanh() -> tensor<5xi1> {
  %x = brisk.constant dense<[-7.5e-01, -5.0e-01, 1.0e-06, 2.5e-01, 3.0e+00]> : tensor<5xf32>
  %expected = brisk.constant dense<[-1.7003945e-01, -1.54286e-01, 5.000004e-07, 1.4967535e-01, 2.9963627e+00]> : tensor<5xf32>
  %bound = brisk.constant dense<3.0e-7> : tensor<f32>
  %0 = brisk.gelu tanh %x : (tensor<5xf32>) -> tensor<5xf32>
  %1 = brisk.sub %0, %expected : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>
  %2 = brisk.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = brisk.abs %expected : (tensor<5xf32>) -> tensor<5xf32>
  %4 = brisk.mul %3, %bound : (tensor<5xf32>, tensor<f32>) -> tensor<5xf32>
  %5 = brisk.less_equal %2, %4 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  return %5 : tensor<5xi1>
}

// CHECK-LABEL: func.func @rounding(
func.func @rounding() -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
  // CHECK-DAG: %[[FLOOR:.*]] = brisk.constant dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, -3.000000e+00, -1.000000e+00, 0x7F800000]> : tensor<6xf32>
  // CHECK-DAG: %[[CEIL:.*]] = brisk.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, -2.000000e+00, -0.000000e+00, 0x7F800000]> : tensor<6xf32>
  // CHECK-DAG: %[[ROUND:.*]] = brisk.constant dense<[0.000000e+00, 2.000000e+00, 2.000000e+00, -2.000000e+00, -0.000000e+00, 0x7F800000]> : tensor<6xf32>
  // CHECK: return %[[FLOOR]], %[[CEIL]], %[[ROUND]]
  %x = brisk.constant dense<[0.5, 1.5, 2.5, -2.5, -0.25, 0x7F800000]> : tensor<6xf32>
  %0 = brisk.floor %x : (tensor<6xf32>) -> tensor<6xf32>
  %1 = brisk.ceil %x : (tensor<6xf32>) -> tensor<6xf32>
  %2 = brisk.round %x : (tensor<6xf32>) -> tensor<6xf32>
  return %0, %1, %2 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}

// Infinities and NaN.
// CHECK-LABEL: func.func @limits(
func.func @limits() -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // CHECK-DAG: %[[EXP:.*]] = brisk.constant dense<[0x7F800000, 0.000000e+00, {{0x[7F]FC00000}}]> : tensor<3xf32>
  // CHECK-DAG: %[[SIGMOID:.*]] = brisk.constant dense<[1.000000e+00, 0.000000e+00, {{0x[7F]FC00000}}]> : tensor<3xf32>
  // CHECK-DAG: %[[TANH:.*]] = brisk.constant dense<[1.000000e+00, -1.000000e+00, {{0x[7F]FC00000}}]> : tensor<3xf32>
  // CHECK: return %[[EXP]], %[[SIGMOID]], %[[TANH]], %[[EXP]]
  %x = brisk.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %0 = brisk.exp %x : (tensor<3xf32>) -> tensor<3xf32>
  %1 = brisk.sigmoid %x : (tensor<3xf32>) -> tensor<3xf32>
  %2 = brisk.tanh %x : (tensor<3xf32>) -> tensor<3xf32>
  %3 = brisk.softplus %x : (tensor<3xf32>) -> tensor<3xf32>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// Halves are computed in f32.
// CHECK-LABEL: func.func @halves(
// CHECK: brisk.constant dense<[2.718750e+00, 0x7C00]> : tensor<2xf16>
func.func @halves() -> tensor<2xf16> {
  %x = brisk.constant dense<[1.0, 20.0]> : tensor<2xf16>
  %0 = brisk.exp %x : (tensor<2xf16>) -> tensor<2xf16>
  return %0 : tensor<2xf16>
}
