//===- LayoutGraph.cpp - The choice of a block's layouts --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutGraph.h"
#include "Builders.h"
#include "DimGroups.h"
#include "MinCut.h"
#include "brisk/Dialect/Elements.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace brisk;

// What a transpose costs beside its bytes.
static constexpr int64_t transposeOverhead = 64;

LayoutGraph::LayoutGraph(Block &block) : block(block) {
  for (Operation &op : block)
    collect(op);
  findCandidates();
}

//===----------------------------------------------------------------------===//
// Classes and nodes
//===----------------------------------------------------------------------===//

void LayoutGraph::addClass(Value value, std::optional<unsigned> producer) {
  auto type = cast<RankedTensorType>(value.getType());
  Class c;
  Member member{static_cast<unsigned>(classes.size()), {}};
  for (int64_t dim : type.getShape()) {
    member.axes.push_back(dim == 1 ? -1 : c.sizes.size());
    if (dim != 1)
      c.sizes.push_back(dim);
  }
  if (!getConstant(value))
    c.bytes = type.getNumElements() * getElementBytes(type.getElementType()) +
              transposeOverhead;
  c.producer = producer;
  c.produced = getOrder(member);
  members.try_emplace(value, std::move(member));
  classes.push_back(std::move(c));
  available.push_back({{classes.back().produced, value}});
}

LayoutGraph::Member &LayoutGraph::getMember(Value value) {
  if (!members.contains(value))
    addClass(value, std::nullopt);
  return members.find(value)->second;
}

LayoutGraph::Order LayoutGraph::getOrder(const Member &member) {
  Order order;
  for (int64_t axis : member.axes)
    if (axis >= 0)
      order.push_back(axis);
  return order;
}

/// A transpose, or a reshape that only adds and removes ones, gives a member of
/// its operand's class.
bool LayoutGraph::addAlias(Operation &op) {
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    Member member = getMember(transpose.getInput());
    SmallVector<int64_t, 4> axes;
    for (int64_t dim : transpose.getPermutation())
      axes.push_back(member.axes[dim]);
    member.axes = axes;
    members.try_emplace(transpose.getResult(), std::move(member));
    return true;
  }
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (!reshape)
    return false;
  auto groups = getDimGroups(getShape(reshape.getInput()), getShape(reshape));
  if (!groups)
    return false;
  Member member = getMember(reshape.getInput());
  ArrayRef<int64_t> shape = getShape(reshape);
  SmallVector<int64_t, 4> axes(shape.size(), -1);
  for (const DimGroup &group : *groups) {
    SmallVector<int64_t> from;
    size_t to = 0;
    for (size_t i = group.fromBegin; i < group.fromEnd; ++i)
      if (member.axes[i] >= 0)
        from.push_back(member.axes[i]);
    for (size_t i = group.toBegin; i < group.toEnd; ++i)
      if (shape[i] != 1) {
        if (!from.empty())
          axes[i] = from.front();
        ++to;
      }
    if (from.size() > 1 || to > 1)
      return false;
  }
  member.axes = axes;
  members.try_emplace(reshape.getResult(), std::move(member));
  return true;
}

void LayoutGraph::collect(Operation &op) {
  auto demand = [&](Value value) {
    Member &member = getMember(value);
    classes[member.classId].demands.push_back(getOrder(member));
  };
  for (Region &region : op.getRegions())
    region.walk([&](Operation *inner) {
      for (Value value : inner->getOperands())
        if (value.getParentBlock() == &block)
          demand(value);
    });
  if (isa<ConstantOp>(op)) {
    addClass(op.getResult(0), std::nullopt);
    return;
  }
  if (addAlias(op)) {
    aliases.insert(&op);
    return;
  }
  std::optional<DimSpace> space = getDimSpace(&op);
  if (!space) {
    for (Value value : op.getOperands())
      if (isa<RankedTensorType>(value.getType()))
        demand(value);
    for (Value value : op.getResults())
      if (isa<RankedTensorType>(value.getType()))
        addClass(value, std::nullopt);
    return;
  }
  unsigned id = nodes.size();
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    if (space->operands[i].empty()) {
      demand(value);
      continue;
    }
    Member &member = getMember(value);
    classes[member.classId].uses.push_back({id, static_cast<unsigned>(i)});
  }
  Node node{&op, std::move(*space), {}};
  for (auto &permutation : node.permutation)
    llvm::append_range(permutation, llvm::seq<int64_t>(0, node.space.rank));
  nodes.push_back(std::move(node));
  nodeOf[&op] = id;
  addClass(op.getResult(0), id);
}

