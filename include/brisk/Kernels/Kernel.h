//===- Kernel.h - Kernel families -------------------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel family looks at a group once and, where it fits, gives a match: the
// problem it has found, with the schedules that could run it, what they cost,
// how they want weights packed, how the work divides, and how it is emitted.
// The table of families drives selection, tests and benchmarks alike; a family
// is one file of this library and one row in it.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_KERNEL_H
#define BRISK_KERNELS_KERNEL_H

#include "brisk/Dialect/Ops.h"
#include "brisk/Kernels/KernelBuilder.h"
#include "brisk/Target/Isa.h"

#include <memory>

namespace brisk {

class KernelMatch;

/// A group on an instruction set, as families look at it. The group computes on
/// tensors of static shape; its weights may be packed already.
class GroupView {
public:
  GroupView(GroupOp group, const Isa &isa);

  GroupOp getGroup() const { return group; }
  const Isa &getIsa() const { return isa; }
  /// See GroupOp::getAnchor; null for a group without ops.
  mlir::Operation *getAnchor() const { return anchor; }

  /// What the kernel gets for each of the group's operands: memrefs of static
  /// strides from offset 0, in the storage element type. While the group is on
  /// tensors, their buffers are taken to be dense, as they mostly will be.
  llvm::ArrayRef<mlir::MemRefType> getBufferTypes() const { return buffers; }
  /// Strides of an input, and of a result.
  llvm::SmallVector<int64_t> getInStrides(unsigned number) const;
  llvm::SmallVector<int64_t> getOutStrides(unsigned number) const;

  /// No match. The reason ends a sentence that begins with the group: "has a
  /// batch of matrices".
  std::nullptr_t refuse(const llvm::Twine &reason);
  /// The last reason.
  llvm::StringRef getReason() const { return reason; }

private:
  GroupOp group;
  const Isa &isa;
  mlir::Operation *anchor;
  llvm::SmallVector<mlir::MemRefType> buffers;
  std::string reason;
};

/// Which of a family's schedules are asked for: those worth comparing by their
/// cost, or all that may be the best, for a search that measures.
enum class Search { Default, All };

/// The numbers that a schedule tries where `usual` is the usual one: that one
/// or, of all, its multiples by powers of two too, within [1, greatest].
llvm::SmallVector<int64_t> getNumbers(Search search, int64_t usual,
                                      int64_t greatest = 1 << 16);

/// The operand `weights` of an op in a group, a constant, read in `layout` or,
/// where that is null, as those elements alone that are not zero.
struct Packing {
  mlir::OpOperand *weights;
  PackedAttr layout;
};

/// How the work divides: into pieces that may be computed in any order and on
/// any thread, `grain` of which make a task.
struct Work {
  int64_t pieces = 1, grain = 1;

  /// At least 1.
  int64_t getTasks() const;
};

/// The loop over the pieces of a task, which is the caller's: emits it, with
/// `piece` to emit one of them at the builder's insertion point.
using PieceLoop =
    llvm::function_ref<void(llvm::function_ref<void(mlir::Value)> piece)>;

/// A group that a family can run. Schedules that it is asked about are its own
/// or pass `verify`.
class KernelMatch {
public:
  explicit KernelMatch(const GroupView &view)
      : view(view), group(view.getGroup()), isa(view.getIsa()) {}
  virtual ~KernelMatch() = default;

  /// Adds schedules; at least one, the most usual first.
  virtual void getSchedules(Search search,
                            llvm::SmallVectorImpl<ScheduleAttr> &schedules) = 0;

  /// Fails, and says why, unless the schedule, which is the family's but may be
  /// written by hand, can run the group.
  virtual llvm::LogicalResult verify(ScheduleAttr schedule) {
    return mlir::success();
  }

  /// Estimated cycles of one run on one core.
  virtual double getCycles(ScheduleAttr schedule) = 0;

  /// Bytes read and written in one run; by default, each tensor once.
  virtual uint64_t getTraffic();

  /// The weights that are read packed.
  virtual llvm::SmallVector<Packing> getPacking(ScheduleAttr schedule) {
    return {};
  }

  /// True if inputs that repeat one element are to be constants in the region,
  /// which need no memory.
  virtual bool takesSplats() { return false; }

  virtual Work getWork(ScheduleAttr schedule) { return {}; }

  /// How many workers a run is worth, by its cycles: one more would save less
  /// than it takes to hand work over to it.
  int64_t getWorkers(ScheduleAttr schedule);
  /// Tasks that keep so many workers evenly busy; 1 for a single worker.
  int64_t getWantedTasks(ScheduleAttr schedule);
  /// How many of `pieces` to make a task: `usual`, or fewer for as many tasks.
  int64_t getGrain(ScheduleAttr schedule, int64_t usual, int64_t pieces);

  /// Bytes that each worker needs for itself while it runs a piece; the builder
  /// that emits has them as `scratch`.
  virtual int64_t getScratch(ScheduleAttr schedule) { return 0; }

  /// True if result `out` may be written over input `in` (which is of the same
  /// size and layout): every element is read before, and in the task in which,
  /// it is overwritten.
  virtual bool canRunInPlace(unsigned in, unsigned out) { return false; }

  /// Emits what all pieces share, at the builder's insertion point, then the
  /// pieces by calling `forPieces` once. `ins` and `outs` are of the view's
  /// buffer types, with innermost stride 1 (booleans are `i8` that hold 0 or
  /// 1), and there is at least one element to compute.
  virtual void emit(KernelBuilder &b, ScheduleAttr schedule,
                    mlir::ValueRange ins, mlir::ValueRange outs,
                    PieceLoop forPieces) = 0;

protected:
  /// Adds the schedules of a family whose only number is `usual` as a rule.
  template <typename ScheduleT>
  void addSchedules(Search search, int64_t usual,
                    llvm::SmallVectorImpl<ScheduleAttr> &schedules,
                    int64_t greatest = 1 << 16) {
    for (int64_t number : getNumbers(search, usual, greatest))
      schedules.push_back(ScheduleT::get(group.getContext(), number));
  }

  const GroupView &view;
  GroupOp group;
  const Isa &isa;
};

/// A row of the table of families.
struct Kernel {
  /// The family's name, as its schedules give it.
  llvm::StringRef name;
  /// The match, which refers to the view; null, and the view has the reason, if
  /// the family does not fit.
  std::unique_ptr<KernelMatch> (*match)(GroupView &view);
};

/// All families, in the order in which ties are broken.
llvm::ArrayRef<Kernel> getKernels();

/// The family of that name, or null.
const Kernel *findKernel(llvm::StringRef name);

/// What the family of the group's schedule, which may be written by hand, makes
/// of the group. Null, after an error, if it does not fit or reads weights that
/// are packed otherwise.
std::unique_ptr<KernelMatch> matchSchedule(GroupView &view);

/// Emits tasks [begin, end) of a match at the builder's insertion point.
void emitTasks(KernelBuilder &b, KernelMatch &match, ScheduleAttr schedule,
               mlir::ValueRange ins, mlir::ValueRange outs, mlir::Value begin,
               mlir::Value end);

/// Floating point operations of one run of the group (a multiply-add is two).
uint64_t countFlops(GroupOp group);

/// Bytes read and written in one run, each tensor once.
uint64_t countBytes(GroupOp group);

} // namespace brisk

#endif // BRISK_KERNELS_KERNEL_H
