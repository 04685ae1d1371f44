//===- LargeAngle.cpp - Exact reduction of large angles -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// M. H. Payne and R. N. Hanek, Radian reduction for trigonometric functions,
// SIGNUM Newsletter 18, 1983: of 2 / pi only those bits are multiplied that
// make neither whole turns nor too little to matter. The product is of
// integers, in words of 32 bits.
//
//===----------------------------------------------------------------------===//

#include "MathExpansions.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace brisk;

/// 64 zeros, then the bits of 2 / pi behind the point.
static constexpr uint32_t words[] = {
    0x00000000, 0x00000000, 0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0,
    0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561, 0xB7246E3A, 0x424DD2E0,
    0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E, 0xE88235F5, 0x2EBB4484,
    0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B, 0xBDF9283B,
    0x1FF897FF, 0xDE05980F, 0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7,
    0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B, 0x3D0739F7, 0x8A5292EA,
    0x6BFB5FB1, 0x1F8D5D08, 0x56033046, 0xFC7B6BAB};

static MemRefType getTableType(Builder b) {
  return MemRefType::get(std::size(words), b.getI32Type());
}

StringRef brisk::makeTwoByPi(Operation *module) {
  OpBuilder b(module->getContext());
  MemRefType type = getTableType(b);
  auto values = DenseElementsAttr::get(
      RankedTensorType::get(type.getShape(), type.getElementType()),
      ArrayRef(words));
  auto global = memref::GlobalOp::create(
      b, module->getLoc(), "two_by_pi", b.getStringAttr("private"), type,
      values, /*constant=*/true, /*alignment=*/IntegerAttr());
  // Takes another name where there is one of that already.
  return SymbolTable(module).insert(global).getValue();
}

/// The bits of 2 / pi from `offset` of the table on, in i64s of 32 bits each,
/// the lowest first.
static SmallVector<Value> loadWords(const MathBuilder &e, Value offset,
                                    unsigned count, StringRef twoByPi) {
  Value table =
      e.make<memref::GetGlobalOp>(getTableType(Builder(e.b)), twoByPi);
  Value first = e.shiftRight(offset, 5), shift = e.andBits(offset, 31);
  auto load = [&](unsigned i) {
    Value index = e.make<arith::IndexCastOp>(
        e.b.getIndexType(), e.addBits(first, static_cast<int64_t>(i)));
    Value word = e.make<memref::LoadOp>(table, index);
    return e.make<arith::ExtUIOp>(e.b.getI64Type(), word);
  };
  SmallVector<Value> result;
  Value low = load(count);
  for (unsigned i = count; i-- > 0;) {
    Value high = load(i);
    Value both = e.make<arith::OrIOp>(e.shiftLeft(high, 32), low);
    result.push_back(e.shiftRight(e.make<arith::ShLIOp>(both, shift), 32));
    low = high;
  }
  return result;
}

