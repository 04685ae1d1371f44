// RUN: brisk-opt %s --split-input-file --set-target=cascadelake --integer-products --canonicalize | FileCheck %s
// RUN: brisk-opt %s --split-input-file --set-target=x86-64-v2 --integer-products --canonicalize | FileCheck %s
// RUN: brisk-opt %s --split-input-file --set-target=riscv64 --integer-products --canonicalize | FileCheck %s
// RUN: brisk-opt %s --split-input-file --set-target=cortex-a76 --integer-products --canonicalize | FileCheck %s --check-prefix=SIGNED
// RUN: brisk-opt %s --split-input-file --integer-products --canonicalize | FileCheck %s --check-prefix=FLOAT

// The sums begin with the bias less the zero point times the weights' sum, 4 - 3
// * 14; padding is the zero point.
// CHECK-LABEL: @conv
// CHECK-DAG: %[[SCALE:.*]] = brisk.constant dense<1.250000e-01> : tensor<f32>
// CHECK-DAG: %[[START:.*]] = brisk.constant dense<-38> : tensor<1xi32>
// CHECK-DAG: %[[ZERO:.*]] = brisk.constant dense<3> : tensor<ui8>
// CHECK: %[[PADDED:.*]] = brisk.pad constant %arg0, %{{.*}} value %[[ZERO]] : {{.*}} -> tensor<1x1x6x2xui8>
// CHECK: %[[SUM:.*]] = brisk.conv %[[PADDED]], %{{.*}}, %[[START]] {{.*}} -> tensor<1x1x4x1xi32>
// CHECK: %[[Y:.*]] = brisk.dequantize %[[SUM]] scale %[[SCALE]] {to = f32}
// CHECK: return %[[Y]]
// Where only signed bytes are multiplied by signed ones, the input is shifted,
// and so is its zero point: 4 + 125 * 14.
// SIGNED-LABEL: @conv
// SIGNED-DAG: %[[START:.*]] = brisk.constant dense<1754> : tensor<1xi32>
// SIGNED-DAG: %[[ZERO:.*]] = brisk.constant dense<-125> : tensor<i8>
// SIGNED-DAG: %[[SHIFT:.*]] = brisk.constant dense<-128> : tensor<i8>
// SIGNED: %[[CAST:.*]] = brisk.cast %arg0 {to = i8}
// SIGNED: %[[X:.*]] = brisk.add %[[CAST]], %[[SHIFT]]
// SIGNED: %[[PADDED:.*]] = brisk.pad constant %[[X]], %{{.*}} value %[[ZERO]] : {{.*}} -> tensor<1x1x6x2xi8>
// SIGNED: brisk.conv %[[PADDED]], %{{.*}}, %[[START]] {{.*}} -> tensor<1x1x4x1xi32>
// FLOAT-LABEL: @conv
// FLOAT: brisk.conv {{.*}} -> tensor<1x1x4x1xf32>
func.func @conv(%x: tensor<1x1x4x2xui8>) -> tensor<1x1x4x1xf32> {
  %w8 = brisk.constant dense<[[[[1], [2]], [[3], [4]], [[5], [-1]]]]> : tensor<1x3x2x1xi8>
  %b32 = brisk.constant dense<4> : tensor<1xi32>
  %zx = brisk.constant dense<3> : tensor<ui8>
  %sx = brisk.constant dense<0.5> : tensor<f32>
  %sw = brisk.constant dense<0.25> : tensor<1x1x1x1xf32>
  %sb = brisk.constant dense<0.125> : tensor<1xf32>
  %xf = brisk.dequantize %x scale %sx zero %zx {to = f32} : (tensor<1x1x4x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x1x4x2xf32>
  %wf = brisk.dequantize %w8 scale %sw {to = f32} : (tensor<1x3x2x1xi8>, tensor<1x1x1x1xf32>) -> tensor<1x3x2x1xf32>
  %bf = brisk.dequantize %b32 scale %sb {to = f32} : (tensor<1xi32>, tensor<1xf32>) -> tensor<1xf32>
  %y = brisk.conv %xf, %wf, %bf {pads = array<i64: 0, 1, 0, 1>} : (tensor<1x1x4x2xf32>, tensor<1x3x2x1xf32>, tensor<1xf32>) -> tensor<1x1x4x1xf32>
  return %y : tensor<1x1x4x1xf32>
}

// -----

// Without a zero point the padding stays the convolution's. A bias of other
// scales is added to what the sums stand for.
// CHECK-LABEL: @float_bias
// CHECK-DAG: %[[SCALES:.*]] = brisk.constant dense<[5.000000e-01, 1.000000e+00]> : tensor<2xf32>
// CHECK: %[[SUM:.*]] = brisk.conv %arg0, %{{.*}} {{.*}}pads = array<i64: 0, 1, 0, 1>{{.*}} -> tensor<1x1x4x2xi32>
// CHECK: %[[F:.*]] = brisk.dequantize %[[SUM]] scale %[[SCALES]] {to = f32}
// CHECK: brisk.add %[[F]], %arg1
// FLOAT-LABEL: @float_bias
// FLOAT: brisk.conv {{.*}} -> tensor<1x1x4x2xf32>
func.func @float_bias(%x: tensor<1x1x4x2xui8>, %b: tensor<2xf32>) -> tensor<1x1x4x2xf32> {
  %w8 = brisk.constant dense<1> : tensor<1x3x2x2xi8>
  %sx = brisk.constant dense<0.5> : tensor<f32>
  %sw = brisk.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %xf = brisk.dequantize %x scale %sx {to = f32} : (tensor<1x1x4x2xui8>, tensor<f32>) -> tensor<1x1x4x2xf32>
  %wf = brisk.dequantize %w8 scale %sw {to = f32} : (tensor<1x3x2x2xi8>, tensor<2xf32>) -> tensor<1x3x2x2xf32>
  %y = brisk.conv %xf, %wf, %b {pads = array<i64: 0, 1, 0, 1>} : (tensor<1x1x4x2xf32>, tensor<1x3x2x2xf32>, tensor<2xf32>) -> tensor<1x1x4x2xf32>
  return %y : tensor<1x1x4x2xf32>
}

// -----

// What ONNX's MatMulInteger becomes: the sums themselves.
// CHECK-LABEL: @matmul_integer
// CHECK-DAG: %[[START:.*]] = brisk.constant dense<[-70, -28]> : tensor<2xi32>
// CHECK: %[[SUM:.*]] = brisk.matmul %arg0, %{{.*}} : (tensor<3x2xui8>, tensor<2x2xi8>) -> tensor<3x2xi32>
// CHECK: %[[Y:.*]] = brisk.add %[[SUM]], %[[START]]
// CHECK: return %[[Y]]
// FLOAT-LABEL: @matmul_integer
// FLOAT: brisk.matmul {{.*}} : (tensor<3x2xi32>, tensor<2x2xi32>) -> tensor<3x2xi32>
func.func @matmul_integer(%x: tensor<3x2xui8>) -> tensor<3x2xi32> {
  %w8 = brisk.constant dense<[[4, -2], [6, 6]]> : tensor<2x2xi8>
  %zx = brisk.constant dense<7> : tensor<ui8>
  %xi = brisk.dequantize %x zero %zx {to = i32} : (tensor<3x2xui8>, tensor<ui8>) -> tensor<3x2xi32>
  %wi = brisk.dequantize %w8 {to = i32} : (tensor<2x2xi8>) -> tensor<2x2xi32>
  %y = brisk.matmul %xi, %wi : (tensor<3x2xi32>, tensor<2x2xi32>) -> tensor<3x2xi32>
  return %y : tensor<3x2xi32>
}

// -----

// A zero point that is known at run time is taken off the sums, once for each
// channel, but from padding it would have to be there before.
// CHECK-LABEL: @runtime_zero
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<[10, 4]> : tensor<2xi32>
// CHECK-DAG: %[[Z:.*]] = brisk.cast %{{.*}} {to = i32} : (tensor<ui8>) -> tensor<i32>
// CHECK-DAG: %[[SUM:.*]] = brisk.matmul %arg0, %{{.*}} : (tensor<3x2xui8>, tensor<2x2xi8>) -> tensor<3x2xi32>
// CHECK: %[[O:.*]] = brisk.mul %[[Z]], %[[W]]
// CHECK: brisk.sub %[[SUM]], %[[O]]
// CHECK: brisk.conv {{.*}} : (tensor<1x1x4x2xi32>, tensor<1x3x2x1xi32>)
// FLOAT-LABEL: @runtime_zero
// FLOAT: brisk.matmul {{.*}} : (tensor<3x2xi32>, tensor<2x2xi32>) -> tensor<3x2xi32>
func.func @runtime_zero(%x: tensor<3x2xui8>, %z: tensor<1xui8>, %i: tensor<1x1x4x2xui8>) -> (tensor<3x2xi32>, tensor<1x1x4x1xi32>) {
  %w8 = brisk.constant dense<[[4, -2], [6, 6]]> : tensor<2x2xi8>
  %f8 = brisk.constant dense<1> : tensor<1x3x2x1xi8>
  %xi = brisk.dequantize %x zero %z {to = i32} : (tensor<3x2xui8>, tensor<1xui8>) -> tensor<3x2xi32>
  %wi = brisk.dequantize %w8 {to = i32} : (tensor<2x2xi8>) -> tensor<2x2xi32>
  %y = brisk.matmul %xi, %wi : (tensor<3x2xi32>, tensor<2x2xi32>) -> tensor<3x2xi32>
  %ii = brisk.dequantize %i zero %z {to = i32} : (tensor<1x1x4x2xui8>, tensor<1xui8>) -> tensor<1x1x4x2xi32>
  %fi = brisk.dequantize %f8 {to = i32} : (tensor<1x3x2x1xi8>) -> tensor<1x3x2x1xi32>
  %c = brisk.conv %ii, %fi {pads = array<i64: 0, 1, 0, 1>} : (tensor<1x1x4x2xi32>, tensor<1x3x2x1xi32>) -> tensor<1x1x4x1xi32>
  return %y, %c : tensor<3x2xi32>, tensor<1x1x4x1xi32>
}

// -----

// In groups of one channel or several.
// CHECK-LABEL: @groups
// CHECK: brisk.conv {{.*}}group = 4{{.*}} -> tensor<1x1x4x4xi32>
// CHECK: brisk.conv {{.*}}group = 2{{.*}} -> tensor<1x1x4x4xi32>
// FLOAT-LABEL: @groups
// FLOAT-NOT: xi32>
func.func @groups(%x: tensor<1x1x4x4xui8>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) {
  %w1 = brisk.constant dense<1> : tensor<1x1x1x4xi8>
  %w2 = brisk.constant dense<1> : tensor<1x1x2x4xi8>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %xf = brisk.dequantize %x scale %s {to = f32} : (tensor<1x1x4x4xui8>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %f1 = brisk.dequantize %w1 scale %s {to = f32} : (tensor<1x1x1x4xi8>, tensor<f32>) -> tensor<1x1x1x4xf32>
  %f2 = brisk.dequantize %w2 scale %s {to = f32} : (tensor<1x1x2x4xi8>, tensor<f32>) -> tensor<1x1x2x4xf32>
  %y = brisk.conv %xf, %f1 {group = 4} : (tensor<1x1x4x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x4x4xf32>
  %z = brisk.conv %xf, %f2 {group = 2} : (tensor<1x1x4x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x1x4x4xf32>
  return %y, %z : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
}

// -----

// What is not one scale for the input and one for each output channel stays.
// CHECK-LABEL: @stays_float
// CHECK-COUNT-3: brisk.matmul {{.*}} -> tensor<3x2xf32>
// FLOAT-LABEL: @stays_float
func.func @stays_float(%x: tensor<3x2xui8>, %run: tensor<f32>) -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>) {
  %w8 = brisk.constant dense<[[4, -2], [6, 6]]> : tensor<2x2xi8>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %rows = brisk.constant dense<[[0.5], [1.0], [1.5]]> : tensor<3x1xf32>
  %denormal = brisk.constant dense<1.0e-40> : tensor<f32>
  %w = brisk.dequantize %w8 scale %s {to = f32} : (tensor<2x2xi8>, tensor<f32>) -> tensor<2x2xf32>
  %a = brisk.dequantize %x scale %rows {to = f32} : (tensor<3x2xui8>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %b = brisk.dequantize %x scale %run {to = f32} : (tensor<3x2xui8>, tensor<f32>) -> tensor<3x2xf32>
  %c = brisk.dequantize %x scale %denormal {to = f32} : (tensor<3x2xui8>, tensor<f32>) -> tensor<3x2xf32>
  %y0 = brisk.matmul %a, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %y1 = brisk.matmul %b, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %y2 = brisk.matmul %c, %w : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  return %y0, %y1, %y2 : tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>
}

// -----

// Sums that may go beyond 32 bits: 70000 products of up to 255 * 127.
// CHECK-LABEL: @too_deep
// CHECK: brisk.matmul {{.*}} -> tensor<1x1xf32>
// FLOAT-LABEL: @too_deep
func.func @too_deep(%x: tensor<1x70000xui8>) -> tensor<1x1xf32> {
  %w8 = brisk.constant dense<127> : tensor<70000x1xi8>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %a = brisk.dequantize %x scale %s {to = f32} : (tensor<1x70000xui8>, tensor<f32>) -> tensor<1x70000xf32>
  %w = brisk.dequantize %w8 scale %s {to = f32} : (tensor<70000x1xi8>, tensor<f32>) -> tensor<70000x1xf32>
  %y = brisk.matmul %a, %w : (tensor<1x70000xf32>, tensor<70000x1xf32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// -----

// Of two values that are computed, the second one becomes signed where the
// instruction set wants that, with a zero point of 4 - 128. Rows' sums are
// multiplied with it, columns' sums with the other zero point, 3.
// CHECK-LABEL: @values
// CHECK-DAG: %[[SCALE:.*]] = brisk.constant dense<1.250000e-01> : tensor<f32>
// CHECK-DAG: %[[ONE:.*]] = brisk.constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[THREE:.*]] = brisk.constant dense<3> : tensor<i32>
// CHECK-DAG: %[[ZERO:.*]] = brisk.constant dense<-124> : tensor<i32>
// CHECK-DAG: %[[BOTH:.*]] = brisk.constant dense<-2976> : tensor<i32>
// CHECK: %[[SUM:.*]] = brisk.matmul %arg0, %[[W:.*]] : (tensor<2x5x8xui8>, tensor<2x8x6xi8>) -> tensor<2x5x6xi32>
// CHECK: %[[X:.*]] = brisk.dequantize %arg0 scale %[[ONE]]
// CHECK: %[[XS:.*]] = brisk.reduce sum %[[X]], %{{.*}} {keepdims} : {{.*}} -> tensor<2x5x1xf32>
// CHECK: %[[XI:.*]] = brisk.cast %[[XS]] {to = i32}
// CHECK: %[[ROWS:.*]] = brisk.mul %[[XI]], %[[ZERO]]
// CHECK: %[[LESS:.*]] = brisk.sub %[[SUM]], %[[ROWS]]
// CHECK: %[[F:.*]] = brisk.dequantize %[[W]] scale %[[ONE]]
// CHECK: %[[FS:.*]] = brisk.reduce sum %[[F]], %{{.*}} {keepdims} : {{.*}} -> tensor<2x1x6xf32>
// CHECK: %[[FI:.*]] = brisk.cast %[[FS]] {to = i32}
// CHECK: %[[COLUMNS:.*]] = brisk.mul %[[FI]], %[[THREE]]
// CHECK: %[[LEAST:.*]] = brisk.sub %[[LESS]], %[[COLUMNS]]
// CHECK: %[[ALL:.*]] = brisk.add %[[LEAST]], %[[BOTH]]
// CHECK: brisk.dequantize %[[ALL]] scale %[[SCALE]] {to = f32}
// SIGNED-LABEL: @values
// FLOAT-LABEL: @values
// FLOAT: brisk.matmul {{.*}} -> tensor<2x5x6xf32>
func.func @values(%x: tensor<2x5x8xui8>, %w: tensor<2x8x6xui8>) -> tensor<2x5x6xf32> {
  %sx = brisk.constant dense<0.5> : tensor<f32>
  %zx = brisk.constant dense<3> : tensor<ui8>
  %sw = brisk.constant dense<0.25> : tensor<f32>
  %zw = brisk.constant dense<4> : tensor<ui8>
  %xf = brisk.dequantize %x scale %sx zero %zx {to = f32} : (tensor<2x5x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x5x8xf32>
  %wf = brisk.dequantize %w scale %sw zero %zw {to = f32} : (tensor<2x8x6xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x8x6xf32>
  %y = brisk.matmul %xf, %wf : (tensor<2x5x8xf32>, tensor<2x8x6xf32>) -> tensor<2x5x6xf32>
  return %y : tensor<2x5x6xf32>
}

// -----

// Without zero points nothing is added up.
// CHECK-LABEL: @values_around_zero
// CHECK-NOT: brisk.reduce
// CHECK: brisk.matmul {{.*}} -> tensor<5x6xi32>
// SIGNED-LABEL: @values_around_zero
// FLOAT-LABEL: @values_around_zero
func.func @values_around_zero(%x: tensor<5x8xui8>, %w: tensor<8x6xi8>) -> tensor<5x6xf32> {
  %sx = brisk.constant dense<0.5> : tensor<f32>
  %sw = brisk.constant dense<0.25> : tensor<f32>
  %xf = brisk.dequantize %x scale %sx {to = f32} : (tensor<5x8xui8>, tensor<f32>) -> tensor<5x8xf32>
  %wf = brisk.dequantize %w scale %sw {to = f32} : (tensor<8x6xi8>, tensor<f32>) -> tensor<8x6xf32>
  %y = brisk.matmul %xf, %wf : (tensor<5x8xf32>, tensor<8x6xf32>) -> tensor<5x6xf32>
  return %y : tensor<5x6xf32>
}

// -----

// CHECK-LABEL: @long_values
// CHECK: brisk.matmul {{.*}} -> tensor<1x1xf32>
// SIGNED-LABEL: @long_values
// FLOAT-LABEL: @long_values
func.func @long_values(%x: tensor<1x20000xui8>, %w: tensor<20000x1xi8>) -> tensor<1x1xf32> {
  %sx = brisk.constant dense<0.5> : tensor<f32>
  %xf = brisk.dequantize %x scale %sx {to = f32} : (tensor<1x20000xui8>, tensor<f32>) -> tensor<1x20000xf32>
  %wf = brisk.dequantize %w scale %sx {to = f32} : (tensor<20000x1xi8>, tensor<f32>) -> tensor<20000x1xf32>
  %y = brisk.matmul %xf, %wf : (tensor<1x20000xf32>, tensor<20000x1xf32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// -----

// A constant whose zero point is not 0 is such a value; its sums are constant.
// CHECK-LABEL: @constant_with_zero
// CHECK-DAG: %[[COLUMNS:.*]] = brisk.constant dense<{{\[\[}}-1488, -1476]]> : tensor<1x2xi32>
// CHECK: brisk.matmul {{.*}} -> tensor<3x2xi32>
// CHECK: brisk.reduce sum %{{.*}} -> tensor<3x1xf32>
// CHECK-NOT: brisk.reduce
// CHECK: brisk.sub %{{.*}}, %[[COLUMNS]]
// SIGNED-LABEL: @constant_with_zero
// FLOAT-LABEL: @constant_with_zero
func.func @constant_with_zero(%x: tensor<3x4xui8>) -> tensor<3x2xf32> {
  %w = brisk.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xui8>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %zx = brisk.constant dense<3> : tensor<ui8>
  %zw = brisk.constant dense<2> : tensor<ui8>
  %xf = brisk.dequantize %x scale %s zero %zx {to = f32} : (tensor<3x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<3x4xf32>
  %wf = brisk.dequantize %w scale %s zero %zw {to = f32} : (tensor<4x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x2xf32>
  %y = brisk.matmul %xf, %wf : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

// One matrix on the left for several on the right, and empty sums, for which there are
// kernels of floats alone.
// CHECK-LABEL: @one_by_several
// CHECK: brisk.matmul %{{.*}} : (tensor<1x3x4xui8>, tensor<2x4x5xi8>) -> tensor<2x3x5xi32>
// SIGNED-LABEL: @one_by_several
// FLOAT-LABEL: @one_by_several
func.func @one_by_several(%x: tensor<3x4xui8>, %w: tensor<2x4x5xi8>) -> tensor<2x3x5xf32> {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %xf = brisk.dequantize %x scale %s {to = f32} : (tensor<3x4xui8>, tensor<f32>) -> tensor<3x4xf32>
  %wf = brisk.dequantize %w scale %s {to = f32} : (tensor<2x4x5xi8>, tensor<f32>) -> tensor<2x4x5xf32>
  %y = brisk.matmul %xf, %wf : (tensor<3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return %y : tensor<2x3x5xf32>
}

// CHECK-LABEL: @empty_sums
// CHECK: brisk.matmul {{.*}} -> tensor<2x3xf32>
// SIGNED-LABEL: @empty_sums
// FLOAT-LABEL: @empty_sums
func.func @empty_sums(%x: tensor<2x0xui8>, %w: tensor<0x3xi8>) -> tensor<2x3xf32> {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %xf = brisk.dequantize %x scale %s {to = f32} : (tensor<2x0xui8>, tensor<f32>) -> tensor<2x0xf32>
  %wf = brisk.dequantize %w scale %s {to = f32} : (tensor<0x3xi8>, tensor<f32>) -> tensor<0x3xf32>
  %y = brisk.matmul %xf, %wf : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
