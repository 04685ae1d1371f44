// RUN: briskc %s --target=riscv64gcv --name=model --emit=asm -o - | FileCheck %s

// Bytes are looked up by one load for all lanes.
// CHECK: {{^}}model_kernel_0_elementwise
// CHECK: vluxei8.v

// Vectors of four registers: a row of the weights is loaded once, and each
// element of the left side comes from a register of its own. No sum leaves its
// registers before it is done.
// CHECK: {{^}}model_kernel_1_gemm
// CHECK-NOT: vs4r.v
// CHECK: vle32.v [[ROW:v[0-9]+]]
// CHECK: flw f
// CHECK-COUNT-7: vfmacc.vf v{{[0-9]+}}, f{{[a-z0-9]+}}, [[ROW]]
// CHECK-NOT: vs4r.v
// CHECK-NOT: call
// CHECK: .size model_kernel_1_gemm
func.func @model(%x: tensor<7x64xf32> {brisk.name = "x"}, %q: tensor<7x64xui8> {brisk.name = "q"}) -> (tensor<7x64xf32> {brisk.name = "y"}, tensor<7x64xui8> {brisk.name = "z"}) {
  %s = brisk.constant dense<0.01> : tensor<f32>
  %1 = brisk.dequantize %q scale %s {to = f32} : (tensor<7x64xui8>, tensor<f32>) -> tensor<7x64xf32>
  %2 = brisk.sigmoid %1 : (tensor<7x64xf32>) -> tensor<7x64xf32>
  %3 = brisk.quantize %2 scale %s {to = ui8} : (tensor<7x64xf32>, tensor<f32>) -> tensor<7x64xui8>
  %w = brisk.constant dense<0.5> : tensor<64x64xf32>
  %0 = brisk.matmul %x, %w : (tensor<7x64xf32>, tensor<64x64xf32>) -> tensor<7x64xf32>
  return %0, %3 : tensor<7x64xf32>, tensor<7x64xui8>
}
