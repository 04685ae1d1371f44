//===- Packing.h - Weights in the order kernels read them -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Families say how they want weights packed (KernelMatch::getPacking); packing,
// sharing and checking that is here, once for all.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_PACKING_H
#define BRISK_KERNELS_PACKING_H

#include "brisk/Kernels/Kernel.h"

#include <map>
#include <unordered_map>

namespace brisk {

/// Weights that kernels have packed, each made and kept once: groups that read
/// the same weights, as the steps of an unrolled loop do, mostly pack them the
/// same way.
class PackedWeights {
public:
  /// Replaces the constant input of the group that `packing` is about by the
  /// packed one, and its use by `brisk.unpack` of that, or by three that are
  /// put together by `brisk.assemble`; nothing if it is packed already. Fails,
  /// and says so, where there is no memory for it.
  llvm::LogicalResult pack(GroupOp group, const Packing &packing,
                           mlir::RewriterBase &rewriter);

private:
  using Parts = llvm::SmallVector<mlir::ElementsAttr, 3>;
  /// What `source` is read as: one constant, or values, rows and starts. Empty,
  /// after an error, where there is no memory for it.
  llvm::ArrayRef<mlir::ElementsAttr> get(ConstantOp source, PackedAttr layout);
  Parts make(ConstantOp source, PackedAttr layout);
  Parts makeNonZeros(ConstantOp source);
  /// A constant with these bytes: one that there is already, if any.
  mlir::ElementsAttr share(mlir::RankedTensorType type,
                           mlir::AsmResourceBlob blob);

  /// By source and layout.
  std::map<std::pair<const void *, const void *>, Parts> made;
  /// By a hash of their bytes.
  std::unordered_map<uint64_t, llvm::SmallVector<mlir::ElementsAttr, 1>> known;
};

/// True if all weights of the group are packed as `packing` says or, where they
/// are constants, can be.
bool canPack(GroupOp group, llvm::ArrayRef<Packing> packing);

/// Fails, and says so, unless the weights of the group that are packed are
/// those of `packing`, in its layouts.
llvm::LogicalResult verifyPacking(GroupOp group,
                                  llvm::ArrayRef<Packing> packing);

/// The group's input that `value` is, or is unpacked from: of one that is put
/// together, its values. -1 for none.
int64_t getInputNumber(mlir::Value value);

/// True if `value` is, or is unpacked from, a constant input of the group.
bool isConstantInput(GroupOp group, mlir::Value value);

} // namespace brisk

#endif // BRISK_KERNELS_PACKING_H
