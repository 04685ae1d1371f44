//===- Diagnostics.h - Messages as users read them --------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints diagnostics as `FILE: error: node 'conv1' (Conv): text`: imported ops
// are located by their node, not by a line. Textual IR has lines, at which its
// messages are printed. Users of models know no ops of the IR: what names one
// after import is our fault, and says so.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_DRIVER_DIAGNOSTICS_H
#define BRISK_LIB_DRIVER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/SourceMgr.h"

#include <functional>

namespace brisk {

class DiagnosticPrinter : public mlir::ScopedDiagnosticHandler {
public:
  /// Prints to standard error; `beforeError` runs before each error. `file` and
  /// `sources` outlive the printer.
  DiagnosticPrinter(llvm::SourceMgr &sources, mlir::MLIRContext &context,
                    const std::string &file, std::function<void()> beforeError);

  /// From here on the model has been accepted: an error that speaks of ops of
  /// the IR is a fault of the compiler, and is reported as such.
  void acceptModel() { isAccepted = true; }

private:
  void printHead(mlir::Location loc, llvm::StringRef kind);
  void printOne(mlir::Diagnostic &diagnostic);
  void printSource(mlir::FileLineColLoc loc);

  llvm::SourceMgr &sources;
  const std::string &file;
  std::function<void()> beforeError;
  bool isAccepted = false;
};

} // namespace brisk

#endif // BRISK_LIB_DRIVER_DIAGNOSTICS_H
