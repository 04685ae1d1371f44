// RUN: brisk-opt %s --recompose --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @silu(
// CHECK: %[[R:.*]] = brisk.silu
// CHECK-NEXT: return %[[R]]
func.func @silu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = brisk.sigmoid %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = brisk.mul %x, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[R:.*]] = brisk.gelu none %[[X]] :
// CHECK-NEXT: return %[[R]]
func.func @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %sqrt2 = brisk.constant dense<1.41421354> : tensor<f32>
  %one = brisk.constant dense<1.0> : tensor<f32>
  %half = brisk.constant dense<0.5> : tensor<1xf32>
  %0 = brisk.div %x, %sqrt2 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = brisk.erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = brisk.add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = brisk.mul %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = brisk.mul %3, %half : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu_half_first(
// CHECK: brisk.gelu
// CHECK-NOT: brisk.mul
func.func @gelu_half_first(%x: tensor<4xf32>) -> tensor<4xf32> {
  %sqrt = brisk.constant dense<0.707106769> : tensor<f32>
  %one = brisk.constant dense<1.0> : tensor<f32>
  %half = brisk.constant dense<0.5> : tensor<f32>
  %0 = brisk.mul %x, %sqrt : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = brisk.erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = brisk.add %one, %1 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = brisk.mul %x, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = brisk.mul %3, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu_tanh(
// CHECK: brisk.gelu {{.*}}tanh
// CHECK-NOT: brisk.mul
func.func @gelu_tanh(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = brisk.constant dense<0.044714998> : tensor<f32>
  %k = brisk.constant dense<0.797884583> : tensor<f32>
  %one = brisk.constant dense<1.0> : tensor<f32>
  %half = brisk.constant dense<0.5> : tensor<f32>
  %0 = brisk.mul %c, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = brisk.mul %x, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = brisk.mul %x, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = brisk.add %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = brisk.mul %k, %3 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %5 = brisk.tanh %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = brisk.add %one, %5 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %7 = brisk.mul %half, %6 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %8 = brisk.mul %x, %7 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %8 : tensor<4xf32>
}

// Constants that are no rounding of the function's: by 5e-5 here.
// CHECK-LABEL: func.func @nearly_gelu(
// CHECK-NOT: brisk.gelu
// CHECK: return
func.func @nearly_gelu(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %sqrt2 = brisk.constant dense<1.41428> : tensor<f32>
  %exact = brisk.constant dense<1.41421354> : tensor<f32>
  %one = brisk.constant dense<1.0> : tensor<f32>
  %more = brisk.constant dense<1.00005> : tensor<f32>
  %half = brisk.constant dense<0.5> : tensor<f32>
  %less = brisk.constant dense<0.499975> : tensor<f32>
  %0 = brisk.div %x, %sqrt2 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = brisk.erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = brisk.add %1, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = brisk.mul %x, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = brisk.mul %3, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %5 = brisk.div %x, %exact : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %6 = brisk.erf %5 : (tensor<4xf32>) -> tensor<4xf32>
  %7 = brisk.add %6, %more : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %8 = brisk.mul %x, %7 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %9 = brisk.mul %8, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %10 = brisk.add %6, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %11 = brisk.mul %x, %10 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %12 = brisk.mul %11, %less : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %4, %9, %12 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A quarter is not a half.
// CHECK-LABEL: func.func @no_gelu(
// CHECK-NOT: brisk.gelu
func.func @no_gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %sqrt = brisk.constant dense<0.707106769> : tensor<f32>
  %one = brisk.constant dense<1.0> : tensor<f32>
  %quarter = brisk.constant dense<0.25> : tensor<f32>
  %0 = brisk.mul %x, %sqrt : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = brisk.erf %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = brisk.add %one, %1 : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = brisk.mul %x, %quarter : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = brisk.mul %3, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: func.func @layer_norm(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
// CHECK-DAG: %[[B:.*]] = brisk.constant dense<[5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]>
// CHECK: %[[R:.*]] = brisk.layer_norm %[[X]] scale %[[S]] bias %[[B]] {axis = 2 : i64, epsilon = 9.99999997E-7 : f32}
// CHECK-NEXT: return %[[R]]
func.func @layer_norm(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %axes = brisk.constant dense<-1> : tensor<1xi64>
  %two = brisk.constant dense<2.0> : tensor<f32>
  %eps = brisk.constant dense<1.0e-6> : tensor<f32>
  %scale = brisk.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %bias = brisk.constant dense<[[5.0, 6.0, 7.0, 8.0]]> : tensor<1x4xf32>
  %0 = brisk.reduce mean %x, %axes {keepdims} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x3x1xf32>
  %1 = brisk.sub %x, %0 : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %2 = brisk.pow %1, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %3 = brisk.reduce mean %2, %axes {keepdims} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x3x1xf32>
  %4 = brisk.add %3, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %5 = brisk.sqrt %4 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %6 = brisk.div %1, %5 : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %7 = brisk.mul %6, %scale : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %8 = brisk.add %7, %bias : (tensor<2x3x4xf32>, tensor<1x4xf32>) -> tensor<2x3x4xf32>
  return %8 : tensor<2x3x4xf32>
}

// A mean over another axis is another op's.
// CHECK-LABEL: func.func @no_layer_norm(
// CHECK-NOT: brisk.layer_norm
func.func @no_layer_norm(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %axes = brisk.constant dense<1> : tensor<1xi64>
  %eps = brisk.constant dense<1.0e-6> : tensor<f32>
  %0 = brisk.reduce mean %x, %axes {keepdims} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x1x4xf32>
  %1 = brisk.sub %x, %0 : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  %2 = brisk.mul %1, %1 : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %3 = brisk.reduce mean %2, %axes {keepdims} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x1x4xf32>
  %4 = brisk.add %3, %eps : (tensor<2x1x4xf32>, tensor<f32>) -> tensor<2x1x4xf32>
  %5 = brisk.sqrt %4 : (tensor<2x1x4xf32>) -> tensor<2x1x4xf32>
  %6 = brisk.div %1, %5 : (tensor<2x3x4xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xf32>
  return %6 : tensor<2x3x4xf32>
}

// The deviation of one row divides a column; the spread is about another mean.
// CHECK-LABEL: func.func @no_layer_norms(
// CHECK-NOT: brisk.layer_norm
func.func @no_layer_norms(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %axes = brisk.constant dense<1> : tensor<1xi64>
  %others = brisk.constant dense<0> : tensor<1xi64>
  %eps = brisk.constant dense<1.0e-6> : tensor<f32>
  %shape = brisk.constant dense<[1, 4]> : tensor<2xi64>
  %0 = brisk.reduce mean %x, %axes {keepdims} : (tensor<4x4xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %1 = brisk.sub %x, %0 : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %2 = brisk.mul %1, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = brisk.reduce mean %2, %axes {keepdims} : (tensor<4x4xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %4 = brisk.add %3, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %5 = brisk.sqrt %4 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %6 = brisk.reshape %5, %shape : (tensor<4x1xf32>, tensor<2xi64>) -> tensor<1x4xf32>
  %7 = brisk.div %1, %6 : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %8 = brisk.reduce mean %x, %others {keepdims} : (tensor<4x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  %9 = brisk.sub %x, %8 : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  %10 = brisk.mul %9, %9 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %11 = brisk.reduce mean %10, %axes {keepdims} : (tensor<4x4xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %12 = brisk.add %11, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %13 = brisk.sqrt %12 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %14 = brisk.div %1, %13 : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  return %7, %14 : tensor<4x4xf32>, tensor<4x4xf32>
}

// By its reciprocal; the scale is the normalization's own, an offset is not.
// CHECK-LABEL: func.func @rms_norm(
// CHECK-SAME: %[[X:.*]]: tensor<2x3x4xf32>
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]>
// CHECK-DAG: %[[R:.*]] = brisk.rms_norm %[[X]], %[[S]] {axis = 2 : i64, epsilon = 9.99999997E-7 : f32}
// CHECK: %[[SUM:.*]] = brisk.add %[[R]]
// CHECK-NEXT: return %[[SUM]]
func.func @rms_norm(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %axes = brisk.constant dense<-1> : tensor<1xi64>
  %two = brisk.constant dense<2.0> : tensor<f32>
  %eps = brisk.constant dense<1.0e-6> : tensor<f32>
  %scale = brisk.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %0 = brisk.pow %x, %two : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %1 = brisk.reduce mean %0, %axes {keepdims} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x3x1xf32>
  %2 = brisk.add %eps, %1 : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %3 = brisk.sqrt %2 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %4 = brisk.reciprocal %3 : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %5 = brisk.mul %x, %4 : (tensor<2x3x4xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
  %6 = brisk.mul %scale, %5 : (tensor<1x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %7 = brisk.add %6, %scale : (tensor<2x3x4xf32>, tensor<1x4xf32>) -> tensor<2x3x4xf32>
  return %7 : tensor<2x3x4xf32>
}

// The squares of something else; a sum; over the first dimension.
// CHECK-LABEL: func.func @no_rms_norms(
// CHECK-NOT: brisk.rms_norm
func.func @no_rms_norms(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %last = brisk.constant dense<1> : tensor<1xi64>
  %first = brisk.constant dense<0> : tensor<1xi64>
  %eps = brisk.constant dense<1.0e-6> : tensor<f32>
  %0 = brisk.mul %y, %y : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = brisk.reduce mean %0, %last {keepdims} : (tensor<4x4xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %2 = brisk.add %1, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %3 = brisk.sqrt %2 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %4 = brisk.div %x, %3 : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %5 = brisk.mul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = brisk.reduce sum %5, %last {keepdims} : (tensor<4x4xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  %7 = brisk.add %6, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %8 = brisk.sqrt %7 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %9 = brisk.div %x, %8 : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %10 = brisk.reduce mean %5, %first {keepdims} : (tensor<4x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  %11 = brisk.add %10, %eps : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
  %12 = brisk.sqrt %11 : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %13 = brisk.div %x, %12 : (tensor<4x4xf32>, tensor<1x4xf32>) -> tensor<4x4xf32>
  return %4, %9, %13 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// With the reduced dimension dropped and brought back, and a guard.
// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[X:.*]]: tensor<2x5xf32>
// CHECK-NEXT: %[[R:.*]] = brisk.softmax %[[X]] {axis = 1 : i64}
// CHECK-NEXT: return %[[R]]
func.func @softmax(%x: tensor<2x5xf32>) -> tensor<2x5xf32> {
  %axes = brisk.constant dense<1> : tensor<1xi64>
  %shape = brisk.constant dense<[2, 1]> : tensor<2xi64>
  %inf = brisk.constant dense<0xFF800000> : tensor<f32>
  %0 = brisk.reduce max %x, %axes : (tensor<2x5xf32>, tensor<1xi64>) -> tensor<2xf32>
  %1 = brisk.max %inf, %0 : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = brisk.reshape %1, %shape : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x1xf32>
  %3 = brisk.sub %x, %2 : (tensor<2x5xf32>, tensor<2x1xf32>) -> tensor<2x5xf32>
  %4 = brisk.exp %3 : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %5 = brisk.reduce sum %4, %axes : (tensor<2x5xf32>, tensor<1xi64>) -> tensor<2xf32>
  %6 = brisk.reshape %5, %shape : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x1xf32>
  %7 = brisk.div %4, %6 : (tensor<2x5xf32>, tensor<2x1xf32>) -> tensor<2x5xf32>
  return %7 : tensor<2x5xf32>
}
