//===- Normalization.cpp - Normalization ----------------------------------===//
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

static Value plusEpsilon(Node &n, Value variance, double epsilon) {
  return n.add(variance, n.scalarLike(epsilon, variance));
}

/// Mean and (population) variance over some axes.
static std::pair<Value, Value> moments(Node &n, Value x, ArrayRef<int64_t> axes,
                                       bool keepdims) {
  Value mean = n.reduce(ReduceKind::Mean, x, axes, /*keepdims=*/true);
  Value centered = n.sub(x, mean);
  Value variance =
      n.reduce(ReduceKind::Mean, n.mul(centered, centered), axes, keepdims);
  if (!keepdims)
    mean = n.reduce(ReduceKind::Mean, x, axes, false);
  return {mean, variance};
}

/// `scale / sqrt(variance + epsilon)` and what then is to be added: one
/// multiplication and one addition an element, which fold into a convolution.
static Value normalizeChannels(Node &n, Value x, Value scale, Value bias,
                               Value mean, Value variance, double epsilon) {
  for (Value parameter : {scale, bias, mean, variance})
    n.checkVector(parameter, 1, x);
  // Parameters are in their own precision, which may be above the input's, and
  // the statistics' above the others'.
  Type precise = Node::getElementType(mean), element = Node::getElementType(x);
  Value factor = n.div(n.cast(scale, precise),
                       n.make<SqrtOp>(plusEpsilon(n, variance, epsilon)));
  Value offset = n.sub(n.cast(bias, precise), n.mul(mean, factor));
  auto spread = [&](Value vector) {
    return n.alongAxis(n.cast(vector, element), 1, x);
  };
  return n.add(n.mul(x, spread(factor)), spread(offset));
}

static Results batchNormalization(Node &n) {
  n.ignore({"consumed_inputs"});
  Value x = n.widen(n.in(0)), scale = n.widen(n.in(1)), bias = n.widen(n.in(2)),
        mean = n.widen(n.in(3)), variance = n.widen(n.in(4));
  auto toTypeOf = [&](unsigned input, Value value) {
    return n.cast(value, Node::getElementType(n.in(input)));
  };
  double epsilon = n.getFloat("epsilon", 1e-5f);
  double momentum = n.getFloat("momentum", 0.9f);
  bool spatial = n.getFlag("spatial", true);
  bool training = n.opset >= 14 && n.getFlag("training_mode");
  bool test = n.opset >= 7 || n.getFlag("is_test");
  int64_t rank = n.needRank(x, 2);
  if (n.isBroken())
    return failure();
  n.checkElementType(n.in(2), "B", n.in(1));
  n.checkElementType(n.in(4), "input_var", n.in(3));
  if (!spatial) {
    // One parameter for each element of a sample.
    Value factor =
        n.div(scale, n.make<SqrtOp>(plusEpsilon(n, variance, epsilon)));
    Value y = n.keepShape(n.add(n.mul(n.sub(x, mean), factor), bias),
                          "a parameter", x);
    return toTypeOf(0, y);
  }
  if (!training) {
    for (unsigned i = 1; i < n.getNumOutputs(); ++i)
      if (n.hasOutput(i))
        return n.error() << "outputs of training are not supported"
                         << (test ? "" : "; set is_test to 1");
    return toTypeOf(
        0, normalizeChannels(n, x, scale, bias, mean, variance, epsilon));
  }
  for (Value statistic : {mean, variance})
    n.checkVector(statistic, 1, x);
  SmallVector<int64_t> axes = Node::getAxes(1, rank);
  axes.front() = 0;
  auto [batchMean, batchVariance] = moments(n, x, axes, false);
  auto running = [&](Value old, Value now) {
    now = n.cast(now, Node::getElementType(old));
    return n.add(n.mul(old, n.scalarLike(momentum, old)),
                 n.mul(now, n.scalarLike(1 - momentum, old)));
  };
  Value y = normalizeChannels(
      n, x, scale, bias, n.cast(batchMean, Node::getElementType(scale)),
      n.cast(batchVariance, Node::getElementType(scale)), epsilon);
  return {toTypeOf(0, y), toTypeOf(3, running(mean, batchMean)),
          toTypeOf(4, running(variance, batchVariance))};
}

static Results instanceNormalization(Node &n) {
  n.ignore({"consumed_inputs"});
  Value x = n.in(0), scale = n.in(1), bias = n.in(2);
  double epsilon = n.getFloat("epsilon", 1e-5f);
  auto [mean, variance] =
      moments(n, x, Node::getAxes(2, n.needRank(x, 3)), true);
  Value factor = n.div(n.alongAxis(scale, 1, x),
                       n.make<SqrtOp>(plusEpsilon(n, variance, epsilon)));
  return n.add(n.mul(n.sub(x, mean), factor), n.alongAxis(bias, 1, x));
}

