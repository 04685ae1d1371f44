//===- OpTable.h - Which ONNX ops are imported, and how ---------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The import tables, one a domain. Each family file adds its rows:
// `on("Squeeze", 13, handler)` imports Squeeze as operator set 13 and later
// define it, up to the next row.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_IMPORT_OPTABLE_H
#define BRISK_LIB_IMPORT_OPTABLE_H

#include "Node.h"
#include "llvm/ADT/StringMap.h"

namespace brisk::onnximport {

using Handler = Results (*)(Node &);

/// Element types of an op's first input. Ops that Brisk composes, or whose
/// counterpart takes more types than ONNX in any of its opsets, say for which
/// of them they have a meaning.
enum class Elements {
  Any,             // or what the dialect's op takes
  Floats,          //
  FloatsAndSigned, // signed integers
  FloatsAndWide,   // integers of 32 and 64 bits, for sums
};

/// How an op is imported from some operator set on.
struct OpRow {
  int64_t sinceVersion;
  Handler handler;
  Elements elements;

  bool admits(mlir::Value input) const;
};

/// A handler that composes ops: of 16-bit floats they are computed in f32, and
/// rounded once at the end.
template <Handler handler> Results inF32(Node &n) { return n.inF32(handler); }

/// Handlers of ops that the dialect has as they are.
template <typename OpTy> Results unary(Node &n) {
  n.ignore({"consumed_inputs"});
  return n.make<OpTy>(n.in(0));
}
template <typename OpTy> Results binary(Node &n) {
  return n.make<OpTy>(n.in(0), n.in(1));
}

class OpTable {
public:
  /// The table of a domain ("" is ai.onnx), with all families; null if no op
  /// of it is known.
  static const OpTable *get(llvm::StringRef domain);

  void on(llvm::StringRef op, int64_t sinceVersion, Handler handler,
          Elements elements = Elements::Any);
  /// The row of an op in an operator set; null if there is none.
  const OpRow *find(llvm::StringRef op, int64_t opset) const;
  /// Whether the op has a row in some operator set.
  bool knows(llvm::StringRef op) const { return rows.contains(op); }

private:
  // By version, ascending.
  llvm::StringMap<llvm::SmallVector<OpRow, 2>> rows;
};

// One a family file, for ai.onnx.
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

// The same for com.microsoft.
void addQuantizedOpRows(OpTable &table);
void addQuantizedProductRows(OpTable &table);

} // namespace brisk::onnximport

#endif // BRISK_LIB_IMPORT_OPTABLE_H
