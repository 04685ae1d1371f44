//===- PostTraining.h - Quantization of trained models ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a model of floats one of bytes. Samples of its inputs are run through
// the compiled model itself: once to see where values lie, once to see by how
// much bytes change the mean of each channel, and then with one layer after the
// other in bytes, to see which of them have to stay floats. Those stay floats,
// too, that the target's kernels compute no faster in bytes.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_QUANTIZATION_POSTTRAINING_H
#define BRISK_QUANTIZATION_POSTTRAINING_H

#include "brisk/Execution/Library.h"
#include "brisk/Quantization/Calibrator.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace brisk {

/// Which layers stay floats: those that cost accuracy or win no time, or none
/// that can be bytes.
enum class MixedPrecision { Auto, Off };

struct PostTrainingOptions {
  /// Where the samples are: see CalibrationData.
  std::string calibration;
  /// None: for each value whichever of Mse and MinMax changes the outputs less.
  std::optional<Calibrator> calibrator;
  MixedPrecision mixedPrecision = MixedPrecision::Auto;
  /// The least signal-to-quantization-noise ratio of every output, in dB.
  /// Without one, `usualSqnr` is aimed at, and no more than half of the
  /// multiply-adds stay floats for it.
  std::optional<double> minSqnr;
  /// Instead: by how many percent of the samples fewer may be classified right,
  /// and the file of their classes.
  std::optional<double> maxDrop;
  std::string labels;

  static constexpr double usualSqnr = 46;
  static constexpr double mostFloats = 0.5;
};

/// What became of the model.
struct QuantizationReport {
  struct Layer {
    std::string name; ///< of the ONNX node
    uint64_t multiplyAdds;
    bool isBytes;
    std::string reason = {}; ///< why it is not; empty if it is
    /// SQNR in dB of the model with this layer alone in bytes, and with all
    /// layers up to it; absent for layers that cannot be bytes.
    std::optional<double> alone = {}, accumulated = {};
    /// Cycles that bytes save among layers of bytes; absent likewise.
    std::optional<double> cyclesWon = {};
    /// The channels that it reads were scaled to make them alike.
    bool isEqualized = false;
  };
  std::vector<Layer> layers;
  std::vector<std::string> files; ///< that the samples were read from
  uint64_t samples = 0;
  /// SQNR in dB with every layer in bytes that can be, and as chosen.
  /// Absent without samples.
  std::optional<double> allBytes, chosen;
  /// Estimated cycles of a run on the target with every layer in floats, in
  /// bytes where possible, and as chosen.
  double cyclesOfFloats = 0, cyclesOfBytes = 0, cyclesChosen = 0;
};

/// Compiles a module for this machine, and loads it. The module is used up.
using CompileFunction = llvm::function_ref<llvm::Expected<execution::Library>(
    mlir::ModuleOp module)>;

/// The cycles that a module would take on its target, as its kernels are
/// estimated. The module is used up.
using EstimateFunction =
    llvm::function_ref<llvm::Expected<double>(mlir::ModuleOp module)>;

/// Quantizes the model in `module`, whose shapes are fixed and whose algebra is
/// done: values and weights of layers go through brisk.quantize and
/// brisk.dequantize from then on. An error says what is wrong with the samples
/// or why the model cannot be quantized.
llvm::Expected<QuantizationReport>
quantizeTrained(mlir::ModuleOp module, const PostTrainingOptions &options,
                CompileFunction compile, EstimateFunction estimate);

} // namespace brisk

#endif // BRISK_QUANTIZATION_POSTTRAINING_H
