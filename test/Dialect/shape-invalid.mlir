// RUN: brisk-opt %s --split-input-file --verify-diagnostics

func.func @range_step() {
  %a = brisk.constant dense<0> : tensor<i64>
  // expected-error@below {{range needs a step that is not 0}}
  // expected-error@below {{'brisk.range' op failed to infer returned types}}
  %0 = brisk.range %a, %a, %a : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return
}

// -----

func.func @range_scalars(%a: tensor<2xi64>) {
  // expected-error@below {{range takes scalars, found 'tensor<2xi64>'}}
  // expected-error@below {{'brisk.range' op failed to infer returned types}}
  %0 = brisk.range %a, %a, %a : (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xi64>
  return
}

// -----

func.func @fill_negative() {
  %s = brisk.constant dense<[2, -1]> : tensor<2xi64>
  // expected-error@below {{dimension -1 is negative}}
  // expected-error@below {{'brisk.fill' op failed to infer returned types}}
  %0 = brisk.fill %s {value = dense<1.0> : tensor<f32>} : (tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @fill_value(%s: tensor<1xi64>) {
  // expected-error@below {{fills with one value, found 2}}
  %0 = brisk.fill %s {value = dense<1.0> : tensor<2xf32>} : (tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @reshape_count(%x: tensor<2x3xf32>) {
  %s = brisk.constant dense<[4, 2]> : tensor<2xi64>
  // expected-error@below {{cannot reshape 6 elements into 8}}
  // expected-error@below {{'brisk.reshape' op failed to infer returned types}}
  %0 = brisk.reshape %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  return
}

// -----

func.func @reshape_open_twice(%x: tensor<2x3xf32>) {
  %s = brisk.constant dense<-1> : tensor<2xi64>
  // expected-error@below {{shape has -1 more than once}}
  // expected-error@below {{'brisk.reshape' op failed to infer returned types}}
  %0 = brisk.reshape %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @reshape_remainder(%x: tensor<2x3xf32>) {
  %s = brisk.constant dense<[-1, 4]> : tensor<2xi64>
  // expected-error@below {{6 elements do not divide into 4}}
  // expected-error@below {{'brisk.reshape' op failed to infer returned types}}
  %0 = brisk.reshape %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  return
}

// -----

func.func @reshape_zero_beyond(%x: tensor<2x3xf32>) {
  %s = brisk.constant dense<[2, 3, 0]> : tensor<3xi64>
  // expected-error@below {{dimension 2 is to be the input's, which has only 2 dimensions}}
  // expected-error@below {{'brisk.reshape' op failed to infer returned types}}
  %0 = brisk.reshape %x, %s : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @reshape_negative(%x: tensor<2x3xf32>) {
  %s = brisk.constant dense<[-2, 3]> : tensor<2xi64>
  // expected-error@below {{dimension -2 is negative}}
  // expected-error@below {{'brisk.reshape' op failed to infer returned types}}
  %0 = brisk.reshape %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @squeeze_not_one(%x: tensor<2x3xf32>) {
  %s = brisk.constant dense<1> : tensor<1xi64>
  // expected-error@below {{cannot squeeze dimension 1, which is 3}}
  // expected-error@below {{'brisk.squeeze' op failed to infer returned types}}
  %0 = brisk.squeeze %x, %s : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @unsqueeze_range(%x: tensor<2x3xf32>) {
  %s = brisk.constant dense<3> : tensor<1xi64>
  // expected-error@below {{axis 3 is out of range for 3 dimensions}}
  // expected-error@below {{'brisk.unsqueeze' op failed to infer returned types}}
  %0 = brisk.unsqueeze %x, %s : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?x?xf32>
  return
}

// -----

func.func @flatten_range(%x: tensor<2x3xf32>) {
  // expected-error@below {{axis 3 is out of range for 2 dimensions}}
  // expected-error@below {{'brisk.flatten' op failed to infer returned types}}
  %0 = brisk.flatten %x {axis = 3 : i64} : (tensor<2x3xf32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @expand_shape(%x: tensor<2x3xf32>) {
  %s = brisk.constant dense<[2, 2]> : tensor<2xi64>
  // expected-error@below {{operands do not broadcast: dimension 1 is 3 and 2}}
  // expected-error@below {{'brisk.expand' op failed to infer returned types}}
  %0 = brisk.expand %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @transpose_rank(%x: tensor<2x3xf32>) {
  // expected-error@below {{permutation has 1 entries for an input of 2 dimensions}}
  // expected-error@below {{'brisk.transpose' op failed to infer returned types}}
  %0 = brisk.transpose %x {permutation = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @transpose_twice(%x: tensor<2x3xf32>) {
  // expected-error@below {{permutation is not one of 0 to 1}}
  // expected-error@below {{'brisk.transpose' op failed to infer returned types}}
  %0 = brisk.transpose %x {permutation = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @concat_none() {
  // expected-error@below {{expected 1 or more operands, but found 0}}
  %0 = brisk.concat {axis = 0 : i64} : () -> tensor<2xf32>
  return
}

// -----

func.func @concat_rank(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error@below {{cannot concatenate tensors of 2 and 1 dimensions}}
  // expected-error@below {{'brisk.concat' op failed to infer returned types}}
  %0 = brisk.concat %x, %y {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<?x3xf32>
  return
}

// -----

func.func @concat_dims(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@below {{cannot concatenate along dimension 0: dimension 1 is 3 and 4}}
  // expected-error@below {{'brisk.concat' op failed to infer returned types}}
  %0 = brisk.concat %x, %y {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @split_sizes(%x: tensor<2x3xf32>) {
  %s = brisk.constant dense<[1, 1]> : tensor<2xi64>
  // expected-error@below {{sizes add up to 2 where dimension 1 is 3}}
  // expected-error@below {{'brisk.split' op failed to infer returned types}}
  %0:2 = brisk.split %x, %s {axis = 1 : i64, num_outputs = 2 : i64} : (tensor<2x3xf32>, tensor<2xi64>) -> (tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @split_count(%x: tensor<2x3xf32>) {
  %s = brisk.constant dense<[1, 1, 1]> : tensor<3xi64>
  // expected-error@below {{split has 3 sizes for 2 results}}
  // expected-error@below {{'brisk.split' op failed to infer returned types}}
  %0:2 = brisk.split %x, %s {axis = 1 : i64, num_outputs = 2 : i64} : (tensor<2x3xf32>, tensor<3xi64>) -> (tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @slice_step(%x: tensor<2x3xf32>) {
  %a = brisk.constant dense<0> : tensor<1xi64>
  // expected-error@below {{slice steps must not be 0}}
  // expected-error@below {{'brisk.slice' op failed to infer returned types}}
  %0 = brisk.slice %x, %a, %a axes %a steps %a : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xf32>
  return
}

// -----

func.func @slice_lengths(%x: tensor<2x3xf32>) {
  %a = brisk.constant dense<0> : tensor<1xi64>
  %b = brisk.constant dense<0> : tensor<2xi64>
  // expected-error@below {{slice has 1 starts and 2 ends}}
  // expected-error@below {{'brisk.slice' op failed to infer returned types}}
  %0 = brisk.slice %x, %a, %b : (tensor<2x3xf32>, tensor<1xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @pad_count(%x: tensor<2x3xf32>) {
  %a = brisk.constant dense<0> : tensor<3xi64>
  // expected-error@below {{pad needs 4 pads for 2 axes, found 3}}
  // expected-error@below {{'brisk.pad' op failed to infer returned types}}
  %0 = brisk.pad edge %x, %a : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @pad_reflect(%x: tensor<2x3xf32>) {
  %a = brisk.constant dense<[0, 3, 0, 0]> : tensor<4xi64>
  // expected-error@below {{dimension 1 of 3 elements cannot be reflected over 3}}
  // expected-error@below {{'brisk.pad' op failed to infer returned types}}
  %0 = brisk.pad reflect %x, %a : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<2x6xf32>
  return
}

// -----

// The crop leaves 1 of 3 elements.
func.func @pad_reflect_cropped(%x: tensor<3xf32>) {
  %a = brisk.constant dense<[-2, 1]> : tensor<2xi64>
  // expected-error@below {{dimension 0 of 1 elements cannot be reflected over 1}}
  // expected-error@below {{'brisk.pad' op failed to infer returned types}}
  %0 = brisk.pad reflect %x, %a : (tensor<3xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @pad_nothing(%x: tensor<3xf32>) {
  %a = brisk.constant dense<[-3, 2]> : tensor<2xi64>
  // expected-error@below {{dimension 0 of 3 elements has none left to pad with}}
  // expected-error@below {{'brisk.pad' op failed to infer returned types}}
  %0 = brisk.pad wrap %x, %a : (tensor<3xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @pad_negative(%x: tensor<2x3xf32>) {
  %a = brisk.constant dense<[-3, 0, 0, 0]> : tensor<4xi64>
  // expected-error@below {{pads leave dimension 0 at -1}}
  // expected-error@below {{'brisk.pad' op failed to infer returned types}}
  %0 = brisk.pad constant %x, %a : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<?x3xf32>
  return
}

// -----

func.func @pad_value(%x: tensor<2x3xf32>, %p: tensor<4xi64>, %v: tensor<i32>) {
  // expected-error@below {{pads with 'i32' a tensor of 'f32'}}
  %0 = brisk.pad constant %x, %p value %v : (tensor<2x3xf32>, tensor<4xi64>, tensor<i32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @tile_count(%x: tensor<2x3xf32>) {
  %a = brisk.constant dense<2> : tensor<1xi64>
  // expected-error@below {{tile has 1 repeats for 2 dimensions}}
  // expected-error@below {{'brisk.tile' op failed to infer returned types}}
  %0 = brisk.tile %x, %a : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @tile_overflow(%x: tensor<2x3xf32>) {
  %a = brisk.constant dense<9223372036854775807> : tensor<2xi64>
  // expected-error@below {{the result has too many elements}}
  // expected-error@below {{'brisk.tile' op failed to infer returned types}}
  %0 = brisk.tile %x, %a : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @fill_overflow() {
  %a = brisk.constant dense<4611686018427387904> : tensor<2xi64>
  // expected-error@below {{the result has too many elements}}
  // expected-error@below {{'brisk.fill' op failed to infer returned types}}
  %0 = brisk.fill %a {value = dense<1.0> : tensor<f32>} : (tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @depth_to_space_rank(%x: tensor<2x3xf32>) {
  // expected-error@below {{expected 4 dimensions, N x H x W x C, found 2}}
  // expected-error@below {{'brisk.depth_to_space' op failed to infer returned types}}
  %0 = brisk.depth_to_space dcr %x {blocksize = 2 : i64} : (tensor<2x3xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @space_to_depth_divides(%x: tensor<1x3x4x1xf32>) {
  // expected-error@below {{dimension 1 of 3 does not divide by 2}}
  // expected-error@below {{'brisk.space_to_depth' op failed to infer returned types}}
  %0 = brisk.space_to_depth %x {blocksize = 2 : i64} : (tensor<1x3x4x1xf32>) -> tensor<1x1x2x4xf32>
  return
}

// -----

func.func @split_results(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{split has 4294967296 results, expected at most 1048576}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:2 = brisk.split %x {axis = 1 : i64, num_outputs = 4294967296 : i64} : (tensor<2x3xf32>) -> (tensor<2x1xf32>, tensor<2x1xf32>)
  return
}

// -----

func.func @pad_overflow(%x: tensor<2xf32>) {
  %a = brisk.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
  // expected-error@below {{pad of -9223372036854775808 elements is too large}}
  // expected-error@below {{failed to infer returned types}}
  %0 = brisk.pad constant %x, %a : (tensor<2xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @blocksize_overflow(%x: tensor<1x0x0x0xf32>) {
  // expected-error@below {{blocksize 4294967296 is too large}}
  // expected-error@below {{failed to infer returned types}}
  %0 = brisk.space_to_depth %x {blocksize = 4294967296 : i64} : (tensor<1x0x0x0xf32>) -> tensor<1x0x0x0xf32>
  return
}

// -----

func.func @f(%x: tensor<5xf32>) {
  // expected-error@+2 {{dimension 0 of 5 does not split into 4 parts of 2, of which the last may be smaller}}
  // expected-error@+1 {{failed to infer returned types}}
  %0:4 = brisk.split %x {axis = 0 : i64, num_outputs = 4 : i64} : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<0xf32>)
  return
}

// -----

func.func @more_axes_than_memory(%x: tensor<3xf32>, %list: tensor<2147483648xi64>) {
  // expected-error@+2 {{axis 1 is out of range for 1 dimensions}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.slice %x, %list, %list : (tensor<3xf32>, tensor<2147483648xi64>, tensor<2147483648xi64>) -> tensor<3xf32>
  return
}

// -----

// No shape is as long; the rank is not known then.
func.func @more_axes_than_a_shape_has(%x: tensor<3x4xf32>, %list: tensor<2147483648xi64>) {
  %0 = brisk.unsqueeze %x, %list : (tensor<3x4xf32>, tensor<2147483648xi64>) -> tensor<*xf32>
  %1 = brisk.expand %x, %list : (tensor<3x4xf32>, tensor<2147483648xi64>) -> tensor<*xf32>
  return
}
