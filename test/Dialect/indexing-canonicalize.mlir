// RUN: brisk-opt %s --canonicalize | FileCheck %s

// Negative indices count from the back; those beyond the end are clamped.
// CHECK-LABEL: func.func @gather(
func.func @gather() -> (tensor<i64>, tensor<2x2xi64>, tensor<2xi1>) {
  // CHECK-DAG: %[[SCALAR:.*]] = brisk.constant dense<30> : tensor<i64>
  // CHECK-DAG: %[[COLUMNS:.*]] = brisk.constant dense<{{\[}}[2, 3], [5, 6]]> : tensor<2x2xi64>
  // CHECK-DAG: %[[BOOLS:.*]] = brisk.constant dense<[true, false]> : tensor<2xi1>
  // CHECK: return %[[SCALAR]], %[[COLUMNS]], %[[BOOLS]]
  %shape = brisk.constant dense<[10, 20, 30]> : tensor<3xi64>
  %matrix = brisk.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %bools = brisk.constant dense<[false, true]> : tensor<2xi1>
  %last = brisk.constant dense<-1> : tensor<i64>
  %beyond = brisk.constant dense<[1, 7]> : tensor<2xi64>
  %flip = brisk.constant dense<[1, 0]> : tensor<2xi32>
  %0 = brisk.gather %shape, %last : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %1 = brisk.gather %matrix, %beyond {axis = 1} : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  %2 = brisk.gather %bools, %flip : (tensor<2xi1>, tensor<2xi32>) -> tensor<2xi1>
  return %0, %1, %2 : tensor<i64>, tensor<2x2xi64>, tensor<2xi1>
}

// CHECK-LABEL: func.func @gather_elements(
func.func @gather_elements() -> (tensor<2x2xf32>, tensor<1x3xf32>) {
  // CHECK-DAG: %[[ROWS:.*]] = brisk.constant dense<{{\[}}[3.000000e+00, 1.000000e+00], [5.000000e+00, 6.000000e+00]]>
  // CHECK-DAG: %[[COLUMNS:.*]] = brisk.constant dense<{{\[}}[4.000000e+00, 2.000000e+00, 6.000000e+00]]>
  // CHECK: return %[[ROWS]], %[[COLUMNS]]
  %x = brisk.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %i = brisk.constant dense<[[2, 0], [1, -1]]> : tensor<2x2xi64>
  %j = brisk.constant dense<[[1, 0, 1]]> : tensor<1x3xi64>
  %0 = brisk.gather_elements %x, %i {axis = 1} : (tensor<2x3xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  %1 = brisk.gather_elements %x, %j : (tensor<2x3xf32>, tensor<1x3xi64>) -> tensor<1x3xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<1x3xf32>
}
