// RUN: brisk-opt %s --set-target=x86-64-v3 --plan-memory --verify-diagnostics

// Each of them could be addressed, all together could not.
func.func @model(%x: memref<140737488355328xf64>) {
  %0 = memref.alloc() : memref<140737488355328xf64>
  %1 = memref.alloc() : memref<140737488355328xf64>
  %2 = memref.alloc() : memref<140737488355328xf64>
  %3 = memref.alloc() : memref<140737488355328xf64>
  // expected-error @+1 {{the intermediate tensors are larger than any memory}}
  %4 = memref.alloc() : memref<140737488355328xf64>
  return
}
