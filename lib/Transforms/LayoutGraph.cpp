//===- LayoutGraph.cpp - What a block's layouts may be --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutGraph.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

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
  c.value = value;
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
  c.produced = member.getOrder();
  members.try_emplace(value, std::move(member));
  classes.push_back(std::move(c));
}

const LayoutGraph::Member &LayoutGraph::getOrAddMember(Value value) {
  if (!members.contains(value))
    addClass(value, std::nullopt);
  return members.find(value)->second;
}

LayoutGraph::Order LayoutGraph::Member::getOrder() const {
  return getOrder(llvm::to_vector(llvm::seq<int64_t>(0, axes.size())));
}

LayoutGraph::Order LayoutGraph::Member::getOrder(ArrayRef<int64_t> dims) const {
  Order order;
  for (int64_t dim : dims)
    if (axes[dim] >= 0)
      order.push_back(axes[dim]);
  return order;
}

/// A transpose, or a reshape that only adds and removes ones, gives a member of
/// its operand's class.
bool LayoutGraph::addAlias(Operation &op) {
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    Member member = getOrAddMember(transpose.getInput());
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
  auto groups = reshape.getDimGroups();
  if (!groups)
    return false;
  Member member = getOrAddMember(reshape.getInput());
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
    if (!isa<RankedTensorType>(value.getType()))
      return;
    const Member &member = getOrAddMember(value);
    classes[member.classId].demands.push_back(member.getOrder());
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
  auto permutable = dyn_cast<PermutableOpInterface>(op);
  std::optional<DimSpace> space;
  if (permutable)
    space = permutable.getDimSpace();
  if (!space) {
    for (Value value : op.getOperands())
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
    const Member &member = getOrAddMember(value);
    classes[member.classId].uses.push_back({id, static_cast<unsigned>(i)});
  }
  Node node{permutable, std::move(*space), {}};
  for (auto &permutation : node.permutation)
    llvm::append_range(permutation, llvm::seq<int64_t>(0, node.space.rank));
  nodes.push_back(std::move(node));
  nodeOf[&op] = id;
  addClass(op.getResult(0), id);
}

const LayoutGraph::Member *LayoutGraph::findMember(Value value) const {
  auto member = members.find(value);
  return member == members.end() ? nullptr : &member->second;
}

const LayoutGraph::Node *LayoutGraph::findNode(Operation *op) const {
  auto node = nodeOf.find(op);
  return node == nodeOf.end() ? nullptr : &nodes[node->second];
}

const LayoutGraph::Member &LayoutGraph::getSlot(const Node &node,
                                                int operand) const {
  return *findMember(operand < 0 ? node.op->getResult(0)
                                 : node.op->getOperand(operand));
}

LayoutGraph::Order LayoutGraph::getOrder(const Node &node, int operand,
                                         unsigned side) const {
  const Member &member = getSlot(node, operand);
  Order order;
  for (int64_t d : node.permutation[side])
    order.append(member.getOrder(node.space.getMap(operand)[d]));
  return order;
}

LayoutGraph::Order LayoutGraph::getProduced(const Class &c,
                                            unsigned side) const {
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

/// The dimensions whose axes, one after the other, are `order`, given the axes
/// of each.
static std::optional<SmallVector<int64_t, 4>>
findDims(ArrayRef<LayoutGraph::Order> axes, const LayoutGraph::Order &order) {
  SmallVector<int64_t, 4> dims;
  for (ArrayRef<int64_t> rest = order; !rest.empty();) {
    // The dimension that begins with this axis, whole.
    const auto *found = llvm::find_if(axes, [&](ArrayRef<int64_t> own) {
      return !own.empty() && own.front() == rest.front();
    });
    if (found == axes.end() ||
        rest.take_front(found->size()) != ArrayRef(*found))
      return std::nullopt;
    dims.push_back(found - axes.begin());
    rest = rest.drop_front(found->size());
  }
  return dims;
}

/// Adds the dimensions that a permutation lacks, each beside its neighbour: the
/// leading ones in front, the trailing ones behind, others before the next.
static void addOthers(SmallVectorImpl<int64_t> &permutation, int64_t rank) {
  auto isMissing = [&](int64_t d) {
    return !llvm::is_contained(permutation, d);
  };
  int64_t leading = 0;
  for (int64_t d = 0; d < rank; ++d) {
    if (!isMissing(d))
      continue;
    int64_t next = d + 1;
    while (next < rank && isMissing(next))
      ++next;
    auto *at = permutation.begin() + leading;
    if (leading == d)
      ++leading;
    else if (next < rank)
      at = llvm::find(permutation, next);
    else
      at = std::next(llvm::find(permutation, d - 1));
    permutation.insert(at, d);
  }
}

/// True if a dimension of the op's is an axis of an operand or the result.
bool LayoutGraph::hasAxes(const Node &node, int64_t dim) const {
  int numOperands = node.space.operands.size();
  return llvm::any_of(llvm::seq(-1, numOperands), [&](int operand) {
    const DimMap &map = node.space.getMap(operand);
    return !map.empty() && !getSlot(node, operand).getOrder(map[dim]).empty();
  });
}

/// The order of the op's dimensions that gives an operand's axes `order`. Those
/// that the operand lacks must be ones everywhere.
std::optional<SmallVector<int64_t, 4>>
LayoutGraph::getPermutation(const Node &node, int operand,
                            const Order &order) const {
  const Member &member = getSlot(node, operand);
  auto permutation =
      findDims(llvm::map_to_vector(node.space.getMap(operand),
                                   [&](ArrayRef<int64_t> dims) {
                                     return member.getOrder(dims);
                                   }),
               order);
  if (!permutation)
    return std::nullopt;
  int64_t rank = node.space.rank;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(*permutation, dim) && hasAxes(node, dim))
      return std::nullopt;
  addOthers(*permutation, rank);
  return permutation;
}

/// Asks for what the node reads and gives as its own order number `from` has
/// it.
void LayoutGraph::spread(const Node &node, unsigned from, unsigned side) {
  for (int slot = -1; slot < static_cast<int>(node.space.operands.size());
       ++slot)
    if (slot < 0 || !node.space.operands[slot].empty())
      addOrder(getSlot(node, slot).classId, getOrder(node, slot, from), side);
}

/// Gives a node a second order, in which a class has `order`.
bool LayoutGraph::assign(unsigned id, int operand, const Order &order,
                         unsigned side) {
  Node &node = nodes[id];
  auto permutation = getPermutation(node, operand, order);
  if (!permutation || !node.op.canPermute(*permutation))
    return false;
  node.flexible = true;
  node.side = node.chosen = 1 - side;
  node.permutation[side] = *permutation;
  for (unsigned s : {0, 1})
    spread(node, s, s);
  return true;
}

/// Gives the ops at the classes of the worklist the orders that these are asked
/// for; with `through`, ops that have an order already pass it on.
void LayoutGraph::followOrders(bool through) {
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
      for (const auto &[order, side] : orders) {
        if (order == own) {
          if (through)
            spread(nodes[node], 0, side);
        } else if (assign(node, operand, order, side))
          break;
      }
    }
  }
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
  // First through ops that have another order, since these can follow either
  // way; what that does not reach is asked through ops that have this one.
  followOrders(/*through=*/false);
  followOrders(/*through=*/true);
}
