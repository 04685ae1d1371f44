//===- FrameOps.td - Pictures as cameras give them ---------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_FRAMEOPS_TD
#define BRISK_DIALECT_FRAMEOPS_TD

include "brisk/Dialect/BriskBase.td"
include "brisk/Dialect/BriskEnums.td"

def Brisk_ReadFrameOp : Brisk_InferredOp<"read_frame", [], [{
    /// How many rows and columns of pixels the frame has; its rows of bytes may
    /// be longer, and NV12 has half as many more.
    int64_t getHeight();
    /// The part of the frame that is read: top, left, height, width.
    ::std::array<int64_t, 4> getReadWindow();
    /// The bytes of a pixel of the result.
    int64_t getChannels();
  }]> {
  let summary = "a window of a frame, in the colours and the size asked for";
  let description = [{
    `frame` has rows of bytes, which may be longer than their `width` pixels. In
    `gray` a pixel is a byte, in `rgb` and `bgr` three. `nv12` has the rows of
    brightness, of a byte a pixel, and below them half as many of pairs U, V, each
    for 2 x 2 pixels.

    The result is height x width x channels. Pixels are first converted to `color`
    (`gray`, `rgb` or `bgr`) as OpenCV's `cvtColor` does: NV12 by the integer
    arithmetic of BT.601 in the narrow range, RGB to gray by the weights 9798, 19235
    and 3735 of 32768. Then `window` (top, left, height, width; all by default) is
    resized to `size` (height, width; by default the window's), in the arithmetic
    of the library that `resize` names, to the byte: OpenCV's `INTER_LINEAR`,
    `INTER_AREA` (which may be off by one where pixels are covered in part) and
    `INTER_NEAREST`, Pillow's `BILINEAR`, `BOX` and `NEAREST`.

    ```mlir
    %0 = brisk.read_frame %frame {format = #brisk<frame_format nv12>, width = 640, color = #brisk<frame_format rgb>, size = array<i64: 320, 320>}
        : (tensor<720x640xui8>) -> tensor<320x320x3xui8>
    ```
  }];
  let arguments = (ins Brisk_TensorOf<[UI8]>:$frame,
      Brisk_FrameFormatAttr:$format,
      ConfinedAttr<I64Attr, [IntPositive]>:$width,
      Brisk_FrameFormatAttr:$color,
      OptionalAttr<DenseI64ArrayAttr>:$window,
      OptionalAttr<DenseI64ArrayAttr>:$size,
      DefaultValuedAttr<Brisk_FrameResizeAttr, "::brisk::FrameResize::OpencvLinear">:$resize);
  let flops = "6 * countResults()";
}

#endif // BRISK_DIALECT_FRAMEOPS_TD
