// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -outline-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -outline-kernels | FileCheck %s --check-prefix=SCALAR

// Whole vectors, then the rest of the row under a mask.
// CHECK-LABEL: func.func private @rows_kernel_0_elementwise
// CHECK: scf.for
// CHECK: vector.load {{.*}} vector<16xf32>
// CHECK: vector.store {{.*}} vector<16xf32>
// CHECK: vector.constant_mask [4] : vector<16xi1>
// CHECK: vector.maskedstore
// SCALAR-LABEL: func.func private @rows_kernel_0_elementwise
// SCALAR-NOT: vector.
// SCALAR: memref.load
// SCALAR: memref.store
func.func @rows(%x: memref<3x20xf32>, %b: memref<20xf32>, %y: memref<3x20xf32>) {
  brisk.group schedule #brisk.elementwise<chunk = 8192>
      ins(%x, %b : memref<3x20xf32>, memref<20xf32>) outs(%y : memref<3x20xf32>) {
  ^bb0(%0: tensor<3x20xf32>, %1: tensor<20xf32>):
    %2 = brisk.add %0, %1 : (tensor<3x20xf32>, tensor<20xf32>) -> tensor<3x20xf32>
    brisk.yield %2 : tensor<3x20xf32>
  }
  return
}

// -----

// One result may take the place of an input that the other one reads: loads
// come before stores.
// CHECK-LABEL: func.func private @two_results_kernel_0_elementwise
// CHECK: vector.load
// CHECK: vector.load
// CHECK-NOT: vector.load
// CHECK: vector.store
// CHECK: vector.store
func.func @two_results(%x: memref<16xf32>, %z: memref<16xf32>, %y: memref<16xf32>) {
  brisk.group schedule #brisk.elementwise<chunk = 8192>
      ins(%x, %z : memref<16xf32>, memref<16xf32>) outs(%z, %y : memref<16xf32>, memref<16xf32>) {
  ^bb0(%0: tensor<16xf32>, %1: tensor<16xf32>):
    %2 = brisk.neg %0 : (tensor<16xf32>) -> tensor<16xf32>
    %3 = brisk.abs %1 : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %2, %3 : tensor<16xf32>, tensor<16xf32>
  }
  return
}

// -----

// Booleans lie in memory as bytes.
// CHECK-LABEL: func.func private @booleans_kernel_0_elementwise
// CHECK-SAME: memref<16xi8>
// CHECK: arith.cmpi ne
// CHECK: arith.extui
func.func @booleans(%x: memref<16xi1>, %y: memref<16xi1>) {
  brisk.group schedule #brisk.elementwise<chunk = 8192>
      ins(%x : memref<16xi1>) outs(%y : memref<16xi1>) {
  ^bb0(%0: tensor<16xi1>):
    %1 = brisk.logical_not %0 : (tensor<16xi1>) -> tensor<16xi1>
    brisk.yield %1 : tensor<16xi1>
  }
  return
}
