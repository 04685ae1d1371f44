// RUN: brisk-opt %s | brisk-opt | FileCheck %s

// CHECK-LABEL: func @constant
func.func @constant() -> tensor<2xi64> {
  // CHECK: brisk.constant dense<[1, 2]> : tensor<2xi64>
  %0 = brisk.constant dense<[1, 2]> : tensor<2xi64>
  return %0 : tensor<2xi64>
}

// CHECK-LABEL: func @group
func.func @group(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // CHECK: brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>) outs(%{{.*}} : tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>):
  // CHECK-NEXT: %[[S:.*]] = brisk.add %[[A]], %[[B]]
  // CHECK-NEXT: brisk.yield %[[S]] : tensor<4xf32>
  %r = brisk.group schedule #brisk.elementwise<chunk = 8192>
      ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %0 = brisk.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    brisk.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// A group on buffers has no results; booleans and unsigned integers keep their
// types until their kernel is emitted.
// CHECK-LABEL: func @group_on_buffers
func.func @group_on_buffers(%x: memref<4xui8>, %y: memref<4xui8, strided<[1], offset: 4>>) {
  // CHECK: brisk.group ins(%{{.*}} : memref<4xui8>) outs(%{{.*}} : memref<4xui8, strided<[1], offset: 4>>) {
  brisk.group ins(%x : memref<4xui8>) outs(%y : memref<4xui8, strided<[1], offset: 4>>) {
  ^bb0(%a: tensor<4xui8>):
    %0 = brisk.add %a, %a : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
    brisk.yield %0 : tensor<4xui8>
  }
  return
}

// CHECK-LABEL: func @if
func.func @if(%c: tensor<i1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: brisk.if %{{.*}} : tensor<i1> -> tensor<4xf32> {
  // CHECK: } else {
  %r = brisk.if %c : tensor<i1> -> tensor<4xf32> {
    brisk.yield %a : tensor<4xf32>
  } else {
    brisk.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func @require
func.func @require(%c: tensor<i1>, %d: i1) {
  // CHECK: brisk.require %{{.*}} : tensor<i1>
  brisk.require %c : tensor<i1>
  // CHECK: brisk.require %{{.*}} : i1
  brisk.require %d : i1
  return
}

// CHECK-LABEL: func @unpack
func.func @unpack(%x: tensor<384xf32>, %y: tensor<48xi8>) -> (tensor<1x1x16x24xf32>, tensor<2x3x4xi8>) {
  // CHECK: brisk.unpack %{{.*}} <shape = [16, 24], axes = {{\[\[}}1] by [16, 8], [0]]> : tensor<384xf32> -> tensor<1x1x16x24xf32>
  %0 = brisk.unpack %x <shape = [16, 24], axes = [[1] by [16, 8], [0]]> : tensor<384xf32> -> tensor<1x1x16x24xf32>
  // CHECK: brisk.unpack %{{.*}} <shape = [2, 3, 4], axes = {{\[\[}}1], [0, 2] by [16]]>
  %1 = brisk.unpack %y <shape = [2, 3, 4], axes = [[1], [0, 2] by [16]]> : tensor<48xi8> -> tensor<2x3x4xi8>
  return %0, %1 : tensor<1x1x16x24xf32>, tensor<2x3x4xi8>
}

// CHECK-LABEL: func @assemble
func.func @assemble(%values: tensor<40xf32>, %rows: tensor<40xui16>, %starts: tensor<25xi32>) -> tensor<1x1x16x24xf32> {
  // CHECK: brisk.assemble %{{.*}}, %{{.*}}, %{{.*}} : tensor<40xf32>, tensor<40xui16>, tensor<25xi32> -> tensor<1x1x16x24xf32>
  %0 = brisk.assemble %values, %rows, %starts : tensor<40xf32>, tensor<40xui16>, tensor<25xi32> -> tensor<1x1x16x24xf32>
  return %0 : tensor<1x1x16x24xf32>
}

// CHECK-LABEL: func @border
func.func @border() -> tensor<1x10x10x8xf32> {
  // CHECK: brisk.border 0.000000e+00 : f32 low [0, 1, 1, 0] high [0, 1, 1, 0] -> tensor<1x10x10x8xf32>
  %0 = brisk.border 0.0 : f32 low [0, 1, 1, 0] high [0, 1, 1, 0] -> tensor<1x10x10x8xf32>
  return %0 : tensor<1x10x10x8xf32>
}

func.func private @kernel(memref<4xf32>, memref<4xf32>, index, index)

// CHECK-LABEL: func @launch
func.func @launch(%a: memref<4xf32>, %b: memref<4xf32>) {
  // CHECK: brisk.launch @kernel(%{{.*}}, %{{.*}}) tasks 8 workers 2 op 3 : memref<4xf32>, memref<4xf32>
  brisk.launch @kernel(%a, %b) tasks 8 workers 2 op 3 : memref<4xf32>, memref<4xf32>
  return
}
