//===- Products.cpp - Loops of matrix products ----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Einsum.h"

using namespace mlir;
using namespace brisk;

//===----------------------------------------------------------------------===//
// MatmulOp
//===----------------------------------------------------------------------===//

namespace {
/// A product's dimensions, with those of vectors left out of the result.
struct Product {
  explicit Product(MatmulOp op) {
    ArrayRef<int64_t> a = getShape(op.getLhs()), b = getShape(op.getRhs());
    hasRows = a.size() > 1;
    hasColumns = b.size() > 1;
    inner = a.back();
    columns = hasColumns ? b.back() : 1;
    outer = getShape(op.getResult());
    if (hasColumns)
      outer = outer.drop_back();
  }
  /// Batch dimensions and rows of the result.
  ArrayRef<int64_t> outer;
  bool hasRows, hasColumns;
  int64_t inner, columns;
};
} // namespace

static SmallVector<int64_t> getOuter(MatmulOp op) {
  return llvm::to_vector(Product(op).outer);
}

static void emitAt(KernelBuilder &b, MatmulOp op, Buffers in, Buffers out,
                   ValueRange outer) {
  Product product(op);
  Type type = out[0].getElement(), wide = getSumType(type);
  auto load = [&](unsigned i, ValueRange at) {
    return b.convert(in[i].load(b, at), in[i].getElement(), wide);
  };
  ValueRange batch = product.hasRows ? outer.drop_back() : outer;
  auto loadLhs = [&](Value k) {
    if (!product.hasRows)
      return load(0, k);
    Values at = broadcastIndices(b, in[0].getShape().drop_back(2), batch);
    at.append({outer.back(), k});
    return load(0, at);
  };
  auto loadRhs = [&](Value k, Value column) {
    if (!product.hasColumns)
      return load(1, k);
    Values at = broadcastIndices(b, in[1].getShape().drop_back(2), batch);
    at.append({k, column});
    return load(1, at);
  };
  auto getPlace = [&](Value column) {
    Values at = llvm::to_vector(outer);
    if (product.hasColumns)
      at.push_back(column);
    return at;
  };
  Value zero = b.index(0), columns = b.index(product.columns);
  if (wide != type || product.columns == 1) {
    b.loop(zero, columns, [&](Value column) {
      Value sum = b.sum(Span{product.inner, {}, {}}, wide, [&](ValueRange k) {
        return b.mul(loadLhs(k[0]), loadRhs(k[0], column));
      });
      out[0].store(b, b.convert(sum, wide, type), getPlace(column));
    });
    return;
  }
  // Row by row of the right side: whole rows are added up.
  b.loop(zero, columns, [&](Value column) {
    out[0].store(b, b.zero(type), getPlace(column));
  });
  b.loop(zero, b.index(product.inner), [&](Value k) {
    Value factor = loadLhs(k);
    b.loop(zero, columns, [&](Value column) {
      Value sum = b.add(out[0].load(b, getPlace(column)),
                        b.mul(factor, loadRhs(k, column)));
      out[0].store(b, sum, getPlace(column));
    });
  });
}

//===----------------------------------------------------------------------===//
// EinsumOp
//===----------------------------------------------------------------------===//

/// The size that each label stands for; ones broadcast.
static SmallVector<int64_t> getSizes(const EinsumSpec &spec, Buffers in) {
  SmallVector<int64_t> sizes(spec.numLabels, 1);
  for (auto [labels, buffer] : llvm::zip_equal(spec.inputs, in))
    for (auto [label, dim] : llvm::zip_equal(labels, buffer.getShape()))
      if (dim != 1)
        sizes[label] = dim;
  return sizes;
}

static Values buildAt(KernelBuilder &b, EinsumOp op, Buffers in,
                      ValueRange at) {
  SmallVector<int64_t> ranks;
  for (const Buffer &buffer : in)
    ranks.push_back(buffer.getRank());
  EinsumSpec spec = *parseEinsum(std::nullopt, op.getEquation(), ranks);
  // What is summed over: labels that the result lacks.
  SmallVector<int64_t> sizes = getSizes(spec, in);
  SmallVector<int64_t> place(spec.numLabels, -1);
  for (auto [i, label] : llvm::enumerate(spec.output))
    place[label] = i;
  SmallVector<Span> spans;
  for (int64_t label = 0; label < spec.numLabels; ++label)
    if (place[label] < 0) {
      place[label] = static_cast<int64_t>(at.size() + spans.size());
      spans.push_back({sizes[label], {}, {}});
    }
  Type type = in[0].getElement(), wide = getSumType(type);
  Value sum = b.sum(spans, wide, [&](ValueRange inner) {
    Value product;
    for (auto [labels, buffer] : llvm::zip_equal(spec.inputs, in)) {
      Values from;
      for (auto [label, dim] : llvm::zip_equal(labels, buffer.getShape())) {
        size_t i = place[label];
        from.push_back(dim == 1        ? b.index(0)
                       : i < at.size() ? at[i]
                                       : inner[i - at.size()]);
      }
      Value factor = b.convert(buffer.load(b, from), type, wide);
      product = product ? b.mul(product, factor) : factor;
    }
    return product;
  });
  return {b.convert(sum, wide, type)};
}

void brisk::addProductLoops(LoopTable &table) {
  table.on<MatmulOp>(getOuter, emitAt);
  table.on<EinsumOp>(buildAt);
}
