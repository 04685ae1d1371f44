// RUN: briskc %s --target=x86-64-v4 --name=model --emit=llvm -o - | FileCheck %s

// Eight lanes and one: LLVM's code generator would store the ninth in 64 bits.
// CHECK-LABEL: define {{.*}}@model_kernel_0
// CHECK-NOT: masked.store
// CHECK: store i32 {{.*}}, align 4
// CHECK: ret void
func.func @model(%x: tensor<9xi64> {brisk.name = "x"}) -> (tensor<9xi32> {brisk.name = "y"}) {
  %0 = brisk.cast %x {to = i32} : (tensor<9xi64>) -> tensor<9xi32>
  return %0 : tensor<9xi32>
}
