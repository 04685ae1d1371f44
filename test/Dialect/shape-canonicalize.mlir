// RUN: brisk-opt %s --canonicalize | FileCheck %s

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// The dimensions asked for are known, whatever the others.
// CHECK-LABEL: func.func @shapes(
func.func @shapes(%x: tensor<2x?x4x5xf32>, %y: tensor<2x3xf32>) -> (tensor<2xi64>, tensor<i64>) {
  // CHECK-DAG: %[[SHAPE:.*]] = brisk.constant dense<[4, 5]> : tensor<2xi64>
  // CHECK-DAG: %[[SIZE:.*]] = brisk.constant dense<6> : tensor<i64>
  // CHECK: return %[[SHAPE]], %[[SIZE]]
  %0 = brisk.shape %x {start = -2 : i64} : (tensor<2x?x4x5xf32>) -> tensor<2xi64>
  %1 = brisk.size %y : (tensor<2x3xf32>) -> tensor<i64>
  return %0, %1 : tensor<2xi64>, tensor<i64>
}

// CHECK-LABEL: func.func @made(
func.func @made() -> (tensor<3xi64>, tensor<4xf32>, tensor<1024x1024xf32>) {
  // CHECK-DAG: %[[INTS:.*]] = brisk.constant dense<[10, 7, 4]> : tensor<3xi64>
  // CHECK-DAG: %[[FLOATS:.*]] = brisk.constant dense<[0.000000e+00, 5.000000e-01, 1.000000e+00, 1.500000e+00]> : tensor<4xf32>
  // CHECK-DAG: %[[FILLED:.*]] = brisk.constant dense<7.000000e+00> : tensor<1024x1024xf32>
  // CHECK: return %[[INTS]], %[[FLOATS]], %[[FILLED]]
  %a = brisk.constant dense<10> : tensor<i64>
  %b = brisk.constant dense<2> : tensor<i64>
  %c = brisk.constant dense<-3> : tensor<i64>
  %d = brisk.constant dense<0.0> : tensor<f32>
  %e = brisk.constant dense<1.75> : tensor<f32>
  %f = brisk.constant dense<0.5> : tensor<f32>
  %s = brisk.constant dense<1024> : tensor<2xi64>
  %0 = brisk.range %a, %b, %c : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<3xi64>
  %1 = brisk.range %d, %e, %f : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %2 = brisk.fill %s {value = dense<7.0> : tensor<1xf32>} : (tensor<2xi64>) -> tensor<1024x1024xf32>
  return %0, %1, %2 : tensor<3xi64>, tensor<4xf32>, tensor<1024x1024xf32>
}

// Counts of 64-bit integers are exact.
// CHECK-LABEL: func.func @far_range(
func.func @far_range() -> (tensor<3xi64>, tensor<2xi64>) {
  // CHECK-DAG: brisk.constant dense<[9007199254740992, 9007199254740993, 9007199254740994]> : tensor<3xi64>
  // CHECK-DAG: brisk.constant dense<[9223372036854775807, -1]> : tensor<2xi64>
  %a = brisk.constant dense<9007199254740992> : tensor<i64>
  %b = brisk.constant dense<9007199254740995> : tensor<i64>
  %one = brisk.constant dense<1> : tensor<i64>
  %most = brisk.constant dense<9223372036854775807> : tensor<i64>
  %least = brisk.constant dense<-9223372036854775808> : tensor<i64>
  %0 = brisk.range %a, %b, %one : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<3xi64>
  %1 = brisk.range %most, %least, %least : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2xi64>
  return %0, %1 : tensor<3xi64>, tensor<2xi64>
}

