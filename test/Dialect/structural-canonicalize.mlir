// RUN: brisk-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func @known_branch
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>)
func.func @known_branch(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %[[B]]
  %false = brisk.constant dense<false> : tensor<i1>
  %r = brisk.if %false : tensor<i1> -> tensor<4xf32> {
    brisk.yield %a : tensor<4xf32>
  } else {
    brisk.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// A requirement that holds goes; one that does not stays to be reported.
// CHECK-LABEL: func @require
func.func @require() {
  // CHECK: %[[F:.*]] = brisk.constant dense<false>
  // CHECK-NEXT: brisk.require %[[F]]
  // CHECK-NEXT: return
  %true = brisk.constant dense<true> : tensor<i1>
  %false = brisk.constant dense<false> : tensor<i1>
  brisk.require %true : tensor<i1>
  brisk.require %false : tensor<i1>
  return
}

// CHECK-LABEL: func @self_copy
// CHECK-SAME: (%[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>)
func.func @self_copy(%a: memref<4xf32>, %b: memref<4xf32>) {
  // CHECK-NEXT: brisk.group ins(%[[A]] : memref<4xf32>) outs(%[[B]] : memref<4xf32>)
  // CHECK-NOT: brisk.group
  brisk.group ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: tensor<4xf32>):
    brisk.yield %x : tensor<4xf32>
  }
  brisk.group ins(%b : memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: tensor<4xf32>):
    brisk.yield %x : tensor<4xf32>
  }
  return
}
