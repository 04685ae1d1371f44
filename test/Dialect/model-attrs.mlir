// RUN: brisk-opt %s | FileCheck %s

// CHECK: brisk.ops = [#brisk.op<name = "Add_0;Relu_1", type = "add", kernel = "elementwise", flops = 16, bytes = 192>]
// CHECK-SAME: brisk.weights = [dense<1.000000e+00> : tensor<4xf32>]
module attributes {brisk.weights = [dense<1.0> : tensor<4xf32>],
    brisk.ops = [#brisk.op<name = "Add_0;Relu_1", type = "add", kernel = "elementwise", flops = 16, bytes = 192>]} {
  // CHECK: func.func private @model(tensor<?xf32> {brisk.dims = ["n"], brisk.name = "x"}) -> (tensor<?xf32> {brisk.name = "y"})
  // CHECK-SAME: brisk.interface = #brisk.interface<inputs = [#brisk.port<name = "x", type = tensor<4xf32>>], outputs = []>
  // CHECK-SAME: brisk.memory = #brisk.memory<bytes = 64, bytes_per_worker = 32, peak = [#brisk.buffer<bytes = 64, writer = {{.*}}>]>
  func.func private @model(tensor<?xf32> {brisk.name = "x", brisk.dims = ["n"]}) -> (tensor<?xf32> {brisk.name = "y"}) attributes {
    brisk.interface = #brisk.interface<inputs = [#brisk.port<name = "x", type = tensor<4xf32>>], outputs = []>,
    brisk.memory = #brisk.memory<bytes = 64, bytes_per_worker = 32, peak = [#brisk.buffer<bytes = 64, writer = loc("Add_0")>]>}
}
