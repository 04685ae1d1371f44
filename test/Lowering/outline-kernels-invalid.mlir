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
  // expected-error @+1 {{is not on buffers that kernels can walk; run bufferize-model first}}
  %r = brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %0 = brisk.abs %a : (tensor<4xf32>) -> tensor<4xf32>
    brisk.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @unsuited(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @+1 {{does not suit its kernel 'softmax': it has no softmax}}
  brisk.group schedule #brisk.softmax<rows = 1> ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return
}

// -----

func.func @packed_for_wider_vectors(%x: memref<4x8xf32>, %w: memref<160xf32>, %y: memref<4x20xf32>) {
  // expected-error @+1 {{weights are not packed for its schedule: expected #brisk.packed<shape = [8, 20], axes = [[1] by [8, 4], [0]]>, found #brisk.packed<shape = [8, 20], axes = [[1] by [16, 4], [0]]>}}
  brisk.group schedule #brisk.gemm<mr = 4, nv = 1, unroll = 1, panels_outer = false, prefetch = false> ins(%x, %w : memref<4x8xf32>, memref<160xf32>) outs(%y : memref<4x20xf32>) {
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
  brisk.group schedule #brisk.gemm<mr = 4, nv = 1, unroll = 1, panels_outer = false, prefetch = false> ins(%x, %w : memref<4x8xf32>, memref<160xf32>) outs(%y : memref<4x20xf32>) {
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
  brisk.group schedule #brisk.gemm<mr = 4, nv = 1, unroll = 1, panels_outer = false, prefetch = false> ins(%x, %w : memref<4x8xf32>, memref<160xf32>) outs(%y : memref<4x20xf32>) {
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
  brisk.group schedule #brisk.gemm<mr = 4, nv = 1, unroll = 1, panels_outer = false, prefetch = false> ins(%x, %w : memref<4x8xf32>, memref<192xf32>) outs(%y : memref<4x20xf32>) {
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<192xf32>):
    %0 = brisk.unpack %b <shape = [8, 20], axes = [[1] by [8], [0]]> : tensor<192xf32> -> tensor<8x20xf32>
    %1 = brisk.matmul %a, %0 : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
    brisk.yield %1 : tensor<4x20xf32>
  }
  return
}

// -----

func.func @packed_for_nobody(%x: memref<1x4x4x16xf32>, %w: memref<256xf32>, %y: memref<1x8x8x4xf32>) {
  // expected-error @+1 {{weights are not packed for its schedule: expected them as they are, found #brisk.packed<shape = [4, 16, 4], axes = [[1], [0, 2] by [16]]>}}
  brisk.group schedule #brisk.conv_transpose<pixels = 4, all_taps = false> ins(%x, %w : memref<1x4x4x16xf32>, memref<256xf32>) outs(%y : memref<1x8x8x4xf32>) {
  ^bb0(%a: tensor<1x4x4x16xf32>, %b: tensor<256xf32>):
    %0 = brisk.unpack %b <shape = [4, 16, 4], axes = [[1], [0, 2] by [16]]> : tensor<256xf32> -> tensor<2x2x16x4xf32>
    %1 = brisk.conv_transpose %a, %0 {strides = array<i64: 2, 2>} : (tensor<1x4x4x16xf32>, tensor<2x2x16x4xf32>) -> tensor<1x8x8x4xf32>
    brisk.yield %1 : tensor<1x8x8x4xf32>
  }
  return
}

// -----

func.func @not_packed(%x: memref<1x4x4x16xf32>, %w: memref<2x2x16x1xf32>, %y: memref<1x8x8x1xf32>) {
  // expected-error @+1 {{weights are not packed for its schedule: expected #brisk.packed<shape = [4, 16, 1], axes = [[1], [0, 2] by [4]]>, found them as they are}}
  brisk.group schedule #brisk.conv_transpose<pixels = 4, all_taps = true> ins(%x, %w : memref<1x4x4x16xf32>, memref<2x2x16x1xf32>) outs(%y : memref<1x8x8x1xf32>) {
  ^bb0(%a: tensor<1x4x4x16xf32>, %b: tensor<2x2x16x1xf32>):
    %1 = brisk.conv_transpose %a, %b {strides = array<i64: 2, 2>} : (tensor<1x4x4x16xf32>, tensor<2x2x16x1xf32>) -> tensor<1x8x8x1xf32>
    brisk.yield %1 : tensor<1x8x8x1xf32>
  }
  return
}

// -----

