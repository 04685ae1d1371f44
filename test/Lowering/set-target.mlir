// RUN: brisk-opt %s --set-target=x86-64-v2 --brisk-select --brisk-plan --brisk-kernels --brisk-codegen | FileCheck %s
// RUN: brisk-opt %s --pass-pipeline="builtin.module(set-target{name=x86-64-v2},set-target,func.func(select-kernels))" | FileCheck %s
// RUN: brisk-opt %s --set-target | FileCheck %s --check-prefix=HOST

// Set once, read by every pass behind.
// CHECK: module attributes {{.*}}brisk.target = #brisk.target<"x86-64-v2">

// Which machine the host is.
// HOST: module attributes {brisk.target = #brisk.target<"host", triple = "{{.+}}", cpu = "{{.+}}", features = "{{.*}}">}
func.func @model(%x: tensor<8x64xf32> {brisk.name = "x"}) -> (tensor<8x64xf32> {brisk.name = "y"}) {
  %0 = tensor.empty() : tensor<8x64xf32>
  %1 = brisk.group ins(%x : tensor<8x64xf32>) outs(%0 : tensor<8x64xf32>) -> tensor<8x64xf32> {
  ^bb0(%a: tensor<8x64xf32>):
    %2 = brisk.exp %a : (tensor<8x64xf32>) -> tensor<8x64xf32>
    brisk.yield %2 : tensor<8x64xf32>
  }
  return %1 : tensor<8x64xf32>
}
