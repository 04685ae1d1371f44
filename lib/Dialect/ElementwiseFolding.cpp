//===- ElementwiseFolding.cpp - Folds elementwise ops ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementEvaluator.h"
#include "Folding.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace brisk;

namespace {
/// An operand's elements, and where the result's index meets them.
struct Source {
  explicit Source(ElementsAttr attr)
      : bytes(attr), width(getElementBytes(attr.getElementType())) {}
  ElementBytes bytes;
  size_t width;
  /// Elements to go on for one step of each of the result's dimensions.
  SmallVector<int64_t> strides;
};
} // namespace

// Merges dimensions that every source walks through in one stride.
static SmallVector<int64_t> coalesce(MutableArrayRef<Source> sources,
                                     ArrayRef<int64_t> shape) {
  SmallVector<int64_t> merged;
  SmallVector<size_t> innermost;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    bool joins = dim > 0 && llvm::all_of(sources, [&](const Source &source) {
                   return source.strides[dim - 1] == source.strides[dim] * size;
                 });
    if (joins) {
      merged.back() *= size;
      innermost.back() = dim;
    } else {
      merged.push_back(size);
      innermost.push_back(dim);
    }
  }
  for (Source &source : sources)
    source.strides = llvm::map_to_vector(
        innermost, [&](size_t dim) { return source.strides[dim]; });
  return merged;
}

// Runs over all elements of a result of `shape`, which has one dimension or
// more and is not empty.
static void evaluate(ElementEvaluator &evaluator, ArrayRef<Source> sources,
                     ArrayRef<int64_t> shape, size_t width, char *out) {
  SmallVector<int64_t> index(shape.size(), 0), offsets(sources.size(), 0);
  int64_t inner = shape.size() - 1;
  for (bool done = false; !done;) {
    unsigned n = 0;
    while (n < ElementEvaluator::chunk && !done) {
      unsigned run = std::min<int64_t>(ElementEvaluator::chunk - n,
                                       shape[inner] - index[inner]);
      for (auto [k, source] : llvm::enumerate(sources)) {
        int64_t stride = source.strides[inner];
        evaluator.load(k, n, run,
                       source.bytes.bytes().data() + offsets[k] * source.width,
                       stride * static_cast<int64_t>(source.width));
        offsets[k] += stride * run;
      }
      n += run;
      index[inner] += run;
      // Carry into the outer dimensions.
      for (int64_t dim = inner; index[dim] == shape[dim]; --dim) {
        index[dim] = 0;
        done = dim == 0;
        if (done)
          break;
        ++index[dim - 1];
        for (auto [k, source] : llvm::enumerate(sources))
          offsets[k] +=
              source.strides[dim - 1] - source.strides[dim] * shape[dim];
      }
    }
    evaluator.run(n);
    evaluator.store(n, out);
    out += n * width;
  }
}

/// The op's expression on scalars, for operands of these elements.
static std::optional<ElementEvaluator>
makeEvaluator(ElementwiseOpInterface op, ArrayRef<ElementsAttr> operands) {
  MLIRContext *context = op->getContext();
  Block block;
  for (ElementsAttr attr : operands) {
    Type element = attr.getElementType();
    if (!isa<FloatType>(element))
      element = IntegerType::get(context, element.getIntOrFloatBitWidth());
    block.addArgument(element, op.getLoc());
  }
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(&block);
  Value result = op.buildElement(builder, op.getLoc(), block.getArguments());
  return ElementEvaluator::create(block, result);
}

static OpFoldResult foldConstants(ElementwiseOpInterface op,
                                  ArrayRef<Attribute> operands) {
  RankedTensorType type = getStaticType(op->getResult(0));
  if (!type || operands.empty())
    return {};
  int64_t count = type.getNumElements(), largest = 0;
  bool uniform = true;
  SmallVector<ElementsAttr> attrs;
  for (Attribute operand : operands) {
    auto attr = dyn_cast_if_present<ElementsAttr>(operand);
    if (!attr)
      return {};
    if (ElementsAttr one = getSplatElement(attr))
      attr = one;
    else
      uniform = false;
    largest = std::max(largest, attr.getNumElements());
    attrs.push_back(attr);
  }
  constexpr int64_t maxElements = 1 << 20;
  if (!uniform &&
      (!op.foldsConstants() || (count > maxElements && count > largest)))
    return {};

  std::optional<ElementEvaluator> evaluator = makeEvaluator(op, attrs);
  if (!evaluator)
    return {};

  SmallVector<int64_t> shape(type.getShape());
  if (uniform || shape.empty())
    shape = {1};
  SmallVector<Source> sources;
  for (ElementsAttr attr : attrs) {
    Source &source = sources.emplace_back(attr);
    source.strides.assign(shape.size(), 0);
    ArrayRef<int64_t> dims = attr.getShapedType().getShape();
    int64_t stride = 1;
    for (size_t i = 1; i <= std::min(dims.size(), shape.size()); ++i) {
      int64_t dim = dims[dims.size() - i];
      source.strides[shape.size() - i] = dim == 1 ? 0 : stride;
      stride *= dim;
    }
  }
  shape = coalesce(sources, shape);
  size_t width = getElementBytes(type.getElementType());
  if (uniform) {
    SmallVector<char, 8> bytes(width);
    evaluate(*evaluator, sources, shape, width, bytes.data());
    return makeSplat(type, bytes);
  }
  return makeElements(type, [&](MutableArrayRef<char> bytes) {
    if (!bytes.empty())
      evaluate(*evaluator, sources, shape, width, bytes.data());
  });
}

