// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// CHECK-LABEL: func @matrix
// CHECK: brisk.group schedule #brisk.transpose<chunk = 16384>
// A block of 16 by 16 in registers.
// CODE-LABEL: func.func private @matrix_kernel_0_transpose
// CODE-COUNT-16: vector.load {{.*}} vector<16xf32>
// CODE-COUNT-64: vector.shuffle
// CODE-NOT: vector.shuffle
// CODE-COUNT-16: vector.store {{.*}} vector<16xf32>
// CODE-NOT: vector.store
// CODE: return
// SCALAR-LABEL: func.func private @matrix_kernel_0_transpose
// SCALAR-NOT: vector.
// SCALAR: %[[V:.*]] = memref.load
// SCALAR: memref.store %[[V]]
func.func @matrix(%x: tensor<64x48xf32>, %o: tensor<48x64xf32>) -> tensor<48x64xf32> {
  %r = brisk.group ins(%x : tensor<64x48xf32>) outs(%o : tensor<48x64xf32>) -> tensor<48x64xf32> {
  ^bb0(%a: tensor<64x48xf32>):
    %0 = brisk.transpose %a {permutation = array<i64: 1, 0>} : (tensor<64x48xf32>) -> tensor<48x64xf32>
    brisk.yield %0 : tensor<48x64xf32>
  }
  return %r : tensor<48x64xf32>
}
