// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// CHECK-LABEL: func @max
// CHECK: brisk.group schedule #brisk.pool<pixels = 8>
// Eight pixels begin with the least number there is; padding is not read.
// CODE-LABEL: func.func private @max_kernel_0_pool
// CODE: arith.constant 0xFF800000 : f32
// CODE: scf.for {{.*}} iter_args(
// CODE-COUNT-22: arith.maximumf {{.*}} : vector<16xf32>
// CODE-NOT: arith.maximumf
// CODE: scf.yield
// CODE-COUNT-8: vector.store {{.*}} vector<16xf32>
// SCALAR-LABEL: func.func private @max_kernel_0_pool
// SCALAR-NOT: vector.
// SCALAR: arith.maximumf {{.*}} : f32
func.func @max(%x: tensor<1x8x8x16xf32>, %o: tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  %r = brisk.group ins(%x : tensor<1x8x8x16xf32>) outs(%o : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>):
    %0 = brisk.max_pool %a {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
    brisk.yield %0 : tensor<1x8x8x16xf32>
  }
  return %r : tensor<1x8x8x16xf32>
}
