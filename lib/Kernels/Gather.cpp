//===- Gather.cpp - Slices along an axis, by index ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gather of rows: the result's innermost dimension is copied in vectors from
// the slice that the index names. A row is a piece of work.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "RowMatch.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Kernels/Families.h"

using namespace mlir;
using namespace brisk;

namespace {
class GatherMatch : public RowMatch<GatherScheduleAttr> {
public:
  GatherMatch(const GroupView &view, GatherOp gather, RowsAndColumns size)
      : RowMatch(view, size.rows, size.columns, /*perTask=*/8192),
        gather(gather), size(size) {}

  double getCycles(ScheduleAttr) override {
    auto type = gather.getResult().getType();
    double lanes = isa.getLanes(getStorageType(type.getElementType()));
    return 10.0 * size.rows + 2 * type.getNumElements() / lanes +
           countFlops(group) / lanes + getTraffic() / isa.memoryBytesPerCycle;
  }

  /// Of the data, what is copied.
  uint64_t getTraffic() override {
    return KernelMatch::getTraffic() - getByteSize(gather.getData().getType()) +
           getByteSize(gather.getResult().getType());
  }

  void emit(KernelBuilder &b, ScheduleAttr, ValueRange ins, ValueRange outs,
            PieceLoop forPieces) override {
    auto type = gather.getResult().getType();
    Type element = type.getElementType();
    FlatBuffer data(b, getBuffer(ins, gather.getData()), element);
    FlatBuffer indices(b, getBuffer(ins, gather.getIndices()),
                       gather.getIndices().getType().getElementType());
    Epilogue epilogue(group, gather, ins, outs);
    size_t axis = gather.getNormalizedAxis();
    size_t indexRank = indices.getShape().size();
    int64_t lanes =
        getColumnLanes(b.isa, getStorageType(element), size.columns);
    forPieces([&](Value row) {
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
          b.boundIndex(indices.load(b, place, 0), slices, 0, slices - 1);
      source = b.add(source, b.mul(slice, data.getStrides()[axis]));
      forColumns(b, size.columns, lanes, /*mayRepeat=*/true, [&](Columns at) {
        Value value = data.load(b, b.add(source, at.start), at.lanes, at.mask);
        epilogue.emit(b, value, row, at.start, at.lanes, at.mask);
      });
    });
  }

private:
  GatherOp gather;
  RowsAndColumns size;
};
} // namespace

MatchPtr brisk::matchGather(GroupView &view) {
  auto gather = dyn_cast_or_null<GatherOp>(view.getAnchor());
  if (!gather)
    return view.refuse("has no gather");
  if (!isGroupInput(gather.getData()) || !isGroupInput(gather.getIndices()))
    return view.refuse("computes what it gathers, or where");
  // Rows that the indices do not cut across.
  ArrayRef<int64_t> shape = gather.getData().getType().getShape();
  if (gather.getNormalizedAxis() + 1 == static_cast<int64_t>(shape.size()) ||
      gather.getData().getType().getNumElements() == 0)
    return view.refuse("gathers along the innermost dimension, or nothing");
  return std::make_unique<GatherMatch>(view, gather,
                                       getRowsAndColumns(gather.getResult()));
}
