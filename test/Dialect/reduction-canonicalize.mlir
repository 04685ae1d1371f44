// RUN: brisk-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @reduce_ints(
func.func @reduce_ints() -> (tensor<2xi64>, tensor<1x1xi64>, tensor<2xi64>, tensor<i64>, tensor<i64>) {
  // CHECK-DAG: %[[SUM:.*]] = brisk.constant dense<[6, -6]> : tensor<2xi64>
  // CHECK-DAG: %[[PROD:.*]] = brisk.constant dense<-36> : tensor<1x1xi64>
  // CHECK-DAG: %[[MEAN:.*]] = brisk.constant dense<[2, -2]> : tensor<2xi64>
  // CHECK-DAG: %[[MAX:.*]] = brisk.constant dense<3> : tensor<i64>
  // CHECK-DAG: %[[MIN:.*]] = brisk.constant dense<-3> : tensor<i64>
  // CHECK: return %[[SUM]], %[[PROD]], %[[MEAN]], %[[MAX]], %[[MIN]]
  %x = brisk.constant dense<[[1, 2, 3], [-1, -2, -3]]> : tensor<2x3xi64>
  %last = brisk.constant dense<-1> : tensor<1xi64>
  %0 = brisk.reduce sum %x, %last : (tensor<2x3xi64>, tensor<1xi64>) -> tensor<2xi64>
  %1 = brisk.reduce prod %x {keepdims} : (tensor<2x3xi64>) -> tensor<1x1xi64>
  %2 = brisk.reduce mean %x, %last : (tensor<2x3xi64>, tensor<1xi64>) -> tensor<2xi64>
  %3 = brisk.reduce max %x : (tensor<2x3xi64>) -> tensor<i64>
  %4 = brisk.reduce min %x : (tensor<2x3xi64>) -> tensor<i64>
  return %0, %1, %2, %3, %4 : tensor<2xi64>, tensor<1x1xi64>, tensor<2xi64>, tensor<i64>, tensor<i64>
}

// A middle axis; a NaN stays.
// CHECK-LABEL: func.func @reduce_floats(
func.func @reduce_floats() -> (tensor<2x2xf32>, tensor<f32>) {
  // CHECK-DAG: %[[MEAN:.*]] = brisk.constant dense<{{\[}}[2.000000e+00, 3.000000e+00], [6.000000e+00, 7.000000e+00]]>
  // CHECK-DAG: %[[MAX:.*]] = brisk.constant dense<0x7FC00000> : tensor<f32>
  // CHECK: return %[[MEAN]], %[[MAX]]
  %x = brisk.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %nan = brisk.constant dense<[1.0, 0x7FC00000, 2.0]> : tensor<3xf32>
  %axis = brisk.constant dense<1> : tensor<1xi64>
  %0 = brisk.reduce mean %x, %axis : (tensor<2x2x2xf32>, tensor<1xi64>) -> tensor<2x2xf32>
  %1 = brisk.reduce max %nan : (tensor<3xf32>) -> tensor<f32>
  return %0, %1 : tensor<2x2xf32>, tensor<f32>
}

// Unsigned and boolean elements keep their meaning.
// CHECK-LABEL: func.func @reduce_others(
func.func @reduce_others() -> (tensor<ui8>, tensor<i1>) {
  // CHECK-DAG: %[[MAX:.*]] = brisk.constant dense<200> : tensor<ui8>
  // CHECK-DAG: %[[MIN:.*]] = brisk.constant dense<false> : tensor<i1>
  // CHECK: return %[[MAX]], %[[MIN]]
  %x = brisk.constant dense<[100, 200]> : tensor<2xui8>
  %b = brisk.constant dense<[true, false]> : tensor<2xi1>
  %0 = brisk.reduce max %x : (tensor<2xui8>) -> tensor<ui8>
  %1 = brisk.reduce min %b : (tensor<2xi1>) -> tensor<i1>
  return %0, %1 : tensor<ui8>, tensor<i1>
}

// CHECK-LABEL: func.func @reduce_nothing(
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>
func.func @reduce_nothing(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-NEXT: return %[[X]]
  %0 = brisk.reduce sum %x {noop_with_empty_axes} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @arg_reduce(
func.func @arg_reduce() -> (tensor<2xi64>, tensor<2x1xi64>, tensor<3xi64>) {
  // CHECK-DAG: %[[FIRST:.*]] = brisk.constant dense<[1, 0]> : tensor<2xi64>
  // CHECK-DAG: %[[LAST:.*]] = brisk.constant dense<{{\[}}[2], [1]]> : tensor<2x1xi64>
  // CHECK-DAG: %[[MIN:.*]] = brisk.constant dense<[0, 1, 1]> : tensor<3xi64>
  // CHECK: return %[[FIRST]], %[[LAST]], %[[MIN]]
  %x = brisk.constant dense<[[1, 5, 5], [4, 4, 0]]> : tensor<2x3xi32>
  %0 = brisk.arg_reduce max %x {axis = 1} : (tensor<2x3xi32>) -> tensor<2xi64>
  %1 = brisk.arg_reduce max %x {axis = -1, keepdims, select_last_index} : (tensor<2x3xi32>) -> tensor<2x1xi64>
  %2 = brisk.arg_reduce min %x : (tensor<2x3xi32>) -> tensor<3xi64>
  return %0, %1, %2 : tensor<2xi64>, tensor<2x1xi64>, tensor<3xi64>
}

// CHECK-LABEL: func.func @cumsum(
func.func @cumsum() -> (tensor<3xi64>, tensor<3xi64>, tensor<3xf32>, tensor<2x2xi8>) {
  // CHECK-DAG: %[[PLAIN:.*]] = brisk.constant dense<[1, 3, 6]> : tensor<3xi64>
  // CHECK-DAG: %[[EXCLUSIVE:.*]] = brisk.constant dense<[0, 1, 3]> : tensor<3xi64>
  // CHECK-DAG: %[[REVERSE:.*]] = brisk.constant dense<[6.000000e+00, 5.000000e+00, 3.000000e+00]>
  // CHECK-DAG: %[[WRAPPED:.*]] = brisk.constant dense<{{\[}}[100, 1], [-56, 2]]> : tensor<2x2xi8>
  // CHECK: return %[[PLAIN]], %[[EXCLUSIVE]], %[[REVERSE]], %[[WRAPPED]]
  %axis = brisk.constant dense<0> : tensor<i64>
  %x = brisk.constant dense<[1, 2, 3]> : tensor<3xi64>
  %y = brisk.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %z = brisk.constant dense<[[100, 1], [100, 1]]> : tensor<2x2xi8>
  %0 = brisk.cumsum %x, %axis : (tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  %1 = brisk.cumsum %x, %axis {exclusive} : (tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  %2 = brisk.cumsum %y, %axis {reverse} : (tensor<3xf32>, tensor<i64>) -> tensor<3xf32>
  %3 = brisk.cumsum %z, %axis : (tensor<2x2xi8>, tensor<i64>) -> tensor<2x2xi8>
  return %0, %1, %2, %3 : tensor<3xi64>, tensor<3xi64>, tensor<3xf32>, tensor<2x2xi8>
}
