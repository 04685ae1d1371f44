//===- Reduction.cpp - Sums, means and extremes along axes ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reductions of any set of axes. Where the innermost dimension stays, vectors
// run along it, several side by side, and are reduced over the other axes;
// where it is reduced, vectors run along it and are reduced among themselves at
// the end.
//
//===----------------------------------------------------------------------===//

#include "RowReduction.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

namespace {
/// A dimension, or several that lie in memory like one.
struct Axis {
  int64_t size, stride;
  bool reduced;
};

/// How a reduction walks its operand.
class Walk {
public:
  Walk(KernelBuilder &b, ReduceOp reduce, Epilogue &epilogue, ValueRange ins)
      : b(b), kind(reduce.getKind()), input(reduce.getInput()),
        epilogue(epilogue) {
    SmallVector<int64_t> reducedAxes = *reduce.getReducedAxes();
    ArrayRef<int64_t> shape = reduce.getInput().getType().getShape();
    SmallVector<int64_t> strides(shape.size());
    if (isGroupInput(reduce.getInput())) {
      flat.emplace(b, getBuffer(ins, reduce.getInput()), b.getF32Type());
      strides.assign(flat->getStrides().begin(), flat->getStrides().end());
    } else if (!shape.empty()) {
      // In rows, which is what the elementwise ops before are evaluated at.
      int64_t rows = 1;
      for (int64_t d = shape.size() - 2; d >= 0; --d) {
        strides[d] = rows;
        rows *= shape[d];
      }
    }
    for (size_t d = 0; d < shape.size(); ++d) {
      bool last = d + 1 == shape.size();
      bool reduced = llvm::is_contained(reducedAxes, d);
      if (last && !flat) {
        column = {shape[d], 1, reduced};
        break;
      }
      if (shape[d] == 1)
        continue;
      // A column that stays is the result's innermost dimension, no more.
      if (!axes.empty() && axes.back().reduced == reduced &&
          (reduced || !last) && axes.back().stride == strides[d] * shape[d])
        axes.back() = {axes.back().size * shape[d], strides[d], reduced};
      else
        axes.push_back({shape[d], strides[d], reduced});
    }
    if (flat && !axes.empty()) {
      column = axes.back();
      axes.pop_back();
    }
  }

  /// The dimension that vectors run along, and the others.
  const Axis &getColumn() const { return column; }
  ArrayRef<Axis> getAxes() const { return axes; }
  /// True if consecutive columns are consecutive in memory.
  bool isDense() const { return column.stride == 1 || column.size == 1; }

  /// The operand at `place`, a sum of indices times their axes' strides.
  Value load(Value place, Columns at) const {
    if (flat)
      return flat->load(b, b.add(place, b.mul(at.start, column.stride)),
                        at.lanes, at.mask);
    return epilogue.evaluate(b, input, place, at.start, at.lanes, at.mask);
  }

  /// The place of result `linear` (row-major over the axes that stay, the
  /// column excepted).
  Value getPlace(Value linear) const {
    SmallVector<int64_t> shape, strides;
    for (const Axis &axis : axes)
      if (!axis.reduced) {
        shape.push_back(axis.size);
        strides.push_back(axis.stride);
      }
    Value place = b.index(0);
    for (auto [index, stride] :
         llvm::zip_equal(delinearize(b, linear, shape), strides))
      place = b.add(place, b.mul(index, stride));
    return place;
  }

  /// Calls `body` for all places of the reduced axes (the column excepted) to
  /// change accumulators: `start` holds `groups` groups of them, identities,
  /// which places next to each other take in turn. Each axis, and each block of
  /// a long one, is summed by itself.
  SmallVector<Value>
  forReduced(Value place, ArrayRef<Value> start, int64_t groups,
             function_ref<void(Value, MutableArrayRef<Value>)> body) const {
    SmallVector<Axis> reduced;
    llvm::copy_if(axes, std::back_inserter(reduced),
                  [](const Axis &axis) { return axis.reduced; });
    size_t size = start.size() / groups;
    auto forAxis = [&](auto &self, size_t i,
                       Value place) -> SmallVector<Value> {
      if (i == reduced.size()) {
        SmallVector<Value> values(start);
        body(place, MutableArrayRef(values).take_front(size));
        return values;
      }
      const Axis &axis = reduced[i];
      auto addTo = [&](ValueRange sums, ValueRange partial) {
        SmallVector<Value> result;
        for (auto [sum, more] : llvm::zip_equal(sums, partial))
          result.push_back(b.combine(kind, b.getF32Type(), sum, more));
        return result;
      };
      if (i + 1 < reduced.size())
        return b.loop(b.index(0), b.index(axis.size), 1, start,
                      [&](Value index, ValueRange carried) {
                        Value next = b.add(place, b.mul(index, axis.stride));
                        return addTo(carried, self(self, i + 1, next));
                      });
      auto forGroups = [&](Value index, int64_t count,
                           MutableArrayRef<Value> values) {
        for (int64_t group = 0; group < count; ++group) {
          Value next = b.add(b.add(place, b.mul(index, axis.stride)),
                             group * axis.stride);
          body(next, values.slice(group * size, size));
        }
      };
      auto forRange = [&](Value from, Value to) {
        return b.loop(from, to, groups, start,
                      [&](Value index, ValueRange carried) {
                        SmallVector<Value> next(carried);
                        forGroups(index, groups, next);
                        return next;
                      });
      };
      int64_t full = axis.size / groups * groups;
      int64_t block = groups * getSumBlock(axis.size / groups);
      int64_t inBlocks = full < 2 * block ? 0 : full / block * block;
      SmallVector<Value> rest = forRange(b.index(inBlocks), b.index(full));
      forGroups(b.index(full), axis.size - full, rest);
      if (!inBlocks)
        return rest;
      return addTo(b.loop(b.index(0), b.index(inBlocks), block, start,
                          [&](Value index, ValueRange carried) {
                            return addTo(carried,
                                         forRange(index, b.add(index, block)));
                          }),
                   rest);
    };
    return forAxis(forAxis, 0, place);
  }

private:
  KernelBuilder &b;
  ReduceKind kind;
  Value input;
  Epilogue &epilogue;
  std::optional<FlatBuffer> flat;
  SmallVector<Axis> axes;
  Axis column{1, 1, true};
};

class ReductionMatch : public KernelMatch {
public:
  ReductionMatch(const GroupView &view, ReduceOp reduce)
      : KernelMatch(view), reduce(reduce),
        size(getRowsAndColumns(reduce.getResult())),
        keepsColumns(keeps(reduce)) {}

