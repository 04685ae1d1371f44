// RUN: brisk-opt %s --set-target=x86-64-v3 --plan-memory | FileCheck %s

// Of a chain that cannot run in place, every other buffer shares its bytes.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: memref<128xi8>) attributes {brisk.memory = #brisk.memory<bytes = 128, bytes_per_worker = 0, 
// CHECK: memref.view %[[ARENA]][%{{.*}}][] : memref<128xi8> to memref<16xf32>
// CHECK-NOT: memref.alloc
func.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
  %0 = memref.alloc() : memref<16xf32>
  %1 = memref.alloc() : memref<16xf32>
  %2 = memref.alloc() : memref<16xf32>
  brisk.group schedule #brisk.loops ins(%x : memref<16xf32>) outs(%0 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule #brisk.loops ins(%0 : memref<16xf32>) outs(%1 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule #brisk.loops ins(%1 : memref<16xf32>) outs(%2 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule #brisk.loops ins(%2 : memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  return
}

// An elementwise kernel writes over the input that dies.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME: attributes {brisk.memory = #brisk.memory<bytes = 64, bytes_per_worker = 0, 
func.func @in_place(%x: memref<16xf32>, %y: memref<16xf32>) {
  %0 = memref.alloc() : memref<16xf32>
  %1 = memref.alloc() : memref<16xf32>
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : memref<16xf32>) outs(%0 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%0 : memref<16xf32>) outs(%1 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%1 : memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  return
}

// What a branch gives may be the input that dies, so that is not written over.
// CHECK-LABEL: func.func @branch(
// CHECK-SAME: attributes {brisk.memory = #brisk.memory<bytes = 192, bytes_per_worker = 0, 
func.func @branch(%c: i1, %x: memref<16xf32>, %y: memref<16xf32>) {
  %0 = memref.alloc() : memref<16xf32>
  %1 = memref.alloc() : memref<16xf32>
  %2 = memref.alloc() : memref<16xf32>
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : memref<16xf32>) outs(%0 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : memref<16xf32>) outs(%1 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.neg %a : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  %r = scf.if %c -> memref<16xf32> {
    scf.yield %0 : memref<16xf32>
  } else {
    scf.yield %1 : memref<16xf32>
  }
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%0, %r : memref<16xf32>, memref<16xf32>) outs(%2 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>, %b: tensor<16xf32>):
    %s = brisk.add %a, %b : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%2 : memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  return
}

// So it does where its result is also read through a view.
// CHECK-LABEL: func.func @viewed(
// CHECK-SAME: attributes {brisk.memory = #brisk.memory<bytes = 64, bytes_per_worker = 0, 
func.func @viewed(%x: memref<16xf32>, %y: memref<4x4xf32>) {
  %0 = memref.alloc() : memref<16xf32>
  %1 = memref.alloc() : memref<16xf32>
  %view = memref.expand_shape %1 [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : memref<16xf32>) outs(%0 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%0 : memref<16xf32>) outs(%1 : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32>
    brisk.yield %s : tensor<16xf32>
  }
  brisk.group schedule #brisk.loops ins(%view : memref<4x4xf32>) outs(%y : memref<4x4xf32>) {
  ^bb0(%a: tensor<4x4xf32>):
    %s = brisk.softmax %a {axis = 0 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    brisk.yield %s : tensor<4x4xf32>
  }
  return
}

// What kernels need for themselves lies behind the arena, once for all groups.
// CHECK-LABEL: func.func @scratch(
// CHECK-SAME: %[[ARENA:[a-z0-9]*]]: memref<4032xi8>) attributes {brisk.memory = #brisk.memory<bytes = 3200, bytes_per_worker = 832,
// CHECK: %[[FIRST:.*]] = memref.view %[[ARENA]][%{{.*}}][] : memref<4032xi8> to memref<832xi8>
// CHECK: brisk.group schedule #brisk.softmax{{.*}} scratch(%[[FIRST]] : memref<832xi8>)
// CHECK: %[[END:.*]] = arith.constant 3200 : index
// CHECK: %[[SECOND:.*]] = memref.view %[[ARENA]][%[[END]]][] : memref<4032xi8> to memref<448xi8>
// CHECK: brisk.group schedule #brisk.softmax{{.*}} scratch(%[[SECOND]] : memref<448xi8>)
func.func @scratch(%x: memref<4x200xf32>, %y: memref<8x100xf32>) {
  %0 = memref.alloc() : memref<4x200xf32>
  brisk.group schedule #brisk.softmax<rows = 10> ins(%x : memref<4x200xf32>) outs(%0 : memref<4x200xf32>) {
  ^bb0(%a: tensor<4x200xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<4x200xf32>) -> tensor<4x200xf32>
    brisk.yield %s : tensor<4x200xf32>
  }
  %1 = memref.reinterpret_cast %0 to offset: [0], sizes: [8, 100], strides: [100, 1] : memref<4x200xf32> to memref<8x100xf32>
  brisk.group schedule #brisk.softmax<rows = 10> ins(%1 : memref<8x100xf32>) outs(%y : memref<8x100xf32>) {
  ^bb0(%a: tensor<8x100xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<8x100xf32>) -> tensor<8x100xf32>
    brisk.yield %s : tensor<8x100xf32>
  }
  return
}

// Lines that are normalized are read before they are written, so a softmax and
// a layer norm write over the input that dies.
// CHECK-LABEL: func.func @normalized_in_place(
// CHECK-SAME: attributes {brisk.memory = #brisk.memory<bytes = 832, bytes_per_worker = 832,
func.func @normalized_in_place(%x: memref<1x200xf32>, %y: memref<1x200xf32>) {
  %0 = memref.alloc() : memref<1x200xf32>
  %1 = memref.alloc() : memref<1x200xf32>
  %2 = memref.alloc() : memref<1x200xf32>
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : memref<1x200xf32>) outs(%0 : memref<1x200xf32>) {
  ^bb0(%a: tensor<1x200xf32>):
    %s = brisk.sqrt %a : (tensor<1x200xf32>) -> tensor<1x200xf32>
    brisk.yield %s : tensor<1x200xf32>
  }
  brisk.group schedule #brisk.softmax<rows = 10> ins(%0 : memref<1x200xf32>) outs(%1 : memref<1x200xf32>) {
  ^bb0(%a: tensor<1x200xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<1x200xf32>) -> tensor<1x200xf32>
    brisk.yield %s : tensor<1x200xf32>
  }
  brisk.group schedule #brisk.layer_norm<rows = 10> ins(%1 : memref<1x200xf32>) outs(%2 : memref<1x200xf32>) {
  ^bb0(%a: tensor<1x200xf32>):
    %s = brisk.rms_norm %a {axis = 1 : i64, epsilon = 1.0e-5 : f32} : (tensor<1x200xf32>) -> tensor<1x200xf32>
    brisk.yield %s : tensor<1x200xf32>
  }
  brisk.group schedule #brisk.softmax<rows = 10> ins(%2 : memref<1x200xf32>) outs(%y : memref<1x200xf32>) {
  ^bb0(%a: tensor<1x200xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<1x200xf32>) -> tensor<1x200xf32>
    brisk.yield %s : tensor<1x200xf32>
  }
  return
}
