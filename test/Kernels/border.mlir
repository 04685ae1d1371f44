// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -outline-kernels | FileCheck %s

// A row is a task: those above and below are one run each, of the others only
// what is left and right is written. So few bytes are worth no second worker,
// and the border alone counts as traffic.
// CHECK: type = "border", kernel = "border", flops = 0, bytes = 320
// CHECK: brisk.launch @padded_kernel_0_border({{.*}}) tasks 6 workers 1
// CHECK-LABEL: func.func private @padded_kernel_0_border
// CHECK: %[[V:.*]] = arith.constant 1.500000e+00 : f32
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: %[[FROM_FIRST:.*]] = arith.addi %[[ROW]], %c-1
// CHECK: %[[IS_INSIDE:.*]] = arith.cmpi ult, %[[FROM_FIRST]], %c4
// CHECK: scf.if %[[IS_INSIDE]]
// CHECK-COUNT-2: memref.store %[[V]]
// CHECK: } else {
// CHECK: vector.broadcast %[[V]] : f32 to vector<16xf32>
// CHECK: vector.store
func.func @padded(%y: memref<1x6x6x4xf32>) {
  brisk.group schedule #brisk.border outs(%y : memref<1x6x6x4xf32>) {
    %0 = brisk.border 1.5 : f32 low [0, 1, 1, 0] high [0, 1, 1, 0] -> tensor<1x6x6x4xf32>
    brisk.yield %0 : tensor<1x6x6x4xf32>
  }
  return
}

// -----

// A border of the innermost dimension alone: still a row of the others a task.
// CHECK: brisk.launch @columns_kernel_0_border({{.*}}) tasks 120 workers 1
// CHECK-LABEL: func.func private @columns_kernel_0_border
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: memref.store
func.func @columns(%y: memref<3x40x8xf32>) {
  brisk.group schedule #brisk.border outs(%y : memref<3x40x8xf32>) {
    %0 = brisk.border 1.5 : f32 low [0, 0, 2] high [0, 0, 0] -> tensor<3x40x8xf32>
    brisk.yield %0 : tensor<3x40x8xf32>
  }
  return
}
