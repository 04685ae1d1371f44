// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @conv(
// CHECK: brisk.conv {{.*}} -> tensor<1x112x112x32xf32>
func.func @conv(%x: tensor<1x224x224x3xf32>, %w: tensor<3x3x3x32xf32>, %b: tensor<32xf32>) {
  %0 = brisk.conv %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
      : (tensor<1x224x224x3xf32>, tensor<3x3x3x32xf32>, tensor<32xf32>) -> tensor<1x112x112x32xf32>
  return
}

// CHECK-LABEL: func.func @conv_transpose(
// CHECK: brisk.conv_transpose {{.*}} -> tensor<1x8x8x6xf32>
func.func @conv_transpose(%x: tensor<1x4x4x8xf32>, %w: tensor<2x2x8x6xf32>) {
  %0 = brisk.conv_transpose %x, %w {strides = array<i64: 2, 2>}
      : (tensor<1x4x4x8xf32>, tensor<2x2x8x6xf32>) -> tensor<1x8x8x6xf32>
  return
}

// CHECK-LABEL: func.func @matmul(
// CHECK: brisk.matmul {{.*}} -> tensor<8x2x4xf32>
func.func @matmul(%a: tensor<8x2x3xf32>, %b: tensor<3x4xf32>) {
  %0 = brisk.matmul %a, %b : (tensor<8x2x3xf32>, tensor<3x4xf32>) -> tensor<8x2x4xf32>
  return
}

// CHECK-LABEL: func.func @einsum(
// CHECK: brisk.einsum {{.*}} -> tensor<8x2x4xf32>
func.func @einsum(%a: tensor<8x2x3xf32>, %b: tensor<8x3x4xf32>) {
  %0 = brisk.einsum %a, %b {equation = "bij,bjk->bik"} : (tensor<8x2x3xf32>, tensor<8x3x4xf32>) -> tensor<8x2x4xf32>
  return
}

