//===- OpTable.h - Which ONNX ops are imported, and how --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The import table. Each family file adds its rows: `on("Squeeze", 13,
// handler)` imports Squeeze as operator set 13 and later define it, up to the
// next row.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_IMPORT_OPTABLE_H
#define BRISK_LIB_IMPORT_OPTABLE_H

#include "Node.h"
#include "llvm/ADT/StringMap.h"

namespace brisk::onnximport {

using Handler = Results (*)(Node &);

class OpTable {
public:
  /// The table of all families.
  static const OpTable &get();

  void on(llvm::StringRef op, int64_t sinceVersion, Handler handler);
  /// The handler of an op in an operator set; null if there is none.
  Handler find(llvm::StringRef op, int64_t opset) const;
  /// Whether the op has a row in some operator set.
  bool knows(llvm::StringRef op) const { return rows.contains(op); }

private:
  // By version, ascending.
  llvm::StringMap<llvm::SmallVector<std::pair<int64_t, Handler>, 2>> rows;
};

// One a family file.
void addActivationRows(OpTable &table);
void addAttentionRows(OpTable &table);
void addControlFlowRows(OpTable &table);
void addContractionRows(OpTable &table);
void addElementwiseRows(OpTable &table);
void addIndexingRows(OpTable &table);
void addLossRows(OpTable &table);
void addNormalizationRows(OpTable &table);
void addPoolRows(OpTable &table);
void addQuantizationRows(OpTable &table);
void addRecurrentRows(OpTable &table);
void addReductionRows(OpTable &table);
void addResizeRows(OpTable &table);
void addShapeRows(OpTable &table);
void addStructuralRows(OpTable &table);

} // namespace brisk::onnximport

#endif // BRISK_LIB_IMPORT_OPTABLE_H
