// RUN: brisk-opt %s --set-target=sapphirerapids --outline-kernels --split-input-file --verify-diagnostics

func.func @too_many_rows(%x: memref<16x64xi8>, %w: memref<1024xi8>, %y: memref<16x16xi32>) {
  // expected-error @+1 {{is of 17 rows in tile registers, expected at most 16}}
  brisk.group schedule #brisk.gemm<mr = 17, nv = 1, unroll = 1, panels_outer = false, prefetch = false, in_tiles = true> ins(%x, %w : memref<16x64xi8>, memref<1024xi8>) outs(%y : memref<16x16xi32>) {
  ^bb0(%a: tensor<16x64xi8>, %b: tensor<1024xi8>):
    %0 = brisk.unpack %b <shape = [1, 64, 16], axes = [[2] by [16], [0], [1] by [4]]> : tensor<1024xi8> -> tensor<64x16xi8>
    %1 = brisk.matmul %a, %0 : (tensor<16x64xi8>, tensor<64x16xi8>) -> tensor<16x16xi32>
    brisk.yield %1 : tensor<16x16xi32>
  }
  return
}

// -----

func.func @fetches_ahead(%x: memref<16x64xi8>, %w: memref<1024xi8>, %y: memref<16x16xi32>) {
  // expected-error @+1 {{fetches rows ahead, which those in tile registers do not}}
  brisk.group schedule #brisk.gemm<mr = 16, nv = 1, unroll = 1, panels_outer = false, prefetch = true, in_tiles = true> ins(%x, %w : memref<16x64xi8>, memref<1024xi8>) outs(%y : memref<16x16xi32>) {
  ^bb0(%a: tensor<16x64xi8>, %b: tensor<1024xi8>):
    %0 = brisk.unpack %b <shape = [1, 64, 16], axes = [[2] by [16], [0], [1] by [4]]> : tensor<1024xi8> -> tensor<64x16xi8>
    %1 = brisk.matmul %a, %0 : (tensor<16x64xi8>, tensor<64x16xi8>) -> tensor<16x16xi32>
    brisk.yield %1 : tensor<16x16xi32>
  }
  return
}

// -----

func.func @too_many_tiles(%x: memref<64x64xi8>, %w: memref<2048xi8>, %y: memref<64x32xi32>) {
  // expected-error @+1 {{needs more than the 8 tile registers that there are}}
  brisk.group schedule #brisk.gemm<mr = 64, nv = 2, unroll = 1, panels_outer = false, prefetch = false, in_tiles = true> ins(%x, %w : memref<64x64xi8>, memref<2048xi8>) outs(%y : memref<64x32xi32>) {
  ^bb0(%a: tensor<64x64xi8>, %b: tensor<2048xi8>):
    %0 = brisk.unpack %b <shape = [1, 64, 32], axes = [[2] by [32], [0], [1] by [4]]> : tensor<2048xi8> -> tensor<64x32xi8>
    %1 = brisk.matmul %a, %0 : (tensor<64x64xi8>, tensor<64x32xi8>) -> tensor<64x32xi32>
    brisk.yield %1 : tensor<64x32xi32>
  }
  return
}
