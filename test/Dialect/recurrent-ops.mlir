// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @lstm(
// CHECK: brisk.lstm {{.*}} -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)
func.func @lstm(%x: tensor<5x2x4xf32>, %w: tensor<1x32x4xf32>, %r: tensor<1x32x8xf32>, %b: tensor<1x64xf32>) {
  %y, %h, %c = brisk.lstm %x w %w r %r b %b {hidden_size = 8}
      : (tensor<5x2x4xf32>, tensor<1x32x4xf32>, tensor<1x32x8xf32>, tensor<1x64xf32>)
      -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// CHECK-LABEL: func.func @gru(
// CHECK: brisk.gru {{.*}} -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
func.func @gru(%x: tensor<5x2x4xf32>, %w: tensor<1x24x4xf32>, %r: tensor<1x24x8xf32>) {
  %y, %h = brisk.gru %x w %w r %r {hidden_size = 8, linear_before_reset}
      : (tensor<5x2x4xf32>, tensor<1x24x4xf32>, tensor<1x24x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// CHECK-LABEL: func.func @rnn(
// CHECK: brisk.rnn {{.*}} -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
func.func @rnn(%x: tensor<5x2x4xf32>, %w: tensor<1x8x4xf32>, %r: tensor<1x8x8xf32>) {
  %y, %h = brisk.rnn %x w %w r %r {hidden_size = 8}
      : (tensor<5x2x4xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// CHECK-LABEL: func.func @lstm_whole(
// CHECK: brisk.lstm {{.*}} -> (tensor<2x5x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
func.func @lstm_whole(%x: tensor<2x5x4xf32>, %w: tensor<2x32x4xf32>, %r: tensor<2x32x8xf32>, %b: tensor<2x64xf32>, %lens: tensor<2xi32>, %s: tensor<2x2x8xf32>, %p: tensor<2x24xf32>) {
  %y, %h, %c = brisk.lstm %x w %w r %r b %b lens %lens h %s c %s p %p {hidden_size = 8 : i64, layout = 1 : i64, direction = #brisk<recurrent_direction bidirectional>, clip = 3.0 : f32, input_forget}
      : (tensor<2x5x4xf32>, tensor<2x32x4xf32>, tensor<2x32x8xf32>, tensor<2x64xf32>, tensor<2xi32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>, tensor<2x24xf32>)
      -> (tensor<2x5x2x8xf32>, tensor<2x2x8xf32>, tensor<2x2x8xf32>)
  return
}

// CHECK-LABEL: func.func @rnn_activation(
// CHECK: brisk.rnn {{.*}} -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
func.func @rnn_activation(%x: tensor<5x2x4xf32>, %w: tensor<1x8x4xf32>, %r: tensor<1x8x8xf32>) {
  %y, %h = brisk.rnn %x w %w r %r {hidden_size = 8 : i64, activations = [#brisk<recurrent_activation leaky_relu>], activation_alpha = array<f32: 0.5>}
      : (tensor<5x2x4xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// CHECK-LABEL: func.func @products(
// CHECK: brisk.gru %{{.*}} r %{{.*}} -> (tensor<5x2x2x8xf32>, tensor<2x2x8xf32>)
func.func @products(%x: tensor<5x2x48xf32>, %r: tensor<2x24x8xf32>) {
  %y, %h = brisk.gru %x r %r {hidden_size = 8 : i64, direction = #brisk<recurrent_direction bidirectional>}
      : (tensor<5x2x48xf32>, tensor<2x24x8xf32>) -> (tensor<5x2x2x8xf32>, tensor<2x2x8xf32>)
  return
}

// CHECK-LABEL: func.func @integers(
// CHECK: brisk.lstm %{{.*}} r %{{.*}} scale %{{.*}} zero %{{.*}} sums %{{.*}} {hidden_size = 8 : i64, quantizes_states, r_bits = 8 : i64, r_block = 8 : i64}
// CHECK: brisk.gru %{{.*}} r %{{.*}} scale %{{.*}} {hidden_size = 8 : i64, r_bits = 4 : i64, r_block = 4 : i64}
func.func @integers(%x: tensor<5x2x32xf32>, %r: tensor<8x32xi8>, %s: tensor<1x32xf32>, %z: tensor<1x32xi8>, %sums: tensor<32xi32>, %u: tensor<5x2x24xf32>, %v: tensor<4x24xui8>, %t: tensor<2x24xf32>) {
  %y, %h, %c = brisk.lstm %x r %r scale %s zero %z sums %sums {hidden_size = 8 : i64, r_bits = 8 : i64, r_block = 8 : i64, quantizes_states}
      : (tensor<5x2x32xf32>, tensor<8x32xi8>, tensor<1x32xf32>, tensor<1x32xi8>, tensor<32xi32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)
  %0, %1 = brisk.gru %u r %v scale %t {hidden_size = 8 : i64, r_bits = 4 : i64, r_block = 4 : i64}
      : (tensor<5x2x24xf32>, tensor<4x24xui8>, tensor<2x24xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}
