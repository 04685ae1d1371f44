//===- NBitWeights.cpp - Products with weights of few bits ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NBitWeights.h"
#include "brisk/Kernels/Packing.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

NBitWeights::NBitWeights(MatmulNBitsOp op)
    : NBitWeights(op.getBits(), op.getBlock(),
                  op.getLhs().getType().getShape().back(), op.getWeights(),
                  op.getScale(), op.getZeroPoint()) {}

NBitWeights::NBitWeights(int64_t bits, int64_t block, int64_t depth,
                         Value weights, Value scale, Value zero)
    : bits(bits), block(block), depth(depth),
      integer(getElementTypeOrSelf(weights)), scale(getInputNumber(scale)),
      zero(zero ? getInputNumber(zero) : -1) {}

NBitParameters::NBitParameters(KernelBuilder &b, const NBitWeights &weights,
                               ValueRange ins)
    : scales(b, ins[weights.scale], b.getF32Type()) {
  if (weights.zero >= 0)
    zeros.emplace(b, ins[weights.zero], weights.integer);
}

/// Bytes, extended as their type says.
static Value extend(KernelBuilder &b, Value bytes, Type integer) {
  return b.convert(bytes, integer,
                   integer.isUnsignedInteger()
                       ? b.getIntegerType(32, /*isSigned=*/false)
                       : b.getI32Type());
}

/// Element `number` of those that lie in `words`, bytes that were extended.
static Value takeElement(KernelBuilder &b, Value words, int64_t number,
                         const NBitWeights &weights) {
  constexpr int64_t wordBits = 32;
  int64_t below = number * weights.bits;
  bool isLast = number + 1 == weights.getPerByte();
  if (weights.integer.isUnsignedInteger()) {
    if (below)
      words = arith::ShRUIOp::create(b, words, b.integer(words, below));
    int64_t most = (1 << weights.bits) - 1;
    return isLast ? words
                  : arith::AndIOp::create(b, words, b.integer(words, most))
                        .getResult();
  }
  // A byte's last element has its sign.
  if (!isLast) {
    int64_t above = wordBits - below - weights.bits;
    words = arith::ShLIOp::create(b, words, b.integer(words, above));
    below += above;
  }
  return arith::ShRSIOp::create(b, words, b.integer(words, below));
}

void NBitContraction::emitByteRow(KernelBuilder &b, Value byteRow,
                                  int64_t count, const Factors &factors,
                                  MutableArrayRef<Value> sums) const {
  int64_t perByte = weights.getPerByte();
  Value at = b.add(bytesBase, b.mul(byteRow, width));
  Values words;
  for (const ColumnVector &column : columns)
    words.push_back(
        extend(b, bytes.load(b, b.add(at, column.offset), column.lanes),
               weights.integer));
  Value lhsAt = b.add(lhsBase, b.mul(byteRow, perByte));
  for (int64_t element = 0; element < count; ++element) {
    Values floats;
    for (auto [c, word] : llvm::enumerate(words)) {
      Value integers =
          perByte == 1 ? word : takeElement(b, word, element, weights);
      // All are small enough to be signed.
      Value value = b.toFloat(integers, b.getF32Type(), /*isUnsigned=*/false);
      if (!factors.offsets.empty())
        value = b.fma(value, factors.scales[c], factors.offsets[c]);
      else if (!factors.scales.empty())
        value = b.mul(value, factors.scales[c]);
      floats.push_back(value);
    }
    for (int64_t r = 0; r < rows; ++r) {
      Value factor =
          lhs.load(b, b.add(b.add(lhsAt, element), r * rowStride), /*lanes=*/0);
      for (auto [c, value] : llvm::enumerate(floats)) {
        Value &sum = sums[r * floats.size() + c];
        sum = b.fma(b.broadcast(factor, sum.getType()), value, sum);
      }
    }
  }
}

NBitContraction::Factors NBitContraction::loadFactors(KernelBuilder &b,
                                                      Value block) const {
  Factors result;
  Value at = b.add(parametersBase, b.mul(block, width));
  for (const ColumnVector &column : columns) {
    Value place = b.add(at, column.offset);
    Value scale = parameters.scales.load(b, place, column.lanes);
    result.scales.push_back(scale);
    if (!parameters.zeros)
      continue;
    Value zero =
        b.toFloat(extend(b, parameters.zeros->load(b, place, column.lanes),
                         weights.integer),
                  b.getF32Type(), /*isUnsigned=*/false);
    result.offsets.push_back(
        b.sub(b.zero(scale.getType()), b.mul(zero, scale)));
  }
  return result;
}

Values NBitContraction::emitWeights(KernelBuilder &b, Value block, int64_t size,
                                    const Factors &factors,
                                    ValueRange start) const {
  int64_t perByte = weights.getPerByte(), whole = size / perByte;
  Value first = b.mul(block, weights.block / perByte);
  Values sums = loopUnrolled(
      b, whole, unroll, Values(start), [&](Value row, int64_t, Values &sums) {
        emitByteRow(b, b.add(first, row), perByte, factors, sums);
      });
  if (int64_t rest = size % perByte)
    emitByteRow(b, b.add(first, whole), rest, factors, sums);
  return sums;
}

Values NBitContraction::emitBlock(KernelBuilder &b, Value block, int64_t size,
                                  ValueRange start) const {
  auto vectors = static_cast<int64_t>(columns.size());
  if (!weights.scalesSums(b.isa, rows, vectors))
    return emitWeights(b, block, size, loadFactors(b, block), start);
  Values sums;
  for (Value sum : start)
    sums.push_back(b.zero(sum.getType()));
  sums = emitWeights(b, block, size, {}, sums);
  Values scales = loadFactors(b, block).scales;
  for (auto [i, sum] : llvm::enumerate(sums))
    sum = b.fma(sum, scales[i % scales.size()], start[i]);
  return sums;
}

Values NBitContraction::emit(KernelBuilder &b, ValueRange start) const {
  int64_t whole = weights.depth / weights.block;
  int64_t rest = weights.depth % weights.block;
  Values sums(start);
  if (whole)
    sums = b.loop(b.index(0), b.index(whole), sums,
                  [&](Value block, ValueRange carried) {
                    return emitBlock(b, block, weights.block, carried);
                  });
  if (rest)
    sums = emitBlock(b, b.index(whole), rest, sums);
  return sums;
}
