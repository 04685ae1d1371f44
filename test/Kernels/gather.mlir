// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// CHECK-LABEL: func @embedding
// CHECK: brisk.group schedule #brisk.gather<rows = 5>
// An index counts from the end if it is negative, and is held within the table; its row is copied.
// CODE-LABEL: func.func private @embedding_kernel_0_gather
// CODE: arith.addi {{.*}} : i64
// CODE: arith.select
// CODE: arith.maxsi {{.*}} : i64
// CODE: [[PLACE:%.+]] = arith.minsi {{.*}} : i64
// CODE: arith.index_cast [[PLACE]] : i64 to index
// CODE: scf.for
// CODE: %[[V:.*]] = vector.load {{.*}} vector<16xf32>
// CODE: vector.store %[[V]], {{.*}} vector<16xf32>
// SCALAR-LABEL: func.func private @embedding_kernel_0_gather
// SCALAR-NOT: vector.
// SCALAR: %[[V:.*]] = memref.load {{.*}} memref<384000xf32>
// SCALAR: memref.store %[[V]]
func.func @embedding(%x: tensor<1000x384xf32>, %i: tensor<1x128xi64>, %o: tensor<1x128x384xf32>) -> tensor<1x128x384xf32> {
  %r = brisk.group ins(%x, %i : tensor<1000x384xf32>, tensor<1x128xi64>) outs(%o : tensor<1x128x384xf32>) -> tensor<1x128x384xf32> {
  ^bb0(%a: tensor<1000x384xf32>, %b: tensor<1x128xi64>):
    %0 = brisk.gather %a, %b {axis = 0 : i64} : (tensor<1000x384xf32>, tensor<1x128xi64>) -> tensor<1x128x384xf32>
    brisk.yield %0 : tensor<1x128x384xf32>
  }
  return %r : tensor<1x128x384xf32>
}
