// RUN: brisk-opt %s --set-target=cascadelake --requantize --canonicalize | FileCheck %s

// 0.5 / 0.25 and 0.75 / 0.25; the bounds are those of the result.
// CHECK-LABEL: @bounded
// CHECK-DAG: %[[SCALES:.*]] = brisk.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
// CHECK-DAG: %[[LOW:.*]] = brisk.constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG: %[[HIGH:.*]] = brisk.constant dense<2.400000e+01> : tensor<f32>
// CHECK-DAG: %[[ONE:.*]] = brisk.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[F:.*]] = brisk.dequantize %arg0 scale %[[SCALES]]
// CHECK: %[[L:.*]] = brisk.max %[[F]], %[[LOW]]
// CHECK: %[[H:.*]] = brisk.min %[[L]], %[[HIGH]]
// CHECK: brisk.quantize %[[H]] scale %[[ONE]] zero
func.func @bounded(%sum: tensor<3x2xi32>) -> tensor<3x2xui8> {
  %s = brisk.constant dense<[0.5, 0.75]> : tensor<2xf32>
  %low = brisk.constant dense<0.0> : tensor<f32>
  %high = brisk.constant dense<6.0> : tensor<f32>
  %sy = brisk.constant dense<0.25> : tensor<f32>
  %zy = brisk.constant dense<9> : tensor<ui8>
  %f = brisk.dequantize %sum scale %s {to = f32} : (tensor<3x2xi32>, tensor<2xf32>) -> tensor<3x2xf32>
  %l = brisk.max %f, %low : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %h = brisk.min %l, %high : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %q = brisk.quantize %h scale %sy zero %zy {to = ui8} : (tensor<3x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<3x2xui8>
  return %q : tensor<3x2xui8>
}

// A bias joins what is added to the sums already; one of another scale does not.
// CHECK-LABEL: @bias
// CHECK-DAG: %[[BOTH:.*]] = brisk.constant dense<[11, 22]> : tensor<2xi32>
// CHECK-DAG: %[[PRODUCTS:.*]] = brisk.matmul
// CHECK: %[[SUM:.*]] = brisk.add %[[PRODUCTS]], %[[BOTH]]
// CHECK: %[[F:.*]] = brisk.dequantize %[[SUM]]
// CHECK: return %[[F]]
func.func @bias(%x: tensor<3x4xui8>, %w: tensor<4x2xi8>) -> tensor<3x2xf32> {
  %sum = brisk.matmul %x, %w : (tensor<3x4xui8>, tensor<4x2xi8>) -> tensor<3x2xi32>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %start = brisk.constant dense<[1, 2]> : tensor<2xi32>
  %b32 = brisk.constant dense<[10, 20]> : tensor<2xi32>
  %started = brisk.add %sum, %start : (tensor<3x2xi32>, tensor<2xi32>) -> tensor<3x2xi32>
  %f = brisk.dequantize %started scale %s {to = f32} : (tensor<3x2xi32>, tensor<f32>) -> tensor<3x2xf32>
  %b = brisk.dequantize %b32 scale %s {to = f32} : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
  %y = brisk.add %b, %f : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// CHECK-LABEL: @other_scale
// CHECK: %[[SUM:.*]] = brisk.matmul
// CHECK: brisk.dequantize %[[SUM]]
// CHECK: brisk.add
func.func @other_scale(%x: tensor<3x4xui8>, %w: tensor<4x2xi8>) -> tensor<3x2xf32> {
  %sum = brisk.matmul %x, %w : (tensor<3x4xui8>, tensor<4x2xi8>) -> tensor<3x2xi32>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %sb = brisk.constant dense<0.25> : tensor<f32>
  %b32 = brisk.constant dense<[10, 20]> : tensor<2xi32>
  %f = brisk.dequantize %sum scale %s {to = f32} : (tensor<3x2xi32>, tensor<f32>) -> tensor<3x2xf32>
  %b = brisk.dequantize %b32 scale %sb {to = f32} : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
  %y = brisk.add %b, %f : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// A matrix, though it has as many elements as the sums have channels, is no bias.
// CHECK-LABEL: @column
// CHECK: %[[SUM:.*]] = brisk.matmul
// CHECK: brisk.dequantize %[[SUM]]
// CHECK: brisk.add
func.func @column(%x: tensor<2x4xui8>, %w: tensor<4x2xi8>) -> tensor<2x2xf32> {
  %sum = brisk.matmul %x, %w : (tensor<2x4xui8>, tensor<4x2xi8>) -> tensor<2x2xi32>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %b32 = brisk.constant dense<[[10], [20]]> : tensor<2x1xi32>
  %f = brisk.dequantize %sum scale %s {to = f32} : (tensor<2x2xi32>, tensor<f32>) -> tensor<2x2xf32>
  %b = brisk.dequantize %b32 scale %s {to = f32} : (tensor<2x1xi32>, tensor<f32>) -> tensor<2x1xf32>
  %y = brisk.add %f, %b : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// A bound that gives another shape, and a negative scale, which turns bounds
// around, leave all as it is.
// CHECK-LABEL: @stays
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<5.000000e-01> : tensor<f32>
// CHECK-DAG: %[[N:.*]] = brisk.constant dense<-2.500000e-01> : tensor<f32>
// CHECK-COUNT-2: brisk.dequantize %arg0 scale %[[S]]
// CHECK: brisk.quantize %{{.*}} scale %[[N]]
func.func @stays(%sum: tensor<2xi32>) -> (tensor<3x2xi8>, tensor<2xi8>) {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %sy = brisk.constant dense<0.25> : tensor<f32>
  %negative = brisk.constant dense<-0.25> : tensor<f32>
  %low = brisk.constant dense<0.0> : tensor<3x2xf32>
  %zero = brisk.constant dense<0.0> : tensor<f32>
  %f = brisk.dequantize %sum scale %s {to = f32} : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
  %l = brisk.max %f, %low : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %q = brisk.quantize %l scale %sy {to = i8} : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xi8>
  %h = brisk.dequantize %sum scale %s {to = f32, other} : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
  %m = brisk.max %h, %zero : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %r = brisk.quantize %m scale %negative {to = i8} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi8>
  return %q, %r : tensor<3x2xi8>, tensor<2xi8>
}

// Integers of which nobody knows how large they are, and a bias that fills more
// than half of 32 bits: the sums could wrap around.
// CHECK-LABEL: @wraps
// CHECK: %[[A:.*]] = brisk.dequantize %arg0
// CHECK: brisk.add %[[A]]
// CHECK: %[[SUM:.*]] = brisk.matmul
// CHECK: %[[B:.*]] = brisk.dequantize %[[SUM]]
// CHECK: brisk.add %[[B]]
func.func @wraps(%any: tensor<3x2xi32>, %x: tensor<3x4xui8>, %w: tensor<4x2xi8>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %small = brisk.constant dense<[10, 20]> : tensor<2xi32>
  %large = brisk.constant dense<[10, 1100000000]> : tensor<2xi32>
  %a = brisk.dequantize %any scale %s {to = f32} : (tensor<3x2xi32>, tensor<f32>) -> tensor<3x2xf32>
  %b = brisk.dequantize %small scale %s {to = f32} : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
  %y = brisk.add %a, %b : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %sum = brisk.matmul %x, %w : (tensor<3x4xui8>, tensor<4x2xi8>) -> tensor<3x2xi32>
  %c = brisk.dequantize %sum scale %s {to = f32} : (tensor<3x2xi32>, tensor<f32>) -> tensor<3x2xf32>
  %d = brisk.dequantize %large scale %s {to = f32} : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
  %z = brisk.add %c, %d : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  return %y, %z : tensor<3x2xf32>, tensor<3x2xf32>
}

// What moves elements in between stays there, and bounds that bytes have anyway
// go: -0.1 and less are 0, 6 and more are 255.
// CHECK-LABEL: @moved
// CHECK: %[[F:.*]] = brisk.dequantize %arg0 scale
// CHECK-NEXT: %[[T:.*]] = brisk.transpose %[[F]]
// CHECK-NEXT: brisk.quantize %[[T]] scale
func.func @moved(%sum: tensor<3x2xi32>) -> tensor<2x3xui8> {
  %s = brisk.constant dense<[0.5, 0.75]> : tensor<2xf32>
  %low = brisk.constant dense<-0.1> : tensor<f32>
  %high = brisk.constant dense<[[6.0], [7.0]]> : tensor<2x1xf32>
  %sy = brisk.constant dense<0.0235294122> : tensor<f32>
  %f = brisk.dequantize %sum scale %s {to = f32} : (tensor<3x2xi32>, tensor<2xf32>) -> tensor<3x2xf32>
  %t = brisk.transpose %f {permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %l = brisk.max %t, %low : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %h = brisk.min %l, %high : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %q = brisk.quantize %h scale %sy {to = ui8} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  return %q : tensor<2x3xui8>
}

// Bounds of channels are scaled, too.
// CHECK-LABEL: @bounded_channels
// CHECK-DAG: %[[HIGH:.*]] = brisk.constant dense<[2.400000e+01, 1.200000e+01]> : tensor<2xf32>
// CHECK: %[[F:.*]] = brisk.dequantize %arg0 scale
// CHECK-NEXT: %[[H:.*]] = brisk.min %[[F]], %[[HIGH]]
// CHECK-NEXT: brisk.quantize %[[H]] scale
func.func @bounded_channels(%sum: tensor<3x2xi32>) -> tensor<3x2xui8> {
  %s = brisk.constant dense<[0.5, 0.75]> : tensor<2xf32>
  %high = brisk.constant dense<[6.0, 3.0]> : tensor<2xf32>
  %sy = brisk.constant dense<0.25> : tensor<f32>
  %f = brisk.dequantize %sum scale %s {to = f32} : (tensor<3x2xi32>, tensor<2xf32>) -> tensor<3x2xf32>
  %h = brisk.min %f, %high : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %q = brisk.quantize %h scale %sy {to = ui8} : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xui8>
  return %q : tensor<3x2xui8>
}
