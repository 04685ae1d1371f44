// RUN: brisk-opt %s --canonicalize | FileCheck %s

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

// Booleans, integers by width and sign, floats, broadcast.
// CHECK-LABEL: func.func @integers(
func.func @integers() -> (tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xi8>, tensor<4xi8>) {
  // CHECK-DAG: %[[SUM:.*]] = brisk.constant dense<[-128, 0, 127, 2]> : tensor<4xi8>
  // CHECK-DAG: %[[QUOTIENT:.*]] = brisk.constant dense<[127, 0, -128, -2]> : tensor<4xi8>
  // CHECK-DAG: %[[UNSIGNED:.*]] = brisk.constant dense<[127, 0, 0, 85]> : tensor<4xui8>
  // CHECK-DAG: %[[FLOORED:.*]] = brisk.constant dense<[0, 0, 0, -1]> : tensor<4xi8>
  // CHECK-DAG: %[[TRUNCATED:.*]] = brisk.constant dense<[0, 0, 0, 1]> : tensor<4xi8>
  // CHECK: return %[[SUM]], %[[QUOTIENT]], %[[UNSIGNED]], %[[FLOORED]], %[[TRUNCATED]]
  %a = brisk.constant dense<[127, 0, -128, 5]> : tensor<4xi8>
  %b = brisk.constant dense<[1, 0, -1, -2]> : tensor<4xi8>
  %c = brisk.constant dense<[1, 0, -1, -3]> : tensor<4xi8>
  %ua = brisk.constant dense<[127, 0, 128, 255]> : tensor<4xui8>
  %ub = brisk.constant dense<[1, 0, 255, 3]> : tensor<4xui8>
  %0 = brisk.add %a, %c : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  %1 = brisk.div %a, %b : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  %2 = brisk.div %ua, %ub : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
  %3 = brisk.mod %a, %b : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  %4 = brisk.mod %a, %b {fmod} : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  return %0, %1, %2, %3, %4 : tensor<4xi8>, tensor<4xi8>, tensor<4xui8>, tensor<4xi8>, tensor<4xi8>
}

