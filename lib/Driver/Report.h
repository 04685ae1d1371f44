//===- Report.h - Where compile time and memory went ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DRIVER_REPORT_H
#define BRISK_LIB_DRIVER_REPORT_H

#include "ModelInfo.h"
#include "Package.h"
#include "brisk/Quantization/PostTraining.h"
#include "brisk/Quantization/Pruning.h"
#include "brisk/Quantization/WeightQuantization.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <string>
#include <vector>

namespace brisk {

/// Times the stages as they run, and writes the report.
class Report {
public:
  explicit Report(bool progress);

  /// Begins a stage, which ends when the next one begins or `end` is called.
  void begin(llvm::StringRef stage);
  void end();

  /// What became of a model that was quantized.
  void setQuantization(QuantizationReport report) {
    quantization = std::move(report);
  }
  void setQuantization(WeightReport report) { weights = std::move(report); }
  void setPruning(PruningReport report) { pruning = std::move(report); }

  /// The report as JSON.
  llvm::json::Value toJson(const ModelInfo &model,
                           const PackageSizes *sizes) const;

private:
  struct Stage {
    std::string name;
    double seconds;
    uint64_t peakBytes; // of the process, up to the stage's end
  };
  std::vector<Stage> stages;
  std::optional<PruningReport> pruning;
  std::optional<QuantizationReport> quantization;
  std::optional<WeightReport> weights;
  std::chrono::steady_clock::time_point started;
  bool running = false;
  bool progress;
};

} // namespace brisk

#endif // BRISK_LIB_DRIVER_REPORT_H
