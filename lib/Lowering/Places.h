//===- Places.h - When buffers are live, and which share a place -*- C++
//-*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The allocations of a model's function as places in an arena, in the order in
// which its ops stand.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_LOWERING_PLACES_H
#define BRISK_LIB_LOWERING_PLACES_H

#include "brisk/Dialect/Ops.h"
#include "brisk/Kernels/Kernel.h"
#include "brisk/Lowering/ArenaLayout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace brisk {

/// Buffers that share one place in the arena.
struct Place {
  int64_t first, last; // first and last point in time at which it is live
  int64_t bytes;       // aligned
  llvm::SmallVector<mlir::memref::AllocOp> allocs;
};

struct Places {
  std::vector<Place> list;
  /// What groups need beside, where they need something.
  llvm::SmallVector<std::pair<GroupOp, int64_t>> scratch;
  /// The op that begins at a point in time.
  llvm::DenseMap<int64_t, mlir::Operation *> begun;
  /// Bytes of all buffers, as if none shared any.
  int64_t totalBytes = 0;
};

/// Numbers the points in time at which ops begin and end, takes the life of
/// each buffer from its first use to its last, and lets results of groups take
/// the place of inputs that die there. Fails, after an error, where a size is
/// not known or no memory is as large.
llvm::FailureOr<Places> findPlaces(mlir::func::FuncOp function,
                                   const Isa &machine, unsigned alignment);

/// Offsets of all places.
ArenaLayout layOut(const Places &places);

/// What the family of a group's schedule makes of it; null where none fits,
/// which is `outline-kernels`' to refuse.
std::unique_ptr<KernelMatch> matchIfFits(GroupView &view);

/// An input of a group and a result that may take its place, where the input
/// dies there and the result's life begins.
struct InPlace {
  mlir::memref::AllocOp in, out;
};
/// In the order in which they are tried: each buffer takes one place.
llvm::SmallVector<InPlace> findInPlace(GroupOp group, KernelMatch &match);

} // namespace brisk

#endif // BRISK_LIB_LOWERING_PLACES_H
