// RUN: brisk-opt %s --split-input-file --nbits-products --canonicalize | FileCheck %s

// Bytes with a scale for each column stay as they are.
// CHECK-LABEL: @columns
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<{{\[\[}}1, -2], [3, 4], [-5, 6]]> : tensor<3x2xi8>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<{{\[\[}}5.000000e-01, 2.500000e-01]]> : tensor<1x2xf32>
// CHECK: brisk.matmul_nbits %arg0, %[[W]] scale %[[S]] {bits = 8 : i64, block = 3 : i64}
func.func @columns(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %w = brisk.constant dense<[[1, -2], [3, 4], [-5, 6]]> : tensor<3x2xi8>
  %s = brisk.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %f = brisk.dequantize %w scale %s {to = f32} : (tensor<3x2xi8>, tensor<2xf32>) -> tensor<3x2xf32>
  %y = brisk.matmul %x, %f : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// One scale for all, and bytes around 128, which are signed ones around 0.
// CHECK-LABEL: @middle
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<{{\[\[}}-128, 0], [127, 1]]> : tensor<2x2xi8>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<5.000000e-01> : tensor<1x2xf32>
// CHECK: brisk.matmul_nbits %arg0, %[[W]] scale %[[S]] {bits = 8 : i64, block = 2 : i64}
func.func @middle(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = brisk.constant dense<[[0, 128], [255, 129]]> : tensor<2x2xui8>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %z = brisk.constant dense<128> : tensor<ui8>
  %f = brisk.dequantize %w scale %s zero %z {to = f32} : (tensor<2x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x2xf32>
  %y = brisk.matmul %x, %f : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

// Rows of four bits in blocks of two, as MatMulNBits has them: reshaped, cut to three columns and transposed.
// Column 0 is 1, 2, 3 (and 4, which is cut), column 1 is 5, 6, 7. A byte holds two rows of a column.
// CHECK-LABEL: @blocks
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<{{\[\[}}33, 101], [3, 7]]> : tensor<2x2xui8>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-DAG: %[[Z:.*]] = brisk.constant dense<{{\[\[}}1, 3], [2, 4]]> : tensor<2x2xui8>
// CHECK: brisk.matmul_nbits %arg0, %[[W]] scale %[[S]] zero %[[Z]] {bits = 4 : i64, block = 2 : i64}
func.func @blocks(%x: tensor<1x3xf32>) -> tensor<1x2xf32> {
  %c = brisk.constant dense<[33, 67, 101, 135]> : tensor<4xui8>
  %s = brisk.constant dense<[[[1.0], [2.0]], [[3.0], [4.0]]]> : tensor<2x2x1xf32>
  %z = brisk.constant dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xui8>
  %shape = brisk.constant dense<[2, 4]> : tensor<2xi64>
  %from = brisk.constant dense<0> : tensor<1xi64>
  %to = brisk.constant dense<3> : tensor<1xi64>
  %axis = brisk.constant dense<1> : tensor<1xi64>
  %w = brisk.unpack_bits %c {bits = 4, shape = array<i64: 2, 2, 2>, to = ui8} : (tensor<4xui8>) -> tensor<2x2x2xui8>
  %f = brisk.dequantize %w scale %s zero %z {to = f32} : (tensor<2x2x2xui8>, tensor<2x2x1xf32>, tensor<2x2x1xui8>) -> tensor<2x2x2xf32>
  %r = brisk.reshape %f, %shape : (tensor<2x2x2xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  %part = brisk.slice %r, %from, %to axes %axis : (tensor<2x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3xf32>
  %t = brisk.transpose %part {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %y = brisk.matmul %x, %t : (tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}

// -----

// A convolution of one pixel is a product; its bias is added. What models pad to whole blocks is not read.
// CHECK-LABEL: @pixel
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<{{\[\[}}1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK: %[[Y:.*]] = brisk.matmul_nbits %arg0, %[[W]] scale %[[S]] {bits = 8 : i64, block = 2 : i64} {{.*}} -> tensor<1x5x5x2xf32>
// CHECK: brisk.add %[[Y]], %arg1
func.func @pixel(%x: tensor<1x5x5x3xf32>, %b: tensor<2xf32>) -> tensor<1x5x5x2xf32> {
  %c = brisk.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %pads = brisk.constant dense<[0, 0, 1, 0]> : tensor<4xi64>
  %blocked = brisk.constant dense<[2, 2, 2]> : tensor<3xi64>
  %flat = brisk.constant dense<[4, 2]> : tensor<2xi64>
  %filter = brisk.constant dense<[1, 1, 3, 2]> : tensor<4xi64>
  %from = brisk.constant dense<0> : tensor<1xi64>
  %to = brisk.constant dense<3> : tensor<1xi64>
  %s = brisk.constant dense<[[[1.0, 2.0]], [[3.0, 4.0]]]> : tensor<2x1x2xf32>
  %p = brisk.pad constant %c, %pads : (tensor<3x2xi8>, tensor<4xi64>) -> tensor<4x2xi8>
  %q = brisk.reshape %p, %blocked : (tensor<4x2xi8>, tensor<3xi64>) -> tensor<2x2x2xi8>
  %f = brisk.dequantize %q scale %s {to = f32} : (tensor<2x2x2xi8>, tensor<2x1x2xf32>) -> tensor<2x2x2xf32>
  %r = brisk.reshape %f, %flat : (tensor<2x2x2xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  %part = brisk.slice %r, %from, %to : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<3x2xf32>
  %w = brisk.reshape %part, %filter : (tensor<3x2xf32>, tensor<4xi64>) -> tensor<1x1x3x2xf32>
  %y = brisk.conv %x, %w, %b : (tensor<1x5x5x3xf32>, tensor<1x1x3x2xf32>, tensor<2xf32>) -> tensor<1x5x5x2xf32>
  return %y : tensor<1x5x5x2xf32>
}

// -----

// Not where a scale is computed, rows have scales that others of the column have again, or a block does not begin
// with a byte.
// CHECK-LABEL: @others
// CHECK-NOT: brisk.matmul_nbits
// CHECK: return
func.func @others(%x: tensor<4x4xf32>, %s: tensor<2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>) {
  %q = brisk.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi8>
  %c = brisk.constant dense<[33, 67, 101, 135]> : tensor<4xui8>
  %flat = brisk.constant dense<[4, 2]> : tensor<2xi64>
  %again = brisk.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %rows = brisk.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %q3 = brisk.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi8>
  %w0 = brisk.dequantize %q scale %s {to = f32} : (tensor<4x2xi8>, tensor<2xf32>) -> tensor<4x2xf32>
  %0 = brisk.matmul %x, %w0 : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %f1 = brisk.dequantize %q3 scale %again {to = f32} : (tensor<2x2x2xi8>, tensor<1x2x2xf32>) -> tensor<2x2x2xf32>
  %w1 = brisk.reshape %f1, %flat : (tensor<2x2x2xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  %1 = brisk.matmul %x, %w1 : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %u = brisk.unpack_bits %c {bits = 4, shape = array<i64: 4, 2>, to = i8} : (tensor<4xui8>) -> tensor<4x2xi8>
  %w2 = brisk.dequantize %u scale %rows {to = f32} : (tensor<4x2xi8>, tensor<4x2xf32>) -> tensor<4x2xf32>
  %2 = brisk.matmul %x, %w2 : (tensor<4x4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0, %1, %2 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>
}

// -----

// A convolution of several pixels has a filter of bytes, and its sums are scaled; the bias comes after that.
// CHECK-LABEL: @window
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<{{\[\[\[\[}}1, -2], [3, 4]]], {{\[\[}}[-5, 6], [7, 8]]]]> : tensor<2x1x2x2xi8>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<[5.000000e-01, 2.500000e-01]> : tensor<2xf32>
// CHECK: %[[Y:.*]] = brisk.conv %arg0, %[[W]] {pads = array<i64: 1, 0, 0, 0>} : (tensor<1x5x5x2xf32>, tensor<2x1x2x2xi8>) -> tensor<1x5x5x2xf32>
// CHECK: %[[SCALED:.*]] = brisk.mul %[[Y]], %[[S]]
// CHECK: brisk.add %[[SCALED]], %arg1
func.func @window(%x: tensor<1x5x5x2xf32>, %b: tensor<2xf32>) -> tensor<1x5x5x2xf32> {
  %q = brisk.constant dense<[[[[1, -2], [3, 4]]], [[[-5, 6], [7, 8]]]]> : tensor<2x1x2x2xi8>
  %s = brisk.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %w = brisk.dequantize %q scale %s {to = f32} : (tensor<2x1x2x2xi8>, tensor<2xf32>) -> tensor<2x1x2x2xf32>
  %y = brisk.conv %x, %w, %b {pads = array<i64: 1, 0, 0, 0>} : (tensor<1x5x5x2xf32>, tensor<2x1x2x2xf32>, tensor<2xf32>) -> tensor<1x5x5x2xf32>
  return %y : tensor<1x5x5x2xf32>
}

// -----

// Zero points are subtracted. In whole bytes, the difference may need 16 bits: 0 - 200. Of 4 bits it never does:
// channels of 1, 2, 3 and 4, 5, 6 (a byte has the next two of the six) less 7 and 0.
// CHECK-LABEL: @zeros
// CHECK-DAG: brisk.constant dense<{{\[\[\[}}[-200, 2]], {{\[\[}}55, -1]]]]> : tensor<1x2x1x2xi16>
// CHECK-DAG: brisk.constant dense<{{\[\[\[}}[-6, 4]], {{\[\[}}-5, 5]], {{\[\[}}-4, 6]]]]> : tensor<1x3x1x2xi8>
func.func @zeros(%x: tensor<1x1x5x1xf32>) -> (tensor<1x1x4x2xf32>, tensor<1x1x3x2xf32>) {
  %q = brisk.constant dense<[[[[0, 4]], [[255, 1]]]]> : tensor<1x2x1x2xui8>
  %c = brisk.constant dense<[33, 67, 101]> : tensor<3xui8>
  %s = brisk.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %z = brisk.constant dense<[200, 2]> : tensor<2xui8>
  %z1 = brisk.constant dense<[[[[7]]], [[[0]]]]> : tensor<2x1x1x1xui8>
  %s1 = brisk.constant dense<[[[[0.5]]], [[[0.25]]]]> : tensor<2x1x1x1xf32>
  %w = brisk.dequantize %q scale %s zero %z {to = f32} : (tensor<1x2x1x2xui8>, tensor<2xf32>, tensor<2xui8>) -> tensor<1x2x1x2xf32>
  %0 = brisk.conv %x, %w : (tensor<1x1x5x1xf32>, tensor<1x2x1x2xf32>) -> tensor<1x1x4x2xf32>
  %u = brisk.unpack_bits %c {bits = 4, shape = array<i64: 2, 1, 1, 3>, to = ui8} : (tensor<3xui8>) -> tensor<2x1x1x3xui8>
  %f = brisk.dequantize %u scale %s1 zero %z1 {to = f32} : (tensor<2x1x1x3xui8>, tensor<2x1x1x1xf32>, tensor<2x1x1x1xui8>) -> tensor<2x1x1x3xf32>
  %t = brisk.transpose %f {permutation = array<i64: 2, 3, 1, 0>} : (tensor<2x1x1x3xf32>) -> tensor<1x3x1x2xf32>
  %1 = brisk.conv %x, %t : (tensor<1x1x5x1xf32>, tensor<1x3x1x2xf32>) -> tensor<1x1x3x2xf32>
  return %0, %1 : tensor<1x1x4x2xf32>, tensor<1x1x3x2xf32>
}

// -----

// Not where places of the window have scales of their own, a scale is infinite, or what is multiplied is no f32.
// CHECK-LABEL: @floats
// CHECK-COUNT-2: brisk.conv {{.*}} : (tensor<1x1x5x1xf32>, tensor<1x2x1x1xf32>)
// CHECK: brisk.conv {{.*}} : (tensor<1x1x5x1xf16>, tensor<1x2x1x1xf32>)
func.func @floats(%x: tensor<1x1x5x1xf32>, %h: tensor<1x1x5x1xf16>) -> (tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>) {
  %half = brisk.constant dense<0.5> : tensor<f32>
  %q = brisk.constant dense<[[[[1]], [[2]]]]> : tensor<1x2x1x1xi8>
  %each = brisk.constant dense<[[[[0.5]], [[0.25]]]]> : tensor<1x2x1x1xf32>
  %infinite = brisk.constant dense<0x7F800000> : tensor<f32>
  %v = brisk.dequantize %q scale %each {to = f32} : (tensor<1x2x1x1xi8>, tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
  %w = brisk.dequantize %q scale %infinite {to = f32} : (tensor<1x2x1x1xi8>, tensor<f32>) -> tensor<1x2x1x1xf32>
  %0 = brisk.conv %x, %v : (tensor<1x1x5x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x1xf32>
  %1 = brisk.conv %x, %w : (tensor<1x1x5x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x1xf32>
  %u = brisk.dequantize %q scale %half {to = f32} : (tensor<1x2x1x1xi8>, tensor<f32>) -> tensor<1x2x1x1xf32>
  %2 = brisk.conv %h, %u : (tensor<1x1x5x1xf16>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x1xf32>
  return %0, %1, %2 : tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>, tensor<1x1x4x1xf32>
}

// -----

// Weights of a recurrent layer: rows are states, columns the units of both directions. What quantizes its states has the
// sums of columns, too; the weights of the other layer are such, but in floats' products.
// CHECK-LABEL: @states
// CHECK-DAG: %[[R:.*]] = brisk.constant dense<{{\[\[}}1, 3, 5, 7], [2, 4, 6, 8]]> : tensor<2x4xi8>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<5.000000e-01> : tensor<1x4xf32>
// CHECK-DAG: %[[SUMS:.*]] = brisk.constant dense<[3, 7, 11, 15]> : tensor<4xi32>
// CHECK: brisk.rnn %arg0 r %[[R]] scale %[[S]] sums %[[SUMS]] {{{.*}}quantizes_states, r_bits = 8 : i64, r_block = 2 : i64}
// CHECK: brisk.rnn %arg0 r %[[R]] scale %[[S]] {{{.*}}r_bits = 8 : i64, r_block = 2 : i64}
func.func @states(%x: tensor<5x1x4xf32>) -> (tensor<5x2x1x2xf32>, tensor<5x2x1x2xf32>) {
  %b = brisk.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : tensor<2x2x2xi8>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %r = brisk.dequantize %b scale %s {to = f32} : (tensor<2x2x2xi8>, tensor<f32>) -> tensor<2x2x2xf32>
  %0, %1 = brisk.rnn %x r %r {hidden_size = 2 : i64, direction = #brisk<recurrent_direction bidirectional>, quantizes_states} : (tensor<5x1x4xf32>, tensor<2x2x2xf32>) -> (tensor<5x2x1x2xf32>, tensor<2x1x2xf32>)
  %2, %3 = brisk.rnn %x r %r {hidden_size = 2 : i64, direction = #brisk<recurrent_direction bidirectional>} : (tensor<5x1x4xf32>, tensor<2x2x2xf32>) -> (tensor<5x2x1x2xf32>, tensor<2x1x2xf32>)
  return %0, %2 : tensor<5x2x1x2xf32>, tensor<5x2x1x2xf32>
}

// -----

// Unsigned bytes are made signed ones where states are quantized. Differences to zero points that are no bytes leave
// these where they are.
// CHECK-LABEL: @zeros
// CHECK-DAG: %[[R:.*]] = brisk.constant dense<{{\[\[}}-128, -1], [127, 0]]> : tensor<2x2xi8>
// CHECK-DAG: %[[Z:.*]] = brisk.constant dense<{{\[\[}}3, -2]]> : tensor<1x2xi8>
// CHECK-DAG: %[[SUMS:.*]] = brisk.constant dense<[-7, 3]> : tensor<2xi32>
// CHECK: brisk.rnn %arg0 r %[[R]] scale %{{.*}} zero %[[Z]] sums %[[SUMS]]
func.func @zeros(%x: tensor<5x1x2xf32>) -> tensor<5x1x1x2xf32> {
  %b = brisk.constant dense<[[[0, 255], [127, 128]]]> : tensor<1x2x2xui8>
  %z = brisk.constant dense<[[[131], [126]]]> : tensor<1x2x1xui8>
  %t = brisk.constant dense<[[[0.5], [0.25]]]> : tensor<1x2x1xf32>
  %r = brisk.dequantize %b scale %t zero %z {to = f32} : (tensor<1x2x2xui8>, tensor<1x2x1xf32>, tensor<1x2x1xui8>) -> tensor<1x2x2xf32>
  %0, %1 = brisk.rnn %x r %r {hidden_size = 2 : i64, quantizes_states} : (tensor<5x1x2xf32>, tensor<1x2x2xf32>) -> (tensor<5x1x1x2xf32>, tensor<1x1x2xf32>)
  return %0 : tensor<5x1x1x2xf32>
}

// -----

// Not of a layer that multiplies its input itself.
// CHECK-LABEL: @input
// CHECK-NOT: scale %{{.*}} {{{.*}}r_bits
func.func @input(%x: tensor<5x1x3xf32>, %w: tensor<1x2x3xf32>) -> tensor<5x1x1x2xf32> {
  %b = brisk.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi8>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %r = brisk.dequantize %b scale %s {to = f32} : (tensor<1x2x2xi8>, tensor<f32>) -> tensor<1x2x2xf32>
  %0, %1 = brisk.rnn %x w %w r %r {hidden_size = 2 : i64} : (tensor<5x1x3xf32>, tensor<1x2x3xf32>, tensor<1x2x2xf32>) -> (tensor<5x1x1x2xf32>, tensor<1x1x2xf32>)
  return %0 : tensor<5x1x1x2xf32>
}

// -----

// Columns of a matrix that become two dimensions, of which rows are cut off.
// CHECK-LABEL: @split
// CHECK-DAG: %[[R:.*]] = brisk.constant dense<{{\[\[}}1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi8>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]]> : tensor<1x4xf32>
// CHECK: brisk.rnn %arg0 r %[[R]] scale %[[S]] {{{.*}}r_bits = 8 : i64, r_block = 2 : i64}
func.func @split(%x: tensor<5x1x4xf32>) -> tensor<5x2x1x2xf32> {
  %b = brisk.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]> : tensor<3x4xi8>
  %s = brisk.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %from = brisk.constant dense<0> : tensor<1xi64>
  %to = brisk.constant dense<2> : tensor<1xi64>
  %shape = brisk.constant dense<2> : tensor<3xi64>
  %f = brisk.dequantize %b scale %s {to = f32} : (tensor<3x4xi8>, tensor<4xf32>) -> tensor<3x4xf32>
  %part = brisk.slice %f, %from, %to axes %from : (tensor<3x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x4xf32>
  %m = brisk.reshape %part, %shape : (tensor<2x4xf32>, tensor<3xi64>) -> tensor<2x2x2xf32>
  %r = brisk.transpose %m {permutation = array<i64: 1, 2, 0>} : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %0, %1 = brisk.rnn %x r %r {hidden_size = 2 : i64, direction = #brisk<recurrent_direction bidirectional>} : (tensor<5x1x4xf32>, tensor<2x2x2xf32>) -> (tensor<5x2x1x2xf32>, tensor<2x1x2xf32>)
  return %0 : tensor<5x2x1x2xf32>
}
