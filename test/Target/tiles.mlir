// What a model in tile registers has: its products, and a function that asks
// Linux for them when it is loaded.
// RUN: briskc %s --name=model --emit=asm -o - --target=sapphirerapids | FileCheck %s
// RUN: briskc %s --name=model --emit=asm -o - --target=cooperlake | FileCheck %s --check-prefix=NONE

// CHECK: {{^}}model_kernel_{{[0-9]+}}_gemm_task:
// CHECK: ldtilecfg
// CHECK: tilezero
// CHECK: tileloadd
// CHECK: tdpbusd %tmm{{[0-7]}}, %tmm{{[0-7]}}, %tmm{{[0-7]}}
// CHECK: tilestored
// CHECK: tilerelease
// CHECK: {{^}}model_start:
// CHECK: movl $158, %eax
// CHECK-NEXT: movl $4131, %edi
// CHECK-NEXT: movl $18, %esi
// CHECK-NEXT: syscall
// CHECK: .section .init_array
// CHECK: .quad model_start
// NONE: vpdpbusd
// NONE-NOT: init_array
func.func @model(%x: tensor<64x64xui8> {brisk.name = "x"}) -> (tensor<64x64xi32> {brisk.name = "y"}) {
  %w = brisk.constant dense<3> : tensor<64x64xi8>
  %y = brisk.matmul %x, %w : (tensor<64x64xui8>, tensor<64x64xi8>) -> tensor<64x64xi32>
  return %y : tensor<64x64xi32>
}
