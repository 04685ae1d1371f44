// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<5x2x4xf32>, %w: tensor<1x8x4xf32>, %r: tensor<1x8x8xf32>) {
  // expected-error@+2 {{w has type 'tensor<1x8x4xf32>', expected 'tensor<1x4x4xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x w %w r %r {hidden_size = 4 : i64} : (tensor<5x2x4xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x4xf32>, %w: tensor<1x8x4xf32>, %r: tensor<1x8x8xf32>) {
  // expected-error@+1 {{'brisk.rnn' op activations has 2 entries, expected 1}}
  %1:2 = brisk.rnn %x w %w r %r {hidden_size = 8 : i64, activations = [#brisk<recurrent_activation tanh>, #brisk<recurrent_activation relu>]} : (tensor<5x2x4xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x4xf32>, %w: tensor<1x8x4xf32>, %r: tensor<1x8x8xf32>) {
  // expected-error@+1 {{'brisk.rnn' op activation_alpha has 2 entries, expected 1}}
  %1:2 = brisk.rnn %x w %w r %r {hidden_size = 8 : i64, activation_alpha = array<f32: 1.0, 2.0>} : (tensor<5x2x4xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x4xf32>, %w: tensor<1x8x4xf32>, %r: tensor<1x8x8xf32>) {
  // expected-error@+2 {{x has 2 dimensions, expected 3}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x w %w r %r {hidden_size = 8 : i64} : (tensor<5x4xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x4xf32>, %w: tensor<1x8x4xf32>, %r: tensor<1x8x8xf16>) {
  // expected-error@+2 {{r has elements of type 'f16' and x of type 'f32'}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x w %w r %r {hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf16>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x4xf32>, %r: tensor<1x8x8xf32>) {
  // expected-error@+2 {{x has 4 columns and there is no w, expected 8}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x r %r {hidden_size = 8 : i64} : (tensor<5x2x4xf32>, tensor<1x8x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x4xf32>, %w: tensor<1x8x4xf32>, %r: tensor<1x8x8xf32>) {
  // expected-error@+2 {{hidden_size 4611686018427387904 is too large}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x w %w r %r {hidden_size = 4611686018427387904 : i64} : (tensor<5x2x4xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x4xf32>, %w: tensor<1x32x4xf32>, %r: tensor<1x32x8xf32>) {
  // expected-error@+1 {{'brisk.lstm' op activations has 1 entries, expected 3}}
  %1:3 = brisk.lstm %x w %w r %r {hidden_size = 8 : i64, activations = [#brisk<recurrent_activation tanh>]} : (tensor<5x2x4xf32>, tensor<1x32x4xf32>, tensor<1x32x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x4xf32>, %w: tensor<1x24x4xf32>, %r: tensor<1x24x8xf32>) {
  // expected-error@+1 {{'brisk.gru' op activation_beta has 3 entries, expected 2}}
  %1:2 = brisk.gru %x w %w r %r {hidden_size = 8 : i64, activation_beta = array<f32: 1.0, 2.0, 3.0>} : (tensor<5x2x4xf32>, tensor<1x24x4xf32>, tensor<1x24x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x8xf32>, %r: tensor<8x8xi8>, %s: tensor<1x8xf32>, %q: tensor<8xi32>) {
  // expected-error@+2 {{r has elements of type 'i8' but no r_scale}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x r %r {hidden_size = 8 : i64} : (tensor<5x2x8xf32>, tensor<8x8xi8>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x8xf32>, %r: tensor<1x8x8xf32>, %s: tensor<1x8xf32>, %q: tensor<8xi32>) {
  // expected-error@+2 {{r has elements of type 'f32' and r_scale}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x r %r scale %s {hidden_size = 8 : i64, r_bits = 8 : i64, r_block = 8 : i64} : (tensor<5x2x8xf32>, tensor<1x8x8xf32>, tensor<1x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x8xf16>, %r: tensor<8x8xi8>, %s: tensor<1x8xf32>, %q: tensor<8xi32>) {
  // expected-error@+2 {{r is integers, for which x must be of f32 and hold the products}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x r %r scale %s {hidden_size = 8 : i64, r_bits = 8 : i64, r_block = 8 : i64} : (tensor<5x2x8xf16>, tensor<8x8xi8>, tensor<1x8xf32>) -> (tensor<5x1x2x8xf16>, tensor<1x2x8xf16>)
  return
}

// -----

func.func @f(%x: tensor<5x2x8xf32>, %r: tensor<8x8xi8>, %s: tensor<1x8xf32>, %q: tensor<8xi32>) {
  // expected-error@+2 {{r_bits is 3, expected 2, 4 or 8}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x r %r scale %s {hidden_size = 8 : i64, r_bits = 3 : i64, r_block = 8 : i64} : (tensor<5x2x8xf32>, tensor<8x8xi8>, tensor<1x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x8xf32>, %r: tensor<4x8xi8>, %s: tensor<3x8xf32>, %q: tensor<8xi32>) {
  // expected-error@+2 {{r_block is 3, expected a multiple of 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x r %r scale %s {hidden_size = 8 : i64, r_bits = 4 : i64, r_block = 3 : i64} : (tensor<5x2x8xf32>, tensor<4x8xi8>, tensor<3x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x8xf32>, %r: tensor<8x8xi8>, %s: tensor<1x8xf32>, %q: tensor<8xi32>) {
  // expected-error@+2 {{r has type 'tensor<8x8xi8>', expected 'tensor<4x8xi8>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x r %r scale %s {hidden_size = 8 : i64, r_bits = 4 : i64, r_block = 8 : i64} : (tensor<5x2x8xf32>, tensor<8x8xi8>, tensor<1x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x8xf32>, %r: tensor<8x8xi8>, %s: tensor<1x8xf32>, %q: tensor<8xi32>) {
  // expected-error@+2 {{r_scale has type 'tensor<1x8xf32>', expected 'tensor<2x8xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x r %r scale %s {hidden_size = 8 : i64, r_bits = 8 : i64, r_block = 4 : i64} : (tensor<5x2x8xf32>, tensor<8x8xi8>, tensor<1x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x8xf32>, %r: tensor<8x8xi8>, %s: tensor<1x8xf32>, %q: tensor<8xi32>) {
  // expected-error@+2 {{r_sums and quantizes_states belong together}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x r %r scale %s {hidden_size = 8 : i64, r_bits = 8 : i64, r_block = 8 : i64, quantizes_states} : (tensor<5x2x8xf32>, tensor<8x8xi8>, tensor<1x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x2x8xf32>, %r: tensor<8x8xui8>, %s: tensor<1x8xf32>, %q: tensor<8xi32>) {
  // expected-error@+2 {{states are quantized, for which r must be i8, of 8 bits and in one block}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.rnn %x r %r scale %s sums %q {hidden_size = 8 : i64, r_bits = 8 : i64, r_block = 8 : i64, quantizes_states} : (tensor<5x2x8xf32>, tensor<8x8xui8>, tensor<1x8xf32>, tensor<8xi32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
  return
}
