// RUN: brisk-opt %s --split-input-file --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s --split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE

// Kernels of f32 extend filters of integers in registers. Packed bytes stay bytes, and sums are scaled at the end.
// CHECK-LABEL: func @window
// CHECK: brisk.group schedule #brisk.gemm<
// CHECK: brisk.unpack {{.*}} : tensor<1440xi8> -> tensor<3x3x5x32xi8>
// CODE-LABEL: func.func private @window_kernel_0_gemm
// CODE: scf.for {{.*}} iter_args(
// CODE: %[[BYTES:.*]] = vector.load {{.*}} vector<16xi8>
// CODE: %[[W:.*]] = arith.sitofp %[[BYTES]] : vector<16xi8> to vector<16xf32>
// CODE: math.fma %{{.*}}, %[[W]], %{{.*}} : vector<16xf32>
// CODE-NOT: arith.mulf
// CODE: scf.yield
// CODE: arith.mulf {{.*}} : vector<16xf32>
func.func @window(%x: tensor<1x8x8x5xf32>, %s: tensor<32xf32>, %o: tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32> {
  %w = brisk.constant dense<3> : tensor<3x3x5x32xi8>
  %r = brisk.group ins(%x, %w, %s : tensor<1x8x8x5xf32>, tensor<3x3x5x32xi8>, tensor<32xf32>) outs(%o : tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32> {
  ^bb0(%a: tensor<1x8x8x5xf32>, %f: tensor<3x3x5x32xi8>, %c: tensor<32xf32>):
    %0 = brisk.conv %a, %f : (tensor<1x8x8x5xf32>, tensor<3x3x5x32xi8>) -> tensor<1x6x6x32xf32>
    %1 = brisk.mul %0, %c : (tensor<1x6x6x32xf32>, tensor<32xf32>) -> tensor<1x6x6x32xf32>
    brisk.yield %1 : tensor<1x6x6x32xf32>
  }
  return %r : tensor<1x6x6x32xf32>
}

// -----

// Integers of 16 bits, and without a sign.
// CHECK-LABEL: func @groups
// CHECK: brisk.group schedule #brisk.grouped_conv<
// CODE-LABEL: func.func private @groups_kernel_0_grouped_conv
// CODE: %[[WORDS:.*]] = vector.load {{.*}} vector<16xi16>
// CODE: arith.sitofp %[[WORDS]] : vector<16xi16> to vector<16xf32>
// CODE: math.fma {{.*}} : vector<16xf32>
func.func @groups(%x: tensor<1x8x8x10xf32>, %o: tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32> {
  %w = brisk.constant dense<300> : tensor<3x3x5x32xi16>
  %r = brisk.group ins(%x, %w : tensor<1x8x8x10xf32>, tensor<3x3x5x32xi16>) outs(%o : tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32> {
  ^bb0(%a: tensor<1x8x8x10xf32>, %f: tensor<3x3x5x32xi16>):
    %0 = brisk.conv %a, %f {group = 2 : i64} : (tensor<1x8x8x10xf32>, tensor<3x3x5x32xi16>) -> tensor<1x6x6x32xf32>
    brisk.yield %0 : tensor<1x6x6x32xf32>
  }
  return %r : tensor<1x6x6x32xf32>
}

// -----

// CHECK-LABEL: func @channels
// CHECK: brisk.group schedule #brisk.depthwise<
// CODE-LABEL: func.func private @channels_kernel_0_depthwise
// CODE: %[[BYTES:.*]] = vector.load {{.*}} vector<16xi8>
// CODE: arith.uitofp %[[BYTES]] : vector<16xi8> to vector<16xf32>
// CODE: math.fma {{.*}} : vector<16xf32>
func.func @channels(%x: tensor<1x12x12x24xf32>, %o: tensor<1x10x10x24xf32>) -> tensor<1x10x10x24xf32> {
  %w = brisk.constant dense<200> : tensor<3x3x1x24xui8>
  %r = brisk.group ins(%x, %w : tensor<1x12x12x24xf32>, tensor<3x3x1x24xui8>) outs(%o : tensor<1x10x10x24xf32>) -> tensor<1x10x10x24xf32> {
  ^bb0(%a: tensor<1x12x12x24xf32>, %f: tensor<3x3x1x24xui8>):
    %0 = brisk.conv %a, %f {group = 24 : i64} : (tensor<1x12x12x24xf32>, tensor<3x3x1x24xui8>) -> tensor<1x10x10x24xf32>
    brisk.yield %0 : tensor<1x10x10x24xf32>
  }
  return %r : tensor<1x10x10x24xf32>
}
