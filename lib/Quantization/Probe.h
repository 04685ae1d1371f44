//===- Probe.h - A compiled model that is looked into -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_PROBE_H
#define BRISK_LIB_QUANTIZATION_PROBE_H

#include "CalibrationData.h"
#include "brisk/Execution/Instance.h"
#include "brisk/Quantization/PostTraining.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace brisk {

/// The function of the module that is the model.
mlir::func::FuncOp getModelFunction(mlir::ModuleOp module);

/// The samples in a file or folder for the function's inputs.
llvm::Expected<CalibrationData> readSamples(mlir::func::FuncOp function,
                                            llvm::StringRef path);

/// Adds values of the function to its results.
void addResults(mlir::func::FuncOp function, mlir::ValueRange values);

/// Adds a boolean of rank 0 to the function's arguments.
mlir::Value addSwitch(mlir::func::FuncOp function);

/// A compiled copy of the model, with results and switches of its own behind
/// those that the model has.
class Probe {
public:
  static llvm::Expected<Probe> create(mlir::ModuleOp module,
                                      const CalibrationData &data,
                                      CompileFunction compile);

  /// Sets the switch of that number.
  void set(unsigned number, bool value);
  llvm::Error run(uint64_t sample);
  unsigned countOutputs() const { return (*library)->num_outputs; }
  execution::TensorView output(unsigned index) const {
    return instance->output(index);
  }
  /// An output of f32.
  llvm::ArrayRef<float> floats(unsigned index) const;

private:
  Probe(execution::Library library, const CalibrationData &data)
      : library(std::make_unique<execution::Library>(std::move(library))),
        data(&data) {}

  // Which the instance refers to.
  std::unique_ptr<execution::Library> library;
  std::optional<execution::Instance> instance;
  const CalibrationData *data;
  unsigned inputs = 0; ///< of the model
};

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_PROBE_H
