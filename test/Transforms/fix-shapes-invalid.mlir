// RUN: not brisk-opt %s --fix-shapes="shapes=w=1" 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: error: no input is named 'w'; the model's inputs: 'x', 'y', 'z', 'm'
// RUN: not brisk-opt %s --fix-shapes="dims=width=1" 2>&1 | FileCheck %s --check-prefix=DIM
// DIM: error: no dimension is named 'width'; the model's symbolic dimensions: 'batch'
// RUN: not brisk-opt %s --fix-shapes="shapes=x=1x4" 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: shape 1x4 given to input 'x' contradicts the model's ?x3
// RUN: not brisk-opt %s --fix-shapes="shapes=x=scalar" 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: shape scalar given to input 'x' contradicts the model's ?x3
// RUN: not brisk-opt %s --fix-shapes="shapes=x=1x3 dims=batch=2" 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: dimension 'batch' is given as 2 and as 1
// RUN: not brisk-opt %s --fix-shapes="shapes=x=1xa" 2>&1 | FileCheck %s --check-prefix=MALFORMED
// MALFORMED: error: malformed shape 'x=1xa', expected NAME=1x3x224x224 or NAME=scalar
// RUN: not brisk-opt %s --fix-shapes="dims=batch" 2>&1 | FileCheck %s --check-prefix=MALFORMED-DIM
// MALFORMED-DIM: error: malformed dimension 'batch', expected NAME=N
// RUN: not brisk-opt %s --fix-shapes="shapes=x=9223372036854775807x3" 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: shape 9223372036854775807x3 given to input 'x' is larger than any memory
// RUN: not brisk-opt %s --fix-shapes="dims=batch=9223372036854775807" 2>&1 | FileCheck %s --check-prefix=LARGE-DIM
// LARGE-DIM: error: input 'x' of shape 9223372036854775807x3 is larger than any memory
// RUN: brisk-opt %s --fix-shapes="shapes=x=1x3,z=2" 2>&1 | FileCheck %s --check-prefix=TWO-SHAPES
// TWO-SHAPES: warning: dimension 'batch' is given as 1 and as 2
// RUN: not brisk-opt %s --fix-shapes="shapes=m=2" 2>&1 | FileCheck %s --check-prefix=BUFFER
// BUFFER: error: input 'm' has type 'memref<?xf32>', expected a tensor
func.func @main(%x: tensor<?x3xf32> {brisk.name = "x", brisk.dims = ["batch", ""]},
                %y: tensor<f32> {brisk.name = "y", brisk.dims = []},
                %z: tensor<?xf32> {brisk.name = "z", brisk.dims = ["batch"]},
                %m: memref<?xf32> {brisk.name = "m"}) {
  return
}
