// RUN: brisk-opt %s --split-input-file --set-target=cascadelake --select-kernels | FileCheck %s
// RUN: brisk-opt %s --split-input-file --set-target=cascadelake -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s --split-input-file --set-target=alderlake -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=VEX
// RUN: brisk-opt %s --split-input-file --set-target=x86-64-v3 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=PAIRS
// RUN: brisk-opt %s --split-input-file --set-target=aarch64 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=NEON
// RUN: brisk-opt %s --split-input-file --set-target=cortex-a76 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=DOT
// RUN: brisk-opt %s --split-input-file --set-target=neoverse-v1 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=I8MM
// RUN: brisk-opt %s --split-input-file --set-target=riscv64 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR
// RUN: brisk-opt %s --split-input-file --set-target=riscv64gcv -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=RVV
// RUN: brisk-opt %s --split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=WORDS

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
// The sum with 1.5 * 2^23 is rounded to an integer, which its lower bits hold.
// CODE: arith.constant dense<0x4B400000> : vector<16xf32>
// CODE: arith.addf
// CODE: arith.bitcast {{.*}} : vector<16xf32> to vector<16xi32>
// CODE: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
// CODE: vector.store {{.*}} vector<16xi8>
// VEX-LABEL: func.func private @matmul_kernel_0_gemm
// VEX: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"({{.*}}) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
// Without vectors, two bytes of a word at a time: those at even places, then
// those at odd ones.
// WORDS-LABEL: func.func private @matmul_kernel_0_gemm
// WORDS: %[[ROW:.*]] = vector.extract %{{.*}}[0] : i32 from vector<1xi32>
// WORDS: %[[X:.*]] = llvm.call_intrinsic "llvm.arm.uxtb16"({{.*}}) : (i32) -> i32
// WORDS: %[[W:.*]] = llvm.call_intrinsic "llvm.arm.sxtb16"({{.*}}) : (i32) -> i32
// WORDS: llvm.call_intrinsic "llvm.arm.smlad"(%[[X]], %[[W]], %{{.*}}) : (i32, i32, i32) -> i32
// WORDS: llvm.call_intrinsic "llvm.fshr"
// Bytes at even places are extended to 16 bits and multiplied, then those at odd
// ones.
// PAIRS-LABEL: func.func private @matmul_kernel_0_gemm
// PAIRS: vector.load {{.*}} vector<32xi8>
// PAIRS: %[[ROW:.*]] = vector.bitcast {{.*}} : vector<32xi8> to vector<16xi16>
// PAIRS: arith.andi %[[ROW]], %{{.*}} : vector<16xi16>
// PAIRS: arith.shrui %[[ROW]], %{{.*}} : vector<16xi16>
// PAIRS: arith.shrsi
// PAIRS: %[[EVEN:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"({{.*}}) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
// PAIRS: %[[FIRST:.*]] = arith.addi %{{.*}}, %[[EVEN]] : vector<8xi32>
// PAIRS: %[[ODD:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// PAIRS: arith.addi %[[FIRST]], %[[ODD]] : vector<8xi32>
// Of 16 bits each, element by element.
// NEON-LABEL: func.func private @matmul_kernel_0_gemm
// NEON: arith.extui {{.*}} : vector<4xi8> to vector<4xi16>
// NEON: vector.shuffle {{.*}} [0, 0, 0, 0] : vector<4xi16>, vector<4xi16>
// NEON: vector.shuffle {{.*}} [0, 2, 4, 6] : vector<8xi16>, vector<8xi16>
// NEON: llvm.call_intrinsic "llvm.aarch64.neon.smull.v4i32"({{.*}}) : (vector<4xi16>, vector<4xi16>) -> vector<4xi32>
// NEON: vector.shuffle {{.*}} [3, 3, 3, 3] : vector<4xi16>, vector<4xi16>
// NEON: vector.shuffle {{.*}} [1, 3, 5, 7] : vector<8xi16>, vector<8xi16>
// DOT-LABEL: func.func private @matmul_kernel_0_gemm
// DOT: arith.muli {{.*}} : vector<4xi32>
// I8MM-LABEL: func.func private @matmul_kernel_0_gemm
// Two rows at a time, for two columns: the sums of two vectors change halves
// before and after. The last row is its own neighbour.
// I8MM-COUNT-2: vector.shuffle {{.*}} [0, 1, 4, 5] : vector<4xi32>, vector<4xi32>
// I8MM: vector.load {{.*}} vector<32xi8>
// I8MM: vector.shuffle {{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi8>, vector<8xi8>
// I8MM: vector.shuffle {{.*}} [0, 1, {{.*}}, 15] : vector<32xi8>, vector<32xi8>
// I8MM: llvm.call_intrinsic "llvm.aarch64.neon.usmmla.v4i32.v16i8"({{.*}}) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
// I8MM: vector.shuffle {{.*}} [16, 17, {{.*}}, 31] : vector<32xi8>, vector<32xi8>
// I8MM: llvm.call_intrinsic "llvm.aarch64.neon.usmmla.v4i32.v16i8"
// I8MM: %[[LAST:.*]] = vector.load {{.*}} vector<8xi8>
// I8MM: vector.shuffle %[[LAST]], %[[LAST]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<8xi8>, vector<8xi8>
// I8MM: vector.shuffle {{.*}} [0, 1, 4, 5] : vector<4xi32>, vector<4xi32>
// SCALAR-LABEL: func.func private @matmul_kernel_0_gemm
// SCALAR: arith.extsi {{.*}} : vector<1xi8> to vector<1xi32>
// SCALAR: arith.extui {{.*}} : i8 to i32
// SCALAR: arith.muli {{.*}} : vector<1xi32>
// Extended to the type of sums, which LLVM takes for products of 16 bits.
// RVV-LABEL: func.func private @matmul_kernel_0_gemm
// RVV: arith.extsi {{.*}} : vector<16xi8> to vector<16xi32>
// RVV: arith.extui {{.*}} : i8 to i32
// RVV: arith.muli {{.*}} : vector<16xi32>
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
// PAIRS-LABEL: func.func private @conv_kernel_0_gemm
// PAIRS: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
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

