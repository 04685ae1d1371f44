// RUN: split-file %s %t
// RUN: not briskc %t/words.mlir --emit=onnx -o %t/x.onnx 2>&1 | FileCheck %s --check-prefix=WORDS
// RUN: not ls %t/x.onnx
// WORDS: error: model has 3 ops that cannot be written as ONNX
// WORDS: note: scales along several axes, which ONNX has only in blocks of one
// WORDS: note: scales of blocks that are no constant
// WORDS: note: ONNX has no words for 'brisk.require'
// RUN: not briskc %t/large.mlir --emit=onnx -o %t/x.onnx 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: model has 1 op that cannot be written as ONNX
// LARGE: note: its weights have 4000000000 bytes, and an .onnx file holds less than 2 GiB
// RUN: not briskc %t/functions.mlir --emit=onnx -o %t/x.onnx 2>&1 | FileCheck %s --check-prefix=FUNCTIONS
// FUNCTIONS: error: has 2 functions; expected one, of a single block, to write as ONNX

//--- words.mlir
func.func @words(%x: tensor<2x3x4xf32>, %s: tensor<2x3x1xf32>, %c: tensor<i1>)
    -> (tensor<2x3x4xi8>, tensor<2x3x4xi8>) {
  %k = brisk.constant dense<1.0> : tensor<2x1x3x1xf32>
  %j = brisk.constant dense<[2, 3, 4]> : tensor<3xi64>
  %l = brisk.constant dense<[2, 2, 3, 2]> : tensor<4xi64>
  %1 = brisk.reshape %x, %l : (tensor<2x3x4xf32>, tensor<4xi64>) -> tensor<2x2x3x2xf32>
  %2 = brisk.quantize %1 scale %k {to = i8} : (tensor<2x2x3x2xf32>, tensor<2x1x3x1xf32>) -> tensor<2x2x3x2xi8>
  %3 = brisk.reshape %2, %j : (tensor<2x2x3x2xi8>, tensor<3xi64>) -> tensor<2x3x4xi8>
  %4 = brisk.quantize %x scale %s {to = i8} : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xi8>
  brisk.require %c : tensor<i1>
  return %3, %4 : tensor<2x3x4xi8>, tensor<2x3x4xi8>
}
//--- large.mlir
func.func @large() -> tensor<1000000000xf32> {
  %0 = brisk.constant dense<1.0> : tensor<1000000000xf32>
  return %0 : tensor<1000000000xf32>
}
//--- functions.mlir
func.func @one(%x: tensor<1xf32>) -> tensor<1xf32> { return %x : tensor<1xf32> }
func.func @two(%x: tensor<1xf32>) -> tensor<1xf32> { return %x : tensor<1xf32> }
