//===- Indexing.cpp - Elements by index -----------------------------------===//
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

static SmallVector<std::string> getAll(GraphExporter &e, Operation *op) {
  SmallVector<std::string> inputs;
  for (Value operand : op->getOperands())
    inputs.push_back(e.get(operand));
  return inputs;
}

template <typename OpTy>
static void exportWithAxis(GraphExporter &e, Operation *op, StringRef type) {
  e.makeNode(op, type, getAll(e, op))
      .set("axis", static_cast<int64_t>(cast<OpTy>(op).getAxis()));
}

static void exportGatherNd(GraphExporter &e, GatherNdOp op) {
  e.makeNode(op, "GatherND", getAll(e, op))
      .set("batch_dims", static_cast<int64_t>(op.getBatchDims()));
}

static void exportScatterElements(GraphExporter &e, ScatterElementsOp op) {
  e.makeNode(op, "ScatterElements", getAll(e, op))
      .set("axis", static_cast<int64_t>(op.getAxis()))
      .set("reduction", stringifyEnum(op.getReduction()));
}

static void exportScatterNd(GraphExporter &e, ScatterNdOp op) {
  e.makeNode(op, "ScatterND", getAll(e, op))
      .set("reduction", stringifyEnum(op.getReduction()));
}

static void exportTopK(GraphExporter &e, TopKOp op) {
  e.makeNode(op, "TopK", {e.get(op.getInput()), e.getInts(op.getK())})
      .set("axis", static_cast<int64_t>(op.getAxis()))
      .set("largest", static_cast<int64_t>(op.getLargest()))
      .set("sorted", static_cast<int64_t>(op.getSorted()));
}

static void exportTrilu(GraphExporter &e, TriluOp op) {
  e.makeNode(op, "Trilu", {e.get(op.getInput()), e.getIntScalar(op.getK())})
      .set("upper", static_cast<int64_t>(op.getUpper()));
}

static void exportReverseSequence(GraphExporter &e, ReverseSequenceOp op) {
  e.makeNode(op, "ReverseSequence", getAll(e, op))
      .set("batch_axis", static_cast<int64_t>(op.getBatchAxis()))
      .set("time_axis", static_cast<int64_t>(op.getTimeAxis()));
}

static void exportResize(GraphExporter &e, ResizeOp op) {
  NodeMaker node =
      e.makeNode(op, "Resize",
                 {e.get(op.getInput()), e.get(op.getRoi()),
                  e.get(op.getScales()), e.getInts(op.getSizes())});
  node.set("mode", stringifyEnum(op.getMode()))
      .set("coordinate_transformation_mode",
           stringifyEnum(op.getCoordinateTransformationMode()))
      .set("nearest_mode", stringifyEnum(op.getNearestMode()))
      .set("cubic_coeff_a", op.getCubicCoeffA().convertToFloat())
      .set("exclude_outside", static_cast<int64_t>(op.getExcludeOutside()))
      .set("extrapolation_value", op.getExtrapolationValue().convertToFloat())
      .set("antialias", static_cast<int64_t>(op.getAntialias()));
  if (op.getSizes())
    node.set("keep_aspect_ratio_policy",
             stringifyEnum(op.getKeepAspectRatioPolicy()));
  if (auto axes = op.getAxes())
    node.set("axes", *axes);
}

static void exportGridSample(GraphExporter &e, GridSampleOp op) {
  Form form = makeChannelsFirst(getRank(op.getInput()));
  e.makeNode(op, "GridSample",
             {e.get(op.getInput(), form), e.get(op.getGrid())}, form)
      .set("mode", stringifyEnum(op.getMode()))
      .set("padding_mode", stringifyEnum(op.getPadding()))
      .set("align_corners", static_cast<int64_t>(op.getAlignCorners()));
}

void onnxexport::addIndexingRows(OpTable &table) {
  table.on<GatherOp>(exportWithAxis<GatherOp>, "Gather");
  table.on<GatherElementsOp>(exportWithAxis<GatherElementsOp>,
                             "GatherElements");
  table.on<OneHotOp>(exportWithAxis<OneHotOp>, "OneHot");
  table.on<GatherNdOp>(typed<GatherNdOp, exportGatherNd>);
  table.on<ScatterElementsOp>(typed<ScatterElementsOp, exportScatterElements>);
  table.on<ScatterNdOp>(typed<ScatterNdOp, exportScatterNd>);
  table.on<GridSampleOp>(typed<GridSampleOp, exportGridSample>);
  table.on<TopKOp>(typed<TopKOp, exportTopK>);
  table.on<TriluOp>(typed<TriluOp, exportTrilu>);
  table.on<ReverseSequenceOp>(typed<ReverseSequenceOp, exportReverseSequence>);
  table.on<ResizeOp>(typed<ResizeOp, exportResize>);
}