func.func @too_many_taps(%x: memref<1x4x4x16xf32>, %w: memref<256xf32>, %y: memref<1x8x8x4xf32>) {
  // expected-error @+1 {{cannot keep all taps of 4 pixels in vectors}}
  brisk.group schedule #brisk.conv_transpose<pixels = 4, all_taps = true> ins(%x, %w : memref<1x4x4x16xf32>, memref<256xf32>) outs(%y : memref<1x8x8x4xf32>) {
  ^bb0(%a: tensor<1x4x4x16xf32>, %b: tensor<256xf32>):
    %0 = brisk.unpack %b <shape = [4, 16, 4], axes = [[1], [0, 2] by [16]]> : tensor<256xf32> -> tensor<2x2x16x4xf32>
    %1 = brisk.conv_transpose %a, %0 {strides = array<i64: 2, 2>} : (tensor<1x4x4x16xf32>, tensor<2x2x16x4xf32>) -> tensor<1x8x8x4xf32>
    brisk.yield %1 : tensor<1x8x8x4xf32>
  }
  return
}

// -----

// Only weights may be packed.
func.func @packed_input(%x: memref<32xf32>, %w: memref<8x20xf32>, %y: memref<4x20xf32>) {
  // expected-error @+1 {{does not suit its kernel 'gemm': it computes its product's operands}}
  brisk.group schedule #brisk.gemm<mr = 4, nv = 1, unroll = 1, panels_outer = false, prefetch = false> ins(%x, %w : memref<32xf32>, memref<8x20xf32>) outs(%y : memref<4x20xf32>) {
  ^bb0(%a: tensor<32xf32>, %b: tensor<8x20xf32>):
    %0 = brisk.unpack %a <shape = [4, 8], axes = [[0], [1]]> : tensor<32xf32> -> tensor<4x8xf32>
    %1 = brisk.matmul %0, %b : (tensor<4x8xf32>, tensor<8x20xf32>) -> tensor<4x20xf32>
    brisk.yield %1 : tensor<4x20xf32>
  }
  return
}

// -----

func.func @strided(%x: memref<4x4xf32, strided<[8, 2]>>, %y: memref<4x4xf32>) {
  // expected-error @+1 {{is not on buffers that kernels can walk; run bufferize-model first}}
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : memref<4x4xf32, strided<[8, 2]>>) outs(%y : memref<4x4xf32>) {
  ^bb0(%a: tensor<4x4xf32>):
    brisk.yield %a : tensor<4x4xf32>
  }
  return
}

// -----

func.func @dynamic_strides(%x: memref<4x4xf32, strided<[?, 1]>>, %y: memref<4x4xf32>) {
  // expected-error @+1 {{is not on buffers that kernels can walk; run bufferize-model first}}
  brisk.group schedule #brisk.elementwise<chunk = 8192> ins(%x : memref<4x4xf32, strided<[?, 1]>>) outs(%y : memref<4x4xf32>) {
  ^bb0(%a: tensor<4x4xf32>):
    brisk.yield %a : tensor<4x4xf32>
  }
  return
}

// -----

func.func @small_scratch(%x: memref<4x200xf32>, %y: memref<4x200xf32>, %small: memref<64xi8>) {
  // expected-error @+1 {{needs 832 bytes of scratch, found 64; run plan-memory first}}
  brisk.group schedule #brisk.softmax<rows = 10> ins(%x : memref<4x200xf32>) outs(%y : memref<4x200xf32>) scratch(%small : memref<64xi8>) {
  ^bb0(%a: tensor<4x200xf32>):
    %s = brisk.softmax %a {axis = 1 : i64} : (tensor<4x200xf32>) -> tensor<4x200xf32>
    brisk.yield %s : tensor<4x200xf32>
  }
  return
}

// -----

func.func @no_tiles(%x: memref<32x64xi8>, %w: memref<1024xi8>, %y: memref<32x16xi32>) {
  // expected-error @+1 {{is in tile registers, which have no product of its operands here}}
  brisk.group schedule #brisk.gemm<mr = 32, nv = 1, unroll = 1, panels_outer = false, prefetch = false, in_tiles = true> ins(%x, %w : memref<32x64xi8>, memref<1024xi8>) outs(%y : memref<32x16xi32>) {
  ^bb0(%a: tensor<32x64xi8>, %b: tensor<1024xi8>):
    %0 = brisk.unpack %b <shape = [1, 64, 16], axes = [[2] by [16], [0], [1] by [4]]> : tensor<1024xi8> -> tensor<64x16xi8>
    %1 = brisk.matmul %a, %0 : (tensor<32x64xi8>, tensor<64x16xi8>) -> tensor<32x16xi32>
    brisk.yield %1 : tensor<32x16xi32>
  }
  return
}

