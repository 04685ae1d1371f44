// RUN: briskc %s --target=x86-64-v3 --name=model --emit=asm -o - | FileCheck %s

// Eight lanes, fused.
// CHECK: {{^}}model_kernel_0_gemm
// CHECK: vfmadd{{[0-9]+}}ps {{.*}}%ymm
func.func @model(%x: tensor<8x64xf32> {brisk.name = "x"}) -> (tensor<8x64xf32> {brisk.name = "y"}) {
  %w = brisk.constant dense<0.5> : tensor<64x64xf32>
  %zero = brisk.constant dense<0.0> : tensor<f32>
  %0 = brisk.matmul %x, %w : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  %1 = brisk.max %0, %zero : (tensor<8x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}
