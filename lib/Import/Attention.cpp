//===- Attention.cpp - Attention and rotary embedding --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Composed of matrix products, softmax and arithmetic, which later stages may
// recognise again.
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

/// batch x sequence x (heads * size) as batch x heads x sequence x size.
static Value splitHeads(Node &n, Value x, int64_t heads) {
  return n.transpose(n.reshape(x, {0, 0, heads, -1}), {0, 2, 1, 3});
}

static Value mergeHeads(Node &n, Value x) {
  return n.reshape(n.transpose(x, {0, 2, 1, 3}), {0, 0, -1});
}

/// Each key or value head once for every query head that reads it.
static Value repeatHeads(Node &n, Value x, int64_t heads, int64_t times) {
  if (times == 1)
    return x;
  Value wide = n.make<TileOp>(n.unsqueeze(x, {2}), n.ints({1, 1, times, 1, 1}));
  int64_t length = Node::getDim(x, 2), size = Node::getDim(x, 3);
  if (!ShapedType::isDynamic(length) && !ShapedType::isDynamic(size))
    return n.reshape(wide, {0, heads * times, length, size});
  Value shape = n.concat(
      {n.shapeOf(x, 0, 1), n.ints({heads * times}), n.shapeOf(x, 2)}, 0);
  return n.make<ReshapeOp>(wide, shape);
}

static double infinity() { return std::numeric_limits<double>::infinity(); }

namespace {
/// The bias that is added to the scores, and its parts.
struct Mask {
  Value bias;

  void add(Node &n, Value more) { bias = bias ? n.add(bias, more) : more; }
  /// Keys where `allowed` is false get no attention.
  void allow(Node &n, Value allowed, Type element) {
    add(n, n.select(allowed, n.scalar(0, element),
                    n.scalar(-infinity(), element)));
  }
};
} // namespace

/// Positions of `count` queries or keys.
static Value positions(Node &n, Value count) {
  return n.make<RangeOp>(n.intScalar(0), count, n.intScalar(1));
}

/// The mask of an attention of `q` on `k`: what the node's inputs and
/// attributes say together; null if nothing.
static Value makeMask(Node &n, Value q, Value k, Value past) {
  Mask mask;
  Type element = Node::getElementType(q);
  Value given = n.maybe(3), valid = n.maybe(6);
  if (valid)
    n.checkShape(valid, "nonpad_kv_seqlen", {Node::getDim(q, 0)});
  bool causal = n.getInt("is_causal", 0) != 0;
  int64_t left = n.getInt("left_window_size", -1);
  int64_t right = n.getInt("right_window_size", -1);
  if (given) {
    bool boolean = Node::getElementType(given).isInteger(1);
    if (!boolean)
      given = n.cast(given, element);
    int64_t rank = n.needRank(given);
    int64_t have = Node::getDim(given, rank - 1), want = Node::getDim(k, 2);
    if (have < want && !ShapedType::isDynamic(have) &&
        !ShapedType::isDynamic(want) && have != 1) {
      // Keys that the mask does not reach are not attended.
      Value fill = n.scalarLike(boolean ? 0 : -infinity(), given);
      given = n.make<PadOp>(given, n.ints({0, want - have}), fill,
                            n.ints({rank - 1}), PadMode::Constant);
    }
    if (boolean)
      mask.allow(n, given, element);
    else
      mask.add(n, given);
  }
  if (causal || left >= 0 || right >= 0) {
    Value query = n.unsqueeze(positions(n, n.dimOf(q, 2)), {1});
    Value key = positions(n, n.dimOf(k, 2));
    if (past) {
      query = n.add(query, n.dimOf(past, 2));
    } else if (valid) {
      Value offset =
          n.sub(n.cast(valid, n.builder.getI64Type()), n.dimOf(q, 2));
      query = n.add(query, n.unsqueeze(offset, {1, 2, 3}));
    }
    if (causal)
      mask.allow(n, n.make<LessEqualOp>(key, query), element);
    if (left >= 0)
      mask.allow(n, n.make<LessEqualOp>(n.sub(query, n.intScalar(left)), key),
                 element);
    if (right >= 0)
      mask.allow(n, n.make<LessEqualOp>(key, n.add(query, n.intScalar(right))),
                 element);
  }
  if (valid) {
    Value count = n.unsqueeze(n.cast(valid, n.builder.getI64Type()), {1, 2, 3});
    mask.allow(n, n.make<LessOp>(positions(n, n.dimOf(k, 2)), count), element);
  }
  return mask.bias;
}

