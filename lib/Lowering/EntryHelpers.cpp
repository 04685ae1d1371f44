//===- EntryHelpers.cpp - What a model's function calls -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CBuilder.h"
#include "Entry.h"

using namespace mlir;
using namespace brisk;
using LLVM::ICmpPredicate;

/// void dispatch(hooks, task, args, count, worth): runs all of a kernel's
/// tasks, which are worth so many workers.
static void addDispatch(CBuilder &b, const ModelSymbols &symbols) {
  auto function = b.function(symbols.dispatch(),
                             {b.pointer, b.pointer, b.pointer, b.i64, b.i32});
  function.setNoInline(true);
  Value hooks = function.getArgument(0), task = function.getArgument(1);
  Value args = function.getArgument(2), count = function.getArgument(3);
  Value work = b.room(b.getStruct<brisk_work>());
  Value several = b.compare(ICmpPredicate::sgt, count, b.number(b.i64, 1));
  b.when(LLVM::AndOp::create(b, b.isSet(hooks), several), [&] {
    Value parallelFor = b.get(hooks, &brisk_hooks::parallel_for);
    Value shared =
        b.compare(ICmpPredicate::ugt, b.get(hooks, &brisk_hooks::workers),
                  b.number(b.i32, 1));
    b.when(LLVM::AndOp::create(b, b.isSet(parallelFor), shared), [&] {
      Value context = b.get(hooks, &brisk_hooks::context);
      b.callThrough(parallelFor,
                    {context, task, args, count, function.getArgument(4)});
      b.ret();
    });
  });
  b.set(work, &brisk_work::begin, b.number(b.i64, 0));
  b.set(work, &brisk_work::end, count);
  b.set(work, &brisk_work::worker, b.number(b.i32, 0));
  b.callThrough(task, {args, work});
  b.ret();
}

/// bool lacks(array, begin, end): whether one of the pointers is null. A loop,
/// since a model may have thousands of inputs and outputs.
static void addLacks(CBuilder &b, const ModelSymbols &symbols) {
  auto arguments =
      b.function(symbols.lacks(), {b.pointer, b.i64, b.i64}, b.getI1Type())
          .getArguments();
  Value array = arguments[0], end = arguments[2];
  Region &body = *b.getInsertionBlock()->getParent();
  Block *entry = b.getInsertionBlock();
  Block *next = b.createBlock(&body, body.end(), {b.i64}, {b.getLoc()});
  b.setInsertionPointToEnd(entry);
  LLVM::BrOp::create(b, ValueRange(arguments[1]), next);
  b.setInsertionPointToEnd(next);
  Value i = next->getArgument(0);
  b.when(b.compare(ICmpPredicate::sge, i, end),
         [&] { b.ret(b.number(b.getI1Type(), 0)); });
  b.when(b.isNull(b.load(b.pointer, b.at(b.pointer, array, i))),
         [&] { b.ret(b.number(b.getI1Type(), 1)); });
  Value following = LLVM::AddOp::create(b, i, b.number(b.i64, 1));
  LLVM::BrOp::create(b, ValueRange(following), next);
}

/// brisk_trace *trace(hooks): the trace where there is a clock for it, or null.
static void addTrace(CBuilder &b, const ModelSymbols &symbols) {
  Value hooks =
      b.function(symbols.trace(), b.pointer, b.pointer).getArgument(0);
  b.when(b.isNull(hooks), [&] { b.ret(b.null()); });
  Value timed = b.isSet(b.get(hooks, &brisk_hooks::clock));
  Value trace = b.get(hooks, &brisk_hooks::trace);
  b.ret(Value(LLVM::SelectOp::create(b, timed, trace, b.null())));
}

/// uint64_t clock(hooks): what the clock says; 0 where nothing is traced.
static void addClock(CBuilder &b, const ModelSymbols &symbols) {
  auto function = b.function(symbols.clock(), b.pointer, b.i64);
  function.setNoInline(true);
  Value hooks = function.getArgument(0);
  Value trace = b.call(symbols.trace(), hooks, b.pointer);
  b.when(b.isNull(trace), [&] { b.ret(b.number(b.i64, 0)); });
  Value context = b.get(hooks, &brisk_hooks::context);
  b.ret(b.callThrough(b.get(hooks, &brisk_hooks::clock), context, b.i64));
}

/// void record(hooks, op, start): appends a record that ends now, or counts it
/// where there is no room.
static void addRecord(CBuilder &b, const ModelSymbols &symbols) {
  auto function = b.function(symbols.record(), {b.pointer, b.i32, b.i64});
  function.setNoInline(true);
  Value hooks = function.getArgument(0);
  Value trace = b.call(symbols.trace(), hooks, b.pointer);
  b.when(b.isNull(trace), [&] { b.ret(); });
  Value end = b.call(symbols.clock(), hooks, b.i64);
  Value count = b.get(trace, &brisk_trace::count);
  Value capacity = b.get(trace, &brisk_trace::capacity);
  b.when(b.compare(ICmpPredicate::uge, count, capacity), [&] {
    Value dropped = b.get(trace, &brisk_trace::dropped);
    b.set(trace, &brisk_trace::dropped,
          LLVM::AddOp::create(b, dropped, b.number(b.i64, 1)));
    b.ret();
  });
  Value index = LLVM::ZExtOp::create(b, b.i64, count);
  Value record = b.at(b.getStruct<brisk_record>(),
                      b.get(trace, &brisk_trace::records), index);
  b.set(record, &brisk_record::op, function.getArgument(1));
  b.set(record, &brisk_record::reserved, b.number(b.i32, 0));
  b.set(record, &brisk_record::start, function.getArgument(2));
  b.set(record, &brisk_record::end, end);
  b.set(trace, &brisk_trace::count,
        LLVM::AddOp::create(b, count, b.number(b.i32, 1)));
  b.ret();
}

void ModelEntry::addHelpers(CBuilder &b, bool profile) {
  addDispatch(b, symbols);
  addLacks(b, symbols);
  if (!profile)
    return;
  addTrace(b, symbols);
  addClock(b, symbols);
  addRecord(b, symbols);
}
