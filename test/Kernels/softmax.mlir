// RUN: brisk-opt %s --set-target=x86-64-v4 --select-kernels | FileCheck %s
// RUN: brisk-opt %s -split-input-file --set-target=x86-64-v4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=CODE
// RUN: brisk-opt %s -split-input-file --set-target=cortex-m4 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=SCALAR
// RUN: brisk-opt %s -split-input-file --set-target=aarch64 -brisk-select -brisk-plan -brisk-kernels | FileCheck %s --check-prefix=TAIL

// CHECK-LABEL: func @rows
// CHECK: brisk.group schedule #brisk.softmax<rows = 9>
// The greatest of a row, exponentials of what lies below it and their sum, and its reciprocal. The last 5 of 197 are under
// a mask; there, nothing is the least number, or 0.
// CODE-LABEL: func.func private @rows_kernel_0_softmax
// CODE: scf.for {{.*}} iter_args(
// CODE: arith.maximumf {{.*}} : vector<16xf32>
// CODE: %[[MASK:.*]] = vector.constant_mask [5] : vector<16xi1>
// CODE: arith.select %[[MASK]]
// CODE: %[[MOST:.*]] = vector.extract
// CODE: scf.for {{.*}} iter_args(
// CODE: vector.broadcast %[[MOST]]
// CODE: math.exp {{.*}} : vector<16xf32>
// CODE: arith.addf
// CODE: arith.select
// CODE: arith.divf {{.*}} : f32
// CODE: arith.mulf
// CODE: vector.store
// CODE: vector.maskedstore
// Without masks, no column is written twice, since the result may take the operand's place: the last of 197 is one by itself.
// TAIL-LABEL: func.func private @rows_kernel_0_softmax
// TAIL: arith.divf {{.*}} : f32
// TAIL: vector.store {{.*}} vector<4xf32>
// TAIL-NOT: vector.store
// TAIL: memref.store
// SCALAR-LABEL: func.func private @rows_kernel_0_softmax
// SCALAR-NOT: vector.
// SCALAR: math.exp {{.*}} : f32
// SCALAR: memref.store
func.func @rows(%x: tensor<3x197x197xf32>, %o: tensor<3x197x197xf32>) -> tensor<3x197x197xf32> {
  %r = brisk.group ins(%x : tensor<3x197x197xf32>) outs(%o : tensor<3x197x197xf32>) -> tensor<3x197x197xf32> {
  ^bb0(%a: tensor<3x197x197xf32>):
    %0 = brisk.softmax %a {axis = -1 : i64} : (tensor<3x197x197xf32>) -> tensor<3x197x197xf32>
    brisk.yield %0 : tensor<3x197x197xf32>
  }
  return %r : tensor<3x197x197xf32>
}

// -----

// Along another dimension element by element, in f32 where elements are smaller.
// CHECK-LABEL: func @outermost
// CHECK: brisk.group schedule #brisk.softmax<rows = 292>
// CODE-LABEL: func.func private @outermost_kernel_0_softmax
// CODE-NOT: vector.
// CODE: arith.extf {{.*}} : f16 to f32
// CODE: arith.maximumf {{.*}} : f32
// CODE: math.exp {{.*}} : f32
// CODE: math.log {{.*}} : f32
// CODE: arith.truncf {{.*}} : f32 to f16
func.func @outermost(%x: tensor<7x4x3xf16>, %o: tensor<7x4x3xf16>) -> tensor<7x4x3xf16> {
  %r = brisk.group ins(%x : tensor<7x4x3xf16>) outs(%o : tensor<7x4x3xf16>) -> tensor<7x4x3xf16> {
  ^bb0(%a: tensor<7x4x3xf16>):
    %0 = brisk.softmax %a {axis = 0 : i64, log} : (tensor<7x4x3xf16>) -> tensor<7x4x3xf16>
    brisk.yield %0 : tensor<7x4x3xf16>
  }
  return %r : tensor<7x4x3xf16>
}
