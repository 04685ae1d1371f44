// RUN: brisk-opt %s -infer-shapes -verify-diagnostics -split-input-file | FileCheck %s

// A branch that cannot work at these shapes goes; a run that takes it fails.
// CHECK-LABEL: func @else_cannot_work
// CHECK-SAME: (%[[X:.*]]: tensor<1x4xf32>, %[[C:.*]]: tensor<i1>)
func.func @else_cannot_work(%x: tensor<1x4xf32>, %c: tensor<i1>) -> tensor<?xf32> {
  // CHECK: brisk.require %[[C]] : tensor<i1>
  // CHECK-NOT: brisk.if
  // CHECK: %[[R:.*]] = brisk.reshape
  // CHECK: return %[[R]] : tensor<4xf32>
  %y = brisk.neg %x : (tensor<1x4xf32>) -> tensor<?x?xf32>
  %zero = brisk.constant dense<0> : tensor<1xi64>
  %one = brisk.constant dense<1> : tensor<1xi64>
  // expected-warning @+1 {{else branch cannot work at these shapes}}
  %r = brisk.if %c : tensor<i1> -> tensor<?xf32> {
    %0 = brisk.squeeze %y, %zero : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
    brisk.yield %0 : tensor<?xf32>
  } else {
    %0 = brisk.squeeze %y, %one : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
    brisk.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

// What is in a branch that is never taken need not make sense.
// CHECK-LABEL: func @never_taken
func.func @never_taken(%x: tensor<1x4xf32>) -> tensor<?xf32> {
  // CHECK-NOT: brisk.require
  // CHECK: return %{{.*}} : tensor<4xf32>
  %false = brisk.constant dense<false> : tensor<i1>
  %y = brisk.neg %x : (tensor<1x4xf32>) -> tensor<?x?xf32>
  %zero = brisk.constant dense<0> : tensor<1xi64>
  %one = brisk.constant dense<1> : tensor<1xi64>
  %r = brisk.if %false : tensor<i1> -> tensor<?xf32> {
    %0 = brisk.squeeze %y, %one : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
    brisk.yield %0 : tensor<?xf32>
  } else {
    %0 = brisk.squeeze %y, %zero : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?xf32>
    brisk.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
