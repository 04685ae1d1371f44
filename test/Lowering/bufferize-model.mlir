// RUN: brisk-opt %s --set-target=x86-64-v3 --bufferize-model --cse --canonicalize --split-input-file | FileCheck %s

// The result and the weights become arguments; the group writes to its place
// without a copy.
// CHECK: module attributes {{.*}}brisk.weights = [dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>]}
// CHECK-LABEL: func.func @model(
// CHECK-SAME: %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>, %[[WEIGHTS:.*]]: memref<16xi8>)
// CHECK-SAME: brisk.interface = #brisk.interface<inputs = [#brisk.port<name = "x", type = tensor<4xf32>>], outputs = [#brisk.port<name = "y", type = tensor<4xf32>>]>
// CHECK: %[[W:.*]] = memref.view %[[WEIGHTS]]
// CHECK: brisk.group schedule #brisk.elementwise{{.*}} ins(%[[X]], %[[W]] : {{.*}}) outs(%[[Y]] : memref<4xf32>)
// CHECK-NOT: brisk.group
func.func @model(%x: tensor<4xf32> {brisk.name = "x"}) -> (tensor<4xf32> {brisk.name = "y"}) {
  %w = brisk.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %to = tensor.empty() : tensor<4xf32>
  %0 = brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%to : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %r = brisk.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    brisk.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// A producer writes straight into its slice of the padded; a result that is an
// input is copied.
// CHECK-LABEL: func.func @slice(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<4xf32>, %[[Y:[a-z0-9]*]]: memref<6xf32>, %[[Z:[a-z0-9]*]]: memref<4xf32>
// CHECK: %[[WHOLE:.*]] = memref.alloc()
// CHECK: brisk.group schedule #brisk.border outs(%[[WHOLE]] :
// CHECK: %[[SLICE:.*]] = memref.subview %[[WHOLE]][1] [4] [1]
// CHECK: brisk.group schedule #brisk.elementwise{{.*}} ins(%[[X]] : {{.*}}) outs(%[[SLICE]] :
// CHECK: brisk.group schedule #brisk.elementwise{{.*}} ins(%[[WHOLE]] : {{.*}}) outs(%[[Y]] :
// CHECK: brisk.group ins(%[[X]] : {{.*}}) outs(%[[Z]] :
// CHECK-NOT: brisk.group
func.func @slice(%x: tensor<4xf32>) -> (tensor<6xf32>, tensor<4xf32>) {
  %whole = tensor.empty() : tensor<6xf32>
  %frame = brisk.group schedule #brisk.border outs(%whole : tensor<6xf32>) -> tensor<6xf32> {
    %b = brisk.border 0.0 : f32 low [1] high [1] -> tensor<6xf32>
    brisk.yield %b : tensor<6xf32>
  }
  %to = tensor.empty() : tensor<4xf32>
  %0 = brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : tensor<4xf32>) outs(%to : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %r = brisk.sqrt %a : (tensor<4xf32>) -> tensor<4xf32>
    brisk.yield %r : tensor<4xf32>
  }
  %1 = tensor.insert_slice %0 into %frame[1] [4] [1] : tensor<4xf32> into tensor<6xf32>
  %end = tensor.empty() : tensor<6xf32>
  %2 = brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%1 : tensor<6xf32>) outs(%end : tensor<6xf32>) -> tensor<6xf32> {
  ^bb0(%a: tensor<6xf32>):
    %r = brisk.exp %a : (tensor<6xf32>) -> tensor<6xf32>
    brisk.yield %r : tensor<6xf32>
  }
  return %2, %x : tensor<6xf32>, tensor<4xf32>
}

// -----

