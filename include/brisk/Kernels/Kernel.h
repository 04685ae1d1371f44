//===- Kernel.h - Kernel families --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel family: the groups it fits, its candidate schedules, their cost, and
// how it is emitted. The table of families drives selection, tests and
// benchmarks alike; a family is one file of this library and one row in it.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_KERNEL_H
#define BRISK_KERNELS_KERNEL_H

#include "brisk/Dialect/Ops.h"
#include "brisk/Kernels/KernelBuilder.h"
#include "brisk/Target/Isa.h"

#include <map>
#include <unordered_map>

namespace brisk {

/// A number of a schedule, and what it may be.
struct ScheduleParameter {
  llvm::StringRef name;
  int64_t least = 1;
  /// By default, the most of anything that is a task's.
  int64_t greatest = 1 << 16;
};

/// Weights that kernels have packed, each made and kept once: groups that read
/// the same weights, as the steps of an unrolled loop do, mostly pack them the
/// same way.
class PackedWeights {
public:
  /// Replaces the constant input of the group that the anchor's operand
  /// `weights` is by the same in `layout`, and the operand by `brisk.unpack` of
  /// that. Does nothing, after an error, where there is no memory for it.
  void pack(GroupOp group, mlir::OpOperand &weights, PackedAttr layout,
            mlir::RewriterBase &rewriter);
  bool hasFailed() const { return failed; }

private:
  /// Null, after an error, where there is no memory for it.
  mlir::ElementsAttr get(ConstantOp source, PackedAttr layout);

  bool failed = false;
  /// By source and layout.
  std::map<std::pair<const void *, const void *>, mlir::ElementsAttr> made;
  /// By a hash of their bytes.
  std::unordered_map<uint64_t, llvm::SmallVector<mlir::ElementsAttr, 1>> known;
};

class Kernel {
public:
  virtual ~Kernel() = default;

  /// The family's name, as schedules give it.
  virtual llvm::StringRef getName() const = 0;

  /// The numbers that each of the family's schedules has.
  virtual llvm::ArrayRef<ScheduleParameter> getParameters() const { return {}; }

  /// Adds a schedule for each way in which the family could run `group`; none
  /// if it does not fit. The group computes on tensors of static shape; its
  /// weights may be packed already.
  virtual void
  getSchedules(GroupOp group, const Isa &isa,
               llvm::SmallVectorImpl<ScheduleAttr> &schedules) const = 0;

  /// Estimated cycles of one run on one core.
  virtual double getCost(GroupOp group, ScheduleAttr schedule,
                         const Isa &isa) const = 0;

  /// Rewrites the group's constant operands as the schedule, already set, wants
  /// them: replaces an operand by a packed constant and, in the region, the
  /// argument by `brisk.unpack` of the packed one.
  virtual void pack(GroupOp group, const Isa &isa, PackedWeights &packed,
                    mlir::RewriterBase &rewriter) const {}

  /// Iterations of the outer loop, which may run in any order and on any
  /// thread. At least 1.
  virtual int64_t getTasks(GroupOp group, const Isa &isa) const { return 1; }

  /// True if result `out` may be written over input `in` (which is of the same
  /// size and layout): every element is read before, and in the task in which,
  /// it is overwritten.
  virtual bool canRunInPlace(GroupOp group, unsigned in, unsigned out) const {
    return false;
  }

  /// Emits tasks [begin, end) at the builder's insertion point. `ins` and
  /// `outs` are the group's operands as memrefs of static shape with signless
  /// element types (booleans are `i8` that hold 0 or 1) and innermost stride 1.
  virtual llvm::LogicalResult emit(KernelBuilder &b, GroupOp group,
                                   mlir::ValueRange ins, mlir::ValueRange outs,
                                   mlir::Value begin,
                                   mlir::Value end) const = 0;
};

/// All families, in the order in which ties are broken.
llvm::ArrayRef<const Kernel *> getKernels();

/// The family of that name, or null.
const Kernel *findKernel(llvm::StringRef name);

/// The family that the group's schedule names; null without a schedule.
const Kernel *findKernel(GroupOp group);

/// Fails, and says why, unless the group's schedule, which may be written by
/// hand, names a family that the group fits and has that family's numbers.
llvm::LogicalResult verifySchedule(GroupOp group, const Isa &isa);

/// The first schedule of the first family that the group fits, or null.
ScheduleAttr findFirstSchedule(GroupOp group, const Isa &isa);

/// Floating point operations of one run of the group (a multiply-add is two).
uint64_t countFlops(GroupOp group);

/// Bytes read and written in one run, each tensor once.
uint64_t countBytes(GroupOp group);

} // namespace brisk

#endif // BRISK_KERNELS_KERNEL_H
