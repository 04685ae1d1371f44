//===- KernelTable.cpp - The table of kernel families ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Elements.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "brisk/Kernels/Packing.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

ArrayRef<Kernel> brisk::getKernels() {
  static const Kernel kernels[] = {
      {DepthwiseScheduleAttr::getMnemonic(), matchDepthwise},
      {GroupedConvScheduleAttr::getMnemonic(), matchGroupedConv},
      {ConvTransposeScheduleAttr::getMnemonic(), matchConvTranspose},
      {PoolScheduleAttr::getMnemonic(), matchPool},
      {ReductionScheduleAttr::getMnemonic(), matchReduction},
      {SoftmaxScheduleAttr::getMnemonic(), matchSoftmax},
      {LayerNormScheduleAttr::getMnemonic(), matchLayerNorm},
      {LrnScheduleAttr::getMnemonic(), matchLrn},
      {TransposeScheduleAttr::getMnemonic(), matchTranspose},
      {GatherScheduleAttr::getMnemonic(), matchGather},
      {ResizeScheduleAttr::getMnemonic(), matchResize},
      {RecurrentScheduleAttr::getMnemonic(), matchRecurrent},
      {ElementwiseScheduleAttr::getMnemonic(), matchElementwise},
      {GemmScheduleAttr::getMnemonic(), matchGemm},
      {SpmmScheduleAttr::getMnemonic(), matchSpmm},
      {BorderScheduleAttr::getMnemonic(), matchBorder},
      {LoopsScheduleAttr::getMnemonic(), matchLoops},
  };
  return kernels;
}

const Kernel *brisk::findKernel(StringRef name) {
  for (const Kernel &kernel : getKernels())
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

std::unique_ptr<KernelMatch> brisk::matchSchedule(GroupView &view) {
  GroupOp group = view.getGroup();
  ScheduleAttr schedule = group.getScheduleAttr();
  const Kernel *kernel = findKernel(schedule.getKernelName());
  assert(kernel && "every schedule of the dialect has its family");
  std::unique_ptr<KernelMatch> match = kernel->match(view);
  if (!match) {
    group.emitOpError("does not suit its kernel '")
        << kernel->name << "': it " << view.getReason();
    return nullptr;
  }
  if (failed(match->verify(schedule)) ||
      failed(verifyPacking(group, match->getPacking(schedule))))
    return nullptr;
  return match;
}

SmallVector<int64_t> brisk::getNumbers(Search search, int64_t usual,
                                       int64_t greatest) {
  usual = std::clamp<int64_t>(usual, 1, greatest);
  SmallVector<int64_t> numbers = {usual};
  if (search == Search::Default)
    return numbers;
  constexpr int64_t most = 8; // times as much, or as little
  for (int64_t factor = 2; factor <= most; factor *= 2) {
    if (usual / factor >= 1)
      numbers.push_back(usual / factor);
    if (usual * factor <= greatest)
      numbers.push_back(usual * factor);
  }
  return numbers;
}

int64_t KernelMatch::getWorkers(ScheduleAttr schedule) {
  // Worker n saves cycles / (n (n - 1)): the last one that saves a hand-over.
  double parts = getCycles(schedule) / isa.handOverCycles;
  constexpr double most = 1 << 20;
  return static_cast<int64_t>(
      std::min(most, (1 + std::sqrt(1 + 4 * parts)) / 2));
}

int64_t KernelMatch::getWantedTasks(ScheduleAttr schedule) {
  // The last one to end is an eighth of a share late at most.
  constexpr int64_t tasksPerWorker = 8;
  int64_t workers = getWorkers(schedule);
  return workers > 1 ? workers * tasksPerWorker : 1;
}

int64_t KernelMatch::getGrain(ScheduleAttr schedule, int64_t usual,
                              int64_t pieces) {
  int64_t tasks = getWantedTasks(schedule);
  return tasks > 1 ? std::clamp<int64_t>(pieces / tasks, 1, usual) : usual;
}

int64_t Work::getTasks() const {
  return std::max<int64_t>(1, llvm::divideCeil(pieces, grain));
}

void brisk::emitTasks(KernelBuilder &b, KernelMatch &match,
                      ScheduleAttr schedule, ValueRange ins, ValueRange outs,
                      Value begin, Value end) {
  Work work = match.getWork(schedule);
  match.emit(b, schedule, ins, outs, [&](function_ref<void(Value)> piece) {
    if (work.pieces == 1)
      return piece(b.index(0));
    if (work.grain != 1) {
      begin = b.mul(begin, work.grain);
      end = b.createOrFold<arith::MinUIOp>(b.mul(end, work.grain),
                                           b.index(work.pieces));
    }
    b.loop(begin, end, 1, piece);
  });
}

uint64_t KernelMatch::getTraffic() { return countBytes(group); }

uint64_t brisk::countFlops(GroupOp group) {
  uint64_t flops = 0;
  for (auto op : group.getBlock()->getOps<ComputeOpInterface>())
    flops += op.countFlops();
  return flops;
}

uint64_t brisk::countBytes(GroupOp group) {
  uint64_t bytes = 0;
  for (Value value : llvm::concat<Value>(llvm::to_vector(group.getIns()),
                                         llvm::to_vector(group.getOuts())))
    bytes += getByteSize(cast<ShapedType>(value.getType()));
  return bytes;
}
