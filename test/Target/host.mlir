// RUN: briskc %s --name=model --emit=asm -o - | FileCheck %s

// Whatever this machine is, its own vectors are used, and nothing is called but
// what C promises.
// CHECK: {{^}}model_call:
// CHECK-NOT: {{callq?|bl}} {{.*}}tanh
func.func @model(%x: tensor<64xf32> {brisk.name = "x"}) -> (tensor<64xf32> {brisk.name = "y"}) {
  %0 = brisk.tanh %x : (tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
