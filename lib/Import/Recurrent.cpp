//===- Recurrent.cpp - Recurrent layers -----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

namespace {
struct Recurrent {
  SmallVector<Value> operands;
  int64_t hiddenSize = 0, layout = 0;
  RecurrentDirection direction = RecurrentDirection::Forward;
  ArrayAttr activations;
  DenseF32ArrayAttr alpha, beta;
  FloatAttr clip;
};
} // namespace

static std::optional<RecurrentActivation> readActivation(StringRef name) {
  // Models differ in the case of these names.
  for (uint32_t i = 0; i <= getMaxEnumValForRecurrentActivation(); ++i) {
    auto kind = static_cast<RecurrentActivation>(i);
    std::string known = stringifyRecurrentActivation(kind).str();
    llvm::erase(known, '_');
    if (name.equals_insensitive(known))
      return kind;
  }
  return std::nullopt;
}

/// Functions and their parameters. ONNX lists these for the functions only that
/// have them, as many as differ from the defaults.
static void readFunctions(Node &n, Recurrent &r, size_t count) {
  auto names = n.getStrings("activations");
  SmallVector<float> alphas =
      n.getFloats("activation_alpha").value_or(SmallVector<float>());
  SmallVector<float> betas =
      n.getFloats("activation_beta").value_or(SmallVector<float>());
  if (!names)
    return;
  // ONNX's default for one direction has functions for two.
  if (names->size() > count)
    names->truncate(count);
  ArrayRef<float> alphasLeft = alphas, betasLeft = betas;
  auto take = [](std::optional<float> otherwise, ArrayRef<float> &left) {
    if (!otherwise || left.empty())
      return otherwise.value_or(0.0f);
    float value = left.front();
    left = left.drop_front();
    return value;
  };
  SmallVector<Attribute> functions;
  SmallVector<float> alpha, beta;
  for (const std::string &name : *names) {
    auto function = readActivation(name);
    if (!function)
      n.error() << "activation '" << name << "' is not supported";
    functions.push_back(RecurrentActivationAttr::get(
        n.builder.getContext(), function.value_or(RecurrentActivation::Tanh)));
    auto [alphaDefault, betaDefault] =
        getDefaultParameters(function.value_or(RecurrentActivation::Tanh));
    alpha.push_back(take(alphaDefault, alphasLeft));
    beta.push_back(take(betaDefault, betasLeft));
  }
  r.activations = n.builder.getArrayAttr(functions);
  if (!alphas.empty())
    r.alpha = n.builder.getDenseF32ArrayAttr(alpha);
  if (!betas.empty())
    r.beta = n.builder.getDenseF32ArrayAttr(beta);
}

/// What the three kinds share. Inputs from the fourth on are optional.
template <typename OpTy>
static Recurrent readRecurrent(Node &n, unsigned numInputs) {
  Recurrent r;
  // Opset 1 said with this whether `Y` is given.
  n.ignore({"output_sequence"});
  for (unsigned i = 0; i < numInputs; ++i)
    r.operands.push_back(i < 3 ? n.in(i) : n.maybe(i));
  int64_t recurrentSize = Node::getDim(r.operands[2], 2);
  r.hiddenSize = n.getInt(
      "hidden_size", ShapedType::isDynamic(recurrentSize) ? 0 : recurrentSize);
  r.layout = n.getInt("layout", 0);
  r.direction = n.getEnum<RecurrentDirection>("direction", "forward",
                                              symbolizeRecurrentDirection);
  size_t directions = r.direction == RecurrentDirection::Bidirectional ? 2 : 1;
  readFunctions(n, r, directions * OpTy::getNumFunctions());
  if (n.has("clip"))
    r.clip = n.builder.getF32FloatAttr(n.getFloat("clip", 0));
  return r;
}

static Results lstm(Node &n) {
  Recurrent r = readRecurrent<LstmOp>(n, 8);
  ArrayRef<Value> in = r.operands;
  return n.makeMany<LstmOp>(3, in[0], in[1], in[2], in[3], in[4], in[5], in[6],
                            in[7], Value(), Value(), Value(), r.hiddenSize,
                            r.direction, r.activations, r.alpha, r.beta, r.clip,
                            r.layout, IntegerAttr(), IntegerAttr(), false,
                            n.getFlag("input_forget"));
}

static Results gru(Node &n) {
  Recurrent r = readRecurrent<GruOp>(n, 6);
  ArrayRef<Value> in = r.operands;
  return n.makeMany<GruOp>(2, in[0], in[1], in[2], in[3], in[4], in[5], Value(),
                           Value(), Value(), r.hiddenSize, r.direction,
                           r.activations, r.alpha, r.beta, r.clip, r.layout,
                           IntegerAttr(), IntegerAttr(), false,
                           n.getFlag("linear_before_reset"));
}

static Results rnn(Node &n) {
  Recurrent r = readRecurrent<RnnOp>(n, 6);
  ArrayRef<Value> in = r.operands;
  return n.makeMany<RnnOp>(2, in[0], in[1], in[2], in[3], in[4], in[5], Value(),
                           Value(), Value(), r.hiddenSize, r.direction,
                           r.activations, r.alpha, r.beta, r.clip, r.layout,
                           IntegerAttr(), IntegerAttr(), false);
}

void onnximport::addRecurrentRows(OpTable &table) {
  table.on("GRU", 1, inF32<gru>);
  table.on("LSTM", 1, inF32<lstm>);
  table.on("RNN", 1, inF32<rnn>);
}
