// What is wrong with a stage of pictures is said at its line.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/format.yaml 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: format.yaml:{{[0-9:]+}} error: 'format' is 'yuyv', expected one of gray, rgb, bgr, nv12
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/empty.yaml 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: empty.yaml:{{[0-9:]+}} error: 'height' has to be a whole number from 1 to 1048576
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/oversize.yaml 2>&1 | FileCheck %s --check-prefix=OVERSIZE
// OVERSIZE: oversize.yaml:{{[0-9:]+}} error: 'width' has to be a whole number from 1 to 1048576
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/pitch.yaml 2>&1 | FileCheck %s --check-prefix=PITCH
// PITCH: pitch.yaml:{{[0-9:]+}} error: 'pitch' has to be a whole number from 24 to 4194304
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/odd.yaml 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: odd.yaml:{{[0-9:]+}} error: an NV12 frame has an even height and width, and 8 x 7 is given
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/key.yaml 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: key.yaml:{{[0-9:]+}} error: stage 'frame' has the unknown key 'stride'; it takes format, height, pitch, width
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/lacks.yaml 2>&1 | FileCheck %s --check-prefix=LACKS
// LACKS: lacks.yaml:{{[0-9:]+}} error: stage 'frame' lacks 'width'
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/second.yaml 2>&1 | FileCheck %s --check-prefix=SECOND
// SECOND: second.yaml:{{[0-9:]+}} error: a frame is the first stage of a path
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/crop.yaml 2>&1 | FileCheck %s --check-prefix=CROP
// CROP: crop.yaml:{{[0-9:]+}} error: 100 x 640 pixels at row 400, column 0 are not within the picture of 480 x 640
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/late.yaml 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: late.yaml:{{[0-9:]+}} error: a frame is cropped before it is resized
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/twice.yaml 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: twice.yaml:{{[0-9:]+}} error: the frame is resized already
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/method.yaml 2>&1 | FileCheck %s --check-prefix=METHOD
// METHOD: method.yaml:{{[0-9:]+}} error: 'method' is 'cubic', expected one of opencv_linear,
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/color.yaml 2>&1 | FileCheck %s --check-prefix=COLOR
// COLOR: color.yaml:{{[0-9:]+}} error: 'to' is 'nv12', expected one of gray, rgb, bgr
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/numbers.yaml 2>&1 | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: numbers.yaml:{{[0-9:]+}} error: this stage works on a frame as it is read; put it before letterbox and what makes numbers of it
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/mean.yaml 2>&1 | FileCheck %s --check-prefix=MEAN
// MEAN: mean.yaml:{{[0-9:]+}} error: mean and std have 2 numbers, expected 1 or 3, one for each channel
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/nan.yaml 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: nan.yaml:{{[0-9:]+}} error: 'mean' has to be a number
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/std.yaml 2>&1 | FileCheck %s --check-prefix=STD
// STD: std.yaml:{{[0-9:]+}} error: scale and std must not be 0
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/order.yaml 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: order.yaml:{{[0-9:]+}} error: 'order' is 'chwn', expected one of nchw, nhwc
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/type.yaml 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: type.yaml:{{[0-9:]+}} error: the stages give 'tensor<1x3x8x8xui8>', and input 'image' of the model is 'tensor<1x3x8x8xf32>'
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/point.yaml 2>&1 | FileCheck %s --check-prefix=POINT
// POINT: point.yaml:{{[0-9:]+}} error: 'zero_point' has to be a whole number from 0 to 255

//--- model.mlir
func.func @model(%x: tensor<1x3x8x8xf32> {brisk.name = "image"}) -> (tensor<1x3x8x8xf32> {brisk.name = "y"}) {
  return %x : tensor<1x3x8x8xf32>
}
//--- format.yaml
pre: 1
inputs:
- stages:
  - frame: {format: yuyv, height: 8, width: 8}
//--- empty.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 0, width: 8}
//--- oversize.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 8, width: 99999999}
//--- pitch.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 8, width: 8, pitch: 23}
//--- odd.yaml
pre: 1
inputs:
- stages:
  - frame: {format: nv12, height: 8, width: 7}
//--- key.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 8, width: 8, stride: 24}
//--- lacks.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 8}
//--- second.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - frame: {format: rgb, height: 8, width: 8}
//--- crop.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - crop: {top: 400, height: 100, width: 640}
//--- late.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - resize: {height: 8, width: 8}
  - crop: {height: 4, width: 4}
//--- twice.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - resize: {height: 8, width: 8}
  - letterbox: {height: 8, width: 8}
//--- method.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - resize: {height: 8, width: 8, method: cubic}
//--- color.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - color: {to: nv12}
//--- numbers.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - normalize: {scale: 255}
  - resize: {height: 8, width: 8}
//--- mean.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - normalize: {mean: [1, 2]}
//--- nan.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - normalize: {mean: .nan}
//--- std.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - normalize: {std: [1, 0, 1]}
//--- order.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - layout: {order: chwn}
//--- type.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - resize: {height: 8, width: 8}
  - layout: {order: nchw}
//--- point.yaml
pre: 1
inputs:
- stages:
  - frame: {format: rgb, height: 480, width: 640}
  - normalize: {scale: 255}
  - quantize: {type: uint8, scale: 0.1, zero_point: 300}