// -----

func.func @rows_that_fill_no_vectors(%x: memref<40x24xf32>, %v: memref<8xf32>, %n: memref<8xui16>, %s: memref<9xi32>, %y: memref<40x8xf32>) {
  brisk.group schedule #brisk.spmm<rows = 12, columns = 8> ins(%x, %v, %n, %s : memref<40x24xf32>, memref<8xf32>, memref<8xui16>, memref<9xi32>) outs(%y : memref<40x8xf32>) {
  ^bb0(%a: tensor<40x24xf32>, %b: tensor<8xf32>, %c: tensor<8xui16>, %d: tensor<9xi32>):
    %w = brisk.assemble %b, %c, %d : tensor<8xf32>, tensor<8xui16>, tensor<9xi32> -> tensor<24x8xf32>
    // expected-error @+1 {{cannot be computed by 12 rows: expected at most 4, or as many vectors of 8}}
    %m = brisk.matmul %a, %w : (tensor<40x24xf32>, tensor<24x8xf32>) -> tensor<40x8xf32>
    brisk.yield %m : tensor<40x8xf32>
  }
  return
}

// -----

func.func @columns_that_fill_no_vectors(%x: memref<40x24xf32>, %v: memref<8xf32>, %n: memref<8xui16>, %s: memref<9xi32>, %y: memref<40x8xf32>) {
  brisk.group schedule #brisk.spmm<rows = 16, columns = 6> ins(%x, %v, %n, %s : memref<40x24xf32>, memref<8xf32>, memref<8xui16>, memref<9xi32>) outs(%y : memref<40x8xf32>) {
  ^bb0(%a: tensor<40x24xf32>, %b: tensor<8xf32>, %c: tensor<8xui16>, %d: tensor<9xi32>):
    %w = brisk.assemble %b, %c, %d : tensor<8xf32>, tensor<8xui16>, tensor<9xi32> -> tensor<24x8xf32>
    // expected-error @+1 {{cannot be computed by 6 columns: expected a multiple of 8}}
    %m = brisk.matmul %a, %w : (tensor<40x24xf32>, tensor<24x8xf32>) -> tensor<40x8xf32>
    brisk.yield %m : tensor<40x8xf32>
  }
  return
}

// -----

func.func @computed_entries(%x: memref<40x24xf32>, %v: memref<8xf32>, %n: memref<8xui16>, %s: memref<9xi32>, %y: memref<40x8xf32>) {
  // expected-error @+1 {{does not suit its kernel 'spmm': it computes its weights' entries}}
  brisk.group schedule #brisk.spmm<rows = 16, columns = 8> ins(%x, %v, %n, %s : memref<40x24xf32>, memref<8xf32>, memref<8xui16>, memref<9xi32>) outs(%y : memref<40x8xf32>) {
  ^bb0(%a: tensor<40x24xf32>, %b: tensor<8xf32>, %c: tensor<8xui16>, %d: tensor<9xi32>):
    %e = brisk.constant dense<3> : tensor<8xui16>
    %w = brisk.assemble %b, %e, %d : tensor<8xf32>, tensor<8xui16>, tensor<9xi32> -> tensor<24x8xf32>
    %m = brisk.matmul %a, %w : (tensor<40x24xf32>, tensor<24x8xf32>) -> tensor<40x8xf32>
    brisk.yield %m : tensor<40x8xf32>
  }
  return
}

// -----

func.func @entries_for_panels(%x: memref<40x24xf32>, %v: memref<8xf32>, %n: memref<8xui16>, %s: memref<9xi32>, %y: memref<40x8xf32>) {
  // expected-error @+1 {{weights are not packed for its schedule: expected #brisk.packed<shape = [24, 8], axes = [[1] by [8], [0]]>, found those that are not zero}}
  brisk.group schedule #brisk.gemm<mr = 4, nv = 1, unroll = 1, panels_outer = false, prefetch = false> ins(%x, %v, %n, %s : memref<40x24xf32>, memref<8xf32>, memref<8xui16>, memref<9xi32>) outs(%y : memref<40x8xf32>) {
  ^bb0(%a: tensor<40x24xf32>, %b: tensor<8xf32>, %c: tensor<8xui16>, %d: tensor<9xi32>):
    %w = brisk.assemble %b, %c, %d : tensor<8xf32>, tensor<8xui16>, tensor<9xi32> -> tensor<24x8xf32>
    %m = brisk.matmul %a, %w : (tensor<40x24xf32>, tensor<24x8xf32>) -> tensor<40x8xf32>
    brisk.yield %m : tensor<40x8xf32>
  }
  return
}
