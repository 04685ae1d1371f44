// RUN: brisk-opt %s --split-input-file --set-target=cascadelake --select-kernels | FileCheck %s
// RUN: brisk-opt %s --split-input-file --set-target=cascadelake -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s --split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// A vector of 16 results is of one group: an input channel of each column is
// multiplied with all of them, three taps at a time.
// CHECK-LABEL: func @within
// CHECK: brisk.group schedule #brisk.grouped_conv<pixels = 14>
// CHECK: brisk.unpack %{{.*}} <shape = [3, 3, 5, 32], axes = {{\[\[}}3] by [16], [0], [1], [2] by [1]]>
// CODE-LABEL: func.func private @within_kernel_0_grouped_conv
// CODE: scf.for {{.*}} iter_args(
// CODE: scf.for {{.*}} iter_args(
// CODE-COUNT-3: vector.load {{.*}} vector<16xf32>
// CODE: memref.load {{.*}} : memref<{{.*}}xf32>
// CODE: vector.broadcast {{.*}} : f32 to vector<16xf32>
// CODE-COUNT-18: math.fma {{.*}} : vector<16xf32>
// CODE-NOT: math.fma
// CODE: scf.yield
// SCALAR-LABEL: func.func private @within_kernel_0_grouped_conv
// SCALAR-NOT: vector.
// SCALAR: math.fma {{.*}} : f32
func.func @within(%x: tensor<1x8x8x10xf32>, %o: tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32> {
  %w = brisk.constant dense<3.0> : tensor<3x3x5x32xf32>
  %r = brisk.group ins(%x, %w : tensor<1x8x8x10xf32>, tensor<3x3x5x32xf32>) outs(%o : tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32> {
  ^bb0(%a: tensor<1x8x8x10xf32>, %f: tensor<3x3x5x32xf32>):
    %0 = brisk.conv %a, %f {group = 2 : i64} : (tensor<1x8x8x10xf32>, tensor<3x3x5x32xf32>) -> tensor<1x6x6x32xf32>
    brisk.yield %0 : tensor<1x6x6x32xf32>
  }
  return %r : tensor<1x6x6x32xf32>
}

// -----

// A vector of 16 results has four groups of two input channels: each lane picks
// its group's first one, then the second one.
// CHECK-LABEL: func @over
// CHECK: brisk.group schedule #brisk.grouped_conv<
// CODE-LABEL: func.func private @over_kernel_0_grouped_conv
// CODE: %[[IN:.*]] = vector.load {{.*}} vector<8xf32>
// CODE: vector.shuffle %[[IN]], %[[IN]] [0, 0, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6] : vector<8xf32>, vector<8xf32>
// CODE: vector.shuffle {{.*}} [1, 1, 1, 1, 3, 3, 3, 3, 5, 5, 5, 5, 7, 7, 7, 7] : vector<8xf32>, vector<8xf32>
func.func @over(%x: tensor<1x1x1x8xf32>, %o: tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32> {
  %w = brisk.constant dense<3.0> : tensor<1x1x2x16xf32>
  %r = brisk.group ins(%x, %w : tensor<1x1x1x8xf32>, tensor<1x1x2x16xf32>) outs(%o : tensor<1x1x1x16xf32>) -> tensor<1x1x1x16xf32> {
  ^bb0(%a: tensor<1x1x1x8xf32>, %f: tensor<1x1x2x16xf32>):
    %0 = brisk.conv %a, %f {group = 4 : i64} : (tensor<1x1x1x8xf32>, tensor<1x1x2x16xf32>) -> tensor<1x1x1x16xf32>
    brisk.yield %0 : tensor<1x1x1x16xf32>
  }
  return %r : tensor<1x1x1x16xf32>
}

// -----

// Four bytes at a time: of the one group's six channels, four and two; of four
// groups' four channels each, four.
// CHECK-LABEL: func @bytes
// CHECK: brisk.unpack %{{.*}} <shape = [1, 1, 6, 32], axes = {{\[\[}}3] by [16], [0], [1], [2] by [4]]>
// CODE-LABEL: func.func private @bytes_kernel_0_grouped_conv
// CODE: vector.load {{.*}} vector<4xi8>
// CODE: vpdpbusd.512
// CODE-COUNT-2: vector.insert {{.*}} : i8 into vector<4xi8>
// CODE: vpdpbusd.512
// CODE-LABEL: func.func private @bytes_kernel_1_grouped_conv
// CODE: vector.bitcast {{.*}} : vector<16xi8> to vector<4xi32>
// CODE: vector.shuffle {{.*}} [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3] : vector<4xi32>, vector<4xi32>
// CODE: vpdpbusd.512
func.func @bytes(%x: tensor<1x1x1x12xui8>, %y: tensor<1x1x1x16xui8>, %o: tensor<1x1x1x32xi32>, %p: tensor<1x1x1x16xi32>) -> (tensor<1x1x1x32xi32>, tensor<1x1x1x16xi32>) {
  %w = brisk.constant dense<3> : tensor<1x1x6x32xi8>
  %v = brisk.constant dense<3> : tensor<1x1x4x16xi8>
  %r = brisk.group ins(%x, %w : tensor<1x1x1x12xui8>, tensor<1x1x6x32xi8>) outs(%o : tensor<1x1x1x32xi32>) -> tensor<1x1x1x32xi32> {
  ^bb0(%a: tensor<1x1x1x12xui8>, %f: tensor<1x1x6x32xi8>):
    %0 = brisk.conv %a, %f {group = 2 : i64} : (tensor<1x1x1x12xui8>, tensor<1x1x6x32xi8>) -> tensor<1x1x1x32xi32>
    brisk.yield %0 : tensor<1x1x1x32xi32>
  }
  %s = brisk.group ins(%y, %v : tensor<1x1x1x16xui8>, tensor<1x1x4x16xi8>) outs(%p : tensor<1x1x1x16xi32>) -> tensor<1x1x1x16xi32> {
  ^bb0(%a: tensor<1x1x1x16xui8>, %f: tensor<1x1x4x16xi8>):
    %0 = brisk.conv %a, %f {group = 4 : i64} : (tensor<1x1x1x16xui8>, tensor<1x1x4x16xi8>) -> tensor<1x1x1x16xi32>
    brisk.yield %0 : tensor<1x1x1x16xi32>
  }
  return %r, %s : tensor<1x1x1x32xi32>, tensor<1x1x1x16xi32>
}

// -----

// 7 results a group neither fill a vector nor have others beside them in one.
// CHECK-LABEL: func @neither
// CHECK-NOT: grouped_conv
func.func @neither(%x: tensor<1x1x1x4xf32>, %o: tensor<1x1x1x14xf32>) -> tensor<1x1x1x14xf32> {
  %w = brisk.constant dense<3.0> : tensor<1x1x2x14xf32>
  %r = brisk.group ins(%x, %w : tensor<1x1x1x4xf32>, tensor<1x1x2x14xf32>) outs(%o : tensor<1x1x1x14xf32>) -> tensor<1x1x1x14xf32> {
  ^bb0(%a: tensor<1x1x1x4xf32>, %f: tensor<1x1x2x14xf32>):
    %0 = brisk.conv %a, %f {group = 2 : i64} : (tensor<1x1x1x4xf32>, tensor<1x1x2x14xf32>) -> tensor<1x1x1x14xf32>
    brisk.yield %0 : tensor<1x1x1x14xf32>
  }
  return %r : tensor<1x1x1x14xf32>
}
