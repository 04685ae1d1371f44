//===- OpTable.cpp - Which ONNX ops are imported, and how --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace brisk::onnximport;

const OpTable &OpTable::get() {
  static const OpTable table = [] {
    OpTable built;
    addActivationRows(built);
    addAttentionRows(built);
    addControlFlowRows(built);
    addContractionRows(built);
    addElementwiseRows(built);
    addIndexingRows(built);
    addLossRows(built);
    addNormalizationRows(built);
    addPoolRows(built);
    addQuantizationRows(built);
    addRecurrentRows(built);
    addReductionRows(built);
    addResizeRows(built);
    addShapeRows(built);
    addStructuralRows(built);
    return built;
  }();
  return table;
}

void OpTable::on(llvm::StringRef op, int64_t sinceVersion, Handler handler) {
  auto &versions = rows[op];
  versions.emplace_back(sinceVersion, handler);
  llvm::sort(versions, llvm::less_first());
}

Handler OpTable::find(llvm::StringRef op, int64_t opset) const {
  Handler found = nullptr;
  auto row = rows.find(op);
  if (row == rows.end())
    return found;
  for (auto [since, handler] : row->second)
    if (since <= opset)
      found = handler;
  return found;
}