  void getSchedules(Search search,
                    SmallVectorImpl<ScheduleAttr> &schedules) override {
    double perResult =
        double(reduce.getInput().getType().getNumElements()) /
        std::max<int64_t>(1, reduce.getResult().getType().getNumElements());
    int64_t sideBySide = std::clamp<int64_t>(isa.vectors.count / 4, 2, 8);
    int64_t usual =
        keepsColumns
            ? sideBySide * isa.getLanes(Float32Type::get(group.getContext()))
            : int64_t(8192 / std::max(1.0, perResult));
    addSchedules<ReductionScheduleAttr>(search, usual, schedules);
  }

  double getCycles(ScheduleAttr) override {
    Type f32 = Float32Type::get(group.getContext());
    double results = reduce.getResult().getType().getNumElements();
    double chains = keepsColumns ? results / isa.getLanes(f32) : results;
    return 20 * chains + countFlops(group) / isa.getElementsPerCycle(f32) +
           getTraffic() / isa.memoryBytesPerCycle;
  }

  /// Results or, where columns stay, chunks of them.
  Work getWork(ScheduleAttr schedule) override {
    int64_t chunk = getChunk(schedule);
    int64_t perRow = llvm::divideCeil(size.columns, chunk);
    if (keepsColumns)
      return {size.rows * perRow};
    return {size.rows * size.columns, chunk};
  }

  void emit(KernelBuilder &b, ScheduleAttr schedule, ValueRange ins,
            ValueRange outs, PieceLoop forPieces) override {
    Epilogue epilogue(group, reduce, ins, outs);
    Walk walk(b, reduce, epilogue, ins);
    if (keepsColumns)
      emitColumns(b, epilogue, walk, getChunk(schedule), forPieces);
    else
      emitElements(b, epilogue, walk, forPieces);
  }

private:
  /// True if the innermost dimension stays, and is worth running along.
  static bool keeps(ReduceOp reduce) {
    ArrayRef<int64_t> shape = reduce.getInput().getType().getShape();
    return !shape.empty() && shape.back() > 1 &&
           !llvm::is_contained(*reduce.getReducedAxes(), shape.size() - 1);
  }

  /// Results of a task: whole vectors where columns stay.
  int64_t getChunk(ScheduleAttr schedule) {
    int64_t chunk = cast<ReductionScheduleAttr>(schedule).getChunk();
    if (!keepsColumns)
      return chunk;
    int64_t lanes =
        getColumnLanes(isa, Float32Type::get(group.getContext()), size.columns);
    return llvm::alignTo(chunk, std::max<int64_t>(lanes, 1));
  }

  /// The mean from the sum.
  Value finish(KernelBuilder &b, Value value) {
    if (reduce.getKind() != ReduceKind::Mean)
      return value;
    double count = double(reduce.getInput().getType().getNumElements()) /
                   reduce.getResult().getType().getNumElements();
    return b.div(value, b.constant(value.getType(), count));
  }

  /// Reduces the columns at `place`, each in `groups` accumulators.
  SmallVector<Value> reduceColumns(KernelBuilder &b, const Walk &walk,
                                   Value place, ArrayRef<Columns> vectors,
                                   int64_t groups) {
    Type f32 = b.getF32Type();
    size_t count = vectors.size();
    SmallVector<Value> sums;
    for (int64_t group = 0; group < groups; ++group)
      for (const Columns &vector : vectors)
        sums.push_back(b.identity(reduce.getKind(), vector.getType(f32)));
    sums = walk.forReduced(
        place, sums, groups, [&](Value place, MutableArrayRef<Value> sums) {
          for (auto [sum, vector] : llvm::zip_equal(sums, vectors))
            sum =
                b.combine(reduce.getKind(), f32, sum, walk.load(place, vector));
        });
    for (int64_t half = groups / 2; half > 0; half /= 2)
      for (size_t i = 0; i < half * count; ++i)
        sums[i] =
            b.combine(reduce.getKind(), f32, sums[i], sums[i + half * count]);
    sums.resize(count);
    return sums;
  }

