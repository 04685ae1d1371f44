//===- Reduction.cpp - Reductions -----------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

static StringRef getReduceType(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
    return "ReduceSum";
  case ReduceKind::Mean:
    return "ReduceMean";
  case ReduceKind::Max:
    return "ReduceMax";
  case ReduceKind::Min:
    return "ReduceMin";
  case ReduceKind::Prod:
    return "ReduceProd";
  }
  llvm_unreachable("all kinds are above");
}

/// The pooling of whole channels that a reduction is, which runtimes know in
/// integers; empty if it is none.
static StringRef getGlobalPool(ReduceOp op) {
  bool isMean = op.getKind() == ReduceKind::Mean;
  int64_t rank = getRank(op.getInput());
  if (rank < 3 || !op.getKeepdims() ||
      (!isMean && op.getKind() != ReduceKind::Max) ||
      !isa<FloatType>(getElementTypeOrSelf(op.getType())))
    return "";
  auto axes = op.getReducedAxes();
  if (!axes || !llvm::equal(*axes, llvm::seq<int64_t>(2, rank)))
    return "";
  return isMean ? "GlobalAveragePool" : "GlobalMaxPool";
}

static void exportReduce(GraphExporter &e, ReduceOp op) {
  if (StringRef pool = getGlobalPool(op); !pool.empty()) {
    e.makeNode(op, pool, e.get(op.getInput()));
    return;
  }
  e.makeNode(op, getReduceType(op.getKind()),
             {e.get(op.getInput()), e.getInts(op.getAxes())})
      .set("keepdims", static_cast<int64_t>(op.getKeepdims()))
      .set("noop_with_empty_axes",
           static_cast<int64_t>(op.getNoopWithEmptyAxes()));
}

static void exportArgReduce(GraphExporter &e, ArgReduceOp op) {
  e.makeNode(op, op.getKind() == ArgReduceKind::Max ? "ArgMax" : "ArgMin",
             e.get(op.getInput()))
      .set("axis", static_cast<int64_t>(op.getAxis()))
      .set("keepdims", static_cast<int64_t>(op.getKeepdims()))
      .set("select_last_index", static_cast<int64_t>(op.getSelectLastIndex()));
}

static void exportCumsum(GraphExporter &e, CumsumOp op) {
  e.makeNode(op, "CumSum", {e.get(op.getInput()), e.getIntScalar(op.getAxis())})
      .set("exclusive", static_cast<int64_t>(op.getExclusive()))
      .set("reverse", static_cast<int64_t>(op.getReverse()));
}

static void exportSoftmax(GraphExporter &e, SoftmaxOp op) {
  e.makeNode(op, op.getLog() ? "LogSoftmax" : "Softmax", e.get(op.getInput()))
      .set("axis", static_cast<int64_t>(op.getAxis()));
}

void onnxexport::addReductionRows(OpTable &table) {
  table.on<ReduceOp>(typed<ReduceOp, exportReduce>);
  table.on<ArgReduceOp>(typed<ArgReduceOp, exportArgReduce>);
  table.on<CumsumOp>(typed<CumsumOp, exportCumsum>);
  table.on<SoftmaxOp>(typed<SoftmaxOp, exportSoftmax>);
}
