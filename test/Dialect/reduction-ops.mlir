// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @reduce(
// CHECK: brisk.reduce mean {{.*}} -> tensor<2x1x4xf32>
func.func @reduce(%x: tensor<2x3x4xf32>, %axes: tensor<1xi64>) {
  %0 = brisk.reduce mean %x, %axes {keepdims} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x1x4xf32>
  return
}

// CHECK-LABEL: func.func @arg_reduce(
// CHECK: brisk.arg_reduce max {{.*}} -> tensor<2xi64>
func.func @arg_reduce(%x: tensor<2x3xf32>) {
  %0 = brisk.arg_reduce max %x {axis = -1} : (tensor<2x3xf32>) -> tensor<2xi64>
  return
}

// CHECK-LABEL: func.func @cumsum(
// CHECK: brisk.cumsum {{.*}} -> tensor<2x3xf32>
func.func @cumsum(%x: tensor<2x3xf32>, %axis: tensor<i64>) {
  %0 = brisk.cumsum %x, %axis {exclusive} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @softmax(
// CHECK: brisk.softmax {{.*}} -> tensor<2x10xf32>
func.func @softmax(%x: tensor<2x10xf32>) {
  %0 = brisk.softmax %x {axis = -1} : (tensor<2x10xf32>) -> tensor<2x10xf32>
  return
}

// CHECK-LABEL: func.func @reduce_all(
// CHECK: brisk.reduce max {{.*}} -> tensor<i1>
// CHECK: brisk.reduce min {{.*}} -> tensor<2x3xi1>
func.func @reduce_all(%x: tensor<2x3xi1>, %axes: tensor<0xi64>) {
  %0 = brisk.reduce max %x : (tensor<2x3xi1>) -> tensor<i1>
  %1 = brisk.reduce min %x, %axes {noop_with_empty_axes} : (tensor<2x3xi1>, tensor<0xi64>) -> tensor<2x3xi1>
  return
}

// CHECK-LABEL: func.func @reduce_unknown_axes(
// CHECK: brisk.reduce sum {{.*}} -> tensor<?xf32>
// CHECK: brisk.reduce sum {{.*}} -> tensor<?x?x?xf32>
// CHECK: brisk.reduce sum {{.*}} -> tensor<*xf32>
func.func @reduce_unknown_axes(%x: tensor<2x3x4xf32>, %axes: tensor<2xi64>, %more: tensor<?xi64>) {
  %0 = brisk.reduce sum %x, %axes : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<?xf32>
  %1 = brisk.reduce sum %x, %more {keepdims} : (tensor<2x3x4xf32>, tensor<?xi64>) -> tensor<?x?x?xf32>
  %2 = brisk.reduce sum %x, %more : (tensor<2x3x4xf32>, tensor<?xi64>) -> tensor<*xf32>
  return
}