/// Softmax over the keys; rows of which every key is masked are zeros.
static Value maskedSoftmax(Node &n, Value scores, Value mask) {
  Value y = n.make<SoftmaxOp>(scores, -1, /*log=*/false);
  if (!mask)
    return y;
  Value most = n.reduce(ReduceKind::Max, mask, {-1}, /*keepdims=*/true);
  Value dead = n.make<EqualOp>(most, n.scalarLike(-infinity(), most));
  return n.select(dead, n.scalarLike(0, y), y);
}

static Results attention(Node &n) {
  Value q = n.in(0), k = n.in(1), v = n.in(2), pastKey = n.maybe(4),
        pastValue = n.maybe(5);
  int64_t queryHeads = n.getInt("q_num_heads", 0);
  int64_t keyHeads = n.getInt("kv_num_heads", 0);
  int64_t rank = n.needRank(q);
  if (n.isBroken())
    return failure();
  if ((rank != 3 && rank != 4) || n.needRank(k) != rank ||
      n.needRank(v) != rank)
    return n.error() << "query, key and value must all have rank 3, or all 4";
  if (rank == 3) {
    if (queryHeads < 1 || keyHeads < 1)
      return n.error() << "inputs of rank 3 need q_num_heads and kv_num_heads";
    q = splitHeads(n, q, queryHeads);
    k = splitHeads(n, k, keyHeads);
    v = splitHeads(n, v, keyHeads);
  } else {
    queryHeads = Node::getDim(q, 1);
    keyHeads = Node::getDim(k, 1);
  }
  if (n.isBroken())
    return failure();
  if (ShapedType::isDynamic(queryHeads) || ShapedType::isDynamic(keyHeads) ||
      keyHeads == 0 || queryHeads % keyHeads)
    return n.error() << "numbers of heads must be known, and those of queries "
                        "a multiple of those of keys";
  if (!pastKey != !pastValue)
    return n.error() << "it has one of past_key and past_value, expected both "
                        "or neither";
  int64_t batch = Node::getDim(q, 0), length = Node::getDim(k, 2);
  n.checkShape(k, "K", {batch, keyHeads, length, Node::getDim(q, 3)});
  n.checkShape(v, "V", {batch, keyHeads, length, Node::getDim(v, 3)});
  n.checkElementType(k, "K", q);
  if (pastKey) {
    k = n.concat({pastKey, k}, 2);
    v = n.concat({pastValue, v}, 2);
    n.checkShape(v, "V with past_value",
                 {batch, keyHeads, Node::getDim(k, 2), Node::getDim(v, 3)});
  }
  Value presentKey = k, presentValue = v;
  // Products and softmax of 16-bit floats are in f32, rounded at the end.
  Type element = Node::getElementType(q);
  q = n.widen(q);
  k = n.widen(k);
  v = n.widen(v);

  Value scale;
  if (n.has("scale")) {
    scale = n.scalarLike(std::sqrt(n.getFloat("scale", 1)), q);
  } else if (int64_t size = Node::getDim(q, 3); !ShapedType::isDynamic(size)) {
    scale = n.scalarLike(std::sqrt(1 / std::sqrt(double(size))), q);
  } else {
    return n.error() << "the size of a head must be known";
  }
  Value mask = makeMask(n, q, k, pastKey);
  k = repeatHeads(n, k, keyHeads, queryHeads / keyHeads);
  v = repeatHeads(n, v, keyHeads, queryHeads / keyHeads);
  Value scores = n.make<MatmulOp>(n.mul(q, scale),
                                  n.mul(n.transpose(k, {0, 1, 3, 2}), scale));
  Value shown = scores;
  int64_t mode = n.getInt("qk_matmul_output_mode", 0);
  if (double cap = n.getFloat("softcap", 0); cap > 0) {
    Value limit = n.scalarLike(cap, scores);
    scores = n.mul(n.make<TanhOp>(n.div(scores, limit)), limit);
    shown = mode == 1 ? scores : shown;
  }
  if (mask)
    scores = n.keepShape(n.add(scores, mask), "attn_mask", scores);
  if (mode == 2)
    shown = scores;
  // Less than f32 is not asked for by any precision.
  if (n.has("softmax_precision"))
    scores =
        n.widen(n.cast(scores, n.typeOf(n.getInt("softmax_precision", 1))));
  Value weights =
      n.cast(maskedSoftmax(n, scores, mask), Node::getElementType(q));
  if (mode == 3)
    shown = weights;
  Value y = n.make<MatmulOp>(weights, v);
  if (rank == 3)
    y = mergeHeads(n, y);
  return {n.cast(y, element), presentKey, presentValue, n.cast(shown, element)};
}

