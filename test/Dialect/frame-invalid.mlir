// RUN: brisk-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<8x24xui8>) {
  // expected-error@+2 {{color is nv12, expected gray, rgb or bgr}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.read_frame %x {format = #brisk<frame_format rgb>, width = 8, color = #brisk<frame_format nv12>} : (tensor<8x24xui8>) -> tensor<8x8x3xui8>
  return
}

// -----

func.func @f(%x: tensor<8xui8>) {
  // expected-error@+2 {{the frame has 1 dimensions, expected 2: rows and their bytes}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.read_frame %x {format = #brisk<frame_format rgb>, width = 8, color = #brisk<frame_format rgb>} : (tensor<8xui8>) -> tensor<8x8x3xui8>
  return
}

// -----

func.func @f(%x: tensor<?x24xui8>) {
  // expected-error@+2 {{the frame's size has to be known}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.read_frame %x {format = #brisk<frame_format rgb>, width = 8, color = #brisk<frame_format rgb>} : (tensor<?x24xui8>) -> tensor<8x8x3xui8>
  return
}

// -----

func.func @f(%x: tensor<8x23xui8>) {
  // expected-error@+2 {{rows of 23 bytes do not hold 8 pixels of 3 bytes}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.read_frame %x {format = #brisk<frame_format rgb>, width = 8, color = #brisk<frame_format rgb>} : (tensor<8x23xui8>) -> tensor<8x8x3xui8>
  return
}

// -----

func.func @f(%x: tensor<8x9999999xui8>) {
  // expected-error@+2 {{the frame is 8 x 2000000, expected at most 1048576 a side}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.read_frame %x {format = #brisk<frame_format rgb>, width = 2000000, color = #brisk<frame_format rgb>} : (tensor<8x9999999xui8>) -> tensor<8x8x3xui8>
  return
}

// -----

func.func @f(%x: tensor<10x8xui8>) {
  // expected-error@+2 {{an NV12 frame has 10 rows of 8 pixels, expected a multiple of 3 rows and an even number of pixels}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.read_frame %x {format = #brisk<frame_format nv12>, width = 8, color = #brisk<frame_format rgb>} : (tensor<10x8xui8>) -> tensor<8x8x3xui8>
  return
}

// -----

func.func @f(%x: tensor<12x7xui8>) {
  // expected-error@+2 {{an NV12 frame has 12 rows of 7 pixels, expected a multiple of 3 rows and an even number of pixels}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.read_frame %x {format = #brisk<frame_format nv12>, width = 7, color = #brisk<frame_format rgb>} : (tensor<12x7xui8>) -> tensor<8x8x3xui8>
  return
}

// -----

func.func @f(%x: tensor<8x24xui8>) {
  // expected-error@+2 {{window 8 x 8 at row 1, column 0 is not within the frame of 8 x 8 pixels}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.read_frame %x {format = #brisk<frame_format rgb>, width = 8, color = #brisk<frame_format rgb>, window = array<i64: 1, 0, 8, 8>} : (tensor<8x24xui8>) -> tensor<8x8x3xui8>
  return
}

// -----

func.func @f(%x: tensor<8x24xui8>) {
  // expected-error@+2 {{window has the number 0, expected one from 1 to 1048576}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.read_frame %x {format = #brisk<frame_format rgb>, width = 8, color = #brisk<frame_format rgb>, window = array<i64: 0, 0, 0, 8>} : (tensor<8x24xui8>) -> tensor<8x8x3xui8>
  return
}

// -----

func.func @f(%x: tensor<8x24xui8>) {
  // expected-error@+2 {{size has 1 numbers, expected 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %0 = brisk.read_frame %x {format = #brisk<frame_format rgb>, width = 8, color = #brisk<frame_format rgb>, size = array<i64: 8>} : (tensor<8x24xui8>) -> tensor<8x8x3xui8>
  return
}
