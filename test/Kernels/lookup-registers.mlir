// RUN: brisk-opt %s --set-target=host -brisk-select -brisk-plan -brisk-kernels | FileCheck %s
// REQUIRES: avx512vbmi

// Four registers hold the table; two instructions look in a half each.
// CHECK-LABEL: func.func private @sigmoid_kernel_0_elementwise
// CHECK: %[[PLACES:.*]] = vector.shuffle {{.*}} : vector<16xi8>, vector<16xi8>
// CHECK: %[[IS_HIGH:.*]] = arith.cmpi slt, %[[PLACES]], {{.*}} : vector<64xi8>
// CHECK: %[[LOW:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(%{{.*}}, %[[PLACES]], %{{.*}}) : (vector<64xi8>, vector<64xi8>, vector<64xi8>) -> vector<64xi8>
// CHECK: %[[HIGH:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(%{{.*}}, %[[PLACES]], %{{.*}})
// CHECK: arith.select %[[IS_HIGH]], %[[HIGH]], %[[LOW]]
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
