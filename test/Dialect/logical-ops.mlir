// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @logical_and(
func.func @logical_and(%a: tensor<2x3xi1>, %b: tensor<3xi1>) -> tensor<2x3xi1> {
  // CHECK: brisk.logical_and {{.*}} -> tensor<2x3xi1>
  %0 = brisk.logical_and %a, %b : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @logical_or(
func.func @logical_or(%a: tensor<2x3xi1>, %b: tensor<3xi1>) -> tensor<2x3xi1> {
  // CHECK: brisk.logical_or {{.*}} -> tensor<2x3xi1>
  %0 = brisk.logical_or %a, %b : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @logical_xor(
func.func @logical_xor(%a: tensor<2x3xi1>, %b: tensor<3xi1>) -> tensor<2x3xi1> {
  // CHECK: brisk.logical_xor {{.*}} -> tensor<2x3xi1>
  %0 = brisk.logical_xor %a, %b : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @logical_not(
func.func @logical_not(%x: tensor<2x3xi1>) -> tensor<2x3xi1> {
  // CHECK: brisk.logical_not {{.*}} -> tensor<2x3xi1>
  %0 = brisk.logical_not %x : (tensor<2x3xi1>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @equal(
func.func @equal(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xi1> {
  // CHECK: brisk.equal {{.*}} -> tensor<2x3xi1>
  %0 = brisk.equal %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @less(
func.func @less(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xi1> {
  // CHECK: brisk.less {{.*}} -> tensor<2x3xi1>
  %0 = brisk.less %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @less_equal(
func.func @less_equal(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xi1> {
  // CHECK: brisk.less_equal {{.*}} -> tensor<2x3xi1>
  %0 = brisk.less_equal %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @greater(
func.func @greater(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xi1> {
  // CHECK: brisk.greater {{.*}} -> tensor<2x3xi1>
  %0 = brisk.greater %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @greater_equal(
func.func @greater_equal(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xi1> {
  // CHECK: brisk.greater_equal {{.*}} -> tensor<2x3xi1>
  %0 = brisk.greater_equal %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @is_nan(
func.func @is_nan(%x: tensor<2x3xf32>) -> tensor<2x3xi1> {
  // CHECK: brisk.is_nan {{.*}} -> tensor<2x3xi1>
  %0 = brisk.is_nan %x : (tensor<2x3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @is_inf(
func.func @is_inf(%x: tensor<2x3xf32>) -> tensor<2x3xi1> {
  // CHECK: brisk.is_inf {{.*}} -> tensor<2x3xi1>
  %0 = brisk.is_inf %x {detect_negative = false} : (tensor<2x3xf32>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @bitwise_and(
func.func @bitwise_and(%a: tensor<2x3xi32>, %b: tensor<3xi32>) -> tensor<2x3xi32> {
  // CHECK: brisk.bitwise_and {{.*}} -> tensor<2x3xi32>
  %0 = brisk.bitwise_and %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @bitwise_or(
func.func @bitwise_or(%a: tensor<2x3xi32>, %b: tensor<3xi32>) -> tensor<2x3xi32> {
  // CHECK: brisk.bitwise_or {{.*}} -> tensor<2x3xi32>
  %0 = brisk.bitwise_or %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @bitwise_xor(
func.func @bitwise_xor(%a: tensor<2x3xi32>, %b: tensor<3xi32>) -> tensor<2x3xi32> {
  // CHECK: brisk.bitwise_xor {{.*}} -> tensor<2x3xi32>
  %0 = brisk.bitwise_xor %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-LABEL: func.func @bitwise_not(
func.func @bitwise_not(%x: tensor<2x3xui16>) -> tensor<2x3xui16> {
  // CHECK: brisk.bitwise_not {{.*}} -> tensor<2x3xui16>
  %0 = brisk.bitwise_not %x : (tensor<2x3xui16>) -> tensor<2x3xui16>
  return %0 : tensor<2x3xui16>
}

// CHECK-LABEL: func.func @shift_left(
func.func @shift_left(%a: tensor<2x3xui8>, %b: tensor<3xui8>) -> tensor<2x3xui8> {
  // CHECK: brisk.shift_left {{.*}} -> tensor<2x3xui8>
  %0 = brisk.shift_left %a, %b : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xui8>
  return %0 : tensor<2x3xui8>
}

// CHECK-LABEL: func.func @shift_right(
func.func @shift_right(%a: tensor<2x3xui8>, %b: tensor<3xui8>) -> tensor<2x3xui8> {
  // CHECK: brisk.shift_right {{.*}} -> tensor<2x3xui8>
  %0 = brisk.shift_right %a, %b : (tensor<2x3xui8>, tensor<3xui8>) -> tensor<2x3xui8>
  return %0 : tensor<2x3xui8>
}

// CHECK-LABEL: func.func @select(
func.func @select(%c: tensor<2x1xi1>, %x: tensor<2x3xf32>, %y: tensor<f32>) -> tensor<2x3xf32> {
  // CHECK: brisk.select {{.*}} -> tensor<2x3xf32>
  %0 = brisk.select %c, %x, %y : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @cast(
func.func @cast(%x: tensor<2x3xf32>) -> tensor<2x3xui8> {
  // CHECK: brisk.cast {{.*}} -> tensor<2x3xui8>
  %0 = brisk.cast %x {to = ui8} : (tensor<2x3xf32>) -> tensor<2x3xui8>
  return %0 : tensor<2x3xui8>
}
