// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @quantize(
// CHECK: brisk.quantize %{{.*}} scale %{{.*}} zero %{{.*}} {to = ui8} : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
// CHECK: brisk.quantize %{{.*}} scale %{{.*}} {precision = f16, to = i16} : (tensor<2x3xf32>, tensor<2x1xf16>) -> tensor<2x3xi16>
func.func @quantize(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<ui8>, %rows: tensor<2x1xf16>) {
  %0 = brisk.quantize %x scale %s zero %z {to = ui8}
      : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  %1 = brisk.quantize %x scale %rows {to = i16, precision = f16} : (tensor<2x3xf32>, tensor<2x1xf16>) -> tensor<2x3xi16>
  return
}

// CHECK-LABEL: func.func @dequantize(
// CHECK: brisk.dequantize %{{.*}} scale %{{.*}} zero %{{.*}} {to = f32} : {{.*}} -> tensor<2x3xf32>
// CHECK: brisk.dequantize %{{.*}} zero %{{.*}} {to = i32} : {{.*}} -> tensor<2x3xi32>
// CHECK: brisk.dequantize %{{.*}} {to = i32} : {{.*}} -> tensor<2x3xi32>
// CHECK: brisk.dequantize %{{.*}} scale %{{.*}} {to = f16} : {{.*}} -> tensor<?x3xf16>
func.func @dequantize(%x: tensor<2x3xui8>, %s: tensor<f32>, %z: tensor<ui8>, %sums: tensor<?x3xi32>, %columns: tensor<3xf32>) {
  %0 = brisk.dequantize %x scale %s zero %z {to = f32}
      : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %1 = brisk.dequantize %x zero %z {to = i32} : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2x3xi32>
  %2 = brisk.dequantize %x {to = i32} : (tensor<2x3xui8>) -> tensor<2x3xi32>
  %3 = brisk.dequantize %sums scale %columns {to = f16} : (tensor<?x3xi32>, tensor<3xf32>) -> tensor<?x3xf16>
  return
}

// CHECK-LABEL: func.func @unpack_bits(
// CHECK: brisk.unpack_bits %{{.*}} {bits = 4 : i64, shape = array<i64: 3, 5>, to = i8} : (tensor<8xui8>) -> tensor<3x5xi8>
// CHECK: brisk.unpack_bits %{{.*}} {bits = 2 : i64, shape = array<i64: 0>, to = ui8} : (tensor<?xui8>) -> tensor<0xui8>
func.func @unpack_bits(%x: tensor<8xui8>, %y: tensor<?xui8>) {
  %0 = brisk.unpack_bits %x {bits = 4, shape = array<i64: 3, 5>, to = i8} : (tensor<8xui8>) -> tensor<3x5xi8>
  %1 = brisk.unpack_bits %y {bits = 2, shape = array<i64: 0>, to = ui8} : (tensor<?xui8>) -> tensor<0xui8>
  return
}