  /// Columns stay: `chunk` columns of a row of results at once.
  void emitColumns(KernelBuilder &b, Epilogue &epilogue, const Walk &walk,
                   int64_t chunk, PieceLoop forPieces) {
    auto [rows, columns] = size;
    int64_t lanes = getColumnLanes(b.isa, b.getF32Type(), columns);
    int64_t width = std::max<int64_t>(lanes, 1);
    int64_t pieces = llvm::divideCeil(columns, chunk);
    // Few vectors: enough accumulators from neighbours. The same number for all
    // pieces, as a column's sum must not depend on where it stands.
    int64_t vectorsInRow = llvm::divideCeil(columns, width);
    int64_t groups = vectorsInRow < 3 ? 4 / vectorsInRow : 1;
    forPieces([&, rows = rows, columns = columns](Value piece) {
      SmallVector<Value> at = delinearize(b, piece, {rows, pieces});
      Value row = at[0], first = b.mul(at[1], chunk);
      Value place = walk.getPlace(row);
      auto emitPiece = [&](ArrayRef<Columns> vectors) {
        SmallVector<Value> sums =
            reduceColumns(b, walk, place, vectors, groups);
        for (auto [sum, vector] : llvm::zip_equal(sums, vectors))
          epilogue.emit(b, finish(b, sum), row, vector.start, vector.lanes,
                        vector.mask);
      };
      auto emitWhole = [&](Value first, int64_t count) {
        SmallVector<Columns> vectors;
        for (int64_t i = 0; i < count; i += width)
          vectors.push_back({b.add(first, i), lanes, {}});
        emitPiece(vectors);
      };
      // The vectors from `from` on that are no whole piece.
      auto emitRest = [&] {
        int64_t from = columns / chunk * chunk;
        int64_t full = (columns - from) / width * width;
        if (full)
          emitWhole(b.index(from), full);
        // Columns may be repeated, but not those of another task.
        forTail(b, columns - from, full, lanes, /*mayRepeat=*/true,
                [&](Columns at) {
                  emitPiece({{b.add(at.start, from), at.lanes, at.mask}});
                });
      };
      if (columns % chunk == 0)
        return emitWhole(first, chunk);
      if (pieces == 1)
        return emitRest();
      b.ifElse(b.compare(arith::CmpIPredicate::eq, at[1], b.index(pieces - 1)),
               emitRest, [&] { emitWhole(first, chunk); });
    });
  }

  /// Results one by one.
  void emitElements(KernelBuilder &b, Epilogue &epilogue, const Walk &walk,
                    PieceLoop forPieces) {
    auto [rows, columns] = size;
    const Axis &column = walk.getColumn();
    int64_t lanes =
        walk.isDense() ? getColumnLanes(b.isa, b.getF32Type(), column.size) : 0;
    forPieces([&, rows = rows, columns = columns](Value result) {
      SmallVector<Value> at = delinearize(b, result, {rows, columns});
      SmallVector<Value> sums;
      Value sum;
      if (column.reduced) {
        RowReduction row(b, reduce.getKind(), b.getF32Type(), column.size,
                         lanes);
        sums = walk.forReduced(
            walk.getPlace(result), row.start(), 1,
            [&](Value place, MutableArrayRef<Value> sums) {
              llvm::copy(row.accumulate(
                             ValueRange(sums),
                             [&](Columns at) { return walk.load(place, at); }),
                         sums.begin());
            });
        sum = row.finish(sums);
      } else {
        // The innermost dimension that is more than one place stays.
        Value size = b.index(column.size);
        Value kept = b.createOrFold<arith::DivUIOp>(result, size);
        Value start = b.createOrFold<arith::RemUIOp>(result, size);
        sums = {b.identity(reduce.getKind(), b.getF32Type())};
        sums = walk.forReduced(walk.getPlace(kept), sums, 1,
                               [&](Value place, MutableArrayRef<Value> sums) {
                                 sums[0] = b.combine(
                                     reduce.getKind(), b.getF32Type(), sums[0],
                                     walk.load(place, {start, 0, {}}));
                               });
        sum = sums[0];
      }
      epilogue.emit(b, finish(b, sum), at[0], at[1], 0);
    });
  }

  ReduceOp reduce;
  /// Of the results.
  RowsAndColumns size;
  bool keepsColumns;
};
} // namespace

MatchPtr brisk::matchReduction(GroupView &view) {
  auto reduce = dyn_cast_or_null<ReduceOp>(view.getAnchor());
  if (!reduce || !isF32(reduce.getResult()) || !reduce.getReducedAxes())
    return view.refuse("has no reduction of f32 along known axes");
  return std::make_unique<ReductionMatch>(view, reduce);
}
