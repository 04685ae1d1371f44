//===- OpTable.h - How ops are exported -------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_EXPORT_OPTABLE_H
#define BRISK_LIB_EXPORT_OPTABLE_H

#include "GraphExporter.h"

namespace brisk::onnxexport {

/// Exports an op. `type` is the name that its row gives, if any.
using Handler = void (*)(GraphExporter &e, mlir::Operation *op,
                         llvm::StringRef type);

struct OpRow {
  Handler handler;
  llvm::StringRef type;
};

class OpTable {
public:
  /// The table of all families.
  static const OpTable &get();

  /// An op with a handler for it.
  template <typename OpTy> void on(Handler handler, llvm::StringRef type = "") {
    rows[OpTy::getOperationName()] = {handler, type};
  }
  /// The row of an op; null if there is none.
  const OpRow *find(mlir::Operation *op) const;

private:
  llvm::StringMap<OpRow> rows;
};

/// A handler for one class of ops.
template <typename OpTy, void (*handler)(GraphExporter &, OpTy)>
void typed(GraphExporter &e, mlir::Operation *op, llvm::StringRef) {
  handler(e, mlir::cast<OpTy>(op));
}

/// An op whose operands and results are those of ONNX's.
void exportSame(GraphExporter &e, mlir::Operation *op, llvm::StringRef type);

// One a family file.
void addContractionRows(OpTable &table);
void addControlFlowRows(OpTable &table);
void addElementwiseRows(OpTable &table);
void addIndexingRows(OpTable &table);
void addNormalizationRows(OpTable &table);
void addPoolRows(OpTable &table);
void addQuantizationRows(OpTable &table);
void addRecurrentRows(OpTable &table);
void addReductionRows(OpTable &table);
void addShapeRows(OpTable &table);

} // namespace brisk::onnxexport

#endif // BRISK_LIB_EXPORT_OPTABLE_H
