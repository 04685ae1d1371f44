//===- Normalize.cpp - Loops of softmax and normalizations --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

//===----------------------------------------------------------------------===//
// SoftmaxOp
//===----------------------------------------------------------------------===//

/// The shape without the axis: each place is a distribution of its own.
static SmallVector<int64_t> getLists(SoftmaxOp op) {
  SmallVector<int64_t> shape(cast<RankedTensorType>(op.getType()).getShape());
  shape.erase(shape.begin() + op.getNormalizedAxis());
  return shape;
}

int64_t brisk::getTasks(SoftmaxOp op) { return countTasks(getLists(op)); }

void brisk::emitTask(LoopBuilder &b, SoftmaxOp op, Buffers in, Buffers out,
                     Value task) {
  int64_t axis = op.getNormalizedAxis(), size = in[0].getDim(axis);
  Type type = in[0].getElement(), wide = LoopBuilder::getSumType(type);
  if (size == 0)
    return;
  // The result holds the powers meanwhile, unless it would round them.
  bool keepsPowers = !op.getLog() && wide == type;
  b.taskNest(getLists(op), task, [&](ValueRange outer) {
    auto getPlace = [&](Value i) {
      Values at = llvm::to_vector(outer);
      at.insert(at.begin() + axis, i);
      return at;
    };
    auto loadAt = [&](Value i) {
      return b.convert(b.load(in[0], getPlace(i)), type, wide);
    };
    Value largest = b.reduce(
        Span{size, {}, {}}, b.least(wide),
        [&](Value a, Value c) { return b.max(wide, a, c); },
        [&](ValueRange i) { return loadAt(i[0]); });
    auto getPower = [&](Value i) {
      return b.math<math::ExpOp>(wide, b.sub(wide, loadAt(i), largest));
    };
    Value sum = b.reduce(
        Span{size, {}, {}}, b.zero(wide),
        [&](Value a, Value c) { return b.add(wide, a, c); },
        [&](ValueRange i) {
          Value power = getPower(i[0]);
          if (keepsPowers)
            b.store(power, out[0], getPlace(i[0]));
          return power;
        });
    Value last = op.getLog() ? b.math<math::LogOp>(wide, sum)
                             : b.div(wide, b.constant(wide, 1), sum);
    b.loop(b.index(0), b.index(size), [&](Value i) {
      Values at = getPlace(i);
      Value value;
      if (op.getLog())
        value = b.sub(wide, b.sub(wide, loadAt(i), largest), last);
      else
        value =
            b.mul(wide, keepsPowers ? b.load(out[0], at) : getPower(i), last);
      b.store(b.convert(value, wide, type), out[0], at);
    });
  });
}

//===----------------------------------------------------------------------===//
// LayerNormOp and RmsNormOp
//===----------------------------------------------------------------------===//

template <typename Op> static ArrayRef<int64_t> getOuter(Op op) {
  return cast<RankedTensorType>(op.getType())
      .getShape()
      .take_front(op.getNormalizedAxis());
}

int64_t brisk::getTasks(LayerNormOp op) { return countTasks(getOuter(op)); }
int64_t brisk::getTasks(RmsNormOp op) { return countTasks(getOuter(op)); }

