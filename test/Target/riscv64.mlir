// RUN: briskc %s --target=riscv64 --name=model --emit=asm -o - | FileCheck %s

// Scalars, fused; what no instruction rounds is composed.
// CHECK: {{^}}model_kernel_0_gemm
// CHECK: fmadd.s
// CHECK-NOT: call
// CHECK: .size model_kernel_0_gemm
func.func @model(%x: tensor<8x64xf32> {brisk.name = "x"}) -> (tensor<8x64xf32> {brisk.name = "y"}) {
  %w = brisk.constant dense<0.5> : tensor<64x64xf32>
  %0 = brisk.matmul %x, %w : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %1 = brisk.round %0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}
