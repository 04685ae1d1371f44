// RUN: brisk-opt %s --drop-expands --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @implicit(
// CHECK-SAME: %[[X:.*]]: tensor<4x6xf32>, %[[Y:.*]]: tensor<6xf32>
// CHECK-NOT: brisk.expand
// CHECK: brisk.add %[[X]], %[[Y]]
func.func @implicit(%x: tensor<4x6xf32>, %y: tensor<6xf32>) -> tensor<4x6xf32> {
  %shape = brisk.constant dense<[4, 6]> : tensor<2xi64>
  %0 = brisk.expand %y, %shape : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  %1 = brisk.add %x, %0 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// Through an op that has nothing else to broadcast.
// CHECK-LABEL: func.func @after(
// CHECK: %[[S:.*]] = brisk.select {{.*}} -> tensor<1x6xf32>
// CHECK-NOT: brisk.expand
// CHECK: brisk.add {{.*}}, %[[S]]
func.func @after(%x: tensor<4x6xf32>, %m: tensor<1x6xi1>) -> tensor<4x6xf32> {
  %shape = brisk.constant dense<[4, 6]> : tensor<2xi64>
  %a = brisk.constant dense<0.0> : tensor<f32>
  %b = brisk.constant dense<1.0> : tensor<1xf32>
  %0 = brisk.expand %m, %shape : (tensor<1x6xi1>, tensor<2xi64>) -> tensor<4x6xi1>
  %1 = brisk.select %0, %a, %b : (tensor<4x6xi1>, tensor<f32>, tensor<1xf32>) -> tensor<4x6xf32>
  %2 = brisk.add %x, %1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %2 : tensor<4x6xf32>
}

// Where the shape comes from the expansion alone, it stays.
// CHECK-LABEL: func.func @needed(
// CHECK: brisk.expand
func.func @needed(%x: tensor<1x6xf32>, %y: tensor<6xf32>) -> tensor<4x6xf32> {
  %shape = brisk.constant dense<[4, 6]> : tensor<2xi64>
  %0 = brisk.expand %y, %shape : (tensor<6xf32>, tensor<2xi64>) -> tensor<4x6xf32>
  %1 = brisk.add %x, %0 : (tensor<1x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
