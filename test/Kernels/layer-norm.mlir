// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// CHECK-LABEL: func @rows
// CHECK: brisk.group schedule #brisk.layer_norm<rows = 5>
// The mean, then the squares of what differs from it, each in four sums that are added at the end; then the row.
// CODE-LABEL: func.func private @rows_kernel_0_layer_norm
// CODE: scf.for {{.*}} iter_args(
// CODE-COUNT-4: vector.load
// CODE-NOT: vector.load
// CODE: vector.shuffle
// CODE: %[[MEAN:.*]] = arith.divf {{.*}} : f32
// CODE: scf.for {{.*}} iter_args(
// CODE: vector.broadcast %[[MEAN]]
// CODE: arith.subf
// CODE: arith.mulf
// CODE: math.sqrt {{.*}} : f32
// CODE: scf.for
// CODE: vector.broadcast %[[MEAN]]
// CODE: arith.mulf
// CODE: vector.store
// SCALAR-LABEL: func.func private @rows_kernel_0_layer_norm
// SCALAR-NOT: vector.
// SCALAR: math.sqrt
// SCALAR: memref.store
func.func @rows(%x: tensor<128x768xf32>, %o: tensor<128x768xf32>) -> tensor<128x768xf32> {
  %r = brisk.group ins(%x : tensor<128x768xf32>) outs(%o : tensor<128x768xf32>) -> tensor<128x768xf32> {
  ^bb0(%a: tensor<128x768xf32>):
    %0 = brisk.layer_norm %a {axis = -1 : i64} : (tensor<128x768xf32>) -> tensor<128x768xf32>
    brisk.yield %0 : tensor<128x768xf32>
  }
  return %r : tensor<128x768xf32>
}
