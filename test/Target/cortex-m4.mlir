// RUN: briskc %s --target=cortex-m4 --name=model --emit=asm -o - | FileCheck %s

// Scalars, fused; the maximum of two is one comparison. Nothing is in double
// precision, and no unwinder is asked for.
// CHECK-NOT: __aeabi
// CHECK: {{^}}model_kernel_0_gemm
// CHECK-NOT: .f64
// CHECK: vfma.f32
// CHECK: vcmp.f32
// CHECK-NOT: __aeabi
func.func @model(%x: tensor<8x64xf32> {brisk.name = "x"}) -> (tensor<8x64xf32> {brisk.name = "y"}) {
  %w = brisk.constant dense<0.5> : tensor<64x64xf32>
  %zero = brisk.constant dense<0.0> : tensor<f32>
  %0 = brisk.matmul %x, %w : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %1 = brisk.max %0, %zero : (tensor<8x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}
