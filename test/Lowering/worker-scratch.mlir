// RUN: brisk-opt %s --set-target=x86-64-v3 --brisk-codegen | FileCheck %s --implicit-check-not=brisk.per_worker
// RUN: brisk-opt %s --set-target=host --brisk-codegen | mlir-translate --allow-unregistered-dialect --mlir-to-llvmir -o %t.ll
// RUN: %clang -Wno-override-module -I %runtime_include %t.ll %S/Inputs/worker_scratch.c -o %t
// RUN: %t

// What a worker has for itself lies behind what all share: its task finds it by
// the worker's number.
// CHECK-LABEL: llvm.func hidden @model_kernel_0_task(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr, %[[WORK:.*]]: !llvm.ptr)
// CHECK: llvm.load
// CHECK: llvm.load
// CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} : !llvm.ptr -> !llvm.ptr
// CHECK: %[[SLOT:.*]] = llvm.getelementptr inbounds %[[WORK]][0, 2]
// CHECK: %[[NUMBER:.*]] = llvm.load %[[SLOT]] : !llvm.ptr -> i32
// CHECK: %[[WORKER:.*]] = llvm.zext %[[NUMBER]] : i32 to i64
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(64 : i64)
// CHECK: %[[OFFSET:.*]] = llvm.mul %[[WORKER]], %[[BYTES]]
// CHECK: %[[OWN:.*]] = llvm.getelementptr %[[FIRST]][%[[OFFSET]]]
// CHECK: llvm.call @model_kernel_0(%{{.*}}, %{{.*}}, %[[OWN]],
module attributes {brisk.weights = [], brisk.ops = [#brisk.op<name = "Mul_0", type = "mul", kernel = "loops", flops = 64, bytes = 512>]} {
  func.func @model(%x: memref<64xf32>, %y: memref<64xf32>, %weights: memref<0xi8>, %arena: memref<192xi8>) attributes {brisk.memory = #brisk.memory<bytes = 128, bytes_per_worker = 64, peak = []>, brisk.interface = #brisk.interface<inputs = [#brisk.port<name = "x", type = tensor<64xf32>>], outputs = [#brisk.port<name = "y", type = tensor<64xf32>>]>} {
    %offset = arith.constant 128 : index
    %scratch = memref.view %arena[%offset][] : memref<192xi8> to memref<16xf32>
    brisk.launch @model_kernel_0(%x, %y, %scratch) tasks 64 workers 2 op 0 : memref<64xf32>, memref<64xf32>, memref<16xf32>
    return
  }
  func.func private @model_kernel_0(%x: memref<64xf32>, %y: memref<64xf32>, %scratch: memref<16xf32> {brisk.per_worker}, %begin: index, %end: index) {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    scf.for %i = %begin to %end step %one {
      %a = memref.load %x[%i] : memref<64xf32>
      %twice = arith.addf %a, %a : f32
      memref.store %twice, %scratch[%zero] : memref<16xf32>
      %b = memref.load %scratch[%zero] : memref<16xf32>
      %c = arith.addf %b, %b : f32
      memref.store %c, %y[%i] : memref<64xf32>
    }
    return
  }
}
