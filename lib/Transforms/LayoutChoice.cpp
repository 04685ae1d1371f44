//===- LayoutChoice.cpp - The choice of a block's layouts -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutGraph.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Transforms/MinCut.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace brisk;

using Class = LayoutGraph::Class;
using Node = LayoutGraph::Node;
using Order = LayoutGraph::Order;
using Use = LayoutGraph::Use;

namespace {
class Chooser {
public:
  explicit Chooser(LayoutGraph &graph)
      : graph(graph), classes(graph.getClasses()), nodes(graph.getNodes()) {}

  int64_t run();

private:
  int64_t getCost(const Class &c) const;
  static int64_t getCost(const Node &node);
  int64_t getCost() const;

  void cut();
  bool findUsers(const Class &c, const Order &order,
                 MutableArrayRef<SmallVector<MinCut::Node>> users) const;
  void addCosts(const Class &c, const Order &order, MinCut &cut) const;
  void improve();

  LayoutGraph &graph;
  ArrayRef<Class> classes;
  MutableArrayRef<Node> nodes;
  std::vector<MinCut::Node> cutNodes;
};
} // namespace

/// Bytes that the op's kernel costs more for the order of its dimensions: where
/// it works along one dimension, that is best the innermost.
static int64_t getOrderPenalty(PermutableOpInterface op,
                               ArrayRef<int64_t> permutation) {
  std::optional<int64_t> inner = op.getInnermostDim();
  if (!inner)
    return 0;
  auto type = cast<RankedTensorType>(op->getOperand(0).getType());
  for (int64_t d : llvm::reverse(permutation)) {
    if (d == *inner)
      return 0;
    if (type.getDimSize(d) != 1)
      break;
  }
  return type.getNumElements() * getElementBytes(type.getElementType());
}

int64_t Chooser::getCost(const Class &c) const {
  if (c.bytes == 0)
    return 0;
  SmallVector<Order, 4> there = {
      graph.getProduced(c, c.producer ? nodes[*c.producer].chosen : 0)};
  auto want = [&](const Order &order) {
    if (!llvm::is_contained(there, order))
      there.push_back(order);
  };
  for (const Order &order : c.demands)
    want(order);
  for (const Use &use : c.uses)
    want(graph.getOrder(nodes[use.node], use.operand, nodes[use.node].chosen));
  return c.bytes * (there.size() - 1);
}

int64_t Chooser::getCost(const Node &node) {
  return getOrderPenalty(node.op, node.permutation[node.chosen]);
}

int64_t Chooser::getCost() const {
  int64_t cost = 0;
  for (const Class &c : classes)
    cost += getCost(c);
  for (const Node &node : nodes)
    cost += getCost(node);
  return cost;
}

/// Chooses by a minimum cut. A tensor is paid for once for every order in which
/// it is wanted but not produced. Where an op wants on one side what another
/// produces on the other, that is not a cut and left to `improve`.
void Chooser::cut() {
  MinCut cut;
  for (Node &node : nodes) {
    cutNodes.push_back(cut.addNode());
    if (!node.flexible)
      continue;
    int64_t extra = getOrderPenalty(node.op, node.permutation[1]) -
                    getOrderPenalty(node.op, node.permutation[0]);
    cut.addCost(MinCut::source, cutNodes.back(), extra);
    cut.addCost(cutNodes.back(), MinCut::sink, -extra);
  }
  for (const Class &c : classes) {
    if (c.bytes == 0)
      continue;
    SmallVector<Order, 2> wanted(c.demands);
    for (const Use &use : c.uses)
      for (unsigned side : {0, 1})
        wanted.push_back(graph.getOrder(nodes[use.node], use.operand, side));
    llvm::sort(wanted);
    wanted.erase(llvm::unique(wanted), wanted.end());
    for (const Order &order : wanted)
      addCosts(c, order, cut);
  }
  std::vector<bool> sides = cut.solve();
  for (auto [node, cutNode] : llvm::zip_equal(nodes, cutNodes))
    if (node.flexible)
      node.chosen = sides[cutNode];
}

/// Adds the nodes that want a class in `order` on one side only to those of the
/// side; true if some op wants it so on both.
bool Chooser::findUsers(
    const Class &c, const Order &order,
    MutableArrayRef<SmallVector<MinCut::Node>> users) const {
  bool always = llvm::is_contained(c.demands, order);
  for (const Use &use : c.uses) {
    const Node &node = nodes[use.node];
    bool on[2] = {graph.getOrder(node, use.operand, 0) == order,
                  graph.getOrder(node, use.operand, 1) == order};
    always |= on[0] && on[1];
    if (on[0] != on[1])
      users[on[1]].push_back(cutNodes[use.node]);
  }
  return always;
}

/// What it costs that a class is wanted in `order`.
void Chooser::addCosts(const Class &c, const Order &order, MinCut &cut) const {
  bool made[2] = {graph.getProduced(c, 0) == order,
                  graph.getProduced(c, 1) == order};
  if (made[0] && made[1])
    return;
  SmallVector<MinCut::Node> users[2];
  bool always = findUsers(c, order, users);
  // What is made on one side only is made by a node.
  auto getProducer = [&] { return cutNodes[*c.producer]; };
  // Paid for once, if users are on the side and the producer is not.
  if (!always && !made[1] && !users[0].empty()) {
    MinCut::Node any = cut.addNode();
    cut.addCost(any, made[0] ? getProducer() : MinCut::sink, c.bytes);
    for (MinCut::Node user : users[0])
      cut.addCost(user, any, MinCut::infinite);
  }
  if (!always && !made[0] && !users[1].empty()) {
    MinCut::Node any = cut.addNode();
    cut.addCost(made[1] ? getProducer() : MinCut::source, any, c.bytes);
    for (MinCut::Node user : users[1])
      cut.addCost(any, user, MinCut::infinite);
  }
  if (always && made[0])
    cut.addCost(MinCut::source, getProducer(), c.bytes);
  if (always && made[1])
    cut.addCost(getProducer(), MinCut::sink, c.bytes);
}

/// Moves single ops to the other side as long as that saves.
void Chooser::improve() {
  auto getLocalCost = [&](const Node &node) {
    int64_t cost = getCost(node);
    SmallVector<unsigned> ids = {graph.getSlot(node, -1).classId};
    for (int slot = 0, e = node.space.operands.size(); slot < e; ++slot)
      if (!node.space.operands[slot].empty())
        ids.push_back(graph.getSlot(node, slot).classId);
    llvm::sort(ids);
    ids.erase(llvm::unique(ids), ids.end());
    for (unsigned id : ids)
      cost += getCost(classes[id]);
    return cost;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Node &node : nodes) {
      if (!node.flexible)
        continue;
      int64_t before = getLocalCost(node);
      node.chosen = 1 - node.chosen;
      if (getLocalCost(node) < before)
        changed = true;
      else
        node.chosen = 1 - node.chosen;
    }
  }
}

int64_t Chooser::run() {
  int64_t before = getCost();
  cut();
  improve();
  int64_t after = getCost();
  if (after <= before)
    return before - after;
  for (Node &node : nodes)
    node.chosen = node.side;
  improve();
  return before - getCost();
}

int64_t brisk::chooseLayouts(LayoutGraph &graph) {
  return Chooser(graph).run();
}