// CHECK-LABEL: func.func @floats(
func.func @floats() -> (tensor<2x2xf32>, tensor<3xf32>, tensor<3xf16>, tensor<3xf32>) {
  // CHECK-DAG: %[[PRODUCT:.*]] = brisk.constant dense<{{\[}}[3.000000e+00, 4.000000e+00], [6.000000e+00, 8.000000e+00]]> : tensor<2x2xf32>
  // CHECK-DAG: %[[MAX:.*]] = brisk.constant dense<[0x7FC00000, 2.000000e+00, 0x7F800000]> : tensor<3xf32>
  // 1 + 2^-11 is a tie in f16, and goes to the even neighbour.
  // CHECK-DAG: %[[HALF:.*]] = brisk.constant dense<[1.000000e+00, 0x7C00, -1.500000e+00]> : tensor<3xf16>
  // CHECK-DAG: %[[MOD:.*]] = brisk.constant dense<[-1.000000e+00, 1.500000e+00, 3.000000e+00]> : tensor<3xf32>
  // CHECK: return %[[PRODUCT]], %[[MAX]], %[[HALF]], %[[MOD]]
  %column = brisk.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %row = brisk.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %nan = brisk.constant dense<[0x7FC00000, 2.0, 0x7F800000]> : tensor<3xf32>
  %other = brisk.constant dense<[1.0, -1.0, 3.0]> : tensor<3xf32>
  %h = brisk.constant dense<[1.0, 65504.0, -1.0]> : tensor<3xf16>
  %i = brisk.constant dense<[0.00048828125, 65504.0, -0.5]> : tensor<3xf16>
  %x = brisk.constant dense<[-10.0, 5.5, 3.0]> : tensor<3xf32>
  %y = brisk.constant dense<[3.0, 2.0, 0x7F800000]> : tensor<3xf32>
  %0 = brisk.mul %column, %row : (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = brisk.max %nan, %other : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = brisk.add %h, %i : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
  %3 = brisk.mod %x, %y {fmod} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0, %1, %2, %3 : tensor<2x2xf32>, tensor<3xf32>, tensor<3xf16>, tensor<3xf32>
}

// C's special cases, an exact large power, and integers.
// CHECK-LABEL: func.func @powers(
func.func @powers() -> (tensor<8xf32>, tensor<4xi32>, tensor<3xi64>) {
  // CHECK-DAG: %[[FLOAT:.*]] = brisk.constant dense<[1.000000e+00, 1.000000e+00, -1.250000e-01, 0x{{7|F}}FC00000, -0.000000e+00, 0x7F800000, 0x4CA02753, 2.82842708]> : tensor<8xf32>
  // CHECK-DAG: %[[INTEGER:.*]] = brisk.constant dense<[81, -1, 0, 0]> : tensor<4xi32>
  // CHECK-DAG: %[[ROOT:.*]] = brisk.constant dense<[3, 4, 1024]> : tensor<3xi64>
  // CHECK: return %[[FLOAT]], %[[INTEGER]], %[[ROOT]]
  %x = brisk.constant dense<[0x7FC00000, -1.0, -2.0, -2.0, -0.0, 0.0, 1.5, 2.0]> : tensor<8xf32>
  %y = brisk.constant dense<[0.0, 0x7F800000, -3.0, 0.5, 3.0, -2.0, 45.0, 1.5]> : tensor<8xf32>
  %i = brisk.constant dense<[3, -1, 2, 2]> : tensor<4xi32>
  %j = brisk.constant dense<[4, -7, 40, -1]> : tensor<4xi64>
  %k = brisk.constant dense<[9, 19, 4]> : tensor<3xi64>
  %e = brisk.constant dense<[0.5, 0.5, 5.0]> : tensor<3xf32>
  %0 = brisk.pow %x, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = brisk.pow %i, %j : (tensor<4xi32>, tensor<4xi64>) -> tensor<4xi32>
  %2 = brisk.pow %k, %e : (tensor<3xi64>, tensor<3xf32>) -> tensor<3xi64>
  return %0, %1, %2 : tensor<8xf32>, tensor<4xi32>, tensor<3xi64>
}

// Zero has no sign; NaN stays.
// CHECK-LABEL: func.func @sign(
func.func @sign() -> tensor<5xf32> {
  // CHECK: brisk.constant dense<[0.000000e+00, 0.000000e+00, -1.000000e+00, 1.000000e+00, 0x7FC00000]>
  %x = brisk.constant dense<[0.0, -0.0, -2.5, 0x7F800000, 0x7FC00000]> : tensor<5xf32>
  %0 = brisk.sign %x : (tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// Splats stay such, whatever their size.
// CHECK-LABEL: func.func @splat(
func.func @splat() -> tensor<4096x4096xf32> {
  // CHECK: brisk.constant dense<-3.000000e+00> : tensor<4096x4096xf32>
  %a = brisk.constant dense<1.5> : tensor<4096x1xf32>
  %b = brisk.constant dense<2.0> : tensor<1x4096xf32>
  %0 = brisk.mul %a, %b : (tensor<4096x1xf32>, tensor<1x4096xf32>) -> tensor<4096x4096xf32>
  %1 = brisk.neg %0 : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  return %1 : tensor<4096x4096xf32>
}

//===----------------------------------------------------------------------===//
// Identities
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @neutral(
// CHECK-SAME: %[[X:.*]]: tensor<3xf32>, %[[I:.*]]: tensor<3xi32>)
// CHECK-NEXT: return %[[X]], %[[I]]
func.func @neutral(%x: tensor<3xf32>, %i: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %zero = brisk.constant dense<0.0> : tensor<f32>
  %minus_zero = brisk.constant dense<-0.0> : tensor<1xf32>
  %one = brisk.constant dense<1.0> : tensor<3xf32>
  %none = brisk.constant dense<0> : tensor<i32>
  %0 = brisk.add %x, %minus_zero : (tensor<3xf32>, tensor<1xf32>) -> tensor<3xf32>
  %1 = brisk.sub %0, %zero : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = brisk.mul %one, %1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %3 = brisk.div %2, %one : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %4 = brisk.pow %3, %one : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %5 = brisk.neg %4 : (tensor<3xf32>) -> tensor<3xf32>
  %6 = brisk.neg %5 : (tensor<3xf32>) -> tensor<3xf32>
  %7 = brisk.add %none, %i : (tensor<i32>, tensor<3xi32>) -> tensor<3xi32>
  return %6, %7 : tensor<3xf32>, tensor<3xi32>
}

// What changes zeros' signs, NaN or the shape stays.
// CHECK-LABEL: func.func @not_neutral(
// CHECK: brisk.add
// CHECK: brisk.mul
// CHECK: brisk.mul
func.func @not_neutral(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) {
  %zero = brisk.constant dense<0.0> : tensor<f32>
  %ones = brisk.constant dense<1.0> : tensor<2x3xf32>
  %0 = brisk.add %x, %zero : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = brisk.mul %x, %zero : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = brisk.mul %x, %ones : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @relu_twice(
// CHECK: %[[RELU:.*]] = brisk.max
// CHECK-NEXT: return %[[RELU]]
func.func @relu_twice(%x: tensor<3xf32>) -> tensor<3xf32> {
  %a = brisk.constant dense<0.0> : tensor<f32>
  %b = brisk.constant dense<0.0> : tensor<f32>
  %0 = brisk.max %x, %a : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = brisk.max %0, %b : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: func.func @simple_powers(
// CHECK-SAME: %[[X:.*]]: tensor<3xf32>)
// CHECK-DAG: %[[SQUARE:.*]] = brisk.mul %[[X]], %[[X]]
// CHECK-DAG: %[[CUBE:.*]] = brisk.mul %{{.*}}, %[[X]]
// Of -0 and -inf, the root is another.
// CHECK-DAG: %[[ROOT:.*]] = brisk.pow %[[X]]
// CHECK-DAG: %[[INVERSE:.*]] = brisk.reciprocal %[[X]]
// CHECK: return %[[SQUARE]], %{{.*}}, %[[ROOT]], %[[INVERSE]]
func.func @simple_powers(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %two = brisk.constant dense<2.0> : tensor<f32>
  %three = brisk.constant dense<3> : tensor<i64>
  %half = brisk.constant dense<0.5> : tensor<3xf32>
  %minus = brisk.constant dense<-1.0> : tensor<f32>
  %0 = brisk.pow %x, %two : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = brisk.pow %x, %three : (tensor<3xf32>, tensor<i64>) -> tensor<3xf32>
  %2 = brisk.pow %x, %half : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %3 = brisk.pow %x, %minus : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// The least integer has no absolute value; roots are rounded once; NaN goes through.
// CHECK-LABEL: func.func @sizes(
func.func @sizes() -> (tensor<3xi8>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  // CHECK-DAG: %[[ABS:.*]] = brisk.constant dense<[-128, 127, 0]> : tensor<3xi8>
  // CHECK-DAG: %[[SIZE:.*]] = brisk.constant dense<[0.000000e+00, 2.000000e+00, 0x7FC00000]> : tensor<3xf32>
  // CHECK-DAG: %[[ROOT:.*]] = brisk.constant dense<[-0.000000e+00, 1.41421354, 0x7FC00000]> : tensor<3xf32>
  // CHECK-DAG: %[[MIN:.*]] = brisk.constant dense<[-1.000000e+00, 2.000000e+00, 0x7FC00000]> : tensor<3xf32>
  // CHECK: return %[[ABS]], %[[SIZE]], %[[ROOT]], %[[MIN]]
  %i = brisk.constant dense<[-128, -127, 0]> : tensor<3xi8>
  %x = brisk.constant dense<[-0.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %y = brisk.constant dense<[-1.0, 3.0, 1.0]> : tensor<3xf32>
  %0 = brisk.abs %i : (tensor<3xi8>) -> tensor<3xi8>
  %1 = brisk.abs %x : (tensor<3xf32>) -> tensor<3xf32>
  %2 = brisk.sqrt %x : (tensor<3xf32>) -> tensor<3xf32>
  %3 = brisk.min %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0, %1, %2, %3 : tensor<3xi8>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
