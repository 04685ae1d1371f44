//===- Multiplier.cpp - How elements are multiplied and added up ----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

static Type getElement(Value value) {
  return getElementTypeOrSelf(value.getType());
}

Multiplier::Multiplier(const Isa &isa, Type lhs, Type rhs, Type sum)
    : product(isa.findProduct(lhs, rhs, sum)), lhs(lhs), rhs(rhs), sum(sum) {
  if (product && product->form == Isa::Form::OneByOne)
    product = nullptr;
}

Multiplier::Multiplier(const Isa &isa, Operation *op)
    : Multiplier(isa, getElement(op->getOperand(0)),
                 getElement(op->getOperand(1)),
                 getSumType(getElement(op->getResult(0)))) {}

Multiplier Multiplier::oneByOne(Operation *op) { return {Isa(), op}; }

void Multiplier::takeBlocks(const Isa &isa, int64_t rows, int64_t depth) {
  Multiplier other = *this;
  other.product = isa.findProduct(lhs, rhs, sum, Isa::Form::Blocks);
  auto getCycles = [&](const Multiplier &each) {
    return static_cast<double>(llvm::alignTo(rows, each.getRows()) *
                               llvm::alignTo(depth, each.getDepth())) /
           each.getRate(isa);
  };
  if (other.product && getCycles(other) < getCycles(*this))
    *this = other;
}

bool Multiplier::fits(Operation *op) {
  Type lhs = getElement(op->getOperand(0)), rhs = getElement(op->getOperand(1));
  return (isa<FloatType>(lhs) && isa<FloatType>(rhs)) ||
         (lhs.isInteger(8) && rhs.isInteger(8)) ||
         (lhs.isF32() && llvm::isa<IntegerType>(rhs));
}

/// What the instruction set says of it; null where it does not.
static const Isa::Product *findProduct(const Multiplier &multiplier,
                                       const Isa &isa) {
  if (multiplier.product)
    return multiplier.product;
  // Floats are extended to sums, and multiplied like these.
  if (llvm::isa<FloatType>(multiplier.sum))
    return isa.findProduct(multiplier.sum);
  const Isa::Product *found =
      isa.findProduct(multiplier.lhs, multiplier.rhs, multiplier.sum);
  return found && found->form == Isa::Form::OneByOne ? found : nullptr;
}

double Multiplier::getRate(const Isa &isa) const {
  if (const Isa::Product *found = findProduct(*this, isa))
    return found->getRate();
  // Multiplied and added; what is extended for that is used several times.
  return isa.getElementsPerCycle(sum) / 2;
}

double Multiplier::getLatency(const Isa &isa) const {
  const Isa::Product *found = findProduct(*this, isa);
  return found ? found->latency : 1;
}

/// What it takes to extend a vector to sums. Floats: one or two instructions,
/// which run beside products, or arithmetic on their bits. Integers to floats:
/// they are extended, then converted.
static int64_t getExtension(Type from, Type to, const Isa &isa) {
  constexpr int64_t onBits = 12, ofIntegers = 2;
  if (llvm::isa<IntegerType>(from))
    return llvm::isa<FloatType>(to) ? ofIntegers : 0;
  bool converts = isa.has(Isa::Operation::Conversion, from);
  return from.isF16() && from != to && !converts ? onBits : 0;
}

Multiplier::Preparation Multiplier::getPreparation(const Isa &isa) const {
  switch (product ? product->form : Isa::Form::OneByOne) {
  case Isa::Form::OneByOne: // of bytes, the rate says all
    return {.row = getExtension(lhs, sum, isa),
            .column = getExtension(rhs, sum, isa)};
  case Isa::Form::Dot:
    return {};
  case Isa::Form::Pairs:
    return {.row = 2, .column = 3};
  case Isa::Form::Singles:
    return {.row = 1, .column = 7};
  case Isa::Form::Words:
    return {.row = 2, .column = 2};
  case Isa::Form::Blocks: // rows are brought together
    return {.row = 1};
  case Isa::Form::Tiles: // no product of vectors
    break;
  }
  llvm_unreachable("a form");
}

