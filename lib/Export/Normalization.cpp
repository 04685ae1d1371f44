//===- Normalization.cpp - Normalizations ---------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

/// One number as a constant of an element type.
static std::string getSplat(GraphExporter &e, Type element, double number,
                            ArrayRef<int64_t> shape = {}) {
  auto type = RankedTensorType::get(shape, element);
  return e.getConstant(
      DenseElementsAttr::get(type, Attribute(FloatAttr::get(element, number))));
}

/// Whether ONNX's layer normalization takes a scale or bias: it broadcasts to
/// the dimensions that are normalized.
static bool isOfNormalized(Value value, int64_t dims) {
  return !value || getRank(value) <= dims;
}

static void exportLayerNorm(GraphExporter &e, LayerNormOp op) {
  int64_t axis = op.getNormalizedAxis(), rank = getRank(op.getInput());
  Type element = getElementTypeOrSelf(op.getType());
  ArrayRef<int64_t> normalized = getShape(op.getInput()).drop_front(axis);
  bool takesBoth = isOfNormalized(op.getScale(), rank - axis) &&
                   isOfNormalized(op.getBias(), rank - axis);
  auto set = [&](NodeMaker node) {
    node.set("axis", axis).set("epsilon", op.getEpsilon().convertToFloat());
  };
  std::string x = e.get(op.getInput());
  std::string scale = op.getScale() && takesBoth
                          ? e.get(op.getScale())
                          : getSplat(e, element, 1, normalized);
  if (takesBoth)
    return set(
        e.makeNode(op, "LayerNormalization", {x, scale, e.get(op.getBias())}));
  std::string y = e.makePart(op, "LayerNormalization", {x, scale}, set);
  if (op.getScale() && op.getBias())
    y = e.makePart(op, "Mul", {y, e.get(op.getScale())});
  e.makeNode(op, op.getBias() ? "Add" : "Mul",
             {y, e.get(op.getBias() ? op.getBias() : op.getScale())});
}

/// x / sqrt(mean(x * x) + epsilon) * scale in its parts, which opsets before 23
/// have.
static void exportRmsNorm(GraphExporter &e, RmsNormOp op) {
  Type element = getElementTypeOrSelf(op.getType());
  // 16-bit floats are rounded once, at the end.
  bool isNarrow = element.getIntOrFloatBitWidth() < 32;
  Type wide = isNarrow ? Float32Type::get(op.getContext()) : element;
  auto widen = [&](const std::string &value) {
    return isNarrow ? e.makeCast(op, value, wide) : value;
  };
  std::string x = widen(e.get(op.getInput()));
  std::string axes = e.getConstant(llvm::to_vector(
      llvm::seq<int64_t>(op.getNormalizedAxis(), getRank(op.getInput()))));
  std::string mean =
      e.makePart(op, "ReduceMean", {e.makePart(op, "Mul", {x, x}), axes},
                 [](NodeMaker node) { node.set("keepdims", int64_t(1)); });
  std::string root = e.makePart(
      op, "Sqrt",
      e.makePart(op, "Add",
                 {mean, getSplat(e, wide, op.getEpsilon().convertToFloat())}));
  std::string y = e.makePart(op, "Div", {x, root});
  if (op.getScale())
    y = e.makePart(op, "Mul", {y, widen(e.get(op.getScale()))});
  e.makeNode(op, "Cast", y)
      .set("to", static_cast<int64_t>(getDataType(element)));
}

void onnxexport::addNormalizationRows(OpTable &table) {
  table.on<LayerNormOp>(typed<LayerNormOp, exportLayerNorm>);
  table.on<RmsNormOp>(typed<RmsNormOp, exportRmsNorm>);
}