// One column of a tensor, reshaped to be the innermost dimension, is copied for
// the kernel that reads it, and as the result.
// CHECK-LABEL: func.func @column(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<8x3xf32>, %[[Y:[a-z0-9]*]]: memref<8xf32>, %[[Z:[a-z0-9]*]]: memref<8xf32>
// CHECK-DAG: %[[PLACE:.*]] = memref.expand_shape %[[Z]]
// CHECK-DAG: %[[COMPACT:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-DAG: %[[COLUMN:.*]] = memref.reinterpret_cast {{.*}} to memref<8x1xf32, strided<[3, 1], offset: 1>>
// CHECK: brisk.group ins(%[[COLUMN]] :
// CHECK: brisk.group schedule #brisk.softmax<rows = 1> ins(%[[COMPACT]] : memref<8xf32>) outs(%[[Y]] :
// CHECK: brisk.group ins(%{{.*}} : {{.*}}) outs(%[[PLACE]] :
// CHECK-NOT: brisk.group
func.func @column(%x: tensor<8x3xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %slice = tensor.extract_slice %x[0, 1] [8, 1] [1, 1] : tensor<8x3xf32> to tensor<8x1xf32>
  %row = tensor.collapse_shape %slice [[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
  %to = tensor.empty() : tensor<8xf32>
  %0 = brisk.group schedule #brisk.softmax<rows = 1> ins(%row : tensor<8xf32>) outs(%to : tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    %r = brisk.softmax %a {axis = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
    brisk.yield %r : tensor<8xf32>
  }
  return %0, %row : tensor<8xf32>, tensor<8xf32>
}

// -----

// What has no elements is neither copied nor read through its own pointer.
// CHECK-LABEL: func.func @empty(
// CHECK-SAME: %{{.*}}: memref<0xf32>, %[[X:[a-z0-9]*]]: memref<2x3xf32>, %[[Y:[a-z0-9]*]]: memref<2x3xf32>, %{{.*}}: memref<0xi8>)
// CHECK-DAG: %[[FROM:.*]] = memref.reinterpret_cast %[[X]]
// CHECK-DAG: %[[TO:.*]] = memref.reinterpret_cast %[[Y]]
// CHECK: brisk.group ins(%[[FROM]] : {{.*}}) outs(%[[TO]] :
// CHECK-NOT: brisk.group
func.func @empty(%past: tensor<2x0xf32>, %x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %whole = tensor.empty() : tensor<2x3xf32>
  %0 = tensor.insert_slice %past into %whole[0, 0] [2, 0] [1, 1] : tensor<2x0xf32> into tensor<2x3xf32>
  %1 = tensor.insert_slice %x into %0[0, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// -----

// What is reshaped last is written to its place; a copy runs over what is
// consecutive in both buffers at once.
// CHECK-LABEL: func.func @reshaped(
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<6xf32>, %[[W:[a-z0-9]*]]: memref<2x2x3xf32>, %[[Y:[a-z0-9]*]]: memref<2x3xf32>, %[[Z:[a-z0-9]*]]: memref<2x3xf32>
// CHECK: %[[PLACE:.*]] = memref.collapse_shape %[[Y]] {{.*}} into memref<6xf32>
// CHECK: brisk.group schedule #brisk.elementwise{{.*}} ins(%[[X]] : {{.*}}) outs(%[[PLACE]] :
// CHECK: brisk.group ins(%{{.*}} : memref<6xf32, strided<[1], offset: 6>>) outs(%{{.*}} : memref<6xf32
// CHECK-NOT: brisk.group
func.func @reshaped(%x: tensor<6xf32>, %w: tensor<2x2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %to = tensor.empty() : tensor<6xf32>
  %0 = brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : tensor<6xf32>) outs(%to : tensor<6xf32>) -> tensor<6xf32> {
  ^bb0(%a: tensor<6xf32>):
    %r = brisk.sqrt %a : (tensor<6xf32>) -> tensor<6xf32>
    brisk.yield %r : tensor<6xf32>
  }
  %1 = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %2 = tensor.extract_slice %w[1, 0, 0] [1, 2, 3] [1, 1, 1] : tensor<2x2x3xf32> to tensor<2x3xf32>
  return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}
