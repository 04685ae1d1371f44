// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR

// CHECK-LABEL: func @channels
// CHECK: brisk.group schedule #brisk.lrn<rows = 3>
// Two zeros on each side of the squares; then they; then sums of five, each of vectors one element further on.
// The last 8 of 40 channels are under a mask.
// CODE-LABEL: func.func private @channels_kernel_0_lrn
// CODE: %[[SQUARES:.*]] = memref.view {{.*}} : memref<{{.*}}xi8> to memref<44xf32>
// CODE-COUNT-4: memref.store %{{.*}}, %{{.*}} : memref<44xf32
// CODE: scf.for
// CODE: arith.mulf {{.*}} : vector<16xf32>
// CODE: vector.store
// CODE: vector.maskedstore
// CODE: scf.for {{.*}} iter_args(
// CODE: vector.load
// CODE: arith.addf
// CODE: math.sqrt
// CODE: math.sqrt
// CODE: arith.divf {{.*}} : vector<16xf32>
// CODE: vector.store
// CODE: vector.maskedstore
// SCALAR-LABEL: func.func private @channels_kernel_0_lrn
// SCALAR-NOT: vector.
// SCALAR: math.sqrt {{.*}} : f32
func.func @channels(%x: tensor<1x7x9x40xf32>, %o: tensor<1x7x9x40xf32>) -> tensor<1x7x9x40xf32> {
  %r = brisk.group ins(%x : tensor<1x7x9x40xf32>) outs(%o : tensor<1x7x9x40xf32>) -> tensor<1x7x9x40xf32> {
  ^bb0(%a: tensor<1x7x9x40xf32>):
    %0 = brisk.lrn %a {size = 5 : i64} : (tensor<1x7x9x40xf32>) -> tensor<1x7x9x40xf32>
    brisk.yield %0 : tensor<1x7x9x40xf32>
  }
  return %r : tensor<1x7x9x40xf32>
}

// -----

// Any power, in f32 where elements are smaller, and what follows.
// CHECK-LABEL: func @epilogue
// CHECK: brisk.group schedule #brisk.lrn<rows = 128>
// CODE-LABEL: func.func private @epilogue_kernel_0_lrn
// CODE: arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
// CODE: math.powf {{.*}} : vector<16xf32>
// CODE: arith.truncf {{.*}} : vector<16xf32> to vector<16xf16>
// CODE: arith.negf
func.func @epilogue(%x: tensor<5x16xf16>, %o: tensor<5x16xf16>) -> tensor<5x16xf16> {
  %r = brisk.group ins(%x : tensor<5x16xf16>) outs(%o : tensor<5x16xf16>) -> tensor<5x16xf16> {
  ^bb0(%a: tensor<5x16xf16>):
    %0 = brisk.lrn %a {size = 4 : i64, beta = 0.6 : f32} : (tensor<5x16xf16>) -> tensor<5x16xf16>
    %1 = brisk.neg %0 : (tensor<5x16xf16>) -> tensor<5x16xf16>
    brisk.yield %1 : tensor<5x16xf16>
  }
  return %r : tensor<5x16xf16>
}

// -----

// Wide windows are left to plain loops.
// CHECK-LABEL: func @wide
// CHECK: brisk.group schedule #brisk.loops
func.func @wide(%x: tensor<5x160xf32>, %o: tensor<5x160xf32>) -> tensor<5x160xf32> {
  %r = brisk.group ins(%x : tensor<5x160xf32>) outs(%o : tensor<5x160xf32>) -> tensor<5x160xf32> {
  ^bb0(%a: tensor<5x160xf32>):
    %0 = brisk.lrn %a {size = 101 : i64} : (tensor<5x160xf32>) -> tensor<5x160xf32>
    brisk.yield %0 : tensor<5x160xf32>
  }
  return %r : tensor<5x160xf32>
}
