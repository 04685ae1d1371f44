//===- LayoutGraph.h - What a block's layouts may be ------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of a block as classes of tensors that differ only in the order of
// their dimensions, and the ops that can run in either of two orders.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_TRANSFORMS_LAYOUTGRAPH_H
#define BRISK_LIB_TRANSFORMS_LAYOUTGRAPH_H

#include "brisk/Dialect/Ops.h"
#include "mlir/IR/Block.h"

#include <vector>

namespace brisk {

class LayoutGraph {
public:
  /// The axes of a class, outermost first. Dimensions of 1 are no axes.
  using Order = llvm::SmallVector<int64_t, 4>;

  /// A value: its class and, for each of its dimensions, the axis it is, or -1.
  struct Member {
    unsigned classId;
    llvm::SmallVector<int64_t, 4> axes;

    /// The axes of all dimensions, or of some.
    Order getOrder() const;
    Order getOrder(llvm::ArrayRef<int64_t> dims) const;
  };

  /// An op that can run in another order.
  struct Node {
    PermutableOpInterface op;
    DimSpace space;
    /// By side. An op that is not flexible has its own order on both.
    llvm::SmallVector<int64_t, 4> permutation[2];
    /// The side of the order that the op has.
    unsigned side = 0;
    bool flexible = false;
    unsigned chosen = 0;

    bool stays() const { return chosen == side; }
  };

  struct Use {
    unsigned node;
    unsigned operand;
  };

  /// Tensors of the same elements.
  struct Class {
    /// The first of them, and the order that it has.
    mlir::Value value;
    Order produced;
    llvm::SmallVector<int64_t, 4> sizes;
    /// What it costs to transpose; 0 for constants.
    int64_t bytes = 0;
    /// The node that produces it, if one does.
    std::optional<unsigned> producer;
    llvm::SmallVector<Use, 2> uses;
    llvm::SmallVector<Order, 2> demands;
    /// The orders under consideration, each with its side.
    llvm::SmallVector<std::pair<Order, unsigned>, 2> orders;
  };

  explicit LayoutGraph(mlir::Block &block);

  mlir::Block &getBlock() const { return block; }
  llvm::ArrayRef<Class> getClasses() const { return classes; }
  llvm::MutableArrayRef<Node> getNodes() { return nodes; }

  /// A value of the block or one that it uses; null for others.
  const Member *findMember(mlir::Value value) const;
  /// Null for ops that run in one order only.
  const Node *findNode(mlir::Operation *op) const;
  /// True for an op whose result is a member of its operand's class.
  bool isAlias(mlir::Operation *op) const { return aliases.contains(op); }

  /// An operand of a node, or its result (operand -1), and the order that the
  /// node has it in on a side.
  const Member &getSlot(const Node &node, int operand) const;
  Order getOrder(const Node &node, int operand, unsigned side) const;
  Order getProduced(const Class &c, unsigned side) const;

private:
  void collect(mlir::Operation &op);
  const Member &getOrAddMember(mlir::Value value);
  void addClass(mlir::Value value, std::optional<unsigned> producer);
  bool addAlias(mlir::Operation &op);

  void findCandidates();
  void addOrder(unsigned classId, const Order &order, unsigned side);
  void followOrders(bool through);
  void spread(const Node &node, unsigned from, unsigned side);
  bool assign(unsigned node, int operand, const Order &order, unsigned side);
  std::optional<llvm::SmallVector<int64_t, 4>>
  getPermutation(const Node &node, int operand, const Order &order) const;
  bool hasAxes(const Node &node, int64_t dim) const;

  mlir::Block &block;
  std::vector<Class> classes;
  std::vector<Node> nodes;
  llvm::DenseMap<mlir::Value, Member> members;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeOf;
  llvm::DenseSet<mlir::Operation *> aliases;
  std::vector<unsigned> worklist;
};

/// Chooses the side of every node such that the fewest bytes are transposed;
/// how many fewer than when every op stays as it is (LayoutChoice.cpp).
int64_t chooseLayouts(LayoutGraph &graph);

/// Rewrites the graph's block such that every op runs in the order of the side
/// that is chosen for it (LayoutRewriter.cpp). The graph says nothing of the
/// block after that.
void applyLayouts(LayoutGraph &graph);

} // namespace brisk

#endif // BRISK_LIB_TRANSFORMS_LAYOUTGRAPH_H
