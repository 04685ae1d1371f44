// RUN: brisk-opt %s --split-input-file --form-groups --set-target=cascadelake --fuse-prologues | FileCheck %s
// RUN: brisk-opt %s --split-input-file --form-groups --set-target=riscv64 --fuse-prologues | FileCheck %s --check-prefix=SCALAR
// RUN: not brisk-opt %s --split-input-file --form-groups --fuse-prologues 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: is in a module without a target

// The model's input becomes bytes as the product reads it, in the product's
// shape. One number at a time that takes too long, for every panel.
// CHECK-LABEL: func.func @row(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x640xf32>
// CHECK: brisk.group ins(%{{.*}}, %[[X]] : tensor<640x128xi8>, tensor<1x640xf32>) {{.*}} -> tensor<1x128xui8>
// CHECK-NEXT: ^bb0(%[[W:.*]]: tensor<640x128xi8>, %[[A:.*]]: tensor<1x640xf32>):
// CHECK-DAG: %[[S:.*]] = brisk.constant dense<2.500000e-01> : tensor<f32>
// CHECK-DAG: %[[Z:.*]] = brisk.constant dense<128> : tensor<ui8>
// CHECK: %[[Q:.*]] = brisk.quantize %[[A]] scale %[[S]] zero %[[Z]] {to = ui8} : (tensor<1x640xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x640xui8>
// CHECK: brisk.matmul %[[Q]], %[[W]]
// CHECK-NOT: brisk.group
// SCALAR-LABEL: func.func @row(
// SCALAR: brisk.group
// SCALAR: brisk.group
func.func @row(%x: tensor<1x640xf32>) -> tensor<1x128xui8> {
  %w = brisk.constant dense<3> : tensor<640x128xi8>
  %s = brisk.constant dense<0.25> : tensor<f32>
  %z = brisk.constant dense<128> : tensor<ui8>
  %0 = brisk.quantize %x scale %s zero %z {to = ui8} : (tensor<1x640xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x640xui8>
  %1 = brisk.matmul %0, %w : (tensor<1x640xui8>, tensor<640x128xi8>) -> tensor<1x128xi32>
  %2 = brisk.dequantize %1 scale %s {to = f32} : (tensor<1x128xi32>, tensor<f32>) -> tensor<1x128xf32>
  %3 = brisk.quantize %2 scale %s zero %z {to = ui8} : (tensor<1x128xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x128xui8>
  return %3 : tensor<1x128xui8>
}

// -----

// The scale and zero point may be found in the run.
// CHECK-LABEL: func.func @dynamic(
// CHECK: brisk.group ins({{.*}}, %arg1, %arg2 : {{.*}}, tensor<f32>, tensor<ui8>)
// CHECK: brisk.quantize
// CHECK: brisk.matmul
// CHECK-NOT: brisk.group
func.func @dynamic(%x: tensor<2x8x64xf32>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<2x8x32xi32> {
  %w = brisk.constant dense<3> : tensor<64x32xi8>
  %0 = brisk.quantize %x scale %s zero %z {to = ui8} : (tensor<2x8x64xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x8x64xui8>
  %1 = brisk.matmul %0, %w : (tensor<2x8x64xui8>, tensor<64x32xi8>) -> tensor<2x8x32xi32>
  return %1 : tensor<2x8x32xi32>
}

// -----

// Patches that do not overlap; those that do are read several times.
// CHECK-LABEL: func.func @patches(
// CHECK: brisk.group
// CHECK: brisk.quantize
// CHECK: brisk.conv
// CHECK-NOT: brisk.group
func.func @patches(%x: tensor<1x16x16x16xf32>) -> tensor<1x4x4x64xi32> {
  %w = brisk.constant dense<3> : tensor<4x4x16x64xi8>
  %s = brisk.constant dense<0.25> : tensor<f32>
  %0 = brisk.quantize %x scale %s {to = ui8} : (tensor<1x16x16x16xf32>, tensor<f32>) -> tensor<1x16x16x16xui8>
  %1 = brisk.conv %0, %w {strides = array<i64: 4, 4>} : (tensor<1x16x16x16xui8>, tensor<4x4x16x64xi8>) -> tensor<1x4x4x64xi32>
  return %1 : tensor<1x4x4x64xi32>
}

// -----

// CHECK-LABEL: func.func @overlapping(
// CHECK: brisk.group
// CHECK: brisk.group
func.func @overlapping(%x: tensor<1x16x16x16xf32>) -> tensor<1x14x14x64xi32> {
  %w = brisk.constant dense<3> : tensor<3x3x16x64xi8>
  %s = brisk.constant dense<0.25> : tensor<f32>
  %0 = brisk.quantize %x scale %s {to = ui8} : (tensor<1x16x16x16xf32>, tensor<f32>) -> tensor<1x16x16x16xui8>
  %1 = brisk.conv %0, %w : (tensor<1x16x16x16xui8>, tensor<3x3x16x64xi8>) -> tensor<1x14x14x64xi32>
  return %1 : tensor<1x14x14x64xi32>
}

// -----

// For every panel of many columns that would take longer.
// CHECK-LABEL: func.func @wide(
// CHECK: brisk.group
// CHECK: brisk.group
func.func @wide(%x: tensor<16x64xf32>) -> tensor<16x2048xi32> {
  %w = brisk.constant dense<3> : tensor<64x2048xi8>
  %s = brisk.constant dense<0.25> : tensor<f32>
  %0 = brisk.quantize %x scale %s {to = ui8} : (tensor<16x64xf32>, tensor<f32>) -> tensor<16x64xui8>
  %1 = brisk.matmul %0, %w : (tensor<16x64xui8>, tensor<64x2048xi8>) -> tensor<16x2048xi32>
  return %1 : tensor<16x2048xi32>
}

// -----

// Floats that lie in the arena would stay there until sums of twice their size
// are written: bytes take less.
// CHECK-LABEL: func.func @kept(
// CHECK-COUNT-3: brisk.group
func.func @kept(%x: tensor<32x16xf32>) -> tensor<16x64xi32> {
  %w = brisk.constant dense<3> : tensor<32x64xi8>
  %s = brisk.constant dense<0.25> : tensor<f32>
  %t = brisk.transpose %x {permutation = array<i64: 1, 0>} : (tensor<32x16xf32>) -> tensor<16x32xf32>
  %0 = brisk.quantize %t scale %s {to = ui8} : (tensor<16x32xf32>, tensor<f32>) -> tensor<16x32xui8>
  %1 = brisk.matmul %0, %w : (tensor<16x32xui8>, tensor<32x64xi8>) -> tensor<16x64xi32>
  return %1 : tensor<16x64xi32>
}

// -----

// Others read the bytes, too.
// CHECK-LABEL: func.func @read_twice(
// CHECK-COUNT-3: brisk.group
func.func @read_twice(%x: tensor<4x64xf32>) -> (tensor<4x32xi32>, tensor<4x16xi32>) {
  %w = brisk.constant dense<3> : tensor<64x32xi8>
  %v = brisk.constant dense<5> : tensor<64x16xi8>
  %s = brisk.constant dense<0.25> : tensor<f32>
  %0 = brisk.quantize %x scale %s {to = ui8} : (tensor<4x64xf32>, tensor<f32>) -> tensor<4x64xui8>
  %1 = brisk.matmul %0, %w : (tensor<4x64xui8>, tensor<64x32xi8>) -> tensor<4x32xi32>
  %2 = brisk.matmul %0, %v : (tensor<4x64xui8>, tensor<64x16xi8>) -> tensor<4x16xi32>
  return %1, %2 : tensor<4x32xi32>, tensor<4x16xi32>
}

// -----

// A factor of more dimensions than the product's operand would give them to it.
// CHECK-LABEL: func.func @factor_of_more_dimensions(
// CHECK: brisk.group
// CHECK: brisk.group
func.func @factor_of_more_dimensions(%x: tensor<1x1x1x640xf32>, %f: tensor<1x1x1x1xf32>) -> tensor<1x128xi32> {
  %w = brisk.constant dense<3> : tensor<640x128xi8>
  %0 = tensor.empty() : tensor<1x1x1x640xui8>
  %1 = brisk.group ins(%x, %f : tensor<1x1x1x640xf32>, tensor<1x1x1x1xf32>) outs(%0 : tensor<1x1x1x640xui8>) -> tensor<1x1x1x640xui8> {
  ^bb0(%a: tensor<1x1x1x640xf32>, %b: tensor<1x1x1x1xf32>):
    %s = brisk.constant dense<0.25> : tensor<f32>
    %m = brisk.mul %a, %b : (tensor<1x1x1x640xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x640xf32>
    %q = brisk.quantize %m scale %s {to = ui8} : (tensor<1x1x1x640xf32>, tensor<f32>) -> tensor<1x1x1x640xui8>
    brisk.yield %q : tensor<1x1x1x640xui8>
  }
  %shape = brisk.constant dense<[1, 640]> : tensor<2xi64>
  %2 = brisk.reshape %1, %shape : (tensor<1x1x1x640xui8>, tensor<2xi64>) -> tensor<1x640xui8>
  %3 = tensor.empty() : tensor<1x128xi32>
  %4 = brisk.group ins(%2, %w : tensor<1x640xui8>, tensor<640x128xi8>) outs(%3 : tensor<1x128xi32>) -> tensor<1x128xi32> {
  ^bb0(%a: tensor<1x640xui8>, %b: tensor<640x128xi8>):
    %m = brisk.matmul %a, %b : (tensor<1x640xui8>, tensor<640x128xi8>) -> tensor<1x128xi32>
    brisk.yield %m : tensor<1x128xi32>
  }
  return %4 : tensor<1x128xi32>
}