// Whether all elements are `value`; zeros by their sign, too.
static bool isAll(Attribute operand, double value) {
  auto attr = dyn_cast_if_present<ElementsAttr>(operand);
  if (ElementsAttr one = attr ? getSplatElement(attr) : nullptr) {
    double element = getAsDoubles(one).front();
    return element == value && (!isa<FloatType>(one.getElementType()) ||
                                std::signbit(element) == std::signbit(value));
  }
  return false;
}

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

// x where the op is applied twice in a row and the second undoes the first.
static Value undone(Operation *op) {
  Operation *inner = op->getOperand(0).getDefiningOp();
  return inner && inner->getName() == op->getName() ? inner->getOperand(0)
                                                    : Value();
}

static bool sameValue(Value x, Value y) {
  Attribute a, b;
  return x == y || (matchPattern(x, m_Constant(&a)) &&
                    matchPattern(y, m_Constant(&b)) && a == b);
}

// max(x, x), and max(max(x, y), y).
static Value foldIdempotent(Operation *op) {
  Value x = op->getOperand(0), y = op->getOperand(1);
  if (x == y)
    return x;
  Operation *inner = x.getDefiningOp();
  if (inner && inner->getName() == op->getName() &&
      sameValue(inner->getOperand(1), y))
    return x;
  return {};
}

// Whether a value of `from` is the same after it was one of `to`.
static bool isLossless(Type from, Type to) {
  if (from == to)
    return true;
  auto toFloat = dyn_cast<FloatType>(to);
  if (auto fromFloat = dyn_cast<FloatType>(from))
    return toFloat && toFloat.getWidth() > fromFloat.getWidth();
  unsigned width = from.getIntOrFloatBitWidth();
  if (toFloat)
    return width <= toFloat.getFPMantissaWidth();
  return width <= to.getIntOrFloatBitWidth();
}

static Value foldCast(CastOp op) {
  Value x = op.getInput();
  if (getElementTypeOrSelf(x) == op.getTo())
    return x;
  auto inner = x.getDefiningOp<CastOp>();
  if (!inner)
    return {};
  Type origin = getElementTypeOrSelf(inner.getInput());
  return origin == op.getTo() && isLossless(origin, inner.getTo())
             ? inner.getInput()
             : Value();
}

// The operand that the op passes on unchanged, were it not for broadcasting.
static Value foldIdentity(Operation *op, ArrayRef<Attribute> operands) {
  Value x = op->getOperand(0);
  return TypeSwitch<Operation *, Value>(op)
      .Case([&](AddOp) {
        // -0.0 + 0.0 is not -0.0.
        return isAll(operands[1], isFloat(x) ? -0.0 : 0.0) ? x : Value();
      })
      .Case([&](SubOp) { return isAll(operands[1], 0.0) ? x : Value(); })
      .Case<MulOp, DivOp, PowOp>(
          [&](Operation *) { return isAll(operands[1], 1.0) ? x : Value(); })
      .Case([&](LogicalAndOp) { return isAll(operands[1], 1.0) ? x : Value(); })
      .Case<LogicalOrOp, LogicalXorOp>(
          [&](Operation *) { return isAll(operands[1], 0.0) ? x : Value(); })
      .Case<MaxOp, MinOp>(foldIdempotent)
      .Case<NegOp, LogicalNotOp, BitwiseNotOp>(undone)
      .Case([&](SelectOp select) {
        if (select.getX() == select.getY() || isAll(operands[0], 1.0))
          return Value(select.getX());
        return isAll(operands[0], 0.0) ? Value(select.getY()) : Value();
      })
      .Case(foldCast)
      .Default([](Operation *) { return Value(); });
}

OpFoldResult brisk::foldElementwise(Operation *op,
                                    ArrayRef<Attribute> operands) {
  if (Value same = foldIdentity(op, operands))
    if (same.getType() == op->getResult(0).getType() &&
        (op->getNumOperands() == 1 ||
         cast<TensorType>(same.getType()).hasStaticShape()))
      return same;
  return foldConstants(cast<ElementwiseOpInterface>(op), operands);
}
