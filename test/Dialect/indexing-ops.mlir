// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @gather(
// CHECK: brisk.gather {{.*}} -> tensor<2x3x4xf32>
func.func @gather(%x: tensor<2x8x4xf32>, %i: tensor<3xi64>) {
  %0 = brisk.gather %x, %i {axis = 1} : (tensor<2x8x4xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
  return
}

// CHECK-LABEL: func.func @gather_elements(
// CHECK: brisk.gather_elements {{.*}} -> tensor<2x3xf32>
func.func @gather_elements(%x: tensor<2x8xf32>, %i: tensor<2x3xi64>) {
  %0 = brisk.gather_elements %x, %i {axis = 1} : (tensor<2x8xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @gather_nd(
// CHECK: brisk.gather_nd {{.*}} -> tensor<5x4xf32>
func.func @gather_nd(%x: tensor<2x8x4xf32>, %i: tensor<5x2xi64>) {
  %0 = brisk.gather_nd %x, %i : (tensor<2x8x4xf32>, tensor<5x2xi64>) -> tensor<5x4xf32>
  return
}

// CHECK-LABEL: func.func @scatter_elements(
// CHECK: brisk.scatter_elements {{.*}} -> tensor<2x8xf32>
func.func @scatter_elements(%x: tensor<2x8xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3xf32>) {
  %0 = brisk.scatter_elements %x, %i, %u {axis = 1, reduction = #brisk<scatter_reduction add>}
      : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x8xf32>
  return
}

// CHECK-LABEL: func.func @scatter_nd(
// CHECK: brisk.scatter_nd {{.*}} -> tensor<8x4xf32>
func.func @scatter_nd(%x: tensor<8x4xf32>, %i: tensor<3x1xi64>, %u: tensor<3x4xf32>) {
  %0 = brisk.scatter_nd %x, %i, %u : (tensor<8x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<8x4xf32>
  return
}

// CHECK-LABEL: func.func @top_k(
// CHECK: brisk.top_k {{.*}} -> (tensor<2x3xf32>, tensor<2x3xi64>)
func.func @top_k(%x: tensor<2x10xf32>, %k: tensor<1xi64>) {
  %v, %i = brisk.top_k %x, %k {axis = -1} : (tensor<2x10xf32>, tensor<1xi64>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  return
}

// CHECK-LABEL: func.func @one_hot(
// CHECK: brisk.one_hot {{.*}} -> tensor<4x10xf32>
func.func @one_hot(%i: tensor<4xi64>, %depth: tensor<i64>, %values: tensor<2xf32>) {
  %0 = brisk.one_hot %i, %depth, %values {axis = -1} : (tensor<4xi64>, tensor<i64>, tensor<2xf32>) -> tensor<4x10xf32>
  return
}

// CHECK-LABEL: func.func @trilu(
// CHECK: brisk.trilu {{.*}} -> tensor<2x4x4xf32>
func.func @trilu(%x: tensor<2x4x4xf32>, %k: tensor<i64>) {
  %0 = brisk.trilu %x, %k {upper} : (tensor<2x4x4xf32>, tensor<i64>) -> tensor<2x4x4xf32>
  return
}

// CHECK-LABEL: func.func @reverse_sequence(
// CHECK: brisk.reverse_sequence {{.*}} -> tensor<4x2xf32>
func.func @reverse_sequence(%x: tensor<4x2xf32>, %lens: tensor<2xi64>) {
  %0 = brisk.reverse_sequence %x, %lens {batch_axis = 1, time_axis = 0} : (tensor<4x2xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  return
}

// CHECK-LABEL: func.func @resize(
// CHECK: brisk.resize {{.*}} -> tensor<1x8x8x3xf32>
func.func @resize(%x: tensor<1x4x4x3xf32>, %s: tensor<4xf32>) {
  %0 = brisk.resize %x scales %s {mode = #brisk<resize_mode linear>} : (tensor<1x4x4x3xf32>, tensor<4xf32>) -> tensor<1x8x8x3xf32>
  return
}

// CHECK-LABEL: func.func @grid_sample(
// CHECK: brisk.grid_sample {{.*}} -> tensor<1x4x5x3xf32>
// CHECK: brisk.grid_sample {{.*}} {align_corners, mode = #brisk<resize_mode nearest>, padding = #brisk<grid_padding reflection>} {{.*}} -> tensor<2x?x5x6x3xui8>
func.func @grid_sample(%x: tensor<1x8x8x3xf32>, %grid: tensor<1x4x5x2xf32>, %v: tensor<2x8x8x8x3xui8>, %g: tensor<?x?x5x6x3xf64>) {
  %0 = brisk.grid_sample %x, %grid {padding = #brisk<grid_padding border>} : (tensor<1x8x8x3xf32>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x3xf32>
  %1 = brisk.grid_sample %v, %g {align_corners, mode = #brisk<resize_mode nearest>, padding = #brisk<grid_padding reflection>} : (tensor<2x8x8x8x3xui8>, tensor<?x?x5x6x3xf64>) -> tensor<2x?x5x6x3xui8>
  return
}

// CHECK-LABEL: func.func @gather_nd_batched(
// CHECK: brisk.gather_nd {{.*}} -> tensor<2x5x4xf32>
func.func @gather_nd_batched(%x: tensor<2x3x4xf32>, %i: tensor<2x5x1xi64>) {
  %0 = brisk.gather_nd %x, %i {batch_dims = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x5x1xi64>) -> tensor<2x5x4xf32>
  return
}

// CHECK-LABEL: func.func @top_k_unknown(
// CHECK: brisk.top_k {{.*}} -> (tensor<2x?xf32>, tensor<2x?xi64>)
func.func @top_k_unknown(%x: tensor<2x10xf32>, %k: tensor<1xi64>) {
  %v, %i = brisk.top_k %x, %k {largest = false} : (tensor<2x10xf32>, tensor<1xi64>) -> (tensor<2x?xf32>, tensor<2x?xi64>)
  return
}

// One scale for both dimensions depends on both.
// CHECK-LABEL: func.func @resize_one_scale(
// CHECK: brisk.resize {{.*}} -> tensor<5x9xf32>
func.func @resize_one_scale(%x: tensor<12x?xf32>) {
  %sizes = brisk.constant dense<9> : tensor<2xi64>
  %0 = brisk.resize %x sizes %sizes {keep_aspect_ratio_policy = #brisk<aspect_ratio_policy not_larger>} : (tensor<12x?xf32>, tensor<2xi64>) -> tensor<5x9xf32>
  return
}

// CHECK-LABEL: func.func @resize_known(
// CHECK: brisk.resize {{.*}} -> tensor<1x8x3x3xf32>
// CHECK: brisk.resize {{.*}} -> tensor<1x5x8x3xf32>
func.func @resize_known(%x: tensor<1x4x6x3xf32>) {
  %scales = brisk.constant dense<[2.0, 0.6]> : tensor<2xf32>
  %0 = brisk.resize %x scales %scales {axes = array<i64: 1, 2>} : (tensor<1x4x6x3xf32>, tensor<2xf32>) -> tensor<1x8x3x3xf32>
  %sizes = brisk.constant dense<[8, 8]> : tensor<2xi64>
  %1 = brisk.resize %x sizes %sizes {axes = array<i64: 1, 2>, keep_aspect_ratio_policy = #brisk<aspect_ratio_policy not_larger>} : (tensor<1x4x6x3xf32>, tensor<2xi64>) -> tensor<1x5x8x3xf32>
  return
}

// CHECK-LABEL: func.func @compact(
// CHECK: brisk.compact {{.*}} -> (tensor<2x80xi64>, tensor<2xi64>)
func.func @compact(%x: tensor<2x80xi64>, %keep: tensor<2x80xi1>) {
  %0, %1 = brisk.compact %x, %keep : (tensor<2x80xi64>, tensor<2x80xi1>) -> (tensor<2x80xi64>, tensor<2xi64>)
  return
}

// CHECK-LABEL: func.func @non_max_suppression(
// CHECK: brisk.non_max_suppression {{.*}} -> (tensor<100xi64>, tensor<i64>)
// CHECK: brisk.non_max_suppression {{.*}} -> (tensor<2x10xi64>, tensor<2xi64>)
func.func @non_max_suppression(%boxes: tensor<2100x4xf32>, %scores: tensor<2100xf32>, %classes: tensor<2100xi64>, %batch: tensor<2x30x4xf32>, %each: tensor<2x30xf32>) {
  %0, %1 = brisk.non_max_suppression %boxes, %scores, %classes {max = 100, iou_threshold = 4.5e-01 : f32, score_threshold = 2.5e-01 : f32}
      : (tensor<2100x4xf32>, tensor<2100xf32>, tensor<2100xi64>) -> (tensor<100xi64>, tensor<i64>)
  %2, %3 = brisk.non_max_suppression %batch, %each {max = 10, iou_threshold = 4.5e-01 : f32, score_threshold = 2.5e-01 : f32}
      : (tensor<2x30x4xf32>, tensor<2x30xf32>) -> (tensor<2x10xi64>, tensor<2xi64>)
  return
}
