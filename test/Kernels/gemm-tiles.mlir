// RUN: brisk-opt %s --split-input-file --set-target=sapphirerapids --select-kernels | FileCheck %s --check-prefix=SELECT
// RUN: brisk-opt %s --split-input-file --set-target=sapphirerapids --brisk-select --brisk-plan --brisk-kernels | FileCheck %s
// RUN: brisk-opt %s --split-input-file --set-target=sapphirerapids --brisk-select --brisk-plan --brisk-kernels --brisk-codegen | FileCheck %s --check-prefix=LLVM
// RUN: brisk-opt %s --split-input-file --set-target=graniterapids --brisk-select --brisk-plan --brisk-kernels --brisk-codegen | FileCheck %s --check-prefix=F16

// Two by two tiles of sums; operands take the other four registers. A row's 128
// bytes are two steps.
// SELECT-LABEL: func.func @bytes
// SELECT: brisk.group schedule #brisk.gemm<mr = 32, nv = 2, unroll = 1, panels_outer = false, prefetch = false, in_tiles = true>
// SELECT: brisk.unpack {{.*}} <shape = [1, 128, 64], axes = {{\[\[}}2] by [32], [0], [1] by [4]]> : tensor<8192xi8>
// CHECK-LABEL: func.func private @bytes_kernel_0_gemm
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK: scf.for
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilezero"
// CHECK: scf.for
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tdpbusd"
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tdpbusd"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64"
// CHECK: scf.for
// CHECK: vector.load {{.*}} vector<16xi32>
// CHECK: vector.store
// CHECK: llvm.call_intrinsic "llvm.x86.tilerelease"
// LLVM-LABEL: llvm.func {{.*}}@bytes_kernel_0_gemm
// LLVM: llvm.call_intrinsic "llvm.x86.tdpbusd"
// LLVM-NOT: unrealized_conversion_cast
func.func @bytes(%x: tensor<64x128xui8>, %o: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %w = brisk.constant dense<1> : tensor<128x64xi8>
  %r = brisk.group ins(%x, %w : tensor<64x128xui8>, tensor<128x64xi8>) outs(%o : tensor<64x64xi32>) -> tensor<64x64xi32> {
  ^bb0(%a: tensor<64x128xui8>, %b: tensor<128x64xi8>):
    %0 = brisk.matmul %a, %b : (tensor<64x128xui8>, tensor<128x64xi8>) -> tensor<64x64xi32>
    brisk.yield %0 : tensor<64x64xi32>
  }
  return %r : tensor<64x64xi32>
}

// -----

// The last of 83 rows are computed with those before them, and not written
// twice. Of 99 elements, the last step of 52 repeats four, as zeros; its rows
// are copied.
// SELECT-LABEL: func.func @tails
// SELECT: in_tiles = true>
// CHECK-LABEL: func.func private @tails_kernel_0_gemm
// CHECK: arith.minsi
// CHECK: vector.maskedload {{.*}} vector<64xi8>
// CHECK: vector.maskedstore {{.*}} vector<64xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbusd"
func.func @tails(%x: tensor<83x99xui8>, %o: tensor<83x50xi32>) -> tensor<83x50xi32> {
  %w = brisk.constant dense<1> : tensor<99x50xi8>
  %r = brisk.group ins(%x, %w : tensor<83x99xui8>, tensor<99x50xi8>) outs(%o : tensor<83x50xi32>) -> tensor<83x50xi32> {
  ^bb0(%a: tensor<83x99xui8>, %b: tensor<99x50xi8>):
    %0 = brisk.matmul %a, %b : (tensor<83x99xui8>, tensor<99x50xi8>) -> tensor<83x50xi32>
    brisk.yield %0 : tensor<83x50xi32>
  }
  return %r : tensor<83x50xi32>
}

// -----

// Few rows are sooner multiplied in vectors.
// SELECT-LABEL: func.func @one_row
// SELECT-NOT: in_tiles
// CHECK-LABEL: func.func private @one_row_kernel_0_gemm
// CHECK: llvm.x86.avx512.vpdpbusd.512
func.func @one_row(%x: tensor<1x128xui8>, %o: tensor<1x64xi32>) -> tensor<1x64xi32> {
  %w = brisk.constant dense<1> : tensor<128x64xi8>
  %r = brisk.group ins(%x, %w : tensor<1x128xui8>, tensor<128x64xi8>) outs(%o : tensor<1x64xi32>) -> tensor<1x64xi32> {
  ^bb0(%a: tensor<1x128xui8>, %b: tensor<128x64xi8>):
    %0 = brisk.matmul %a, %b : (tensor<1x128xui8>, tensor<128x64xi8>) -> tensor<1x64xi32>
    brisk.yield %0 : tensor<1x64xi32>
  }
  return %r : tensor<1x64xi32>
}

// -----

// Pairs of bf16, 32 elements a step; of the taps of a window, each by itself.
// SELECT-LABEL: func.func @pairs
// SELECT: in_tiles = true>
// CHECK-LABEL: func.func private @pairs_kernel_0_gemm
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK: vector.load {{.*}} vector<16xf32>
func.func @pairs(%x: tensor<1x20x34x32xbf16>, %o: tensor<1x18x32x48xf32>) -> tensor<1x18x32x48xf32> {
  %w = brisk.constant dense<1.0> : tensor<3x3x32x48xbf16>
  %r = brisk.group ins(%x, %w : tensor<1x20x34x32xbf16>, tensor<3x3x32x48xbf16>) outs(%o : tensor<1x18x32x48xf32>) -> tensor<1x18x32x48xf32> {
  ^bb0(%a: tensor<1x20x34x32xbf16>, %b: tensor<3x3x32x48xbf16>):
    %0 = brisk.conv %a, %b : (tensor<1x20x34x32xbf16>, tensor<3x3x32x48xbf16>) -> tensor<1x18x32x48xf32>
    brisk.yield %0 : tensor<1x18x32x48xf32>
  }
  return %r : tensor<1x18x32x48xf32>
}

// -----

// Pairs of f16, for which there is no product of vectors beside that in tiles.
// The last 23 of 47 elements are copied.
// F16-LABEL: llvm.func {{.*}}@halves_kernel_0_gemm
// F16: llvm.intr.masked.load {{.*}} vector<32xf16>
// F16: llvm.call_intrinsic "llvm.x86.tdpfp16ps"
// F16: llvm.fptrunc {{.*}} : vector<16xf32> to vector<16xf16>
// F16-NOT: unrealized_conversion_cast
// CHECK-LABEL: func.func private @halves_kernel_0_gemm
// CHECK-NOT: llvm.x86.td
// CHECK: math.fma
func.func @halves(%x: tensor<83x47xf16>, %o: tensor<83x50xf16>) -> tensor<83x50xf16> {
  %w = brisk.constant dense<1.0> : tensor<47x50xf16>
  %r = brisk.group ins(%x, %w : tensor<83x47xf16>, tensor<47x50xf16>) outs(%o : tensor<83x50xf16>) -> tensor<83x50xf16> {
  ^bb0(%a: tensor<83x47xf16>, %b: tensor<47x50xf16>):
    %0 = brisk.matmul %a, %b : (tensor<83x47xf16>, tensor<47x50xf16>) -> tensor<83x50xf16>
    brisk.yield %0 : tensor<83x50xf16>
  }
  return %r : tensor<83x50xf16>
}
