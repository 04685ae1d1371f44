//===- Gather.cpp - Slices along an axis, by index --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gather of rows: the result's innermost dimension is copied in vectors from
// the slice that the index names. Schedule: `rows`, the rows of a task.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Loops/ArithmeticBuilder.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

namespace {
class GatherKernel : public Kernel {
public:
  StringRef getName() const override { return "gather"; }

  ArrayRef<ScheduleParameter> getParameters() const override {
    static constexpr ScheduleParameter parameters[] = {{"rows"}};
    return parameters;
  }

  void getSchedules(GroupOp group, const Isa &,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override {
    auto gather = dyn_cast_or_null<GatherOp>(group.getAnchor());
    if (!gather || !isGroupInput(gather.getData()) ||
        !isGroupInput(gather.getIndices()))
      return;
    // Rows that the indices do not cut across.
    ArrayRef<int64_t> shape = gather.getData().getType().getShape();
    if (gather.getNormalizedAxis() + 1 == static_cast<int64_t>(shape.size()) ||
        gather.getData().getType().getNumElements() == 0)
      return;
    int64_t rows = 8192 / std::max<int64_t>(1, shape.back());
    schedules.push_back(ScheduleAttr::make(
        group.getContext(), getName(), {{"rows", std::max<int64_t>(1, rows)}}));
  }

  double getCost(GroupOp group, ScheduleAttr, const Isa &isa) const override {
    auto gather = cast<GatherOp>(group.getAnchor());
    auto type = gather.getResult().getType();
    double lanes = isa.getLanes(getStorageType(type.getElementType()));
    return 10.0 * getRows(gather) + 2 * type.getNumElements() / lanes +
           countFlops(group) / lanes +
           2 * getElementBits(type) / 8.0 * type.getNumElements() /
               isa.memoryBytesPerCycle;
  }

  int64_t getTasks(GroupOp group, const Isa &) const override {
    return std::max<int64_t>(
        1, llvm::divideCeil(getRows(cast<GatherOp>(group.getAnchor())),
                            group.getScheduleAttr().getInt("rows")));
  }

  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override {
    auto gather = cast<GatherOp>(group.getAnchor());
    auto type = gather.getResult().getType();
    if (type.getNumElements() == 0)
      return success();
    Type element = type.getElementType();
    FlatBuffer data(b, getBuffer(ins, gather.getData()), element);
    FlatBuffer indices(b, getBuffer(ins, gather.getIndices()),
                       gather.getIndices().getType().getElementType());
    Epilogue epilogue(group, gather, ins, outs);
    size_t axis = gather.getNormalizedAxis();
    size_t indexRank = indices.getShape().size();
    int64_t columns = type.getShape().back();
    int64_t lanes = getColumnLanes(b.isa, getStorageType(element), columns);
    int64_t taskRows = group.getScheduleAttr().getInt("rows");
    Value to = b.createOrFold<arith::MinUIOp>(b.mul(end, taskRows),
                                              b.index(getRows(gather)));
    b.loop(b.mul(begin, taskRows), to, 1, [&](Value row) {
      // Outer dimensions, the indices', and inner ones but the last.
      SmallVector<Value> at = delinearize(b, row, type.getShape().drop_back());
      Value place = b.index(0), source = b.index(0);
      for (size_t d = 0; d < indexRank; ++d)
        place = b.add(place, b.mul(at[axis + d], indices.getStrides()[d]));
      for (size_t d = 0; d < axis; ++d)
        source = b.add(source, b.mul(at[d], data.getStrides()[d]));
      for (size_t d = axis + indexRank; d < at.size(); ++d)
        source =
            b.add(source, b.mul(at[d], data.getStrides()[d + 1 - indexRank]));
      int64_t slices = data.getShape()[axis];
      Value slice =
          boundIndex(b, indices.load(b, place, 0), slices, 0, slices - 1);
      source = b.add(source, b.mul(slice, data.getStrides()[axis]));
      forColumns(b, columns, lanes, /*mayRepeat=*/true, [&](Columns at) {
        Value value = data.load(b, b.add(source, at.start), at.lanes, at.mask);
        epilogue.emit(b, value, row, at.start, at.lanes, at.mask);
      });
    });
    return success();
  }

private:
  static unsigned getElementBits(ShapedType type) {
    return getStorageType(type.getElementType()).getIntOrFloatBitWidth();
  }

  static int64_t getRows(GatherOp gather) {
    int64_t columns = gather.getResult().getType().getShape().back();
    int64_t elements = gather.getResult().getType().getNumElements();
    return columns ? elements / columns : 0;
  }
};
} // namespace

const Kernel &brisk::getGatherKernel() {
  static const GatherKernel kernel;
  return kernel;
}
