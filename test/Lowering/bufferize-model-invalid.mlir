// RUN: brisk-opt %s --set-target=x86-64-v3 --bufferize-model --split-input-file --verify-diagnostics

// expected-error @+1 {{is no model: expected a body of one block}}
func.func private @declared(%x: tensor<4xf32>) -> tensor<4xf32>

// -----

// expected-error @+1 {{takes or returns 'index', expected tensors of numbers or booleans}}
func.func @index(%x: index) -> index {
  return %x : index
}

// -----

// expected-error @+1 {{takes or returns 'tensor<4xi128>', expected tensors of numbers or booleans}}
func.func @wide(%x: tensor<4xi128>) -> tensor<4xi128> {
  return %x : tensor<4xi128>
}

// -----

func.func @recursive(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{calls a function; inline it first}}
  %0 = call @recursive(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @huge() -> tensor<1099511627776x3xf32> {
  // expected-error-re @+1 {{writing out the constants up to this one, of type 'tensor<1099511627776x3xf32>', takes 13194139533312 bytes of memory and {{[0-9]+}} are available; use smaller shapes or compile where there is more}}
  %0 = brisk.constant dense<0.0> : tensor<1099511627776x3xf32>
  return %0 : tensor<1099511627776x3xf32>
}
