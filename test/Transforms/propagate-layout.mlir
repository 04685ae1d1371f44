// RUN: brisk-opt %s --propagate-layout --canonicalize | FileCheck %s

// Two convolutions with ops between that were written channels-first: one
// transpose on the way in, one on the way out.
// CHECK-LABEL: func.func @chain(
// CHECK-COUNT-1: brisk.transpose
// CHECK: brisk.conv
// CHECK-NOT: brisk.transpose
// CHECK: brisk.add {{.*}} : (tensor<1x4x6x8xf32>, tensor<8xf32>) -> tensor<1x4x6x8xf32>
// CHECK: brisk.max
// CHECK: brisk.conv
// CHECK-COUNT-1: brisk.transpose
// CHECK-NOT: brisk.transpose
func.func @chain(%x: tensor<1x8x4x6xf32>, %w: tensor<1x1x8x8xf32>) -> tensor<1x8x4x6xf32> {
  %zero = brisk.constant dense<0.0> : tensor<f32>
  %bias = brisk.constant dense<[[[0.0]], [[1.0]], [[2.0]], [[3.0]], [[4.0]], [[5.0]], [[6.0]], [[7.0]]]> : tensor<8x1x1xf32>
  %0 = brisk.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
  %1 = brisk.conv %0, %w : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  %2 = brisk.transpose %1 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  %3 = brisk.add %2, %bias : (tensor<1x8x4x6xf32>, tensor<8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %4 = brisk.max %3, %zero : (tensor<1x8x4x6xf32>, tensor<f32>) -> tensor<1x8x4x6xf32>
  %5 = brisk.transpose %4 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
  %6 = brisk.conv %5, %w : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  %7 = brisk.transpose %6 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  return %7 : tensor<1x8x4x6xf32>
}

// Squeeze and excite: the pooled branch has nothing to transpose.
// CHECK-LABEL: func.func @squeeze_excite(
// CHECK: %[[AXES:.*]] = brisk.constant dense<[1, 2]>
// CHECK-NOT: brisk.transpose
// CHECK: brisk.reduce mean %{{.*}}, %[[AXES]] {keepdims{{.*}}} : {{.*}} -> tensor<1x1x1x8xf32>
// CHECK: brisk.conv
// CHECK: brisk.sigmoid
// CHECK: brisk.mul {{.*}} -> tensor<1x4x6x8xf32>
// CHECK-NOT: brisk.transpose
func.func @squeeze_excite(%x: tensor<1x4x6x8xf32>, %w: tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32> {
  %axes = brisk.constant dense<[2, 3]> : tensor<2xi64>
  %0 = brisk.conv %x, %w : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  %1 = brisk.transpose %0 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  %2 = brisk.reduce mean %1, %axes {keepdims} : (tensor<1x8x4x6xf32>, tensor<2xi64>) -> tensor<1x8x1x1xf32>
  %3 = brisk.transpose %2 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x8x1x1xf32>) -> tensor<1x1x1x8xf32>
  %4 = brisk.conv %3, %w : (tensor<1x1x1x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x1x1x8xf32>
  %5 = brisk.transpose %4 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x1x1x8xf32>) -> tensor<1x8x1x1xf32>
  %6 = brisk.sigmoid %5 : (tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32>
  %7 = brisk.mul %1, %6 : (tensor<1x8x4x6xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x4x6xf32>
  %8 = brisk.transpose %7 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x8x4x6xf32>) -> tensor<1x4x6x8xf32>
  %9 = brisk.conv %8, %w : (tensor<1x4x6x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x6x8xf32>
  return %9 : tensor<1x4x6x8xf32>
}

// Ops that name dimensions name the moved ones.
// CHECK-LABEL: func.func @parameters(
// CHECK-NOT: brisk.transpose
// CHECK: brisk.concat {{.*}} {axis = 3 : i64} : {{.*}} -> tensor<1x4x6x16xf32>
// CHECK: brisk.slice {{.*}} -> tensor<1x4x3x16xf32>
// CHECK: brisk.pad {{.*}} -> tensor<1x4x5x16xf32>
// CHECK: brisk.resize {{.*}}axes = array<i64: 0, 3, 1, 2>{{.*}} -> tensor<1x8x10x16xf32>
// CHECK: brisk.softmax {{.*}} {axis = 3 : i64}
// CHECK-NOT: brisk.transpose
func.func @parameters(%x: tensor<1x4x6x8xf32>, %w: tensor<1x1x16x8xf32>) -> tensor<1x8x10x8xf32> {
  %start = brisk.constant dense<5> : tensor<1xi64>
  %end = brisk.constant dense<-100> : tensor<1xi64>
  %axis = brisk.constant dense<3> : tensor<1xi64>
  %step = brisk.constant dense<-2> : tensor<1xi64>
  %pads = brisk.constant dense<[0, 0, 0, 1, 0, 0, 0, 1]> : tensor<8xi64>
  %scales = brisk.constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  %0 = brisk.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  %1 = brisk.max_pool %x {kernel_shape = array<i64: 1, 1>} : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %2 = brisk.transpose %1 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  %3 = brisk.concat %0, %2 {axis = 1 : i64} : (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) -> tensor<1x16x4x6xf32>
  %4 = brisk.slice %3, %start, %end axes %axis steps %step
      : (tensor<1x16x4x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x16x4x3xf32>
  %5 = brisk.pad constant %4, %pads : (tensor<1x16x4x3xf32>, tensor<8xi64>) -> tensor<1x16x4x5xf32>
  %6 = brisk.resize %5 scales %scales : (tensor<1x16x4x5xf32>, tensor<4xf32>) -> tensor<1x16x8x10xf32>
  %7 = brisk.softmax %6 {axis = 1 : i64} : (tensor<1x16x8x10xf32>) -> tensor<1x16x8x10xf32>
  %8 = brisk.transpose %7 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x16x8x10xf32>) -> tensor<1x8x10x16xf32>
  %9 = brisk.conv %8, %w : (tensor<1x8x10x16xf32>, tensor<1x1x16x8xf32>) -> tensor<1x8x10x8xf32>
  return %9 : tensor<1x8x10x8xf32>
}

// A reshape moves as far as its dimensions stay together.
// CHECK-LABEL: func.func @patches(
// CHECK-NOT: brisk.transpose
// CHECK: brisk.reshape {{.*}} -> tensor<1x24x8xf32>
// CHECK-NOT: brisk.transpose
func.func @patches(%x: tensor<1x4x6x8xf32>, %w: tensor<8x8xf32>) -> tensor<1x24x8xf32> {
  %shape = brisk.constant dense<[1, 8, 24]> : tensor<3xi64>
  %0 = brisk.max_pool %x {kernel_shape = array<i64: 1, 1>} : (tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %1 = brisk.transpose %0 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  %2 = brisk.reshape %1, %shape : (tensor<1x8x4x6xf32>, tensor<3xi64>) -> tensor<1x8x24xf32>
  %3 = brisk.transpose %2 {permutation = array<i64: 0, 2, 1>} : (tensor<1x8x24xf32>) -> tensor<1x24x8xf32>
  %4 = brisk.matmul %3, %w : (tensor<1x24x8xf32>, tensor<8x8xf32>) -> tensor<1x24x8xf32>
  return %4 : tensor<1x24x8xf32>
}

// A transpose that moves only ones is a reshape, and none is added where the
// ops on both sides of an elementwise op disagree.
// CHECK-LABEL: func.func @ones(
// CHECK-NOT: brisk.transpose
// CHECK: brisk.reshape
func.func @ones(%x: tensor<1x8x1x1xf32>) -> tensor<1x1x1x8xf32> {
  %0 = brisk.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x8x1x1xf32>) -> tensor<1x1x1x8xf32>
  return %0 : tensor<1x1x1x8xf32>
}

// CHECK-LABEL: func.func @one_remains(
// CHECK-COUNT-1: brisk.transpose
// CHECK-NOT: brisk.transpose
func.func @one_remains(%x: tensor<1x4x6x8xf32>, %y: tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32> {
  %0 = brisk.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x6x8xf32>) -> tensor<1x8x4x6xf32>
  %1 = brisk.add %0, %y : (tensor<1x8x4x6xf32>, tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>
  %2 = brisk.tanh %1 : (tensor<1x8x4x6xf32>) -> tensor<1x8x4x6xf32>
  return %2 : tensor<1x8x4x6xf32>
}

// Regions of other dialects may use what is no tensor.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
func.func @loop(%x: memref<4xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    %0 = memref.load %x[%c1] : memref<4xf32>
    memref.store %0, %x[%i] : memref<4xf32>
  }
  return
}

// A loop that does nothing is not taken away while its block waits.
// CHECK-LABEL: func.func @dead_loop(
func.func @dead_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}
