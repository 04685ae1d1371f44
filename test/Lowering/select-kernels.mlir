// RUN: brisk-opt %s --form-groups --set-target=x86-64-v3 --select-kernels --split-input-file --verify-diagnostics | FileCheck %s

// The weights are packed for the schedule; the region unpacks them.
// CHECK-LABEL: func.func @packed(
// CHECK: %[[W:.*]] = brisk.constant dense_resource<packed> : tensor<128xf32>
// CHECK: brisk.group schedule #brisk.gemm<mr = 1, nv = 2
// CHECK-SAME: ins(%{{.*}}, %[[W]]
// CHECK: ^bb0(%{{.*}}, %[[P:.*]]: tensor<128xf32>):
// CHECK: brisk.unpack %[[P]] <shape = [8, 16], axes = {{\[\[}}1] by [16], [0]]> : tensor<128xf32> -> tensor<8x16xf32>
func.func @packed(%x: tensor<1x8xf32>) -> tensor<1x16xf32> {
  %w = brisk.constant dense<1.0> : tensor<8x16xf32>
  %0 = brisk.matmul %x, %w : (tensor<1x8xf32>, tensor<8x16xf32>) -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}

// -----

// Who else reads the weights gets them unpacked.
// CHECK-LABEL: func.func @read_twice(
// CHECK: %[[W:.*]] = brisk.constant dense<1.0
// CHECK: %[[P:.*]] = brisk.constant dense_resource<packed{{.*}}> : tensor<256xf32>
// CHECK: brisk.group schedule #brisk.gemm
// CHECK-SAME: ins(%{{.*}}, %[[P]], %[[W]]
// CHECK: ^bb0(%[[X:.*]]: tensor<16x16xf32>, %[[A:.*]]: tensor<256xf32>, %[[B:.*]]: tensor<16x16xf32>):
// CHECK: %[[U:.*]] = brisk.unpack %[[A]]
// CHECK: %[[M:.*]] = brisk.matmul %[[X]], %[[U]]
// CHECK: brisk.add %[[M]], %[[B]]
func.func @read_twice(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %w = brisk.constant dense<1.0> : tensor<16x16xf32>
  %0 = brisk.matmul %x, %w : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %1 = brisk.add %0, %w : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}

// -----

// What is packed the same way is kept once, as for the steps of a loop.
// CHECK-LABEL: func.func @steps(
// CHECK: brisk.constant dense_resource<[[PACKED:packed[_0-9]*]]> : tensor<4096xf32>
// CHECK: brisk.group schedule #brisk.gemm
// CHECK: brisk.constant dense_resource<[[PACKED]]> : tensor<4096xf32>
// CHECK: brisk.group schedule #brisk.gemm
func.func @steps(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %w = brisk.constant dense<1.0> : tensor<64x64xf32>
  %0 = brisk.matmul %x, %w : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  %1 = brisk.matmul %0, %w : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
  return %1 : tensor<16x64xf32>
}

// -----

// Selected kernels stay.
// CHECK-LABEL: func.func @selected(
// CHECK: brisk.group schedule #brisk.loops
func.func @selected(%x: tensor<4xf32>) -> tensor<4xf32> {
  %to = tensor.empty() : tensor<4xf32>
  %0 = brisk.group schedule #brisk.loops ins(%x : tensor<4xf32>) outs(%to : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %r = brisk.sqrt %a : (tensor<4xf32>) -> tensor<4xf32>
    brisk.yield %r : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// Buffers are filled, bordered and copied by groups that are there only now.
// CHECK-LABEL: func.func @buffers(
// CHECK: brisk.group schedule #brisk.border outs
// CHECK: brisk.group schedule #brisk.elementwise<chunk = 8192> outs
// CHECK: brisk.group schedule #brisk.elementwise<chunk = 8192> ins
func.func @buffers(%x: memref<6xf32>, %y: memref<6xf32>) {
  brisk.group outs(%x : memref<6xf32>) {
    %b = brisk.border 0.0 : f32 low [1] high [1] -> tensor<6xf32>
    brisk.yield %b : tensor<6xf32>
  }
  brisk.group outs(%y : memref<6xf32>) {
    %c = brisk.constant dense<1.0> : tensor<6xf32>
    brisk.yield %c : tensor<6xf32>
  }
  brisk.group ins(%x : memref<6xf32>) outs(%y : memref<6xf32>) {
  ^bb0(%a: tensor<6xf32>):
    brisk.yield %a : tensor<6xf32>
  }
  return
}

// -----

// Weights that are packed already suit only schedules that read them so.
// CHECK-LABEL: func.func @packed_before(
// CHECK: brisk.group schedule #brisk.gemm<mr = 4, nv = 1,
// CHECK: brisk.unpack %{{.*}} <shape = [8, 20], axes = {{\[\[}}1] by [8, 4], [0]]>
func.func @packed_before(%x: tensor<4x8xf32>, %w: tensor<160xf32>, %y: tensor<4x20xf32>) -> tensor<4x20xf32> {
  %0 = brisk.group ins(%x, %w : tensor<4x8xf32>, tensor<160xf32>) outs(%y : tensor<4x20xf32>) -> tensor<4x20xf32> {
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<160xf32>):
    %1 = brisk.unpack %b <shape = [8, 20], axes = [[1] by [8, 4], [0]]> : tensor<160xf32> -> tensor<8x20xf32>
    %2 = brisk.matmul %a, %1 : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
    brisk.yield %2 : tensor<4x20xf32>
  }
  return %0 : tensor<4x20xf32>
}
