//===- OpTable.cpp - How ops are exported ---------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

const OpTable &OpTable::get() {
  static const OpTable table = [] {
    OpTable rows;
    addContractionRows(rows);
    addControlFlowRows(rows);
    addElementwiseRows(rows);
    addIndexingRows(rows);
    addNormalizationRows(rows);
    addPoolRows(rows);
    addQuantizationRows(rows);
    addRecurrentRows(rows);
    addReductionRows(rows);
    addShapeRows(rows);
    return rows;
  }();
  return table;
}

const OpRow *OpTable::find(Operation *op) const {
  auto found = rows.find(op->getName().getStringRef());
  return found == rows.end() ? nullptr : &found->second;
}

void onnxexport::exportSame(GraphExporter &e, Operation *op, StringRef type) {
  SmallVector<std::string> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(e.get(operand));
  e.makeNode(op, type, inputs);
}
