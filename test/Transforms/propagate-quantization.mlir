// RUN: brisk-opt %s --split-input-file --set-target=cascadelake --propagate-quantization --canonicalize | FileCheck %s
// RUN: brisk-opt %s --split-input-file --propagate-quantization --canonicalize | FileCheck %s --check-prefix=FLOAT
// RUN: brisk-opt %s --split-input-file --set-target=cortex-a76 --propagate-quantization --canonicalize | FileCheck %s --check-prefix=SIGNED

// CHECK-LABEL: @moves
// CHECK: %[[T:.*]] = brisk.transpose %arg0 {{.*}} -> tensor<4x2xui8>
// CHECK: %[[R:.*]] = brisk.reshape %[[T]], %{{.*}} -> tensor<8xui8>
// CHECK: brisk.dequantize %[[R]] {{.*}} -> tensor<8xf32>
// FLOAT-LABEL: @moves
// FLOAT: brisk.dequantize %arg0
func.func @moves(%x: tensor<2x4xui8>) -> tensor<8xf32> {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<ui8>
  %shape = brisk.constant dense<8> : tensor<1xi64>
  %f = brisk.dequantize %x scale %s zero %z {to = f32} : (tensor<2x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x4xf32>
  %t = brisk.transpose %f {permutation = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %r = brisk.reshape %t, %shape : (tensor<4x2xf32>, tensor<1xi64>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Scales of channels follow a transpose.
// CHECK-LABEL: @channels
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<{{\[\[}}5.000000e-01, 2.500000e-01]]> : tensor<1x2xf32>
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>
// CHECK: brisk.dequantize %[[W]] scale %[[S]] {to = f32}
// FLOAT-LABEL: @channels
// FLOAT: brisk.transpose
func.func @channels() -> tensor<3x2xf32> {
  %w = brisk.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %s = brisk.constant dense<[[0.5], [0.25]]> : tensor<2x1xf32>
  %f = brisk.dequantize %w scale %s {to = f32} : (tensor<2x3xi8>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %t = brisk.transpose %f {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %t : tensor<3x2xf32>
}

// -----

// Rows of quantized weights are read as integers, each with its scale.
// CHECK-LABEL: @rows
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<{{.*}}> : tensor<3x2xi8>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<{{.*}}> : tensor<3x1xf32>
// CHECK-DAG: %[[ROWS:.*]] = brisk.gather %[[W]], %arg0 : (tensor<3x2xi8>, tensor<5x4xi64>) -> tensor<5x4x2xi8>
// CHECK-DAG: %[[SCALES:.*]] = brisk.gather %[[S]], %arg0 : (tensor<3x1xf32>, tensor<5x4xi64>) -> tensor<5x4x1xf32>
// CHECK: brisk.dequantize %[[ROWS]] scale %[[SCALES]] {to = f32}
// CHECK-LABEL: @columns_of_rows
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<{{.*}}> : tensor<3x2xi8>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<{{.*}}> : tensor<1x1x2xf32>
// CHECK: %[[ROWS:.*]] = brisk.gather %[[W]], %arg0
// CHECK: brisk.dequantize %[[ROWS]] scale %[[S]] {to = f32}
func.func @rows(%i: tensor<5x4xi64>) -> tensor<5x4x2xf32> {
  %w = brisk.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %s = brisk.constant dense<[[0.5], [0.25], [2.0]]> : tensor<3x1xf32>
  %f = brisk.dequantize %w scale %s {to = f32} : (tensor<3x2xi8>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %r = brisk.gather %f, %i : (tensor<3x2xf32>, tensor<5x4xi64>) -> tensor<5x4x2xf32>
  return %r : tensor<5x4x2xf32>
}
func.func @columns_of_rows(%i: tensor<5x4xi64>) -> tensor<5x4x2xf32> {
  %w = brisk.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %s = brisk.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %f = brisk.dequantize %w scale %s {to = f32} : (tensor<3x2xi8>, tensor<2xf32>) -> tensor<3x2xf32>
  %r = brisk.gather %f, %i : (tensor<3x2xf32>, tensor<5x4xi64>) -> tensor<5x4x2xf32>
  return %r : tensor<5x4x2xf32>
}

// -----

// CHECK-LABEL: @quantize
// CHECK: %[[Y:.*]] = brisk.exp
// CHECK: %[[Q:.*]] = brisk.quantize %[[Y]] {{.*}} -> tensor<2x4xi8>
// CHECK: %[[T:.*]] = brisk.transpose %[[Q]]
// CHECK: brisk.reshape %[[T]]
// FLOAT-LABEL: @quantize
// FLOAT: brisk.quantize {{.*}} -> tensor<8xi8>
func.func @quantize(%x: tensor<2x4xf32>) -> tensor<8xi8> {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %shape = brisk.constant dense<8> : tensor<1xi64>
  %y = brisk.exp %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %t = brisk.transpose %y {permutation = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %r = brisk.reshape %t, %shape : (tensor<4x2xf32>, tensor<1xi64>) -> tensor<8xf32>
  %q = brisk.quantize %r scale %s {to = i8} : (tensor<8xf32>, tensor<f32>) -> tensor<8xi8>
  return %q : tensor<8xi8>
}

// -----

// CHECK-LABEL: @max_pool
// CHECK-DAG: %[[P:.*]] = brisk.max_pool %arg0 {{.*}} -> tensor<1x2x2x3xui8>
// CHECK-DAG: brisk.dequantize %[[P]]
// CHECK-DAG: %[[F:.*]] = brisk.dequantize %arg0
// CHECK-DAG: brisk.max_pool %[[F]]
// FLOAT-LABEL: @max_pool
// FLOAT-NOT: -> tensor<1x2x2x3xui8>
func.func @max_pool(%x: tensor<1x4x4x3xui8>) -> (tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>) {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %negative = brisk.constant dense<-0.5> : tensor<f32>
  %a = brisk.dequantize %x scale %s {to = f32} : (tensor<1x4x4x3xui8>, tensor<f32>) -> tensor<1x4x4x3xf32>
  %b = brisk.dequantize %x scale %negative {to = f32} : (tensor<1x4x4x3xui8>, tensor<f32>) -> tensor<1x4x4x3xf32>
  %p = brisk.max_pool %a {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x2x2x3xf32>
  %q = brisk.max_pool %b {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x2x2x3xf32>
  return %p, %q : tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32>
}

// -----

// Means are of the integers, which is exact; the scale follows.
// CHECK-LABEL: @means
// CHECK-DAG: %[[ONE:.*]] = brisk.constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: %[[X:.*]] = brisk.dequantize %arg0 scale %[[ONE]] zero
// CHECK-DAG: %[[P:.*]] = brisk.average_pool %[[X]]
// CHECK-DAG: brisk.mul %[[P]], %[[S]]
// CHECK-DAG: %[[X2:.*]] = brisk.dequantize %arg0 scale %[[ONE]] zero
// CHECK-DAG: %[[M:.*]] = brisk.reduce mean %[[X2]]
// CHECK-DAG: brisk.mul %[[M]], %[[S]]
// Sums of 70000 bytes are not exact in f32.
// CHECK-DAG: %[[L:.*]] = brisk.dequantize %arg1 scale %[[S]]
// CHECK-DAG: brisk.reduce sum %[[L]]
// FLOAT-LABEL: @means
// FLOAT-NOT: brisk.mul
func.func @means(%x: tensor<1x4x4x3xui8>, %long: tensor<2x70000xui8>) -> (tensor<1x2x2x3xf32>, tensor<1x1x1x3xf32>, tensor<2x1xf32>) {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<ui8>
  %axes = brisk.constant dense<[1, 2]> : tensor<2xi64>
  %last = brisk.constant dense<1> : tensor<1xi64>
  %a = brisk.dequantize %x scale %s zero %z {to = f32} : (tensor<1x4x4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4x4x3xf32>
  %l = brisk.dequantize %long scale %s {to = f32} : (tensor<2x70000xui8>, tensor<f32>) -> tensor<2x70000xf32>
  %p = brisk.average_pool %a {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x2x2x3xf32>
  %m = brisk.reduce mean %a, %axes {keepdims} : (tensor<1x4x4x3xf32>, tensor<2xi64>) -> tensor<1x1x1x3xf32>
  %n = brisk.reduce sum %l, %last {keepdims} : (tensor<2x70000xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  return %p, %m, %n : tensor<1x2x2x3xf32>, tensor<1x1x1x3xf32>, tensor<2x1xf32>
}

// -----

// Signed bytes between two ops are unsigned ones, 128 higher.
// CHECK-LABEL: @signed
// CHECK-DAG: %[[A:.*]] = brisk.constant dense<131> : tensor<ui8>
// CHECK-DAG: %[[B:.*]] = brisk.constant dense<128> : tensor<ui8>
// CHECK: %[[Q:.*]] = brisk.quantize %arg0 scale %{{.*}} zero %[[A]] {to = ui8}
// CHECK: brisk.dequantize %[[Q]] scale %{{.*}} zero %[[B]] {to = f32}
// SIGNED-LABEL: @signed
// SIGNED: brisk.quantize {{.*}}to = i8
// FLOAT-LABEL: @signed
// FLOAT: brisk.quantize {{.*}}to = i8
func.func @signed(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<i8>
  %q = brisk.quantize %x scale %s zero %z {to = i8} : (tensor<2x4xf32>, tensor<f32>, tensor<i8>) -> tensor<2x4xi8>
  %f = brisk.dequantize %q scale %s {to = f32} : (tensor<2x4xi8>, tensor<f32>) -> tensor<2x4xf32>
  return %f : tensor<2x4xf32>
}

// -----

// A target that only multiplies signed bytes by signed ones gets those.
// CHECK-LABEL: @unsigned
// CHECK: brisk.quantize {{.*}}to = ui8
// SIGNED-LABEL: @unsigned
// SIGNED-DAG: %[[A:.*]] = brisk.constant dense<-125> : tensor<i8>
// SIGNED-DAG: %[[B:.*]] = brisk.constant dense<127> : tensor<i8>
// SIGNED: %[[Q:.*]] = brisk.quantize %arg0 scale %{{.*}} zero %[[A]] {to = i8}
// SIGNED: brisk.dequantize %[[Q]] scale %{{.*}} zero %[[B]] {to = f32}
func.func @unsigned(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<ui8>
  %last = brisk.constant dense<255> : tensor<ui8>
  %q = brisk.quantize %x scale %s zero %z {to = ui8} : (tensor<2x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x4xui8>
  %f = brisk.dequantize %q scale %s zero %last {to = f32} : (tensor<2x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x4xf32>
  return %f : tensor<2x4xf32>
}

// -----

// Scales that have more dimensions, or several elements although they are equal,
// stay where they are.
// CHECK-LABEL: @broadcasts
// CHECK: %[[A:.*]] = brisk.dequantize %arg0 {{.*}} -> tensor<3x4xf32>
// CHECK: brisk.transpose %[[A]]
// CHECK: %[[B:.*]] = brisk.dequantize %arg1 {{.*}} -> tensor<2x4xf32>
// CHECK: brisk.reshape %[[B]]
// CHECK: brisk.quantize {{.*}} -> tensor<8xi8>
// FLOAT-LABEL: @broadcasts
func.func @broadcasts(%x: tensor<1x4xui8>, %y: tensor<2x4xui8>, %z: tensor<2x4xf32>) -> (tensor<4x3xf32>, tensor<8xf32>, tensor<8xi8>) {
  %rows = brisk.constant dense<0.5> : tensor<3x1xf32>
  %columns = brisk.constant dense<0.5> : tensor<4xf32>
  %all = brisk.constant dense<0.5> : tensor<8xf32>
  %shape = brisk.constant dense<8> : tensor<1xi64>
  %a = brisk.dequantize %x scale %rows {to = f32} : (tensor<1x4xui8>, tensor<3x1xf32>) -> tensor<3x4xf32>
  %t = brisk.transpose %a {permutation = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %b = brisk.dequantize %y scale %columns {to = f32} : (tensor<2x4xui8>, tensor<4xf32>) -> tensor<2x4xf32>
  %r = brisk.reshape %b, %shape : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<8xf32>
  %e = brisk.exp %z : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %f = brisk.reshape %e, %shape : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<8xf32>
  %q = brisk.quantize %f scale %all {to = i8} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi8>
  return %t, %r, %q : tensor<4x3xf32>, tensor<8xf32>, tensor<8xi8>
}

// -----

// Concatenations, slices and nearest neighbours take integers of one scale.
// CHECK-LABEL: @choices
// CHECK: %[[C:.*]] = brisk.concat %arg0, %arg1 {{.*}} -> tensor<1x2x2x8xui8>
// CHECK: %[[S:.*]] = brisk.slice %[[C]], {{.*}} -> tensor<1x2x2x2xui8>
// CHECK: %[[R:.*]] = brisk.resize %[[S]] {{.*}} -> tensor<1x4x4x2xui8>
// CHECK: brisk.dequantize %[[R]]
// FLOAT-LABEL: @choices
// FLOAT: brisk.concat {{.*}} -> tensor<1x2x2x8xf32>
func.func @choices(%x: tensor<1x2x2x4xui8>, %y: tensor<1x2x2x4xui8>) -> tensor<1x4x4x2xf32> {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %again = brisk.constant dense<0.5> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<ui8>
  %start = brisk.constant dense<3> : tensor<1xi64>
  %end = brisk.constant dense<5> : tensor<1xi64>
  %axis = brisk.constant dense<3> : tensor<1xi64>
  %sizes = brisk.constant dense<[1, 4, 4, 2]> : tensor<4xi64>
  %a = brisk.dequantize %x scale %s zero %z {to = f32} : (tensor<1x2x2x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x2x4xf32>
  %b = brisk.dequantize %y scale %again zero %z {to = f32} : (tensor<1x2x2x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x2x4xf32>
  %c = brisk.concat %a, %b {axis = 3 : i64} : (tensor<1x2x2x4xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x8xf32>
  %p = brisk.slice %c, %start, %end axes %axis : (tensor<1x2x2x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x2x2xf32>
  %r = brisk.resize %p sizes %sizes {mode = #brisk<resize_mode nearest>} : (tensor<1x2x2x2xf32>, tensor<4xi64>) -> tensor<1x4x4x2xf32>
  return %r : tensor<1x4x4x2xf32>
}

// -----

// Two scales are two.
// CHECK-LABEL: @two_scales
// CHECK: brisk.concat {{.*}} -> tensor<8xf32>
// FLOAT-LABEL: @two_scales
func.func @two_scales(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<8xf32> {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %t = brisk.constant dense<0.25> : tensor<f32>
  %a = brisk.dequantize %x scale %s {to = f32} : (tensor<4xui8>, tensor<f32>) -> tensor<4xf32>
  %b = brisk.dequantize %y scale %t {to = f32} : (tensor<4xui8>, tensor<f32>) -> tensor<4xf32>
  %c = brisk.concat %a, %b {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}

// -----

// What quantizers write around every op that moves elements goes, but not where
// the zero point, the scale or the type is another, or rounding would not mend
// the detour.
// CHECK-LABEL: @undone
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x4xui8>
// CHECK: %[[T:.*]] = brisk.transpose %[[X]]
// CHECK: %[[R:.*]] = brisk.reshape %[[T]]
// CHECK-NOT: brisk.quantize
// CHECK: return %[[R]]
// FLOAT-LABEL: @undone
// FLOAT: brisk.quantize
func.func @undone(%x: tensor<2x4xui8>) -> tensor<8xui8> {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<ui8>
  %shape = brisk.constant dense<8> : tensor<1xi64>
  %a = brisk.dequantize %x scale %s zero %z {to = f32} : (tensor<2x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x4xf32>
  %b = brisk.transpose %a {permutation = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %c = brisk.quantize %b scale %s zero %z {to = ui8} : (tensor<4x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x2xui8>
  %d = brisk.dequantize %c scale %s zero %z {to = f32} : (tensor<4x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x2xf32>
  %e = brisk.reshape %d, %shape : (tensor<4x2xf32>, tensor<1xi64>) -> tensor<8xf32>
  %f = brisk.quantize %e scale %s zero %z {to = ui8} : (tensor<8xf32>, tensor<f32>, tensor<ui8>) -> tensor<8xui8>
  return %f : tensor<8xui8>
}

// -----

// CHECK-LABEL: @not_undone
// CHECK-COUNT-4: brisk.quantize
// FLOAT-LABEL: @not_undone
func.func @not_undone(%x: tensor<4xui8>) -> (tensor<4xui8>, tensor<4xui8>, tensor<4xi8>, tensor<4xui8>) {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %t = brisk.constant dense<0.25> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<ui8>
  %huge = brisk.constant dense<3.0e38> : tensor<f32>
  %a = brisk.dequantize %x scale %s zero %z {to = f32} : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %b = brisk.quantize %a scale %t zero %z {to = ui8} : (tensor<4xf32>, tensor<f32>, tensor<ui8>) -> tensor<4xui8>
  %c = brisk.quantize %a scale %s {to = ui8} : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  %d = brisk.quantize %a scale %s {to = i8} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi8>
  %e = brisk.dequantize %x scale %huge {to = f32} : (tensor<4xui8>, tensor<f32>) -> tensor<4xf32>
  %f = brisk.quantize %e scale %huge {to = ui8} : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8>
  return %b, %c, %d, %f : tensor<4xui8>, tensor<4xui8>, tensor<4xi8>, tensor<4xui8>
}

// -----

// A constant that bytes are concatenated with is quantized.
// CHECK-LABEL: @concat
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xui8>
// CHECK: %[[C:.*]] = brisk.constant dense<7> : tensor<2xui8>
// CHECK: %[[R:.*]] = brisk.concat %[[C]], %[[X]] {{.*}} -> tensor<6xui8>
// CHECK: return %[[R]]
// FLOAT-LABEL: @concat
func.func @concat(%x: tensor<4xui8>) -> tensor<6xui8> {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<ui8>
  %c = brisk.constant dense<2.0> : tensor<2xf32>
  %a = brisk.dequantize %x scale %s zero %z {to = f32} : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %b = brisk.concat %c, %a {axis = 0 : i64} : (tensor<2xf32>, tensor<4xf32>) -> tensor<6xf32>
  %d = brisk.quantize %b scale %s zero %z {to = ui8} : (tensor<6xf32>, tensor<f32>, tensor<ui8>) -> tensor<6xui8>
  return %d : tensor<6xui8>
}
