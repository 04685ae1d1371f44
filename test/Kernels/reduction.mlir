// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// CHECK-LABEL: func @spatial_mean
// CHECK: brisk.group schedule #brisk.reduction<chunk = 128>
// 128 channels, carried over all pixels, and divided at the end.
// CODE-LABEL: func.func private @spatial_mean_kernel_0_reduction
// CODE: scf.for {{.*}} iter_args(
// CODE-COUNT-8: arith.addf {{.*}} : vector<16xf32>
// CODE-NOT: arith.addf
// CODE: scf.yield
// CODE-COUNT-8: arith.divf {{.*}} : vector<16xf32>
// SCALAR-LABEL: func.func private @spatial_mean_kernel_0_reduction
// SCALAR-NOT: vector.
// SCALAR: arith.addf {{.*}} : f32
// SCALAR: arith.divf {{.*}} : f32
func.func @spatial_mean(%x: tensor<1x7x7x256xf32>, %o: tensor<1x256xf32>) -> tensor<1x256xf32> {
  %r = brisk.group ins(%x : tensor<1x7x7x256xf32>) outs(%o : tensor<1x256xf32>) -> tensor<1x256xf32> {
  ^bb0(%a: tensor<1x7x7x256xf32>):
    %axes = brisk.constant dense<[1, 2]> : tensor<2xi64>
    %0 = brisk.reduce mean %a, %axes : (tensor<1x7x7x256xf32>, tensor<2xi64>) -> tensor<1x256xf32>
    brisk.yield %0 : tensor<1x256xf32>
  }
  return %r : tensor<1x256xf32>
}
