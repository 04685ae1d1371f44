// RUN: brisk-opt %s --set-target=x86-64-v3 --lower-views | FileCheck %s

// CHECK-LABEL: func.func @reshape(
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]]
func.func @reshape(%x: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  %shape = brisk.constant dense<[6, 4]> : tensor<2xi64>
  %0 = brisk.reshape %x, %shape : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// CHECK-LABEL: func.func @slice(
// CHECK: tensor.extract_slice %{{.*}}[1, 0] [2, 8] [1, 1]
func.func @slice(%x: tensor<4x8xf32>) -> tensor<2x8xf32> {
  %starts = brisk.constant dense<[1, 0]> : tensor<2xi64>
  %ends = brisk.constant dense<[3, 8]> : tensor<2xi64>
  %0 = brisk.slice %x, %starts, %ends : (tensor<4x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// The place of the whole stands before the first producer.
// CHECK-LABEL: func.func @concat(
// CHECK: %[[WHOLE:.*]] = tensor.empty() : tensor<8xf32>
// CHECK: %[[G:.*]] = brisk.group
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %[[G]] into %[[WHOLE]][0] [4] [1]
// CHECK: %[[BOTH:.*]] = tensor.insert_slice %{{.*}} into %[[FIRST]][4] [4] [1]
// CHECK: return %[[BOTH]]
func.func @concat(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<8xf32> {
  %to = tensor.empty() : tensor<4xf32>
  %0 = brisk.group ins(%x : tensor<4xf32>) outs(%to : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %s = brisk.sqrt %a : (tensor<4xf32>) -> tensor<4xf32>
    brisk.yield %s : tensor<4xf32>
  }
  %1 = brisk.concat %0, %y {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// What is around the padded is a kernel of its own.
// CHECK-LABEL: func.func @pad(
// CHECK: %[[FRAME:.*]] = brisk.group
// CHECK: brisk.border 0.000000e+00 : f32 low [1] high [2] -> tensor<7xf32>
// CHECK: tensor.insert_slice %{{.*}} into %[[FRAME]][1] [4] [1]
func.func @pad(%x: tensor<4xf32>) -> tensor<7xf32> {
  %pads = brisk.constant dense<[1, 2]> : tensor<2xi64>
  %0 = brisk.pad constant %x, %pads : (tensor<4xf32>, tensor<2xi64>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// CHECK-LABEL: func.func @branch(
// CHECK: scf.if
func.func @branch(%c: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = brisk.if %c : tensor<i1> -> tensor<4xf32> {
    brisk.yield %x : tensor<4xf32>
  } else {
    brisk.yield %y : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Nothing is inserted of what has no elements.
// CHECK-LABEL: func.func @empty(
// CHECK: %[[Y:.*]] = brisk.group
// CHECK-NOT: tensor.insert_slice
// CHECK: return %[[Y]]
func.func @empty(%x: tensor<0xf32>) -> tensor<2xf32> {
  %pads = brisk.constant dense<[1, 1]> : tensor<2xi64>
  %0 = brisk.pad constant %x, %pads : (tensor<0xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A splat is written to where it must be; only a small one is stored.
// CHECK-LABEL: func.func @splats(
// CHECK-DAG: brisk.constant dense<1.000000e+00> : tensor<16xf32>
// CHECK: %[[FILL:.*]] = brisk.group outs(%{{.*}} : tensor<2000xf32>)
// CHECK: brisk.constant dense<2.000000e+00> : tensor<2000xf32>
// CHECK: return %{{.*}}, %[[FILL]]
func.func @splats() -> (tensor<16xf32>, tensor<2000xf32>) {
  %0 = brisk.constant dense<1.0> : tensor<16xf32>
  %1 = brisk.constant dense<2.0> : tensor<2000xf32>
  return %0, %1 : tensor<16xf32>, tensor<2000xf32>
}

// A condition that is no tensor was lowered before.
// CHECK-LABEL: func.func @lowered_before(
// CHECK: brisk.require %{{.*}} : i1
func.func @lowered_before(%c: i1) {
  brisk.require %c : i1
  return
}
