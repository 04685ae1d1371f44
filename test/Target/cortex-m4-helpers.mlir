// RUN: briskc %s --target=cortex-m4 --name=model --emit=asm -o - | FileCheck %s --implicit-check-not=__divdi3 --implicit-check-not=__adddf3

// What this machine has no instruction for is a routine of the run-time ABI of
// the Arm architecture, by its name.
// CHECK: bl __aeabi_ldivmod
// CHECK: bl __aeabi_dadd
func.func @model(%x: tensor<8xi64> {brisk.name = "x"}, %y: tensor<8xf64> {brisk.name = "y"}) -> (tensor<8xi64> {brisk.name = "z"}, tensor<8xf64> {brisk.name = "w"}) {
  %0 = brisk.div %x, %x : (tensor<8xi64>, tensor<8xi64>) -> tensor<8xi64>
  %1 = brisk.add %y, %y : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
  return %0, %1 : tensor<8xi64>, tensor<8xf64>
}
