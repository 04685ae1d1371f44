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
