// RUN: brisk-opt %s --set-target=cooperlake --choose-product-types=to=bf16 --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: brisk-opt %s --set-target=x86-64-v4 --choose-product-types=to=bf16 --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,WEIGHTS
// RUN: brisk-opt %s --set-target=cooperlake --choose-product-types --canonicalize --cse | FileCheck %s --check-prefix=PAIRS
// RUN: brisk-opt %s --set-target=x86-64-v4 --choose-product-types --canonicalize --cse | FileCheck %s --check-prefix=NONE
// RUN: brisk-opt %s --set-target=cortex-m4 --choose-product-types --canonicalize --cse | FileCheck %s --check-prefix=SCALARS
// RUN: brisk-opt %s --set-target=graniterapids --choose-product-types=to=f16 --canonicalize --cse | FileCheck %s --check-prefix=TILES
// RUN: brisk-opt %s --set-target=graniterapids --choose-product-types --canonicalize --cse | FileCheck %s --check-prefix=OWN
// RUN: brisk-opt %s --choose-product-types=to=bf16 --canonicalize --cse | FileCheck %s --check-prefix=PAIRS

// Where the target adds up products of bf16, both sides become that; elsewhere
// weights alone, and sums are f32 in any case.
// CHECK-LABEL: func.func @weights(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<3.000000e+00> : tensor<8x2xbf16>
// BOTH: %[[N:.*]] = brisk.cast %[[X]] {to = bf16}
// BOTH: %[[R:.*]] = brisk.matmul %[[N]], %[[W]] : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
// WEIGHTS: %[[R:.*]] = brisk.matmul %[[X]], %[[W]] : (tensor<4x8xf32>, tensor<8x2xbf16>) -> tensor<4x2xf32>
// CHECK: return %[[R]]
// NONE-LABEL: func.func @weights(
// NONE: brisk.matmul {{.*}} : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
func.func @weights(%x: tensor<4x8xf32>) -> tensor<4x2xf32> {
  %w = brisk.constant dense<3.001> : tensor<8x2xf32>
  %0 = brisk.matmul %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// What is computed is rounded only for an instruction, and before it is moved;
// of parts, all at once.
// CHECK-LABEL: func.func @moved(
// CHECK-SAME: %[[X:.*]]: tensor<2x8xf32>, %[[Y:.*]]: tensor<4x2xf32>
// BOTH-DAG: %[[N:.*]] = brisk.cast %[[X]] {to = bf16} : (tensor<2x8xf32>) -> tensor<2x8xbf16>
// BOTH-DAG: %[[A:.*]] = brisk.slice %[[N]], {{.*}} -> tensor<2x4xbf16>
// BOTH-DAG: %[[B:.*]] = brisk.slice %[[N]], {{.*}} -> tensor<2x4xbf16>
// BOTH-DAG: %[[T:.*]] = brisk.transpose %[[A]] {{.*}} -> tensor<4x2xbf16>
// BOTH: brisk.matmul %[[T]], %[[B]] : (tensor<4x2xbf16>, tensor<2x4xbf16>) -> tensor<4x4xf32>
// WEIGHTS-NOT: brisk.cast
// WEIGHTS: brisk.matmul {{.*}} : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
func.func @moved(%x: tensor<2x8xf32>, %y: tensor<4x2xf32>) -> tensor<4x4xf32> {
  %zero = brisk.constant dense<0> : tensor<1xi64>
  %one = brisk.constant dense<1> : tensor<1xi64>
  %half = brisk.constant dense<4> : tensor<1xi64>
  %end = brisk.constant dense<8> : tensor<1xi64>
  %a = brisk.slice %x, %zero, %half axes %one : (tensor<2x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x4xf32>
  %b = brisk.slice %x, %half, %end axes %one : (tensor<2x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x4xf32>
  %t = brisk.transpose %a {permutation = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %0 = brisk.matmul %t, %b : (tensor<4x2xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// What is used as f32 too is not rounded for all: only behind it.
// CHECK-LABEL: func.func @shared(
// CHECK-SAME: %[[X:.*]]: tensor<2x8xf32>
// BOTH: %[[N:.*]] = brisk.cast %[[X]] {to = bf16}
// BOTH: %[[T:.*]] = brisk.transpose %[[X]]
// BOTH: %[[M:.*]] = brisk.cast %[[T]] {to = bf16}
// BOTH: brisk.matmul %[[N]], %[[M]]
func.func @shared(%x: tensor<2x8xf32>) -> (tensor<2x2xf32>, tensor<8x2xf32>) {
  %t = brisk.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %0 = brisk.matmul %x, %t : (tensor<2x8xf32>, tensor<8x2xf32>) -> tensor<2x2xf32>
  return %0, %t : tensor<2x2xf32>, tensor<8x2xf32>
}

// Filters of single channels are weights, too, but no instruction adds up what
// they multiply.
// CHECK-LABEL: func.func @depthwise(
// CHECK: brisk.conv {{.*}} : (tensor<1x4x4x8xf32>, tensor<3x3x1x8xbf16>, tensor<8xf32>) -> tensor<1x2x2x8xf32>
func.func @depthwise(%x: tensor<1x4x4x8xf32>, %bias: tensor<8xf32>) -> tensor<1x2x2x8xf32> {
  %w = brisk.constant dense<3.001> : tensor<3x3x1x8xf32>
  %0 = brisk.conv %x, %w, %bias {group = 8} : (tensor<1x4x4x8xf32>, tensor<3x3x1x8xf32>, tensor<8xf32>) -> tensor<1x2x2x8xf32>
  return %0 : tensor<1x2x2x8xf32>
}

// Not what would overflow, nor what plain loops compute.
// CHECK-LABEL: func.func @not(
// CHECK: brisk.matmul {{.*}} : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
// CHECK: brisk.matmul {{.*}} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
// CHECK: brisk.conv {{.*}} : (tensor<1x4x4x8xf32>, tensor<3x3x4x8xf32>) -> tensor<1x2x2x8xf32>
// CHECK: brisk.matmul {{.*}} : (tensor<4x8xf64>, tensor<8x2xf64>) -> tensor<4x2xf64>
func.func @not(%x: tensor<4x8xf32>, %y: tensor<1x4x4x8xf32>, %z: tensor<4x8xf64>)
    -> (tensor<4x2xf32>, tensor<4xf32>, tensor<1x2x2x8xf32>, tensor<4x2xf64>) {
  %huge = brisk.constant dense<3.4e38> : tensor<8x2xf32>
  %v = brisk.constant dense<3.0> : tensor<8xf32>
  %w = brisk.constant dense<3.0> : tensor<3x3x4x8xf32>
  %d = brisk.constant dense<3.0> : tensor<8x2xf64>
  %0 = brisk.matmul %x, %huge : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %1 = brisk.matmul %x, %v : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4xf32>
  %2 = brisk.conv %y, %w {group = 2} : (tensor<1x4x4x8xf32>, tensor<3x3x4x8xf32>) -> tensor<1x2x2x8xf32>
  %3 = brisk.matmul %z, %d : (tensor<4x8xf64>, tensor<8x2xf64>) -> tensor<4x2xf64>
  return %0, %1, %2, %3 : tensor<4x2xf32>, tensor<4xf32>, tensor<1x2x2x8xf32>, tensor<4x2xf64>
}

// A model of bf16 keeps its products where there is an instruction for them;
// else they are of f32 and weights of bf16, rounded at the end. Scalars are
// extended one by one wherever that is.
// PAIRS-LABEL: func.func @narrow(
// PAIRS: brisk.matmul {{.*}} : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
// NONE-LABEL: func.func @narrow(
// NONE-SAME: %[[X:.*]]: tensor<4x8xbf16>
// NONE: %[[E:.*]] = brisk.cast %[[X]] {to = f32}
// NONE: %[[M:.*]] = brisk.matmul %[[E]], {{.*}} : (tensor<4x8xf32>, tensor<8x2xbf16>) -> tensor<4x2xf32>
// NONE: %[[R:.*]] = brisk.cast %[[M]] {to = bf16}
// NONE: return %[[R]]
// SCALARS-LABEL: func.func @narrow(
// SCALARS: brisk.matmul {{.*}} : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
func.func @narrow(%x: tensor<4x8xbf16>) -> tensor<4x2xbf16> {
  %w = brisk.constant dense<3.0> : tensor<8x2xbf16>
  %0 = brisk.matmul %x, %w : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
  return %0 : tensor<4x2xbf16>
}

// Where the operands become f32, the bias does, too.
// NONE-LABEL: func.func @bias(
// NONE: %[[E:.*]] = brisk.cast %{{.*}} {to = f32} : (tensor<1x4x4x8xf16>)
// NONE: brisk.conv %[[E]], %{{.*}}, %{{.*}} : (tensor<1x4x4x8xf32>, tensor<3x3x8x8xf16>, tensor<8xf32>) -> tensor<1x2x2x8xf32>
// NONE: brisk.cast {{.*}} {to = f16}
func.func @bias(%x: tensor<1x4x4x8xf16>) -> tensor<1x2x2x8xf16> {
  %w = brisk.constant dense<3.0> : tensor<3x3x8x8xf16>
  %b = brisk.constant dense<1.0> : tensor<8xf16>
  %0 = brisk.conv %x, %w, %b : (tensor<1x4x4x8xf16>, tensor<3x3x8x8xf16>, tensor<8xf16>) -> tensor<1x2x2x8xf16>
  return %0 : tensor<1x2x2x8xf16>
}

// An instruction of tile registers alone: of f16 where these are filled, by
// weights, enough rows, and elements in steps of at least 16; else as without it.
// TILES-LABEL: func.func @filled(
// TILES-SAME: %[[X:.*]]: tensor<16x32xf32>, %[[Y:.*]]: tensor<15x32xf32>, %[[Z:.*]]: tensor<16x38xf32>
// TILES-DAG: %[[N:.*]] = brisk.cast %[[X]] {to = f16}
// TILES-DAG: brisk.matmul %[[N]], {{.*}} : (tensor<16x32xf16>, tensor<32x2xf16>) -> tensor<16x2xf32>
// TILES-DAG: brisk.matmul %[[Y]], {{.*}} : (tensor<15x32xf32>, tensor<32x2xf16>) -> tensor<15x2xf32>
// TILES-DAG: brisk.matmul %[[Z]], {{.*}} : (tensor<16x38xf32>, tensor<38x2xf16>) -> tensor<16x2xf32>
// TILES-DAG: brisk.matmul %[[X]], {{.*}} : (tensor<16x32xf32>, tensor<32x15xf32>) -> tensor<16x15xf32>
func.func @filled(%x: tensor<16x32xf32>, %y: tensor<15x32xf32>, %z: tensor<16x38xf32>) -> (tensor<16x2xf32>, tensor<15x2xf32>, tensor<16x2xf32>, tensor<16x15xf32>) {
  %v = brisk.constant dense<3.0> : tensor<32x2xf32>
  %w = brisk.constant dense<3.0> : tensor<38x2xf32>
  %0 = brisk.matmul %x, %v : (tensor<16x32xf32>, tensor<32x2xf32>) -> tensor<16x2xf32>
  %1 = brisk.matmul %y, %v : (tensor<15x32xf32>, tensor<32x2xf32>) -> tensor<15x2xf32>
  %2 = brisk.matmul %z, %w : (tensor<16x38xf32>, tensor<38x2xf32>) -> tensor<16x2xf32>
  %t = brisk.transpose %y {permutation = array<i64: 1, 0>} : (tensor<15x32xf32>) -> tensor<32x15xf32>
  %3 = brisk.matmul %x, %t : (tensor<16x32xf32>, tensor<32x15xf32>) -> tensor<16x15xf32>
  return %0, %1, %2, %3 : tensor<16x2xf32>, tensor<15x2xf32>, tensor<16x2xf32>, tensor<16x15xf32>
}

// Taps of a window that lie next to each other are one row.
// TILES-LABEL: func.func @windows(
// TILES: brisk.conv {{.*}} : (tensor<1x6x6x8xf16>, tensor<3x3x8x8xf16>) -> tensor<1x4x4x8xf32>
// TILES: brisk.conv {{.*}} : (tensor<1x8x8x8xf32>, tensor<3x3x8x8xf16>) -> tensor<1x4x4x8xf32>
func.func @windows(%x: tensor<1x6x6x8xf32>, %y: tensor<1x8x8x8xf32>) -> (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) {
  %w = brisk.constant dense<3.0> : tensor<3x3x8x8xf32>
  %0 = brisk.conv %x, %w : (tensor<1x6x6x8xf32>, tensor<3x3x8x8xf32>) -> tensor<1x4x4x8xf32>
  %1 = brisk.conv %y, %w {dilations = array<i64: 2, 2>} : (tensor<1x8x8x8xf32>, tensor<3x3x8x8xf32>) -> tensor<1x4x4x8xf32>
  return %0, %1 : tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>
}

// A model of f16 keeps what fills them.
// OWN-LABEL: func.func @own(
// OWN: brisk.matmul {{.*}} : (tensor<16x32xf16>, tensor<32x2xf16>) -> tensor<16x2xf16>
// OWN: brisk.matmul {{.*}} : (tensor<15x32xf32>, tensor<32x2xf16>) -> tensor<15x2xf32>
// NONE-LABEL: func.func @own(
// NONE: brisk.matmul {{.*}} : (tensor<16x32xf32>, tensor<32x2xf16>) -> tensor<16x2xf32>
func.func @own(%x: tensor<16x32xf16>, %y: tensor<15x32xf16>) -> (tensor<16x2xf16>, tensor<15x2xf16>) {
  %w = brisk.constant dense<3.0> : tensor<32x2xf16>
  %0 = brisk.matmul %x, %w : (tensor<16x32xf16>, tensor<32x2xf16>) -> tensor<16x2xf16>
  %1 = brisk.matmul %y, %w : (tensor<15x32xf16>, tensor<32x2xf16>) -> tensor<15x2xf16>
  return %0, %1 : tensor<16x2xf16>, tensor<15x2xf16>
}