LayoutGraph::Member &LayoutGraph::getSlot(const Node &node, int operand) {
  return getMember(operand < 0 ? node.op->getResult(0)
                               : node.op->getOperand(operand));
}

LayoutGraph::Order LayoutGraph::getOrder(const Node &node, int operand,
                                         unsigned side) {
  const Member &member = getSlot(node, operand);
  const DimMap &dims =
      operand < 0 ? node.space.result : node.space.operands[operand];
  Order order;
  for (int64_t d : node.permutation[side])
    for (int64_t dim : dims[d])
      if (member.axes[dim] >= 0)
        order.push_back(member.axes[dim]);
  return order;
}

LayoutGraph::Order LayoutGraph::getProduced(const Class &c, unsigned side) {
  return c.producer ? getOrder(nodes[*c.producer], -1, side) : c.produced;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

void LayoutGraph::addOrder(unsigned classId, const Order &order,
                           unsigned side) {
  Class &c = classes[classId];
  for (auto &[known, knownSide] : c.orders)
    if (known == order)
      return;
  c.orders.push_back({order, side});
  worklist.push_back(classId);
}

/// The order of the op's dimensions that gives an operand's axes `order`.
std::optional<SmallVector<int64_t, 4>>
LayoutGraph::getPermutation(const Node &node, int operand, const Order &order) {
  const Member &member = getSlot(node, operand);
  const DimMap &dims =
      operand < 0 ? node.space.result : node.space.operands[operand];
  size_t rank = node.space.rank;
  SmallVector<int64_t, 4> permutation;
  for (size_t i = 0; i < order.size();) {
    // The dimension that begins with this axis, whole.
    bool found = false;
    for (size_t d = 0; d < rank && !found; ++d) {
      Order axes;
      for (int64_t dim : dims[d])
        if (member.axes[dim] >= 0)
          axes.push_back(member.axes[dim]);
      if (axes.empty() || axes.front() != order[i])
        continue;
      if (ArrayRef(order).drop_front(i).take_front(axes.size()) !=
          ArrayRef(axes))
        return std::nullopt;
      permutation.push_back(d);
      i += axes.size();
      found = true;
    }
    if (!found)
      return std::nullopt;
  }
  // The others must be ones everywhere; they stay beside their neighbours.
  SmallVector<bool> covered(rank, false);
  for (int64_t d : permutation)
    covered[d] = true;
  auto isOne = [&](int64_t d) {
    for (int slot = -1; slot < static_cast<int>(node.space.operands.size());
         ++slot) {
      const DimMap &map =
          slot < 0 ? node.space.result : node.space.operands[slot];
      if (map.empty())
        continue;
      const Member &other = getSlot(node, slot);
      for (int64_t dim : map[d])
        if (other.axes[dim] >= 0)
          return false;
    }
    return true;
  };
  size_t leading = 0;
  for (size_t d = 0; d < rank; ++d) {
    if (covered[d])
      continue;
    if (!isOne(d))
      return std::nullopt;
    if (leading == d) {
      permutation.insert(permutation.begin() + leading++, d);
      continue;
    }
    auto *at = llvm::find_if(permutation, [&](int64_t other) {
      return other > static_cast<int64_t>(d) && covered[other];
    });
    if (at == permutation.end()) {
      at = llvm::find(permutation, static_cast<int64_t>(d) - 1);
      if (at != permutation.end())
        ++at;
    } else {
      int64_t after = d + 1;
      while (!covered[after])
        ++after;
      at = llvm::find(permutation, after);
    }
    permutation.insert(at, d);
  }
  return permutation;
}

/// Gives a node a second order, in which a class has `order`.
bool LayoutGraph::assign(unsigned id, int operand, const Order &order,
                         unsigned side) {
  Node &node = nodes[id];
  auto permutation = getPermutation(node, operand, order);
  if (!permutation || !canPermute(node.op, *permutation))
    return false;
  node.flexible = true;
  node.side = node.chosen = 1 - side;
  node.permutation[side] = *permutation;
  for (int slot = -1; slot < static_cast<int>(node.space.operands.size());
       ++slot)
    if (slot < 0 || !node.space.operands[slot].empty())
      for (unsigned s : {0, 1})
        addOrder(getSlot(node, slot).classId, getOrder(node, slot, s), s);
  return true;
}

/// Spreads the orders that ops ask for through the ops that can follow.
void LayoutGraph::findCandidates() {
  // Side 1 is how ops that cannot be permuted produce or want a tensor.
  for (auto [id, c] : llvm::enumerate(classes)) {
    SmallVector<Order, 2> wanted;
    if (!c.producer && c.bytes)
      wanted.push_back(c.produced);
    llvm::append_range(wanted, c.demands);
    for (const Order &order : wanted)
      addOrder(id, order, 1);
  }
  for (size_t next = 0; next < worklist.size(); ++next) {
    unsigned id = worklist[next];
    SmallVector<std::pair<unsigned, int>> slots;
    if (auto producer = classes[id].producer)
      slots.push_back({*producer, -1});
    for (const Use &use : classes[id].uses)
      slots.push_back({use.node, static_cast<int>(use.operand)});
    for (auto [node, operand] : slots) {
      if (nodes[node].flexible)
        continue;
      Order own = getOrder(nodes[node], operand, 0);
      auto orders = classes[id].orders;
      for (const auto &[order, side] : orders)
        if (order != own && assign(node, operand, order, side))
          break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

int64_t LayoutGraph::getCost(const Class &c) {
  if (c.bytes == 0)
    return 0;
  SmallVector<Order, 4> there = {
      getProduced(c, c.producer ? nodes[*c.producer].chosen : 0)};
  auto want = [&](const Order &order) {
    if (!llvm::is_contained(there, order))
      there.push_back(order);
  };
  for (const Order &order : c.demands)
    want(order);
  for (const Use &use : c.uses)
    want(getOrder(nodes[use.node], use.operand, nodes[use.node].chosen));
  return c.bytes * (there.size() - 1);
}

int64_t LayoutGraph::getCost(const Node &node) {
  return getOrderPenalty(node.op, node.permutation[node.chosen]);
}

int64_t LayoutGraph::getCost() {
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
void LayoutGraph::cut() {
  MinCut cut;
  std::vector<MinCut::Node> cutNodes;
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
        wanted.push_back(getOrder(nodes[use.node], use.operand, side));
    llvm::sort(wanted);
    wanted.erase(llvm::unique(wanted), wanted.end());
    for (const Order &order : wanted) {
      bool made[2] = {getProduced(c, 0) == order, getProduced(c, 1) == order};
      if (made[0] && made[1])
        continue;
      bool always = llvm::is_contained(c.demands, order);
      SmallVector<MinCut::Node> users[2];
      for (const Use &use : c.uses) {
        const Node &node = nodes[use.node];
        bool on[2] = {getOrder(node, use.operand, 0) == order,
                      getOrder(node, use.operand, 1) == order};
        always |= on[0] && on[1];
        for (unsigned side : {0, 1})
          if (on[side] && !on[1 - side])
            users[side].push_back(cutNodes[use.node]);
      }
      // Wanted on side 1: paid for if a user is there and the producer is not.
      MinCut::Node producer = c.producer ? cutNodes[*c.producer] : 0;
      if (!made[1] && !always && !made[0] && !users[0].empty()) {
        MinCut::Node any = cut.addNode();
        cut.addCost(any, MinCut::sink, c.bytes);
        for (MinCut::Node user : users[0])
          cut.addCost(user, any, MinCut::infinite);
      }
      if (!made[0] && !always && !users[1].empty()) {
        MinCut::Node any = cut.addNode();
        cut.addCost(made[1] ? producer : MinCut::source, any, c.bytes);
        for (MinCut::Node user : users[1])
          cut.addCost(any, user, MinCut::infinite);
      }
      if (made[0] && !always && !users[0].empty()) {
        MinCut::Node any = cut.addNode();
        cut.addCost(any, producer, c.bytes);
        for (MinCut::Node user : users[0])
          cut.addCost(user, any, MinCut::infinite);
      }
      if (always && made[0])
        cut.addCost(MinCut::source, producer, c.bytes);
      if (always && made[1])
        cut.addCost(producer, MinCut::sink, c.bytes);
    }
  }
  std::vector<bool> sides = cut.solve();
  for (auto [node, cutNode] : llvm::zip_equal(nodes, cutNodes))
    if (node.flexible)
      node.chosen = sides[cutNode];
}

/// Moves single ops to the other side as long as that saves.
void LayoutGraph::improve() {
  auto getLocalCost = [&](const Node &node) {
    int64_t cost = getCost(node);
    SmallVector<unsigned> ids = {getSlot(node, -1).classId};
    for (int slot = 0, e = node.space.operands.size(); slot < e; ++slot)
      if (!node.space.operands[slot].empty())
        ids.push_back(getSlot(node, slot).classId);
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

int64_t LayoutGraph::choose() {
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

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value LayoutGraph::get(OpBuilder &b, Location loc, unsigned classId,
                       const Order &order, ArrayRef<int64_t> shape) {
  auto &there = available[classId];
  for (auto &[known, value] : there)
    if (known == order)
      return makeReshape(b, loc, value, shape);
  auto [from, value] = there.front();
  ArrayRef<int64_t> sizes = classes[classId].sizes;
  SmallVector<int64_t> runs, runSizes, permutation;
  // Of the same rank: dimension by dimension, ones for ones.
  ArrayRef<int64_t> source = getShape(value);
  if (source.size() == shape.size()) {
    SmallVector<int64_t> dims, ones;
    for (auto [i, size] : llvm::enumerate(source))
      (size == 1 ? ones : dims).push_back(i);
    size_t nextAxis = 0, nextOne = 0;
    for (int64_t size : shape)
      permutation.push_back(
          size == 1 ? ones[nextOne++]
                    : dims[llvm::find(from, order[nextAxis++]) - from.begin()]);
    Value result = makeTranspose(b, loc, value, permutation);
    there.push_back({order, result});
    return result;
  }
  // Otherwise axes that stay together move as one.
  for (auto [i, axis] : llvm::enumerate(from)) {
    auto *at = llvm::find(order, axis);
    bool joins = i > 0 && at != order.begin() && *std::prev(at) == from[i - 1];
    if (joins) {
      runSizes.back() *= sizes[axis];
      continue;
    }
    runs.push_back(axis);
    runSizes.push_back(sizes[axis]);
  }
  for (int64_t axis : order)
    if (auto *run = llvm::find(runs, axis); run != runs.end())
      permutation.push_back(run - runs.begin());
  Value flat = makeReshape(b, loc, value, runSizes);
  Value moved = makeTranspose(b, loc, flat, permutation);
  Value result = makeReshape(b, loc, moved, shape);
  there.push_back({order, result});
  return result;
}

/// Gives `op`, which is at or within `position`, operands in the orders that it
/// has them in.
void LayoutGraph::replaceOperands(OpBuilder &b, Operation *op,
                                  Operation *position) {
  b.setInsertionPoint(position);
  for (OpOperand &operand : op->getOpOperands()) {
    auto member = members.find(operand.get());
    if (member == members.end() ||
        (op != position && operand.get().getParentBlock() != &block))
      continue;
    Operation *def = operand.get().getDefiningOp();
    auto node = def ? nodeOf.find(def) : nodeOf.end();
    bool stays =
        !def || (!aliases.contains(def) &&
                 (node == nodeOf.end() ||
                  nodes[node->second].chosen == nodes[node->second].side));
    if (!stays)
      operand.set(get(b, op->getLoc(), member->second.classId,
                      getOrder(member->second), getShape(operand.get())));
  }
}

void LayoutGraph::apply() {
  OpBuilder b(block.getParentOp()->getContext());
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  for (Operation *op : ops) {
    if (isa<ConstantOp>(op) || aliases.contains(op))
      continue;
    auto id = nodeOf.find(op);
    if (id == nodeOf.end() ||
        nodes[id->second].chosen == nodes[id->second].side) {
      replaceOperands(b, op, op);
      for (Region &region : op->getRegions())
        region.walk([&](Operation *inner) { replaceOperands(b, inner, op); });
      continue;
    }
    const Node &node = nodes[id->second];
    ArrayRef<int64_t> permutation = node.permutation[node.chosen];
    b.setInsertionPoint(op);
    SmallVector<Value> operands;
    for (auto [i, value] : llvm::enumerate(op->getOperands())) {
      const DimMap &dims = node.space.operands[i];
      if (dims.empty()) {
        const Member &member = getMember(value);
        operands.push_back(get(b, op->getLoc(), member.classId,
                               getOrder(member), getShape(value)));
        continue;
      }
      operands.push_back(get(b, op->getLoc(), getSlot(node, i).classId,
                             getOrder(node, i, node.chosen),
                             permuteShape(getShape(value), dims, permutation,
                                          isBroadcasting(op))));
    }
    Value result = permuteOp(b, op, node.space, operands, permutation);
    available[getSlot(node, -1).classId] = {
        {getOrder(node, -1, node.chosen), result}};
  }
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}
