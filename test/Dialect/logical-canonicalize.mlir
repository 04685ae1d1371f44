// RUN: brisk-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @casts(
func.func @casts() -> (tensor<5xi8>, tensor<5xui8>, tensor<5xi1>, tensor<3xf32>, tensor<3xi64>) {
  // Toward zero, saturating, NaN to 0.
  // CHECK-DAG: %[[SIGNED:.*]] = brisk.constant dense<[-1, 127, -128, 0, 2]> : tensor<5xi8>
  // CHECK-DAG: %[[UNSIGNED:.*]] = brisk.constant dense<[0, 255, 0, 0, 2]> : tensor<5xui8>
  // CHECK-DAG: %[[BOOLEAN:.*]] = brisk.constant dense<true> : tensor<5xi1>
  // CHECK-DAG: %[[FLOAT:.*]] = brisk.constant dense<[2.550000e+02, 0.000000e+00, 1.280000e+02]> : tensor<3xf32>
  // CHECK-DAG: %[[WIDE:.*]] = brisk.constant dense<[255, 0, 128]> : tensor<3xi64>
  // CHECK: return %[[SIGNED]], %[[UNSIGNED]], %[[BOOLEAN]], %[[FLOAT]], %[[WIDE]]
  %x = brisk.constant dense<[-1.9, 1.0e10, 0xFF800000, 0x7FC00000, 2.5]> : tensor<5xf32>
  %u = brisk.constant dense<[255, 0, 128]> : tensor<3xui8>
  %0 = brisk.cast %x {to = i8} : (tensor<5xf32>) -> tensor<5xi8>
  %1 = brisk.cast %x {to = ui8} : (tensor<5xf32>) -> tensor<5xui8>
  %2 = brisk.cast %x {to = i1} : (tensor<5xf32>) -> tensor<5xi1>
  %3 = brisk.cast %u {to = f32} : (tensor<3xui8>) -> tensor<3xf32>
  %4 = brisk.cast %u {to = i64} : (tensor<3xui8>) -> tensor<3xi64>
  return %0, %1, %2, %3, %4 : tensor<5xi8>, tensor<5xui8>, tensor<5xi1>, tensor<3xf32>, tensor<3xi64>
}

// CHECK-LABEL: func.func @comparisons(
func.func @comparisons() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<3xi1>, tensor<3xi1>) {
  // CHECK-DAG: %[[LESS:.*]] = brisk.constant dense<[true, false, false]> : tensor<3xi1>
  // CHECK-DAG: %[[AT_LEAST:.*]] = brisk.constant dense<[false, true, false]> : tensor<3xi1>
  // CHECK-DAG: %[[UNSIGNED:.*]] = brisk.constant dense<[true, false]> : tensor<2xi1>
  // CHECK-DAG: %[[NAN:.*]] = brisk.constant dense<[false, false, true]> : tensor<3xi1>
  // CHECK: return %[[LESS]], %[[AT_LEAST]], %[[AT_LEAST]], %[[UNSIGNED]], %[[NAN]], %[[AT_LEAST]]
  %x = brisk.constant dense<[1.0, -0.0, 0x7FC00000]> : tensor<3xf32>
  %y = brisk.constant dense<[2.0, 0.0, 0x7FC00000]> : tensor<3xf32>
  %inf = brisk.constant dense<[0x7F800000, 0xFF800000, 1.0]> : tensor<3xf32>
  %u = brisk.constant dense<[200, 1]> : tensor<2xui8>
  %v = brisk.constant dense<[100, 2]> : tensor<2xui8>
  %0 = brisk.less %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %1 = brisk.equal %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %2 = brisk.greater_equal %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %3 = brisk.greater %u, %v : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xi1>
  %4 = brisk.is_nan %x : (tensor<3xf32>) -> tensor<3xi1>
  %5 = brisk.is_inf %inf {detect_positive = false} : (tensor<3xf32>) -> tensor<3xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<2xi1>, tensor<3xi1>, tensor<3xi1>
}

