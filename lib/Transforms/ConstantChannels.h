//===- ConstantChannels.h - Channels that hold one number -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_CONSTANTCHANNELS_H
#define BRISK_LIB_TRANSFORMS_CONSTANTCHANNELS_H

#include "brisk/Dialect/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"

#include <vector>

namespace brisk {

/// Input and output channels of a layer (`mixesChannels` or `isDepthwise`) all
/// of whose weights are zero. A depthwise layer has no rows.
struct ZeroWeights {
  llvm::BitVector rows, columns;

  explicit ZeroWeights(mlir::Operation *layer);
};

/// What is known of a tensor along one of its dimensions: the number that all
/// elements at a place are, or nothing.
struct ConstantChannels {
  int64_t dim;
  std::vector<std::optional<double>> numbers;
};

/// The tensors of a function of which some channels are constant: those that
/// layers with weights of zero give, as long as they read finite values, and
/// what is computed from them.
class ConstantChannelMap {
public:
  explicit ConstantChannelMap(mlir::func::FuncOp function);

  /// Null where nothing is known.
  const ConstantChannels *find(mlir::Value value) const {
    auto it = known.find(value);
    return it == known.end() ? nullptr : &it->second;
  }

private:
  using Result = std::optional<ConstantChannels>;
  Result examine(mlir::Operation *op) const;
  Result examineLayer(mlir::Operation *op) const;
  Result examineProduct(MulOp op) const;
  Result examineElementwise(mlir::Operation *op) const;
  Result examineReshape(ReshapeOp op) const;
  Result examineDims(ComputeOpInterface op) const;
  Result examineConcat(ConcatOp op) const;

  llvm::DenseMap<mlir::Value, ConstantChannels> known;
};

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_CONSTANTCHANNELS_H
