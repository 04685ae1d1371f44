//===- Transpose.cpp - Dimensions in another order ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any permutation, in the fewest dimensions that describe it. Where the
// innermost dimension stays, rows are copied. Else two dimensions matter: the
// input's innermost and the result's. Square blocks of them are transposed in
// registers or, where one is narrow and dense, vectors of whole rows are
// interleaved or taken apart.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "TransposeForm.h"
#include "brisk/Kernels/Families.h"

using namespace mlir;
using namespace brisk;

// Up to this size a dense innermost dimension is interleaved.
static constexpr int64_t maxInterleaved = 8;

namespace {
/// Emits one transpose.
class Emitter {
public:
  Emitter(KernelBuilder &b, GroupOp group, const TransposeForm &form,
          ValueRange ins, ValueRange outs)
      : b(b), form(form), epilogue(group, group.getAnchor(), ins, outs) {
    auto transpose = cast<TransposeOp>(group.getAnchor());
    element = transpose.getInput().getType().getElementType();
    // What is only moved need not be converted.
    if (form.plain)
      element = getStorageType(element);
    in.emplace(b, getBuffer(ins, transpose.getInput()), element);
    out.emplace(b, outs[0], element);
    lanes = getLanes(b.isa, element);
  }

  static int64_t getLanes(const Isa &isa, Type element) {
    int64_t lanes = isa.getLanes(getStorageType(element));
    // A square has as many vectors as these have lanes.
    int64_t most = std::min<int64_t>(isa.vectors.count, 16);
    return lanes > 1 ? std::min(lanes, most) : 0;
  }

  void emit(int64_t chunk, PieceLoop forPieces) {
    SmallVector<int64_t> shape;
    for (const TransposeDim &dim : form.outer)
      shape.push_back(dim.size);
    int64_t span = form.getSpan(chunk, lanes);
    shape.push_back(form.getSpans(chunk, lanes));
    forPieces([&](Value piece) {
      SmallVector<Value> at = delinearize(b, piece, shape);
      Place place{b.index(0), b.index(0), b.index(0)};
      for (auto [index, dim] :
           llvm::zip_equal(ArrayRef(at).drop_back(), form.outer))
        place = move(place, dim, index);
      Value from = b.mul(at.back(), span);
      emitSpan(place, from, shape.back() == 1, span);
    });
  }

private:
  struct Place {
    Value in, out, row;
  };

  Place move(const Place &place, const TransposeDim &dim, Value index) {
    return {b.add(place.in, b.mul(index, dim.in)),
            b.add(place.out, b.mul(index, dim.out)),
            dim.row ? b.add(place.row, b.mul(index, dim.row)) : place.row};
  }
  Place move(const Place &place, const TransposeDim &dim, int64_t steps) {
    return steps ? move(place, dim, b.index(steps)) : place;
  }

  /// Stores along the result's innermost dimension.
  void store(Value value, const Place &place, Value column, int64_t width,
             Value mask = {}) {
    if (form.plain)
      out->store(b, value, b.add(place.out, column), mask);
    else
      epilogue.emit(b, value, place.row, column, width, mask);
  }

  /// Indices [from, from + span) of `across`, as far as there are any.
  void emitSpan(const Place &place, Value from, bool whole, int64_t span) {
    int64_t size = form.across.size;
    Value end = whole ? b.index(size)
                      : b.createOrFold<arith::MinUIOp>(b.add(from, span),
                                                       b.index(size));
    bool copies = form.along.in == 1 && !form.scattered;
    bool squares = !copies && !form.scattered && lanes;
    if (!squares) {
      b.loop(from, end, 1,
             [&](Value i) { emitRow(move(place, form.across, i), copies); });
      return;
    }
    // Vectors of `across`; what is left over is the last span's.
    bool takesApart = form.plain && size <= std::min(lanes, maxInterleaved) &&
                      form.along.in == size;
    if (takesApart)
      return emitApart(place);
    bool interleaves = form.plain && form.along.size <= maxInterleaved &&
                       form.across.out == form.along.size;
    forSteps(
        b, size, lanes, from, end,
        [&](Value i) {
          Place at = move(place, form.across, i);
          if (interleaves)
            emitInterleaved(at);
          else
            emitSquares(at, lanes);
        },
        [&](int64_t full) {
          Place at = move(place, form.across, full);
          if (b.isa.hasMasks())
            return emitSquares(at, size - full);
          b.loop(b.index(0), b.index(size - full),
                 [&](Value i) { emitRow(move(at, form.across, i), false); });
        });
  }

  /// A row of the result, in vectors if that `copies` a row of the input.
  void emitRow(const Place &place, bool copies) {
    int64_t width =
        copies ? getColumnLanes(b.isa, element, form.along.size) : 0;
    forColumns(b, form.along.size, width, /*mayRepeat=*/true, [&](Columns at) {
      Value offset = b.add(place.in, b.mul(at.start, form.along.in));
      Value value = in->load(b, offset, at.lanes, at.mask);
      if (form.plain)
        out->store(b, value, b.add(place.out, b.mul(at.start, form.along.out)),
                   at.mask);
      else
        epilogue.emit(b, value, place.row, at.start, at.lanes, at.mask);
    });
  }

