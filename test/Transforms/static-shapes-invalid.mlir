// RUN: brisk-opt %s --propagate-layout --split-input-file --verify-diagnostics
// RUN: brisk-opt %s --decompose --split-input-file --verify-diagnostics
// RUN: brisk-opt %s --drop-expands --split-input-file --verify-diagnostics
// RUN: brisk-opt %s --recompose --split-input-file --verify-diagnostics
// RUN: brisk-opt %s --fold-scales --split-input-file --verify-diagnostics
// RUN: brisk-opt %s --merge-parallel --split-input-file --verify-diagnostics

// What every pass after the shapes stage refuses.

// expected-error @+1 {{has a value of type 'tensor<?xf32>', expected static shapes; run --brisk-shapes first}}
func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

func.func @buffer(%n: index) {
  // expected-error @+1 {{has a value of type 'memref<?xf32>', expected static shapes}}
  %0 = memref.alloc(%n) : memref<?xf32>
  return
}

// -----

// expected-error @+1 {{which is larger than any memory}}
func.func @huge(%x: tensor<4611686018427387904x4xf32>) -> tensor<4611686018427387904x4xf32> {
  return %x : tensor<4611686018427387904x4xf32>
}

// -----

// expected-error @+1 {{expected elements that are numbers or booleans}}
func.func @complex(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  return %x : tensor<4xcomplex<f32>>
}
