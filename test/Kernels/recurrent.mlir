// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels --split-input-file | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// The weights are packed, blocks of units first: 16, then the other 4. Two
// sequences may have different lengths.
// CHECK-LABEL: func @packed
// CHECK: brisk.group schedule #brisk.recurrent
// CHECK-SAME: tensor<5x2x80xf32>, tensor<1600xf32>, tensor<2xi32>
// CHECK: brisk.unpack %{{.*}} <shape = [1, 4, 20, 20], axes = {{\[\[}}0], [2] by [16, 4], [3], [1]]> : tensor<1600xf32> -> tensor<1x80x20xf32>
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

// Every function runs on vectors.
// CHECK-LABEL: func @softsign
// CHECK: brisk.group schedule #brisk.recurrent
// CODE-LABEL: func.func private @softsign_kernel_0_recurrent
// CODE: math.absf {{.*}} : vector<8xf32>
// CODE: arith.divf {{.*}} : vector<8xf32>
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

// -----

// Weights that are inputs are read as they lie, unit by unit; states are rounded to f16 in the results, sums are not. The
// arguments of gates are clipped, the cell state is not; the forget gate is what the input gate leaves.
// CHECK-LABEL: func @inputs
// CHECK: brisk.group schedule #brisk.recurrent
// CHECK-NOT: brisk.unpack
// CODE-LABEL: func.func private @inputs_kernel_0_recurrent
// CODE-NOT: vector.
// CODE: scf.for
// CODE: scf.for
// CODE: arith.extf {{.*}} : f16 to f32
// CODE: arith.addf {{.*}} : f32
// CODE: arith.minimumf
// CODE: arith.maximumf
// CODE: math.exp {{.*}} : f32
// CODE: arith.subf
// CODE: math.tanh {{.*}} : f32
// CODE: arith.truncf {{.*}} : f32 to f16
// CODE: math.tanh {{.*}} : f32
func.func @inputs(%x: tensor<2x5x4xf16>, %w: tensor<1x32x4xf16>, %r: tensor<1x32x8xf16>, %p: tensor<1x24xf16>, %y: tensor<2x5x1x8xf16>, %h: tensor<2x1x8xf16>, %c: tensor<2x1x8xf16>) -> tensor<2x5x1x8xf16> {
  %0:3 = brisk.group ins(%x, %w, %r, %p : tensor<2x5x4xf16>, tensor<1x32x4xf16>, tensor<1x32x8xf16>, tensor<1x24xf16>)
      outs(%y, %h, %c : tensor<2x5x1x8xf16>, tensor<2x1x8xf16>, tensor<2x1x8xf16>) -> tensor<2x5x1x8xf16>, tensor<2x1x8xf16>, tensor<2x1x8xf16> {
  ^bb0(%a: tensor<2x5x4xf16>, %d: tensor<1x32x4xf16>, %g: tensor<1x32x8xf16>, %q: tensor<1x24xf16>):
    %1, %2, %3 = brisk.lstm %a w %d r %g p %q {hidden_size = 8 : i64, layout = 1 : i64, clip = 3.0 : f32, input_forget} : (tensor<2x5x4xf16>, tensor<1x32x4xf16>, tensor<1x32x8xf16>, tensor<1x24xf16>) -> (tensor<2x5x1x8xf16>, tensor<2x1x8xf16>, tensor<2x1x8xf16>)
    brisk.yield %1, %2, %3 : tensor<2x5x1x8xf16>, tensor<2x1x8xf16>, tensor<2x1x8xf16>
  }
  return %0#0 : tensor<2x5x1x8xf16>
}

// -----

