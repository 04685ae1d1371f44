// RUN: brisk-opt %s --set-target=x86-64-v3 --outline-kernels --split-input-file --verify-diagnostics

func.func @model(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{has no kernel; run select-kernels first}}
  brisk.group ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @tensors(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is not on buffers; run bufferize-model first}}
  %r = brisk.group schedule <"elementwise", {chunk = 8192 : i64}> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %0 = brisk.abs %a : (tensor<4xf32>) -> tensor<4xf32>
    brisk.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A schedule is checked once for all kernels, before any code is emitted.

func.func @unknown(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{schedule names an unknown kernel "winograd"}}
  brisk.group schedule <"winograd", {}> ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @lacking(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{schedule of kernel "elementwise" lacks parameter 'chunk'}}
  brisk.group schedule <"elementwise", {}> ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @out_of_range(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{schedule of kernel "elementwise" needs parameter 'chunk' as an i64 from 1 to 65536, found 0 : i64}}
  brisk.group schedule <"elementwise", {chunk = 0 : i64}> ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @wrong_type(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{needs parameter 'chunk' as an i64 from 1 to 65536, found 8 : i8}}
  brisk.group schedule <"elementwise", {chunk = 8 : i8}> ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @another_kernels(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{schedule of kernel "elementwise" has no parameter "rows"}}
  brisk.group schedule <"elementwise", {chunk = 8 : i64, rows = 1 : i64}> ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @unsuited(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{does not suit its kernel "softmax"}}
  brisk.group schedule <"softmax", {rows = 1 : i64}> ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @packed_for_wider_vectors(%x: memref<4x8xf32>, %w: memref<160xf32>, %y: memref<4x20xf32>) {
  // expected-error @+1 {{weights are not packed for its schedule: expected #brisk.packed<shape = [8, 20], axes = [[1] by [8, 4], [0]]>, found #brisk.packed<shape = [8, 20], axes = [[1] by [16, 4], [0]]>}}
  brisk.group schedule <"gemm", {mr = 4 : i64, nv = 1 : i64, panels_outer = 0 : i64, prefetch = 0 : i64, unroll = 1 : i64}> ins(%x, %w : memref<4x8xf32>, memref<160xf32>) outs(%y : memref<4x20xf32>) {
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<160xf32>):
    %0 = brisk.unpack %b <shape = [8, 20], axes = [[1] by [16, 4], [0]]> : tensor<160xf32> -> tensor<8x20xf32>
    %1 = brisk.matmul %a, %0 : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
    brisk.yield %1 : tensor<4x20xf32>
  }
  return
}

// -----

func.func @packed_in_rows(%x: memref<4x8xf32>, %w: memref<160xf32>, %y: memref<4x20xf32>) {
  // expected-error @+1 {{weights are not packed for its schedule: expected #brisk.packed<shape = [8, 20], axes = [[1] by [8, 4], [0]]>, found}}
  brisk.group schedule <"gemm", {mr = 4 : i64, nv = 1 : i64, panels_outer = 0 : i64, prefetch = 0 : i64, unroll = 1 : i64}> ins(%x, %w : memref<4x8xf32>, memref<160xf32>) outs(%y : memref<4x20xf32>) {
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<160xf32>):
    %0 = brisk.unpack %b <shape = [8, 20], axes = [[0], [1]]> : tensor<160xf32> -> tensor<8x20xf32>
    %1 = brisk.matmul %a, %0 : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
    brisk.yield %1 : tensor<4x20xf32>
  }
  return
}

// -----

func.func @packed_in_other_shape(%x: memref<4x8xf32>, %w: memref<160xf32>, %y: memref<4x20xf32>) {
  // expected-error @+1 {{weights are not packed for its schedule: expected #brisk.packed<shape = [8, 20], axes = [[1] by [8, 4], [0]]>, found}}
  brisk.group schedule <"gemm", {mr = 4 : i64, nv = 1 : i64, panels_outer = 0 : i64, prefetch = 0 : i64, unroll = 1 : i64}> ins(%x, %w : memref<4x8xf32>, memref<160xf32>) outs(%y : memref<4x20xf32>) {
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<160xf32>):
    %0 = brisk.unpack %b <shape = [4, 2, 20], axes = [[2] by [8, 4], [0], [1]]> : tensor<160xf32> -> tensor<8x20xf32>
    %1 = brisk.matmul %a, %0 : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
    brisk.yield %1 : tensor<4x20xf32>
  }
  return
}

// -----

func.func @padded(%x: memref<4x8xf32>, %w: memref<192xf32>, %y: memref<4x20xf32>) {
  // expected-error @+1 {{weights are not packed for its schedule: expected #brisk.packed<shape = [8, 20], axes = [[1] by [8, 4], [0]]>, found}}
  brisk.group schedule <"gemm", {mr = 4 : i64, nv = 1 : i64, panels_outer = 0 : i64, prefetch = 0 : i64, unroll = 1 : i64}> ins(%x, %w : memref<4x8xf32>, memref<192xf32>) outs(%y : memref<4x20xf32>) {
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<192xf32>):
    %0 = brisk.unpack %b <shape = [8, 20], axes = [[1] by [8], [0]]> : tensor<192xf32> -> tensor<8x20xf32>
    %1 = brisk.matmul %a, %0 : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
    brisk.yield %1 : tensor<4x20xf32>
  }
  return
}
