//===- Pool.cpp - Pooling --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "WindowAttributes.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

namespace {
struct Pool {
  Value input;
  WindowAttributes window;
  bool ceilMode = false;
};
} // namespace

static std::optional<Pool> readPool(Node &n) {
  Pool pool;
  Value x = n.in(0);
  int64_t rank = needSpatialRank(n, x);
  if (n.isBroken())
    return std::nullopt;
  pool.window = readWindow(n, rank);
  pool.ceilMode = n.getInt("ceil_mode", 0) != 0;
  if (pool.window.kernelShape.empty() && !n.isBroken())
    n.error() << "attribute 'kernel_shape' is missing";
  if (n.isBroken())
    return std::nullopt;
  pool.input = n.toChannelsLast(x);
  return pool;
}

static Results maxPool(Node &n) {
  auto pool = readPool(n);
  if (!pool)
    return failure();
  const WindowAttributes &w = pool->window;
  int64_t order = n.getInt("storage_order", 0);
  if (!n.hasOutput(1))
    return n.toChannelsFirst(n.make<MaxPoolOp>(pool->input, w.kernelShape,
                                               w.strides, w.pads, w.dilations,
                                               pool->ceilMode, w.autoPad));
  auto results = n.makeMany<MaxPoolWithIndicesOp>(
      2, pool->input, w.kernelShape, w.strides, w.pads, w.dilations,
      pool->ceilMode, w.autoPad, order);
  if (n.isBroken())
    return failure();
  return {n.toChannelsFirst(results[0]), n.toChannelsFirst(results[1])};
}

static Results averagePool(Node &n) {
  auto pool = readPool(n);
  if (!pool)
    return failure();
  const WindowAttributes &w = pool->window;
  return n.toChannelsFirst(n.make<AveragePoolOp>(
      pool->input, w.kernelShape, w.strides, w.pads, w.dilations,
      pool->ceilMode, w.autoPad, n.getInt("count_include_pad", 0) != 0));
}

/// The exponent, a float in the first opset.
static int64_t readExponent(Node &n) {
  double p = n.opset < 2 ? n.getFloat("p", 2) : n.getInt("p", 2);
  if (p >= 1 && p < 0x1p32 && p == std::trunc(p))
    return static_cast<int64_t>(p);
  if (!n.isBroken())
    n.error() << "p is " << p << ", expected a positive integer";
  return 1;
}

static Results lpPool(Node &n) {
  auto pool = readPool(n);
  if (!pool)
    return failure();
  const WindowAttributes &w = pool->window;
  int64_t p = readExponent(n);
  return n.toChannelsFirst(n.make<LpPoolOp>(pool->input, w.kernelShape,
                                            w.strides, w.pads, w.dilations,
                                            pool->ceilMode, w.autoPad, p));
}

static SmallVector<int64_t> spatialAxes(Node &n, Value x) {
  SmallVector<int64_t> axes;
  for (int64_t i = 0, e = needSpatialRank(n, x, 0); i < e; ++i)
    axes.push_back(i + 2);
  return axes;
}

template <ReduceKind kind> static Results globalPool(Node &n) {
  Value x = n.in(0);
  return n.reduce(kind, x, spatialAxes(n, x), /*keepdims=*/true);
}

static Results globalLpPool(Node &n) {
  Value x = n.in(0), magnitude = n.make<AbsOp>(x);
  double p = readExponent(n);
  if (p != 1)
    magnitude = n.make<PowOp>(magnitude, n.scalarLike(p, x));
  Value sum = n.reduce(ReduceKind::Sum, magnitude, spatialAxes(n, x), true);
  return p == 1 ? sum : n.make<PowOp>(sum, n.scalarLike(1 / p, x));
}

void onnximport::addPoolRows(OpTable &table) {
  table.on("AveragePool", 1, averagePool, Elements::Floats);
  table.on("GlobalAveragePool", 1, globalPool<ReduceKind::Mean>,
           Elements::Floats);
  table.on("GlobalLpPool", 1, inF32<globalLpPool>, Elements::Floats);
  table.on("GlobalMaxPool", 1, globalPool<ReduceKind::Max>, Elements::Floats);
  table.on("LpPool", 1, lpPool, Elements::Floats);
  table.on("MaxPool", 1, maxPool);
}