// CHECK-LABEL: func.func @conv_grouped(
// CHECK: brisk.conv {{.*}} -> tensor<2x8x8x4xf32>
func.func @conv_grouped(%x: tensor<2x8x8x6xf32>, %w: tensor<3x3x3x4xf32>) {
  %0 = brisk.conv %x, %w {group = 2 : i64, dilations = array<i64: 2, 2>, auto_pad = #brisk<auto_pad same_lower>} : (tensor<2x8x8x6xf32>, tensor<3x3x3x4xf32>) -> tensor<2x8x8x4xf32>
  return
}

// CHECK-LABEL: func.func @conv_dynamic(
// CHECK: brisk.conv {{.*}} -> tensor<?x?x3x4xf32>
func.func @conv_dynamic(%x: tensor<?x?x8x6xf32>, %w: tensor<3x3x6x4xf32>) {
  %0 = brisk.conv %x, %w {strides = array<i64: 2, 2>} : (tensor<?x?x8x6xf32>, tensor<3x3x6x4xf32>) -> tensor<?x?x3x4xf32>
  return
}

// CHECK-LABEL: func.func @conv_unranked(
// CHECK: brisk.conv {{.*}} -> tensor<*xf32>
func.func @conv_unranked(%x: tensor<*xf32>, %w: tensor<3x3x6x4xf32>) {
  %0 = brisk.conv %x, %w : (tensor<*xf32>, tensor<3x3x6x4xf32>) -> tensor<*xf32>
  return
}

// CHECK-LABEL: func.func @conv_transpose_shape(
// CHECK: brisk.conv_transpose {{.*}} -> tensor<1x10x8x2xf32>
// CHECK: brisk.conv_transpose {{.*}} -> tensor<1x10x8x2xf32>
// CHECK: brisk.conv_transpose {{.*}} -> tensor<1x6x6x2xf32>
func.func @conv_transpose_shape(%x: tensor<1x3x3x1xf32>, %w: tensor<3x3x1x2xf32>) {
  %0 = brisk.conv_transpose %x, %w {strides = array<i64: 3, 2>, output_shape = array<i64: 10, 8>} : (tensor<1x3x3x1xf32>, tensor<3x3x1x2xf32>) -> tensor<1x10x8x2xf32>
  %1 = brisk.conv_transpose %x, %w {strides = array<i64: 3, 2>, output_padding = array<i64: 1, 1>} : (tensor<1x3x3x1xf32>, tensor<3x3x1x2xf32>) -> tensor<1x10x8x2xf32>
  %2 = brisk.conv_transpose %x, %w {strides = array<i64: 2, 2>, auto_pad = #brisk<auto_pad same_upper>} : (tensor<1x3x3x1xf32>, tensor<3x3x1x2xf32>) -> tensor<1x6x6x2xf32>
  return
}

// CHECK-LABEL: func.func @matmul_vectors(
// CHECK: brisk.matmul {{.*}} -> tensor<f32>
// CHECK: brisk.matmul {{.*}} -> tensor<5x4xf32>
// CHECK: brisk.matmul {{.*}} -> tensor<5x3xf32>
func.func @matmul_vectors(%v: tensor<3xf32>, %m: tensor<5x3x4xf32>, %u: tensor<4xf32>) {
  %0 = brisk.matmul %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
  %1 = brisk.matmul %v, %m : (tensor<3xf32>, tensor<5x3x4xf32>) -> tensor<5x4xf32>
  %2 = brisk.matmul %m, %u : (tensor<5x3x4xf32>, tensor<4xf32>) -> tensor<5x3xf32>
  return
}

// CHECK-LABEL: func.func @einsum_forms(
// CHECK: brisk.einsum {{.*}} -> tensor<5x3xf32>
// CHECK: brisk.einsum {{.*}} -> tensor<5x3x4xf32>
// CHECK: brisk.einsum {{.*}} -> tensor<4x3xf32>
// CHECK: brisk.einsum {{.*}} -> tensor<f32>
func.func @einsum_forms(%a: tensor<5x3x3xf32>, %b: tensor<3x4xf32>) {
  %0 = brisk.einsum %a {equation = "...ii->...i"} : (tensor<5x3x3xf32>) -> tensor<5x3xf32>
  %1 = brisk.einsum %a, %b {equation = "...ij, jk"} : (tensor<5x3x3xf32>, tensor<3x4xf32>) -> tensor<5x3x4xf32>
  %2 = brisk.einsum %b {equation = "ba"} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %3 = brisk.einsum %b {equation = "ij->"} : (tensor<3x4xf32>) -> tensor<f32>
  return
}

// Sums of 16-bit floats may stay f32, and the bias with them; one f32 side is
// enough.
// CHECK-LABEL: func.func @sums(
// CHECK: brisk.matmul {{.*}} : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
// CHECK: brisk.matmul {{.*}} : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
// CHECK: brisk.matmul {{.*}} : (tensor<4x2xf32>, tensor<2x3xf16>) -> tensor<4x3xf32>
// CHECK: brisk.conv {{.*}} : (tensor<1x8x8x4xf16>, tensor<3x3x4x8xf16>, tensor<8xf32>) -> tensor<1x6x6x8xf32>
func.func @sums(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>, %c: tensor<2x3xf16>,
                %x: tensor<1x8x8x4xf16>, %w: tensor<3x3x4x8xf16>, %bias: tensor<8xf32>) {
  %0 = brisk.matmul %a, %b : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
  %1 = brisk.matmul %a, %b : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xbf16>
  %2 = brisk.matmul %0, %c : (tensor<4x2xf32>, tensor<2x3xf16>) -> tensor<4x3xf32>
  %3 = brisk.conv %x, %w, %bias : (tensor<1x8x8x4xf16>, tensor<3x3x4x8xf16>, tensor<8xf32>) -> tensor<1x6x6x8xf32>
  return
}

// Weights of f32 may be integers.
// CHECK-LABEL: func.func @integer_weights(
// CHECK: brisk.conv {{.*}} : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xi8>) -> tensor<1x6x6x8xf32>
// CHECK: brisk.matmul {{.*}} : (tensor<4x8xf32>, tensor<8x2xi16>) -> tensor<4x2xf32>
func.func @integer_weights(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x8xi8>, %a: tensor<4x8xf32>, %b: tensor<8x2xi16>) {
  %0 = brisk.conv %x, %w : (tensor<1x8x8x4xf32>, tensor<3x3x4x8xi8>) -> tensor<1x6x6x8xf32>
  %1 = brisk.matmul %a, %b : (tensor<4x8xf32>, tensor<8x2xi16>) -> tensor<4x2xf32>
  return
}

// The third of 70 rows' blocks has 6 rows; the last byte of a column of 2 bits holds two of four weights.
// CHECK-LABEL: func.func @matmul_nbits(
// CHECK: brisk.matmul_nbits %{{.*}}, %{{.*}} scale %{{.*}} {bits = 4 : i64, block = 32 : i64} : (tensor<2x3x70xf32>, tensor<35x10xi8>, tensor<3x10xf32>) -> tensor<2x3x10xf32>
// CHECK: brisk.matmul_nbits %{{.*}}, %{{.*}} scale %{{.*}} zero %{{.*}} {bits = 2 : i64, block = 70 : i64} {{.*}} -> tensor<2x3x10xf32>
func.func @matmul_nbits(%x: tensor<2x3x70xf32>, %w: tensor<35x10xi8>, %s: tensor<3x10xf32>, %v: tensor<18x10xui8>, %t: tensor<1x10xf32>, %z: tensor<1x10xui8>) {
  %0 = brisk.matmul_nbits %x, %w scale %s {bits = 4, block = 32} : (tensor<2x3x70xf32>, tensor<35x10xi8>, tensor<3x10xf32>) -> tensor<2x3x10xf32>
  %1 = brisk.matmul_nbits %x, %v scale %t zero %z {bits = 2, block = 70} : (tensor<2x3x70xf32>, tensor<18x10xui8>, tensor<1x10xf32>, tensor<1x10xui8>) -> tensor<2x3x10xf32>
  return
}
