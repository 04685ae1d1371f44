// RUN: brisk-opt %s --set-target=x86-64-v3 --order-groups | FileCheck %s

// The result of the short branch is larger than what it is computed from, so it
// waits for the long one.
// CHECK-LABEL: func.func @waits(
// CHECK: outs(%[[START:.*]] : memref<8x16xf32>)
// CHECK: brisk.group ins(%[[START]] : memref<8x16xf32>) outs(%[[LONG:.*]] : memref<8x32xf32>)
// CHECK: brisk.group ins(%[[LONG]] : memref<8x32xf32>) outs(%[[END:.*]] : memref<8x32xf32>)
// CHECK: brisk.group ins(%[[START]] : memref<8x16xf32>) outs(%[[SHORT:.*]] : memref<8x32xf32>)
// CHECK: brisk.group ins(%[[END]], %[[SHORT]] :
func.func @waits(%x: memref<8x16xf32>, %y: memref<8x32xf32>) {
  %start = memref.alloc() : memref<8x16xf32>
  %short = memref.alloc() : memref<8x32xf32>
  %long = memref.alloc() : memref<8x32xf32>
  %end = memref.alloc() : memref<8x32xf32>
  brisk.group ins(%x : memref<8x16xf32>) outs(%start : memref<8x16xf32>) {
  ^bb0(%a: tensor<8x16xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<8x16xf32>) -> tensor<8x16xf32>
    brisk.yield %s : tensor<8x16xf32>
  }
  brisk.group ins(%start : memref<8x16xf32>) outs(%short : memref<8x32xf32>) {
  ^bb0(%a: tensor<8x16xf32>):
    %s = brisk.concat %a, %a {axis = 1 : i64} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
    brisk.yield %s : tensor<8x32xf32>
  }
  brisk.group ins(%start : memref<8x16xf32>) outs(%long : memref<8x32xf32>) {
  ^bb0(%a: tensor<8x16xf32>):
    %s = brisk.concat %a, %a {axis = 1 : i64} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x32xf32>
    brisk.yield %s : tensor<8x32xf32>
  }
  brisk.group ins(%long : memref<8x32xf32>) outs(%end : memref<8x32xf32>) {
  ^bb0(%a: tensor<8x32xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    brisk.yield %s : tensor<8x32xf32>
  }
  brisk.group ins(%end, %short : memref<8x32xf32>, memref<8x32xf32>) outs(%y : memref<8x32xf32>) {
  ^bb0(%a: tensor<8x32xf32>, %b: tensor<8x32xf32>):
    %s = brisk.add %a, %b : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
    brisk.yield %s : tensor<8x32xf32>
  }
  return
}

// The same, but what the branches start from is larger than their results: no
// order takes less.
// CHECK-LABEL: func.func @stays(
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: memref.alloc
// CHECK: outs(%[[START:.*]] : memref<8x128xf32>)
// CHECK: brisk.group ins(%[[START]] : memref<8x128xf32>) outs(%[[SHORT:.*]] : memref<8xf32>)
// CHECK: brisk.group ins(%[[START]] : memref<8x128xf32>) outs(%[[LONG:.*]] : memref<8xf32>)
// CHECK: brisk.group ins(%[[LONG]], %[[SHORT]] :
func.func @stays(%x: memref<8x128xf32>, %y: memref<8xf32>) {
  %start = memref.alloc() : memref<8x128xf32>
  %short = memref.alloc() : memref<8xf32>
  %long = memref.alloc() : memref<8xf32>
  brisk.group ins(%x : memref<8x128xf32>) outs(%start : memref<8x128xf32>) {
  ^bb0(%a: tensor<8x128xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<8x128xf32>) -> tensor<8x128xf32>
    brisk.yield %s : tensor<8x128xf32>
  }
  brisk.group ins(%start : memref<8x128xf32>) outs(%short : memref<8xf32>) {
  ^bb0(%a: tensor<8x128xf32>):
    %axes = brisk.constant dense<1> : tensor<1xi64>
    %s = brisk.reduce sum %a, %axes : (tensor<8x128xf32>, tensor<1xi64>) -> tensor<8xf32>
    brisk.yield %s : tensor<8xf32>
  }
  brisk.group ins(%start : memref<8x128xf32>) outs(%long : memref<8xf32>) {
  ^bb0(%a: tensor<8x128xf32>):
    %axes = brisk.constant dense<1> : tensor<1xi64>
    %s = brisk.reduce max %a, %axes : (tensor<8x128xf32>, tensor<1xi64>) -> tensor<8xf32>
    brisk.yield %s : tensor<8xf32>
  }
  brisk.group ins(%long, %short : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
    %s = brisk.add %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    brisk.yield %s : tensor<8xf32>
  }
  return
}

// Two halves of a tensor may be computed in any order, and views move with those
// who use them: %high goes ahead of %low, since its operand dies there.
// CHECK-LABEL: func.func @halves(
// CHECK: outs(%[[FIRST:.*]] : memref<8x32xf32>)
// CHECK: %[[HIGH:.*]] = memref.subview %[[WHOLE:.*]][2, 0]
// CHECK: brisk.group ins(%[[FIRST]] : memref<8x32xf32>) outs(%[[HIGH]] :
// CHECK: outs(%[[SECOND:.*]] : memref<8x32xf32>)
// CHECK: %[[LOW:.*]] = memref.subview %[[WHOLE]][0, 0]
// CHECK: brisk.group ins(%[[SECOND]] : memref<8x32xf32>) outs(%[[LOW]] :
// CHECK: brisk.group ins(%[[WHOLE]] :
func.func @halves(%x: memref<8x32xf32>, %y: memref<4x32xf32>) {
  %whole = memref.alloc() : memref<4x32xf32>
  %low = memref.subview %whole[0, 0] [2, 32] [1, 1] : memref<4x32xf32> to memref<2x32xf32, strided<[32, 1]>>
  %high = memref.subview %whole[2, 0] [2, 32] [1, 1] : memref<4x32xf32> to memref<2x32xf32, strided<[32, 1], offset: 64>>
  %first = memref.alloc() : memref<8x32xf32>
  %small = memref.alloc() : memref<8xf32>
  %second = memref.alloc() : memref<8x32xf32>
  brisk.group ins(%x : memref<8x32xf32>) outs(%first : memref<8x32xf32>) {
  ^bb0(%a: tensor<8x32xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    brisk.yield %s : tensor<8x32xf32>
  }
  brisk.group ins(%first : memref<8x32xf32>) outs(%small : memref<8xf32>) {
  ^bb0(%a: tensor<8x32xf32>):
    %axes = brisk.constant dense<1> : tensor<1xi64>
    %s = brisk.reduce sum %a, %axes : (tensor<8x32xf32>, tensor<1xi64>) -> tensor<8xf32>
    brisk.yield %s : tensor<8xf32>
  }
  brisk.group ins(%x, %small : memref<8x32xf32>, memref<8xf32>) outs(%second : memref<8x32xf32>) {
  ^bb0(%a: tensor<8x32xf32>, %b: tensor<8xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    brisk.yield %s : tensor<8x32xf32>
  }
  brisk.group ins(%second : memref<8x32xf32>) outs(%low : memref<2x32xf32, strided<[32, 1]>>) {
  ^bb0(%a: tensor<8x32xf32>):
    %begin = brisk.constant dense<0> : tensor<1xi64>
    %end = brisk.constant dense<2> : tensor<1xi64>
    %s = brisk.slice %a, %begin, %end axes %begin : (tensor<8x32xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x32xf32>
    brisk.yield %s : tensor<2x32xf32>
  }
  brisk.group ins(%first : memref<8x32xf32>) outs(%high : memref<2x32xf32, strided<[32, 1], offset: 64>>) {
  ^bb0(%a: tensor<8x32xf32>):
    %begin = brisk.constant dense<0> : tensor<1xi64>
    %end = brisk.constant dense<2> : tensor<1xi64>
    %s = brisk.slice %a, %begin, %end axes %begin : (tensor<8x32xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x32xf32>
    brisk.yield %s : tensor<2x32xf32>
  }
  brisk.group ins(%whole : memref<4x32xf32>) outs(%y : memref<4x32xf32>) {
  ^bb0(%a: tensor<4x32xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<4x32xf32>) -> tensor<4x32xf32>
    brisk.yield %s : tensor<4x32xf32>
  }
  return
}

// It would take less to read %first before %second is computed; but nothing
// passes a check, since what comes behind it may rely on it.
// CHECK-LABEL: func.func @check(
// CHECK: outs(%[[FIRST:.*]] : memref<8x32xf32>)
// CHECK: outs(%[[SECOND:.*]] : memref<8x32xf32>)
// CHECK: brisk.require
// CHECK: brisk.group ins(%[[SECOND]] :
// CHECK: brisk.group ins(%[[FIRST]] :
func.func @check(%c: memref<i1>, %x: memref<8x32xf32>, %y: memref<8xf32>, %z: memref<8xf32>) {
  %first = memref.alloc() : memref<8x32xf32>
  %second = memref.alloc() : memref<8x32xf32>
  brisk.group ins(%x : memref<8x32xf32>) outs(%first : memref<8x32xf32>) {
  ^bb0(%a: tensor<8x32xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    brisk.yield %s : tensor<8x32xf32>
  }
  brisk.group ins(%x : memref<8x32xf32>) outs(%second : memref<8x32xf32>) {
  ^bb0(%a: tensor<8x32xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    brisk.yield %s : tensor<8x32xf32>
  }
  %condition = memref.load %c[] : memref<i1>
  brisk.require %condition : i1
  brisk.group ins(%second : memref<8x32xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%a: tensor<8x32xf32>):
    %axes = brisk.constant dense<1> : tensor<1xi64>
    %s = brisk.reduce sum %a, %axes : (tensor<8x32xf32>, tensor<1xi64>) -> tensor<8xf32>
    brisk.yield %s : tensor<8xf32>
  }
  brisk.group ins(%first : memref<8x32xf32>) outs(%z : memref<8xf32>) {
  ^bb0(%a: tensor<8x32xf32>):
    %axes = brisk.constant dense<1> : tensor<1xi64>
    %s = brisk.reduce sum %a, %axes : (tensor<8x32xf32>, tensor<1xi64>) -> tensor<8xf32>
    brisk.yield %s : tensor<8xf32>
  }
  return
}

// A branch is one step: what it takes while it runs counts, and what it reads
// and writes is waited for. The value that it branches on moves along.
// CHECK-LABEL: func.func @branch(
// CHECK: outs(%[[FIRST:.*]] : memref<8x32xf32>)
// CHECK: %[[CONDITION:.*]] = memref.load
// CHECK: scf.if %[[CONDITION]] {
// CHECK: outs(%[[SMALL:.*]] : memref<8xf32>)
// CHECK: outs(%[[SECOND:.*]] : memref<8x32xf32>)
// CHECK: brisk.group ins(%[[SECOND]], %[[SMALL]] :
func.func @branch(%c: memref<i1>, %x: memref<8x32xf32>, %y: memref<8x32xf32>) {
  %first = memref.alloc() : memref<8x32xf32>
  %second = memref.alloc() : memref<8x32xf32>
  %small = memref.alloc() : memref<8xf32>
  brisk.group ins(%x : memref<8x32xf32>) outs(%first : memref<8x32xf32>) {
  ^bb0(%a: tensor<8x32xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    brisk.yield %s : tensor<8x32xf32>
  }
  brisk.group ins(%x : memref<8x32xf32>) outs(%second : memref<8x32xf32>) {
  ^bb0(%a: tensor<8x32xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    brisk.yield %s : tensor<8x32xf32>
  }
  %condition = memref.load %c[] : memref<i1>
  scf.if %condition {
    %inner = memref.alloc() : memref<8x32xf32>
    brisk.group ins(%first : memref<8x32xf32>) outs(%inner : memref<8x32xf32>) {
    ^bb0(%a: tensor<8x32xf32>):
      %s = brisk.softmax %a {axis = 1 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
      brisk.yield %s : tensor<8x32xf32>
    }
    brisk.group ins(%inner : memref<8x32xf32>) outs(%small : memref<8xf32>) {
    ^bb0(%a: tensor<8x32xf32>):
      %axes = brisk.constant dense<1> : tensor<1xi64>
      %s = brisk.reduce sum %a, %axes : (tensor<8x32xf32>, tensor<1xi64>) -> tensor<8xf32>
      brisk.yield %s : tensor<8xf32>
    }
  } else {
    brisk.group ins(%first : memref<8x32xf32>) outs(%small : memref<8xf32>) {
    ^bb0(%a: tensor<8x32xf32>):
      %axes = brisk.constant dense<1> : tensor<1xi64>
      %s = brisk.reduce max %a, %axes : (tensor<8x32xf32>, tensor<1xi64>) -> tensor<8xf32>
      brisk.yield %s : tensor<8xf32>
    }
  }
  brisk.group ins(%second, %small : memref<8x32xf32>, memref<8xf32>) outs(%y : memref<8x32xf32>) {
  ^bb0(%a: tensor<8x32xf32>, %b: tensor<8xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    brisk.yield %s : tensor<8x32xf32>
  }
  return
}