// Signed bytes.
// DOT-LABEL: func.func private @signed_kernel_0_gemm
// DOT: llvm.call_intrinsic "llvm.aarch64.neon.sdot.v4i32.v16i8"({{.*}}) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
// PAIRS-LABEL: func.func private @signed_kernel_0_gemm
// PAIRS: arith.shli
// PAIRS: arith.shrsi
func.func @signed(%x: tensor<3x8xi8>, %o: tensor<3x16xi32>) -> tensor<3x16xi32> {
  %w = brisk.constant dense<3> : tensor<8x16xi8>
  %r = brisk.group ins(%x, %w : tensor<3x8xi8>, tensor<8x16xi8>) outs(%o : tensor<3x16xi32>) -> tensor<3x16xi32> {
  ^bb0(%a: tensor<3x8xi8>, %b: tensor<8x16xi8>):
    %0 = brisk.matmul %a, %b : (tensor<3x8xi8>, tensor<8x16xi8>) -> tensor<3x16xi32>
    brisk.yield %0 : tensor<3x16xi32>
  }
  return %r : tensor<3x16xi32>
}

// -----

// A single row would leave half of the products of two unused.
// I8MM-LABEL: func.func private @row_kernel_0_gemm
// I8MM-NOT: usmmla
// I8MM: llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"({{.*}}) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
// I8MM-NOT: usmmla
func.func @row(%x: tensor<1x16xui8>, %o: tensor<1x16xi32>) -> tensor<1x16xi32> {
  %w = brisk.constant dense<3> : tensor<16x16xi8>
  %r = brisk.group ins(%x, %w : tensor<1x16xui8>, tensor<16x16xi8>) outs(%o : tensor<1x16xi32>) -> tensor<1x16xi32> {
  ^bb0(%a: tensor<1x16xui8>, %b: tensor<16x16xi8>):
    %0 = brisk.matmul %a, %b : (tensor<1x16xui8>, tensor<16x16xi8>) -> tensor<1x16xi32>
    brisk.yield %0 : tensor<1x16xi32>
  }
  return %r : tensor<1x16xi32>
}

// -----