// CHECK-LABEL: func.func @moved(
func.func @moved() -> (tensor<3x2xi32>, tensor<2x2xi32>, tensor<2x6xi32>, tensor<2x2x3xi32>, tensor<2x5xi32>) {
  // CHECK-DAG: %[[TRANSPOSED:.*]] = brisk.constant dense<{{\[}}[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
  // CHECK-DAG: %[[SLICED:.*]] = brisk.constant dense<{{\[}}[6, 4], [3, 1]]> : tensor<2x2xi32>
  // CHECK-DAG: %[[TILED:.*]] = brisk.constant dense<{{\[}}[1, 2, 3, 1, 2, 3], [4, 5, 6, 4, 5, 6]]> : tensor<2x6xi32>
  // CHECK-DAG: %[[EXPANDED:.*]] = brisk.constant dense<{{\[\[}}[1, 2, 3], [4, 5, 6]], {{\[}}[1, 2, 3], [4, 5, 6]]]> : tensor<2x2x3xi32>
  // CHECK-DAG: %[[JOINED:.*]] = brisk.constant dense<{{\[}}[1, 2, 3, 7, 8], [4, 5, 6, 9, 10]]> : tensor<2x5xi32>
  // CHECK: return %[[TRANSPOSED]], %[[SLICED]], %[[TILED]], %[[EXPANDED]], %[[JOINED]]
  %x = brisk.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %y = brisk.constant dense<[[7, 8], [9, 10]]> : tensor<2x2xi32>
  %starts = brisk.constant dense<[-1, 2]> : tensor<2xi64>
  %ends = brisk.constant dense<[-100, -9223372036854775808]> : tensor<2xi64>
  %steps = brisk.constant dense<[-1, -2]> : tensor<2xi64>
  %repeats = brisk.constant dense<[1, 2]> : tensor<2xi64>
  %shape = brisk.constant dense<[2, 1, 1]> : tensor<3xi64>
  %0 = brisk.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = brisk.slice %x, %starts, %ends steps %steps : (tensor<2x3xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi32>
  %2 = brisk.tile %x, %repeats : (tensor<2x3xi32>, tensor<2xi64>) -> tensor<2x6xi32>
  %3 = brisk.expand %x, %shape : (tensor<2x3xi32>, tensor<3xi64>) -> tensor<2x2x3xi32>
  %4 = brisk.concat %x, %y {axis = -1 : i64} : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x5xi32>
  return %0, %1, %2, %3, %4 : tensor<3x2xi32>, tensor<2x2xi32>, tensor<2x6xi32>, tensor<2x2x3xi32>, tensor<2x5xi32>
}

// From before the beginning there is nothing to go back over but the first.
// CHECK-LABEL: func.func @sliced_from_before(
func.func @sliced_from_before() -> (tensor<1xi32>, tensor<0xi32>) {
  // CHECK-DAG: brisk.constant dense<7> : tensor<1xi32>
  // CHECK-DAG: brisk.constant dense<> : tensor<0xi32>
  %x = brisk.constant dense<[7, 8, 9]> : tensor<3xi32>
  %none = brisk.constant dense<> : tensor<0xi32>
  %start = brisk.constant dense<-5> : tensor<1xi64>
  %end = brisk.constant dense<-9223372036854775808> : tensor<1xi64>
  %step = brisk.constant dense<-1> : tensor<1xi64>
  %0 = brisk.slice %x, %start, %end steps %step : (tensor<3xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi32>
  %1 = brisk.slice %none, %start, %end steps %step : (tensor<0xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<0xi32>
  return %0, %1 : tensor<1xi32>, tensor<0xi32>
}

// CHECK-LABEL: func.func @padded(
func.func @padded() -> (tensor<6xi8>, tensor<7xi8>, tensor<6xi8>, tensor<7xi8>, tensor<2xi8>) {
  // CHECK-DAG: %[[CONSTANT:.*]] = brisk.constant dense<[9, 9, 1, 2, 3, 9]> : tensor<6xi8>
  // CHECK-DAG: %[[REFLECTED:.*]] = brisk.constant dense<[3, 2, 1, 2, 3, 2, 1]> : tensor<7xi8>
  // CHECK-DAG: %[[EDGE:.*]] = brisk.constant dense<[1, 1, 1, 2, 3, 3]> : tensor<6xi8>
  // CHECK-DAG: %[[WRAPPED:.*]] = brisk.constant dense<[2, 3, 1, 2, 3, 1, 2]> : tensor<7xi8>
  // CHECK-DAG: %[[CROPPED:.*]] = brisk.constant dense<[2, 3]> : tensor<2xi8>
  // CHECK: return %[[CONSTANT]], %[[REFLECTED]], %[[EDGE]], %[[WRAPPED]], %[[CROPPED]]
  %x = brisk.constant dense<[1, 2, 3]> : tensor<3xi8>
  %v = brisk.constant dense<9> : tensor<i8>
  %p = brisk.constant dense<[2, 1]> : tensor<2xi64>
  %q = brisk.constant dense<2> : tensor<2xi64>
  %r = brisk.constant dense<[-1, 0]> : tensor<2xi64>
  %0 = brisk.pad constant %x, %p value %v : (tensor<3xi8>, tensor<2xi64>, tensor<i8>) -> tensor<6xi8>
  %1 = brisk.pad reflect %x, %q : (tensor<3xi8>, tensor<2xi64>) -> tensor<7xi8>
  %2 = brisk.pad edge %x, %p : (tensor<3xi8>, tensor<2xi64>) -> tensor<6xi8>
  %3 = brisk.pad wrap %x, %q : (tensor<3xi8>, tensor<2xi64>) -> tensor<7xi8>
  %4 = brisk.pad constant %x, %r : (tensor<3xi8>, tensor<2xi64>) -> tensor<2xi8>
  return %0, %1, %2, %3, %4 : tensor<6xi8>, tensor<7xi8>, tensor<6xi8>, tensor<7xi8>, tensor<2xi8>
}

// Negative pads crop first: the margin is made of what they leave, as in ONNX
// Runtime, where these values are from.
// CHECK-LABEL: func.func @cropped(
func.func @cropped() -> (tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>) {
  // CHECK-DAG: %[[WRAP:.*]] = brisk.constant dense<[2, 3, 4, 5, 2, 3, 4]> : tensor<7xi8>
  // CHECK-DAG: %[[WRAP2:.*]] = brisk.constant dense<[1, 2, 3, 0, 1, 2, 3]> : tensor<7xi8>
  // CHECK-DAG: %[[REFLECT:.*]] = brisk.constant dense<[3, 2, 1, 0, 1, 2, 3]> : tensor<7xi8>
  // CHECK-DAG: %[[EDGE:.*]] = brisk.constant dense<[0, 0, 0, 0, 1, 2, 3]> : tensor<7xi8>
  // CHECK-DAG: %[[CONSTANT:.*]] = brisk.constant dense<[2, 3, 4, 5, 9, 9, 9]> : tensor<7xi8>
  // CHECK: return %[[WRAP]], %[[WRAP2]], %[[REFLECT]], %[[EDGE]], %[[CONSTANT]]
  %x = brisk.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi8>
  %v = brisk.constant dense<9> : tensor<i8>
  %p = brisk.constant dense<[-2, 3]> : tensor<2xi64>
  %q = brisk.constant dense<[3, -2]> : tensor<2xi64>
  %0 = brisk.pad wrap %x, %p : (tensor<6xi8>, tensor<2xi64>) -> tensor<7xi8>
  %1 = brisk.pad wrap %x, %q : (tensor<6xi8>, tensor<2xi64>) -> tensor<7xi8>
  %2 = brisk.pad reflect %x, %q : (tensor<6xi8>, tensor<2xi64>) -> tensor<7xi8>
  %3 = brisk.pad edge %x, %q : (tensor<6xi8>, tensor<2xi64>) -> tensor<7xi8>
  %4 = brisk.pad constant %x, %p value %v : (tensor<6xi8>, tensor<2xi64>, tensor<i8>) -> tensor<7xi8>
  return %0, %1, %2, %3, %4 : tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>, tensor<7xi8>
}

// What would grow the model is left to run time, unless it is a splat.
// CHECK-LABEL: func.func @large(
// CHECK-DAG: %[[TILED:.*]] = brisk.tile
// CHECK-DAG: %[[EXPANDED:.*]] = brisk.constant dense<3> : tensor<512x512xi32>
// CHECK: return %[[TILED]], %[[EXPANDED]]
func.func @large() -> (tensor<400000xi32>, tensor<512x512xi32>) {
  %x = brisk.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %y = brisk.constant dense<3> : tensor<1xi32>
  %n = brisk.constant dense<100000> : tensor<1xi64>
  %s = brisk.constant dense<512> : tensor<2xi64>
  %0 = brisk.tile %x, %n : (tensor<4xi32>, tensor<1xi64>) -> tensor<400000xi32>
  %1 = brisk.expand %y, %s : (tensor<1xi32>, tensor<2xi64>) -> tensor<512x512xi32>
  return %0, %1 : tensor<400000xi32>, tensor<512x512xi32>
}

// ONNX's way to flatten all but the last dimension.
// CHECK-LABEL: func.func @shape_arithmetic(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>)
// CHECK-NEXT: %[[SHAPE:.*]] = brisk.constant dense<[6, 4]> : tensor<2xi64>
// CHECK-NEXT: brisk.reshape %[[X]], %[[SHAPE]] :
func.func @shape_arithmetic(%x: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  %two = brisk.constant dense<2> : tensor<1xi64>
  %three = brisk.constant dense<3> : tensor<1xi64>
  %zero = brisk.constant dense<0> : tensor<i64>
  %axes = brisk.constant dense<0> : tensor<1xi64>
  %minus = brisk.constant dense<-1> : tensor<1xi64>
  %0 = brisk.shape %x : (tensor<2x3x4xf32>) -> tensor<3xi64>
  %1 = brisk.slice %0, %two, %three : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %2 = brisk.squeeze %1, %axes : (tensor<1xi64>, tensor<1xi64>) -> tensor<i64>
  %3 = brisk.mul %2, %2 : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %4 = brisk.div %3, %2 : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %5 = brisk.unsqueeze %4, %axes : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
  %6 = brisk.concat %minus, %5 {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %7 = brisk.reshape %x, %6 : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<6x4xf32>
  return %7 : tensor<6x4xf32>
}

//===----------------------------------------------------------------------===//
// Identities
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @nothing_done(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>)
// CHECK-NEXT: return %[[X]]
func.func @nothing_done(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %shape = brisk.constant dense<[2, 3]> : tensor<2xi64>
  %zeros = brisk.constant dense<0> : tensor<2xi64>
  %ones = brisk.constant dense<1> : tensor<2xi64>
  %none = brisk.constant dense<0> : tensor<4xi64>
  %0 = brisk.reshape %x, %shape : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %1 = brisk.expand %0, %ones : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %2 = brisk.tile %1, %ones : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %3 = brisk.pad reflect %2, %none : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<2x3xf32>
  %4 = brisk.slice %3, %zeros, %shape : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
  %5 = brisk.transpose %4 {permutation = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = brisk.concat %5 {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %6 : tensor<2x3xf32>
}

// A reversed dimension keeps its size.
// CHECK-LABEL: func.func @reversed(
// CHECK: brisk.slice
func.func @reversed(%x: tensor<3xf32>) -> tensor<3xf32> {
  %start = brisk.constant dense<-1> : tensor<1xi64>
  %end = brisk.constant dense<-100> : tensor<1xi64>
  %0 = brisk.slice %x, %start, %end steps %start : (tensor<3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @reshapes(
// CHECK-SAME: %[[X:.*]]: tensor<2x1x3x4xf32>)
// CHECK-NEXT: %[[SHAPE:.*]] = brisk.constant dense<[6, 4, 1]> : tensor<3xi64>
// CHECK-NEXT: %[[RESHAPED:.*]] = brisk.reshape %[[X]], %[[SHAPE]] :
// CHECK-NEXT: return %[[RESHAPED]]
func.func @reshapes(%x: tensor<2x1x3x4xf32>) -> tensor<6x4x1xf32> {
  %last = brisk.constant dense<-1> : tensor<1xi64>
  %0 = brisk.squeeze %x : (tensor<2x1x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = brisk.flatten %0 {axis = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %2 = brisk.unsqueeze %1, %last : (tensor<6x4xf32>, tensor<1xi64>) -> tensor<6x4x1xf32>
  return %2 : tensor<6x4x1xf32>
}

// CHECK-LABEL: func.func @computed_shape(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x3xf32>
// CHECK: brisk.constant dense<[3, 2]> : tensor<2xi64>
// CHECK-NOT: brisk.cast
func.func @computed_shape(%x: tensor<2x3xf32>, %s: tensor<2xi32>) -> tensor<3x2xf32> {
  %0 = brisk.cast %s {to = i64} : (tensor<2xi32>) -> tensor<2xi64>
  %1 = brisk.reshape %x, %0 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @transposes(
// CHECK-SAME: %[[X:.*]]: tensor<2x?x4xf32>)
// CHECK-NEXT: brisk.transpose %[[X]] {permutation = array<i64: 2, 1, 0>}
func.func @transposes(%x: tensor<2x?x4xf32>) -> tensor<4x?x2xf32> {
  %0 = brisk.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x?x4xf32>) -> tensor<?x4x2xf32>
  %1 = brisk.transpose %0 {permutation = array<i64: 1, 0, 2>} : (tensor<?x4x2xf32>) -> tensor<4x?x2xf32>
  return %1 : tensor<4x?x2xf32>
}

// CHECK-LABEL: func.func @transpose_and_back(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @transpose_and_back(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = brisk.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = brisk.transpose %0 {permutation = array<i64: 2, 0, 1>} : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  return %1 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @concats(
// CHECK-SAME: %[[A:[^:]*]]: tensor<1x2xf32>, %[[B:[^:]*]]: tensor<1x2xf32>, %[[E:[^:]*]]: tensor<0x2xf32>)
// CHECK-NEXT: brisk.concat %[[A]], %[[B]], %[[A]] {axis = 0 : i64}
func.func @concats(%a: tensor<1x2xf32>, %b: tensor<1x2xf32>, %e: tensor<0x2xf32>) -> tensor<3x2xf32> {
  %0 = brisk.concat %a, %b {axis = -2 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %1 = brisk.concat %0, %e, %a {axis = 0 : i64} : (tensor<2x2xf32>, tensor<0x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// CHECK-LABEL: func.func @split(
// CHECK-SAME: %[[X:.*]]: tensor<2x7xf32>)
// CHECK-DAG: %[[AXIS:.*]] = brisk.constant dense<1> : tensor<1xi64>
// CHECK-DAG: %[[ZERO:.*]] = brisk.constant dense<0> : tensor<1xi64>
// CHECK-DAG: %[[FOUR:.*]] = brisk.constant dense<4> : tensor<1xi64>
// CHECK-DAG: %[[SEVEN:.*]] = brisk.constant dense<7> : tensor<1xi64>
// CHECK-DAG: %[[LEFT:.*]] = brisk.slice %[[X]], %[[ZERO]], %[[FOUR]] axes %[[AXIS]] :
// CHECK-DAG: %[[RIGHT:.*]] = brisk.slice %[[X]], %[[FOUR]], %[[SEVEN]] axes %[[AXIS]] :
// CHECK: return %[[LEFT]], %[[RIGHT]]
func.func @split(%x: tensor<2x7xf32>) -> (tensor<2x4xf32>, tensor<2x3xf32>) {
  %0:2 = brisk.split %x {axis = -1 : i64, num_outputs = 2 : i64} : (tensor<2x7xf32>) -> (tensor<2x4xf32>, tensor<2x3xf32>)
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x3xf32>
}

// One pixel of eight channels becomes four of two: the channels' parts are the
// pixels in mode dcr, and alternate in mode crd.
// CHECK-LABEL: func.func @blocks(
func.func @blocks() -> (tensor<1x2x2x2xi32>, tensor<1x2x2x2xi32>, tensor<1x1x1x8xi32>) {
  // CHECK-DAG: %[[DCR:.*]] = brisk.constant dense<{{\[\[\[}}[0, 1], [2, 3]], {{\[}}[4, 5], [6, 7]]]]> : tensor<1x2x2x2xi32>
  // CHECK-DAG: %[[CRD:.*]] = brisk.constant dense<{{\[\[\[}}[0, 4], [1, 5]], {{\[}}[2, 6], [3, 7]]]]> : tensor<1x2x2x2xi32>
  // CHECK-DAG: %[[BACK:.*]] = brisk.constant dense<{{\[\[\[}}[0, 1, 2, 3, 4, 5, 6, 7]]]]> : tensor<1x1x1x8xi32>
  // CHECK: return %[[DCR]], %[[CRD]], %[[BACK]]
  %x = brisk.constant dense<[[[[0, 1, 2, 3, 4, 5, 6, 7]]]]> : tensor<1x1x1x8xi32>
  %0 = brisk.depth_to_space dcr %x {blocksize = 2 : i64} : (tensor<1x1x1x8xi32>) -> tensor<1x2x2x2xi32>
  %1 = brisk.depth_to_space crd %x {blocksize = 2 : i64} : (tensor<1x1x1x8xi32>) -> tensor<1x2x2x2xi32>
  %2 = brisk.space_to_depth %0 {blocksize = 2 : i64} : (tensor<1x2x2x2xi32>) -> tensor<1x1x1x8xi32>
  return %0, %1, %2 : tensor<1x2x2x2xi32>, tensor<1x2x2x2xi32>, tensor<1x1x1x8xi32>
}