int64_t Multiplier::getMostRows(const Isa &isa, int64_t vectors) const {
  // Sums, a row of the right operand, and an element of the left one.
  int64_t registers = isa.vectors.count, column = 1, row = 1;
  if (!isa.vectors.bits && !llvm::isa<FloatType>(sum))
    registers = isa.vectors.integers;
  if (product && product->form == Isa::Form::Pairs)
    column = 2, row = 3; // two of 16 bits, and what they multiply to
  else if (product && product->form == Isa::Form::Singles)
    column = 2;
  else if (product && product->form == Isa::Form::Words)
    column = 2, row = 2;
  else if (product && product->form == Isa::Form::Blocks)
    column = 2, row = 2;
  else if (!product && llvm::isa<FloatType>(sum) && rhs != sum)
    row = 2; // what is extended is no operand in memory
  if (!product && isa.vectors.takesScalars)
    --row;
  int64_t rows = (registers - column * vectors - row) / vectors;
  return rows / getRows() * getRows();
}

/// `count` elements of `type` that `load` gives, and zeros behind them, for a
/// step of `depth`.
static Value loadStep(KernelBuilder &b, Type type, int64_t count, int64_t depth,
                      Multiplier::LoadElements load) {
  if (count == depth)
    return load(0, depth);
  // Not one byte more: they may be the memory's last.
  Value all = b.zero(VectorType::get(depth, getStorageType(type)));
  for (int64_t i = 0; i < count; ++i)
    all = vector::InsertOp::create(b, load(i, /*lanes=*/0), all, i);
  return all;
}

Value Multiplier::joinSteps(KernelBuilder &b, Value elements) const {
  int64_t count = cast<VectorType>(elements.getType()).getNumElements();
  auto type = VectorType::get(count / getDepth(), sum);
  return vector::BitCastOp::create(b, type, elements);
}

Value Multiplier::makeRow(KernelBuilder &b, int64_t count,
                          LoadElements load) const {
  if (!product)
    return b.convert(load(0, /*lanes=*/0), lhs, sum);
  Value step = loadStep(b, lhs, count, product->k, load);
  return vector::ExtractOp::create(b, joinSteps(b, step), ArrayRef<int64_t>{0});
}

Value Multiplier::loadRow(KernelBuilder &b, const FlatBuffer &from, Value at,
                          int64_t count) const {
  return makeRow(b, count, [&](int64_t first, int64_t lanes) {
    return from.load(b, b.add(at, first), lanes);
  });
}

Value Multiplier::loadRows(KernelBuilder &b, const FlatBuffer &from, Value at,
                           int64_t stride, int64_t rows, int64_t count) const {
  if (getRows() == 1)
    return loadRow(b, from, at, count);
  assert(getRows() == 2 && "rows in halves of a vector");
  auto loadRow = [&](Value at) {
    return loadStep(b, lhs, count, product->k,
                    [&](int64_t first, int64_t lanes) {
                      return from.load(b, b.add(at, first), lanes);
                    });
  };
  Value first = loadRow(at), second = first;
  if (rows > 1)
    second = loadRow(b.add(at, stride));
  auto both = llvm::to_vector(llvm::seq<int64_t>(2 * product->k));
  return vector::ShuffleOp::create(b, first, second, both);
}

Value Multiplier::loadLanes(KernelBuilder &b, const FlatBuffer &from, Value at,
                            int64_t stride, int64_t count, int64_t lanes,
                            Value mask) const {
  if (!product)
    return b.convert(from.load(b, at, lanes, mask), lhs, sum);
  // The elements as they are, whatever their sign, side by side in a sum's
  // bits.
  int64_t width = lhs.getIntOrFloatBitWidth();
  auto each = [&](Type type) {
    return lanes ? Type(VectorType::get(lanes, type)) : type;
  };
  Type element = each(b.getIntegerType(width)), whole = each(b.getI32Type());
  Value all;
  for (int64_t i = 0; i < count; ++i) {
    Value row = from.load(b, b.add(at, i * stride), lanes, mask);
    if (llvm::isa<FloatType>(lhs))
      row = arith::BitcastOp::create(b, element, row);
    row = arith::ExtUIOp::create(b, whole, row);
    if (i)
      row = arith::ShLIOp::create(b, row, b.integer(row, width * i));
    all = i ? arith::OrIOp::create(b, all, row).getResult() : row;
  }
  return all;
}

/// The element of a vector of one; a scalar as it is.
static Value extractWord(KernelBuilder &b, Value word) {
  if (!llvm::isa<VectorType>(word.getType()))
    return word;
  return vector::ExtractOp::create(b, word, ArrayRef<int64_t>{0});
}

Value Multiplier::loadColumns(KernelBuilder &b, const FlatBuffer &from,
                              Value at, int64_t lanes, Value mask) const {
  if (!product)
    return b.convert(from.load(b, at, lanes, mask), rhs, sum);
  if (product->form == Isa::Form::Words) {
    assert(lanes <= 1 && "words are not in vectors");
    return extractWord(b, joinSteps(b, from.load(b, at, product->k)));
  }
  return from.load(b, at, lanes * product->k, mask);
}