static Results rotaryEmbedding(Node &n) {
  Value x = n.in(0), cos = n.in(1), sin = n.in(2), ids = n.maybe(3);
  int64_t heads = n.getInt("num_heads", 0), rank = n.needRank(x);
  int64_t rotated = n.getInt("rotary_embedding_dim", 0);
  bool interleaved = n.getInt("interleaved", 0) != 0;
  if (n.isBroken())
    return failure();
  if (rank == 3 && heads > 0)
    x = n.reshape(x, {0, 0, heads, -1});
  else if (rank == 4)
    x = n.transpose(x, {0, 2, 1, 3});
  else
    return n.error() << "its input has rank " << rank
                     << ", expected 4, or 3 with num_heads";
  int64_t size = Node::getDim(x, 3);
  if (n.isBroken() || ShapedType::isDynamic(size))
    return n.error() << "the size of a head must be known";
  rotated = rotated == 0 ? size : rotated;
  if (rotated < 2 || rotated > size || rotated % 2)
    return n.error() << "rotary_embedding_dim is " << rotated
                     << ", expected an even number up to " << size;
  int64_t batch = Node::getDim(x, 0), length = Node::getDim(x, 1);
  auto spread = [&](Value cache, StringRef name) {
    if (ids) {
      n.checkShape(ids, "position_ids", {batch, length});
      cache = n.make<GatherOp>(cache, ids, 0);
    }
    n.checkShape(cache, name, {batch, length, rotated / 2});
    return n.unsqueeze(cache, {2});
  };
  cos = spread(cos, "cos_cache");
  sin = spread(sin, "sin_cache");
  auto part = [&](int64_t start, int64_t end, int64_t step) {
    return n.make<SliceOp>(x, n.ints({start}), n.ints({end}), n.ints({3}),
                           n.ints({step}));
  };
  Value a = interleaved ? part(0, rotated, 2) : part(0, rotated / 2, 1);
  Value b = interleaved ? part(1, rotated, 2) : part(rotated / 2, rotated, 1);
  Value real = n.sub(n.mul(cos, a), n.mul(sin, b));
  Value imaginary = n.add(n.mul(sin, a), n.mul(cos, b));
  Value y;
  if (interleaved) {
    Value pairs =
        n.concat({n.unsqueeze(real, {4}), n.unsqueeze(imaginary, {4})}, 4);
    y = n.reshape(pairs, {0, 0, 0, rotated});
  } else {
    y = n.concat({real, imaginary}, 3);
  }
  if (rotated < size)
    y = n.concat({y, part(rotated, size, 1)}, 3);
  return rank == 3 ? n.reshape(y, {0, 0, -1}) : n.transpose(y, {0, 2, 1, 3});
}

void onnximport::addAttentionRows(OpTable &table) {
  table.on("Attention", 23, attention, Elements::Floats);
  table.on("RotaryEmbedding", 23, inF32<rotaryEmbedding>, Elements::Floats);
}
