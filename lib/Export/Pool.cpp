//===- Pool.cpp - Pooling, and channels of pixels -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "WindowAttributes.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

/// A node that reads and gives channels first.
static NodeMaker makeChannelsFirst(GraphExporter &e, Operation *op,
                                   StringRef type) {
  Form form = onnxexport::makeChannelsFirst(getRank(op->getResult(0)));
  SmallVector<std::string> outputs;
  for (Value result : op->getResults())
    outputs.push_back(e.define(result, form));
  return e.makeNode(op, type, e.get(op->getOperand(0), form), outputs);
}

template <typename OpTy>
static NodeMaker makePool(GraphExporter &e, OpTy op, StringRef type) {
  NodeMaker node = makeChannelsFirst(e, op, type);
  node.set("kernel_shape", op.getKernelShape());
  setWindow(node, op);
  if (op.getCeilMode())
    node.set("ceil_mode", int64_t(1));
  return node;
}

static void exportMaxPool(GraphExporter &e, MaxPoolOp op) {
  makePool(e, op, "MaxPool");
}

static void exportMaxPoolWithIndices(GraphExporter &e,
                                     MaxPoolWithIndicesOp op) {
  makePool(e, op, "MaxPool")
      .set("storage_order", static_cast<int64_t>(op.getStorageOrder()));
}

static void exportAveragePool(GraphExporter &e, AveragePoolOp op) {
  makePool(e, op, "AveragePool")
      .set("count_include_pad", static_cast<int64_t>(op.getCountIncludePad()));
}

static void exportLpPool(GraphExporter &e, LpPoolOp op) {
  makePool(e, op, "LpPool").set("p", static_cast<int64_t>(op.getP()));
}

static void exportLrn(GraphExporter &e, LrnOp op) {
  makeChannelsFirst(e, op, "LRN")
      .set("size", static_cast<int64_t>(op.getSize()))
      .set("alpha", op.getAlpha().convertToFloat())
      .set("beta", op.getBeta().convertToFloat())
      .set("bias", op.getBias().convertToFloat());
}

static void exportDepthToSpace(GraphExporter &e, DepthToSpaceOp op) {
  makeChannelsFirst(e, op, "DepthToSpace")
      .set("blocksize", static_cast<int64_t>(op.getBlocksize()))
      .set("mode", StringRef(stringifyEnum(op.getMode()).upper()));
}

static void exportSpaceToDepth(GraphExporter &e, SpaceToDepthOp op) {
  makeChannelsFirst(e, op, "SpaceToDepth")
      .set("blocksize", static_cast<int64_t>(op.getBlocksize()));
}

void onnxexport::addPoolRows(OpTable &table) {
  table.on<AveragePoolOp>(typed<AveragePoolOp, exportAveragePool>);
  table.on<DepthToSpaceOp>(typed<DepthToSpaceOp, exportDepthToSpace>);
  table.on<LpPoolOp>(typed<LpPoolOp, exportLpPool>);
  table.on<LrnOp>(typed<LrnOp, exportLrn>);
  table.on<MaxPoolOp>(typed<MaxPoolOp, exportMaxPool>);
  table.on<MaxPoolWithIndicesOp>(
      typed<MaxPoolWithIndicesOp, exportMaxPoolWithIndices>);
  table.on<SpaceToDepthOp>(typed<SpaceToDepthOp, exportSpaceToDepth>);
}
