//===- Stage.h - How stages become ops --------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage is a row of the table: its name in a description, and the handler
// that makes its ops.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_PROCESSING_STAGE_H
#define BRISK_LIB_PROCESSING_STAGE_H

#include "Document.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

namespace brisk::processing {

using Values = llvm::SmallVector<mlir::Value>;

/// A stage that is being made: its fields, and where its ops go.
class Stage {
public:
  Stage(mlir::func::FuncOp function, mlir::OpBuilder &b, mlir::Location loc,
        mlir::Location file, Fields &fields, unsigned input,
        llvm::StringRef inputName)
      : b(b), fields(fields), loc(loc), function(function), file(file),
        input(input), inputName(inputName) {}

  /// The first result of an op. Operands and attributes have to fit: what a
  /// user may get wrong is checked before.
  template <typename OpTy, typename... Args> mlir::Value make(Args &&...args) {
    return OpTy::create(b, loc, std::forward<Args>(args)...)->getResult(0);
  }
  /// A constant of any shape, in elements of type `element`, a float's.
  mlir::Value floats(llvm::ArrayRef<double> values,
                     llvm::ArrayRef<int64_t> shape, mlir::Type element);
  /// A float or an integer of rank 0 of `like`'s element type.
  mlir::Value number(double value, mlir::Value like);
  mlir::Value ints(llvm::ArrayRef<int64_t> values);
  mlir::Value cast(mlir::Value value, mlir::Type element);

  /// Reports at the stage's place in the file.
  mlir::InFlightDiagnostic fail() { return mlir::emitError(file); }

  /// Of the first stage before a model: adds the input that the path begins
  /// with.
  mlir::Value addInput(mlir::RankedTensorType type);

  mlir::OpBuilder &b;
  Fields &fields;
  const mlir::Location loc; ///< of ops
  mlir::func::FuncOp function;

private:
  mlir::Location file;
  unsigned input;
  llvm::StringRef inputName;
};

/// Makes a stage's ops, of the values that the stage before gave (none for a
/// stage that begins a path) and gives their results.
using Handler = mlir::FailureOr<Values> (*)(Stage &stage,
                                            llvm::ArrayRef<mlir::Value> values);

class StageTable {
public:
  /// The stages that may come before a model, or after it.
  static const StageTable &get(Phase phase);

  void on(llvm::StringRef name, Handler handler) { rows[name] = handler; }
  /// Null if there is none.
  Handler find(llvm::StringRef name) const { return rows.lookup(name); }
  /// All names, with commas between.
  std::string list() const;

private:
  llvm::MapVector<llvm::StringRef, Handler> rows;
};

// One a family file.
void addFrameStages(StageTable &pre);
void addSoundStages(StageTable &pre);
void addTensorStages(StageTable &pre, StageTable &post);
void addAnswerStages(StageTable &post);

/// The one value that a stage takes; fails if it was given none, or several.
mlir::FailureOr<mlir::Value> takeOne(Stage &stage,
                                     llvm::ArrayRef<mlir::Value> values);

} // namespace brisk::processing

#endif // BRISK_LIB_PROCESSING_STAGE_H
