//===- Epilogue.cpp - The elementwise ops of a group ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/KernelBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;

Epilogue::Epilogue(GroupOp group, Operation *anchor, ValueRange ins,
                   ValueRange outs)
    : group(group), anchor(anchor), ins(ins), outs(outs) {}

namespace {
/// A place in a tensor seen as rows by columns.
struct Place {
  ArrayRef<int64_t> shape;
  Value row, column;
  int64_t lanes;
  Value mask;
};
} // namespace

/// Loads a group input of `shape`, broadcast to `place`.
static Value loadInput(KernelBuilder &b, ArrayRef<int64_t> shape, Type element,
                       Value memref, const Place &place) {
  bool columnIsBroadcast =
      shape.empty() ||
      (shape.back() == 1 && !place.shape.empty() && place.shape.back() != 1);
  int64_t lanes = columnIsBroadcast ? 0 : place.lanes;
  Value mask = columnIsBroadcast ? Value() : place.mask;
  Value zero = b.index(0);
  Value column = columnIsBroadcast ? zero : place.column;

  ArrayRef<int64_t> leading = shape.drop_back(shape.empty() ? 0 : 1);
  ArrayRef<int64_t> rows = place.shape.drop_back(place.shape.empty() ? 0 : 1);
  // Ignore the unit dimensions in front that broadcasting would add.
  ArrayRef<int64_t> rowsHere = rows.take_back(leading.size());
  int64_t skipped = 1;
  for (int64_t dim : rows.drop_back(rowsHere.size()))
    skipped *= dim;

  SmallVector<Value> indices;
  Value buffer = memref;
  if (llvm::all_of(leading, [](int64_t dim) { return dim == 1; })) {
    indices.assign(leading.size(), zero);
  } else if (Value collapsed = leading == rowsHere && skipped == 1
                                   ? collapseRows(b, memref)
                                   : Value()) {
    buffer = collapsed;
    indices.push_back(place.row);
  } else {
    SmallVector<Value> all = delinearize(b, place.row, rows);
    for (auto [dim, index] :
         llvm::zip_equal(leading, ArrayRef(all).take_back(leading.size())))
      indices.push_back(dim == 1 ? zero : index);
  }
  if (!shape.empty())
    indices.push_back(column);
  else if (buffer != memref)
    indices.push_back(zero);
  Value value = b.load(element, buffer, indices, lanes, mask);
  if (place.lanes && !isa<VectorType>(value.getType()))
    value = b.broadcast(value, VectorType::get(place.lanes, value.getType()));
  return value;
}

/// Cycles an element, where `lanes` are computed at once.
static double getLookupCycles(const Isa &isa, int64_t lanes) {
  // Both halves and the choice between them, with copies of what they
  // overwrite.
  constexpr double inRegisters = 6;
  if (lanes > 1 && !isa.byteLookup.empty())
    return inRegisters / (static_cast<double>(lanes) * isa.operationsPerCycle);
  if (lanes > 1 && isa.gathers)
    return 1 / isa.loadsPerCycle;
  // Out of a vector and into one, and what makes it a place.
  double operations = lanes > 1 ? 3 : 1;
  return operations / isa.operationsPerCycle + 1 / isa.loadsPerCycle;
}

const ByteTable *Epilogue::findTable(const Isa &isa, Value value) {
  auto [it, isNew] = tables.try_emplace(value);
  if (!isNew)
    return it->second.get();
  std::optional<ByteTable> table = findByteTable(value);
  if (!table)
    return nullptr;
  // What machines round in different ways is the same in a table everywhere.
  Type f32 = Float32Type::get(value.getContext());
  if (table->isExact && table->flops / isa.getElementsPerCycle(f32) <=
                            getLookupCycles(isa, isa.getLanes(f32)))
    return nullptr;
  it->second = std::make_shared<const ByteTable>(*table);
  return it->second.get();
}

Value Epilogue::evaluateAt(KernelBuilder &b, Value value,
                           ArrayRef<int64_t> shape, Value row, Value column,
                           int64_t lanes, Value mask,
                           DenseMap<Value, Value> &done) {
  if (Value known = done.lookup(value))
    return known;
  Value result;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    result = loadInput(
        b, getShape(value), getElementTypeOrSelf(value.getType()),
        ins[argument.getArgNumber()], {shape, row, column, lanes, mask});
  } else if (auto constant = value.getDefiningOp<ConstantOp>()) {
    result = b.splat(constant.getValue(), lanes);
  } else if (const ByteTable *table = findTable(b.isa, value)) {
    Value bytes =
        evaluateAt(b, table->input, shape, row, column, lanes, mask, done);
    result = b.lookUp(table->entries, bytes);
  } else {
    auto op = cast<ElementwiseOpInterface>(value.getDefiningOp());
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          evaluateAt(b, operand, shape, row, column, lanes, mask, done));
    result = op.buildElement(b, b.getLoc(), operands);
  }
  done[value] = result;
  return result;
}

