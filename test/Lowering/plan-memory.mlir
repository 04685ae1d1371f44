// RUN: brisk-opt %s --plan-memory=target=x86-64-v3 | FileCheck %s

// Of a chain that cannot run in place, every other buffer shares its bytes.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: memref<128xi8>) attributes {brisk.arena_bytes = 128 : i64}
// CHECK: memref.view %[[ARENA]][%{{.*}}][] : memref<128xi8> to memref<16xf32>
// CHECK-NOT: memref.alloc
func.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
  %0 = memref.alloc() : memref<16xf32>
  %1 = memref.alloc() : memref<16xf32>
  %2 = memref.alloc() : memref<16xf32>
  brisk.group schedule <"loops", {}> ins(%x : memref<16xf32>) outs(%0 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule <"loops", {}> ins(%0 : memref<16xf32>) outs(%1 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule <"loops", {}> ins(%1 : memref<16xf32>) outs(%2 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule <"loops", {}> ins(%2 : memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  return
}

// An elementwise kernel writes over the input that dies.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: attributes {brisk.arena_bytes = 64 : i64}
func.func @in_place(%x: memref<16xf32>, %y: memref<16xf32>) {
  %0 = memref.alloc() : memref<16xf32>
  %1 = memref.alloc() : memref<16xf32>
  brisk.group schedule <"elementwise", {}> ins(%x : memref<16xf32>) outs(%0 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule <"elementwise", {}> ins(%0 : memref<16xf32>) outs(%1 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule <"elementwise", {}> ins(%1 : memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  return
}
