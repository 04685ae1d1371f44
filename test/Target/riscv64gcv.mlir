// RUN: briskc %s --target=riscv64gcv --name=model --emit=asm -o - | FileCheck %s

// Vectors of four registers: a row of the weights is loaded once, and each
// element of the left side comes from a register of its own. No sum leaves its
// registers before it is done.
// CHECK: {{^}}model_kernel_0_gemm
// CHECK-NOT: vs4r.v
// CHECK: vle32.v [[ROW:v[0-9]+]]
// CHECK: flw f
// CHECK-COUNT-7: vfmacc.vf v{{[0-9]+}}, f{{[a-z0-9]+}}, [[ROW]]
// CHECK-NOT: vs4r.v
// CHECK-NOT: call
// CHECK: .size model_kernel_0_gemm
func.func @model(%x: tensor<7x64xf32> {brisk.name = "x"}) -> (tensor<7x64xf32> {brisk.name = "y"}) {
  %w = brisk.constant dense<0.5> : tensor<64x64xf32>
  %0 = brisk.matmul %x, %w : (tensor<7x64xf32>, tensor<64x64xf32>) -> tensor<7x64xf32>
  return %0 : tensor<7x64xf32>
}
