//===- Quantization.cpp - Quantized values --------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

namespace {
/// How ONNX says which elements share a scale.
struct Granularity {
  /// Of the scale as an operand: none for the whole tensor, one for an axis,
  /// as many as the tensor has for blocks.
  SmallVector<int64_t> shape;
  std::optional<int64_t> axis, blockSize;
  bool isBlocked() const { return blockSize.has_value(); }
};
} // namespace

/// The same for a scale that broadcasts along dimensions of `x`; nothing where
/// ONNX cannot say it.
static std::optional<Granularity> findGranularity(Value x, Value scale) {
  ArrayRef<int64_t> shape = getShape(x), given = getShape(scale);
  if (given.size() > shape.size())
    return std::nullopt;
  SmallVector<int64_t> padded(shape.size() - given.size(), 1);
  llvm::append_range(padded, given);
  SmallVector<int64_t> axes, shared;
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (padded[i] != 1 && padded[i] != size)
      return std::nullopt;
    if (padded[i] != 1)
      axes.push_back(i);
    else if (size != 1)
      shared.push_back(i);
  }
  if (axes.empty())
    return Granularity{};
  if (axes.size() == 1)
    return Granularity{{shape[axes[0]]}, axes[0], {}};
  if (shared.size() == 1)
    return Granularity{padded, shared[0], shape[shared[0]]};
  return std::nullopt;
}

/// A scale or zero point as ONNX has it, for a tensor in a form.
static std::string getParameter(GraphExporter &e, Operation *op, Value value,
                                const Granularity &granularity,
                                ArrayRef<int64_t> form) {
  ElementsAttr constant = getConstant(value);
  if (constant && granularity.isBlocked())
    return e.getConstant(
        transposeElements(reshapeElements(constant, granularity.shape), form));
  return e.getReshaped(op, value, granularity.shape);
}

static void setGranularity(NodeMaker node, const Granularity &granularity,
                           ArrayRef<int64_t> form) {
  if (granularity.axis)
    node.set("axis", static_cast<int64_t>(llvm::find(form, *granularity.axis) -
                                          form.begin()));
  if (granularity.isBlocked())
    node.set("block_size", *granularity.blockSize);
}

static std::optional<Granularity> checkGranularity(GraphExporter &e,
                                                   Operation *op, Value scale) {
  Value x = op->getOperand(0);
  std::optional<Granularity> granularity = findGranularity(x, scale);
  if (!granularity)
    e.refuse(op, "scales along several axes, which ONNX has only in blocks of "
                 "one");
  else if (granularity->isBlocked() && !getConstant(scale))
    e.refuse(op, "scales of blocks that are no constant");
  else
    return granularity;
  return std::nullopt;
}

/// Zeros for a zero point that is left out, which tells ONNX the type.
static std::string makeZeroPoint(GraphExporter &e, QuantizeOp op,
                                 ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, op.getTo());
  SmallVector<char> zero(getElementBytes(op.getTo()), 0);
  return e.getConstant(makeSplat(type, zero));
}

static void exportQuantize(GraphExporter &e, QuantizeOp op) {
  Value scale = op.getScale();
  Form form = e.chooseForm(op, op.getInput());
  auto granularity = checkGranularity(e, op, scale);
  if (!granularity)
    return;
  std::string x = e.get(op.getInput(), form);
  std::string s = getParameter(e, op, scale, *granularity, form);
  // ONNX divides in the one type that both have.
  Type precision =
      op.getPrecision().value_or(getElementTypeOrSelf(scale.getType()));
  if (getElementTypeOrSelf(op.getInput()) != precision)
    x = e.makeCast(op, x, precision);
  if (getElementTypeOrSelf(scale) != precision)
    s = e.makeCast(op, s, precision);
  SmallVector<int64_t> zeros = granularity->shape;
  if (granularity->isBlocked())
    zeros = applyPermutation(granularity->shape, form);
  std::string zero = op.getZeroPoint() ? getParameter(e, op, op.getZeroPoint(),
                                                      *granularity, form)
                                       : makeZeroPoint(e, op, zeros);
  setGranularity(e.makeNode(op, "QuantizeLinear", {x, s, zero}, form),
                 *granularity, form);
}

/// Integers less their zero point, where no integer product takes both.
static void exportDifference(GraphExporter &e, DequantizeOp op) {
  Value zero = op.getZeroPoint();
  Form form = e.chooseForm(op, op->getOperands());
  std::string x = e.makeCast(op, e.get(op.getInput(), form), op.getTo());
  if (zero)
    e.makeNode(op, "Sub",
               {x, e.makeCast(op, e.getBroadcast(zero, form), op.getTo())},
               form);
  else
    e.makeNode(op, "Identity", x, form);
}

static void exportDequantize(GraphExporter &e, DequantizeOp op) {
  Value scale = op.getScale();
  if (!scale)
    return exportDifference(e, op);
  Form form = e.chooseForm(op, op.getInput());
  auto granularity = checkGranularity(e, op, scale);
  if (!granularity)
    return;
  SmallVector<std::string> inputs = {
      e.get(op.getInput(), form),
      getParameter(e, op, scale, *granularity, form)};
  if (op.getZeroPoint())
    inputs.push_back(
        getParameter(e, op, op.getZeroPoint(), *granularity, form));
  auto set = [&](NodeMaker node) { setGranularity(node, *granularity, form); };
  // ONNX gives the type of the scale.
  if (getElementTypeOrSelf(scale) == op.getTo())
    set(e.makeNode(op, "DequantizeLinear", inputs, form));
  else
    e.makeNode(op, "Cast", e.makePart(op, "DequantizeLinear", inputs, set),
               form)
        .set("to", static_cast<int64_t>(getDataType(op.getTo())));
}

/// Integers of 4 bits, which lie in ONNX's tensors as they do here.
static void exportUnpackBits(GraphExporter &e, UnpackBitsOp op) {
  ElementsAttr bytes = getConstant(op.getInput());
  constexpr uint64_t half = 4;
  if (!bytes || op.getBits() != half)
    return e.refuse(op, "integers of 2 bits, or of 4 that are no constant");
  constexpr int32_t uint4 = 21, int4 = 22; // of TensorProto.DataType
  onnx::TensorProto &tensor = *e.makeNode(op, "Constant", {})
                                   .add("value", onnx::AttributeProto::TENSOR)
                                   .mutable_t();
  for (int64_t dim : op.getShape())
    tensor.add_dims(dim);
  tensor.set_data_type(op.getTo().isUnsignedInteger() ? uint4 : int4);
  ElementBytes raw(bytes);
  tensor.set_raw_data(raw.bytes().data(), raw.size());
}

void onnxexport::addQuantizationRows(OpTable &table) {
  table.on<QuantizeOp>(typed<QuantizeOp, exportQuantize>);
  table.on<DequantizeOp>(typed<DequantizeOp, exportDequantize>);
  table.on<UnpackBitsOp>(typed<UnpackBitsOp, exportUnpackBits>);
}
