// RUN: brisk-opt %s --split-input-file --set-target=cascadelake --select-kernels | FileCheck %s
// RUN: brisk-opt %s --split-input-file --set-target=cascadelake -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s --split-input-file --set-target=x86-64-v3 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=WIDE

// Ten elements are two steps of four and one of two, whose other weights are
// zeros; the last two bytes of a row are loaded one by one.
// CHECK-LABEL: func @matmul
// CHECK: brisk.group schedule #brisk.gemm<mr = 3, nv = 1
// CHECK: brisk.unpack %{{.*}} <shape = [1, 10, 16], axes = {{\[\[}}2] by [16], [0], [1] by [4]]> : tensor<192xi8> -> tensor<10x16xi8>
// CODE-LABEL: func.func private @matmul_kernel_0_gemm
// CODE: vector.load {{.*}} vector<64xi8>
// CODE: vector.load {{.*}} vector<4xi8>
// CODE: vector.bitcast {{.*}} : vector<4xi8> to vector<1xi32>
// CODE: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"({{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
// CODE-COUNT-6: vector.insert %{{.*}} : i8 into vector<4xi8>
// CODE: arith.sitofp {{.*}} : vector<16xi32> to vector<16xf32>
// CODE: math.roundeven
// CODE: arith.fptosi {{.*}} : vector<16xf32> to vector<16xi32>
// CODE: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
// CODE: vector.store {{.*}} vector<16xi8>
// WIDE-LABEL: func.func private @matmul_kernel_0_gemm
// WIDE: arith.extsi {{.*}} : vector<8xi8> to vector<8xi32>
// WIDE: arith.extui {{.*}} : i8 to i32
// WIDE: arith.muli {{.*}} : vector<8xi32>
func.func @matmul(%x: tensor<3x10xui8>, %o: tensor<3x16xui8>) -> tensor<3x16xui8> {
  %w = brisk.constant dense<3> : tensor<10x16xi8>
  %r = brisk.group ins(%x, %w : tensor<3x10xui8>, tensor<10x16xi8>) outs(%o : tensor<3x16xui8>) -> tensor<3x16xui8> {
  ^bb0(%a: tensor<3x10xui8>, %b: tensor<10x16xi8>):
    %s = brisk.constant dense<0.5> : tensor<f32>
    %one = brisk.constant dense<1.0> : tensor<f32>
    %0 = brisk.matmul %a, %b : (tensor<3x10xui8>, tensor<10x16xi8>) -> tensor<3x16xi32>
    %1 = brisk.dequantize %0 scale %s {to = f32} : (tensor<3x16xi32>, tensor<f32>) -> tensor<3x16xf32>
    %2 = brisk.quantize %1 scale %one {to = ui8} : (tensor<3x16xf32>, tensor<f32>) -> tensor<3x16xui8>
    brisk.yield %2 : tensor<3x16xui8>
  }
  return %r : tensor<3x16xui8>
}

// -----

// Each tap of a convolution has its own steps.
// CHECK-LABEL: func @conv
// CHECK: brisk.unpack %{{.*}} <shape = [9, 6, 32], axes = {{\[\[}}2] by [32], [0], [1] by [4]]> : tensor<2304xi8> -> tensor<3x3x6x32xi8>
// CODE-LABEL: func.func private @conv_kernel_0_gemm
// CODE: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// WIDE-LABEL: func.func private @conv_kernel_0_gemm
// WIDE: arith.muli {{.*}} : vector<8xi32>
func.func @conv(%x: tensor<1x8x8x6xui8>, %o: tensor<1x4x4x32xi32>) -> tensor<1x4x4x32xi32> {
  %w = brisk.constant dense<3> : tensor<3x3x6x32xi8>
  %b = brisk.constant dense<7> : tensor<32xi32>
  %r = brisk.group ins(%x, %w, %b : tensor<1x8x8x6xui8>, tensor<3x3x6x32xi8>, tensor<32xi32>) outs(%o : tensor<1x4x4x32xi32>) -> tensor<1x4x4x32xi32> {
  ^bb0(%a: tensor<1x8x8x6xui8>, %f: tensor<3x3x6x32xi8>, %c: tensor<32xi32>):
    %0 = brisk.conv %a, %f, %c {dilations = array<i64: 2, 2>} : (tensor<1x8x8x6xui8>, tensor<3x3x6x32xi8>, tensor<32xi32>) -> tensor<1x4x4x32xi32>
    brisk.yield %0 : tensor<1x4x4x32xi32>
  }
  return %r : tensor<1x4x4x32xi32>
}

// -----

// The right side has to be packed: what is computed runs in plain loops.
// CHECK-LABEL: func @computed
// CHECK: brisk.group schedule #brisk.loops
// CODE-LABEL: func.func private @computed_kernel_0_loops
// WIDE-LABEL: func.func private @computed_kernel_0_gemm
func.func @computed(%x: tensor<3x10xui8>, %w: tensor<10x16xi8>, %o: tensor<3x16xi32>) -> tensor<3x16xi32> {
  %r = brisk.group ins(%x, %w : tensor<3x10xui8>, tensor<10x16xi8>) outs(%o : tensor<3x16xi32>) -> tensor<3x16xi32> {
  ^bb0(%a: tensor<3x10xui8>, %b: tensor<10x16xi8>):
    %0 = brisk.matmul %a, %b : (tensor<3x10xui8>, tensor<10x16xi8>) -> tensor<3x16xi32>
    brisk.yield %0 : tensor<3x16xi32>
  }
  return %r : tensor<3x16xi32>
}
