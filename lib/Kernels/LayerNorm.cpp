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
// Schedule: `rows`, the rows of a task.
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

class LayerNormKernel : public Kernel {
public:
  StringRef getName() const override { return "layer_norm"; }

  ArrayRef<ScheduleParameter> getParameters() const override {
    static constexpr ScheduleParameter parameters[] = {{"rows"}};
    return parameters;
  }

  void getSchedules(GroupOp group, const Isa &,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override {
    std::optional<Norm> norm = Norm::match(group.getAnchor());
    if (!norm || !isF32(norm->input) || norm->columns == 0)
      return;
    auto type = cast<RankedTensorType>(norm->input.getType());
    if (norm->axis != type.getRank() - 1)
      return;
    // One row of parameters, the same for all rows of the input.
    for (Value parameter : {norm->scale, norm->bias})
      if (parameter) {
        auto shape = cast<RankedTensorType>(parameter.getType()).getShape();
        if (!isF32(parameter) || shape.empty() ||
            llvm::any_of(shape.drop_back(), [](int64_t d) { return d != 1; }) ||
            shape.back() != norm->columns)
          return;
      }
    int64_t taskRows = std::max<int64_t>(1, 4096 / norm->columns);
    schedules.push_back(ScheduleAttr::make(group.getContext(), getName(),
                                           {{"rows", taskRows}}));
  }

  double getCost(GroupOp group, ScheduleAttr, const Isa &isa) const override {
    std::optional<Norm> norm = Norm::match(group.getAnchor());
    Type f32 = Float32Type::get(group.getContext());
    return norm->rows * 80.0 +
           countFlops(group) / isa.getElementsPerCycle(f32) +
           countBytes(group) / isa.memoryBytesPerCycle;
  }

  int64_t getTasks(GroupOp group, const Isa &) const override {
    return std::max<int64_t>(
        1, llvm::divideCeil(Norm::match(group.getAnchor())->rows,
                            group.getScheduleAttr().getInt("rows")));
  }

  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override {
    Norm norm = *Norm::match(group.getAnchor());
    if (norm.rows == 0)
      return success();
    Type f32 = b.getF32Type();
    int64_t lanes = getColumnLanes(b.isa, f32, norm.columns);
    Epilogue epilogue(group, group.getAnchor(), ins, outs);
    RowBuffer buffer(b, norm.columns);
    int64_t taskRows = group.getScheduleAttr().getInt("rows");
    Value from = b.mul(begin, taskRows);
    Value to = b.createOrFold<arith::MinUIOp>(b.mul(end, taskRows),
                                              b.index(norm.rows));
    b.loop(from, to, 1,
           [&](Value row) { emitRow(b, norm, epilogue, buffer, lanes, row); });
    return success();
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
};
} // namespace

const Kernel &brisk::getLayerNormKernel() {
  static const LayerNormKernel kernel;
  return kernel;
}
