// RUN: brisk-opt %s --split-input-file --set-target=cascadelake --select-kernels | FileCheck %s
// RUN: brisk-opt %s --split-input-file --set-target=cascadelake -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s --split-input-file --set-target=x86-64-v3 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=PAIRS
// RUN: brisk-opt %s --split-input-file --set-target=aarch64 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=NEON
// RUN: brisk-opt %s --split-input-file --set-target=neoverse-v1 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=I8MM
// RUN: brisk-opt %s --split-input-file --set-target=riscv64 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// The filter's three rows lie side by side, and are spread out to four bytes a
// channel as they are loaded. So are the input's, with zeros for the last one,
// which are loaded once for the three results that they are part of: eight
// results of a row have ten columns and take 24 products.
// CHECK-LABEL: func @rows
// CHECK: brisk.group schedule #brisk.depthwise<pixels = 8>
// CHECK: brisk.unpack %{{.*}} <shape = [3, 3, 16], axes = {{\[\[}}1], [2] by [16], [0] by [3]]> : tensor<144xi8> -> tensor<3x3x1x16xi8>
// CODE-LABEL: func.func private @rows_kernel_0_depthwise
// CODE: %[[WORDS:.*]] = vector.maskedload {{.*}} : memref<16xi32>, vector<16xi1>, vector<16xi32> into vector<16xi32>
// CODE: %[[PACKED:.*]] = vector.bitcast %[[WORDS]] : vector<16xi32> to vector<64xi8>
// CODE: vector.shuffle %[[PACKED]], %[[PACKED]] [0, 1, 2, 2, 3, 4, 5, 5, {{.*}} 45, 46, 47, 47] : vector<64xi8>, vector<64xi8>
// CODE-COUNT-2: vector.maskedload {{.*}} : memref<16xi32>
// CODE-NOT: vector.maskedload {{.*}} : memref<16xi32>
// CODE: %[[FIRST:.*]] = arith.extui {{.*}} : vector<16xi8> to vector<16xi32>
// CODE: %[[SECOND:.*]] = arith.extui {{.*}} : vector<16xi8> to vector<16xi32>
// CODE: %[[UP:.*]] = arith.shli %[[SECOND]], %{{.*}} : vector<16xi32>
// CODE: %[[TWO:.*]] = arith.ori %[[FIRST]], %[[UP]] : vector<16xi32>
// CODE: arith.shli
// CODE: %[[ALL:.*]] = arith.ori %[[TWO]], %{{.*}} : vector<16xi32>
// CODE: %[[BYTES:.*]] = vector.bitcast %[[ALL]] : vector<16xi32> to vector<64xi8>
// CODE: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[BYTES]], %{{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
// CODE-COUNT-23: vpdpbusd.512
// CODE-NOT: vpdpbusd
// PAIRS-LABEL: func.func private @rows_kernel_0_depthwise
// PAIRS: vector.maskedload {{.*}} : memref<8xi32>, vector<8xi1>, vector<8xi32>
// PAIRS: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// PAIRS-NOT: arith.muli {{.*}} : vector<
// By fours of 16 bits there would be nothing to win.
// NEON-LABEL: func.func private @rows_kernel_0_depthwise
// NEON: arith.muli {{.*}} : vector<4xi32>
// I8MM-LABEL: func.func private @rows_kernel_0_depthwise
// No byte is read that is not packed.
// I8MM: vector.load {{.*}} : memref<144xi8>, vector<12xi8>
// I8MM: vector.shuffle {{.*}} : vector<12xi8>, vector<12xi8>
// I8MM: llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"
// SCALAR-LABEL: func.func private @rows_kernel_0_depthwise
// SCALAR: arith.muli {{.*}} : i32
func.func @rows(%x: tensor<1x10x10x16xui8>, %o: tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32> {
  %w = brisk.constant dense<3> : tensor<3x3x1x16xi8>
  %r = brisk.group ins(%x, %w : tensor<1x10x10x16xui8>, tensor<3x3x1x16xi8>) outs(%o : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32> {
  ^bb0(%a: tensor<1x10x10x16xui8>, %f: tensor<3x3x1x16xi8>):
    %0 = brisk.conv %a, %f {group = 16 : i64} : (tensor<1x10x10x16xui8>, tensor<3x3x1x16xi8>) -> tensor<1x8x8x16xi32>
    brisk.yield %0 : tensor<1x8x8x16xi32>
  }
  return %r : tensor<1x8x8x16xi32>
}

// -----

// Five rows are four and one.
// PAIRS-LABEL: func.func private @five_rows_kernel_0_depthwise
// CHECK-LABEL: func @five_rows
// CHECK: brisk.unpack %{{.*}} <shape = [5, 1, 16], axes = {{\[\[}}1], [2] by [16], [0] by [4, 1]]> : tensor<80xi8> -> tensor<5x1x1x16xi8>
// CODE-LABEL: func.func private @five_rows_kernel_0_depthwise
// CODE-COUNT-3: arith.ori
// CODE-NOT: arith.ori
// CODE: vpdpbusd.512
// CODE: vector.shuffle {{.*}} [0, 0, 0, 0, 1, 1, 1, 1, {{.*}} 15, 15, 15, 15]
// CODE: vpdpbusd.512
// CODE-NOT: vpdpbusd
func.func @five_rows(%x: tensor<1x5x1x16xui8>, %o: tensor<1x1x1x16xi32>) -> tensor<1x1x1x16xi32> {
  %w = brisk.constant dense<3> : tensor<5x1x1x16xi8>
  %r = brisk.group ins(%x, %w : tensor<1x5x1x16xui8>, tensor<5x1x1x16xi8>) outs(%o : tensor<1x1x1x16xi32>) -> tensor<1x1x1x16xi32> {
  ^bb0(%a: tensor<1x5x1x16xui8>, %f: tensor<5x1x1x16xi8>):
    %0 = brisk.conv %a, %f {group = 16 : i64} : (tensor<1x5x1x16xui8>, tensor<5x1x1x16xi8>) -> tensor<1x1x1x16xi32>
    brisk.yield %0 : tensor<1x1x1x16xi32>
  }
  return %r : tensor<1x1x1x16xi32>
}

// -----

// Rows in the padding are left out, so they go one by one; so do those of a
// filter that is not constant.
// CHECK-LABEL: func @one_by_one
// CHECK-NOT: brisk.unpack
// CODE-LABEL: func.func private @one_by_one_kernel_0_depthwise
// CODE-NOT: vpdpbusd
// CODE: arith.muli {{.*}} : vector<16xi32>
// CODE-LABEL: func.func private @one_by_one_kernel_1_depthwise
// CODE-NOT: vpdpbusd
// CODE: arith.muli {{.*}} : vector<16xi32>
func.func @one_by_one(%x: tensor<1x8x8x16xui8>, %y: tensor<3x3x1x16xi8>, %o: tensor<1x8x8x16xi32>, %p: tensor<1x6x6x16xi32>) -> (tensor<1x8x8x16xi32>, tensor<1x6x6x16xi32>) {
  %w = brisk.constant dense<3> : tensor<3x3x1x16xi8>
  %r = brisk.group ins(%x, %w : tensor<1x8x8x16xui8>, tensor<3x3x1x16xi8>) outs(%o : tensor<1x8x8x16xi32>) -> tensor<1x8x8x16xi32> {
  ^bb0(%a: tensor<1x8x8x16xui8>, %f: tensor<3x3x1x16xi8>):
    %0 = brisk.conv %a, %f {pads = array<i64: 1, 1, 1, 1>, group = 16 : i64} : (tensor<1x8x8x16xui8>, tensor<3x3x1x16xi8>) -> tensor<1x8x8x16xi32>
    brisk.yield %0 : tensor<1x8x8x16xi32>
  }
  %s = brisk.group ins(%x, %y : tensor<1x8x8x16xui8>, tensor<3x3x1x16xi8>) outs(%p : tensor<1x6x6x16xi32>) -> tensor<1x6x6x16xi32> {
  ^bb0(%a: tensor<1x8x8x16xui8>, %f: tensor<3x3x1x16xi8>):
    %0 = brisk.conv %a, %f {group = 16 : i64} : (tensor<1x8x8x16xui8>, tensor<3x3x1x16xi8>) -> tensor<1x6x6x16xi32>
    brisk.yield %0 : tensor<1x6x6x16xi32>
  }
  return %r, %s : tensor<1x8x8x16xi32>, tensor<1x6x6x16xi32>
}
