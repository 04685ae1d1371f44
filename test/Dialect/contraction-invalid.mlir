// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x3x8xf32>) {
  // expected-error@+2 {{filter takes 3 input channels in 1 groups and input has 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w : (tensor<1x8x8x4xf32>, tensor<3x3x3x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x2x5xf32>) {
  // expected-error@+2 {{5 output channels do not divide into 2 groups}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w {group = 2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x2x5xf32>) -> tensor<1x6x6x5xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x4x8xf32>) {
  // expected-error@+2 {{filter has 3 dimensions and input 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w : (tensor<1x8x8x4xf32>, tensor<3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @f(%x: tensor<8x4xf32>, %w: tensor<4x8xf32>) {
  // expected-error@+2 {{input has 2 dimensions, expected N x spatial x C}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xbf16>, %w: tensor<3x3x4x8xf16>) {
  // expected-error@+2 {{operands have elements of types 'bf16' and 'f16', expected one type, 8-bit integers, 16-bit floats and f32, or f32 and integers of at most 16 bits}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w : (tensor<1x8x8x4xbf16>, tensor<3x3x4x8xf16>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>, %b: tensor<4xf32>) {
  // expected-error@+2 {{bias has type 'tensor<4xf32>', expected 8 elements, one for each output channel}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w, %b : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>, tensor<4xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error@+2 {{strides has 1 entries where 2 spatial dimensions need 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w {strides = array<i64: 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error@+2 {{dilations has the entry 0, expected at least 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w {dilations = array<i64: 0, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x2x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error@+2 {{window of 3 elements is larger than the padded input of 2 in spatial dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w : (tensor<1x2x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error@+2 {{inferred type(s) 'tensor<1x6x6x8xf32>' are incompatible with return type(s) of operation 'tensor<1x8x8x8xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x6x8xf32>) {
  // expected-error@+2 {{filter takes 6 input channels in 1 groups and input has 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv_transpose %x, %w : (tensor<1x8x8x4xf32>, tensor<3x3x6x8xf32>) -> tensor<1x10x10x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error@+2 {{output_shape has 1 entries where 2 spatial dimensions need 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv_transpose %x, %w {output_shape = array<i64: 8>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x8x8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error@+2 {{lhs has 3 columns and rhs 4 rows}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.matmul %a, %b : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<2x2x3xf32>, %b: tensor<4x3x5xf32>) {
  // expected-error@+2 {{operands do not broadcast: dimension 0 is 2 and 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.matmul %a, %b : (tensor<2x2x3xf32>, tensor<4x3x5xf32>) -> tensor<2x2x5xf32>
  return
}

// -----

func.func @f(%a: tensor<f32>, %b: tensor<4x3xf32>) {
  // expected-error@+2 {{matmul of a scalar}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.matmul %a, %b : (tensor<f32>, tensor<4x3xf32>) -> tensor<f32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+2 {{einsum equation has 2 terms for 1 inputs}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.einsum %a {equation = "ij,jk"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+2 {{einsum term 'ijk' names 3 dimensions of an input that has 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.einsum %a {equation = "ijk"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+2 {{einsum result dimension 'k' is not a dimension of an input}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.einsum %a {equation = "ij->k"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+2 {{einsum term 'i1' has an unexpected character '1'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.einsum %a {equation = "i1"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+2 {{einsum result dimension 'i' comes twice}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.einsum %a {equation = "ij->ii"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3xf32>) {
  // expected-error@+2 {{einsum dimension has size 3 in one input and 2 in another}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.einsum %a, %a {equation = "ij,jk"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error@+2 {{dilations has the entry 4611686018427387904, expected at most 2147483647}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w {dilations = array<i64: 4611686018427387904, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error@+2 {{strides has the entry -9223372036854775808, expected at least 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w {strides = array<i64: 1, -9223372036854775808>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>) {
  // expected-error@+2 {{filter takes 9223372036854775807 input channels in 4611686018427387904 groups and input has 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w {group = 4611686018427387904 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @f(%x: tensor<1x0x8x0xf32>, %w: tensor<3x3x0x8xf32>) {
  // expected-error@+2 {{the result has too many elements}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv_transpose %x, %w {group = 4611686018427387904 : i64} : (tensor<1x0x8x0xf32>, tensor<3x3x0x8xf32>) -> tensor<1x2x10x?xf32>
  return
}

