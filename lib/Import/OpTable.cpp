//===- OpTable.cpp - Which ONNX ops are imported, and how -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace brisk::onnximport;

static OpTable makeTable(std::initializer_list<void (*)(OpTable &)> families) {
  OpTable table;
  for (auto *addRows : families)
    addRows(table);
  return table;
}

const OpTable *OpTable::get(StringRef domain) {
  static const OpTable onnx = makeTable(
      {addActivationRows, addAttentionRows, addControlFlowRows,
       addContractionRows, addElementwiseRows, addIndexingRows, addLossRows,
       addNormalizationRows, addPoolRows, addQuantizationRows, addRecurrentRows,
       addReductionRows, addResizeRows, addShapeRows, addStructuralRows});
  static const OpTable microsoft =
      makeTable({addQuantizedOpRows, addQuantizedProductRows});
  if (domain.empty())
    return &onnx;
  return domain == "com.microsoft" ? &microsoft : nullptr;
}

bool OpRow::admits(Value input) const {
  Type type = Node::getElementType(input);
  if (isa<FloatType>(type) || elements == Elements::Any)
    return true;
  if (elements == Elements::FloatsAndSigned)
    return type.isSignlessInteger() && !type.isInteger(1);
  return elements == Elements::FloatsAndWide &&
         type.getIntOrFloatBitWidth() >= 32;
}

void OpTable::on(StringRef op, int64_t sinceVersion, Handler handler,
                 Elements elements) {
  auto &versions = rows[op];
  versions.push_back({sinceVersion, handler, elements});
  llvm::sort(versions, [](const OpRow &a, const OpRow &b) {
    return a.sinceVersion < b.sinceVersion;
  });
}

const OpRow *OpTable::find(StringRef op, int64_t opset) const {
  const OpRow *found = nullptr;
  auto row = rows.find(op);
  if (row == rows.end())
    return found;
  for (const OpRow &each : row->second)
    if (each.sinceVersion <= opset)
      found = &each;
  return found;
}
