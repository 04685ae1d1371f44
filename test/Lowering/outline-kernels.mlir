// RUN: brisk-opt %s --set-target=x86-64-v3 --outline-kernels --split-input-file | FileCheck %s

// Two groups that are the same share a function; each has a row in the table.
// CHECK: module attributes {brisk.ops = [
// CHECK-SAME: name = "first", type = "sqrt", kernel = "elementwise"
// CHECK-SAME: name = "second", type = "sqrt", kernel = "elementwise"
// CHECK-LABEL: func.func @model(
// CHECK: brisk.launch @[[K:model_kernel_0_elementwise]](%{{.*}}) tasks 1 workers 1 op 0
// CHECK: brisk.launch @[[K]]
// CHECK: func.func private @[[K]](
// CHECK-SAME: %{{.*}}: memref<16xf32> {llvm.noalias}, %{{.*}}: memref<16xf32> {llvm.noalias}, %{{.*}}: index, %{{.*}}: index)
// CHECK: math.sqrt %{{.*}} : vector<8xf32>
// CHECK-NOT: func.func
func.func @model(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>) {
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32> loc("first")
    brisk.yield %s : tensor<16xf32> loc(unknown)
  }
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%y : memref<16xf32>) outs(%z : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %s = brisk.sqrt %a : (tensor<16xf32>) -> tensor<16xf32> loc("second")
    brisk.yield %s : tensor<16xf32> loc(unknown)
  }
  return
}

// -----

// Constants give a group no name: exporters name each bound of a clip.
// CHECK: name = "relu", type = "max"
func.func @constants(%x: memref<16xf32>, %y: memref<16xf32>) {
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : memref<16xf32>) outs(%y : memref<16xf32>) {
  ^bb0(%a: tensor<16xf32>):
    %c = brisk.constant dense<0.0> : tensor<f32> loc("bound")
    %s = brisk.max %a, %c : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32> loc("relu")
    brisk.yield %s : tensor<16xf32> loc(unknown)
  }
  return
}

// -----

// Strides of buffers without elements are known; what gives no elements is no
// kernel.
// CHECK-LABEL: func.func @empty(
// CHECK-COUNT-1: brisk.launch @empty_kernel_0_reduction
// CHECK-NOT: brisk.launch
// CHECK: func.func private @empty_kernel_0_reduction(%{{.*}}: memref<4x0x2xf32, strided<[2, 2, 1]>>
func.func @empty(%x: memref<4x0x2xf32>, %y: memref<4x2xf32>, %z: memref<4x0x2xf32>) {
  brisk.group schedule #brisk.reduction<chunk = 32> ins(%x : memref<4x0x2xf32>) outs(%y : memref<4x2xf32>) {
  ^bb0(%a: tensor<4x0x2xf32>):
    %axes = brisk.constant dense<1> : tensor<1xi64>
    %s = brisk.reduce sum %a, %axes : (tensor<4x0x2xf32>, tensor<1xi64>) -> tensor<4x2xf32>
    brisk.yield %s : tensor<4x2xf32>
  }
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : memref<4x0x2xf32>) outs(%z : memref<4x0x2xf32>) {
  ^bb0(%a: tensor<4x0x2xf32>):
    %s = brisk.sqrt %a : (tensor<4x0x2xf32>) -> tensor<4x0x2xf32>
    brisk.yield %s : tensor<4x0x2xf32>
  }
  return
}

// -----

// A launch is worth so many workers that one more would save less than it takes
// to hand it its part, and no more than it has tasks.
// CHECK-LABEL: func.func @workers(
// CHECK: brisk.launch {{.*}} tasks 16 workers 4 op 0
// CHECK: brisk.launch {{.*}} tasks 2 workers 2 op 1
// CHECK: brisk.launch {{.*}} tasks 4 workers 1 op 2
func.func @workers(%x: memref<65536xf32>, %y: memref<65536xf32>, %z: memref<65536xf32>, %small: memref<1024xf32>, %result: memref<1024xf32>) {
  brisk.group schedule #brisk.elementwise<chunk = 4096> ins(%x : memref<65536xf32>) outs(%y : memref<65536xf32>) {
  ^bb0(%a: tensor<65536xf32>):
    %s = brisk.sqrt %a : (tensor<65536xf32>) -> tensor<65536xf32>
    brisk.yield %s : tensor<65536xf32>
  }
  brisk.group schedule #brisk.elementwise<chunk = 32768> ins(%y : memref<65536xf32>) outs(%z : memref<65536xf32>) {
  ^bb0(%a: tensor<65536xf32>):
    %s = brisk.sqrt %a : (tensor<65536xf32>) -> tensor<65536xf32>
    brisk.yield %s : tensor<65536xf32>
  }
  brisk.group schedule #brisk.elementwise<chunk = 256> ins(%small : memref<1024xf32>) outs(%result : memref<1024xf32>) {
  ^bb0(%a: tensor<1024xf32>):
    %s = brisk.sqrt %a : (tensor<1024xf32>) -> tensor<1024xf32>
    brisk.yield %s : tensor<1024xf32>
  }
  return
}