// Directions with functions of their own have code of their own.
// CHECK-LABEL: func @directions
// CODE-LABEL: func.func private @directions_kernel_0_recurrent
// CODE: scf.if
// CODE: math.tanh {{.*}} : vector<8xf32>
// CODE: } else {
// CODE-NOT: math.tanh
// CODE: arith.maximumf {{.*}} : vector<8xf32>
func.func @directions(%x: tensor<5x2x16xf32>, %y: tensor<5x2x2x8xf32>, %h: tensor<2x2x8xf32>) -> tensor<5x2x2x8xf32> {
  %r = brisk.constant dense<0.25> : tensor<2x8x8xf32>
  %0:2 = brisk.group ins(%x, %r : tensor<5x2x16xf32>, tensor<2x8x8xf32>)
      outs(%y, %h : tensor<5x2x2x8xf32>, tensor<2x2x8xf32>) -> tensor<5x2x2x8xf32>, tensor<2x2x8xf32> {
  ^bb0(%a: tensor<5x2x16xf32>, %g: tensor<2x8x8xf32>):
    %1, %2 = brisk.rnn %a r %g {hidden_size = 8 : i64, direction = #brisk<recurrent_direction bidirectional>, activations = [#brisk<recurrent_activation tanh>, #brisk<recurrent_activation relu>]} : (tensor<5x2x16xf32>, tensor<2x8x8xf32>) -> (tensor<5x2x2x8xf32>, tensor<2x2x8xf32>)
    brisk.yield %1, %2 : tensor<5x2x2x8xf32>, tensor<2x2x8xf32>
  }
  return %0#0 : tensor<5x2x2x8xf32>
}

// -----

// Bytes are multiplied by a state that is quantized at each step, for the columns of all gates at once: five vectors, four
// rows of which lie side by side. The sums, less what the zero point adds, are scaled and kept; then the gates follow.
// CHECK-LABEL: func @bytes
// CHECK: brisk.group schedule #brisk.recurrent
// CHECK-SAME: tensor<1600xi8>, tensor<80xf32>, tensor<80xi32>
// CHECK-DAG: brisk.unpack %{{.*}} <shape = [20, 1, 80], axes = {{\[\[}}1], [2] by [80], [0] by [4]]> : tensor<1600xi8> -> tensor<20x80xi8>
// CHECK-DAG: brisk.unpack %{{.*}} <shape = [1, 1, 80], axes = {{\[\[}}1], [2] by [80], [0]]> : tensor<80xf32> -> tensor<1x80xf32>
// CODE-LABEL: func.func private @bytes_kernel_0_recurrent
// CODE: arith.minimumf
// CODE: arith.maximumf
// CODE: arith.divf {{.*}} : vector<16xf32>
// CODE: scf.for
// CODE: llvm.call_intrinsic
// CODE: arith.sitofp {{.*}} : vector<16xi32> to vector<16xf32>
// CODE: math.exp {{.*}} : vector<16xf32>
// SCALAR-LABEL: func.func private @bytes_kernel_0_recurrent
// SCALAR-NOT: vector<
// SCALAR: arith.divf {{.*}} : f32
// SCALAR: arith.sitofp {{.*}} : i32 to f32
func.func @bytes(%x: tensor<5x2x80xf32>, %y: tensor<5x1x2x20xf32>, %h: tensor<1x2x20xf32>, %c: tensor<1x2x20xf32>) -> tensor<5x1x2x20xf32> {
  %r = brisk.constant dense<1> : tensor<20x80xi8>
  %s = brisk.constant dense<0.5> : tensor<1x80xf32>
  %t = brisk.constant dense<20> : tensor<80xi32>
  %0:3 = brisk.group ins(%x, %r, %s, %t : tensor<5x2x80xf32>, tensor<20x80xi8>, tensor<1x80xf32>, tensor<80xi32>)
      outs(%y, %h, %c : tensor<5x1x2x20xf32>, tensor<1x2x20xf32>, tensor<1x2x20xf32>) -> tensor<5x1x2x20xf32>, tensor<1x2x20xf32>, tensor<1x2x20xf32> {
  ^bb0(%a: tensor<5x2x80xf32>, %g: tensor<20x80xi8>, %p: tensor<1x80xf32>, %q: tensor<80xi32>):
    %1, %2, %3 = brisk.lstm %a r %g scale %p sums %q {hidden_size = 20 : i64, r_bits = 8 : i64, r_block = 20 : i64, quantizes_states} : (tensor<5x2x80xf32>, tensor<20x80xi8>, tensor<1x80xf32>, tensor<80xi32>) -> (tensor<5x1x2x20xf32>, tensor<1x2x20xf32>, tensor<1x2x20xf32>)
    brisk.yield %1, %2, %3 : tensor<5x1x2x20xf32>, tensor<1x2x20xf32>, tensor<1x2x20xf32>
  }
  return %0#0 : tensor<5x1x2x20xf32>
}

// -----

// Four bits, in blocks of four states, become floats in registers; those of the hidden gate meet another state.
// CHECK-LABEL: func @bits
// CHECK-DAG: brisk.unpack %{{.*}} <shape = [4, 1, 24], axes = {{\[\[}}1], [2] by [32], [0]]> : tensor<128xi8> -> tensor<4x24xi8>
// CHECK-DAG: brisk.unpack %{{.*}} <shape = [2, 1, 24], axes = {{\[\[}}1], [2] by [32], [0]]> : tensor<64xf32> -> tensor<2x24xf32>
// CODE-LABEL: func.func private @bits_kernel_0_recurrent
// CODE: scf.for
// CODE: arith.shrsi {{.*}} : vector<16xi32>
// CODE: math.fma {{.*}} : vector<16xf32>
// CODE: math.exp
// CODE: arith.shrsi {{.*}} : vector<16xi32>
// CODE: math.tanh
func.func @bits(%x: tensor<5x2x24xf32>, %y: tensor<5x1x2x8xf32>, %h: tensor<1x2x8xf32>) -> tensor<5x1x2x8xf32> {
  %r = brisk.constant dense<17> : tensor<4x24xi8>
  %s = brisk.constant dense<0.5> : tensor<2x24xf32>
  %0:2 = brisk.group ins(%x, %r, %s : tensor<5x2x24xf32>, tensor<4x24xi8>, tensor<2x24xf32>)
      outs(%y, %h : tensor<5x1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<5x1x2x8xf32>, tensor<1x2x8xf32> {
  ^bb0(%a: tensor<5x2x24xf32>, %g: tensor<4x24xi8>, %p: tensor<2x24xf32>):
    %1, %2 = brisk.gru %a r %g scale %p {hidden_size = 8 : i64, r_bits = 4 : i64, r_block = 4 : i64} : (tensor<5x2x24xf32>, tensor<4x24xi8>, tensor<2x24xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
    brisk.yield %1, %2 : tensor<5x1x2x8xf32>, tensor<1x2x8xf32>
  }
  return %0#0 : tensor<5x1x2x8xf32>
}
