// RUN: brisk-opt %s --canonicalize | FileCheck %s

// Halves go to the even integer; what is out of range saturates, NaN becomes 0.
// CHECK-LABEL: func.func @quantize(
// CHECK-NEXT: brisk.constant dense<[0, 3, 5, 5, 255, 0, 255]> : tensor<7xui8>
// CHECK-NEXT: brisk.constant dense<[-20, 0, 2, 2, 127, 0, 127]> : tensor<7xi8>
func.func @quantize() -> (tensor<7xui8>, tensor<7xi8>) {
  %x = brisk.constant dense<[-1.0e+01, 2.5e-01, 7.5e-01, 1.25e+00, 2.0e+02, 0x7FC00000, 0x7F800000]> : tensor<7xf32>
  %s = brisk.constant dense<5.0e-01> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<ui8>
  %0 = brisk.quantize %x scale %s zero %z {to = ui8} : (tensor<7xf32>, tensor<f32>, tensor<ui8>) -> tensor<7xui8>
  %1 = brisk.quantize %x scale %s {to = i8} : (tensor<7xf32>, tensor<f32>) -> tensor<7xi8>
  return %0, %1 : tensor<7xui8>, tensor<7xi8>
}

// The quotient 25.05 / 0.01 is 2504 in f16, whose neighbours there are 2502 and 2506.
// CHECK-LABEL: func.func @precision(
// CHECK-DAG: brisk.constant dense<2505> : tensor<1xi16>
// CHECK-DAG: brisk.constant dense<2504> : tensor<1xi16>
func.func @precision() -> (tensor<1xi16>, tensor<1xi16>) {
  %x = brisk.constant dense<2.505e+01> : tensor<1xf32>
  %s = brisk.constant dense<1.0e-02> : tensor<f32>
  %0 = brisk.quantize %x scale %s {to = i16} : (tensor<1xf32>, tensor<f32>) -> tensor<1xi16>
  %1 = brisk.quantize %x scale %s {to = i16, precision = f16} : (tensor<1xf32>, tensor<f32>) -> tensor<1xi16>
  return %0, %1 : tensor<1xi16>, tensor<1xi16>
}

// Weights stay as small as they are; one element that repeats is no weight.
// CHECK-LABEL: func.func @dequantize(
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<[1, 2, 7]> : tensor<3xui8>
// CHECK-DAG: %[[TWO:.*]] = brisk.constant dense<2.000000e+00> : tensor<3xf32>
// CHECK-DAG: %[[FOUR:.*]] = brisk.constant dense<4> : tensor<3xi32>
// CHECK: %[[D:.*]] = brisk.dequantize %[[W]]
// CHECK: %[[I:.*]] = brisk.dequantize %[[W]]
// CHECK: return %[[D]], %[[I]], %[[TWO]], %[[FOUR]]
func.func @dequantize() -> (tensor<3xf32>, tensor<3xi32>, tensor<3xf32>, tensor<3xi32>) {
  %w = brisk.constant dense<[1, 2, 7]> : tensor<3xui8>
  %one = brisk.constant dense<7> : tensor<3xui8>
  %s = brisk.constant dense<5.0e-01> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<ui8>
  %0 = brisk.dequantize %w scale %s zero %z {to = f32} : (tensor<3xui8>, tensor<f32>, tensor<ui8>) -> tensor<3xf32>
  %1 = brisk.dequantize %w zero %z {to = i32} : (tensor<3xui8>, tensor<ui8>) -> tensor<3xi32>
  %2 = brisk.dequantize %one scale %s zero %z {to = f32} : (tensor<3xui8>, tensor<f32>, tensor<ui8>) -> tensor<3xf32>
  %3 = brisk.dequantize %one zero %z {to = i32} : (tensor<3xui8>, tensor<ui8>) -> tensor<3xi32>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xi32>, tensor<3xf32>, tensor<3xi32>
}
