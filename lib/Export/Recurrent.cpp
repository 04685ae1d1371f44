//===- Recurrent.cpp - Recurrent layers -----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

/// ONNX's name of a function: `leaky_relu` is LeakyRelu.
static std::string getName(RecurrentActivation function) {
  return llvm::convertToCamelFromSnakeCase(
      stringifyRecurrentActivation(function), /*capitalizeFirst=*/true);
}

template <typename OpTy> static void setFunctions(NodeMaker node, OpTy op) {
  if (!op.getActivations())
    return;
  SmallVector<std::string> names;
  SmallVector<float> alphas, betas;
  for (int64_t direction = 0; direction < op.getNumDirections(); ++direction)
    for (int64_t i = 0; i < OpTy::getNumFunctions(); ++i) {
      RecurrentFunction function = op.getFunction(direction, i);
      auto [alpha, beta] = getDefaultParameters(function.kind);
      names.push_back(getName(function.kind));
      // Listed for the functions that have them only.
      if (alpha)
        alphas.push_back(function.alpha);
      if (beta)
        betas.push_back(function.beta);
    }
  node.set("activations", ArrayRef<std::string>(names));
  if (!alphas.empty())
    node.set("activation_alpha", ArrayRef<float>(alphas));
  if (!betas.empty())
    node.set("activation_beta", ArrayRef<float>(betas));
}

/// The weights of the input. Where its products with them are made before the
/// layer, those that pick each direction's part of them.
template <typename OpTy>
static std::string getWeights(GraphExporter &e, OpTy op) {
  if (op.getW())
    return e.get(op.getW());
  int64_t directions = op.getNumDirections(),
          rows = OpTy::getNumGates() * op.getHiddenSize();
  auto element = cast<FloatType>(getElementTypeOrSelf(op.getX()));
  auto type =
      RankedTensorType::get({directions, rows, directions * rows}, element);
  SmallVector<APFloat> values(type.getNumElements(),
                              APFloat(element.getFloatSemantics()));
  for (int64_t row = 0; row < directions * rows; ++row)
    values[row * directions * rows + row] =
        APFloat::getOne(element.getFloatSemantics());
  return e.getConstant(DenseElementsAttr::get(type, values));
}

template <typename OpTy>
static NodeMaker makeLayer(GraphExporter &e, OpTy op, StringRef type,
                           ArrayRef<Value> more = {}) {
  SmallVector<std::string> inputs = {
      e.get(op.getX()), getWeights(e, op),           e.get(op.getR()),
      e.get(op.getB()), e.get(op.getSequenceLens()), e.get(op.getInitialH())};
  for (Value value : more)
    inputs.push_back(e.get(value));
  NodeMaker node = e.makeNode(op, type, inputs);
  node.set("hidden_size", static_cast<int64_t>(op.getHiddenSize()))
      .set("direction", stringifyEnum(op.getDirection()))
      .set("layout", static_cast<int64_t>(op.getLayout()));
  if (auto clip = op.getClip())
    node.set("clip", clip->convertToFloat());
  setFunctions(node, op);
  return node;
}

static void exportLstm(GraphExporter &e, LstmOp op) {
  makeLayer(e, op, "LSTM", {op.getInitialC(), op.getP()})
      .set("input_forget", static_cast<int64_t>(op.getInputForget()));
}

static void exportGru(GraphExporter &e, GruOp op) {
  makeLayer(e, op, "GRU")
      .set("linear_before_reset",
           static_cast<int64_t>(op.getLinearBeforeReset()));
}

static void exportRnn(GraphExporter &e, RnnOp op) { makeLayer(e, op, "RNN"); }

void onnxexport::addRecurrentRows(OpTable &table) {
  table.on<LstmOp>(typed<LstmOp, exportLstm>);
  table.on<GruOp>(typed<GruOp, exportGru>);
  table.on<RnnOp>(typed<RnnOp, exportRnn>);
}
