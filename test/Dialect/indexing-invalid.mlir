// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<2x3xf32>, %i: tensor<4xi64>) {
  // expected-error@+2 {{axis 2 is out of range for 2 dimensions}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.gather %x, %i {axis = 2 : i64} : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<4xi64>) {
  // expected-error@+2 {{indices have 1 dimensions and data 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.gather_elements %x, %i : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<2x4xi64>) {
  // expected-error@+2 {{indices have size 4 in dimension 1 where data has 3}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.gather_elements %x, %i : (tensor<2x3xf32>, tensor<2x4xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<4x3xi64>) {
  // expected-error@+2 {{index tuples have 3 entries where data has 2 dimensions to index}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.gather_nd %x, %i : (tensor<2x3xf32>, tensor<4x3xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<i64>) {
  // expected-error@+2 {{indices are a scalar, expected tuples in the last dimension}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.gather_nd %x, %i : (tensor<2x3xf32>, tensor<i64>) -> tensor<f32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<4x1xi64>) {
  // expected-error@+2 {{batch dimension 0 is 2 in data and 4 in indices}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.gather_nd %x, %i {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<4x1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<4x1xi64>) {
  // expected-error@+2 {{batch_dims is 2 where data has 2 dimensions and indices 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.gather_nd %x, %i {batch_dims = 2 : i64} : (tensor<2x3xf32>, tensor<4x1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<2x1xi64>, %u: tensor<2x1xf16>) {
  // expected-error@+2 {{data has elements of type 'f32' and updates of type 'f16'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.scatter_elements %x, %i, %u : (tensor<2x3xf32>, tensor<2x1xi64>, tensor<2x1xf16>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<2x1xi64>, %u: tensor<1x1xf32>) {
  // expected-error@+2 {{indices have type 'tensor<2x1xi64>' and updates type 'tensor<1x1xf32>', expected one shape}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.scatter_elements %x, %i, %u : (tensor<2x3xf32>, tensor<2x1xi64>, tensor<1x1xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xi1>, %i: tensor<2x1xi64>, %u: tensor<2x1xi1>) {
  // expected-error@+2 {{booleans have no reduction add}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.scatter_elements %x, %i, %u {reduction = #brisk<scatter_reduction add>} : (tensor<2x3xi1>, tensor<2x1xi64>, tensor<2x1xi1>) -> tensor<2x3xi1>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<4x1xi64>, %u: tensor<4x2xf32>) {
  // expected-error@+2 {{updates have type 'tensor<4x2xf32>', expected 'tensor<4x3xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.scatter_nd %x, %i, %u : (tensor<2x3xf32>, tensor<4x1xi64>, tensor<4x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  %axes = brisk.constant dense<[4]> : tensor<1xi64>
  // expected-error@+2 {{k is 4 where dimension 1 has 3 elements}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.top_k %x, %axes : (tensor<2x3xf32>, tensor<1xi64>) -> (tensor<2x4xf32>, tensor<2x4xi64>)
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %k: tensor<2xi64>) {
  // expected-error@+2 {{k has type 'tensor<2xi64>', expected one element}}
  // expected-error@+1 {{failed to infer returned types}}
  %1:2 = brisk.top_k %x, %k : (tensor<2x3xf32>, tensor<2xi64>) -> (tensor<2x4xf32>, tensor<2x4xi64>)
  return
}

// -----

func.func @f(%i: tensor<2xi64>, %v: tensor<3xf32>, %d: tensor<i64>) {
  // expected-error@+2 {{values have type 'tensor<3xf32>', expected two elements}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.one_hot %i, %d, %v : (tensor<2xi64>, tensor<i64>, tensor<3xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @f(%i: tensor<2xi64>, %v: tensor<2xf32>) {
  %axes = brisk.constant dense<[-1]> : tensor<1xi64>
  // expected-error@+2 {{depth is -1, expected a number of at least 0}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.one_hot %i, %axes, %v : (tensor<2xi64>, tensor<1xi64>, tensor<2xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+2 {{input has 1 dimensions, expected at least 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.trilu %x : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %l: tensor<2xi64>) {
  // expected-error@+2 {{lens have type 'tensor<2xi64>', expected 3 elements}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.reverse_sequence %x, %l : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<2x2xf32>, %l: tensor<2xi64>) {
  // expected-error@+1 {{'brisk.reverse_sequence' op batch_axis and time_axis are both 1}}
  %0 = brisk.reverse_sequence %x, %l {time_axis = 1 : i64} : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x2xf32>) {
  // expected-error@+2 {{resize takes either scales or sizes}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.resize %x : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x2xf32>) {
  %axes = brisk.constant dense<[4]> : tensor<1xi64>
  // expected-error@+2 {{sizes has 1 entries for 2 axes}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.resize %x sizes %axes : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x2xf32>) {
  %axes = brisk.constant dense<[1.0, 0.0]> : tensor<2xf32>
  // expected-error@+2 {{scales has the entry 0.000000e+00, expected a positive number of at least}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.resize %x scales %axes : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%x: tensor<2x2xf32>) {
  %axes = brisk.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // expected-error@+2 {{tf_crop_and_resize needs a roi}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.resize %x scales %axes {coordinate_transformation_mode = #brisk<coordinate_mode tf_crop_and_resize>} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @f(%i: tensor<2xi64>, %v: tensor<2xf32>) {
  %d = brisk.constant dense<1.0e+30> : tensor<f32>
  // expected-error@+2 {{depth is 1.000000e+30, which is no 64-bit integer}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.one_hot %i, %d, %v : (tensor<2xi64>, tensor<f32>, tensor<2xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @f(%i: tensor<2xi64>, %v: tensor<2xf32>) {
  %d = brisk.constant dense<0x7FC00000> : tensor<f32>
  // expected-error@+2 {{depth is nan, which is no 64-bit integer}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.one_hot %i, %d, %v : (tensor<2xi64>, tensor<f32>, tensor<2xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @f(%i: tensor<2xi64>, %v: tensor<2xf32>) {
  %d = brisk.constant dense<9223372036854775807> : tensor<i64>
  // expected-error@+2 {{the result has too many elements}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.one_hot %i, %d, %v : (tensor<2xi64>, tensor<i64>, tensor<2xf32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @f(%x: tensor<2x2xf32>) {
  %s = brisk.constant dense<[1.0, 1.0e-30]> : tensor<2xf32>
  // expected-error@+2 {{scales has the entry 1.000000e-30, expected a positive number of at least}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.resize %x scales %s {antialias, mode = #brisk<resize_mode linear>} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x0xf32>
  return
}