/// Groups of channels are rows of N x groups x rest.
static Results groupNormalization(Node &n) {
  n.ignore({"stash_type"});
  Value x = n.in(0), scale = n.in(1), bias = n.in(2);
  double epsilon = n.getFloat("epsilon", 1e-5f);
  int64_t groups = n.getInt("num_groups", 0), rank = n.needRank(x);
  if (n.isBroken())
    return failure();
  if (rank < 2 || groups < 1)
    return n.error() << "its input of rank " << rank << " does not have "
                     << groups << " groups of channels";
  Value rows = n.make<LayerNormOp>(n.reshape(x, {0, groups, -1}), Value(),
                                   Value(), 2, APFloat(float(epsilon)));
  // Opset 18 scales groups, later ones channels.
  if (n.opset < 21) {
    rows = n.add(n.mul(rows, n.alongAxis(scale, 1, rows)),
                 n.alongAxis(bias, 1, rows));
    return n.reshapeLike(rows, x);
  }
  Value y = n.reshapeLike(rows, x);
  return n.add(n.mul(y, n.alongAxis(scale, 1, x)), n.alongAxis(bias, 1, x));
}

static Results layerNormalization(Node &n) {
  Value x = n.in(0), scale = n.in(1), bias = n.maybe(2);
  double epsilon = n.getFloat("epsilon", 1e-5f);
  int64_t axis = n.getInt("axis", -1), stash = n.getInt("stash_type", 1);
  Value y = n.make<LayerNormOp>(x, scale, bias, axis, APFloat(float(epsilon)));
  if (!n.hasOutput(1) && !n.hasOutput(2))
    return y;
  int64_t rank = n.needRank(x);
  auto [mean, variance] =
      moments(n, n.cast(x, n.typeOf(stash)),
              Node::getAxes(n.normalizeAxis(axis, rank), rank), true);
  Value deviation =
      n.make<ReciprocalOp>(n.make<SqrtOp>(plusEpsilon(n, variance, epsilon)));
  return {y, mean, deviation};
}

static Results rmsNormalization(Node &n) {
  n.ignore({"stash_type"});
  return n.make<RmsNormOp>(n.in(0), n.in(1), n.getInt("axis", -1),
                           APFloat(float(n.getFloat("epsilon", 1e-5f))));
}

static Results meanVarianceNormalization(Node &n) {
  Value x = n.in(0);
  SmallVector<int64_t> axes =
      n.getInts("axes").value_or(SmallVector<int64_t>{0, 2, 3});
  auto [mean, variance] = moments(n, x, axes, true);
  Value deviation = plusEpsilon(n, n.make<SqrtOp>(variance), 1e-9);
  return n.div(n.sub(x, mean), deviation);
}

static Results lpNormalization(Node &n) {
  Value x = n.in(0);
  int64_t axis = n.getInt("axis", -1), p = n.getInt("p", 2);
  Value norm;
  if (p == 1)
    norm = n.reduce(ReduceKind::Sum, n.make<AbsOp>(x), {axis}, true);
  else if (p == 2)
    norm = n.make<SqrtOp>(n.reduce(ReduceKind::Sum, n.mul(x, x), {axis}, true));
  else
    return n.error() << "p is " << p << ", expected 1 or 2";
  // What is all zeros stays so.
  Value zero = n.scalarLike(0, x);
  return n.select(n.make<EqualOp>(norm, zero), zero, n.div(x, norm));
}

static Results lrn(Node &n) {
  Value x = n.in(0);
  n.needRank(x, 2);
  int64_t size = n.getInt("size", 0);
  double alpha = n.getFloat("alpha", 1e-4f), beta = n.getFloat("beta", 0.75f),
         bias = n.getFloat("bias", 1);
  return n.toChannelsFirst(
      n.make<LrnOp>(n.toChannelsLast(x), size, APFloat(float(alpha)),
                    APFloat(float(beta)), APFloat(float(bias))));
}

void onnximport::addNormalizationRows(OpTable &table) {
  table.on("BatchNormalization", 1, batchNormalization, Elements::Floats);
  table.on("GroupNormalization", 18, inF32<groupNormalization>);
  table.on("InstanceNormalization", 1, inF32<instanceNormalization>,
           Elements::Floats);
  table.on("LRN", 1, lrn);
  table.on("LayerNormalization", 17, layerNormalization);
  table.on("LpNormalization", 1, inF32<lpNormalization>, Elements::Floats);
  table.on("MeanVarianceNormalization", 9, inF32<meanVarianceNormalization>,
           Elements::Floats);
  table.on("RMSNormalization", 23, rmsNormalization);
}