// What is computed is brought into the order of steps in registers.
// CHECK-LABEL: func @computed
// CHECK: brisk.group schedule #brisk.gemm
// CHECK-NOT: brisk.unpack
// CODE-LABEL: func.func private @computed_kernel_0_gemm
// CODE: arith.extui {{.*}} : vector<16xi8> to vector<16xi32>
// CODE-COUNT-3: arith.shli
// CODE: arith.ori
// CODE: vector.bitcast {{.*}} : vector<16xi32> to vector<64xi8>
// CODE: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// PAIRS-LABEL: func.func private @computed_kernel_0_gemm
// PAIRS: vector.bitcast {{.*}} : vector<8xi32> to vector<32xi8>
// PAIRS: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// SCALAR-LABEL: func.func private @computed_kernel_0_gemm
// SCALAR-NOT: arith.shli
func.func @computed(%x: tensor<3x10xui8>, %w: tensor<10x16xi8>, %o: tensor<3x16xi32>) -> tensor<3x16xi32> {
  %r = brisk.group ins(%x, %w : tensor<3x10xui8>, tensor<10x16xi8>) outs(%o : tensor<3x16xi32>) -> tensor<3x16xi32> {
  ^bb0(%a: tensor<3x10xui8>, %b: tensor<10x16xi8>):
    %0 = brisk.matmul %a, %b : (tensor<3x10xui8>, tensor<10x16xi8>) -> tensor<3x16xi32>
    brisk.yield %0 : tensor<3x16xi32>
  }
  return %r : tensor<3x16xi32>
}

// -----

// Floats of a row become bytes sixteen at a time, those of four steps; of the
// last two steps, four and two are left.
// CHECK-LABEL: func @quantized_input
// CHECK: brisk.group schedule #brisk.gemm<mr = 1, nv = 1
// CODE-LABEL: func.func private @quantized_input_kernel_0_gemm
// CODE: %[[FLOATS:.*]] = vector.load {{.*}} : memref<38xf32>, vector<16xf32>
// CODE: arith.divf %[[FLOATS]], %{{.*}} : vector<16xf32>
// CODE: %[[STEPS:.*]] = vector.bitcast %{{.*}} : vector<16xi8> to vector<4xi32>
// CODE: vector.extract %[[STEPS]][0]
// CODE: vpdpbusd.512
// CODE: vector.extract %[[STEPS]][1]
// CODE: vpdpbusd.512
// CODE: vector.extract %[[STEPS]][2]
// CODE: vpdpbusd.512
// CODE: vector.extract %[[STEPS]][3]
// CODE: vpdpbusd.512
// CODE: arith.divf {{.*}} : vector<4xf32>
// CODE: vpdpbusd.512
// CODE: arith.divf {{.*}} : f32
// CODE: arith.divf {{.*}} : f32
// CODE: vpdpbusd.512
// CODE-NOT: vpdpbusd
// PAIRS-LABEL: func.func private @quantized_input_kernel_0_gemm
// PAIRS: arith.divf {{.*}} : vector<8xf32>
// PAIRS: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// I8MM-LABEL: func.func private @quantized_input_kernel_0_gemm
// I8MM: arith.divf {{.*}} : vector<4xf32>
// I8MM: llvm.call_intrinsic "llvm.aarch64.neon.usdot.v4i32.v16i8"
// NEON-LABEL: func.func private @quantized_input_kernel_0_gemm
// DOT-LABEL: func.func private @quantized_input_kernel_0_loops
// SCALAR-LABEL: func.func private @quantized_input_kernel_0_loops
func.func @quantized_input(%x: tensor<1x38xf32>, %o: tensor<1x16xi32>) -> tensor<1x16xi32> {
  %w = brisk.constant dense<3> : tensor<38x16xi8>
  %r = brisk.group ins(%x, %w : tensor<1x38xf32>, tensor<38x16xi8>) outs(%o : tensor<1x16xi32>) -> tensor<1x16xi32> {
  ^bb0(%a: tensor<1x38xf32>, %b: tensor<38x16xi8>):
    %s = brisk.constant dense<0.25> : tensor<f32>
    %q = brisk.quantize %a scale %s {to = ui8} : (tensor<1x38xf32>, tensor<f32>) -> tensor<1x38xui8>
    %0 = brisk.matmul %q, %b : (tensor<1x38xui8>, tensor<38x16xi8>) -> tensor<1x16xi32>
    brisk.yield %0 : tensor<1x16xi32>
  }
  return %r : tensor<1x16xi32>
}
