//===- Convolution.cpp - Loops of convolution -----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopOps.h"

using namespace mlir;
using namespace brisk;

/// Sums that are kept in the result need an element type to sum in, and enough
/// output channels in a row to be worth it.
static bool sumsInResult(Type type, int64_t inputs, int64_t outputs) {
  return getSumType(type) == type &&
         (outputs >= 4 || (inputs == 1 && outputs == 1));
}

namespace {
/// What both convolutions do once the taps are known: `at` are batch and
/// spatial indices of the result, `filter` those of the filter's window,
/// `source` batch and spatial indices of the input.
struct Channels {
  int64_t group, inputs, outputs;
  /// The filter's channel indices for channels of a group.
  bool transposed;

  Values getFilter(KernelBuilder &b, ValueRange window, Value g, Value i,
                   Value o) const {
    Values at = llvm::to_vector(window);
    Value all = b.add(b.mul(g, inputs), i);
    Value out = b.add(b.mul(g, outputs), o);
    at.push_back(transposed ? all : i);
    at.push_back(transposed ? o : out);
    return at;
  }
};
} // namespace

/// The bias of an output channel, or zero, in the type summed in.
static Value getBias(KernelBuilder &b, Buffers in, Type wide, Value channel) {
  if (in.size() < 3)
    return b.zero(wide);
  return b.convert(in[2].load(b, channel), in[2].getElement(), wide);
}

/// Emits the result's channels at one place. `forTaps` runs its argument with
/// the window's indices and the input's place for every tap that there is, and
/// passes values on.
using TapBody = function_ref<Values(ValueRange, ValueRange, ValueRange)>;
static void emitPlace(KernelBuilder &b, const Channels &channels, Buffers in,
                      const Buffer &out, ValueRange at,
                      function_ref<Values(ValueRange, TapBody)> forTaps) {
  Type type = out.getElement(), wide = getSumType(type);
  auto product = [&](ValueRange window, ValueRange source, Value g, Value i,
                     Value o) {
    Value channel = b.add(b.mul(g, channels.inputs), i);
    Value x = in[0].load(b, join(source, channel));
    Value w = in[1].load(b, channels.getFilter(b, window, g, i, o));
    return b.mul(b.convert(x, in[0].getElement(), wide),
                 b.convert(w, in[1].getElement(), wide));
  };
  Value zero = b.index(0), groups = b.index(channels.group),
        outputs = b.index(channels.outputs);
  if (!sumsInResult(type, channels.inputs, channels.outputs)) {
    b.loop(zero, groups, [&](Value g) {
      b.loop(zero, outputs, [&](Value o) {
        Value channel = b.add(b.mul(g, channels.outputs), o);
        Values sum = forTaps(
            {getBias(b, in, wide, channel)},
            [&](ValueRange window, ValueRange source, ValueRange carried) {
              Value part =
                  b.sum(Span{channels.inputs, {}, {}}, wide, [&](ValueRange i) {
                    return product(window, source, g, i[0], o);
                  });
              return Values{b.add(carried[0], part)};
            });
        out.store(b, b.convert(sum[0], wide, type), join(at, channel));
      });
    });
    return;
  }
  b.loop(zero, b.index(out.getShape().back()), [&](Value channel) {
    out.store(b, getBias(b, in, wide, channel), join(at, channel));
  });
  forTaps({}, [&](ValueRange window, ValueRange source, ValueRange) {
    b.loop(zero, groups, [&](Value g) {
      b.loop(zero, b.index(channels.inputs), [&](Value i) {
        b.loop(zero, outputs, [&](Value o) {
          Values to = join(at, b.add(b.mul(g, channels.outputs), o));
          Value sum = b.add(out.load(b, to), product(window, source, g, i, o));
          out.store(b, sum, to);
        });
      });
    });
    return Values();
  });
}

//===----------------------------------------------------------------------===//
// ConvOp
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> getOuter(ConvOp op) {
  return llvm::to_vector(op.getType().getShape().drop_back());
}

static void emitAt(KernelBuilder &b, ConvOp op, Buffers in, Buffers out,
                   ValueRange at) {
  Window window = *op.getWindow();
  size_t rank = window.getRank();
  int64_t group = op.getGroup();
  Channels channels{group, in[1].getDim(rank), in[1].getDim(rank + 1) / group,
                    false};
  SmallVector<Span> taps;
  for (size_t dim = 0; dim < rank; ++dim)
    taps.push_back(getTaps(b, window, dim, at[dim + 1]));
  emitPlace(b, channels, in, out[0], at, [&](ValueRange carried, TapBody body) {
    return b.nest(taps, carried, [&](ValueRange tap, ValueRange values) {
      return body(tap, getSource(b, window, at, tap), values);
    });
  });
}

//===----------------------------------------------------------------------===//
// ConvTransposeOp
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> getOuter(ConvTransposeOp op) {
  return llvm::to_vector(op.getType().getShape().drop_back());
}

/// Gathers what the input's elements spread: a tap reaches a place of the
/// result if the distance to it is a multiple of the stride.
static void emitAt(KernelBuilder &b, ConvTransposeOp op, Buffers in,
                   Buffers out, ValueRange at) {
  Window window = *op.getWindow();
  size_t rank = window.getRank();
  int64_t group = op.getGroup();
  Channels channels{group, in[1].getDim(rank) / group, in[1].getDim(rank + 1),
                    true};
  SmallVector<Span> taps;
  for (int64_t size : window.kernel)
    taps.push_back({size, {}, {}});
  emitPlace(b, channels, in, out[0], at, [&](ValueRange carried, TapBody body) {
    return b.nest(taps, carried, [&](ValueRange tap, ValueRange values) {
      Values source = llvm::to_vector(at);
      Value reached;
      for (size_t dim = 0; dim < rank; ++dim) {
        Value stride = b.index(window.strides[dim]);
        Value from = b.add(at[dim + 1], window.padBegin[dim]);
        from = b.sub(from, b.mul(tap[dim], window.dilations[dim]));
        // Truncates: a negative distance gives 0 or less.
        Value place = arith::DivSIOp::create(b, from, stride);
        Value rest = arith::RemSIOp::create(b, from, stride);
        Value holds =
            b.logicalAnd(b.compare(arith::CmpIPredicate::eq, rest, b.index(0)),
                         b.isWithin(place, window.output[dim]));
        reached = reached ? b.logicalAnd(reached, holds) : holds;
        source[dim + 1] = place;
      }
      if (values.empty()) {
        b.ifThen(reached, [&] { body(tap, source, values); });
        return Values();
      }
      return b.ifElse(
          reached, values.getTypes(), [&] { return body(tap, source, values); },
          [&] { return llvm::to_vector(values); });
    });
  });
}

void brisk::addConvolutionLoops(LoopTable &table) {
  table.on<ConvOp>(getOuter, emitAt);
  table.on<ConvTransposeOp>(getOuter, emitAt);
}
