// RUN: brisk-opt %s | FileCheck %s

// CHECK-LABEL: func.func @whole(
// CHECK: brisk.read_frame {{.*}} -> tensor<480x640x3xui8>
func.func @whole(%frame: tensor<480x1920xui8>) {
  %0 = brisk.read_frame %frame {format = #brisk<frame_format bgr>, width = 640, color = #brisk<frame_format rgb>} : (tensor<480x1920xui8>) -> tensor<480x640x3xui8>
  return
}

// Rows may be longer than their pixels.
// CHECK-LABEL: func.func @window(
// CHECK: brisk.read_frame {{.*}} -> tensor<100x200x1xui8>
func.func @window(%frame: tensor<480x704xui8>) {
  %0 = brisk.read_frame %frame {format = #brisk<frame_format gray>, width = 640, color = #brisk<frame_format gray>, window = array<i64: 380, 440, 100, 200>} : (tensor<480x704xui8>) -> tensor<100x200x1xui8>
  return
}

// CHECK-LABEL: func.func @nv12(
// CHECK: brisk.read_frame {{.*}} -> tensor<320x320x3xui8>
func.func @nv12(%frame: tensor<720x640xui8>) {
  %0 = brisk.read_frame %frame {format = #brisk<frame_format nv12>, width = 640, color = #brisk<frame_format rgb>, size = array<i64: 320, 320>, resize = #brisk<frame_resize pillow_box>} : (tensor<720x640xui8>) -> tensor<320x320x3xui8>
  return
}
