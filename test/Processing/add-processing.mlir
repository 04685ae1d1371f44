// What is wrong with a description is said at its place.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/missing.yaml 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: missing.yaml:1:1: error: cannot read it:
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/empty.yaml 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: empty.yaml:1:1: error: the file is empty
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/broken.yaml 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: broken.yaml:2:{{[0-9]+}}: error:
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/version.yaml 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: version.yaml:1:6: error: 'pre' has to be a whole number from 1 to 1
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/post.yaml 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: post.yaml:1:1: error: the file lacks 'pre'
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/unknown.yaml 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown.yaml:2:9: error: the file has the unknown key 'input'; it takes inputs, pre
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/stage.yaml 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: stage.yaml:4:7: error: there is no stage 'rotate' before a model; choose from {{.*}}normalize, layout
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/first.yaml 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: first.yaml:4:7: error: this stage cannot be the first; a path begins with one that reads
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/input.yaml 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: input.yaml:3:10: error: no input is named 'sound'; the model's inputs: 'image'
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/deep.yaml 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: error: values are nested too deeply
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/twice.yaml 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: twice.yaml:2:1: error: 'pre' is given twice
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/alias.yaml 2>&1 | FileCheck %s --check-prefix=ALIAS
// ALIAS: alias.yaml:{{.*}} error: anchors are not taken

// RUN: not briskc %t/model.mlir --pre %t/stage.yaml --emit=obj -o %t/model.o 2>&1 | FileCheck %s --check-prefix=DRIVER
// DRIVER: {{^}}{{.*}}stage.yaml:4:7: error: there is no stage 'rotate'
// DRIVER-NOT: func.func
// RUN: not briskc %t/model.mlir --pre %t/pre.yaml --emit=onnx -o %t/model.onnx 2>&1 | FileCheck %s --check-prefix=ONNX
// ONNX: briskc: error: --pre: ONNX has no words for these stages; leave it out with --emit=onnx
// RUN: briskc %t/model.mlir --pre %t/pre.yaml --post %t/post-all.yaml --emit=obj -o %t/model.o --depfile %t/model.d
// RUN: FileCheck %s --check-prefix=FILES < %t/model.d
// FILES: post-all.yaml
// FILES: pre.yaml
// RUN: brisk-opt %t/model.mlir --add-processing="pre=%t/pre.yaml post=%t/post-all.yaml" --mlir-print-debuginfo | FileCheck %s
// CHECK: loc(fused<#brisk<phase pre>>
// CHECK: func.func @model({{.*}}: tensor<20x32xui8> {brisk.name = "camera"}
// CHECK-SAME: -> (tensor<1x3x8x4xf32> {brisk.name = "best"}, tensor<1x3x8x4xi64> {brisk.name = "places"})
// CHECK: brisk.read_frame {{.*}}size = array<i64: 8, 6>, width = 10 : i64, window = array<i64: 4, 0, 13, 10>{{.*}} -> tensor<8x6x3xui8>
// CHECK-NOT: brisk.read_frame
// CHECK: brisk.pad {{.*}} -> tensor<8x8x3xui8>
// CHECK: brisk.div
// CHECK-NOT: brisk.sub
// CHECK: brisk.top_k
// CHECK: loc("post/top_k"
//--- pre.yaml
pre: 1
inputs:
- name: camera
  stages:
  - frame: {format: rgb, height: 20, width: 10, pitch: 32}
  - crop: {top: 4, height: 13, width: 10}
  - letterbox: {height: 8, width: 8}
  - normalize: {scale: 255}
  - layout: {order: nchw}
//--- post-all.yaml
post: 1
outputs:
- names: [best, places]
  stages:
  - top_k: {k: 4}
//--- model.mlir
func.func @model(%x: tensor<1x3x8x8xf32> {brisk.name = "image"}) -> (tensor<1x3x8x8xf32> {brisk.name = "y"}) {
  return %x : tensor<1x3x8x8xf32>
}
//--- empty.yaml
//--- broken.yaml
pre: 1
inputs: [
//--- version.yaml
pre: 2
inputs: []
//--- post.yaml
post: 1
outputs: []
//--- unknown.yaml
pre: 1
input: []
//--- stage.yaml
pre: 1
inputs:
  - stages:
    - rotate: {degrees: 90}
//--- first.yaml
pre: 1
inputs:
  - stages:
    - layout: {order: nchw}
//--- input.yaml
pre: 1
inputs:
- input: sound
  stages: [layout]
//--- deep.yaml
pre: [[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]
//--- twice.yaml
pre: 1
pre: 1
//--- alias.yaml
pre: &a 1
inputs: *a
