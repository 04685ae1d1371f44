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

// What a packed constant holds, without the zeros between.
// CHECK-LABEL: func @unpack
func.func @unpack() -> (tensor<2x3xi8>, tensor<2x3x2xi16>, tensor<5x2xf32>) {
  // CHECK-DAG: dense<{{\[\[}}1, 3, 5], [2, 4, 6]]> : tensor<2x3xi8>
  %0 = brisk.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi8>
  %1 = brisk.unpack %0 <shape = [2, 3], axes = [[1], [0]]> : tensor<6xi8> -> tensor<2x3xi8>
  // Places of the second dimension, each with the other two and four zeros.
  // CHECK-DAG: dense<{{\[\[\[}}1, 2], [5, 6], [9, 10]], {{\[\[}}3, 4], [7, 8], [11, 12]]]> : tensor<2x3x2xi16>
  %2 = brisk.constant dense<[1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0, 0, 9, 10, 11, 12, 0, 0]> : tensor<18xi16>
  %3 = brisk.unpack %2 <shape = [2, 3, 2], axes = [[1], [0, 2] by [6]]> : tensor<18xi16> -> tensor<2x3x2xi16>
  // Pairs of rows by pairs of columns, as 8-bit products take them; the last
  // rows in a tile of their own.
  // CHECK-DAG: dense<{{\[\[}}1.0{{.*}}, 2.0{{.*}}], [3.0{{.*}}, 4.0{{.*}}], [5.0{{.*}}, 6.0{{.*}}], [7.0{{.*}}, 8.0{{.*}}], [9.0{{.*}}, 1.0{{.*}}]]> : tensor<5x2xf32>
  %4 = brisk.constant dense<[1.0, 3.0, 2.0, 4.0, 5.0, 7.0, 6.0, 8.0, 9.0, 10.0]> : tensor<10xf32>
  %5 = brisk.unpack %4 <shape = [5, 2], axes = [[1] by [2], [0] by [2, 1]]> : tensor<10xf32> -> tensor<5x2xf32>
  return %1, %3, %5 : tensor<2x3xi8>, tensor<2x3x2xi16>, tensor<5x2xf32>
}

// Values at their rows, column by column; those of one place add up.
// CHECK-LABEL: func @assemble
func.func @assemble() -> tensor<3x1x2xf32> {
  // CHECK: dense<{{\[\[\[}}0.0{{.*}}, 7.0{{.*}}]], {{\[\[}}0.0{{.*}}, 0.0{{.*}}]], {{\[\[}}0.0{{.*}}, 3.0{{.*}}]]]> : tensor<3x1x2xf32>
  %values = brisk.constant dense<[5.0, 2.0, 3.0, 0.0]> : tensor<4xf32>
  %rows = brisk.constant dense<[0, 0, 2, 1]> : tensor<4xui16>
  %starts = brisk.constant dense<[0, 0, 4]> : tensor<3xi32>
  %0 = brisk.assemble %values, %rows, %starts : tensor<4xf32>, tensor<4xui16>, tensor<3xi32> -> tensor<3x1x2xf32>
  return %0 : tensor<3x1x2xf32>
}