ReducedAngle brisk::reduceLargeAngle(const MathBuilder &e, Value x,
                                     StringRef twoByPi) {
  bool isDouble = x.getType().isF64();
  // An angle of n words times 96 bits more than n words, so that what is left
  // out is too little even for the number nearest to a multiple of pi / 2.
  int64_t n = isDouble ? 2 : 1, mantissa = isDouble ? 52 : 23,
          exponentBits = isDouble ? 11 : 8, bias = isDouble ? 1023 : 127;
  unsigned count = isDouble ? 6 : 3;
  constexpr int64_t mask = 0xffffffff;
  Type i64 = e.b.getI64Type();
  Value size = e.make<math::AbsFOp>(x), bits = e.toBits(size);
  if (!isDouble)
    bits = e.make<arith::ExtUIOp>(i64, bits);
  // x is the angle's integer, its first bit set, times 2^(exponent - 32 n).
  Value exponent = e.addBits(e.shiftRight(bits, mantissa), 1 - bias);
  Value integer = e.shiftLeft(
      e.make<arith::OrIOp>(bits, e.integer(bits, int64_t(1) << mantissa)),
      exponentBits);
  // Higher bits of 2 / pi make multiples of 4 quarters.
  SmallVector<Value> factor =
      loadWords(e, e.addBits(exponent, 64 - 32 * n - 2), count, twoByPi);

  // The product's low words, by the multiplication of schools.
  SmallVector<Value> product(count);
  for (int64_t i = 0; i < n; ++i) {
    Value word = e.andBits(i ? e.shiftRight(integer, 32) : integer, mask);
    Value carry;
    for (unsigned j = 0; i + j < count; ++j) {
      Value sum = e.make<arith::MulIOp>(word, factor[j]);
      for (Value part : {product[i + j], carry})
        sum = part ? e.addBits(sum, part) : sum;
      product[i + j] = e.andBits(sum, mask);
      carry = e.shiftRight(sum, 32);
    }
  }
  auto pair = [&](unsigned high) {
    return e.make<arith::OrIOp>(e.shiftLeft(product[high], 32),
                                product[high - 1]);
  };

  // Two bits of quarters, then what is beyond, as a number of either sign.
  Value high = pair(count - 1), low = e.integer(high, 0);
  if (isDouble)
    low = pair(count - 3);
  Value quarters = e.shiftRight(high, 62);
  auto shiftPair = [&](Value by) {
    // By less than 64 and more than 0.
    Value over = e.make<arith::ShRUIOp>(low, e.subBits(e.integer(by, 64), by));
    high = e.make<arith::OrIOp>(e.make<arith::ShLIOp>(high, by), over);
    low = e.make<arith::ShLIOp>(low, by);
  };
  shiftPair(e.integer(high, 2));
  Value negative = e.make<arith::ShRSIOp>(high, e.integer(high, 63));
  quarters = e.subBits(quarters, negative);
  // But for the last of many bits, the opposite.
  high = e.make<arith::XOrIOp>(high, negative);
  low = e.make<arith::XOrIOp>(low, negative);
  Value zeros = e.make<math::CountLeadingZerosOp>(high);
  shiftPair(zeros);

  // The leading bits are 2^(32 n - 1) times a number between 1/2 and 1.
  Value leading = e.shiftRight(high, 65 - 32 * n);
  Value scale = e.subBits(e.integer(zeros, bias + 1 - 32 * n), zeros);
  if (!isDouble) {
    leading = e.make<arith::TruncIOp>(e.b.getI32Type(), leading);
    scale = e.make<arith::TruncIOp>(e.b.getI32Type(), scale);
    quarters = e.make<arith::TruncIOp>(e.b.getI32Type(), quarters);
    negative = e.make<arith::TruncIOp>(e.b.getI32Type(), negative);
  }
  Value rest = e.make<arith::SIToFPOp>(x.getType(), leading);
  rest = e.mul(rest, e.toFloat(e.shiftLeft(scale, mantissa)));
  // pi / 2 in the type, and what that leaves out.
  constexpr double halfPi = 0x1.921fb54442d18p0;
  double rounded = isDouble ? halfPi : float(halfPi);
  double left = isDouble ? 6.123233995736766e-17 : halfPi - rounded;
  rest = e.fma(rest, rounded, e.mul(rest, left));

  // Signs: of the rest, and of x.
  Value backwards = e.compare(arith::CmpIPredicate::slt, e.toBits(x),
                              e.integer(e.toBits(x), 0));
  Value zero = e.integer(quarters, 0);
  quarters = e.select(backwards, e.subBits(zero, quarters), quarters);
  Value below = e.compare(arith::CmpIPredicate::ne, negative, zero);
  Value opposite = e.make<arith::XOrIOp>(below, backwards);
  rest = e.select(opposite, e.make<arith::NegFOp>(rest), rest);
  return {e.select(e.equals(size, HUGE_VAL), e.constant(x, NAN), rest),
          quarters};
}