  /// Squares of `rows` (at most `lanes`) indices of `across` and all of
  /// `along`.
  void emitSquares(const Place &place, int64_t rows) {
    int64_t size = form.along.size, full = size / lanes * lanes;
    Value rowMask = rows < lanes ? b.mask(lanes, rows) : Value();
    auto emitSquare = [&](Value column, int64_t columns) {
      SmallVector<Value> square;
      Value start = b.add(place.in, b.mul(column, form.along.in));
      for (int64_t j = 0; j < lanes; ++j)
        square.push_back(
            j < columns
                ? in->load(b, b.add(start, j * form.along.in), lanes, rowMask)
                : square.front());
      transposeRegisters(b, square);
      Value mask = columns < lanes ? b.mask(lanes, columns) : Value();
      for (int64_t i = 0; i < rows; ++i)
        store(square[i], move(place, form.across, i), column, lanes, mask);
    };
    b.loop(b.index(0), b.index(full), lanes,
           [&](Value column) { emitSquare(column, lanes); });
    if (full == size)
      return;
    if (b.isa.hasMasks())
      return emitSquare(b.index(full), size - full);
    if (full)
      return emitSquare(b.index(size - lanes), lanes);
    // Too narrow for a square: element by element.
    b.loop(b.index(0), b.index(rows), 1,
           [&](Value i) { emitRow(move(place, form.across, i), false); });
  }

  /// `lanes` rows of a narrow `along`, which are consecutive in the result.
  void emitInterleaved(const Place &place) {
    int64_t count = form.along.size;
    SmallVector<Value> sources;
    for (int64_t j = 0; j < count; ++j)
      sources.push_back(in->load(b, b.add(place.in, j * form.along.in), lanes));
    for (int64_t v = 0; v < count; ++v) {
      SmallVector<std::pair<int64_t, int64_t>> picked;
      for (int64_t lane = v * lanes; lane < (v + 1) * lanes; ++lane)
        picked.push_back({lane % count, lane / count});
      out->store(b, pickLanes(b, sources, picked), b.add(place.out, v * lanes));
    }
  }

  /// All of a narrow `across`, which is dense in the input and one span.
  void emitApart(const Place &place) {
    int64_t count = form.across.size, size = form.along.size;
    int64_t full = size / lanes * lanes;
    b.loop(b.index(0), b.index(full), lanes, [&](Value column) {
      SmallVector<Value> sources;
      Value start = b.add(place.in, b.mul(column, count));
      for (int64_t v = 0; v < count; ++v)
        sources.push_back(in->load(b, b.add(start, v * lanes), lanes));
      for (int64_t i = 0; i < count; ++i) {
        SmallVector<std::pair<int64_t, int64_t>> picked;
        for (int64_t lane = 0; lane < lanes; ++lane) {
          int64_t at = lane * count + i;
          picked.push_back({at / lanes, at % lanes});
        }
        out->store(b, pickLanes(b, sources, picked),
                   b.add(b.add(place.out, i * form.across.out), column));
      }
    });
    b.loop(b.index(full), b.index(size), 1, [&](Value column) {
      Value start = b.add(place.in, b.mul(column, count));
      for (int64_t i = 0; i < count; ++i)
        out->store(b, in->load(b, b.add(start, i), 0),
                   b.add(b.add(place.out, i * form.across.out), column));
    });
  }

  KernelBuilder &b;
  const TransposeForm &form;
  Epilogue epilogue;
  Type element;
  std::optional<FlatBuffer> in, out;
  int64_t lanes;
};

class TransposeMatch : public KernelMatch {
public:
  explicit TransposeMatch(const GroupView &view)
      : KernelMatch(view), form(TransposeForm::get(view)),
        input(
            cast<RankedTensorType>(view.getAnchor()->getOperand(0).getType())) {
  }

  void getSchedules(Search search,
                    SmallVectorImpl<ScheduleAttr> &schedules) override {
    addSchedules<TransposeScheduleAttr>(search, 16384, schedules);
  }

  double getCycles(ScheduleAttr) override {
    double elements = input.getNumElements();
    double lanes = isa.getLanes(getStorageType(input.getElementType()));
    bool copies = form.along.in == 1 && !form.scattered;
    double steps = copies ? 2 * elements / lanes
                          : elements * (form.scattered ? 4 : 6 / lanes + 0.3);
    return steps +
           countFlops(group) /
               isa.getElementsPerCycle(getStorageType(input.getElementType())) +
           getTraffic() / isa.memoryBytesPerCycle;
  }

  Work getWork(ScheduleAttr schedule) override {
    int64_t lanes = Emitter::getLanes(isa, input.getElementType());
    return {form.getOuterSize() * form.getSpans(getChunk(schedule), lanes)};
  }

  void emit(KernelBuilder &b, ScheduleAttr schedule, ValueRange ins,
            ValueRange outs, PieceLoop forPieces) override {
    Emitter(b, group, form, ins, outs).emit(getChunk(schedule), forPieces);
  }

private:
  static int64_t getChunk(ScheduleAttr schedule) {
    return cast<TransposeScheduleAttr>(schedule).getChunk();
  }

  TransposeForm form;
  RankedTensorType input;
};
} // namespace

MatchPtr brisk::matchTranspose(GroupView &view) {
  auto transpose = dyn_cast_or_null<TransposeOp>(view.getAnchor());
  if (!transpose || !isGroupInput(transpose.getInput()))
    return view.refuse("has no transpose of an input");
  return std::make_unique<TransposeMatch>(view);
}