/// Loads `packed` elements, and not one more, into a vector of them or, where
/// there are masks, of `count`, of which the others hold anything.
static Value loadPart(KernelBuilder &b, const FlatBuffer &from, Value at,
                      int64_t packed, int64_t count) {
  if (!b.isa.hasMasks())
    return from.load(b, at, packed);
  Type element = getStorageType(from.getElementType());
  if (!element.isInteger(8) || packed % 4)
    return from.load(b, at, count, b.mask(count, packed));
  // In words, whose masks are in all instruction sets that have any.
  int64_t words = count / 4;
  Type i32 = b.getI32Type();
  Value view =
      memref::ViewOp::create(b, MemRefType::get({words}, i32), from.getMemref(),
                             at, /*sizes=*/ValueRange());
  Value loaded =
      b.load(i32, view, b.index(0), words, b.mask(words, packed / 4));
  return vector::BitCastOp::create(b, VectorType::get(count, element), loaded);
}

Value Multiplier::loadShortColumns(KernelBuilder &b, const FlatBuffer &from,
                                   Value at, int64_t count,
                                   int64_t lanes) const {
  int64_t depth = getDepth(), packed = lanes * count;
  if (count == depth)
    return loadColumns(b, from, at, lanes, /*mask=*/{});
  Value elements = loadPart(b, from, at, packed, lanes * depth);
  SmallVector<int64_t> picks;
  for (int64_t lane = 0; lane < lanes; ++lane)
    for (int64_t i = 0; i < depth; ++i)
      picks.push_back(lane * count + std::min(i, count - 1));
  return vector::ShuffleOp::create(b, elements, elements, picks);
}

Value Multiplier::interleaveColumns(KernelBuilder &b, const FlatBuffer &from,
                                    Value at, int64_t stride, int64_t count,
                                    int64_t lanes, Value mask) const {
  Value bits = loadLanes(b, from, at, stride, count, lanes, mask);
  if (product->form == Isa::Form::Words)
    return extractWord(b, bits);
  auto type = VectorType::get(lanes * product->k, getStorageType(rhs));
  return vector::BitCastOp::create(b, type, bits);
}

/// What the product's intrinsic for vectors like `sums` gives.
static Value call(KernelBuilder &b, const Isa::Product &product, Value sums,
                  ValueRange operands) {
  auto type = cast<VectorType>(sums.getType());
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  StringRef name = product.intrinsics[llvm::Log2_64(bits / 128)];
  assert(!name.empty() && "a vector of this width");
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands)
      .getResult(0);
}

namespace {
/// Bytes at even and at odd places, extended to 16 bits.
struct Halves {
  /// All code is for machines that keep the lower byte first.
  Halves(KernelBuilder &b, Value bytes, Type element) {
    auto type = cast<VectorType>(bytes.getType());
    type = VectorType::get(type.getNumElements() / 2, b.getI16Type());
    Value pairs = vector::BitCastOp::create(b, type, bytes);
    Value byte = b.integer(pairs, 8);
    if (element.isUnsignedInteger()) {
      even = arith::AndIOp::create(b, pairs, b.integer(pairs, 255));
      odd = arith::ShRUIOp::create(b, pairs, byte);
    } else {
      Value high = arith::ShLIOp::create(b, pairs, byte);
      even = arith::ShRSIOp::create(b, high, byte);
      odd = arith::ShRSIOp::create(b, pairs, byte);
    }
  }

  Value even, odd;
};
} // namespace

/// Adds the products of elements 0 and 2, then those of 1 and 3.
static Value addPairs(KernelBuilder &b, const Multiplier &multiplier,
                      Value rows, Value columns, Value sums) {
  Halves left(b, rows, multiplier.lhs), right(b, columns, multiplier.rhs);
  for (auto [row, column] :
       {std::pair(left.even, right.even), std::pair(left.odd, right.odd)})
    sums = b.add(sums, call(b, *multiplier.product, sums, {row, column}));
  return sums;
}

