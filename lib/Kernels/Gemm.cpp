//===- Gemm.cpp - Matrix products and direct convolution --- -*- C++ -*-===//
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
// Schedule: `mr`, rows of a tile; `nv`, vectors of columns of a tile (NR is nv
// times the lanes); `unroll` of the reduction; `panels_outer`, 1 where all rows
// are computed for a panel before the next one; `prefetch`, 1 where a tile
// fetches the left operand's rows of the next one.
//
//===----------------------------------------------------------------------===//

#include "GemmEmitter.h"
#include "Packing.h"
#include "brisk/Kernels/Families.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace brisk;

namespace {
class GemmKernel : public Kernel {
public:
  StringRef getName() const override { return "gemm"; }

  ArrayRef<ScheduleParameter> getParameters() const override {
    static constexpr ScheduleParameter parameters[] = {{"mr", 1, 64},
                                                       {"nv", 1, 16},
                                                       {"unroll", 1, 64},
                                                       {"panels_outer", 0, 1},
                                                       {"prefetch", 0, 1}};
    return parameters;
  }

  void getSchedules(GroupOp group, const Isa &isa,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override {
    if (std::optional<GemmProblem> problem = matchGemm(group))
      getGemmSchedules(group, *problem, isa, schedules);
  }
  double getCost(GroupOp group, ScheduleAttr schedule,
                 const Isa &isa) const override {
    return getGemmCost(*matchGemm(group), schedule, isa);
  }
  void pack(GroupOp group, const Isa &isa, PackedWeights &packed,
            RewriterBase &rewriter) const override;
  int64_t getTasks(GroupOp group, const Isa &isa) const override {
    return GemmTiling(*matchGemm(group), group.getScheduleAttr(), isa).tasks;
  }
  bool canRunInPlace(GroupOp group, unsigned in, unsigned out) const override;
  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override;
};
} // namespace

bool GemmKernel::canRunInPlace(GroupOp group, unsigned in, unsigned out) const {
  std::optional<GemmProblem> problem = matchGemm(group);
  return problem && in != problem->lhs && in != problem->rhs &&
         in != problem->bias;
}

/// Panels of columns, each the reduction's rows one after the other.
static PackedAttr getLayout(const GemmProblem &problem,
                            const GemmTiling &tiling) {
  SmallVector<int64_t> widths = {tiling.nr};
  if (tiling.columnTail)
    widths.push_back(tiling.getTailWidth());
  return PackedAttr::make(problem.anchor->getContext(),
                          {problem.getReduction(), problem.columns},
                          {{{1}, widths}, {{0}, {}}});
}

void GemmKernel::pack(GroupOp group, const Isa &isa, PackedWeights &packed,
                      RewriterBase &rewriter) const {
  GemmProblem problem = *matchGemm(group);
  if (!problem.packed)
    return;
  GemmTiling tiling(problem, group.getScheduleAttr(), isa);
  packed.pack(group, problem.anchor->getOpOperand(1),
              getLayout(problem, tiling), rewriter);
}

LogicalResult GemmKernel::emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                               ValueRange outs, Value begin, Value end) const {
  std::optional<GemmProblem> problem = matchGemm(group);
  if (!problem)
    return group.emitOpError("is not a matrix product");
  GemmTiling tiling(*problem, group.getScheduleAttr(), b.isa);
  if (problem->packed &&
      failed(verifyPacked(group, problem->anchor->getOperand(1),
                          getLayout(*problem, tiling))))
    return failure();
  GemmEmitter emitter(b, group, *problem, tiling, ins, outs);
  b.loop(begin, end, 1, [&](Value task) { emitter.emitTask(task); });
  return success();
}

const Kernel &brisk::getGemmKernel() {
  static const GemmKernel kernel;
  return kernel;
}
