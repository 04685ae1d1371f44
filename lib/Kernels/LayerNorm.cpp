//===- LayerNorm.cpp - Layer and root-mean-square normalization -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Normalization of the dimensions from an axis on: the mean, then the variance
// around it, then the results. An operand that is computed within the group is
// computed once, into scratch memory, unless it is too long for that.
// A part that is normalized is a piece of work.
//
//===----------------------------------------------------------------------===//

#include "RowMatch.h"
#include "RowReduction.h"
#include "brisk/Kernels/Families.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace brisk;

namespace {
/// What layer_norm and rms_norm have in common.
struct Norm {
  Value input, scale, bias;
  bool centered = false;
  double epsilon = 0;
  /// `count` parts are normalized by themselves, each of `rows` rows.
  int64_t count = 0, rows = 0, columns = 0;
  /// The type to compute in.
  Type wide = {};

  static std::optional<Norm> match(Operation *op) {
    if (auto layer = dyn_cast_or_null<LayerNormOp>(op))
      return Norm{layer.getInput(), layer.getScale(), layer.getBias(), true}
          .with(layer);
    if (auto rms = dyn_cast_or_null<RmsNormOp>(op))
      return Norm{rms.getInput(), rms.getScale(), {}, false}.with(rms);
    return std::nullopt;
  }

private:
  template <typename Op> Norm &with(Op op) {
    ArrayRef<int64_t> shape = op.getType().getShape();
    epsilon = op.getEpsilon().convertToDouble();
    count = llvm::product_of(shape.take_front(op.getNormalizedAxis()));
    auto size = getRowsAndColumns(op.getResult());
    rows = count ? size.rows / count : 0;
    columns = size.columns;
    wide = getSumType(op.getType().getElementType());
    return *this;
  }
};

class LayerNormMatch : public RowMatch<LayerNormScheduleAttr> {
public:
  LayerNormMatch(const GroupView &view, const Norm &norm)
      : RowMatch(view, norm.count, norm.rows * norm.columns, /*perTask=*/4096),
        norm(norm) {}

  double getCycles(ScheduleAttr) override {
    return norm.count * 80.0 +
           countFlops(group) / isa.getElementsPerCycle(norm.wide) +
           getTraffic() / isa.memoryBytesPerCycle;
  }

  int64_t getScratch(ScheduleAttr) override {
    bool keeps = !isGroupInput(norm.input) && norm.rows == 1;
    return keeps && RowBuffer::isNear(norm.columns, norm.wide)
               ? RowBuffer::getBytes(norm.columns, norm.wide)
               : 0;
  }

  bool canRunInPlace(unsigned, unsigned) override { return true; }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange ins, ValueRange outs,
            PieceLoop forPieces) override {
    int64_t lanes = getColumnLanes(b.isa, norm.wide, norm.columns);
    Epilogue epilogue(group, group.getAnchor(), ins, outs);
    RowBuffer buffer(b, norm.columns, norm.wide);
    forPieces([&](Value part) {
      emitPart(b, norm, epilogue, buffer, lanes, b.mul(part, norm.rows));
    });
  }

private:
  /// Normalizes the rows from `first` on.
  static void emitPart(KernelBuilder &b, const Norm &norm, Epilogue &epilogue,
                       const RowBuffer &buffer, int64_t lanes, Value first) {
    auto type = cast<ShapedType>(norm.input.getType());
    Type wide = norm.wide, element = type.getElementType();
    bool keeps = buffer;
    bool kept = false;
    auto evaluate = [&](Value value, Value row, Columns at) {
      return b.convert(epilogue.evaluate(b, value, type.getShape(), row,
                                         at.start, at.lanes, at.mask),
                       element, wide);
    };
    auto load = [&](Value row, Columns at) {
      if (kept)
        return buffer.load(b, at);
      Value x = evaluate(norm.input, row, at);
      if (keeps)
        buffer.store(b, x, at);
      return x;
    };
    auto getMean = [&](function_ref<Value(Value, Columns)> load) -> Value {
      RowReduction sum(b, ReduceKind::Sum, wide, norm.columns, lanes);
      auto addRow = [&](Value row) {
        return sum.accumulate(sum.start(),
                              [&](Columns at) { return load(row, at); });
      };
      Values sums;
      if (norm.rows == 1)
        sums = addRow(first);
      else
        sums = b.loop(b.index(0), b.index(norm.rows), sum.start(),
                      [&](Value row, ValueRange carried) {
                        Values next = addRow(b.add(first, row));
                        for (auto [more, all] : llvm::zip_equal(next, carried))
                          more = b.add(all, more);
                        return next;
                      });
      return b.div(sum.finish(sums),
                   b.constant(wide, norm.rows * norm.columns));
    };
    Value mean;
    if (norm.centered) {
      mean = getMean(load);
      kept = keeps;
    }
    auto center = [&](Value row, Columns at) -> Value {
      Value x = load(row, at);
      return mean ? b.sub(x, b.broadcast(mean, x.getType())) : x;
    };
    Value variance = getMean([&](Value row, Columns at) -> Value {
      Value x = center(row, at);
      return b.mul(x, x);
    });
    kept = keeps;
    variance = b.add(variance, b.constant(wide, norm.epsilon));
    Value factor = b.div(b.constant(wide, 1), b.make<math::SqrtOp>(variance));
    // No column twice: the result may take an operand's place.
    auto emitRow = [&](Value row) {
      forColumns(b, norm.columns, lanes, /*mayRepeat=*/false, [&](Columns at) {
        Value x = center(row, at);
        x = b.mul(x, b.broadcast(factor, x.getType()));
        if (norm.scale && norm.bias)
          x = b.fma(x, evaluate(norm.scale, row, at),
                    evaluate(norm.bias, row, at));
        else if (norm.scale)
          x = b.mul(x, evaluate(norm.scale, row, at));
        else if (norm.bias)
          x = b.add(x, evaluate(norm.bias, row, at));
        epilogue.emit(b, b.convert(x, wide, element), row, at.start, at.lanes,
                      at.mask);
      });
    };
    if (norm.rows == 1)
      return emitRow(first);
    b.loop(first, b.add(first, norm.rows), emitRow);
  }

  Norm norm;
};
} // namespace

MatchPtr brisk::matchLayerNorm(GroupView &view) {
  std::optional<Norm> norm = Norm::match(view.getAnchor());
  if (!norm || cast<ShapedType>(norm->input.getType()).getRank() == 0)
    return view.refuse("has no normalization");
  return std::make_unique<LayerNormMatch>(view, *norm);
}
