// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels --split-input-file | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// The weights are packed, blocks of units first: 16, then the other 4. Two
// sequences may have different lengths.
// CHECK-LABEL: func @packed
// CHECK: brisk.group schedule #brisk.recurrent
// CHECK-SAME: tensor<5x2x80xf32>, tensor<1600xf32>, tensor<2xi32>
// CHECK: brisk.unpack %{{.*}} <shape = [1, 4, 20, 20], axes = {{\[\[}}0], [2] by[16, 4], [3], [1]]> : tensor<1600xf32> -> tensor<1x80x20xf32>
// A sequence is a task, and as long as it is said to be. The gates of 16 units are computed at once, in two sums each;
// those of the other 4 under a mask.
// CODE-LABEL: func.func private @packed_kernel_0_recurrent
// CODE: arith.maxsi {{.*}} : i32
// CODE: arith.minsi {{.*}} : i32
// CODE: scf.for
// CODE: scf.for {{.*}} iter_args(
// CODE-COUNT-8: math.fma {{.*}} : vector<16xf32>
// CODE-NOT: math.fma
// CODE: scf.yield
// CODE: math.exp {{.*}} : vector<16xf32>
// CODE: math.tanh {{.*}} : vector<16xf32>
// CODE: vector.constant_mask [4] : vector<16xi1>
// CODE: vector.maskedload
// CODE: math.fma
// SCALAR-LABEL: func.func private @packed_kernel_0_recurrent
// SCALAR-NOT: vector.
// SCALAR: math.fma {{.*}} : f32
// SCALAR: math.tanh {{.*}} : f32
func.func @packed(%x: tensor<5x2x80xf32>, %lens: tensor<2xi32>, %y: tensor<5x1x2x20xf32>, %h: tensor<1x2x20xf32>, %c: tensor<1x2x20xf32>) -> tensor<5x1x2x20xf32> {
  %r = brisk.constant dense<0.25> : tensor<1x80x20xf32>
  %0:3 = brisk.group ins(%x, %r, %lens : tensor<5x2x80xf32>, tensor<1x80x20xf32>, tensor<2xi32>)
      outs(%y, %h, %c : tensor<5x1x2x20xf32>, tensor<1x2x20xf32>, tensor<1x2x20xf32>) -> tensor<5x1x2x20xf32>, tensor<1x2x20xf32>, tensor<1x2x20xf32> {
  ^bb0(%a: tensor<5x2x80xf32>, %g: tensor<1x80x20xf32>, %l: tensor<2xi32>):
    %1, %2, %3 = brisk.lstm %a r %g lens %l {hidden_size = 20 : i64} : (tensor<5x2x80xf32>, tensor<1x80x20xf32>, tensor<2xi32>) -> (tensor<5x1x2x20xf32>, tensor<1x2x20xf32>, tensor<1x2x20xf32>)
    brisk.yield %1, %2, %3 : tensor<5x1x2x20xf32>, tensor<1x2x20xf32>, tensor<1x2x20xf32>
  }
  return %0#0 : tensor<5x1x2x20xf32>
}

// -----

// CHECK-LABEL: func @gru
// CHECK: brisk.group schedule #brisk.recurrent
func.func @gru(%x: tensor<5x2x24xf32>, %y: tensor<5x1x2x8xf32>, %h: tensor<1x2x8xf32>) -> tensor<5x1x2x8xf32> {
  %r = brisk.constant dense<0.25> : tensor<1x24x8xf32>
  %0:2 = brisk.group ins(%x, %r : tensor<5x2x24xf32>, tensor<1x24x8xf32>)
      outs(%y, %h : tensor<5x1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<5x1x2x8xf32>, tensor<1x2x8xf32> {
  ^bb0(%a: tensor<5x2x24xf32>, %g: tensor<1x24x8xf32>):
    %1, %2 = brisk.gru %a r %g {hidden_size = 8 : i64} : (tensor<5x2x24xf32>, tensor<1x24x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
    brisk.yield %1, %2 : tensor<5x1x2x8xf32>, tensor<1x2x8xf32>
  }
  return %0#0 : tensor<5x1x2x8xf32>
}

// -----

// Not on vectors.
// CHECK-LABEL: func @softsign
// CHECK: brisk.group schedule #brisk.loops
func.func @softsign(%x: tensor<5x2x8xf32>, %y: tensor<5x1x2x8xf32>, %h: tensor<1x2x8xf32>) -> tensor<5x1x2x8xf32> {
  %r = brisk.constant dense<0.25> : tensor<1x8x8xf32>
  %0:2 = brisk.group ins(%x, %r : tensor<5x2x8xf32>, tensor<1x8x8xf32>)
      outs(%y, %h : tensor<5x1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<5x1x2x8xf32>, tensor<1x2x8xf32> {
  ^bb0(%a: tensor<5x2x8xf32>, %g: tensor<1x8x8xf32>):
    %1, %2 = brisk.rnn %a r %g {hidden_size = 8 : i64, activations = [#brisk<recurrent_activation softsign>]} : (tensor<5x2x8xf32>, tensor<1x8x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
    brisk.yield %1, %2 : tensor<5x1x2x8xf32>, tensor<1x2x8xf32>
  }
  return %0#0 : tensor<5x1x2x8xf32>
}
