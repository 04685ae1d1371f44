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
  pool.input = n.toChannelsLast(x);
  return pool;
}

/// A pool's results, of which `parameters` are what this kind has alone.
template <typename OpTy, typename... Parameters>
static Results makePool(Node &n, unsigned count, Parameters... parameters) {
  Pool pool = readPool(n);
  const WindowAttributes &w = pool.window;
  SmallVector<Value> results =
      n.makeMany<OpTy>(count, pool.input, w.kernelShape, w.strides, w.pads,
                       w.dilations, pool.ceilMode, w.autoPad, parameters...);
  for (Value &result : results)
    result = n.toChannelsFirst(result);
  return results;
}

static Results maxPool(Node &n) {
  int64_t order = n.getInt("storage_order", 0);
  return n.hasOutput(1) ? makePool<MaxPoolWithIndicesOp>(n, 2, order)
                        : makePool<MaxPoolOp>(n, 1);
}

static Results averagePool(Node &n) {
  return makePool<AveragePoolOp>(n, 1, n.getFlag("count_include_pad"));
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
  return makePool<LpPoolOp>(n, 1, readExponent(n));
}

static SmallVector<int64_t> spatialAxes(Node &n, Value x) {
  return Node::getAxes(2, n.needRank(x, 2));
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
