// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @shape(
func.func @shape(%x: tensor<2x?x4xf32>) -> tensor<1xi64> {
  // CHECK: brisk.shape {{.*}} -> tensor<1xi64>
  %0 = brisk.shape %x {start = 1 : i64, end = -1 : i64} : (tensor<2x?x4xf32>) -> tensor<1xi64>
  return %0 : tensor<1xi64>
}

// CHECK-LABEL: func.func @size(
func.func @size(%x: tensor<2x?xf32>) -> tensor<i64> {
  // CHECK: brisk.size {{.*}} -> tensor<i64>
  %0 = brisk.size %x : (tensor<2x?xf32>) -> tensor<i64>
  return %0 : tensor<i64>
}

// CHECK-LABEL: func.func @range(
func.func @range(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>) -> tensor<?xi32> {
  // CHECK: brisk.range {{.*}} -> tensor<?xi32>
  %0 = brisk.range %a, %b, %c : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// CHECK-LABEL: func.func @fill(
func.func @fill(%s: tensor<2xi64>) -> tensor<?x?xf32> {
  // CHECK: brisk.fill {{.*}} -> tensor<?x?xf32>
  %0 = brisk.fill %s {value = dense<1.0> : tensor<f32>} : (tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @reshape(
func.func @reshape(%x: tensor<2x3xf32>, %s: tensor<1xi64>) -> tensor<?xf32> {
  // CHECK: brisk.reshape {{.*}} -> tensor<?xf32>
  %0 = brisk.reshape %x, %s {allowzero} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @squeeze(
func.func @squeeze(%x: tensor<2x1x3xi1>) -> tensor<2x3xi1> {
  // CHECK: brisk.squeeze {{.*}} -> tensor<2x3xi1>
  %0 = brisk.squeeze %x : (tensor<2x1x3xi1>) -> tensor<2x3xi1>
  return %0 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @squeeze_axes(
func.func @squeeze_axes(%x: tensor<2x1x3xi1>, %a: tensor<1xi64>) -> tensor<?x?xi1> {
  // CHECK: brisk.squeeze {{.*}} -> tensor<?x?xi1>
  %0 = brisk.squeeze %x, %a : (tensor<2x1x3xi1>, tensor<1xi64>) -> tensor<?x?xi1>
  return %0 : tensor<?x?xi1>
}

// CHECK-LABEL: func.func @unsqueeze(
func.func @unsqueeze(%x: tensor<2x3xf32>, %a: tensor<1xi64>) -> tensor<?x?x?xf32> {
  // CHECK: brisk.unsqueeze {{.*}} -> tensor<?x?x?xf32>
  %0 = brisk.unsqueeze %x, %a : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @flatten(
func.func @flatten(%x: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  // CHECK: brisk.flatten {{.*}} -> tensor<6x4xf32>
  %0 = brisk.flatten %x {axis = -1 : i64} : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// CHECK-LABEL: func.func @expand(
func.func @expand(%x: tensor<3x1xf32>, %s: tensor<3xi64>) -> tensor<2x3x4xf32> {
  // CHECK: brisk.expand {{.*}} -> tensor<2x3x4xf32>
  %0 = brisk.expand %x, %s : (tensor<3x1xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @transpose(
func.func @transpose(%x: tensor<2x?x4xf32>) -> tensor<2x4x?xf32> {
  // CHECK: brisk.transpose {{.*}} -> tensor<2x4x?xf32>
  %0 = brisk.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<2x?x4xf32>) -> tensor<2x4x?xf32>
  return %0 : tensor<2x4x?xf32>
}

// CHECK-LABEL: func.func @concat(
func.func @concat(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<2x7xf32> {
  // CHECK: brisk.concat {{.*}} -> tensor<2x7xf32>
  %0 = brisk.concat %a, %b {axis = -1 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  return %0 : tensor<2x7xf32>
}

// CHECK-LABEL: func.func @split(
func.func @split(%x: tensor<2x7xf32>) -> (tensor<2x4xf32>, tensor<2x3xf32>) {
  // CHECK: brisk.split {{.*}} -> (tensor<2x4xf32>, tensor<2x3xf32>)
  %0:2 = brisk.split %x {axis = 1 : i64, num_outputs = 2 : i64} : (tensor<2x7xf32>) -> (tensor<2x4xf32>, tensor<2x3xf32>)
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @slice(
func.func @slice(%x: tensor<8x3xf32>, %a: tensor<1xi64>, %b: tensor<1xi64>, %c: tensor<1xi32>) -> tensor<?x3xf32> {
  // CHECK: brisk.slice {{.*}} -> tensor<?x3xf32>
  %0 = brisk.slice %x, %a, %b axes %c steps %a : (tensor<8x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi32>, tensor<1xi64>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: func.func @pad(
func.func @pad(%x: tensor<2x3xf32>, %p: tensor<4xi64>, %v: tensor<f32>) -> tensor<?x?xf32> {
  // CHECK: brisk.pad constant {{.*}} -> tensor<?x?xf32>
  %0 = brisk.pad constant %x, %p value %v : (tensor<2x3xf32>, tensor<4xi64>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @pad_axes(
func.func @pad_axes(%x: tensor<2x3xf32>, %p: tensor<2xi64>, %a: tensor<1xi64>) -> tensor<?x?xf32> {
  // CHECK: brisk.pad reflect {{.*}} -> tensor<?x?xf32>
  %0 = brisk.pad reflect %x, %p axes %a : (tensor<2x3xf32>, tensor<2xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @tile(
func.func @tile(%x: tensor<2x3xf32>, %r: tensor<2xi64>) -> tensor<?x?xf32> {
  // CHECK: brisk.tile {{.*}} -> tensor<?x?xf32>
  %0 = brisk.tile %x, %r : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @depth_to_space(
func.func @depth_to_space(%x: tensor<1x4x?x8xf32>) -> tensor<1x8x?x2xf32> {
  // CHECK: brisk.depth_to_space {{.*}} -> tensor<1x8x?x2xf32>
  %0 = brisk.depth_to_space crd %x {blocksize = 2 : i64} : (tensor<1x4x?x8xf32>) -> tensor<1x8x?x2xf32>
  return %0 : tensor<1x8x?x2xf32>
}

// CHECK-LABEL: func.func @space_to_depth(
func.func @space_to_depth(%x: tensor<1x8x8x2xf32>) -> tensor<1x4x4x8xf32> {
  // CHECK: brisk.space_to_depth {{.*}} -> tensor<1x4x4x8xf32>
  %0 = brisk.space_to_depth %x {blocksize = 2 : i64} : (tensor<1x8x8x2xf32>) -> tensor<1x4x4x8xf32>
  return %0 : tensor<1x4x4x8xf32>
}
