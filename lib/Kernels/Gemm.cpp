//===- Gemm.cpp - Matrix products and direct convolution ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile of MR rows by NR columns of the result stays in registers while the
// reduction runs; the right operand's rows are loaded as vectors, the left
// operand's elements are broadcast. A constant right operand is packed into
// panels of NR columns, each panel the reduction's rows one after the other;
// the last panel is as narrow as whole vectors allow, the last of which may be
// narrower than the others.
//
// Instructions that multiply and add up several elements at a time, as those of
// bytes do, take as many of a row of the left operand at once; in a panel those
// that they take of a column are next to each other.
//
// Weights of 2, 4 or 8 bits stay so in memory, and become floats in registers:
// NBitWeights.h.
//
// A tile is a piece of work.
//
//===----------------------------------------------------------------------===//

#include "GemmEmitter.h"
#include "TileEmitter.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Kernels/Families.h"

using namespace mlir;
using namespace brisk;

/// A matrix in panels of columns, each its rows one after the other.
static PackedAttr getPanels(const GemmProblem &problem, int64_t rows,
                            ArrayRef<int64_t> widths) {
  return PackedAttr::make(problem.anchor->getContext(), {rows, problem.columns},
                          {{{1}, llvm::to_vector(widths)}, {{0}, {}}});
}

/// How the right operand is packed: in panels where as many of a column lie
/// side by side as the multiplier takes at a time. Parameters of weights of few
/// bits are packed beside them.
static SmallVector<Packing> getPacking(const GemmProblem &problem,
                                       const GemmTiling &tiling) {
  SmallVector<int64_t> widths = {tiling.nr};
  if (tiling.columnTail)
    widths.push_back(tiling.getTailWidth());
  OpOperand *weights = &problem.anchor->getOpOperand(1);
  if (problem.narrow) {
    SmallVector<Packing> result = {
        {weights, getPanels(problem, problem.getPanelRows(), widths)}};
    PackedAttr perBlock =
        getPanels(problem, problem.narrow->getBlocks(), widths);
    for (OpOperand &parameter : problem.anchor->getOpOperands().drop_front(2))
      result.push_back({&parameter, perBlock});
    return result;
  }
  int64_t step = tiling.tilePlan ? tiling.tilePlan->steps.group
                                 : problem.multiplier.getDepth();
  if (step == 1)
    return {{weights, getPanels(problem, problem.getReduction(), widths)}};
  return {{weights,
           PackedAttr::make(problem.anchor->getContext(),
                            {problem.getTaps(), problem.depth, problem.columns},
                            {{{2}, widths}, {{0}, {}}, {{1}, {step}}})}};
}

namespace {
class GemmMatch : public KernelMatch {
public:
  GemmMatch(const GroupView &view, GemmProblem problem)
      : KernelMatch(view), problem(std::move(problem)) {}

  void getSchedules(Search search,
                    SmallVectorImpl<ScheduleAttr> &schedules) override {
    MemRefType lhs = view.getBufferTypes()[problem.lhs];
    getGemmSchedules(problem, getByteSize(lhs), isa, search, schedules);
  }
  LogicalResult verify(ScheduleAttr schedule) override {
    auto gemm = cast<GemmScheduleAttr>(schedule);
    if (!gemm.getInTiles())
      return success();
    if (!problem.tileProduct)
      return group.emitOpError("is in tile registers, which have no product of "
                               "its operands here");
    if (gemm.getMr() > problem.inner.size)
      return group.emitOpError("is of ")
             << gemm.getMr() << " rows in tile registers, expected at most "
             << problem.inner.size;
    if (gemm.getPrefetch())
      return group.emitOpError("fetches rows ahead, which those in tile "
                               "registers do not");
    if (!getTiling(schedule).tilePlan->fits())
      return group.emitOpError("needs more than the ")
             << isa.tiles.count << " tile registers that there are";
    return success();
  }
  int64_t getScratch(ScheduleAttr schedule) override {
    GemmTiling tiling = getTiling(schedule);
    return tiling.tilePlan ? tiling.tilePlan->getScratch() : 0;
  }
  double getCycles(ScheduleAttr schedule) override {
    Type sum = problem.multiplier.sum;
    double cycles =
        getGemmCycles(problem, cast<GemmScheduleAttr>(schedule), isa) +
        getEpilogueCycles(group, sum, isa);
    // What leads to the left operand is computed for every panel.
    if (problem.computesLhs()) {
      double times = problem.getLhsReads() *
                     static_cast<double>(getTiling(schedule).panels);
      cycles += (times - 1) *
                getPrologueCycles(problem.anchor->getOperand(0), sum, isa);
    }
    return cycles;
  }
  SmallVector<Packing> getPacking(ScheduleAttr schedule) override {
    if (!problem.packed)
      return {};
    return ::getPacking(problem, getTiling(schedule));
  }
  Work getWork(ScheduleAttr schedule) override {
    return {getTiling(schedule).tiles};
  }
  bool canRunInPlace(unsigned in, unsigned) override {
    return in != problem.lhs && in != problem.rhs && in != problem.bias &&
           !isPerBlock(in);
  }
  void emit(KernelBuilder &b, ScheduleAttr schedule, ValueRange ins,
            ValueRange outs, PieceLoop forPieces) override {
    GemmTiling tiling = getTiling(schedule);
    if (!tiling.tilePlan) {
      GemmEmitter emitter(b, group, problem, tiling, ins, outs);
      return forPieces([&](Value tile) { emitter.emitTile(tile); });
    }
    TileEmitter emitter(b, group, problem, tiling, ins, outs);
    forPieces([&](Value tile) { emitter.emitTile(tile); });
    emitter.finish();
  }

private:
  bool isPerBlock(int64_t in) const {
    return problem.narrow &&
           (in == problem.narrow->scale || in == problem.narrow->zero);
  }
  GemmTiling getTiling(ScheduleAttr schedule) {
    return GemmTiling(problem, cast<GemmScheduleAttr>(schedule), isa);
  }

  GemmProblem problem;
};
} // namespace

MatchPtr brisk::matchGemm(GroupView &view) {
  std::optional<GemmProblem> problem = findGemmProblem(view);
  if (!problem)
    return nullptr;
  return std::make_unique<GemmMatch>(view, std::move(*problem));
}
