// RUN: brisk-opt %s --sink-reshapes | FileCheck %s

// A bias and a residual behind the reshape of a product.
// CHECK-LABEL: func.func @epilogue(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<4x6xf32>, %[[BIAS:.*]]: tensor<6xf32>, %[[Y:.*]]: tensor<2x4x6xf32>
// CHECK: %[[M:.*]] = brisk.matmul %[[A]], %[[B]]
// CHECK: %[[S:.*]] = brisk.add %[[M]], %[[BIAS]] : {{.*}} -> tensor<8x6xf32>
// CHECK: %[[FLAT:.*]] = brisk.reshape %[[Y]]
// CHECK: %[[R:.*]] = brisk.mul %[[FLAT]], %[[S]] : {{.*}} -> tensor<8x6xf32>
// CHECK: brisk.reshape %[[R]]
func.func @epilogue(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %bias: tensor<6xf32>,
                    %y: tensor<2x4x6xf32>) -> tensor<2x4x6xf32> {
  %shape = brisk.constant dense<[2, 4, 6]> : tensor<3xi64>
  %0 = brisk.matmul %a, %b : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = brisk.reshape %0, %shape : (tensor<8x6xf32>, tensor<3xi64>) -> tensor<2x4x6xf32>
  %2 = brisk.add %1, %bias : (tensor<2x4x6xf32>, tensor<6xf32>) -> tensor<2x4x6xf32>
  %3 = brisk.mul %y, %2 : (tensor<2x4x6xf32>, tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %3 : tensor<2x4x6xf32>
}

// An operand that broadcasts within a group of dimensions holds the reshape.
// CHECK-LABEL: func.func @stays(
// CHECK: brisk.matmul
// CHECK: brisk.reshape
// CHECK: brisk.add
func.func @stays(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %y: tensor<2x1x1xf32>) -> tensor<2x4x6xf32> {
  %shape = brisk.constant dense<[2, 4, 6]> : tensor<3xi64>
  %0 = brisk.matmul %a, %b : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = brisk.reshape %0, %shape : (tensor<8x6xf32>, tensor<3xi64>) -> tensor<2x4x6xf32>
  %2 = brisk.add %1, %y : (tensor<2x4x6xf32>, tensor<2x1x1xf32>) -> tensor<2x4x6xf32>
  return %2 : tensor<2x4x6xf32>
}

// Two products, only one of which is reshaped: a reshape could go to and fro.
// CHECK-LABEL: func.func @other_shape(
// CHECK: %[[R:.*]] = brisk.reshape
// CHECK: brisk.add %[[R]]
func.func @other_shape(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<2x4x4xf32>) -> tensor<2x4x6xf32> {
  %shape = brisk.constant dense<[2, 4, 6]> : tensor<3xi64>
  %0 = brisk.matmul %a, %b : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = brisk.reshape %0, %shape : (tensor<8x6xf32>, tensor<3xi64>) -> tensor<2x4x6xf32>
  %2 = brisk.matmul %c, %b : (tensor<2x4x4xf32>, tensor<4x6xf32>) -> tensor<2x4x6xf32>
  %3 = brisk.add %1, %2 : (tensor<2x4x6xf32>, tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %3 : tensor<2x4x6xf32>
}

// A part that a kernel copies has an epilogue; a part that is a view has not.
// CHECK-LABEL: func.func @parts(
// CHECK: %[[STRIDED:.*]] = brisk.slice
// CHECK: %[[SUM:.*]] = brisk.neg %[[STRIDED]]
// CHECK: brisk.reshape %[[SUM]]
// CHECK: %[[VIEW:.*]] = brisk.slice
// CHECK: %[[R:.*]] = brisk.reshape %[[VIEW]]
// CHECK: brisk.neg %[[R]]
func.func @parts(%x: tensor<8x6xf32>) -> (tensor<2x2x6xf32>, tensor<2x2x6xf32>) {
  %zero = brisk.constant dense<0> : tensor<1xi64>
  %four = brisk.constant dense<4> : tensor<1xi64>
  %eight = brisk.constant dense<8> : tensor<1xi64>
  %two = brisk.constant dense<2> : tensor<1xi64>
  %shape = brisk.constant dense<[2, 2, 6]> : tensor<3xi64>
  %0 = brisk.slice %x, %zero, %eight axes %zero steps %two : (tensor<8x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x6xf32>
  %1 = brisk.reshape %0, %shape : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<2x2x6xf32>
  %2 = brisk.neg %1 : (tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
  %3 = brisk.slice %x, %zero, %four axes %zero : (tensor<8x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x6xf32>
  %4 = brisk.reshape %3, %shape : (tensor<4x6xf32>, tensor<3xi64>) -> tensor<2x2x6xf32>
  %5 = brisk.neg %4 : (tensor<2x2x6xf32>) -> tensor<2x2x6xf32>
  return %2, %5 : tensor<2x2x6xf32>, tensor<2x2x6xf32>
}
