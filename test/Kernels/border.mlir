// RUN: brisk-opt %s --set-target=x86-64-v4 -outline-kernels | FileCheck %s

// Rows above and below as one run each, then what is left and right.
// CHECK-LABEL: func.func private @padded_kernel_0_border
// CHECK: %[[V:.*]] = arith.constant 1.500000e+00 : f32
// CHECK: vector.broadcast %[[V]] : f32 to vector<16xf32>
// CHECK: vector.store
// CHECK: memref.store %[[V]]
func.func @padded(%y: memref<1x6x6x4xf32>) {
  brisk.group schedule #brisk.border outs(%y : memref<1x6x6x4xf32>) {
    %0 = brisk.border 1.5 : f32 low [0, 1, 1, 0] high [0, 1, 1, 0] -> tensor<1x6x6x4xf32>
    brisk.yield %0 : tensor<1x6x6x4xf32>
  }
  return
}
