// RUN: mkdir -p %t
// RUN: briskc %s --target=cortex-m4 --stop-after=select -o %t/m4.mlir
// RUN: not briskc %t/m4.mlir --target=host -o %t/a.a 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not briskc %t/m4.mlir --emit=shared -o %t/a.so 2>&1 | FileCheck %s --check-prefix=HOSTED
// RUN: briskc %t/m4.mlir --emit=asm -o - | FileCheck %s --check-prefix=ASM
// RUN: briskc %s --stop-after=select -o %t/host.mlir
// RUN: sed 's/cpu = "[^"]*"/cpu = "z80"/' %t/host.mlir > %t/elsewhere.mlir
// RUN: not briskc %t/elsewhere.mlir -o %t/a.a 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: not briskc %t/elsewhere.mlir --target=host -o %t/a.a 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: briskc %t/host.mlir --emit=obj -o %t/a.o
// RUN: briskc %t/host.mlir --target=host --emit=obj -o %t/a.o

// What was stopped after a stage goes on for its machine and for no other.
// OTHER: error: is for target 'cortex-m4', not for 'host'; go on with that target, or begin with the model
// HOSTED: error: target 'cortex-m4' has no operating system to load programs; emit lib or obj
// ASM: .cpu cortex-m4
// ELSEWHERE: error: is for #brisk.target<"host", triple = "{{.*}}", cpu = "z80", {{.*}}, and here 'host' is #brisk.target<"host",
func.func @model(%x: tensor<8x64xf32> {brisk.name = "x"}) -> (tensor<8x64xf32> {brisk.name = "y"}) {
  %w = brisk.constant dense<1.0> : tensor<64x64xf32>
  %0 = brisk.matmul %x, %w : (tensor<8x64xf32>, tensor<64x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
