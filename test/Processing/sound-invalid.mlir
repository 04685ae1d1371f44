// What is wrong with a stage of sound is said at its line.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/none.yaml 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: none.yaml:{{[0-9:]+}} error: 'samples' has to be a whole number from 1 to
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/format.yaml 2>&1 | FileCheck %s --check-prefix=FORMAT
// FORMAT: format.yaml:{{[0-9:]+}} error: 'format' is 'mp3', expected one of s16, f32, u8
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/long.yaml 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: long.yaml:{{[0-9:]+}} error: 'length' has to be a whole number from 1 to 16000
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/hop.yaml 2>&1 | FileCheck %s --check-prefix=HOP
// HOP: hop.yaml:{{[0-9:]+}} error: 'hop' has to be a whole number from 1 to
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/window.yaml 2>&1 | FileCheck %s --check-prefix=WINDOW
// WINDOW: window.yaml:{{[0-9:]+}} error: 'window' is 'kaiser', expected one of none, hann, hamming
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/early.yaml 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: early.yaml:{{[0-9:]+}} error: the tensor is 'tensor<16000xf32>', expected frames x numbers in f32
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/size.yaml 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: size.yaml:{{[0-9:]+}} error: 'size' has to be a whole number from 480 to 65536
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/nyquist.yaml 2>&1 | FileCheck %s --check-prefix=NYQUIST
// NYQUIST: nyquist.yaml:{{[0-9:]+}} error: bands from 0{{.*}} to 9{{.*}}Hz have to lie between 0 and half of the rate
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/bands.yaml 2>&1 | FileCheck %s --check-prefix=BANDS
// BANDS: bands.yaml:{{[0-9:]+}} error: 'bands' has to be a whole number from 1 to 1024
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/silence.yaml 2>&1 | FileCheck %s --check-prefix=SILENCE
// SILENCE: silence.yaml:{{[0-9:]+}} error: floor or offset has to be larger than 0, so that silence has a logarithm
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/many.yaml 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: many.yaml:{{[0-9:]+}} error: 'coefficients' has to be a whole number from 1 to 241
// RUN: not brisk-opt %t/model.mlir --add-processing=pre=%t/shape.yaml 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: shape.yaml:{{[0-9:]+}} error: the tensor is 'tensor<49x241xf32>', and shape has

//--- model.mlir
func.func @model(%x: tensor<49x10xf32> {brisk.name = "input"}) -> (tensor<49x10xf32> {brisk.name = "y"}) {
  return %x : tensor<49x10xf32>
}
//--- none.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 0}
//--- format.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 100, format: mp3}
//--- long.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 16000}
  - frames: {length: 16001, hop: 320}
//--- hop.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 16000}
  - frames: {length: 480, hop: 0}
//--- window.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 16000}
  - frames: {length: 480, hop: 320, window: kaiser}
//--- early.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 16000}
  - spectrum
//--- size.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 16000}
  - frames: {length: 480, hop: 320}
  - spectrum: {size: 400}
//--- nyquist.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 16000}
  - frames: {length: 480, hop: 320}
  - spectrum
  - mel: {bands: 40, rate: 16000, high: 9000}
//--- bands.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 16000}
  - frames: {length: 480, hop: 320}
  - spectrum
  - mel: {bands: 0, rate: 16000}
//--- silence.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 16000}
  - frames: {length: 480, hop: 320}
  - spectrum
  - log
//--- many.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 16000}
  - frames: {length: 480, hop: 320}
  - spectrum
  - dct: {coefficients: 300}
//--- shape.yaml
pre: 1
inputs:
- stages:
  - sound: {samples: 16000}
  - frames: {length: 480, hop: 320}
  - spectrum
  - reshape: {shape: [7, 7]}
