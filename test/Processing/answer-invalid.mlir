// What is wrong with a stage after a model is said at its line.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/which.yaml 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: which.yaml:{{[0-9:]+}} error: a path lacks 'outputs'
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/unknown.yaml 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown.yaml:{{[0-9:]+}} error: no output is named 'boxes'; the model's outputs: 'scores', 'bytes', 'flags'
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/both.yaml 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: both.yaml:{{[0-9:]+}} error: this stage takes one tensor, and was given 2
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/names.yaml 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES: names.yaml:{{[0-9:]+}} error: 'names' has 2 names, and the stages give 1 outputs
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/bytes.yaml 2>&1 | FileCheck %s --check-prefix=BYTES
// BYTES: bytes.yaml:{{[0-9:]+}} error: the tensor is 'tensor<4xui8>', expected floats
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/axis.yaml 2>&1 | FileCheck %s --check-prefix=AXIS
// AXIS: axis.yaml:{{[0-9:]+}} error: 'axis' has to be a whole number from -3 to 2
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/k.yaml 2>&1 | FileCheck %s --check-prefix=K
// K: k.yaml:{{[0-9:]+}} error: 'k' has to be a whole number from 1 to 100
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/scale.yaml 2>&1 | FileCheck %s --check-prefix=SCALE
// SCALE: scale.yaml:{{[0-9:]+}} error: scale has to be larger than 0
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/ctc.yaml 2>&1 | FileCheck %s --check-prefix=CTC
// CTC: ctc.yaml:{{[0-9:]+}} error: the scores are 'tensor<4xui8>', expected steps x classes
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/blank.yaml 2>&1 | FileCheck %s --check-prefix=BLANK
// BLANK: blank.yaml:{{[0-9:]+}} error: 'blank' has to be a whole number from 0 to 99
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/yolo.yaml 2>&1 | FileCheck %s --check-prefix=YOLO
// YOLO: yolo.yaml:{{[0-9:]+}} error: the boxes are 'tensor<4xui8>', expected floats, 4 + classes x boxes
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/score.yaml 2>&1 | FileCheck %s --check-prefix=SCORE
// SCORE: score.yaml:{{[0-9:]+}} error: score and iou have to be between 0 and 1
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/frame.yaml 2>&1 | FileCheck %s --check-prefix=FRAME
// FRAME: frame.yaml:{{[0-9:]+}} error: frame and input go with each other
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/within.yaml 2>&1 | FileCheck %s --check-prefix=WITHIN
// WITHIN: within.yaml:{{[0-9:]+}} error: frame has the unknown key 'depth'; it takes height, width

// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/flags1.yaml 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/flags2.yaml 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/flags3.yaml 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: not brisk-opt %t/model.mlir --add-processing=post=%t/flags4.yaml 2>&1 | FileCheck %s --check-prefix=FLAGS
// FLAGS: error: the tensor is 'tensor<4x5xi1>', expected numbers

//--- model.mlir
func.func @model(%x: tensor<1x84x100xf32> {brisk.name = "x"}, %b: tensor<4xui8> {brisk.name = "b"}, %f: tensor<4x5xi1> {brisk.name = "f"}) -> (tensor<1x84x100xf32> {brisk.name = "scores"}, tensor<4xui8> {brisk.name = "bytes"}, tensor<4x5xi1> {brisk.name = "flags"}) {
  return %x, %b, %f : tensor<1x84x100xf32>, tensor<4xui8>, tensor<4x5xi1>
}
//--- which.yaml
post: 1
outputs:
- stages: [softmax]
//--- unknown.yaml
post: 1
outputs:
- outputs: boxes
  stages: [softmax]
//--- both.yaml
post: 1
outputs:
- outputs: [scores, bytes]
  names: [y]
  stages: [softmax]
//--- names.yaml
post: 1
outputs:
- outputs: scores
  names: [a, b]
  stages: [softmax]
//--- bytes.yaml
post: 1
outputs:
- outputs: bytes
  stages: [softmax]
//--- axis.yaml
post: 1
outputs:
- outputs: scores
  stages: [softmax: {axis: 3}]
//--- k.yaml
post: 1
outputs:
- outputs: scores
  names: [a, b]
  stages: [top_k: {k: 101}]
//--- scale.yaml
post: 1
outputs:
- outputs: bytes
  stages: [dequantize: {scale: 0}]
//--- ctc.yaml
post: 1
outputs:
- outputs: bytes
  names: [a, b]
  stages: [ctc]
//--- blank.yaml
post: 1
outputs:
- outputs: scores
  names: [a, b]
  stages: [ctc: {blank: 100}]
//--- yolo.yaml
post: 1
outputs:
- outputs: bytes
  names: [a, b, c, d]
  stages: [yolo]
//--- score.yaml
post: 1
outputs:
- outputs: scores
  names: [boxes, scores, classes, count]
  stages:
  - yolo: {score: 1.5}
//--- frame.yaml
post: 1
outputs:
- outputs: scores
  names: [boxes, scores, classes, count]
  stages:
  - yolo: {frame: {height: 480, width: 640}}
//--- within.yaml
post: 1
outputs:
- outputs: scores
  names: [boxes, scores, classes, count]
  stages:
  - yolo: {frame: {height: 480, width: 640, depth: 3}, input: {height: 320, width: 320}}
//--- flags1.yaml
post: 1
outputs:
- outputs: flags
  stages: [argmax]
//--- flags2.yaml
post: 1
outputs:
- outputs: flags
  stages: [top_k: {k: 2}]
//--- flags3.yaml
post: 1
outputs:
- outputs: flags
  stages: [ctc]
//--- flags4.yaml
post: 1
outputs:
- outputs: flags
  stages: [dequantize: {scale: 1}]
