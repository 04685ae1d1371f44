//===- AttentionOps.cpp - Attention ---------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "ShapeInference.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/ElementBuilder.h"
#include "brisk/Dialect/Ops.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

#define GET_OP_CLASSES
#include "brisk/Dialect/AttentionOps.cpp.inc"

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// An error unless `value` has this shape, as far as it is known.
static LogicalResult checkShape(OptionalLoc loc, StringRef name, Value value,
                                ArrayRef<int64_t> shape) {
  Type expected = makeTensor(shape, elementOf(value));
  if (succeeded(verifyCompatibleShape(expected, value.getType())))
    return success();
  return emitOptionalError(loc, name, " has type ", value.getType(),
                           ", expected ", expected);
}

/// Whether a mask ends before the last of the keys, the rest of which then is
/// not attended.
static bool isShort(RankedTensorType mask, int64_t keys) {
  int64_t reach = mask.getRank() ? mask.getShape().back() : 1;
  return !isDynamic(reach) && !isDynamic(keys) && reach != 1 && reach < keys;
}

/// The parameters, for scores of the type `scores`.
static LogicalResult checkParameters(OptionalLoc loc, AttentionOp::Adaptor op,
                                     RankedTensorType scores) {
  if (auto mask = op.getMask() ? ranked(op.getMask()) : RankedTensorType()) {
    SmallVector<int64_t> shape(mask.getShape());
    if (isShort(mask, scores.getDimSize(3)))
      shape.back() = scores.getDimSize(3);
    Type padded = mask.clone(shape);
    FailureOr<Type> both =
        inferBroadcast(std::nullopt, {padded, scores}, scores.getElementType());
    if (failed(both) || !areCompatible({*both}, {scores}))
      return emitOptionalError(loc, "mask of type ", mask,
                               " does not broadcast to ", scores);
  }
  for (auto [name, value] :
       {std::pair("start", op.getStart()), {"lens", op.getLens()}})
    if (value && ranked(value) && ranked(value).getRank() != 0 &&
        failed(checkShape(loc, name, value, {scores.getDimSize(0)})))
      return failure();
  return success();
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *, OptionalLoc loc,
                                            Adaptor op, Types &results) {
  Type element = elementOf(op.getQ());
  if (elementOf(op.getK()) != element)
    return emitOptionalError(loc, "K has elements of type ",
                             elementOf(op.getK()), ", expected ", element);
  if (getSumType(elementOf(op.getV())) != getSumType(element))
    return emitOptionalError(loc, "V has elements of type ",
                             elementOf(op.getV()), ", expected ", element);
  RankedTensorType q = ranked(op.getQ()), k = ranked(op.getK()),
                   v = ranked(op.getV());
  if (!q || !k || !v) {
    results.append(op.getScores() ? 2 : 1, UnrankedTensorType::get(element));
    return success();
  }
  if (q.getRank() != 4 || k.getRank() != 4 || v.getRank() != 4)
    return emitOptionalError(loc, "Q, K and V have ", q.getRank(), ", ",
                             k.getRank(), " and ", v.getRank(),
                             " dimensions, expected 4");
  int64_t batch = q.getDimSize(0), heads = q.getDimSize(1),
          groups = k.getDimSize(1), length = k.getDimSize(2);
  if (!isDynamic(heads) && !isDynamic(groups) &&
      (groups == 0 || heads % groups))
    return emitOptionalError(loc, "Q has ", heads, " heads and K ", groups,
                             ", expected a multiple");
  if (failed(checkShape(loc, "K", op.getK(),
                        {batch, groups, length, q.getDimSize(3)})) ||
      failed(checkShape(loc, "V", op.getV(),
                        {batch, groups, length, v.getDimSize(3)})))
    return failure();
  SmallVector<int64_t> shape(q.getShape());
  shape[3] = length;
  if (!isAddressable(shape))
    return emitOptionalError(loc, "the scores have too many elements");
  RankedTensorType scores = makeTensor(shape, element);
  if (failed(checkParameters(loc, op, scores)))
    return failure();
  shape[3] = v.getDimSize(3);
  if (failed(give(loc, results, shape, element)))
    return failure();
  if (op.getScores())
    results.push_back(scores);
  return success();
}

namespace {
/// What is added to the scores.
struct Mask {
  const Composer &c;
  Value like;
  Value bias;

  void add(Value more) { bias = bias ? c.make<AddOp>(bias, more) : more; }
  /// Keys where `allowed` is false get no attention.
  void allow(Value allowed) {
    add(c.make<SelectOp>(allowed, c.number(0, like),
                         c.number(-infinity, like)));
  }
};
} // namespace

/// Places from 0 to `count`.
static Value makePlaces(const Composer &c, int64_t count) {
  return c.make<RangeOp>(c.integer(0), c.integer(count), c.integer(1));
}

/// A scalar or a value for each sequence, to broadcast to the scores.
static Value spread(const Composer &c, Value value) {
  value = c.cast(value, c.b.getI64Type());
  return ranked(value).getRank() == 0
             ? value
             : c.make<UnsqueezeOp>(value, c.ints({1, 2, 3}));
}

