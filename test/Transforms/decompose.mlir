// RUN: brisk-opt %s --decompose --canonicalize | FileCheck %s
// RUN: brisk-opt %s --set-target=cascadelake --decompose -o - 2>&1 >%t | FileCheck %s --check-prefix=WARN
// RUN: brisk-opt %s --set-target=cascadelake --decompose --canonicalize | FileCheck %s --check-prefix=BYTES

// WARN: warning: some quantized values are computed in 32-bit floats: their weights take 12 bytes rather than 3 bytes
// WARN-NOT: warning

// CHECK-LABEL: func.func @weights(
// CHECK-DAG: brisk.constant dense<[-1.000000e+00, -5.000000e-01, 2.000000e+00]> : tensor<3xf32>
// CHECK-DAG: brisk.constant dense<[-2, -1, 4]> : tensor<3xi32>
// CHECK-NEXT: return
// BYTES-LABEL: func.func @weights(
// BYTES-DAG: brisk.constant dense<[-1.000000e+00, -5.000000e-01, 2.000000e+00]> : tensor<3xf32>
// BYTES-DAG: brisk.constant dense<[-2, -1, 4]> : tensor<3xi32>
func.func @weights() -> (tensor<3xf32>, tensor<3xi32>) {
  %w = brisk.constant dense<[1, 2, 7]> : tensor<3xui8>
  %s = brisk.constant dense<5.0e-01> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<ui8>
  %0 = brisk.dequantize %w scale %s zero %z {to = f32} : (tensor<3xui8>, tensor<f32>, tensor<ui8>) -> tensor<3xf32>
  %1 = brisk.dequantize %w zero %z {to = i32} : (tensor<3xui8>, tensor<ui8>) -> tensor<3xi32>
  return %0, %1 : tensor<3xf32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @quantized(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[S:.*]]: tensor<f32>, %[[Z:.*]]: tensor<i8>
// CHECK: %[[D:.*]] = brisk.div %[[X]], %[[S]]
// CHECK: %[[R:.*]] = brisk.round %[[D]]
// CHECK: %[[ZF:.*]] = brisk.cast %[[Z]] {to = f32}
// CHECK: %[[A:.*]] = brisk.add %[[R]], %[[ZF]]
// CHECK: %[[M:.*]] = brisk.max %[[A]]
// CHECK: %[[N:.*]] = brisk.min %[[M]]
// CHECK: %[[Q:.*]] = brisk.cast %[[N]] {to = i8}
// CHECK: %[[F:.*]] = brisk.cast %[[Q]] {to = f32}
// CHECK: %[[C:.*]] = brisk.sub %[[F]]
// CHECK: brisk.mul %[[C]], %[[S]]
// Next to integer arithmetic both stay as they are.
// BYTES-LABEL: func.func @quantized(
// BYTES: brisk.quantize
// BYTES-NEXT: brisk.dequantize
func.func @quantized(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i8>) -> tensor<2x3xf32> {
  %0 = brisk.quantize %x scale %s zero %z {to = i8} : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  %1 = brisk.dequantize %0 scale %s zero %z {to = f32} : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// What is divided in 16 bits is moved and bounded in f32.
// CHECK-LABEL: func.func @precision(
// CHECK: %[[D:.*]] = brisk.div {{.*}} -> tensor<4xf16>
// CHECK: %[[R:.*]] = brisk.round %[[D]]
// CHECK: %[[F:.*]] = brisk.cast %[[R]] {to = f32}
// CHECK: brisk.max %[[F]]
func.func @precision(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<4xi16> {
  %0 = brisk.quantize %x scale %s {to = i16, precision = f16} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi16>
  return %0 : tensor<4xi16>
}

// Two query heads read each key head. No query has keys that it may not read.
// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[Q:.*]]: tensor<1x4x3x8xf32>, %[[K:.*]]: tensor<1x2x5x8xf32>
// CHECK-DAG: %[[ROOT:.*]] = brisk.constant dense<0.707106769> : tensor<f32>
// CHECK-DAG: %[[REPEATED:.*]] = brisk.tile {{.*}} -> tensor<1x2x2x5x8xf32>
// CHECK-DAG: brisk.mul %[[Q]], %[[ROOT]]
// CHECK: %[[SCORES:.*]] = brisk.matmul {{.*}} -> tensor<1x4x3x5xf32>
// CHECK: %[[W:.*]] = brisk.softmax %[[SCORES]]
// CHECK: %[[Y:.*]] = brisk.matmul %[[W]]
// CHECK: return %[[Y]], %[[SCORES]]
func.func @attention(%q: tensor<1x4x3x8xf32>, %k: tensor<1x2x5x8xf32>) -> (tensor<1x4x3x8xf32>, tensor<1x4x3x5xf32>) {
  %0:2 = brisk.attention %q, %k, %k {scale = 0.5 : f32, scores = #brisk<attention_scores raw>}
      : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>) -> (tensor<1x4x3x8xf32>, tensor<1x4x3x5xf32>)
  return %0#0, %0#1 : tensor<1x4x3x8xf32>, tensor<1x4x3x5xf32>
}

// Of three queries the first reads one of four keys, which the mask hides, as it does the last, which it
// does not reach. No key is left for it, so it gives zeros.
// CHECK-LABEL: func.func @masked(
// CHECK-DAG: %[[BIAS:.*]] = brisk.constant dense<{{\[\[}}0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000], [0xFF800000, 0.000000e+00, 0xFF800000, 0xFF800000], [0xFF800000, 0.000000e+00, 0.000000e+00, 0xFF800000]]> : tensor<3x4xf32>
// CHECK-DAG: %[[DEAD:.*]] = brisk.constant dense<{{\[\[}}true], [false], [false]]> : tensor<3x1xi1>
// CHECK-DAG: %[[ZERO:.*]] = brisk.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[SUM:.*]] = brisk.add %{{.*}}, %[[BIAS]]
// CHECK: %[[W:.*]] = brisk.softmax %[[SUM]]
// CHECK: brisk.select %[[DEAD]], %[[ZERO]], %[[W]]
func.func @masked(%q: tensor<1x2x3x8xf32>, %k: tensor<1x2x4x8xf32>) -> tensor<1x2x3x8xf32> {
  %start = brisk.constant dense<0> : tensor<i64>
  %m = brisk.constant dense<[[false, true, true]]> : tensor<1x3xi1>
  %0 = brisk.attention %q, %k, %k mask %m start %start {causal}
      : (tensor<1x2x3x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x3xi1>, tensor<i64>) -> tensor<1x2x3x8xf32>
  return %0 : tensor<1x2x3x8xf32>
}

// A window of one key to each side of the query, and the number of keys that there are.
// CHECK-LABEL: func.func @window(
// CHECK-SAME: %[[LENS:[a-z0-9]+]]: tensor<2xi64>
// CHECK-DAG: brisk.constant dense<{{\[\[}}0.000000e+00, 0.000000e+00, 0xFF800000, 0xFF800000], [0.000000e+00, 0.000000e+00, 0.000000e+00, 0xFF800000]]> : tensor<2x4xf32>
// CHECK: %[[COUNT:.*]] = brisk.reshape %[[LENS]]
// CHECK: brisk.less %{{.*}}, %[[COUNT]]
func.func @window(%q: tensor<2x1x2x8xf32>, %k: tensor<2x1x4x8xf32>, %lens: tensor<2xi64>) -> tensor<2x1x2x8xf32> {
  %0 = brisk.attention %q, %k, %k lens %lens {left_window = 1, right_window = 1}
      : (tensor<2x1x2x8xf32>, tensor<2x1x4x8xf32>, tensor<2x1x4x8xf32>, tensor<2xi64>) -> tensor<2x1x2x8xf32>
  return %0 : tensor<2x1x2x8xf32>
}

// 16-bit floats are widened once and rounded once; scores are rounded for the softmax where it is asked for.
// CHECK-LABEL: func.func @narrow(
// CHECK: brisk.matmul {{.*}} -> tensor<1x1x3x5xf32>
// CHECK: %[[CAPPED:.*]] = brisk.mul
// CHECK: %[[ROUNDED:.*]] = brisk.cast %[[CAPPED]] {to = bf16}
// CHECK: %[[WIDE:.*]] = brisk.cast %[[ROUNDED]] {to = f32}
// CHECK: brisk.softmax %[[WIDE]]
// CHECK: %[[Y:.*]] = brisk.matmul {{.*}} -> tensor<1x1x3x8xf32>
// CHECK: brisk.cast %[[Y]] {to = f16}
func.func @narrow(%q: tensor<1x1x3x8xf16>, %k: tensor<1x1x5x8xf16>) -> tensor<1x1x3x8xf16> {
  %0 = brisk.attention %q, %k, %k {softcap = 3.0 : f32, softmax_precision = bf16}
      : (tensor<1x1x3x8xf16>, tensor<1x1x5x8xf16>, tensor<1x1x5x8xf16>) -> tensor<1x1x3x8xf16>
  return %0 : tensor<1x1x3x8xf16>
}

// Integers of 4 and 2 bits, the lowest bits first: what is constant becomes
// bytes once.
// CHECK-LABEL: func.func @unpack_bits(
// CHECK-SAME: %[[X:.*]]: tensor<2xui8>
// CHECK-DAG: brisk.constant dense<{{\[\[}}1, -8, -1], [7, 0, 3]]> : tensor<2x3xi8>
// CHECK-DAG: brisk.constant dense<[1, 0, 0, 2, 3]> : tensor<5xui8>
// CHECK-DAG: %[[DISTANCES:.*]] = brisk.constant dense<[4, 0]> : tensor<2xui8>
// CHECK-DAG: %[[DISTANCE:.*]] = brisk.constant dense<4> : tensor<1xi8>
// CHECK-DAG: %[[ROWS:.*]] = brisk.reshape %[[X]]
// CHECK: %[[HIGH:.*]] = brisk.shift_left %[[ROWS]], %[[DISTANCES]]
// CHECK: %[[SIGNED:.*]] = brisk.cast %[[HIGH]] {to = i8}
// CHECK: brisk.shift_right %[[SIGNED]], %[[DISTANCE]]
// CHECK: brisk.slice {{.*}} -> tensor<3xi8>
func.func @unpack_bits(%x: tensor<2xui8>) -> (tensor<2x3xi8>, tensor<5xui8>, tensor<3xi8>) {
  %four = brisk.constant dense<[129, 127, 48]> : tensor<3xui8>
  %two = brisk.constant dense<[129, 3]> : tensor<2xui8>
  %0 = brisk.unpack_bits %four {bits = 4, shape = array<i64: 2, 3>, to = i8} : (tensor<3xui8>) -> tensor<2x3xi8>
  %1 = brisk.unpack_bits %two {bits = 2, shape = array<i64: 5>, to = ui8} : (tensor<2xui8>) -> tensor<5xui8>
  %2 = brisk.unpack_bits %x {bits = 4, shape = array<i64: 3>, to = i8} : (tensor<2xui8>) -> tensor<3xi8>
  return %0, %1, %2 : tensor<2x3xi8>, tensor<5xui8>, tensor<3xi8>
}