ArrayRef<int64_t> Epilogue::getShape(Value value) const {
  auto type = cast<RankedTensorType>(value.getType());
  return merged.empty() || type.getNumElements() == 1 ? type.getShape()
                                                      : ArrayRef(merged);
}

bool Epilogue::mergeColumns(KernelBuilder &b) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(anchor->getResult(0).getType()).getShape();
  int64_t rank = shape.size();
  if (rank < 2)
    return false;
  // The buffers by what they hold; the anchor's own operands are not looked at.
  SmallVector<Value *> buffers;
  auto add = [&](Value value, Value &buffer) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getNumElements() == 1)
      return true;
    SmallVector<int64_t> strides;
    int64_t offset;
    auto memref = cast<MemRefType>(buffer.getType());
    if (type.getShape() != shape ||
        failed(memref.getStridesAndOffset(strides, offset)) ||
        strides[rank - 2] != shape[rank - 1])
      return false;
    buffers.push_back(&buffer);
    return true;
  };
  for (BlockArgument argument : group.getBlock()->getArguments()) {
    bool read = llvm::any_of(argument.getUsers(), [](Operation *user) {
      return isa<ElementwiseOpInterface>(user);
    });
    if (read && !add(argument, ins[argument.getArgNumber()]))
      return false;
  }
  for (auto [yielded, out] : llvm::zip_equal(group.getYielded(), outs))
    if (!add(yielded, out))
      return false;
  SmallVector<ReassociationIndices> dims;
  for (int64_t d = 0; d < rank - 1; ++d)
    dims.push_back({d});
  dims.back().push_back(rank - 1);
  for (Value *buffer : buffers)
    *buffer = memref::CollapseShapeOp::create(b, *buffer, dims);
  merged.assign(shape.begin(), shape.end() - 1);
  merged.back() *= shape.back();
  return true;
}

Value Epilogue::evaluate(KernelBuilder &b, Value operand,
                         ArrayRef<int64_t> shape, Value row, Value column,
                         int64_t lanes, Value mask) {
  DenseMap<Value, Value> done;
  return evaluateAt(b, operand, shape, row, column, lanes, mask, done);
}

Value Epilogue::evaluateFrom(KernelBuilder &b, Value operand, Value from,
                             Value value) {
  DenseMap<Value, Value> done = {{from, value}};
  auto type = dyn_cast<VectorType>(value.getType());
  Value zero = b.index(0);
  return evaluateAt(b, operand, getShape(operand), zero, zero,
                    type ? type.getNumElements() : 0, /*mask=*/{}, done);
}

void Epilogue::emit(KernelBuilder &b, Value value, Value row, Value column,
                    int64_t lanes, Value mask) {
  DenseMap<Value, Value> done;
  if (anchor)
    done[anchor->getResult(0)] = value;
  // All results before the first store: one may take an input's place.
  SmallVector<Value> results;
  for (Value yielded : group.getYielded())
    results.push_back(evaluateAt(b, yielded, getShape(yielded), row, column,
                                 lanes, mask, done));
  for (auto [yielded, result, out] :
       llvm::zip_equal(group.getYielded(), results, outs)) {
    auto type = cast<RankedTensorType>(yielded.getType());
    ArrayRef<int64_t> shape = getShape(yielded);
    if (shape.empty()) {
      Value scalar = result;
      if (isa<VectorType>(scalar.getType()))
        scalar = vector::ExtractOp::create(b, scalar, ArrayRef<int64_t>{0});
      b.store(type.getElementType(), scalar, out, {});
      continue;
    }
    if (Value collapsed = collapseRows(b, out)) {
      b.store(type.getElementType(), result, collapsed, {row, column}, mask);
      continue;
    }
    SmallVector<Value> indices = delinearize(b, row, shape.drop_back());
    indices.push_back(column);
    b.store(type.getElementType(), result, out, indices, mask);
  }
}
