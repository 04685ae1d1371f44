// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR
// RUN: brisk-opt %s -split-input-file --set-target=riscv64gcv -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=GATHER

// A polynomial would differ from machine to machine: it is looked up on each.
// CHECK: memref.global "private" constant @[[$TABLE:.*]] : memref<256xi8> = dense<
// CHECK-LABEL: func.func private @sigmoid_kernel_0_elementwise
// CHECK: memref.get_global @[[$TABLE]]
// CHECK-NOT: math.
// CHECK: vector.extract
// CHECK: memref.load
// CHECK: vector.insert
// SCALAR: memref.global "private" constant @[[$TABLE:.*]] : memref<256xi8> = dense<
// SCALAR-LABEL: func.func private @sigmoid_kernel_0_elementwise
// SCALAR: %[[BYTE:.*]] = memref.load {{.*}} memref<1x100xi8>
// SCALAR: %[[PLACE:.*]] = arith.index_castui %[[BYTE]] : i8 to index
// SCALAR: memref.load %{{.*}}[%[[PLACE]]] : memref<256xi8>
// GATHER-LABEL: func.func private @sigmoid_kernel_0_elementwise
// GATHER: %[[PLACES:.*]] = arith.extui {{.*}} : vector<16xi8> to vector<16xi32>
// GATHER: vector.gather %{{.*}}[%{{.*}}] [%[[PLACES]]], {{.*}} : memref<256xi8>, vector<16xi32>, vector<16xi1>, vector<16xi8> into vector<16xi8>
func.func @sigmoid(%x: tensor<1x100xui8>, %o: tensor<1x100xui8>) -> tensor<1x100xui8> {
  %r = brisk.group ins(%x : tensor<1x100xui8>) outs(%o : tensor<1x100xui8>) -> tensor<1x100xui8> {
  ^bb0(%0: tensor<1x100xui8>):
    %s = brisk.constant dense<0.01> : tensor<f32>
    %1 = brisk.dequantize %0 scale %s {to = f32} : (tensor<1x100xui8>, tensor<f32>) -> tensor<1x100xf32>
    %2 = brisk.sigmoid %1 : (tensor<1x100xf32>) -> tensor<1x100xf32>
    %3 = brisk.quantize %2 scale %s {to = ui8} : (tensor<1x100xf32>, tensor<f32>) -> tensor<1x100xui8>
    brisk.yield %3 : tensor<1x100xui8>
  }
  return %r : tensor<1x100xui8>
}

// -----

// Another scale is a few instructions for sixteen bytes at a time, and fewer
// than taking the vector apart; of scalars, a load is less.
// CHECK-LABEL: func.func private @other_scale_kernel_0_elementwise
// CHECK-NOT: memref.get_global
// CHECK: arith.divf
// SCALAR-LABEL: func.func private @other_scale_kernel_0_elementwise
// SCALAR: memref.get_global
// SCALAR-NOT: arith.divf
func.func @other_scale(%x: tensor<1x100xui8>, %o: tensor<1x100xui8>) -> tensor<1x100xui8> {
  %r = brisk.group ins(%x : tensor<1x100xui8>) outs(%o : tensor<1x100xui8>) -> tensor<1x100xui8> {
  ^bb0(%0: tensor<1x100xui8>):
    %s = brisk.constant dense<0.01> : tensor<f32>
    %t = brisk.constant dense<0.02> : tensor<f32>
    %1 = brisk.dequantize %0 scale %s {to = f32} : (tensor<1x100xui8>, tensor<f32>) -> tensor<1x100xf32>
    %2 = brisk.quantize %1 scale %t {to = ui8} : (tensor<1x100xf32>, tensor<f32>) -> tensor<1x100xui8>
    brisk.yield %2 : tensor<1x100xui8>
  }
  return %r : tensor<1x100xui8>
}

// -----

// Behind a product, the bytes that are looked up never reach memory.
// CHECK-LABEL: func.func private @behind_product_kernel_0_gemm
// CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi8>
// CHECK: vector.extract
// CHECK: memref.load {{.*}} memref<256xi8>
// SCALAR-LABEL: func.func private @behind_product_kernel_0_gemm
// SCALAR: arith.trunci
// SCALAR: memref.load {{.*}} memref<256xi8>
func.func @behind_product(%x: tensor<3x10xui8>, %o: tensor<3x16xui8>) -> tensor<3x16xui8> {
  %w = brisk.constant dense<3> : tensor<10x16xi8>
  %r = brisk.group ins(%x, %w : tensor<3x10xui8>, tensor<10x16xi8>) outs(%o : tensor<3x16xui8>) -> tensor<3x16xui8> {
  ^bb0(%a: tensor<3x10xui8>, %b: tensor<10x16xi8>):
    %s = brisk.constant dense<0.01> : tensor<f32>
    %one = brisk.constant dense<1.0> : tensor<f32>
    %0 = brisk.matmul %a, %b : (tensor<3x10xui8>, tensor<10x16xi8>) -> tensor<3x16xi32>
    %1 = brisk.dequantize %0 scale %s {to = f32} : (tensor<3x16xi32>, tensor<f32>) -> tensor<3x16xf32>
    %2 = brisk.quantize %1 scale %one {to = ui8} : (tensor<3x16xf32>, tensor<f32>) -> tensor<3x16xui8>
    %3 = brisk.dequantize %2 scale %s {to = f32} : (tensor<3x16xui8>, tensor<f32>) -> tensor<3x16xf32>
    %4 = brisk.tanh %3 : (tensor<3x16xf32>) -> tensor<3x16xf32>
    %5 = brisk.quantize %4 scale %s {to = ui8} : (tensor<3x16xf32>, tensor<f32>) -> tensor<3x16xui8>
    brisk.yield %5 : tensor<3x16xui8>
  }
  return %r : tensor<3x16xui8>
}
