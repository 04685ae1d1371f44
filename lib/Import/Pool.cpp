//===- Pool.cpp - Pooling -------------------------------------------------===//
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

static Pool readPool(Node &n) {
  Value x = n.in(0);
  Pool pool{x, {}};
  int64_t rank = n.needRank(x, 3) - 2;
  if (n.isBroken())
    return pool;
  pool.window = readWindow(n, rank);
  pool.ceilMode = n.getFlag("ceil_mode");
  if (pool.window.kernelShape.empty())
    n.error() << "attribute 'kernel_shape' is missing";
  return pool;
}

/// Whether one window is all there is, so that pooling reduces whole channels.
static bool coversInput(const Pool &pool) {
  const WindowAttributes &w = pool.window;
  auto isAll = [](ArrayRef<int64_t> values, int64_t value) {
    return llvm::all_of(values, [&](int64_t v) { return v == value; });
  };
  if (w.autoPad != AutoPad::Notset || !isAll(w.pads, 0) ||
      !isAll(w.dilations, 1))
    return false;
  for (auto [i, size] : llvm::enumerate(w.kernelShape))
    if (Node::getDim(pool.input, static_cast<int64_t>(i) + 2) != size)
      return false;
  return true;
}

/// A pool's results, of which `parameters` are what this kind has alone.
template <typename OpTy, typename... Parameters>
static Results makePool(Node &n, const Pool &pool, unsigned count,
                        Parameters... parameters) {
  if (n.isBroken())
    return failure();
  const WindowAttributes &w = pool.window;
  SmallVector<Value> results = n.makeMany<OpTy>(
      count, n.toChannelsLast(pool.input), w.kernelShape, w.strides, w.pads,
      w.dilations, pool.ceilMode, w.autoPad, parameters...);
  for (Value &result : results)
    result = n.toChannelsFirst(result);
  return results;
}

static Results maxPool(Node &n) {
  int64_t order = n.getInt("storage_order", 0);
  Pool pool = readPool(n);
  return n.hasOutput(1) ? makePool<MaxPoolWithIndicesOp>(n, pool, 2, order)
                        : makePool<MaxPoolOp>(n, pool, 1);
}

/// The exponent, a float in the first opset.
static int64_t readExponent(Node &n) {
  double p = n.opset < 2 ? n.getFloat("p", 2) : n.getInt("p", 2);
  if (p >= 1 && p < 0x1p32 && p == std::trunc(p))
    return static_cast<int64_t>(p);
  n.error() << "p is " << p << ", expected a positive integer";
  return 1;
}

static Results lpPool(Node &n) {
  int64_t p = readExponent(n);
  return makePool<LpPoolOp>(n, readPool(n), 1, p);
}

static SmallVector<int64_t> spatialAxes(Node &n, Value x) {
  return Node::getAxes(2, n.needRank(x, 2));
}

template <ReduceKind kind> static Results globalPool(Node &n) {
  Value x = n.in(0);
  return n.reduce(kind, x, spatialAxes(n, x), /*keepdims=*/true);
}

static Results averagePool(Node &n) {
  bool countsPadding = n.getFlag("count_include_pad");
  Pool pool = readPool(n);
  if (!n.isBroken() && coversInput(pool))
    return globalPool<ReduceKind::Mean>(n);
  return makePool<AveragePoolOp>(n, pool, 1, countsPadding);
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
