//===- EntryHelpers.cpp - What a model's function calls -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace brisk;

// brisk_hooks is {context, clock, parallel_for, trace}; brisk_trace is
// {records, capacity, count, dropped}; brisk_record is {op, reserved, start,
// end}.
static constexpr llvm::StringLiteral dispatchSource = R"mlir(
llvm.func internal @NAME_dispatch(%hooks: !llvm.ptr, %task: !llvm.ptr,
                                  %args: !llvm.ptr, %count: i64)
    attributes {passthrough = ["noinline"]} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %given = llvm.icmp "ne" %hooks, %null : !llvm.ptr
  %several = llvm.icmp "sgt" %count, %one : i64
  %look = llvm.and %given, %several : i1
  llvm.cond_br %look, ^look, ^serial
^look:
  %slot = llvm.getelementptr inbounds %hooks[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, ptr, ptr)>
  %for = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %set = llvm.icmp "ne" %for, %null : !llvm.ptr
  llvm.cond_br %set, ^parallel, ^serial
^parallel:
  %context = llvm.load %hooks : !llvm.ptr -> !llvm.ptr
  llvm.call %for(%context, %task, %args, %count) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
^serial:
  llvm.call %task(%args, %zero, %count) : !llvm.ptr, (!llvm.ptr, i64, i64) -> ()
  llvm.return
}
)mlir";

// NAME_lacks is true if one of the pointers [begin, end) of an array is null: a
// loop, since a model may have thousands of inputs and outputs.
static constexpr llvm::StringLiteral checkSource = R"mlir(
llvm.func internal @NAME_lacks(%array: !llvm.ptr, %begin: i64, %end: i64) -> i1 {
  %one = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %yes = llvm.mlir.constant(true) : i1
  %no = llvm.mlir.constant(false) : i1
  llvm.br ^next(%begin : i64)
^next(%i: i64):
  %more = llvm.icmp "slt" %i, %end : i64
  llvm.cond_br %more, ^look, ^out(%no : i1)
^look:
  %slot = llvm.getelementptr %array[%i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
  %pointer = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %isNull = llvm.icmp "eq" %pointer, %null : !llvm.ptr
  %following = llvm.add %i, %one : i64
  llvm.cond_br %isNull, ^out(%yes : i1), ^next(%following : i64)
^out(%result: i1):
  llvm.return %result : i1
}
)mlir";

// NAME_trace is the trace where there is a clock for it, else null.
static constexpr llvm::StringLiteral profileSource = R"mlir(
llvm.func internal @NAME_trace(%hooks: !llvm.ptr) -> !llvm.ptr {
  %null = llvm.mlir.zero : !llvm.ptr
  %given = llvm.icmp "ne" %hooks, %null : !llvm.ptr
  llvm.cond_br %given, ^look, ^none
^look:
  %traceSlot = llvm.getelementptr inbounds %hooks[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, ptr, ptr)>
  %trace = llvm.load %traceSlot : !llvm.ptr -> !llvm.ptr
  %clockSlot = llvm.getelementptr inbounds %hooks[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, ptr, ptr)>
  %clock = llvm.load %clockSlot : !llvm.ptr -> !llvm.ptr
  %set = llvm.icmp "ne" %clock, %null : !llvm.ptr
  %timed = llvm.select %set, %trace, %null : i1, !llvm.ptr
  llvm.return %timed : !llvm.ptr
^none:
  llvm.return %null : !llvm.ptr
}

llvm.func internal @NAME_clock(%hooks: !llvm.ptr) -> i64
    attributes {passthrough = ["noinline"]} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %trace = llvm.call @NAME_trace(%hooks) : (!llvm.ptr) -> !llvm.ptr
  %traced = llvm.icmp "ne" %trace, %null : !llvm.ptr
  llvm.cond_br %traced, ^read, ^none
^read:
  %context = llvm.load %hooks : !llvm.ptr -> !llvm.ptr
  %clockSlot = llvm.getelementptr inbounds %hooks[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr, ptr, ptr)>
  %clock = llvm.load %clockSlot : !llvm.ptr -> !llvm.ptr
  %now = llvm.call %clock(%context) : !llvm.ptr, (!llvm.ptr) -> i64
  llvm.return %now : i64
^none:
  llvm.return %zero : i64
}

llvm.func internal @NAME_record(%hooks: !llvm.ptr, %op: i32, %start: i64)
    attributes {passthrough = ["noinline"]} {
  %none = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %more = llvm.mlir.constant(1 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %trace = llvm.call @NAME_trace(%hooks) : (!llvm.ptr) -> !llvm.ptr
  %traced = llvm.icmp "ne" %trace, %null : !llvm.ptr
  llvm.cond_br %traced, ^read, ^out
^read:
  %end = llvm.call @NAME_clock(%hooks) : (!llvm.ptr) -> i64
  %capacitySlot = llvm.getelementptr inbounds %trace[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i32, i32, i64)>
  %capacity = llvm.load %capacitySlot : !llvm.ptr -> i32
  %countSlot = llvm.getelementptr inbounds %trace[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i32, i32, i64)>
  %count = llvm.load %countSlot : !llvm.ptr -> i32
  %room = llvm.icmp "ult" %count, %capacity : i32
  llvm.cond_br %room, ^write, ^drop
^write:
  %records = llvm.load %trace : !llvm.ptr -> !llvm.ptr
  %wide = llvm.zext %count : i32 to i64
  %opSlot = llvm.getelementptr inbounds %records[%wide, 0] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i32, i64, i64)>
  llvm.store %op, %opSlot : i32, !llvm.ptr
  %reservedSlot = llvm.getelementptr inbounds %records[%wide, 1] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i32, i64, i64)>
  llvm.store %none, %reservedSlot : i32, !llvm.ptr
  %startSlot = llvm.getelementptr inbounds %records[%wide, 2] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i32, i64, i64)>
  llvm.store %start, %startSlot : i64, !llvm.ptr
  %endSlot = llvm.getelementptr inbounds %records[%wide, 3] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, i32, i64, i64)>
  llvm.store %end, %endSlot : i64, !llvm.ptr
  %next = llvm.add %count, %one : i32
  llvm.store %next, %countSlot : i32, !llvm.ptr
  llvm.return
^drop:
  %droppedSlot = llvm.getelementptr inbounds %trace[0, 3] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i32, i32, i64)>
  %dropped = llvm.load %droppedSlot : !llvm.ptr -> i64
  %lost = llvm.add %dropped, %more : i64
  llvm.store %lost, %droppedSlot : i64, !llvm.ptr
  llvm.return
^out:
  llvm.return
}
)mlir";

/// Parses LLVM dialect functions into `module`, with NAME replaced.
static LogicalResult addSource(ModuleOp module, StringRef source,
                               StringRef name) {
  std::string text;
  while (!source.empty()) {
    auto [before, after] = source.split("NAME");
    text += before;
    if (before.size() != source.size())
      text += name;
    source = after;
  }
  OwningOpRef<ModuleOp> parsed =
      parseSourceString<ModuleOp>(text, module.getContext());
  if (!parsed)
    return failure();
  module.getBody()->getOperations().splice(module.getBody()->end(),
                                           parsed->getBody()->getOperations());
  return success();
}

LogicalResult brisk::addHelpers(ModuleOp module, StringRef name, bool profile) {
  if (failed(addSource(module, dispatchSource, name)) ||
      failed(addSource(module, checkSource, name)))
    return failure();
  return profile ? addSource(module, profileSource, name) : success();
}
