//===- LoopBuilder.cpp - Emitting loops over elements --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopBuilder.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace brisk;

//===----------------------------------------------------------------------===//
// Elements of tensors
//===----------------------------------------------------------------------===//

Value LoopBuilder::loadBounded(const Buffer &buffer, ValueRange at,
                               int64_t wrap, int64_t low, int64_t high) {
  return boundIndex(*this, loadStored(buffer, at), wrap, low, high);
}

Value LoopBuilder::loadStored(const Buffer &buffer, ValueRange at) {
  Value memref = buffer.memref;
  if (!memref) {
    if (ElementsAttr one = getSplatElement(buffer.constant)) {
      Type element = one.getElementType();
      if (!element.isInteger(1))
        return splat(one);
      return constantBits(getI8Type(), APInt(8, getAsInts(one).front()));
    }
    memref = table(buffer.constant);
  }
  return memref::LoadOp::create(*this, memref, at);
}

Value LoopBuilder::load(const Buffer &buffer, ValueRange at) {
  if (buffer.compute)
    return buffer.compute(*this, at);
  if (!buffer.memref && getSplatElement(buffer.constant))
    return splat(buffer.constant);
  Value value = loadStored(buffer, at);
  if (!buffer.getElement().isInteger(1))
    return value;
  Value zero = arith::ConstantOp::create(*this, getZeroAttr(value.getType()));
  return compare(arith::CmpIPredicate::ne, value, zero);
}

Value LoopBuilder::splat(ElementsAttr constant) {
  Type type = constant.getElementType();
  constant = getSplatElement(constant);
  if (isa<FloatType>(type))
    return this->constant(type, getAsDoubles(constant).front());
  return constantBits(type, APInt(type.getIntOrFloatBitWidth(),
                                  getAsInts(constant).front(),
                                  /*isSigned=*/true, /*implicitTrunc=*/true));
}

void LoopBuilder::store(Value value, const Buffer &buffer, ValueRange at) {
  if (buffer.getElement().isInteger(1))
    value = arith::ExtUIOp::create(*this, getI8Type(), value);
  memref::StoreOp::create(*this, value, buffer.memref, at);
}

