//===- Loss.cpp - Losses --------------------------------------------------===//
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

/// The loss of each label: minus the log probability of its class, times the
/// class's weight; and its mean or sum.
static Value negativeLogLikelihood(Node &n, Value logs, Value labels,
                                   Value weights) {
  std::string reduction = n.getString("reduction", "mean");
  if (reduction != "none" && reduction != "mean" && reduction != "sum") {
    n.error() << "reduction '" << reduction << "' is not known";
    return logs;
  }
  int64_t rank = n.needRank(logs);
  if (rank < 2) {
    n.error() << "its scores need an axis of classes";
    return logs;
  }
  Type element = Node::getElementType(logs);
  SmallVector<int64_t> places;
  for (int64_t i = 0; i < rank; ++i)
    if (i != 1)
      places.push_back(Node::getDim(logs, i));
  n.checkShape(labels, "target", places);
  if (weights) {
    n.checkShape(weights, "weight", {Node::getDim(logs, 1)});
    n.checkElementType(weights, "weight", logs);
  }
  // An ignored label may be no class at all; it is looked up as class 0.
  Value ignored, index = labels;
  if (n.has("ignore_index")) {
    ignored = n.make<EqualOp>(
        labels, n.scalarLike(n.getInt("ignore_index", 0), labels));
    index = n.select(ignored, n.scalarLike(0, labels), labels);
  }
  Value picked = n.make<GatherElementsOp>(logs, n.unsqueeze(index, {1}), 1);
  Value loss = n.make<NegOp>(n.make<SqueezeOp>(picked, n.ints({1})));
  Value weight = weights ? n.make<GatherOp>(weights, index, 0) : Value();
  if (ignored) {
    if (!weight)
      weight = n.scalar(1, element);
    weight = n.select(ignored, n.scalar(0, element), weight);
  }
  if (weight)
    loss = n.mul(loss, weight);
  auto all = [&](Value value, ReduceKind kind) {
    return n.make<ReduceOp>(value, Value(), kind, false, false);
  };
  if (reduction == "none")
    return loss;
  if (reduction == "sum")
    return all(loss, ReduceKind::Sum);
  if (!weight)
    return all(loss, ReduceKind::Mean);
  return n.div(all(loss, ReduceKind::Sum), all(weight, ReduceKind::Sum));
}

static Results negativeLogLikelihoodLoss(Node &n) {
  Value logs = n.in(0), labels = n.in(1);
  return negativeLogLikelihood(n, logs, labels, n.maybe(2));
}

static Results softmaxCrossEntropyLoss(Node &n) {
  Value scores = n.in(0), labels = n.in(1), weights = n.maybe(2);
  Value logs = n.make<SoftmaxOp>(scores, 1, /*log=*/true);
  return {negativeLogLikelihood(n, logs, labels, weights), logs};
}

void onnximport::addLossRows(OpTable &table) {
  table.on("NegativeLogLikelihoodLoss", 12, inF32<negativeLogLikelihoodLoss>,
           Elements::Floats);
  table.on("SoftmaxCrossEntropyLoss", 12, inF32<softmaxCrossEntropyLoss>,
           Elements::Floats);
}
