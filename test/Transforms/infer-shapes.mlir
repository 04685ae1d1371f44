// RUN: brisk-opt %s --split-input-file --infer-shapes | FileCheck %s

// CHECK-LABEL: func.func @chain(
// CHECK-SAME: -> tensor<2x3xf32>
// CHECK: brisk.add {{.*}} -> tensor<2x3xf32>
func.func @chain(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<*xf32> {
  %0 = brisk.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<?x?xf32>
  %1 = brisk.add %0, %y : (tensor<?x?xf32>, tensor<3xf32>) -> tensor<*xf32>
  return %1 : tensor<*xf32>
}

// -----

// Both branches give the result its type.
// CHECK-LABEL: func.func @branches(
// CHECK-SAME: -> tensor<4xf32>
// CHECK: brisk.if {{.*}} -> tensor<4xf32>
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<?xf32> {
  %0 = brisk.if %c : tensor<i1> -> tensor<?xf32> {
    %1 = brisk.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
    brisk.yield %1 : tensor<?xf32>
  } else {
    brisk.yield %x : tensor<4xf32>
  }
  return %0 : tensor<?xf32>
}

// -----

// A branch that is known to be taken replaces the choice.
// CHECK-LABEL: func.func @taken(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %{{.*}}: tensor<5xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[X]]
func.func @taken(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<?xf32> {
  %c = brisk.constant dense<true> : tensor<i1>
  %0 = brisk.if %c : tensor<i1> -> tensor<?xf32> {
    brisk.yield %x : tensor<4xf32>
  } else {
    brisk.yield %y : tensor<5xf32>
  }
  return %0 : tensor<?xf32>
}

// Constants of other dialects are theirs to fold.
// CHECK-LABEL: func.func @vectors
// CHECK: return
func.func @vectors() -> vector<4xi32> {
  %0 = arith.constant dense<0> : vector<4xi32>
  %1 = vector.shuffle %0, %0 [0, 1, 4, 5] : vector<4xi32>, vector<4xi32>
  return %1 : vector<4xi32>
}
