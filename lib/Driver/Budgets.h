//===- Budgets.h - What a model may take of a machine's memory --*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DRIVER_BUDGETS_H
#define BRISK_LIB_DRIVER_BUDGETS_H

#include "Package.h"

namespace brisk {

/// Holds what a model takes against the budgets for RAM and flash.
class Budgets {
public:
  explicit Budgets(const CompileOptions &options) : options(options) {}

  /// Remembers who takes most, after the plan stage.
  void readPlan(mlir::ModuleOp module);

  /// Reports every budget that is exceeded, with what takes most. Without
  /// `sizes`, which come with the code, only what is known by then counts; and
  /// if code follows and of two budgets only one is known to be exceeded, that
  /// waits for the other.
  llvm::LogicalResult check(const ModelInfo &model, const PackageSizes *sizes,
                            bool codeFollows) const;

private:
  struct Part {
    uint64_t bytes;
    mlir::Location loc;
  };
  struct Use {
    llvm::StringLiteral memory, flag, remedy;
    std::vector<std::pair<uint64_t, llvm::StringRef>> terms;

    uint64_t getTotal() const {
      return llvm::sum_of(llvm::make_first_range(terms));
    }
  };
  mlir::InFlightDiagnostic report(const Use &use, uint64_t budget,
                                  bool isWhole) const;

  const CompileOptions &options;
  mlir::MLIRContext *context = nullptr;
  std::vector<Part> peak, weights;
};

} // namespace brisk

#endif // BRISK_LIB_DRIVER_BUDGETS_H
