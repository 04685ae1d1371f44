// RUN: brisk-opt %s --set-target=x86-64-v3 --brisk-codegen | FileCheck %s
// RUN: brisk-opt %s --set-target=x86-64-v3 --brisk-codegen=profile | FileCheck %s --check-prefix=PROFILE
// RUN: brisk-opt %s --set-target=cortex-m4 --brisk-codegen | FileCheck %s --check-prefix=M4

// A kernel takes bare pointers, its task an array of them; a launch stores the
// array and hands the tasks, and how many workers they are worth, to the
// dispatcher.
// CHECK-LABEL: llvm.func internal @model_body(
// CHECK-SAME: %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[HOOKS:.*]]: !llvm.ptr, %[[ARGUMENTS:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: %[[TASK:.*]] = llvm.mlir.addressof @double_task
// CHECK-DAG: %[[TASKS:.*]] = llvm.mlir.constant(16 : i64)
// CHECK-DAG: %[[WORTH:.*]] = llvm.mlir.constant(3 : i32)
// CHECK: llvm.call @model_dispatch(%[[HOOKS]], %[[TASK]], %[[ARGUMENTS]], %[[TASKS]], %[[WORTH]])
// CHECK: llvm.func internal @double(%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: llvm.func hidden @double_task(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK-NOT: @model_clock
// CHECK: llvm.func @model_call(%{{.*}}: !llvm.ptr) -> i32

// PROFILE-LABEL: llvm.func internal @model_body(
// PROFILE: %[[START:.*]] = llvm.call @model_clock
// PROFILE: llvm.call @model_dispatch
// PROFILE: llvm.call @model_record(%{{.*}}, %{{.*}}, %[[START]])

// Indices are as wide as the machine's addresses.
// M4: llvm.func internal @double(%{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i32, %{{.*}}: i32)
module attributes {brisk.weights = [], brisk.ops = [#brisk.op<name = "Mul_0", type = "mul", kernel = "elementwise", flops = 16, bytes = 128>]} {
  func.func @model(%x: memref<16xf32>, %y: memref<16xf32>, %weights: memref<0xi8>, %arena: memref<0xi8>) attributes {brisk.memory = #brisk.memory<bytes = 0, bytes_per_worker = 0, peak = []>, brisk.interface = #brisk.interface<inputs = [#brisk.port<name = "x", type = tensor<16xf32>>], outputs = [#brisk.port<name = "y", type = tensor<16xf32>>]>} {
    brisk.launch @double(%x, %y) tasks 16 workers 3 op 0 : memref<16xf32>, memref<16xf32>
    return
  }
  func.func private @double(%x: memref<16xf32> {llvm.noalias}, %y: memref<16xf32> {llvm.noalias}, %begin: index, %end: index) {
    %one = arith.constant 1 : index
    scf.for %i = %begin to %end step %one {
      %a = memref.load %x[%i] : memref<16xf32>
      %b = arith.addf %a, %a : f32
      memref.store %b, %y[%i] : memref<16xf32>
    }
    return
  }
}
