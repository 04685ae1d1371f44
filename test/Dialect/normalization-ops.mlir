// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @layer_norm(
// CHECK: brisk.layer_norm {{.*}} -> tensor<2x8x64xf32>
func.func @layer_norm(%x: tensor<2x8x64xf32>, %s: tensor<64xf32>, %b: tensor<64xf32>) {
  %0 = brisk.layer_norm %x scale %s bias %b {axis = -1, epsilon = 1.0e-5 : f32}
      : (tensor<2x8x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<2x8x64xf32>
  return
}

// CHECK-LABEL: func.func @rms_norm(
// CHECK: brisk.rms_norm {{.*}} -> tensor<2x8x64xf32>
func.func @rms_norm(%x: tensor<2x8x64xf32>, %s: tensor<64xf32>) {
  %0 = brisk.rms_norm %x, %s {axis = -1} : (tensor<2x8x64xf32>, tensor<64xf32>) -> tensor<2x8x64xf32>
  return
}

// CHECK-LABEL: func.func @lrn(
// CHECK: brisk.lrn {{.*}} -> tensor<1x7x7x16xf32>
func.func @lrn(%x: tensor<1x7x7x16xf32>) {
  %0 = brisk.lrn %x {size = 5, alpha = 1.0e-4 : f32, beta = 0.75 : f32, bias = 1.0 : f32} : (tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  return
}
