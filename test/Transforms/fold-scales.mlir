// RUN: brisk-opt %s --fold-scales --canonicalize | FileCheck %s

// Batch normalization behind the transpose that makes the convolution's result
// channels-first.
// CHECK-LABEL: func.func @batch_norm(
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<{{\[\[\[\[}}1.000000e+01, 4.000000e+01]]]]> : tensor<1x1x1x2xf32>
// CHECK-DAG: %[[B:.*]] = brisk.constant dense<[3.000000e+00, 4.000000e+00]>
// CHECK: %[[C:.*]] = brisk.conv %{{.*}}, %[[W]], %[[B]]
// CHECK: %[[T:.*]] = brisk.transpose %[[C]]
// CHECK-NEXT: return %[[T]]
func.func @batch_norm(%x: tensor<1x4x4x1xf32>) -> tensor<1x2x4x4xf32> {
  %w = brisk.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>
  %s = brisk.constant dense<[[[10.0]], [[20.0]]]> : tensor<2x1x1xf32>
  %b = brisk.constant dense<[[[[3.0]], [[4.0]]]]> : tensor<1x2x1x1xf32>
  %0 = brisk.conv %x, %w : (tensor<1x4x4x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x4x2xf32>
  %1 = brisk.transpose %0 {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x2xf32>) -> tensor<1x2x4x4xf32>
  %2 = brisk.mul %1, %s : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %3 = brisk.add %2, %b : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %3 : tensor<1x2x4x4xf32>
}

// The bias that is there takes part; subtraction and division do as well.
// CHECK-LABEL: func.func @all(
// CHECK-DAG: brisk.constant dense<{{\[\[\[\[}}-5.000000e-01, -1.000000e+00]]]]>
// CHECK-DAG: brisk.constant dense<5.000000e-01> : tensor<2xf32>
// CHECK: %[[C:.*]] = brisk.conv
// CHECK-NEXT: return %[[C]]
func.func @all(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x2xf32> {
  %w = brisk.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>
  %bias = brisk.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %c = brisk.constant dense<[4.0, 5.0]> : tensor<2xf32>
  %two = brisk.constant dense<2.0> : tensor<f32>
  %0 = brisk.conv %x, %w, %bias : (tensor<1x4x4x1xf32>, tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %1 = brisk.sub %c, %0 : (tensor<2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = brisk.div %1, %two : (tensor<1x4x4x2xf32>, tensor<f32>) -> tensor<1x4x4x2xf32>
  return %2 : tensor<1x4x4x2xf32>
}

// The channels of a grouped transposed convolution are spread over two
// dimensions of its weights.
// CHECK-LABEL: func.func @grouped(
// CHECK-DAG: brisk.constant dense<{{\[\[\[}}2.000000e+00], [3.000000e+00]]]>
// CHECK: %[[C:.*]] = brisk.conv_transpose
// CHECK-NEXT: return %[[C]]
func.func @grouped(%x: tensor<1x4x2xf32>) -> tensor<1x4x2xf32> {
  %w = brisk.constant dense<1.0> : tensor<1x2x1xf32>
  %s = brisk.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %0 = brisk.conv_transpose %x, %w {group = 2 : i64} : (tensor<1x4x2xf32>, tensor<1x2x1xf32>) -> tensor<1x4x2xf32>
  %1 = brisk.mul %0, %s : (tensor<1x4x2xf32>, tensor<2xf32>) -> tensor<1x4x2xf32>
  return %1 : tensor<1x4x2xf32>
}

// A matrix product has no bias: the offset stays, scaled.
// CHECK-LABEL: func.func @product(
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<{{\[\[}}2.000000e+00, 3.000000e+00]]>
// CHECK-DAG: %[[B:.*]] = brisk.constant dense<[9.000000e+00, 1.600000e+01]>
// CHECK: %[[M:.*]] = brisk.matmul %{{.*}}, %[[W]]
// CHECK: %[[R:.*]] = brisk.add %[[M]], %[[B]]
// CHECK-NEXT: return %[[R]]
func.func @product(%x: tensor<4x1xf32>) -> tensor<4x2xf32> {
  %w = brisk.constant dense<1.0> : tensor<1x2xf32>
  %b = brisk.constant dense<[4.0, 5.0]> : tensor<2xf32>
  %s = brisk.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %one = brisk.constant dense<1.0> : tensor<f32>
  %0 = brisk.matmul %x, %w : (tensor<4x1xf32>, tensor<1x2xf32>) -> tensor<4x2xf32>
  %1 = brisk.add %0, %b : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %2 = brisk.mul %1, %s : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %3 = brisk.add %2, %one : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  return %3 : tensor<4x2xf32>
}

// The scales of queries and keys go to the weights of one of them.
// CHECK-LABEL: func.func @attention(
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<1.000000e+00> : tensor<4x4xf32>
// CHECK-DAG: %[[SCALED:.*]] = brisk.constant dense<2.500000e-01> : tensor<4x4xf32>
// CHECK-NOT: brisk.mul
func.func @attention(%x: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %w = brisk.constant dense<1.0> : tensor<4x4xf32>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %0 = brisk.matmul %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %1 = brisk.mul %0, %s : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  %2 = brisk.matmul %x, %w : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %3 = brisk.transpose %2 {permutation = array<i64: 1, 0>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %4 = brisk.mul %3, %s : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %5 = brisk.matmul %1, %4 : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %5 : tensor<8x8xf32>
}

// Without weights to take them, one scale is left of two.
// CHECK-LABEL: func.func @merged(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<4x8xf32>
// CHECK: %[[S:.*]] = brisk.constant dense<2.500000e-01>
// CHECK: %[[M:.*]] = brisk.matmul %[[A]], %[[B]]
// CHECK: brisk.mul %[[M]], %[[S]]
func.func @merged(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %0 = brisk.mul %a, %s : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  %1 = brisk.mul %b, %s : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %2 = brisk.matmul %0, %1 : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// Not per channel, used elsewhere, or not finite: left alone.
// CHECK-LABEL: func.func @kept(
// CHECK: brisk.mul
// CHECK: brisk.mul
// CHECK: brisk.div
func.func @kept(%x: tensor<1x2x2x1xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %w = brisk.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>
  %s = brisk.constant dense<[[2.0], [3.0]]> : tensor<2x1xf32>
  %c = brisk.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %zero = brisk.constant dense<0.0> : tensor<f32>
  %0 = brisk.conv %x, %w : (tensor<1x2x2x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %1 = brisk.mul %0, %s : (tensor<1x2x2x2xf32>, tensor<2x1xf32>) -> tensor<1x2x2x2xf32>
  %2 = brisk.conv %x, %w {dilations = array<i64: 1, 1>} : (tensor<1x2x2x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = brisk.mul %2, %c : (tensor<1x2x2x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %4 = brisk.conv %x, %w {strides = array<i64: 1, 1>} : (tensor<1x2x2x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %5 = brisk.div %4, %zero : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  return %1, %2, %3, %5 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
}

// (x + a) + b is not x + (a + b): the usual way to round x to an integer adds
// and subtracts 1.5 * 2^23.
// CHECK-LABEL: func.func @offsets(
// CHECK-SAME: %[[X:.*]]: tensor<2x2xf32>
// CHECK-DAG: %[[A:.*]] = brisk.constant dense<0x4B400000> : tensor<f32>
// CHECK-DAG: %[[B:.*]] = brisk.constant dense<0xCB400000> : tensor<f32>
// CHECK: %[[SUM:.*]] = brisk.add %[[X]], %[[A]]
// CHECK: %[[ROUNDED:.*]] = brisk.add %[[SUM]], %[[B]]
// CHECK: return %[[ROUNDED]]
func.func @offsets(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %a = brisk.constant dense<12582912.0> : tensor<f32>
  %b = brisk.constant dense<-12582912.0> : tensor<f32>
  %0 = brisk.add %x, %a : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %1 = brisk.add %0, %b : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// Nor is it so behind a product, with or without a bias, scaled or not.
// CHECK-LABEL: func.func @offsets_of_products(
// CHECK-NOT: return
// CHECK: %[[C:.*]] = brisk.conv %{{[^,]*}}, %{{[^,]*}} :
// CHECK: %[[CA:.*]] = brisk.add %[[C]]
// CHECK: %[[CB:.*]] = brisk.sub %[[CA]]
// CHECK: %[[D:.*]] = brisk.conv %{{[^,]*}}, %{{[^,]*}} {
// CHECK: %[[DA:.*]] = brisk.add %[[D]]
// CHECK: %[[DB:.*]] = brisk.sub %[[DA]]
// CHECK: %[[M:.*]] = brisk.matmul
// CHECK: %[[MA:.*]] = brisk.add %[[M]]
// CHECK: %[[MS:.*]] = brisk.mul %[[MA]]
// CHECK: %[[MB:.*]] = brisk.sub %[[MS]]
// CHECK: return %[[CB]], %[[DB]], %[[MB]]
func.func @offsets_of_products(%x: tensor<1x2x2x1xf32>, %y: tensor<4x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<4x2xf32>) {
  %w = brisk.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>
  %a = brisk.constant dense<12582912.0> : tensor<f32>
  %bias = brisk.constant dense<12582912.0> : tensor<2xf32>
  %v = brisk.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %s = brisk.constant dense<3.0> : tensor<f32>
  %0 = brisk.conv %x, %w : (tensor<1x2x2x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %1 = brisk.add %0, %a : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %2 = brisk.sub %1, %a : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %3 = brisk.conv %x, %w, %bias {strides = array<i64: 1, 1>} : (tensor<1x2x2x1xf32>, tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %4 = brisk.sub %3, %a : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %5 = brisk.matmul %y, %v : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  %6 = brisk.add %5, %a : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %7 = brisk.mul %6, %s : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  %8 = brisk.sub %7, %a : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  return %2, %4, %8 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>, tensor<4x2xf32>
}

// The bias of the model takes one offset, not two in a row.
// CHECK-LABEL: func.func @small_offsets(
// CHECK-DAG: %[[BIAS:.*]] = brisk.constant dense<[4.000000e+00, 5.000000e+00]> : tensor<2xf32>
// CHECK: %[[C:.*]] = brisk.conv %{{.*}}, %{{.*}}, %[[BIAS]]
// CHECK: %[[D:.*]] = brisk.conv
// CHECK: %[[A:.*]] = brisk.add %[[D]]
// CHECK: %[[B:.*]] = brisk.add %[[A]]
// CHECK: return %[[C]], %[[B]]
func.func @small_offsets(%x: tensor<1x2x2x1xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %w = brisk.constant dense<[[[[1.0, 2.0]]]]> : tensor<1x1x1x2xf32>
  %bias = brisk.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %one = brisk.constant dense<1.0> : tensor<f32>
  %tenth = brisk.constant dense<0.1> : tensor<f32>
  %0 = brisk.conv %x, %w, %bias : (tensor<1x2x2x1xf32>, tensor<1x1x1x2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %1 = brisk.add %0, %one : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %2 = brisk.conv %x, %w {strides = array<i64: 1, 1>} : (tensor<1x2x2x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %3 = brisk.add %2, %one : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %4 = brisk.add %3, %tenth : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  return %1, %4 : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
}

// A scale that the weights or a number could not hold stays.
// CHECK-LABEL: func.func @out_of_range(
// CHECK: brisk.conv
// CHECK-NEXT: brisk.mul
// CHECK: %[[A:.*]] = brisk.mul
// CHECK: %[[B:.*]] = brisk.mul
// CHECK: brisk.matmul %[[A]], %[[B]]
func.func @out_of_range(%x: tensor<1x2x2x1xf32>, %a: tensor<8x4xf32>, %b: tensor<4x8xf32>) -> (tensor<1x2x2x2xf32>, tensor<8x8xf32>) {
  %w = brisk.constant dense<[[[[1.0e20, 0.0]]]]> : tensor<1x1x1x2xf32>
  %large = brisk.constant dense<1.0e20> : tensor<f32>
  %small = brisk.constant dense<1.0e-30> : tensor<f32>
  %0 = brisk.conv %x, %w : (tensor<1x2x2x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x2x2x2xf32>
  %1 = brisk.mul %0, %large : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
  %2 = brisk.mul %a, %small : (tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>
  %3 = brisk.mul %b, %small : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %4 = brisk.matmul %2, %3 : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %1, %4 : tensor<1x2x2x2xf32>, tensor<8x8xf32>
}

// 16-bit floats are rounded by every op.
// CHECK-LABEL: func @sixteen_bits
func.func @sixteen_bits(%x: tensor<2x4xf16>) -> tensor<2x4xf16> {
  // CHECK: brisk.matmul
  // CHECK: brisk.mul
  %w = brisk.constant dense<0.5> : tensor<4x4xf16>
  %s = brisk.constant dense<3.0> : tensor<f16>
  %0 = brisk.matmul %x, %w : (tensor<2x4xf16>, tensor<4x4xf16>) -> tensor<2x4xf16>
  %1 = brisk.mul %0, %s : (tensor<2x4xf16>, tensor<f16>) -> tensor<2x4xf16>
  return %1 : tensor<2x4xf16>
}