/// Adds the products of elements 0 to 3, one after the other.
static Value addSingles(KernelBuilder &b, const Multiplier &multiplier,
                        Value row, Value columns, Value sums) {
  constexpr int64_t count = 4;
  // Instructions take one of these for all lanes.
  row = b.broadcast(row, VectorType::get(1, row.getType()));
  row =
      vector::BitCastOp::create(b, VectorType::get(count, b.getI8Type()), row);
  row = b.convert(row, multiplier.lhs, b.getI16Type());
  Halves right(b, columns, multiplier.rhs);
  int64_t lanes = cast<VectorType>(sums.getType()).getNumElements();
  for (int64_t element = 0; element < count; ++element) {
    SmallVector<int64_t> every(lanes, element), ofColumns;
    for (int64_t lane = 0; lane < lanes; ++lane)
      ofColumns.push_back(2 * lane + element / 2);
    Value half = element % 2 ? right.odd : right.even;
    Value operands[] = {vector::ShuffleOp::create(b, row, row, every),
                        vector::ShuffleOp::create(b, half, half, ofColumns)};
    sums = b.add(sums, call(b, *multiplier.product, sums, operands));
  }
  return sums;
}

/// Adds the products of bytes 0 and 2 of two words, then those of 1 and 3.
static Value addWords(KernelBuilder &b, const Multiplier &multiplier, Value row,
                      Value column, Value sums) {
  Value sum = extractWord(b, sums);
  const auto &[multiplyAdd, extendSigned, extendUnsigned] =
      multiplier.product->intrinsics;
  auto call = [&](StringRef name, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(b, sum.getType(),
                                         b.getStringAttr(name), operands)
        .getResult(0);
  };
  // Where the word is turned to the right first, the instruction does it.
  Value byte = b.integer(sum, 8);
  for (bool odd : {false, true}) {
    auto extend = [&, extendSigned = extendSigned,
                   extendUnsigned = extendUnsigned](Value word, Type element) {
      if (odd)
        word = call("llvm.fshr", {word, word, byte});
      return call(element.isUnsignedInteger() ? extendUnsigned : extendSigned,
                  word);
    };
    sum = call(multiplyAdd, {extend(row, multiplier.lhs),
                             extend(column, multiplier.rhs), sum});
  }
  return b.broadcast(sum, sums.getType());
}

Value Multiplier::multiplyAdd(KernelBuilder &b, Value row, Value columns,
                              Value sums) const {
  if (product && product->form == Isa::Form::Singles)
    return addSingles(b, *this, row, columns, sums);
  if (product && product->form == Isa::Form::Words)
    return addWords(b, *this, row, columns, sums);
  if (product && product->form == Isa::Form::Blocks)
    return call(b, *product, sums, {sums, row, columns});
  Value rows = b.broadcast(row, sums.getType());
  if (!product)
    return llvm::isa<FloatType>(sum) ? b.fma(rows, columns, sums)
                                     : b.add(sums, b.mul(rows, columns));
  Type elements = columns.getType();
  if (llvm::isa<FloatType>(lhs)) {
    // Elsewhere these are integers to LLVM (see lower-to-llvm).
    columns = vector::BitCastOp::create(b, sums.getType(), columns);
    columns = LLVM::BitcastOp::create(b, elements, columns);
    rows = LLVM::BitcastOp::create(b, elements, rows);
  } else {
    rows = vector::BitCastOp::create(b, elements, rows);
  }
  return product->form == Isa::Form::Pairs
             ? addPairs(b, *this, rows, columns, sums)
             : call(b, *product, sums, {sums, rows, columns});
}

Value Multiplier::getPart(KernelBuilder &b, Value columns,
                          int64_t number) const {
  if (getRows() == 1)
    return columns;
  int64_t size = product->n * product->k, first = number * size;
  auto part = llvm::to_vector(llvm::seq<int64_t>(first, first + size));
  return vector::ShuffleOp::create(b, columns, columns, part);
}

Values Multiplier::regroup(KernelBuilder &b, Values sums, int64_t width) const {
  if (getRows() == 1)
    return sums;
  int64_t rows = static_cast<int64_t>(sums.size()) / width;
  if (rows % 2)
    llvm::append_range(sums, Values(ArrayRef(sums).take_back(width)));
  for (int64_t r = 0; r < rows; r += 2)
    for (int64_t c = 0; c < width; ++c) {
      Value &first = sums[r * width + c], &second = sums[(r + 1) * width + c];
      int64_t lanes = cast<VectorType>(first.getType()).getNumElements();
      SmallVector<int64_t> low, high;
      for (int64_t start : {int64_t(0), lanes})
        for (int64_t lane = start; lane < start + lanes / 2; ++lane) {
          low.push_back(lane);
          high.push_back(lane + lanes / 2);
        }
      Value lower = vector::ShuffleOp::create(b, first, second, low);
      second = vector::ShuffleOp::create(b, first, second, high);
      first = lower;
    }
  return sums;
}
