// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -select-kernels | FileCheck %s --check-prefix=SELECT
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s

// SELECT-LABEL: func @upsample
// SELECT: brisk.group schedule #brisk.conv_transpose<pixels = 8, all_taps = false>
func.func @upsample(%x: tensor<1x8x8x24xf32>, %w: tensor<2x2x24x16xf32>, %o: tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
  %r = brisk.group ins(%x, %w : tensor<1x8x8x24xf32>, tensor<2x2x24x16xf32>) outs(%o : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
  ^bb0(%a: tensor<1x8x8x24xf32>, %f: tensor<2x2x24x16xf32>):
    %0 = brisk.conv_transpose %a, %f {strides = array<i64: 2, 2>} : (tensor<1x8x8x24xf32>, tensor<2x2x24x16xf32>) -> tensor<1x16x16x16xf32>
    brisk.yield %0 : tensor<1x16x16x16xf32>
  }
  return %r : tensor<1x16x16x16xf32>
}

// -----

// The four results of a pixel are one vector; two rows of them come from eight.
// SELECT-LABEL: func @one_channel
// SELECT: brisk.group schedule #brisk.conv_transpose<pixels = 8, all_taps = true>
// SELECT: brisk.unpack {{.*}} <shape = [4, 24, 1], axes = {{\[\[}}1], [0, 2] by [4]]> : tensor<96xf32> -> tensor<2x2x24x1xf32>
// CHECK-LABEL: func.func private @one_channel_kernel_0_conv_transpose
// CHECK: scf.for {{.*}} iter_args(
// CHECK-COUNT-8: math.fma {{.*}} : vector<4xf32>
// CHECK-NOT: math.fma
// CHECK: vector.shuffle
// CHECK-COUNT-2: vector.store {{.*}} vector<16xf32>
// CHECK-NOT: vector.store
func.func @one_channel(%x: tensor<1x8x8x24xf32>) -> tensor<1x16x16x1xf32> {
  %w = brisk.constant dense<1.0> : tensor<2x2x24x1xf32>
  %o = tensor.empty() : tensor<1x16x16x1xf32>
  %r = brisk.group ins(%x, %w : tensor<1x8x8x24xf32>, tensor<2x2x24x1xf32>) outs(%o : tensor<1x16x16x1xf32>) -> tensor<1x16x16x1xf32> {
  ^bb0(%a: tensor<1x8x8x24xf32>, %f: tensor<2x2x24x1xf32>):
    %0 = brisk.conv_transpose %a, %f {strides = array<i64: 2, 2>} : (tensor<1x8x8x24xf32>, tensor<2x2x24x1xf32>) -> tensor<1x16x16x1xf32>
    brisk.yield %0 : tensor<1x16x16x1xf32>
  }
  return %r : tensor<1x16x16x1xf32>
}
