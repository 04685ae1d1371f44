//===- Spmm.cpp - Matrix products with weights that are mostly zeros ------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights that are zero are not stored and not multiplied by: what is constant
// is kept as the entries of each column that are not zero, with the numbers of
// their rows (brisk.assemble). A column's results are computed for several rows
// at a time, which lie in the lanes of vectors: of each entry one weight goes
// to all lanes, and multiplies what the entry's row of a panel has, the left
// operand's rows side by side. A tile's panel is made once, for all columns; a
// block of columns is brought back into the order of the result.
//
// Few rows are computed in scalars, from the left operand as it is.
//
// What an infinity or NaN makes of a zero, which is NaN, is left out as well;
// but a column that has no zero may be filled up with one for its first row.
//
// All or some of the columns of a tile's rows are a piece of work.
//
//===----------------------------------------------------------------------===//

#include "SpmmEmitter.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/NonZeros.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Packing.h"

using namespace mlir;
using namespace brisk;

namespace {
class SpmmMatch : public KernelMatch {
public:
  SpmmMatch(const GroupView &view, SpmmProblem problem)
      : KernelMatch(view), problem(std::move(problem)) {}

  void getSchedules(Search, SmallVectorImpl<ScheduleAttr> &schedules) override {
    getSpmmSchedules(problem, isa, schedules);
  }
  LogicalResult verify(ScheduleAttr schedule) override {
    return verifySpmmSchedule(problem, cast<SpmmScheduleAttr>(schedule), isa);
  }
  double getCycles(ScheduleAttr schedule) override {
    return getSpmmCycles(problem, cast<SpmmScheduleAttr>(schedule), isa) +
           getEpilogueCycles(group, problem.product.multiplier.sum, isa);
  }
  SmallVector<Packing> getPacking(ScheduleAttr) override {
    return {{&problem.product.anchor->getOpOperand(1), PackedAttr()}};
  }
  Work getWork(ScheduleAttr schedule) override {
    return {getTiling(schedule).pieces};
  }
  int64_t getScratch(ScheduleAttr schedule) override {
    SpmmTiling tiling = getTiling(schedule);
    return tiling.getPanelBytes() + tiling.getBlockBytes();
  }
  bool canRunInPlace(unsigned in, unsigned) override {
    return in != problem.product.lhs && in != problem.product.rhs &&
           in != problem.product.bias;
  }
  void emit(KernelBuilder &b, ScheduleAttr schedule, ValueRange ins,
            ValueRange outs, PieceLoop forPieces) override {
    SpmmTiling tiling = getTiling(schedule);
    SpmmEmitter emitter(b, group, problem, tiling, ins, outs);
    forPieces([&](Value piece) { emitter.emitPiece(piece); });
  }

private:
  SpmmTiling getTiling(ScheduleAttr schedule) {
    return {problem, cast<SpmmScheduleAttr>(schedule), isa};
  }

  SpmmProblem problem;
};
} // namespace

/// Entries of constant weights, packed or as they are.
static int64_t countEntries(GroupOp group, const GemmProblem &product) {
  Value weights = product.anchor->getOperand(1);
  if (auto assemble = weights.getDefiningOp<AssembleOp>())
    return cast<RankedTensorType>(assemble.getValues().getType())
        .getNumElements();
  auto constant = group.getIns()[product.rhs].getDefiningOp<ConstantOp>();
  // What is packed in another way has been chosen for that.
  if (!constant || weights.getDefiningOp<UnpackOp>() ||
      getSplatElement(constant.getValue()))
    return product.getReduction() * product.columns;
  return NonZeros::count(ElementBytes(constant.getValue()).as<float>(),
                         product.columns);
}

MatchPtr brisk::matchSpmm(GroupView &view) {
  std::optional<GemmProblem> product = findGemmProblem(view);
  if (!product)
    return nullptr;
  const Multiplier &multiplier = product->multiplier;
  if (!product->packed || product->narrow || !multiplier.lhs.isF32() ||
      !multiplier.rhs.isF32() || !multiplier.sum.isF32() ||
      !isF32(product->anchor->getResult(0)))
    return view.refuse("has no product of f32 with constant weights");
  int64_t reduction = product->getReduction();
  if (reduction > NonZeros::mostRows)
    return view.refuse("sums more products than rows are numbered");
  if (!product->taps.empty() &&
      reduction * static_cast<int64_t>(sizeof(float)) >
          getLargestPanel(view.getIsa()))
    return view.refuse("sums more products than stay in reach");
  auto assemble = product->anchor->getOperand(1).getDefiningOp<AssembleOp>();
  if (assemble && !llvm::all_of(assemble->getOperands(), isGroupInput))
    return view.refuse("computes its weights' entries");
  int64_t entries = countEntries(view.getGroup(), *product);
  // Below a third of zeros, an entry takes more memory than it saves.
  if (entries == 0 || 3 * entries > 2 * reduction * product->columns)
    return view.refuse("has weights of which too few are zero, or all");
  return std::make_unique<SpmmMatch>(view,
                                     SpmmProblem{std::move(*product), entries});
}
