// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<2xui8>) {
  // expected-error@+2 {{bits is 3, expected 2 or 4}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.unpack_bits %x {bits = 3, shape = array<i64: 4>, to = i8} : (tensor<2xui8>) -> tensor<4xi8>
  return
}

// -----

func.func @f(%x: tensor<2xui8>) {
  // expected-error@+2 {{input has 2 bytes, expected 3}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.unpack_bits %x {bits = 4, shape = array<i64: 5>, to = i8} : (tensor<2xui8>) -> tensor<5xi8>
  return
}

// -----

func.func @f(%x: tensor<0xui8>) {
  // expected-error@+2 {{shape has a dimension of -5}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.unpack_bits %x {bits = 4, shape = array<i64: -5>, to = i8} : (tensor<0xui8>) -> tensor<?xi8>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  // expected-error@+1 {{zero point has elements of type 'i8', expected 'ui8'}}
  %0 = brisk.quantize %x scale %s zero %z {to = ui8} : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xui8>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // expected-error@+2 {{operands do not broadcast: dimension 1 is 3 and 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.quantize %x scale %s {to = ui8} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xui8>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<3xi8>) {
  // expected-error@+1 {{zero point has type 'tensor<3xi8>' and scale 'tensor<f32>', expected one shape}}
  %0 = brisk.quantize %x scale %s zero %z {to = i8} : (tensor<2x3xf32>, tensor<f32>, tensor<3xi8>) -> tensor<2x3xi8>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{attribute 'to' failed to satisfy constraint: type attribute of 8-bit signless integer or 16-bit signless integer or 8-bit unsigned integer or 16-bit unsigned integer}}
  %0 = brisk.quantize %x scale %s {to = i32} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{attribute 'precision' failed to satisfy constraint: type attribute of floating point}}
  %0 = brisk.quantize %x scale %s {to = i8, precision = i32} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi8>
  return
}

// -----

func.func @f(%x: tensor<2x3xi8>, %s: tensor<f32>) {
  // expected-error@+1 {{op gives elements of type 'i32' with a scale; floats have one, integers have none}}
  %0 = brisk.dequantize %x scale %s {to = i32} : (tensor<2x3xi8>, tensor<f32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @f(%x: tensor<2x3xi8>) {
  // expected-error@+1 {{op gives elements of type 'f32' without a scale; floats have one, integers have none}}
  %0 = brisk.dequantize %x {to = f32} : (tensor<2x3xi8>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xi8>, %z: tensor<2xi8>) {
  // expected-error@+2 {{operands do not broadcast: dimension 1 is 3 and 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.dequantize %x zero %z {to = i32} : (tensor<2x3xi8>, tensor<2xi8>) -> tensor<2x3xi32>
  return
}

// -----

func.func @f(%x: tensor<2x3xi64>, %s: tensor<f32>) {
  // expected-error@+1 {{operand #0 must be tensor of 8-bit signless integer or 16-bit signless integer or 32-bit signless integer or 8-bit unsigned integer or 16-bit unsigned integer values}}
  %0 = brisk.dequantize %x scale %s {to = f32} : (tensor<2x3xi64>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<2x3xi8>' are incompatible with return type(s) of operation 'tensor<2x4xi8>'}}
  %0 = brisk.quantize %x scale %s {to = i8} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x4xi8>
  return
}