// A distance of the width and more is no shift by its low bits.
// CHECK-LABEL: func.func @shifts(
func.func @shifts() -> (tensor<3xui8>, tensor<3xui8>, tensor<3xi8>) {
  // CHECK-DAG: %[[LEFT:.*]] = brisk.constant dense<[2, 0, 0]> : tensor<3xui8>
  // CHECK-DAG: %[[RIGHT:.*]] = brisk.constant dense<[64, 0, 0]> : tensor<3xui8>
  // CHECK-DAG: %[[SIGNED:.*]] = brisk.constant dense<[-64, -1, 0]> : tensor<3xi8>
  // CHECK: return %[[LEFT]], %[[RIGHT]], %[[SIGNED]]
  %x = brisk.constant dense<[129, 255, 7]> : tensor<3xui8>
  %by = brisk.constant dense<[1, 8, 9]> : tensor<3xui8>
  %s = brisk.constant dense<[-127, -2, 7]> : tensor<3xi8>
  %t = brisk.constant dense<[1, 8, 9]> : tensor<3xi8>
  %0 = brisk.shift_left %x, %by : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %1 = brisk.shift_right %x, %by : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %2 = brisk.shift_right %s, %t : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  return %0, %1, %2 : tensor<3xui8>, tensor<3xui8>, tensor<3xi8>
}

