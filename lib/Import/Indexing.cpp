//===- Indexing.cpp - Gathering, scattering, sorting ----------------------===//
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

static Results gather(Node &n) {
  return n.make<GatherOp>(n.in(0), n.in(1), n.getInt("axis", 0));
}

static Results gatherElements(Node &n) {
  return n.make<GatherElementsOp>(n.in(0), n.in(1), n.getInt("axis", 0));
}

static Results gatherNd(Node &n) {
  return n.make<GatherNdOp>(n.in(0), n.in(1), n.getInt("batch_dims", 0));
}

static ScatterReduction readReduction(Node &n) {
  return n.getEnum<ScatterReduction>("reduction", "none",
                                     symbolizeScatterReduction);
}

static Results scatterElements(Node &n) {
  Value data = n.in(0), indices = n.in(1), updates = n.in(2);
  return n.make<ScatterElementsOp>(data, indices, updates, n.getInt("axis", 0),
                                   readReduction(n));
}

static Results scatterNd(Node &n) {
  Value data = n.in(0), indices = n.in(1), updates = n.in(2);
  return n.make<ScatterNdOp>(data, indices, updates, readReduction(n));
}

static Results topK(Node &n) {
  Value x = n.in(0);
  if (n.opset < 10 && !n.has("k"))
    return n.error() << "attribute 'k' is missing";
  Value k = n.opset < 10 ? n.ints({n.getInt("k", 1)}) : n.in(1);
  return n.makeMany<TopKOp>(2, x, k, n.getInt("axis", -1),
                            n.getFlag("largest", true),
                            n.getFlag("sorted", true));
}

static Results oneHot(Node &n) {
  Value indices = n.in(0), depth = n.in(1), values = n.in(2);
  return n.make<OneHotOp>(indices, depth, values, n.getInt("axis", -1));
}

static Results trilu(Node &n) {
  Value x = n.in(0);
  return n.make<TriluOp>(x, n.maybe(1), n.getFlag("upper", true));
}

static Results reverseSequence(Node &n) {
  return n.make<ReverseSequenceOp>(n.in(0), n.in(1), n.getInt("batch_axis", 1),
                                   n.getInt("time_axis", 0));
}

void onnximport::addIndexingRows(OpTable &table) {
  table.on("Gather", 1, gather);
  table.on("GatherElements", 11, gatherElements);
  table.on("GatherND", 11, gatherNd);
  table.on("OneHot", 9, oneHot);
  table.on("ReverseSequence", 10, reverseSequence);
  // Renamed in opset 11.
  table.on("Scatter", 9, scatterElements);
  table.on("ScatterElements", 11, scatterElements);
  table.on("ScatterND", 11, scatterNd);
  table.on("TopK", 1, topK);
  table.on("Trilu", 14, trilu);
}
