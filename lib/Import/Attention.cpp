//===- Attention.cpp - Attention and rotary embedding ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "brisk/Dialect/Ops.h"

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

/// The place of the first query among the keys; null for 0.
static Value readStart(Node &n, Value q, Value past, Value lens) {
  if (past)
    return n.dimOf(past, 2);
  return lens ? n.sub(n.cast(lens, n.builder.getI64Type()), n.dimOf(q, 2))
              : lens;
}

static Results attention(Node &n) {
  Value q = n.in(0), k = n.in(1), v = n.in(2), mask = n.maybe(3),
        pastKey = n.maybe(4), pastValue = n.maybe(5), lens = n.maybe(6);
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
  }
  if (!pastKey != !pastValue)
    return n.error() << "it has one of past_key and past_value, expected both "
                        "or neither";
  if (pastKey) {
    k = n.concat({pastKey, k}, 2);
    v = n.concat({pastValue, v}, 2);
  }
  FloatAttr scale;
  if (n.has("scale"))
    scale = n.builder.getF32FloatAttr(n.getFloat("scale", 1));
  TypeAttr precision;
  if (n.has("softmax_precision"))
    precision = TypeAttr::get(n.typeOf(n.getInt("softmax_precision", 1)));
  int64_t mode = n.getInt("qk_matmul_output_mode", 0);
  auto which = symbolizeAttentionScores(mode);
  if (!which)
    return n.error() << "qk_matmul_output_mode is " << mode
                     << ", expected 0 to 3";
  AttentionScoresAttr scores;
  if (n.hasOutput(3))
    scores = AttentionScoresAttr::get(n.builder.getContext(), *which);
  APFloat softcap(static_cast<float>(n.getFloat("softcap", 0)));
  auto results = n.makeMany<AttentionOp>(
      scores ? 2 : 1, q, k, v, mask, readStart(n, q, pastKey, lens), lens,
      scale, softcap, n.getFlag("is_causal"), n.getInt("left_window_size", -1),
      n.getInt("right_window_size", -1), precision, scores);
  Value y = rank == 3 ? mergeHeads(n, results[0]) : results[0];
  return {y, k, v, results.back()};
}

static Results rotaryEmbedding(Node &n) {
  Value x = n.in(0), cos = n.in(1), sin = n.in(2), ids = n.maybe(3);
  int64_t heads = n.getInt("num_heads", 0), rank = n.needRank(x);
  int64_t rotated = n.getInt("rotary_embedding_dim", 0);
  bool interleaved = n.getFlag("interleaved");
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