// CHECK-LABEL: func.func @select_constants(
// CHECK: brisk.constant dense<{{\[}}[1, 20], [10, 2]]> : tensor<2x2xi64>
func.func @select_constants() -> tensor<2x2xi64> {
  %c = brisk.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %x = brisk.constant dense<[1, 2]> : tensor<2xi64>
  %y = brisk.constant dense<[10, 20]> : tensor<2xi64>
  %0 = brisk.select %c, %x, %y : (tensor<2x2xi1>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  return %0 : tensor<2x2xi64>
}

// CHECK-LABEL: func.func @identities(
// CHECK-SAME: %[[X:[^:]*]]: tensor<3xf32>, %[[Y:[^:]*]]: tensor<3xf32>, %[[C:[^:]*]]: tensor<3xi1>, %[[I:[^:]*]]: tensor<3xi32>)
// CHECK-NEXT: return %[[X]], %[[Y]], %[[X]], %[[C]], %[[X]], %[[I]]
func.func @identities(%x: tensor<3xf32>, %y: tensor<3xf32>, %c: tensor<3xi1>, %i: tensor<3xi32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi1>, tensor<3xf32>, tensor<3xi32>) {
  %true = brisk.constant dense<true> : tensor<i1>
  %false = brisk.constant dense<false> : tensor<i1>
  %0 = brisk.select %c, %x, %x : (tensor<3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = brisk.select %false, %x, %y : (tensor<i1>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = brisk.cast %x {to = f32} : (tensor<3xf32>) -> tensor<3xf32>
  %3 = brisk.logical_not %c : (tensor<3xi1>) -> tensor<3xi1>
  %4 = brisk.logical_not %3 : (tensor<3xi1>) -> tensor<3xi1>
  %5 = brisk.logical_and %true, %4 : (tensor<i1>, tensor<3xi1>) -> tensor<3xi1>
  %6 = brisk.logical_or %5, %false : (tensor<3xi1>, tensor<i1>) -> tensor<3xi1>
  %7 = brisk.cast %x {to = f64} : (tensor<3xf32>) -> tensor<3xf64>
  %8 = brisk.cast %7 {to = f32} : (tensor<3xf64>) -> tensor<3xf32>
  %9 = brisk.cast %i {to = i64} : (tensor<3xi32>) -> tensor<3xi64>
  %10 = brisk.cast %9 {to = i32} : (tensor<3xi64>) -> tensor<3xi32>
  return %0, %1, %2, %6, %8, %10 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi1>, tensor<3xf32>, tensor<3xi32>
}

// Bits that the type between has not room for are lost.
// CHECK-LABEL: func.func @lossy_casts(
// CHECK-COUNT-4: brisk.cast
func.func @lossy_casts(%x: tensor<3xf32>, %i: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %0 = brisk.cast %x {to = f16} : (tensor<3xf32>) -> tensor<3xf16>
  %1 = brisk.cast %0 {to = f32} : (tensor<3xf16>) -> tensor<3xf32>
  %2 = brisk.cast %i {to = f32} : (tensor<3xi32>) -> tensor<3xf32>
  %3 = brisk.cast %2 {to = i32} : (tensor<3xf32>) -> tensor<3xi32>
  return %1, %3 : tensor<3xf32>, tensor<3xi32>
}

// Just above half-way to the next number: rounding to f32 first would end at
// the half, and then at 1.
// CHECK-LABEL: func.func @rounds_once(
// CHECK-DAG: dense<1.000980e+00> : tensor<f16>
// CHECK-DAG: dense<1.007810e+00> : tensor<bf16>
func.func @rounds_once() -> (tensor<f16>, tensor<bf16>) {
  %x = brisk.constant dense<1.0004882822> : tensor<f64>
  %y = brisk.constant dense<1.00390625001> : tensor<f64>
  %0 = brisk.cast %x {to = f16} : (tensor<f64>) -> tensor<f16>
  %1 = brisk.cast %y {to = bf16} : (tensor<f64>) -> tensor<bf16>
  return %0, %1 : tensor<f16>, tensor<bf16>
}

// Halves between two numbers go to the even one, or to infinity; below the
// smallest normal number fewer bits are left.
// CHECK-LABEL: func.func @rounds(
// CHECK-DAG: dense<[1.000000e+00, 1.015630e+00, 0x7F80, 9.183550e-41, 0.000000e+00, 0x7F80, 0x7FC0, 6.553600e+04, -6.553600e+04, 2.980230e-08, 6.007030e-08, -0.000000e+00]> : tensor<12xbf16>
// CHECK-DAG: dense<[1.003910e+00, 1.011720e+00, 0x7C00, 0.000000e+00, 0.000000e+00, 0x7C00, 0x7E00, 6.550400e+04, 0xFC00, 0.000000e+00, 5.960460e-08, -0.000000e+00]> : tensor<12xf16>
func.func @rounds() -> (tensor<12xbf16>, tensor<12xf16>) {
  %x = brisk.constant dense<[1.00390625, 1.01171875, 3.39617752923046e+38, 1.0e-40, 4.5e-41, 0x7F800000, 0x7FC00000, 65519.98828125, -65520.0, 2.9802322387695312e-08, 6.0e-8, -0.0]> : tensor<12xf32>
  %0 = brisk.cast %x {to = bf16} : (tensor<12xf32>) -> tensor<12xbf16>
  %1 = brisk.cast %x {to = f16} : (tensor<12xf32>) -> tensor<12xf16>
  return %0, %1 : tensor<12xbf16>, tensor<12xf16>
}

// CHECK-LABEL: func.func @bits(
func.func @bits() -> (tensor<3xui8>, tensor<3xui8>, tensor<3xui8>, tensor<3xui8>, tensor<2xi1>, tensor<3xi1>) {
  // CHECK-DAG: %[[AND:.*]] = brisk.constant dense<[8, 0, 255]> : tensor<3xui8>
  // CHECK-DAG: %[[OR:.*]] = brisk.constant dense<[14, 255, 255]> : tensor<3xui8>
  // CHECK-DAG: %[[XOR:.*]] = brisk.constant dense<[6, 255, 0]> : tensor<3xui8>
  // CHECK-DAG: %[[NOT:.*]] = brisk.constant dense<[243, 255, 0]> : tensor<3xui8>
  // CHECK-DAG: %[[EITHER:.*]] = brisk.constant dense<[false, true]> : tensor<2xi1>
  // CHECK-DAG: %[[AT_MOST:.*]] = brisk.constant dense<[false, true, true]> : tensor<3xi1>
  // CHECK: return %[[AND]], %[[OR]], %[[XOR]], %[[NOT]], %[[EITHER]], %[[AT_MOST]]
  %x = brisk.constant dense<[12, 0, 255]> : tensor<3xui8>
  %y = brisk.constant dense<[10, 255, 255]> : tensor<3xui8>
  %p = brisk.constant dense<[true, true]> : tensor<2xi1>
  %q = brisk.constant dense<[true, false]> : tensor<2xi1>
  %0 = brisk.bitwise_and %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %1 = brisk.bitwise_or %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %2 = brisk.bitwise_xor %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %3 = brisk.bitwise_not %x : (tensor<3xui8>) -> tensor<3xui8>
  %4 = brisk.logical_xor %p, %q : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  %5 = brisk.less_equal %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xui8>, tensor<3xui8>, tensor<3xui8>, tensor<3xui8>, tensor<2xi1>, tensor<3xi1>
}
