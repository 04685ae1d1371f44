//===- LayoutGraph.h - The choice of a block's layouts --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of a block as classes of tensors that differ only in the order of
// their dimensions, and the ops that can run in either of two orders. The side
// of every op is chosen such that the fewest bytes are transposed.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_LAYOUTGRAPH_H
#define BRISK_LIB_TRANSFORMS_LAYOUTGRAPH_H

#include "LayoutRules.h"
#include "mlir/IR/Block.h"

#include <vector>

namespace brisk {

class LayoutGraph {
public:
  explicit LayoutGraph(mlir::Block &block);

  /// Chooses the layouts; the bytes that are transposed fewer than when every
  /// op stays as it is.
  int64_t choose();

  /// Rewrites the block as chosen.
  void apply();

private:
  /// The axes of a class, outermost first. Dimensions of 1 are no axes.
  using Order = llvm::SmallVector<int64_t, 4>;

  /// A value: its class and, for each of its dimensions, the axis it is, or -1.
  struct Member {
    unsigned classId;
    llvm::SmallVector<int64_t, 4> axes;
  };

  /// An op that can run in another order.
  struct Node {
    mlir::Operation *op;
    DimSpace space;
    /// By side. An op that is not flexible has its own order on both.
    llvm::SmallVector<int64_t, 4> permutation[2];
    /// The side of the order that the op has.
    unsigned side = 0;
    bool flexible = false;
    unsigned chosen = 0;
  };

  struct Use {
    unsigned node;
    unsigned operand;
  };

  /// Tensors of the same elements.
  struct Class {
    llvm::SmallVector<int64_t, 4> sizes;
    /// What it costs to transpose; 0 for constants.
    int64_t bytes = 0;
    /// The order that it is produced in, if not by a node.
    Order produced;
    std::optional<unsigned> producer;
    llvm::SmallVector<Use, 2> uses;
    llvm::SmallVector<Order, 2> demands;
    /// The orders under consideration, each with its side.
    llvm::SmallVector<std::pair<Order, unsigned>, 2> orders;
  };

  void collect(mlir::Operation &op);
  Member &getMember(mlir::Value value);
  void addClass(mlir::Value value, std::optional<unsigned> producer);
  bool addAlias(mlir::Operation &op);
  static Order getOrder(const Member &member);
  /// The class of an operand of a node, or of its result (operand -1), and the
  /// order that the node has it in on a side.
  Member &getSlot(const Node &node, int operand);
  Order getOrder(const Node &node, int operand, unsigned side);
  Order getProduced(const Class &c, unsigned side);

  void findCandidates();
  void addOrder(unsigned classId, const Order &order, unsigned side);
  bool assign(unsigned node, int operand, const Order &order, unsigned side);
  std::optional<llvm::SmallVector<int64_t, 4>>
  getPermutation(const Node &node, int operand, const Order &order);

  int64_t getCost(const Class &c);
  int64_t getCost(const Node &node);
  int64_t getCost();
  void cut();
  void improve();

  /// The value of a class in an order and shape, made at the insertion point
  /// of `b` if it is not there.
  mlir::Value get(mlir::OpBuilder &b, mlir::Location loc, unsigned classId,
                  const Order &order, llvm::ArrayRef<int64_t> shape);
  void replaceOperands(mlir::OpBuilder &b, mlir::Operation *op,
                       mlir::Operation *position);

  mlir::Block &block;
  std::vector<Class> classes;
  std::vector<Node> nodes;
  llvm::DenseMap<mlir::Value, Member> members;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeOf;
  llvm::DenseSet<mlir::Operation *> aliases;
  std::vector<unsigned> worklist;
  /// By class, in which orders it is there while the block is rewritten.
  std::vector<llvm::SmallVector<std::pair<Order, mlir::Value>, 2>> available;
};

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_LAYOUTGRAPH_H
