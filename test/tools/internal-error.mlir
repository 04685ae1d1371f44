// RUN: not briskc %s -o %t.a 2>&1 | FileCheck %s
// What fails after import is a fault of the compiler's, and is said so at the
// node; the internal message comes behind it. An op that no pass lowers stands
// for such a fault.

// CHECK: error: node 'gen' (Generate): briskc cannot compile this, which is a fault of its own; please report it with the model
// CHECK-NEXT: note: node 'gen' (Generate): failed to legalize operation 'linalg.map'
func.func @m(%x: tensor<2x3xi32> {brisk.name = "x"} loc("x"), %f : tensor<3xf32> {brisk.name = "f"} loc("f")) -> (tensor<2x3xi32> {brisk.name = "y"}, tensor<3xf32> {brisk.name = "g"}) {
  %0 = tensor.generate {
  ^bb0(%i: index, %j: index):
    %e = tensor.extract %x[%i, %j] : tensor<2x3xi32> loc("gen"("Generate"))
    tensor.yield %e : i32 loc("gen"("Generate"))
  } : tensor<2x3xi32> loc("gen"("Generate"))
  return %0, %f : tensor<2x3xi32>, tensor<3xf32> loc("r"("Return"))
} loc("m"("Model"))
