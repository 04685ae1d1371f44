//===- Contraction.cpp - Convolutions and matrix products -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "WindowAttributes.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/TypeInference.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

/// The form of a filter with its channels in front: of window x A x B, with
/// `first` of them, which is 0 for A or 1 for B, outermost.
static Form makeFilterForm(int64_t rank, int64_t first) {
  Form form = {rank - 2 + first, rank - 1 - first};
  llvm::append_range(form, llvm::seq<int64_t>(0, rank - 2));
  return form;
}

/// An operand of an integer product: bytes less their zero point.
static DequantizeOp getDifference(Value operand) {
  Value root =
      GraphExporter::resolve(operand, makePlain(getRank(operand))).first;
  auto op = root.getDefiningOp<DequantizeOp>();
  return op && !op.getScale() &&
                 getElementTypeOrSelf(op.getInput()).isInteger(8)
             ? op
             : DequantizeOp();
}

/// The bytes that an operand is the difference of, in its form.
static std::string getBytes(GraphExporter &e, Value operand,
                            ArrayRef<int64_t> form) {
  Form back = GraphExporter::resolve(operand, form).second;
  return e.get(getDifference(operand).getInput(), back);
}

/// A zero point of one element, or of one for each output channel.
static std::string getZeroPoint(GraphExporter &e, Operation *op, Value zero) {
  if (!zero)
    return "";
  SmallVector<int64_t> shape;
  if (countElements(zero) != 1)
    shape.push_back(static_cast<int64_t>(countElements(zero)));
  return e.getReshaped(op, zero, shape);
}

/// A convolution of bytes, with sums of 32 bits, which ONNX has without bias.
static void exportConvInteger(GraphExporter &e, ConvOp op) {
  DequantizeOp x = getDifference(op.getInput()),
               w = getDifference(op.getFilter());
  int64_t channels = getShape(op.getFilter()).back();
  if (!x || !w || (x.getZeroPoint() && countElements(x.getZeroPoint()) != 1) ||
      (w.getZeroPoint() && countElements(w.getZeroPoint()) != 1 &&
       static_cast<int64_t>(countElements(w.getZeroPoint())) != channels))
    return e.refuse(op, "a convolution of integers, which ONNX has of bytes "
                        "with one zero point each");
  int64_t rank = getRank(op.getResult());
  Form form = makeChannelsFirst(rank);
  SmallVector<std::string> inputs = {
      getBytes(e, op.getInput(), form),
      getBytes(e, op.getFilter(), makeFilterForm(rank, 1)),
      getZeroPoint(e, op, x.getZeroPoint()),
      getZeroPoint(e, op, w.getZeroPoint())};
  auto set = [&](NodeMaker node) {
    setWindow(node, op);
    node.set("group", static_cast<int64_t>(op.getGroup()));
  };
  Value bias = op.getBias();
  if (!bias)
    return set(e.makeNode(op, "ConvInteger", inputs, form));
  SmallVector<int64_t> shape(rank, 1);
  shape[1] = static_cast<int64_t>(countElements(bias));
  e.makeNode(op, "Add",
             {e.makePart(op, "ConvInteger", inputs, set),
              e.getReshaped(op, bias, shape)},
             form);
}

/// A node for a convolution of either direction, whose filter has the channels
/// that `first` says outermost.
template <typename OpTy>
static NodeMaker makeConvolution(GraphExporter &e, OpTy op, StringRef type,
                                 int64_t first) {
  int64_t rank = getRank(op.getResult());
  Form form = makeChannelsFirst(rank);
  NodeMaker node = e.makeNode(
      op, type,
      {e.get(op.getInput(), form),
       e.get(op.getFilter(), makeFilterForm(rank, first)), e.get(op.getBias())},
      form);
  setWindow(node, op);
  return node.set("group", static_cast<int64_t>(op.getGroup()));
}

static void exportConv(GraphExporter &e, ConvOp op) {
  if (!isa<FloatType>(getElementTypeOrSelf(op.getType())))
    return exportConvInteger(e, op);
  makeConvolution(e, op, "Conv", 1);
}

static void exportConvTranspose(GraphExporter &e, ConvTransposeOp op) {
  NodeMaker node = makeConvolution(e, op, "ConvTranspose", 0);
  if (!op.getOutputPadding().empty())
    node.set("output_padding", op.getOutputPadding());
  if (auto shape = op.getOutputShape())
    node.set("output_shape", *shape);
}

/// A product of bytes, with sums of 32 bits, where ONNX has it.
static bool exportMatmulInteger(GraphExporter &e, MatmulOp op) {
  DequantizeOp a = getDifference(op.getLhs()), b = getDifference(op.getRhs());
  auto isOne = [](DequantizeOp side) {
    return side &&
           (!side.getZeroPoint() || countElements(side.getZeroPoint()) == 1);
  };
  if (!isOne(a) || !isOne(b))
    return false;
  e.makeNode(op, "MatMulInteger",
             {getBytes(e, op.getLhs(), makePlain(getRank(op.getLhs()))),
              getBytes(e, op.getRhs(), makePlain(getRank(op.getRhs()))),
              getZeroPoint(e, op, a.getZeroPoint()),
              getZeroPoint(e, op, b.getZeroPoint())});
  return true;
}

static void exportMatmul(GraphExporter &e, MatmulOp op) {
  if (!exportMatmulInteger(e, op))
    exportSame(e, op, "MatMul");
}

static void exportEinsum(GraphExporter &e, EinsumOp op) {
  SmallVector<std::string> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(e.get(input));
  e.makeNode(op, "Einsum", inputs).set("equation", op.getEquation());
}

void onnxexport::addContractionRows(OpTable &table) {
  table.on<ConvOp>(typed<ConvOp, exportConv>);
  table.on<ConvTransposeOp>(typed<ConvTransposeOp, exportConvTranspose>);
  table.on<EinsumOp>(typed<EinsumOp, exportEinsum>);
  table.on<MatmulOp>(typed<MatmulOp, exportMatmul>);
}
