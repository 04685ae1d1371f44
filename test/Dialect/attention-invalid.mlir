// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @f(%q: tensor<4x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x8xf32>) {
  // expected-error@+2 {{Q, K and V have 3, 4 and 4 dimensions, expected 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.attention %q, %k, %v : (tensor<4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>) -> tensor<1x4x3x8xf32>
  return
}

// -----

func.func @f(%q: tensor<1x4x3x8xf32>, %k: tensor<1x3x5x8xf32>, %v: tensor<1x3x5x8xf32>) {
  // expected-error@+2 {{Q has 4 heads and K 3, expected a multiple}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.attention %q, %k, %v : (tensor<1x4x3x8xf32>, tensor<1x3x5x8xf32>, tensor<1x3x5x8xf32>) -> tensor<1x4x3x8xf32>
  return
}

// -----

func.func @f(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x7xf32>, %v: tensor<1x2x5x8xf32>) {
  // expected-error@+2 {{K has type 'tensor<1x2x5x7xf32>', expected 'tensor<1x2x5x8xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.attention %q, %k, %v : (tensor<1x4x3x8xf32>, tensor<1x2x5x7xf32>, tensor<1x2x5x8xf32>) -> tensor<1x4x3x8xf32>
  return
}

// -----

func.func @f(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x6x8xf32>) {
  // expected-error@+2 {{V has type 'tensor<1x2x6x8xf32>', expected 'tensor<1x2x5x8xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.attention %q, %k, %v : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x6x8xf32>) -> tensor<1x4x3x8xf32>
  return
}

// -----

func.func @f(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x8xf16>, %v: tensor<1x2x5x8xf32>) {
  // expected-error@+2 {{K has elements of type 'f16', expected 'f32'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.attention %q, %k, %v : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf16>, tensor<1x2x5x8xf32>) -> tensor<1x4x3x8xf32>
  return
}

// -----

func.func @f(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x8xf64>) {
  // expected-error@+2 {{V has elements of type 'f64', expected 'f32'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.attention %q, %k, %v : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf64>) -> tensor<1x4x3x8xf32>
  return
}

// -----

func.func @f(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x8xf32>, %m: tensor<4x5xi1>) {
  // expected-error@+2 {{mask of type 'tensor<4x5xi1>' does not broadcast to 'tensor<1x4x3x5xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.attention %q, %k, %v mask %m : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>, tensor<4x5xi1>) -> tensor<1x4x3x8xf32>
  return
}

// -----

func.func @f(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x8xf32>, %l: tensor<2xi64>) {
  // expected-error@+2 {{lens has type 'tensor<2xi64>', expected 'tensor<1xi64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.attention %q, %k, %v lens %l : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>, tensor<2xi64>) -> tensor<1x4x3x8xf32>
  return
}

// -----

func.func @f(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x8xf32>, %l: tensor<1x1xi64>) {
  // expected-error@+2 {{start has type 'tensor<1x1xi64>', expected 'tensor<1xi64>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.attention %q, %k, %v start %l : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>, tensor<1x1xi64>) -> tensor<1x4x3x8xf32>
  return
}

// -----

func.func @f(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x8xf32>, %v: tensor<1x2x5x8xf32>) {
  // expected-error@+1 {{attribute 'softmax_precision' failed to satisfy constraint: type attribute of floating point}}
  %0 = brisk.attention %q, %k, %v {softmax_precision = i32} : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>) -> tensor<1x4x3x8xf32>
  return
}

// -----

func.func @f(%q: tensor<1048576x1x1048576x1xf32>, %k: tensor<1048576x1x1048576x1xf32>, %v: tensor<1048576x1x1048576x1xf32>) {
  // expected-error@+2 {{the scores have too many elements}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.attention %q, %k, %v : (tensor<1048576x1x1048576x1xf32>, tensor<1048576x1x1048576x1xf32>, tensor<1048576x1x1048576x1xf32>) -> tensor<1048576x1x1048576x1xf32>
  return
}