/// The mask that is given, without the keys that it does not reach.
static void addMask(Mask &mask, Value given, int64_t keys) {
  const Composer &c = mask.c;
  bool isBool = elementOf(given).isInteger(1);
  if (!isBool)
    given = c.cast(given, elementOf(mask.like));
  RankedTensorType type = ranked(given);
  if (isShort(type, keys)) {
    Value fill = isBool ? c.make<CastOp>(c.integer(0), c.b.getI1Type())
                        : c.number(-infinity, given);
    given =
        c.make<PadOp>(given, c.ints({0, keys - type.getShape().back()}), fill,
                      c.ints({type.getRank() - 1}), PadMode::Constant);
  }
  isBool ? mask.allow(given) : mask.add(given);
}

/// What mask, windows and lengths say together of scores of `queries` and
/// `keys`, in elements like those of `like`; null if nothing.
static Value makeMask(const Composer &c, AttentionOp op, Value like,
                      int64_t queries, int64_t keys) {
  Mask mask{c, like, Value()};
  if (op.getMask())
    addMask(mask, op.getMask(), keys);
  if (!op.getCausal() && op.getLeftWindow() < 0 && op.getRightWindow() < 0 &&
      !op.getLens())
    return mask.bias;
  Value key = makePlaces(c, keys);
  Value query = c.make<UnsqueezeOp>(makePlaces(c, queries), c.ints({1}));
  if (op.getStart())
    query = c.make<AddOp>(query, spread(c, op.getStart()));
  if (op.getCausal())
    mask.allow(c.make<LessEqualOp>(key, query));
  if (int64_t left = op.getLeftWindow(); left >= 0)
    mask.allow(c.make<LessEqualOp>(c.make<SubOp>(query, c.integer(left)), key));
  if (int64_t right = op.getRightWindow(); right >= 0)
    mask.allow(
        c.make<LessEqualOp>(c.make<SubOp>(key, c.integer(right)), query));
  if (op.getLens())
    mask.allow(c.make<LessOp>(key, spread(c, op.getLens())));
  return mask.bias;
}

/// Each head of keys or values once for every query head that reads it.
static Value repeatHeads(const Composer &c, Value x, int64_t heads) {
  ArrayRef<int64_t> shape = ranked(x).getShape();
  if (shape[1] == heads)
    return x;
  Value tiled = c.make<TileOp>(c.make<UnsqueezeOp>(x, c.ints({2})),
                               c.ints({1, 1, heads / shape[1], 1, 1}));
  return makeReshape(c.b, c.loc, tiled, {shape[0], heads, shape[2], shape[3]});
}

/// Softmax over the keys; rows of which every key is masked are zeros.
static Value maskedSoftmax(const Composer &c, Value scores, Value mask) {
  Value y = c.make<SoftmaxOp>(scores, -1, /*log=*/false);
  if (!mask)
    return y;
  Value most = c.make<ReduceOp>(mask, c.ints({-1}), ReduceKind::Max,
                                /*keepdims=*/true,
                                /*noop_with_empty_axes=*/true);
  Value dead = c.make<EqualOp>(most, c.number(-infinity, most));
  return c.make<SelectOp>(dead, c.number(0, y), y);
}

SmallVector<Value> AttentionOp::decompose(OpBuilder &b) {
  Composer c(b, getLoc());
  Type element = elementOf(getQ()), wide = getSumType(element);
  Value q = c.cast(getQ(), wide), k = c.cast(getK(), wide),
        v = c.cast(getV(), wide);
  ArrayRef<int64_t> shape = ranked(q).getShape();
  double factor = getScale() ? getScale()->convertToDouble()
                             : 1 / std::sqrt(double(shape[3]));
  Value root = c.number(std::sqrt(factor), q);
  k = makeTranspose(b, c.loc, repeatHeads(c, k, shape[1]), {0, 1, 3, 2});
  Value scores =
      c.make<MatmulOp>(c.make<MulOp>(q, root), c.make<MulOp>(k, root));
  SmallVector<Value, 4> stages{scores};
  if (double cap = getSoftcap().convertToDouble(); cap > 0) {
    Value limit = c.number(cap, scores);
    scores = c.make<MulOp>(c.make<TanhOp>(c.make<DivOp>(scores, limit)), limit);
  }
  stages.push_back(scores);
  Value mask = makeMask(c, *this, scores, shape[2], ranked(v).getDimSize(2));
  if (mask)
    scores = c.make<AddOp>(scores, mask);
  stages.push_back(scores);
  if (auto precision = getSoftmaxPrecision())
    scores = c.cast(c.cast(scores, *precision), getSumType(*precision));
  Value weights = c.cast(maskedSoftmax(c, scores, mask), wide);
  stages.push_back(weights);
  SmallVector<Value> results{
      c.cast(c.make<MatmulOp>(weights, repeatHeads(c, v, shape[1])), element)};
  if (auto which = getScores())
    results.push_back(c.cast(stages[static_cast<size_t>(*which)], element));
  return results;
}
