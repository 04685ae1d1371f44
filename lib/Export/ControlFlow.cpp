//===- ControlFlow.cpp - Branches -----------------------------------------===//
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

static void exportIf(GraphExporter &e, IfOp op) {
  NodeMaker node = e.makeNode(op, "If", e.get(op.getCondition()));
  for (auto [name, region] : {std::pair("then_branch", &op.getThenRegion()),
                              std::pair("else_branch", &op.getElseRegion())})
    e.exportRegion(*region,
                   *node.add(name, onnx::AttributeProto::GRAPH).mutable_g());
}

void onnxexport::addControlFlowRows(OpTable &table) {
  table.on<IfOp>(typed<IfOp, exportIf>);
}
