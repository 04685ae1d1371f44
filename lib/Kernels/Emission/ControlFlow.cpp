//===- ControlFlow.cpp - Loops and branches of kernels --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/KernelBuilder.h"

using namespace mlir;
using namespace brisk;

Values KernelBuilder::loop(Value begin, Value end, int64_t step,
                           ValueRange carried, LoopBody body) {
  auto loop = scf::ForOp::create(*this, begin, end, index(step), carried);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(*this, next);
  return llvm::to_vector(ValueRange(loop.getResults()));
}

void KernelBuilder::loop(Value begin, Value end, int64_t step,
                         function_ref<void(Value)> body) {
  loop(begin, end, step, {}, [&](Value i, ValueRange) {
    body(i);
    return Values();
  });
}

void KernelBuilder::nest(ArrayRef<int64_t> shape,
                         function_ref<void(ValueRange)> body, Values at) {
  if (llvm::is_contained(shape, 0))
    return;
  auto run = [&](auto &&self) -> void {
    if (at.size() == shape.size())
      return body(at);
    int64_t dim = shape[at.size()];
    auto inner = [&](Value i) {
      at.push_back(i);
      self(self);
      at.pop_back();
    };
    if (dim == 1)
      inner(index(0));
    else
      loop(index(0), index(dim), inner);
  };
  run(run);
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

void KernelBuilder::taskNest(ArrayRef<int64_t> shape, Value task,
                             function_ref<void(ValueRange)> body) {
  if (!llvm::is_contained(shape, 0))
    nest(shape, body,
         delinearize(*this, task, shape.take_front(countTaskDims(shape))));
}

void KernelBuilder::ifThen(Value condition, function_ref<void()> then) {
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  then();
}

Values KernelBuilder::ifElse(Value condition, TypeRange types,
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

void KernelBuilder::ifElse(Value condition, function_ref<void()> then,
                           function_ref<void()> otherwise) {
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  then();
  setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

Values KernelBuilder::nest(ArrayRef<Span> spans, ValueRange carried,
                           function_ref<Values(ValueRange, ValueRange)> body) {
  Values at;
  auto run = [&](auto &&self, ValueRange values) -> Values {
    if (at.size() == spans.size())
      return body(at, values);
    const Span &span = spans[at.size()];
    Value begin = span.begin ? span.begin : index(0);
    Value end = span.end ? span.end : add(begin, span.size);
    return loop(begin, end, values, [&](Value i, ValueRange next) {
      at.push_back(i);
      Values results = self(self, next);
      at.pop_back();
      return results;
    });
  };
  return run(run, carried);
}

Value KernelBuilder::combine(ReduceKind kind, Type element, Value a, Value b) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return add(a, b);
  case ReduceKind::Prod:
    return mul(a, b);
  case ReduceKind::Max:
    return max(element, a, b);
  case ReduceKind::Min:
    return min(element, a, b);
  }
  llvm_unreachable("unknown reduction");
}

Value KernelBuilder::identity(ReduceKind kind, Type type) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return zero(type);
  case ReduceKind::Prod:
    return constant(type, 1);
  case ReduceKind::Max:
    return least(type);
  case ReduceKind::Min:
    return greatest(type);
  }
  llvm_unreachable("unknown reduction");
}

namespace {
/// KernelBuilder::reduce, one dimension after the other.
class Reducer {
public:
  Reducer(KernelBuilder &b, ArrayRef<Span> spans, Value neutral,
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
      Value end = span.end ? span.end : b.add(begin, span.size);
      return sequence(begin, end);
    }
    // Blocks of lanes, each lane its own sum; then what is left.
    int64_t whole = span.size / lanes * lanes;
    Value total;
    if (span.size > 2 * block) {
      int64_t blocks = whole / block;
      Values sum = b.loop(
          begin, b.add(begin, blocks * block), block, {neutral},
          [&](Value i, ValueRange carried) {
            return Values{combine(carried[0], inLanes(i, b.add(i, block)))};
          });
      total = sum[0];
      if (blocks * block < whole)
        total = combine(
            total, inLanes(b.add(begin, blocks * block), b.add(begin, whole)));
    } else {
      total = inLanes(begin, b.add(begin, whole));
    }
    if (whole == span.size)
      return total;
    return combine(total,
                   sequence(b.add(begin, whole), b.add(begin, span.size)));
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
    Values sums =
        b.loop(begin, end, lanes, Values(lanes, neutral),
               [&](Value i, ValueRange carried) {
                 Values next;
                 for (int64_t lane = 0; lane < lanes; ++lane)
                   next.push_back(combine(carried[lane], step(b.add(i, lane))));
                 return next;
               });
    for (int64_t width = lanes / 2; width > 0; width /= 2)
      for (int64_t lane = 0; lane < width; ++lane)
        sums[lane] = combine(sums[lane], sums[lane + width]);
    return sums[0];
  }

  static constexpr int64_t lanes = 8, block = 512;
  KernelBuilder &b;
  ArrayRef<Span> spans;
  Value neutral;
  function_ref<Value(Value, Value)> combine;
  function_ref<Value(ValueRange)> term;
  Values at;
};
} // namespace

Value KernelBuilder::reduce(ArrayRef<Span> spans, Value neutral,
                            function_ref<Value(Value, Value)> combine,
                            function_ref<Value(ValueRange)> term) {
  return Reducer(*this, spans, neutral, combine, term).run();
}
