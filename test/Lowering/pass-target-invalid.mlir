// RUN: brisk-opt %s --split-input-file --brisk-select=target=x86-64-v2 --brisk-plan --brisk-kernels --brisk-codegen | FileCheck %s
// RUN: not brisk-opt %s --brisk-select=target=cortex-m4 --brisk-plan=target=host 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: not brisk-opt %s --brisk-select=target=x86-64-v2 --brisk-plan --brisk-kernels=target=x86-64-v3 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: brisk-opt %s --brisk-select=target=cortex-m4 -o %t.mlir
// RUN: not briskc %t.mlir --target=host --name=model -o %t.so 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: briskc %t.mlir --target=cortex-m4 --name=model --emit=obj -o %t.o
// RUN: brisk-opt %s --brisk-select --brisk-plan=target=host -o %t.mlir

// The stages behind the first one go on for its target.
// CHECK: module attributes {{.*}}brisk.target = "x86-64-v2"
// MIXED: error: {{.*}}was prepared for target 'cortex-m4', not for 'host'; give that target to every stage, or begin with the model
// MODULE: error: {{.*}}was prepared for target 'x86-64-v2', not for 'x86-64-v3'
func.func @model(%x: tensor<8x64xf32> {brisk.name = "x"}) -> (tensor<8x64xf32> {brisk.name = "y"}) {
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = brisk.group ins(%x : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) -> tensor<8x64xf32> {
  ^bb0(%a: tensor<8x64xf32>):
    %2 = brisk.exp %a : (tensor<8x64xf32>) -> tensor<8x64xf32>
    brisk.yield %2 : tensor<8x64xf32>
  }
  return %1 : tensor<8x64xf32>
}
