// RUN: brisk-opt %s -verify-diagnostics -split-input-file

func.func @group_arguments(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{has 1 inputs and 0 region arguments}}
  %r = brisk.group ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> {
    %0 = brisk.constant dense<0.0> : tensor<4xf32>
    brisk.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @group_input_type(%x: memref<4xf32>, %e: memref<5xf32>) {
  // expected-error @below {{input of type 'memref<4xf32>' does not agree with region argument of type 'tensor<5xf32>'}}
  brisk.group ins(%x : memref<4xf32>) outs(%e : memref<5xf32>) {
  ^bb0(%a: tensor<5xf32>):
    brisk.yield %a : tensor<5xf32>
  }
  return
}

// -----

func.func @group_yield(%x: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{has 1 outs and yields 0 values}}
  %r = brisk.group ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield
  }
  return %r : tensor<4xf32>
}

// -----

func.func @branch_types(%c: tensor<i1>, %a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error @below {{branch yields 'tensor<5xf32>' where results are 'tensor<4xf32>'}}
  %r = brisk.if %c : tensor<i1> -> tensor<4xf32> {
    brisk.yield %a : tensor<4xf32>
  } else {
    brisk.yield %b : tensor<5xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @border_widths() -> tensor<1x10xf32> {
  // expected-error @below {{needs 2 low and high widths}}
  %0 = brisk.border 0.0 : f32 low [1] high [0, 1] -> tensor<1x10xf32>
  return %0 : tensor<1x10xf32>
}

// -----

func.func @border_size() -> tensor<1x10xf32> {
  // expected-error @below {{border of 6 and 5 exceeds dimension of 10}}
  %0 = brisk.border 0.0 : f32 low [0, 6] high [0, 5] -> tensor<1x10xf32>
  return %0 : tensor<1x10xf32>
}

// -----

func.func @border_shape() -> tensor<?xf32> {
  // expected-error @below {{needs a static shape, has 'tensor<?xf32>'}}
  %0 = brisk.border 0.0 : f32 low [0] high [0] -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @sparse() -> tensor<3xi32> {
  // expected-error @+1 {{constant is neither dense nor a resource}}
  %0 = brisk.constant sparse<1, 5> : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @elided() -> tensor<3xi32> {
  // expected-error @+1 {{constant has no data: it was left out when the model was printed}}
  %0 = brisk.constant dense_resource<__elided__> : tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @huge() -> tensor<70368744177664xi64> {
  // expected-error @+1 {{constant of type 'tensor<70368744177664xi64>' is larger than an address space}}
  %0 = brisk.constant dense<1> : tensor<70368744177664xi64>
  return %0 : tensor<70368744177664xi64>
}

// -----

// Types are inferred before constants are verified.
func.func @used_before(%x: tensor<1x4xf32>) -> tensor<4xf32> {
  cf.br ^second
^first:
  %r = brisk.squeeze %x, %axes : (tensor<1x4xf32>, tensor<1xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
^second:
  // expected-error @+1 {{constant has no data}}
  %axes = brisk.constant dense_resource<__elided__> : tensor<1xi64>
  cf.br ^first
}

// -----

func.func @layout_of_others(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{layout holds 15 elements, which are no 'tensor<3x4xf32>'}}
  %0 = brisk.unpack %x <shape = [3, 5], axes = [[1], [0]]> : tensor<12xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @packed_size(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{layout makes a 'tensor<24xf32>' of 'tensor<3x4xf32>', found 'tensor<12xf32>'}}
  %0 = brisk.unpack %x <shape = [3, 4], axes = [[1] by [8], [0]]> : tensor<12xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @packed_type(%x: tensor<12xf16>) -> tensor<3x4xf32> {
  // expected-error @+1 {{layout makes a 'tensor<12xf32>' of 'tensor<3x4xf32>', found 'tensor<12xf16>'}}
  %0 = brisk.unpack %x <shape = [3, 4], axes = [[1], [0]]> : tensor<12xf16> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @no_size(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{layout of a tensor of shape [3, 0], expected sizes from 1 that memory can hold}}
  %0 = brisk.unpack %x <shape = [3, 0], axes = [[1], [0]]> : tensor<12xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @dimension_left_out(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{layout has no axis for dimension 0 of 2}}
  %0 = brisk.unpack %x <shape = [3, 4], axes = [[1]]> : tensor<12xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @dimension_twice(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{layout names dimension 1 of 2, expected each once}}
  %0 = brisk.unpack %x <shape = [3, 4], axes = [[1], [0, 1]]> : tensor<12xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @no_dimension(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{layout names dimension -1 of 2, expected each once}}
  %0 = brisk.unpack %x <shape = [3, 4], axes = [[1], [-1]]> : tensor<12xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @tile_of_none(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{layout has tiles of [0], expected sizes from 1 to 65536}}
  %0 = brisk.unpack %x <shape = [3, 4], axes = [[1] by [0], [0]]> : tensor<12xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @tiles_too_few(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{layout leaves 1 of 3 places behind tiles of 2, which tiles of [2, 2] do not hold}}
  %0 = brisk.unpack %x <shape = [3, 4], axes = [[1] by [3], [0] by [2, 2, 2]]> : tensor<12xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @tiles_for_nothing(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{layout leaves 0 of 4 places behind tiles of 2, which tiles of [2] do not hold}}
  %0 = brisk.unpack %x <shape = [3, 4], axes = [[1] by [2, 2], [0]]> : tensor<12xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @tiles_too_narrow(%x: tensor<12xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{layout leaves 4 of 4 places behind tiles of 8, which tiles of [2, 1] do not hold}}
  %0 = brisk.unpack %x <shape = [3, 4], axes = [[1] by [8, 2, 1], [0]]> : tensor<12xf32> -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @larger_than_memory(%x: tensor<12xf32>) -> tensor<1xf32> {
  // expected-error @+1 {{layout is larger than an address space}}
  %0 = brisk.unpack %x <shape = [1, 1, 1, 1], axes = [[0] by [65536], [1] by [65536], [2] by [65536], [3] by [65536]]> : tensor<12xf32> -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @unknown_kernel(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{unknown attribute `winograd` in dialect `brisk`}}
  %r = brisk.group schedule #brisk.winograd<tile = 4> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @no_schedule(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{invalid kind of attribute specified}}
  %r = brisk.group schedule #brisk<reduce_kind sum> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @number_lacking(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected ','}}
  %r = brisk.group schedule #brisk.conv_transpose<pixels = 4> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @number_too_small(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{schedule of kernel 'elementwise' needs 'chunk' from 1 to 65536, found 0}}
  %r = brisk.group schedule #brisk.elementwise<chunk = 0> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @number_too_large(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{schedule of kernel 'gemm' needs 'nv' from 1 to 16, found 17}}
  %r = brisk.group schedule #brisk.gemm<mr = 4, nv = 17, unroll = 1, panels_outer = false, prefetch = false> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @number_beyond_integers(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{integer value too large}}
  // expected-error @+1 {{failed to parse Brisk_ElementwiseSchedule parameter 'chunk' which is to be a `int64_t`}}
  %r = brisk.group schedule #brisk.elementwise<chunk = 123456789123456789123456789> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @no_flag(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{integer value too large}}
  // expected-error @+1 {{failed to parse Brisk_GemmSchedule parameter 'prefetch' which is to be a `bool`}}
  %r = brisk.group schedule #brisk.gemm<mr = 4, nv = 1, unroll = 1, panels_outer = false, prefetch = 2> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @no_number(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{expected integer value}}
  // expected-error @+1 {{failed to parse Brisk_ElementwiseSchedule parameter 'chunk' which is to be a `int64_t`}}
  %r = brisk.group schedule #brisk.elementwise<chunk = many> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @number_of_a_type(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected '>'}}
  %r = brisk.group schedule #brisk.elementwise<chunk = 8 : i8> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @number_of_others(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected '>'}}
  %r = brisk.group schedule #brisk.elementwise<chunk = 8, rows = 1> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @number_twice(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected '>'}}
  %r = brisk.group schedule #brisk.elementwise<chunk = 8, chunk = 8> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    brisk.yield %a : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @short() -> tensor<3xi32> {
  // expected-error @+1 {{constant of type 'tensor<3xi32>' needs 12 bytes, its resource has 4}}
  %0 = brisk.constant dense_resource<short> : tensor<3xi32>
  return %0 : tensor<3xi32>
}

{-# dialect_resources: { builtin: { short: "0x0400000001000000" } } #-}

// -----

func.func @unknown_size() {
  // expected-error @+1 {{constant of type 'tensor<?xi32>', expected a static shape}}
  %0 = brisk.constant dense_resource<some> : tensor<?xi32>
  return
}

{-# dialect_resources: { builtin: { some: "0x0400000001000000" } } #-}

// -----

func.func @assembled_type(%v: tensor<4xf32>, %r: tensor<4xui16>, %s: tensor<3xi32>) -> tensor<3x2xf16> {
  // expected-error @+1 {{makes matrices of f32 of static shape, found 'tensor<3x2xf16>'}}
  %0 = brisk.assemble %v, %r, %s : tensor<4xf32>, tensor<4xui16>, tensor<3xi32> -> tensor<3x2xf16>
  return %0 : tensor<3x2xf16>
}

// -----

func.func @assembled_rows(%v: tensor<4xf32>, %r: tensor<4xui16>, %s: tensor<3xi32>) -> tensor<65537x2xf32> {
  // expected-error @+1 {{numbers 65536 rows at most, found 65537}}
  %0 = brisk.assemble %v, %r, %s : tensor<4xf32>, tensor<4xui16>, tensor<3xi32> -> tensor<65537x2xf32>
  return %0 : tensor<65537x2xf32>
}

// -----

func.func @assembled_values(%v: tensor<2x2xf32>, %r: tensor<4xui16>, %s: tensor<3xi32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{needs values of f32 in one dimension, found 'tensor<2x2xf32>'}}
  %0 = brisk.assemble %v, %r, %s : tensor<2x2xf32>, tensor<4xui16>, tensor<3xi32> -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @assembled_starts(%v: tensor<4xf32>, %r: tensor<4xui16>, %s: tensor<4xi32>) -> tensor<3x2xf32> {
  // expected-error @+1 {{expected 'tensor<3xi32>' for values of 'tensor<4xf32>' in 'tensor<3x2xf32>', found 'tensor<4xi32>'}}
  %0 = brisk.assemble %v, %r, %s : tensor<4xf32>, tensor<4xui16>, tensor<4xi32> -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @assembled_beyond(%x: tensor<1x3xf32>, %o: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %v = brisk.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = brisk.constant dense<[0, 1, 2, 3]> : tensor<4xui16>
  %s = brisk.constant dense<[0, 0, 4]> : tensor<3xi32>
  %y = brisk.group ins(%x, %v, %r, %s : tensor<1x3xf32>, tensor<4xf32>, tensor<4xui16>, tensor<3xi32>)
      outs(%o : tensor<1x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%a: tensor<1x3xf32>, %b: tensor<4xf32>, %c: tensor<4xui16>, %d: tensor<3xi32>):
    // expected-error @+1 {{reads beyond its values or rows: expected starts that ascend from 0 to the number of values in multiples of 4, and rows of 'tensor<3x2xf32>'}}
    %w = brisk.assemble %b, %c, %d : tensor<4xf32>, tensor<4xui16>, tensor<3xi32> -> tensor<3x2xf32>
    %m = brisk.matmul %a, %w : (tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
    brisk.yield %m : tensor<1x2xf32>
  }
  return %y : tensor<1x2xf32>
}
