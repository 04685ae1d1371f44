// RUN: briskc %s --target=x86-64-v3 --name=model --emit=llvm -o - | FileCheck %s
// RUN: briskc %s --target=x86-64-v3 --name=model --emit=obj -o %t.o

// LLVM's code generator would round the double whose sign is copied to half, by
// a function that no target has.
// CHECK-LABEL: define {{.*}}@model_kernel_0
// CHECK: and i64 {{.*}}, -9223372036854775808
// CHECK-NOT: call double @llvm.copysign
// CHECK: fptrunc float {{.*}} to half
func.func @model(%x: tensor<1xf16> {brisk.name = "x"}) -> (tensor<1xf16> {brisk.name = "y"}) {
  %0 = brisk.constant dense<1.513670e-01> : tensor<1xf16>
  %1 = brisk.mod %x, %0 {fmod} : (tensor<1xf16>, tensor<1xf16>) -> tensor<1xf16>
  return %1 : tensor<1xf16>
}