// -----

func.func @f(%x: tensor<1x100xf32>) {
  %s = brisk.constant dense<[4611686018427387904, 100]> : tensor<2xi64>
  // expected-error@+2 {{dimension 0 would have size 4.611686e+18}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.resize %x sizes %s {keep_aspect_ratio_policy = #brisk<aspect_ratio_policy not_smaller>} : (tensor<1x100xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  %r = brisk.constant dense<[0.0, 0.0, 1.0, 0x7FC00000]> : tensor<4xf32>
  %s = brisk.constant dense<4> : tensor<2xi64>
  // expected-error@+2 {{roi has the entry nan, expected a number of at most}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.resize %x roi %r sizes %s {coordinate_transformation_mode = #brisk<coordinate_mode tf_crop_and_resize>} : (tensor<4x4xf32>, tensor<4xf32>, tensor<2xi64>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%x: tensor<4294967296xf32>) {
  %s = brisk.constant dense<4> : tensor<1xi64>
  // expected-error@+2 {{dimension 0 of 4294967296 elements is too large to be resized}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.resize %x sizes %s : (tensor<4294967296xf32>, tensor<1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%y: tensor<1024x1048576xf32>, %i: tensor<137438953472xi64>) {
  // expected-error@+2 {{the result has too many elements}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.gather %y, %i : (tensor<1024x1048576xf32>, tensor<137438953472xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %i: tensor<5x3xi64>, %u: tensor<5x3xf32>) {
  // expected-error@+2 {{indices have size 5 in dimension 0 where data has 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.scatter_elements %x, %i, %u {axis = 1 : i64} : (tensor<2x3xf32>, tensor<5x3xi64>, tensor<5x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x3xi32>, %grid: tensor<1x4x5x2xf32>) {
  // expected-error@+2 {{elements of type 'i32' are not interpolated, expected floats}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.grid_sample %x, %grid : (tensor<1x8x8x3xi32>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x3xi32>
  return
}

// -----

func.func @f(%x: tensor<8x3xf32>, %grid: tensor<8x0xf32>) {
  // expected-error@+2 {{input has 2 dimensions, expected at least 3}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.grid_sample %x, %grid : (tensor<8x3xf32>, tensor<8x0xf32>) -> tensor<8x3xf32>
  return
}

// -----

func.func @f(%x: tensor<1x8x8x3xf32>, %grid: tensor<1x4x5x3xf32>) {
  // expected-error@+2 {{grid has type 'tensor<1x4x5x3xf32>', expected 4 dimensions, the first as the input's and 2 coordinates in the last}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.grid_sample %x, %grid : (tensor<1x8x8x3xf32>, tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xf32>
  return
}

// -----

func.func @f(%x: tensor<f32>, %keep: tensor<i1>) {
  // expected-error@+2 {{input is a scalar, expected rows}}
  // expected-error@+1 {{failed to infer returned types}}
  %0, %1 = brisk.compact %x, %keep : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<i64>)
  return
}

// -----

func.func @f(%x: tensor<8xf32>, %keep: tensor<7xi1>) {
  // expected-error@+2 {{input has type 'tensor<8xf32>' and keep type 'tensor<7xi1>', expected one shape}}
  // expected-error@+1 {{failed to infer returned types}}
  %0, %1 = brisk.compact %x, %keep : (tensor<8xf32>, tensor<7xi1>) -> (tensor<8xf32>, tensor<i64>)
  return
}

// -----

func.func @f(%b: tensor<8x4xf32>, %s: tensor<8xf64>) {
  // expected-error@+2 {{boxes have elements of type 'f32' and scores of type 'f64'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0, %1 = brisk.non_max_suppression %b, %s {max = 10, iou_threshold = 5.0e-01 : f32, score_threshold = 0.0 : f32} : (tensor<8x4xf32>, tensor<8xf64>) -> (tensor<10xi64>, tensor<i64>)
  return
}

// -----

func.func @f(%b: tensor<8x5xf32>, %s: tensor<8xf32>) {
  // expected-error@+2 {{boxes have type 'tensor<8x5xf32>', expected four corners' coordinates each}}
  // expected-error@+1 {{failed to infer returned types}}
  %0, %1 = brisk.non_max_suppression %b, %s {max = 10, iou_threshold = 5.0e-01 : f32, score_threshold = 0.0 : f32} : (tensor<8x5xf32>, tensor<8xf32>) -> (tensor<10xi64>, tensor<i64>)
  return
}

// -----

func.func @f(%b: tensor<8x4xf32>, %s: tensor<9xf32>) {
  // expected-error@+2 {{boxes have type 'tensor<8x4xf32>' and their scores or classes type 'tensor<9xf32>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %0, %1 = brisk.non_max_suppression %b, %s {max = 10, iou_threshold = 5.0e-01 : f32, score_threshold = 0.0 : f32} : (tensor<8x4xf32>, tensor<9xf32>) -> (tensor<10xi64>, tensor<i64>)
  return
}
