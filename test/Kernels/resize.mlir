// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// CHECK-LABEL: func @nearest
// CHECK: brisk.group schedule #brisk.resize<rows = 512>
// Which row and column a pixel comes from is read from tables; its channels are copied.
// CODE: memref.global {{.*}} memref<8xi32> = dense<[0, 0, 1, 1, 2, 2, 3, 3]>
// CODE-LABEL: func.func private @nearest_kernel_0_resize
// CODE: memref.load {{.*}} memref<8xi32>
// CODE: memref.load {{.*}} memref<8xi32>
// CODE: %[[V:.*]] = vector.load {{.*}} vector<16xf32>
// CODE: vector.store %[[V]], {{.*}} vector<16xf32>
// SCALAR-LABEL: func.func private @nearest_kernel_0_resize
// SCALAR-NOT: vector.
// SCALAR: memref.load {{.*}} memref<8xi32>
// SCALAR: memref.store {{.*}} memref<64x16xf32
func.func @nearest(%x: tensor<1x4x4x16xf32>, %o: tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  %r = brisk.group ins(%x : tensor<1x4x4x16xf32>) outs(%o : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  ^bb0(%a: tensor<1x4x4x16xf32>):
    %s = brisk.constant dense<[1.0, 2.0, 2.0, 1.0]> : tensor<4xf32>
    %0 = brisk.resize %a scales %s {coordinate_transformation_mode = #brisk<coordinate_mode asymmetric>, nearest_mode = #brisk<nearest_mode floor>} : (tensor<1x4x4x16xf32>, tensor<4xf32>) -> tensor<1x8x8x16xf32>
    brisk.yield %0 : tensor<1x8x8x16xf32>
  }
  return %r : tensor<1x8x8x16xf32>
}
