//===- ChannelGraph.h - Which channels go together --------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What can be taken out of a model without the rest noticing: a channel of a
// value, with the same channel of all values that are computed from it, or with
// it, channel by channel (by activations, residual additions, depthwise
// convolutions, pools…). Fang and others call these coupled parameters:
// DepGraph, 2023, arXiv:2301.12900.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TRANSFORMS_CHANNELGRAPH_H
#define BRISK_TRANSFORMS_CHANNELGRAPH_H

#include "brisk/Dialect/Ops.h"
#include "brisk/Transforms/ChannelLayers.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

#include <vector>

namespace brisk {

/// Of every place of every dimension of a function's tensors, the channel that
/// it belongs to. Shapes are static. Constants have no places: what uses them
/// follows the other operands.
class ChannelGraph {
public:
  /// What keeps places together.
  enum class Kind {
    /// Being computed from each other, or with each other.
    Coupled,
    /// Being multiples of each other, so that they can only be scaled together.
    /// Layers, and products with constants, take any scales.
    Scaled
  };
  explicit ChannelGraph(mlir::func::FuncOp function, Kind kind = Kind::Coupled);
  /// False for a function with more places than are worth the memory.
  static bool canHold(mlir::func::FuncOp function);

  /// More than any channel.
  unsigned countChannels() const { return classes.getNumClasses(); }
  unsigned getChannel(mlir::Value value, int64_t dim, int64_t place) const {
    return classes[starts.lookup(value)[dim] + place];
  }
  /// True for the one channel of all places that have to stay, whatever they
  /// hold: of the function's inputs and results, and of all that is not
  /// computed, or scaled, channel by channel.
  bool isPinned(unsigned channel) const { return channel == classes[0]; }

  /// The tensors, in program order.
  llvm::ArrayRef<mlir::Value> getValues() const { return values; }

private:
  /// A dimension of one tensor that is several of another, by a reshape.
  struct Folding {
    mlir::Value flat;
    size_t flatDim;
    mlir::Value wide;
    llvm::SmallVector<int64_t> wideDims;
  };

  /// An operand, and the result's dimensions that keep its own apart.
  struct Slot {
    mlir::Value value;
    llvm::SmallVector<int64_t> kept;
    /// The dimension that dimension `dim` of the result keeps apart, or none.
    std::optional<int64_t> findDim(int64_t dim) const;
  };
  /// A dimension of a product, which takes the scales of one factor.
  struct Product {
    mlir::Value lhs;
    int64_t lhsDim;
    mlir::Value rhs;
    int64_t rhsDim;
    mlir::Value result;
    int64_t dim;
  };

  void addValue(mlir::Value value);
  bool has(mlir::Value value) const { return starts.contains(value); }
  void join(mlir::Value a, int64_t dimA, int64_t placeA, mlir::Value b,
            int64_t dimB, int64_t placeB, int64_t count);
  void joinDims(mlir::Value a, int64_t dimA, mlir::Value b, int64_t dimB);
  void pin(mlir::Value value);
  void pin(mlir::Value value, int64_t dim);
  void pinAllBut(mlir::Value value, int64_t dim);
  bool isFree(mlir::Value value, int64_t dim) const;

  /// False for an op that is not computed channel by channel.
  bool connect(mlir::Operation *op);
  bool connectLayer(mlir::Operation *op);
  bool connectDims(ComputeOpInterface op);
  bool connectScales(ComputeOpInterface op);
  void joinAll(llvm::ArrayRef<Slot> slots, mlir::Value result);
  void multiply(llvm::ArrayRef<Slot> slots, mlir::Value result);
  void connectProducts();
  bool connectView(mlir::Operation *op);
  bool connectReshape(ReshapeOp op);
  void connectGroup(ReshapeOp op, const DimGroup &group);
  void connectFolding(const Folding &folding);

  Kind kind;
  std::vector<mlir::Value> values;
  /// The numbers of each dimension's first places.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 4>> starts;
  unsigned next = 1;
  llvm::IntEqClasses classes;
  std::vector<Folding> foldings;
  std::vector<Product> products;
};

} // namespace brisk

#endif // BRISK_TRANSFORMS_CHANNELGRAPH_H