Value LoopBuilder::loadScalar(const Buffer &buffer) {
  return load(buffer, Values(buffer.getRank(), index(0)));
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

Values LoopBuilder::loop(Value begin, Value end, ValueRange carried,
                         function_ref<Values(Value, ValueRange)> body,
                         int64_t step) {
  auto loop = scf::ForOp::create(*this, begin, end, index(step), carried);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(*this, next);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

void LoopBuilder::loop(Value begin, Value end, function_ref<void(Value)> body) {
  loop(begin, end, {}, [&](Value i, ValueRange) {
    body(i);
    return Values();
  });
}

/// Loops over the dimensions of `shape` that `at` does not have yet.
static void nestFrom(LoopBuilder &b, ArrayRef<int64_t> shape, Values &at,
                     function_ref<void(ValueRange)> body) {
  if (at.size() == shape.size())
    return body(at);
  int64_t dim = shape[at.size()];
  auto inner = [&](Value i) {
    at.push_back(i);
    nestFrom(b, shape, at, body);
    at.pop_back();
  };
  if (dim == 1)
    inner(b.index(0));
  else
    b.loop(b.index(0), b.index(dim), inner);
}

void LoopBuilder::nest(ArrayRef<int64_t> shape,
                       function_ref<void(ValueRange)> body) {
  Values at;
  if (!llvm::is_contained(shape, 0))
    nestFrom(*this, shape, at, body);
}

/// Leading dimensions that tasks are made of: enough for all cores, but as a
/// rule not the innermost one, which is for vectors.
static size_t countTaskDims(ArrayRef<int64_t> shape) {
  constexpr int64_t enough = 64;
  if (shape.empty())
    return 0;
  int64_t tasks = 1;
  for (size_t dims = 0; dims < shape.size() - 1; ++dims) {
    if (tasks >= enough)
      return dims;
    tasks *= shape[dims];
  }
  return tasks > 1 ? shape.size() - 1 : shape.size();
}

int64_t brisk::countTasks(ArrayRef<int64_t> shape) {
  int64_t tasks = 1;
  for (int64_t dim : shape.take_front(countTaskDims(shape)))
    tasks *= dim;
  return std::max<int64_t>(tasks, 1);
}

void LoopBuilder::taskNest(ArrayRef<int64_t> shape, Value task,
                           function_ref<void(ValueRange)> body) {
  if (llvm::is_contained(shape, 0))
    return;
  size_t dims = countTaskDims(shape);
  Values at(dims);
  for (size_t i = dims; i-- > 0;) {
    bool outermost =
        llvm::all_of(shape.take_front(i), [](int64_t dim) { return dim == 1; });
    if (shape[i] == 1) {
      at[i] = index(0);
    } else if (outermost) {
      at[i] = task;
      task = index(0);
    } else {
      at[i] = arith::RemUIOp::create(*this, task, index(shape[i]));
      task = arith::DivUIOp::create(*this, task, index(shape[i]));
    }
  }
  nestFrom(*this, shape, at, body);
}

void LoopBuilder::ifThen(Value condition, function_ref<void()> then) {
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  then();
}

Values LoopBuilder::ifElse(Value condition, TypeRange types,
                           function_ref<Values()> then,
                           function_ref<Values()> otherwise) {
  auto branch =
      scf::IfOp::create(*this, types, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(*this, then());
  setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(*this, otherwise());
  return llvm::to_vector(ValueRange(branch.getResults()));
}

Values LoopBuilder::nest(ArrayRef<Span> spans, ValueRange carried,
                         function_ref<Values(ValueRange, ValueRange)> body) {
  Values at;
  auto run = [&](auto &&self, ValueRange values) -> Values {
    if (at.size() == spans.size())
      return body(at, values);
    const Span &span = spans[at.size()];
    Value begin = span.begin ? span.begin : index(0);
    Value end = span.end ? span.end : addIndex(begin, span.size);
    return loop(begin, end, values, [&](Value i, ValueRange next) {
      at.push_back(i);
      Values results = self(self, next);
      at.pop_back();
      return results;
    });
  };
  return run(run, carried);
}

namespace {
/// LoopBuilder::reduce, one dimension after the other.
class Reducer {
public:
  Reducer(LoopBuilder &b, ArrayRef<Span> spans, Value neutral,
          function_ref<Value(Value, Value)> combine,
          function_ref<Value(ValueRange)> term)
      : b(b), spans(spans), neutral(neutral), combine(combine), term(term) {}

  Value run() {
    if (at.size() == spans.size())
      return term(at);
    const Span &span = spans[at.size()];
    if (span.size == 0)
      return neutral;
    Value begin = span.begin ? span.begin : b.index(0);
    if (span.size == 1)
      return step(begin);
    bool innermost = at.size() + 1 == spans.size();
    if (span.size < 4 * lanes || !innermost) {
      Value end = span.end ? span.end : b.addIndex(begin, span.size);
      return sequence(begin, end);
    }
    // Blocks of lanes, each lane its own sum; then what is left.
    int64_t whole = span.size / lanes * lanes;
    Value total;
    if (span.size > 2 * block) {
      int64_t blocks = whole / block;
      Values sum = b.loop(
          begin, b.addIndex(begin, blocks * block), {neutral},
          [&](Value i, ValueRange carried) {
            return Values{
                combine(carried[0], inLanes(i, b.addIndex(i, block)))};
          },
          block);
      total = sum[0];
      if (blocks * block < whole)
        total = combine(total, inLanes(b.addIndex(begin, blocks * block),
                                       b.addIndex(begin, whole)));
    } else {
      total = inLanes(begin, b.addIndex(begin, whole));
    }
    if (whole == span.size)
      return total;
    return combine(total, sequence(b.addIndex(begin, whole),
                                   b.addIndex(begin, span.size)));
  }

private:
  Value step(Value i) {
    at.push_back(i);
    Value value = run();
    at.pop_back();
    return value;
  }

  Value sequence(Value begin, Value end) {
    return b.loop(begin, end, {neutral}, [&](Value i, ValueRange carried) {
      return Values{combine(carried[0], step(i))};
    })[0];
  }

  Value inLanes(Value begin, Value end) {
    Values sums = b.loop(
        begin, end, Values(lanes, neutral),
        [&](Value i, ValueRange carried) {
          Values next;
          for (int64_t lane = 0; lane < lanes; ++lane)
            next.push_back(combine(carried[lane], step(b.addIndex(i, lane))));
          return next;
        },
        lanes);
    for (int64_t width = lanes / 2; width > 0; width /= 2)
      for (int64_t lane = 0; lane < width; ++lane)
        sums[lane] = combine(sums[lane], sums[lane + width]);
    return sums[0];
  }

  static constexpr int64_t lanes = 8, block = 512;
  LoopBuilder &b;
  ArrayRef<Span> spans;
  Value neutral;
  function_ref<Value(Value, Value)> combine;
  function_ref<Value(ValueRange)> term;
  Values at;
};
} // namespace

Value LoopBuilder::reduce(ArrayRef<Span> spans, Value neutral,
                          function_ref<Value(Value, Value)> combine,
                          function_ref<Value(ValueRange)> term) {
  return Reducer(*this, spans, neutral, combine, term).run();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value LoopBuilder::table(ArrayRef<double> values, Type element) {
  auto type = RankedTensorType::get(values.size(), element);
  if (element.isF64())
    return table(makeElements(type, values));
  std::vector<float> rounded(values.begin(), values.end());
  return table(makeElements(type, ArrayRef<float>(rounded)));
}

Value LoopBuilder::table(ArrayRef<int32_t> values) {
  auto type = RankedTensorType::get(values.size(), getI32Type());
  return table(makeElements(type, values));
}

Value LoopBuilder::table(ElementsAttr values) {
  // As it lies in memory: signless, booleans as bytes.
  Type element = getValueType(values.getElementType());
  if (element.isInteger(1))
    element = getI8Type();
  ArrayRef<int64_t> shape = values.getShapedType().getShape();
  ElementBytes bytes(values);
  auto stored = DenseElementsAttr::getFromRawBuffer(
      RankedTensorType::get(shape, element), bytes.bytes());
  auto module = getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto type = MemRefType::get(shape, element);
  // One table serves all that need the same.
  StringRef name;
  unsigned count = 0;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    ++count;
    if (global.getInitialValueAttr() == stored)
      name = global.getSymName();
  }
  if (name.empty()) {
    OpBuilder::InsertionGuard guard(*this);
    setInsertionPointToStart(module.getBody());
    std::string fresh;
    do
      fresh = ("table_" + Twine(count++)).str();
    while (SymbolTable::lookupSymbolIn(module, fresh));
    auto global = memref::GlobalOp::create(
        *this, fresh, getStringAttr("private"), type, stored,
        /*constant=*/true, /*alignment=*/IntegerAttr());
    name = global.getSymName();
  }
  return memref::GetGlobalOp::create(*this, type, name);
}
