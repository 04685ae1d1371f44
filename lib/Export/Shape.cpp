//===- Shape.cpp - Shapes, and elements moved -----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "brisk/Dialect/Builders.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

static void exportShape(GraphExporter &e, ShapeOp op) {
  NodeMaker node = e.makeNode(op, "Shape", e.get(op.getInput()));
  node.set("start", static_cast<int64_t>(op.getStart()));
  if (auto end = op.getEnd())
    node.set("end", static_cast<int64_t>(*end));
}

static void exportFill(GraphExporter &e, FillOp op) {
  NodeMaker node = e.makeNode(op, "ConstantOfShape", e.getInts(op.getShape()));
  fillTensor(reshapeElements(op.getValue(), {1}),
             *node.add("value", onnx::AttributeProto::TENSOR).mutable_t());
}

static void exportReshape(GraphExporter &e, ReshapeOp op) {
  e.makeNode(op, "Reshape", {e.get(op.getInput()), e.getInts(op.getShape())})
      .set("allowzero", static_cast<int64_t>(op.getAllowzero()));
}

/// An op of data and one list of integers.
static void exportWithInts(GraphExporter &e, Operation *op, StringRef type) {
  SmallVector<std::string> inputs = {e.get(op->getOperand(0))};
  if (op->getNumOperands() > 1)
    inputs.push_back(e.getInts(op->getOperand(1)));
  e.makeNode(op, type, inputs);
}

static void exportFlatten(GraphExporter &e, FlattenOp op) {
  e.makeNode(op, "Flatten", e.get(op.getInput()))
      .set("axis", static_cast<int64_t>(op.getAxis()));
}

static void exportConcat(GraphExporter &e, ConcatOp op) {
  SmallVector<std::string> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(e.get(input));
  e.makeNode(op, "Concat", inputs)
      .set("axis", static_cast<int64_t>(op.getAxis()));
}

static void exportSplit(GraphExporter &e, SplitOp op) {
  NodeMaker node =
      e.makeNode(op, "Split", {e.get(op.getInput()), e.getInts(op.getSizes())});
  node.set("axis", static_cast<int64_t>(op.getAxis()));
  if (!op.getSizes())
    node.set("num_outputs", static_cast<int64_t>(op.getNumOutputs()));
}

static void exportSlice(GraphExporter &e, SliceOp op) {
  e.makeNode(op, "Slice",
             {e.get(op.getInput()), e.getInts(op.getStarts()),
              e.getInts(op.getEnds()), e.getInts(op.getAxes()),
              e.getInts(op.getSteps())});
}

static void exportPad(GraphExporter &e, PadOp op) {
  std::string value;
  if (op.getValue())
    value = e.getReshaped(op, op.getValue(), {});
  e.makeNode(op, "Pad",
             {e.get(op.getInput()), e.getInts(op.getPads()), value,
              e.getInts(op.getAxes())})
      .set("mode", stringifyEnum(op.getMode()));
}

void onnxexport::addShapeRows(OpTable &table) {
  table.on<ShapeOp>(typed<ShapeOp, exportShape>);
  table.on<SizeOp>(exportSame, "Size");
  table.on<RangeOp>(exportSame, "Range");
  table.on<FillOp>(typed<FillOp, exportFill>);
  table.on<ReshapeOp>(typed<ReshapeOp, exportReshape>);
  table.on<SqueezeOp>(exportWithInts, "Squeeze");
  table.on<UnsqueezeOp>(exportWithInts, "Unsqueeze");
  table.on<ExpandOp>(exportWithInts, "Expand");
  table.on<TileOp>(exportWithInts, "Tile");
  table.on<FlattenOp>(typed<FlattenOp, exportFlatten>);
  table.on<ConcatOp>(typed<ConcatOp, exportConcat>);
  table.on<SplitOp>(typed<SplitOp, exportSplit>);
  table.on<SliceOp>(typed<SliceOp, exportSlice>);
  table.on<PadOp>(typed<PadOp, exportPad>);
}
