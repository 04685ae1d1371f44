// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @dft(
// CHECK: brisk.dft {{.*}} -> tensor<49x512x2xf32>
// CHECK: brisk.dft {{.*}} -> tensor<49x257x2xf32>
// CHECK: brisk.dft {{.*}} -> tensor<49x129x2xf32>
func.func @dft(%x: tensor<49x512x1xf32>) {
  %0 = brisk.dft %x : (tensor<49x512x1xf32>) -> tensor<49x512x2xf32>
  %1 = brisk.dft %x {axis = 1, onesided} : (tensor<49x512x1xf32>) -> tensor<49x257x2xf32>
  %2 = brisk.dft %x {onesided, length = 256} : (tensor<49x512x1xf32>) -> tensor<49x129x2xf32>
  return
}

// CHECK-LABEL: func.func @inverse(
// CHECK: brisk.dft {{.*}} -> tensor<512x49x2xf64>
// CHECK: brisk.dft {{.*}} -> tensor<1022x49x1xf64>
func.func @inverse(%x: tensor<512x49x2xf64>) {
  %0 = brisk.dft %x {axis = 0, inverse} : (tensor<512x49x2xf64>) -> tensor<512x49x2xf64>
  %1 = brisk.dft %x {axis = 0, inverse, onesided} : (tensor<512x49x2xf64>) -> tensor<1022x49x1xf64>
  return
}