// -----

func.func @f(%x: tensor<1x4294967296x1x1xf32>, %w: tensor<1x1x1x1xf32>) {
  // expected-error@+2 {{result would have too many elements in spatial dimension 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv_transpose %x, %w {strides = array<i64: 2147483647, 1>} : (tensor<1x4294967296x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<?x?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<1x3x3x1xf32>, %w: tensor<3x3x1x2xf32>) {
  // expected-error@+2 {{output_shape has the entry -9223372036854775807, expected at least 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv_transpose %x, %w {output_shape = array<i64: -9223372036854775807, 8>} : (tensor<1x3x3x1xf32>, tensor<3x3x1x2xf32>) -> tensor<?x?x?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xf32>, %b: tensor<8xf16>) {
  // expected-error@+2 {{result has elements of type 'f32' and bias of type 'f16'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %w, %b : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xf32>, tensor<8xf16>) -> tensor<1x6x6x8xf32>
  return
}

// -----

func.func @scalar_filter(%x: tensor<1x8x8x4xf32>, %f: tensor<f32>) {
  // expected-error@+2 {{filter has 0 dimensions and input 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv %x, %f : (tensor<1x8x8x4xf32>, tensor<f32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @scalar_filter(%x: tensor<1x8x8x4xf32>, %f: tensor<f32>) {
  // expected-error@+2 {{filter has 0 dimensions and input 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.conv_transpose %x, %f : (tensor<1x8x8x4xf32>, tensor<f32>) -> tensor<1x8x8x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xf16>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{'brisk.matmul' op inferred type(s) 'tensor<4x2xf32>' are incompatible with return type(s) of operation 'tensor<4x2xf16>'}}
  %0 = brisk.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf16>) -> tensor<4x2xf16>
  return
}

// -----

func.func @bits(%x: tensor<2x8xf32>, %w: tensor<8x3xi8>, %s: tensor<1x3xf32>) {
  // expected-error@+2 {{bits is 3, expected 2, 4 or 8}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.matmul_nbits %x, %w scale %s {bits = 3, block = 8} : (tensor<2x8xf32>, tensor<8x3xi8>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @block(%x: tensor<2x8xf32>, %w: tensor<4x3xi8>, %s: tensor<3x3xf32>) {
  // expected-error@+2 {{block is 3, expected a multiple of 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.matmul_nbits %x, %w scale %s {bits = 4, block = 3} : (tensor<2x8xf32>, tensor<4x3xi8>, tensor<3x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @rows(%x: tensor<2x9xf32>, %w: tensor<4x3xi8>, %s: tensor<1x3xf32>) {
  // expected-error@+2 {{lhs has 9 columns and weights 4 rows of bytes, expected 5}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.matmul_nbits %x, %w scale %s {bits = 4, block = 9} : (tensor<2x9xf32>, tensor<4x3xi8>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @scale(%x: tensor<2x8xf32>, %w: tensor<4x3xi8>, %s: tensor<1x3xf32>) {
  // expected-error@+2 {{scale has type 'tensor<1x3xf32>', expected 2 blocks of 3 columns}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.matmul_nbits %x, %w scale %s {bits = 4, block = 4} : (tensor<2x8xf32>, tensor<4x3xi8>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @zero(%x: tensor<2x8xf32>, %w: tensor<4x3xi8>, %s: tensor<2x3xf32>, %z: tensor<2x3xui8>) {
  // expected-error@+2 {{zero point has elements of type 'ui8', expected 'i8'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.matmul_nbits %x, %w scale %s zero %z {bits = 4, block = 4} : (tensor<2x8xf32>, tensor<4x3xi8>, tensor<2x3xf32>, tensor<2x3xui8>) -> tensor<2x3xf32>
  return
}

// -----

func.func @ranks(%x: tensor<8xf32>, %w: tensor<4x3xi8>, %s: tensor<2x3xf32>) {
  // expected-error@+2 {{operands have 1 and 2 dimensions, expected rows and a matrix}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.matmul_nbits %x, %w scale %s {bits = 4, block = 4} : (tensor<8xf32>, tensor<4x3xi8>, tensor<2x3xf32>) -> tensor<3xf32>
  return
}
