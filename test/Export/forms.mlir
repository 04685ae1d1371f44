// RUN: briskc %s --emit=onnx -o %t.onnx && %python %S/Inputs/print_onnx.py %t.onnx | FileCheck %s
// What a pass puts between the transposes and the convolution is exported in
// ONNX's order of dimensions, with its axes and constants.

// CHECK: forms (float[1,2,4,4] x) => (float[1,3,4,4] y)
// CHECK: int8[3,2,1,1] {{.*}} = {1,4,2,5,3,6}
// CHECK-NOT: Transpose
// CHECK: {{.*}} [[Q:.*]] = QuantizeLinear <axis: int = 1> (x, {{.*}})
// CHECK: {{.*}} [[DQ:.*]] = DequantizeLinear <axis: int = 1> ([[Q]], {{.*}})
// CHECK: {{.*}} [[W:.*]] = DequantizeLinear <axis: int = 0>
// CHECK: {{.*}} [[C:.*]] = Conv <{{.*}}> ([[DQ]], [[W]])
// CHECK: {{.*}} [[A:.*]] = Add ([[C]], {{.*}})
// CHECK: {{.*}} [[QA:.*]] = QuantizeLinear ([[A]], {{.*}})
// CHECK: y = DequantizeLinear ([[QA]], {{.*}})
// CHECK-NOT: Transpose
func.func @forms(%x: tensor<1x2x4x4xf32> {brisk.name = "x"}) -> (tensor<1x3x4x4xf32> {brisk.name = "y"}) {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %z = brisk.constant dense<128> : tensor<ui8>
  %ss = brisk.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %w = brisk.constant dense<[[[[1, 2, 3], [4, 5, 6]]]]> : tensor<1x1x2x3xi8>
  %ws = brisk.constant dense<[0.5, 0.25, 0.125]> : tensor<3xf32>
  %b = brisk.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = brisk.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32>
  %1 = brisk.quantize %0 scale %ss {to = i8} : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xi8>
  %2 = brisk.dequantize %1 scale %ss {to = f32} : (tensor<1x4x4x2xi8>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %3 = brisk.dequantize %w scale %ws {to = f32} : (tensor<1x1x2x3xi8>, tensor<3xf32>) -> tensor<1x1x2x3xf32>
  %4 = brisk.conv %2, %3 : (tensor<1x4x4x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x4x4x3xf32>
  %5 = brisk.add %4, %b : (tensor<1x4x4x3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  %6 = brisk.quantize %5 scale %s zero %z {to = ui8} : (tensor<1x4x4x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4x4x3xui8>
  %7 = brisk.dequantize %6 scale %s zero %z {to = f32} : (tensor<1x4x4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4x4x3xf32>
  %8 = brisk.transpose %7 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  return %8 : tensor<1x3x4x4xf32>
}
