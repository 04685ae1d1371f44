//===- LayerNorm.cpp - Layer and root-mean-square normalization -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Normalization along the innermost dimension: the mean, then the variance
// around it, then the results. An operand that is computed within the group is
// computed once, into a buffer on the stack, unless rows are too long for that.
// A row is a piece of work.
//
//===----------------------------------------------------------------------===//

#include "RowReduction.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

namespace {
/// What layer_norm and rms_norm have in common.
struct Norm {
  Value input, scale, bias;
  int64_t axis = 0, rows = 0, columns = 0;
  double epsilon = 0;
  bool centered = false;

  static std::optional<Norm> match(Operation *op) {
    Norm norm;
    if (auto layer = dyn_cast_or_null<LayerNormOp>(op))
      norm = {layer.getInput(),
              layer.getScale(),
              layer.getBias(),
              layer.getNormalizedAxis(),
              0,
              0,
              layer.getEpsilon().convertToDouble(),
              true};
    else if (auto rms = dyn_cast_or_null<RmsNormOp>(op))
      norm = {rms.getInput(),
              rms.getScale(),
              {},
              rms.getNormalizedAxis(),
              0,
              0,
              rms.getEpsilon().convertToDouble(),
              false};
    else
      return std::nullopt;
    auto type = cast<RankedTensorType>(norm.input.getType());
    norm.columns = type.getRank() ? type.getShape().back() : 1;
    norm.rows = norm.columns ? type.getNumElements() / norm.columns : 0;
    return norm;
  }
};

class LayerNormMatch : public KernelMatch {
public:
  LayerNormMatch(const GroupView &view, const Norm &norm)
      : KernelMatch(view), norm(norm) {}

  void getSchedules(Search search,
                    SmallVectorImpl<ScheduleAttr> &schedules) override {
    for (int64_t rows : getNumbers(search, 4096 / norm.columns))
      schedules.push_back(LayerNormScheduleAttr::get(group.getContext(), rows));
  }

  double getCycles(ScheduleAttr) override {
    Type f32 = Float32Type::get(group.getContext());
    return norm.rows * 80.0 + countFlops(group) / isa.getElementsPerCycle(f32) +
           getTraffic() / isa.memoryBytesPerCycle;
  }

  Work getWork(ScheduleAttr schedule) override {
    return {norm.rows, cast<LayerNormScheduleAttr>(schedule).getRows()};
  }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange ins, ValueRange outs,
            PieceLoop forPieces) override {
    Type f32 = b.getF32Type();
    int64_t lanes = getColumnLanes(b.isa, f32, norm.columns);
    Epilogue epilogue(group, group.getAnchor(), ins, outs);
    RowBuffer buffer(b, norm.columns);
    forPieces(
        [&](Value row) { emitRow(b, norm, epilogue, buffer, lanes, row); });
  }

private:
  static void emitRow(KernelBuilder &b, const Norm &norm, Epilogue &epilogue,
                      const RowBuffer &buffer, int64_t lanes, Value row) {
    Type f32 = b.getF32Type();
    bool keeps = !isGroupInput(norm.input) && buffer;
    bool kept = false;
    auto load = [&](Columns at) {
      if (kept)
        return buffer.load(b, at);
      Value x =
          epilogue.evaluate(b, norm.input, row, at.start, at.lanes, at.mask);
      if (keeps)
        buffer.store(b, x, at);
      return x;
    };
    auto getMean = [&](RowReduction::Load load) -> Value {
      Value sum =
          RowReduction(b, ReduceKind::Sum, norm.columns, lanes).reduce(load);
      return arith::DivFOp::create(b, sum, b.constant(f32, norm.columns));
    };
    Value mean;
    if (norm.centered) {
      mean = getMean(load);
      kept = keeps;
    }
    auto center = [&](Columns at) -> Value {
      Value x = load(at);
      if (!mean)
        return x;
      return arith::SubFOp::create(b, x, b.broadcast(mean, x.getType()));
    };
    Value variance = getMean([&](Columns at) -> Value {
      Value x = center(at);
      return arith::MulFOp::create(b, x, x);
    });
    kept = keeps;
    variance =
        arith::AddFOp::create(b, variance, b.constant(f32, norm.epsilon));
    Value factor = arith::DivFOp::create(b, b.constant(f32, 1),
                                         math::SqrtOp::create(b, variance));
    forColumns(b, norm.columns, lanes, /*mayRepeat=*/true, [&](Columns at) {
      Value x = center(at);
      x = arith::MulFOp::create(b, x, b.broadcast(factor, x.getType()));
      auto getParameter = [&](Value parameter) {
        return epilogue.evaluate(b, parameter, b.index(0), at.start, at.lanes,
                                 at.mask);
      };
      if (norm.scale && norm.bias)
        x = b.fma(x, getParameter(norm.scale), getParameter(norm.bias));
      else if (norm.scale)
        x = arith::MulFOp::create(b, x, getParameter(norm.scale));
      else if (norm.bias)
        x = arith::AddFOp::create(b, x, getParameter(norm.bias));
      epilogue.emit(b, x, row, at.start, at.lanes, at.mask);
    });
  }

  Norm norm;
};
} // namespace

MatchPtr brisk::matchLayerNorm(GroupView &view) {
  std::optional<Norm> norm = Norm::match(view.getAnchor());
  if (!norm || !isF32(norm->input) || norm->columns == 0)
    return view.refuse("has no normalization of f32");
  if (norm->axis != cast<RankedTensorType>(norm->input.getType()).getRank() - 1)
    return view.refuse("normalizes along several dimensions");
  // One row of parameters, the same for all rows of the input.
  for (Value parameter : {norm->scale, norm->bias})
    if (parameter) {
      auto shape = cast<RankedTensorType>(parameter.getType()).getShape();
      if (!isF32(parameter) || shape.empty() ||
          llvm::any_of(shape.drop_back(), [](int64_t d) { return d != 1; }) ||
          shape.back() != norm->columns)
        return view.refuse("has scales that differ between rows");
    }
  return std::make_unique<LayerNormMatch>(view, *norm);
}
