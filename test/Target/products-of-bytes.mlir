// The instruction that each target multiplies bytes with.
// RUN: briskc %s --name=model --emit=asm -o - --target=x86-64-v2 | FileCheck %s --check-prefix=V2
// RUN: briskc %s --name=model --emit=asm -o - --target=x86-64-v3 | FileCheck %s --check-prefix=V3
// RUN: briskc %s --name=model --emit=asm -o - --target=x86-64-v4 | FileCheck %s --check-prefix=V4
// RUN: briskc %s --name=model --emit=asm -o - --target=cascadelake | FileCheck %s --check-prefix=EVEX
// RUN: briskc %s --name=model --emit=asm -o - --target=alderlake | FileCheck %s --check-prefix=VEX
// RUN: briskc %s --name=model --emit=asm -o - --target=aarch64 | FileCheck %s --check-prefix=NEON
// RUN: briskc %s --name=model --emit=asm -o - --target=cortex-a76 | FileCheck %s --check-prefix=DOT
// RUN: briskc %s --name=model --emit=asm -o - --target=neoverse-v1 | FileCheck %s --check-prefix=I8MM
// RUN: briskc %s --name=model --emit=asm -o - --target=riscv64 | FileCheck %s --check-prefix=SCALAR
// RUN: briskc %s --name=model --emit=asm -o - --target=riscv64gcv | FileCheck %s --check-prefix=RVV
// RUN: briskc %s --name=model --emit=asm -o - --target=cortex-m4 | FileCheck %s --check-prefix=M4

// V2: {{^}}model_kernel_{{[0-9]+}}_gemm
// V2: pmaddwd {{.*}}%xmm
// V3: {{^}}model_kernel_{{[0-9]+}}_gemm
// V3: vpmaddwd {{.*}}%ymm
// V4: {{^}}model_kernel_{{[0-9]+}}_gemm
// V4: vpmaddwd {{.*}}%zmm
// EVEX: {{^}}model_kernel_{{[0-9]+}}_gemm
// EVEX: vpdpbusd {{.*}}%zmm
// VEX: {{^}}model_kernel_{{[0-9]+}}_gemm
// VEX: {vex} vpdpbusd {{.*}}%ymm
// A factor comes from a lane.
// NEON: {{^}}model_kernel_{{[0-9]+}}_gemm
// NEON: smlal v{{[0-9]+}}.4s, v{{[0-9]+}}.4h, v{{[0-9]+}}.h[
// DOT: {{^}}model_kernel_{{[0-9]+}}_gemm
// DOT: sdot v{{[0-9]+}}.4s
// I8MM: {{^}}model_kernel_{{[0-9]+}}_gemm
// Floats become bytes as they are read, which usmmla does not take.
// I8MM: {{usdot|sudot}} v{{[0-9]+}}.4s
// SCALAR: {{^}}model_kernel_{{[0-9]+}}_gemm
// SCALAR: mul
// By 16 bits each, added to 32.
// RVV: {{^}}model_kernel_{{[0-9]+}}_gemm
// RVV: vwmacc.vx v
// M4: {{^}}model_kernel_{{[0-9]+}}_gemm
// M4: smlad r
func.func @model(%x: tensor<8x8xf32> {brisk.name = "x"}) -> (tensor<8x16xf32> {brisk.name = "y"}) {
  %w = brisk.constant dense<"0x80A5CAEF14395E83A8CDF2173C6186ABD0F51A3F6489AED3F81D42678CB1D6FB20456A8FB4D9FE23486D92B7DC01264B7095BADF04294E7398BDE2072C51769BC0E50A2F54799EC3E80D32577CA1C6EB10355A7FA4C9EE13385D82A7CCF1163B6085AACFF4193E6388ADD2F71C41668BB0D5FA1F44698EB3D8FD22476C91B6DB"> : tensor<8x16xi8>
  %s = brisk.constant dense<0.5> : tensor<f32>
  %z = brisk.constant dense<3> : tensor<ui8>
  %q = brisk.quantize %x scale %s zero %z {to = ui8} : (tensor<8x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<8x8xui8>
  %f = brisk.dequantize %q scale %s zero %z {to = f32} : (tensor<8x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<8x8xf32>
  %g = brisk.dequantize %w scale %s {to = f32} : (tensor<8x16xi8>, tensor<f32>) -> tensor<8x16xf32>
  %0 = brisk.matmul %f, %g : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