/// Normalizes the dimensions from an axis on; `scale` and `bias` may be null.
static void emitNorm(LoopBuilder &b, const Buffer &in, const Buffer *scale,
                     const Buffer *bias, const Buffer &out,
                     ArrayRef<int64_t> outerShape, bool centered,
                     double epsilon, Value task) {
  Type type = in.getElement(), wide = LoopBuilder::getSumType(type);
  ArrayRef<int64_t> shape = in.getShape().drop_front(outerShape.size());
  SmallVector<Span> spans;
  for (int64_t dim : shape)
    spans.push_back({dim, {}, {}});
  double count = static_cast<double>(ShapedType::getNumElements(shape));
  auto add = [&](Value a, Value c) { return b.add(wide, a, c); };
  b.taskNest(outerShape, task, [&](ValueRange outer) {
    auto getPlace = [&](ValueRange inner) {
      Values at = llvm::to_vector(outer);
      llvm::append_range(at, inner);
      return at;
    };
    auto load = [&](const Buffer &buffer, ValueRange at) {
      Values from = broadcastIndices(b, buffer.getShape(), at);
      return b.convert(b.load(buffer, from), type, wide);
    };
    Value size = b.constant(wide, count), mean;
    if (centered) {
      mean = b.reduce(spans, b.zero(wide), add, [&](ValueRange inner) {
        return load(in, getPlace(inner));
      });
      mean = b.div(wide, mean, size);
    }
    auto loadCentered = [&](ValueRange inner) {
      Value value = load(in, getPlace(inner));
      return mean ? b.sub(wide, value, mean) : value;
    };
    Value square = b.reduce(spans, b.zero(wide), add, [&](ValueRange inner) {
      Value value = loadCentered(inner);
      return b.mul(wide, value, value);
    });
    square = b.add(wide, b.div(wide, square, size), b.constant(wide, epsilon));
    Value factor =
        b.div(wide, b.constant(wide, 1), b.math<math::SqrtOp>(wide, square));
    b.nest(shape, [&](ValueRange inner) {
      Values at = getPlace(inner);
      Value value = b.mul(wide, loadCentered(inner), factor);
      if (scale)
        value = b.mul(wide, value, load(*scale, at));
      if (bias)
        value = b.add(wide, value, load(*bias, at));
      b.store(b.convert(value, wide, type), out, at);
    });
  });
}

void brisk::emitTask(LoopBuilder &b, LayerNormOp op, Buffers in, Buffers out,
                     Value task) {
  const Buffer *scale = op.getScale() ? &in[1] : nullptr;
  const Buffer *bias = op.getBias() ? &in[op.getScale() ? 2 : 1] : nullptr;
  emitNorm(b, in[0], scale, bias, out[0], getOuter(op), /*centered=*/true,
           op.getEpsilon().convertToDouble(), task);
}

void brisk::emitTask(LoopBuilder &b, RmsNormOp op, Buffers in, Buffers out,
                     Value task) {
  emitNorm(b, in[0], op.getScale() ? &in[1] : nullptr, nullptr, out[0],
           getOuter(op), /*centered=*/false, op.getEpsilon().convertToDouble(),
           task);
}

//===----------------------------------------------------------------------===//
// LrnOp
//===----------------------------------------------------------------------===//

Values brisk::buildAt(LoopBuilder &b, LrnOp op, Buffers in, ValueRange at) {
  Type type = in[0].getElement(), wide = LoopBuilder::getSumType(type);
  int64_t size = op.getSize(), channels = in[0].getShape().back();
  int64_t before = (size - 1) / 2, after = size - 1 - before;
  Span around{-1, b.maxIndex(b.addIndex(at.back(), -before), b.index(0)),
              b.minIndex(b.addIndex(at.back(), after + 1), b.index(channels))};
  auto loadAt = [&](Value channel) {
    Values from = llvm::to_vector(at);
    from.back() = channel;
    return b.convert(b.load(in[0], from), type, wide);
  };
  Value sum = b.reduce(
      around, b.zero(wide), [&](Value a, Value c) { return b.add(wide, a, c); },
      [&](ValueRange i) {
        Value value = loadAt(i[0]);
        return b.mul(wide, value, value);
      });
  double alpha = op.getAlpha().convertToDouble() / static_cast<double>(size);
  Value base = b.add(wide, b.constant(wide, op.getBias().convertToDouble()),
                     b.mul(wide, b.constant(wide, alpha), sum));
  Value power = b.pow(wide, base, op.getBeta().convertToDouble());
  return {b.convert(b.div(wide, loadAt(at.back()), power), wide, type)};
}
