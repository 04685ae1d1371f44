// RUN: brisk-opt %s --form-groups | FileCheck %s

// The ops after an anchor, with a residual computed before them. Weights and
// bias are inputs; the splat is part of the region.
// CHECK-LABEL: func.func @epilogue(
// CHECK-SAME: %[[X:.*]]: tensor<1x4x4x8xf32>
// CHECK-DAG: %[[W:.*]] = brisk.constant dense<1.000000e+00> : tensor<1x1x8x8xf32>
// CHECK-DAG: %[[OUT:.*]] = tensor.empty() : tensor<1x4x4x8xf32>
// CHECK: %[[G:.*]] = brisk.group ins(%[[X]], %[[W]]
// CHECK-SAME: outs(%[[OUT]] : tensor<1x4x4x8xf32>)
// CHECK-NEXT: ^bb0(%[[A:[a-z0-9]*]]: tensor<1x4x4x8xf32>, %[[B:[a-z0-9]*]]: tensor<1x1x8x8xf32>):
// CHECK-DAG: %[[ZERO:.*]] = brisk.constant dense<0.000000e+00> : tensor<f32>
// CHECK-DAG: %[[C:.*]] = brisk.conv %[[A]], %[[B]]
// CHECK: %[[S:.*]] = brisk.add %[[C]], %[[A]]
// CHECK: %[[M:.*]] = brisk.max %[[S]], %[[ZERO]]
// CHECK: brisk.yield %[[M]]
// CHECK: return %[[G]]
func.func @epilogue(%x: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %w = brisk.constant dense<1.0> : tensor<1x1x8x8xf32>
  %zero = brisk.constant dense<0.0> : tensor<f32>
  %0 = brisk.conv %x, %w : (tensor<1x4x4x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x4x4x8xf32>
  %1 = brisk.add %0, %x : (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %2 = brisk.max %1, %zero : (tensor<1x4x4x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
  return %2 : tensor<1x4x4x8xf32>
}

// Two ops use what the anchor computes, and only they.
// CHECK-LABEL: func.func @diamond(
// CHECK: brisk.group
// CHECK: brisk.matmul
// CHECK: brisk.sigmoid
// CHECK: brisk.mul
// CHECK-NOT: brisk.group
func.func @diamond(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = brisk.matmul %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = brisk.sigmoid %0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = brisk.mul %0, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// What is used elsewhere too ends the group. Of two anchors, the later takes the
// sum.
// CHECK-LABEL: func.func @shared(
// CHECK: %[[G:.*]] = brisk.group
// CHECK: brisk.matmul
// CHECK: brisk.sqrt
// CHECK-NEXT: brisk.yield
// CHECK: brisk.group
// CHECK: brisk.matmul
// CHECK-NEXT: brisk.add
func.func @shared(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = brisk.matmul %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = brisk.sqrt %0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = brisk.matmul %1, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = brisk.add %1, %2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %3 : tensor<4x4xf32>, tensor<4x4xf32>
}

// The ops before a reduction, which takes its axes along.
// CHECK-LABEL: func.func @prologue(
// CHECK: brisk.group ins(%{{[a-z0-9]*}}, %{{[a-z0-9]*}} : tensor<4x6xf32>, tensor<6xf32>)
// CHECK-DAG: %[[AXES:.*]] = brisk.constant dense<1> : tensor<1xi64>
// CHECK-DAG: %[[S:.*]] = brisk.add
// CHECK: brisk.reduce sum %[[S]], %[[AXES]]
func.func @prologue(%x: tensor<4x6xf32>, %y: tensor<6xf32>) -> tensor<4xf32> {
  %axes = brisk.constant dense<1> : tensor<1xi64>
  %0 = brisk.add %x, %y : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4x6xf32>
  %1 = brisk.reduce sum %0, %axes : (tensor<4x6xf32>, tensor<1xi64>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Elementwise ops alone: channels stay a dimension for the sake of the scale,
// the others become one.
// CHECK-LABEL: func.func @collapse(
// CHECK-SAME: %[[X:.*]]: tensor<2x4x4x8xf32>, %[[S:.*]]: tensor<8xf32>
// CHECK: %[[FLAT:.*]] = brisk.reshape %[[X]], {{.*}} -> tensor<32x8xf32>
// CHECK: %[[G:.*]] = brisk.group ins(%[[FLAT]], %[[S]]
// CHECK: brisk.mul {{.*}} -> tensor<32x8xf32>
// CHECK: brisk.tanh {{.*}} -> tensor<32x8xf32>
// CHECK: brisk.reshape %[[G]], {{.*}} -> tensor<2x4x4x8xf32>
func.func @collapse(%x: tensor<2x4x4x8xf32>, %s: tensor<8xf32>) -> tensor<2x4x4x8xf32> {
  %0 = brisk.mul %x, %s : (tensor<2x4x4x8xf32>, tensor<8xf32>) -> tensor<2x4x4x8xf32>
  %1 = brisk.tanh %0 : (tensor<2x4x4x8xf32>) -> tensor<2x4x4x8xf32>
  return %1 : tensor<2x4x4x8xf32>
}

// All of one shape, and a splat of another: one long row. What is used later
// becomes a second result.
// CHECK-LABEL: func.func @results(
// CHECK: %[[G:.*]]:2 = brisk.group
// CHECK-SAME: -> tensor<128xf32>, tensor<128xf32>
// CHECK: brisk.constant dense<2.000000e+00> : tensor<f32>
func.func @results(%x: tensor<2x8x8xf32>) -> (tensor<2x8x8xf32>, tensor<2x8x8xf32>) {
  %two = brisk.constant dense<2.0> : tensor<8xf32>
  %0 = brisk.mul %x, %two : (tensor<2x8x8xf32>, tensor<8xf32>) -> tensor<2x8x8xf32>
  %1 = brisk.tanh %0 : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %0, %1 : tensor<2x8x8xf32>, tensor<2x8x8xf32>
}

// Views stay outside; ops with several results are groups with several.
// CHECK-LABEL: func.func @views(
// CHECK: brisk.slice
// CHECK: brisk.concat
// CHECK: brisk.pad
// CHECK: %{{.*}}:2 = brisk.group
// CHECK: brisk.top_k
func.func @views(%x: tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi64>) {
  %starts = brisk.constant dense<[0, 2]> : tensor<2xi64>
  %ends = brisk.constant dense<[4, 6]> : tensor<2xi64>
  %pads = brisk.constant dense<[0, 1, 0, 0]> : tensor<4xi64>
  %k = brisk.constant dense<2> : tensor<1xi64>
  %0 = brisk.slice %x, %starts, %ends : (tensor<4x8xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x4xf32>
  %1 = brisk.concat %0, %x {axis = 1 : i64} : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x12xf32>
  %2 = brisk.pad constant %1, %pads : (tensor<4x12xf32>, tensor<4xi64>) -> tensor<4x13xf32>
  %3, %4 = brisk.top_k %2, %k {axis = 1 : i64} : (tensor<4x13xf32>, tensor<1xi64>) -> (tensor<4x2xf32>, tensor<4x2xi64>)
  return %3, %4 : tensor<4x2xf32>, tensor<4x2xi64>
}

// Groups form in branches, which see the values around them.
// CHECK-LABEL: func.func @branches(
// CHECK: brisk.if
// CHECK: %[[G:.*]] = brisk.group
// CHECK: brisk.neg
// CHECK: brisk.yield %[[G]]
func.func @branches(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = brisk.if %c : tensor<i1> -> tensor<4xf32> {
    %1 = brisk.neg %x : (tensor<4xf32>) -> tensor<4xf32>
    brisk.yield %1 : tensor<4xf32>
  } else {
    brisk.yield %x : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// A long concat is a kernel: as insertions it would take bufferization too long.
// CHECK-LABEL: func.func @long_concat(
// CHECK: brisk.group
// CHECK: brisk.concat
func.func @long_concat(%x: tensor<1xf32>) -> tensor<33xf32> {
  %0 = brisk.concat %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x {axis = 0 : i64}
      : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<33xf32>
  return %0 : tensor<33xf32>
}

// What has no elements is a constant, whatever it would be computed from.
// CHECK-LABEL: func.func @empty(
// CHECK-NOT: brisk.group
// CHECK: %[[EMPTY:.*]] = brisk.constant dense<> : tensor<2x0xf32>
// CHECK: return %[[EMPTY]]
func.func @empty(%x: tensor<2x0xf32>, %y: tensor<2x1xf32>) -> tensor<2x0xf32> {
  %0 = brisk.add %x, %y : (tensor<2x0xf32>, tensor<2x1xf32>) -> tensor<2x0xf32>
  return %0 : tensor<2x0xf32>
}

// A border whose value only a run knows is a kernel; others need none.
// CHECK-LABEL: func.func @pad_value(
// CHECK: brisk.group ins(%{{.*}}, %{{.*}} : tensor<2x3xf32>, tensor<f32>)
// CHECK: brisk.pad
// CHECK: brisk.yield
// CHECK: brisk.pad
func.func @pad_value(%x: tensor<2x3xf32>, %v: tensor<f32>) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %pads = brisk.constant dense<[1, 0, 0, 2]> : tensor<4xi64>
  %one = brisk.constant dense<1.0> : tensor<f32>
  %0 = brisk.pad constant %x, %pads value %v : (tensor<2x3xf32>, tensor<4xi64>, tensor<f32>) -> tensor<3x5xf32>
  %1 = brisk.pad constant %x, %pads value %one : (tensor<2x3xf32>, tensor<4xi64>, tensor<f32>) -> tensor<3x5xf32>
  return %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
}

// What a run has to check is no group and stays.
// CHECK-LABEL: func.func @require(
// CHECK-SAME: %[[C:[^:]*]]: tensor<i1>
// CHECK: brisk.require %[[C]] : tensor<i1>
// CHECK: brisk.group
func.func @require(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  brisk.require %c : tensor<i1>
  %0 = brisk.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// What writes itself into a larger tensor keeps its dimensions. A kernel that
// mirrors it reads a tensor of its own, whose dimensions are one.
// CHECK-LABEL: func.func @margins(
// CHECK: brisk.group ins(%{{.*}} : tensor<2x3xf32>)
// CHECK: brisk.pad constant
// CHECK: brisk.group ins(%{{.*}} : tensor<6xf32>)
// CHECK: brisk.group
// CHECK: brisk.pad reflect
func.func @margins(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %pads = brisk.constant dense<1> : tensor<4xi64>
  %0 = brisk.neg %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = brisk.pad constant %0, %pads : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<4x5xf32>
  %2 = brisk.neg %y : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = brisk.pad reflect %2, %pads : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<4x5xf32>
  return %1, %3 : tensor<4x5xf32>, tensor<4x5xf32>
}

// What a normalization is rounded to is stored beside it; sums of products of 16
// bits end in 16 bits.
// CHECK-LABEL: func.func @rounded(
// CHECK: brisk.group {{.*}} -> tensor<4x8xf32>, tensor<4x8xbf16>
// CHECK: brisk.layer_norm
// CHECK-NEXT: brisk.cast
// CHECK: brisk.group {{.*}} -> tensor<4x8xbf16>
// CHECK: brisk.matmul
// CHECK-NEXT: brisk.sigmoid
// CHECK-NEXT: brisk.cast
// CHECK-NOT: brisk.group
func.func @rounded(%x: tensor<4x8xf32>, %s: tensor<8xf32>, %w: tensor<8x8xbf16>) -> (tensor<4x8xf32>, tensor<4x8xbf16>) {
  %0 = brisk.layer_norm %x scale %s : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = brisk.cast %0 {to = bf16} : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  %2 = brisk.matmul %1, %w : (tensor<4x8xbf16>, tensor<8x8xbf16>) -> tensor<4x8xf32>
  %3 = brisk.sigmoid %2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = brisk.cast %3 {to = bf16} : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  return %0, %4 : tensor<4x8xf32>, tensor<4x8xbf16>
}

// Bytes that only become floats again are never stored: neither before results
// of the function, in another shape or not, nor before what reads floats from
// memory. For a softmax, which computes them row by row, bytes are less.
// CHECK-LABEL: func.func @dequantized(
// CHECK: brisk.group {{.*}} -> tensor<4x8xf32>
// CHECK: brisk.matmul
// CHECK-NEXT: brisk.dequantize
// CHECK-NEXT: brisk.quantize
// CHECK-NEXT: brisk.dequantize
// CHECK: brisk.group {{.*}} -> tensor<4x8xf32>
// CHECK: brisk.matmul
// CHECK: brisk.group {{.*}} -> tensor<4x8xui8>
// CHECK: brisk.matmul
// CHECK: brisk.group {{.*}} -> tensor<4x8xf32>
// CHECK: brisk.dequantize
// CHECK-NEXT: brisk.softmax
// CHECK-NOT: brisk.group
func.func @dequantized(%x: tensor<4x8xui8>, %w: tensor<8x8xi8>) -> (tensor<32xf32>, tensor<2x8xf32>, tensor<4x8xf32>) {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %shape = brisk.constant dense<32> : tensor<1xi64>
  %rows = brisk.constant dense<[1, 0]> : tensor<2xi64>
  %0 = brisk.matmul %x, %w : (tensor<4x8xui8>, tensor<8x8xi8>) -> tensor<4x8xi32>
  %1 = brisk.dequantize %0 scale %s {to = f32} : (tensor<4x8xi32>, tensor<f32>) -> tensor<4x8xf32>
  %2 = brisk.quantize %1 scale %s {to = ui8} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xui8>
  %3 = brisk.dequantize %2 scale %s {to = f32} : (tensor<4x8xui8>, tensor<f32>) -> tensor<4x8xf32>
  %4 = brisk.reshape %3, %shape : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<32xf32>
  %5 = brisk.matmul %x, %w : (tensor<4x8xui8>, tensor<8x8xi8>) -> tensor<4x8xi32>
  %6 = brisk.dequantize %5 scale %s {to = f32} : (tensor<4x8xi32>, tensor<f32>) -> tensor<4x8xf32>
  %7 = brisk.quantize %6 scale %s {to = ui8} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xui8>
  %8 = brisk.dequantize %7 scale %s {to = f32} : (tensor<4x8xui8>, tensor<f32>) -> tensor<4x8xf32>
  %9 = brisk.gather %8, %rows {axis = 0 : i64} : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<2x8xf32>
  %10 = brisk.matmul %x, %w : (tensor<4x8xui8>, tensor<8x8xi8>) -> tensor<4x8xi32>
  %11 = brisk.dequantize %10 scale %s {to = f32} : (tensor<4x8xi32>, tensor<f32>) -> tensor<4x8xf32>
  %12 = brisk.quantize %11 scale %s {to = ui8} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xui8>
  %13 = brisk.dequantize %12 scale %s {to = f32} : (tensor<4x8xui8>, tensor<f32>) -> tensor<4x8xf32>
  %14 = brisk.softmax %13 {axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %4, %9, %14 : tensor<32xf32>, tensor<2x8xf32>, tensor<4x8xf32>
}

// What several read as floats, in one shape or another, is bytes in memory.
// CHECK-LABEL: func.func @read_as_floats(
// CHECK: brisk.group ins(%{{.*}} : tensor<32xf32>) {{.*}} -> tensor<32xui8>
// CHECK: brisk.group ins(%{{.*}} : tensor<4x8xui8>, {{.*}} -> tensor<4x8xf32>
// CHECK: brisk.dequantize
// CHECK-NEXT: brisk.layer_norm
// CHECK: brisk.group ins(%{{.*}} : tensor<32xui8>, {{.*}} -> tensor<32xf32>
// CHECK: brisk.dequantize
// CHECK-NEXT: brisk.add
// CHECK-NOT: brisk.group
func.func @read_as_floats(%x: tensor<4x8xf32>, %y: tensor<2x2x8xf32>, %g: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<2x2x8xf32>) {
  %s = brisk.constant dense<0.5> : tensor<f32>
  %shape = brisk.constant dense<[2, 2, 8]> : tensor<3xi64>
  %0 = brisk.quantize %x scale %s {to = ui8} : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xui8>
  %1 = brisk.dequantize %0 scale %s {to = f32} : (tensor<4x8xui8>, tensor<f32>) -> tensor<4x8xf32>
  %2 = brisk.layer_norm %1 scale %g : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %3 = brisk.reshape %1, %shape : (tensor<4x8xf32>, tensor<3xi64>) -> tensor<2x2x8xf32>
  %4 = brisk.add %3, %y : (tensor<2x2x8xf32>, tensor<2x2x8xf32>) -> tensor<2x2x8xf32>
  return %2, %4 : tensor<4x8xf32>, tensor<2x2x8xf32>
}

// What is defined elsewhere has nothing to group.
// CHECK: func.func private @elsewhere()
func.func private @elsewhere()
