// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR
// RUN: brisk-opt %s -split-input-file --set-target=aarch64 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=TAIL

// CHECK-LABEL: func @rows
// CHECK: brisk.group schedule #brisk.layer_norm<rows = 2>
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

// -----

// Several dimensions row by row, with a scale that is broadcast.
// CHECK-LABEL: func @parts
// CHECK: brisk.group schedule #brisk.layer_norm<rows = 68>
// CODE-LABEL: func.func private @parts_kernel_0_layer_norm
// CODE: scf.for {{.*}} iter_args(
// CODE: arith.mulf {{.*}} : vector<8xf64>
// CODE: math.sqrt {{.*}} : f64
// CODE: scf.for
// CODE: arith.mulf {{.*}} : vector<8xf64>
// CODE: vector.maskedstore
func.func @parts(%x: tensor<2x3x20xf64>, %s: tensor<1x20xf64>, %o: tensor<2x3x20xf64>) -> tensor<2x3x20xf64> {
  %r = brisk.group ins(%x, %s : tensor<2x3x20xf64>, tensor<1x20xf64>) outs(%o : tensor<2x3x20xf64>) -> tensor<2x3x20xf64> {
  ^bb0(%a: tensor<2x3x20xf64>, %b: tensor<1x20xf64>):
    %0 = brisk.rms_norm %a, %b {axis = 1 : i64} : (tensor<2x3x20xf64>, tensor<1x20xf64>) -> tensor<2x3x20xf64>
    brisk.yield %0 : tensor<2x3x20xf64>
  }
  return %r : tensor<2x3x20xf64>
}

// -----

// Without masks, no column is written twice, since the result may take the operand's place: the last of 21 is one by itself.
// TAIL-LABEL: func.func private @tail_kernel_0_layer_norm
// TAIL: math.sqrt
// TAIL: vector.store {{.*}} vector<4xf32>
// TAIL-NOT: vector.store
// TAIL: memref.store
// TAIL-NOT: vector.store
// TAIL: return
func.func @tail(%x: tensor<3x21xf32>, %o: tensor<3x21xf32>) -> tensor<3x21xf32> {
  %r = brisk.group ins(%x : tensor<3x21xf32>) outs(%o : tensor<3x21xf32>) -> tensor<3x21xf32> {
  ^bb0(%a: tensor<3x21xf32>):
    %0 = brisk.layer_norm %a {axis = -1 : i64} : (tensor<3x21xf32>) -> tensor<3x21xf32>
    brisk.yield %0 : tensor<3x21xf32>
  }
  return %r : tensor<3x21xf32>
}
