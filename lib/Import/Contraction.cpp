//===- Contraction.cpp - Convolutions and matrix products -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "WindowAttributes.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

WindowAttributes onnximport::readWindow(Node &n, int64_t spatialRank) {
  WindowAttributes window;
  auto read = [&](StringRef name, size_t size, int64_t otherwise,
                  int64_t least) {
    SmallVector<int64_t> values =
        n.getInts(name).value_or(SmallVector<int64_t>());
    if (values.empty())
      return SmallVector<int64_t>(size, otherwise);
    if (values.size() != size)
      n.error() << "attribute '" << name << "' has " << values.size()
                << " values, expected " << size;
    for (int64_t value : values)
      if (value < least)
        n.error() << "attribute '" << name << "' has the value " << value
                  << ", expected at least " << least;
    return values;
  };
  if (n.has("kernel_shape"))
    window.kernelShape = read("kernel_shape", spatialRank, 1, 1);
  window.strides = read("strides", spatialRank, 1, 1);
  window.pads = read("pads", 2 * spatialRank, 0, 0);
  window.dilations = read("dilations", spatialRank, 1, 1);
  window.autoPad = n.getEnum<AutoPad>("auto_pad", "NOTSET", [](StringRef name) {
    return symbolizeAutoPad(name.lower());
  });
  return window;
}

/// The filter with its output channels innermost: from O x C x spatial with
/// `outputAxis` 0, from C x O x spatial with 1.
static Value filterLast(Node &n, Value filter, int64_t outputAxis) {
  SmallVector<int64_t> permutation = Node::getAxes(2, Node::getRank(filter));
  permutation.push_back(1 - outputAxis);
  permutation.push_back(outputAxis);
  return n.transpose(filter, permutation);
}

static void checkKernelShape(Node &n, const WindowAttributes &window,
                             Value filter) {
  for (auto [i, size] : llvm::enumerate(window.kernelShape)) {
    int64_t actual = Node::getDim(filter, i + 2);
    if (!ShapedType::isDynamic(actual) && actual != size)
      n.error() << "kernel_shape has " << size << " and the filter " << actual
                << " in spatial dimension " << i;
  }
}

/// The number of spatial dimensions of a convolution's input; those of the
/// filter where the input's are not known.
static int64_t needConvRank(Node &n, Value x, Value filter) {
  if (Node::getRank(x) < 0 && Node::getRank(filter) > 2)
    return Node::getRank(filter) - 2;
  int64_t rank = n.needRank(x, 3) - 2;
  if (n.needRank(filter) != rank + 2)
    n.error() << "its filter has rank " << Node::getRank(filter)
              << " and its input " << rank + 2;
  return rank;
}

Value onnximport::makeConv(Node &n, Value x, Value filter, Value bias) {
  int64_t rank = needConvRank(n, x, filter);
  if (n.isBroken())
    return n.poison();
  WindowAttributes window = readWindow(n, rank);
  checkKernelShape(n, window, filter);
  int64_t group = n.getInt("group", 1);
  return n.toChannelsFirst(n.make<ConvOp>(
      n.toChannelsLast(x, rank + 2), filterLast(n, filter, 0), bias,
      window.strides, window.pads, window.dilations, group, window.autoPad));
}

static Results conv(Node &n) {
  Value x = n.in(0), filter = n.in(1);
  return makeConv(n, x, filter, n.maybe(2));
}

static Results convTranspose(Node &n) {
  Value x = n.in(0), filter = n.in(1), bias = n.maybe(2);
  int64_t rank = needConvRank(n, x, filter);
  if (n.isBroken())
    return failure();
  WindowAttributes window = readWindow(n, rank);
  checkKernelShape(n, window, filter);
  SmallVector<int64_t> outputPadding =
      n.getInts("output_padding").value_or(SmallVector<int64_t>(rank, 0));
  if (outputPadding.empty())
    outputPadding.assign(rank, 0);
  DenseI64ArrayAttr outputShape;
  if (auto shape = n.getInts("output_shape")) {
    // Some models give all dimensions.
    ArrayRef<int64_t> spatial = *shape;
    if (static_cast<int64_t>(spatial.size()) == rank + 2)
      spatial = spatial.drop_front(2);
    if (static_cast<int64_t>(spatial.size()) != rank)
      return n.error() << "output_shape has " << shape->size()
                       << " values, expected " << rank;
    outputShape = n.builder.getDenseI64ArrayAttr(spatial);
  }
  if (static_cast<int64_t>(outputPadding.size()) != rank)
    return n.error() << "output_padding has " << outputPadding.size()
                     << " values, expected " << rank;
  return n.toChannelsFirst(n.make<ConvTransposeOp>(
      n.toChannelsLast(x, rank + 2), filterLast(n, filter, 1), bias,
      window.strides, window.pads, window.dilations, n.getInt("group", 1),
      window.autoPad, outputPadding, outputShape));
}

static Results gemm(Node &n) {
  Value a = n.in(0), b = n.in(1), c = n.maybe(2);
  n.ignore({"broadcast"});
  if (n.needRank(a) != 2 || n.needRank(b) != 2)
    return n.error() << "its first two inputs must be matrices";
  if (n.getFlag("transA"))
    a = n.transpose(a, {1, 0});
  if (n.getFlag("transB"))
    b = n.transpose(b, {1, 0});
  double alpha = n.getFloat("alpha", 1), beta = n.getFloat("beta", 1);
  if (!Node::isFloat(a) &&
      (alpha != std::trunc(alpha) || beta != std::trunc(beta)))
    return n.error() << "alpha and beta of integers must be integers";
  Value y = n.make<MatmulOp>(a, b);
  if (alpha != 1)
    y = n.mul(y, n.scalarLike(alpha, y));
  if (!c || beta == 0)
    return y;
  if (beta != 1)
    c = n.mul(c, n.scalarLike(beta, c));
  return n.keepShape(n.add(y, c), "C", y);
}

static Results einsum(Node &n) {
  std::string equation = n.getString("equation", "");
  SmallVector<Value> values = n.all();
  return n.make<EinsumOp>(ValueRange(values), StringRef(equation));
}

void onnximport::addContractionRows(OpTable &table) {
  table.on("Conv", 1, conv, Elements::Floats);
  table.on("ConvTranspose", 1, convTranspose, Elements::Floats);
  table.on("Einsum", 12, einsum);
  table.on("Gemm", 1, inF32<gemm>, Elements::FloatsAndWide);
  table.on("MatMul", 1, binary<MatmulOp>, Elements::FloatsAndWide);
}
