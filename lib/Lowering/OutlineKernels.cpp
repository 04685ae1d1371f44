//===- OutlineKernels.cpp - Kernel functions ------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "brisk/Dialect/NodeLocation.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Dialect/StaticShapes.h"
#include "brisk/Kernels/Kernel.h"
#include "brisk/Lowering/Passes.h"
#include "brisk/Lowering/Plan.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

namespace brisk {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

/// True for memrefs of static strides whose innermost dimension is consecutive.
static bool isBuffer(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!memref || !memref.hasStaticShape())
    return false;
  if (memref.getNumElements() == 0)
    return true;
  return succeeded(memref.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamicShape(strides) &&
         (strides.empty() || strides.back() == 1 ||
          memref.getShape().back() <= 1);
}

static LogicalResult verifyScratch(GroupOp group, KernelMatch &match) {
  int64_t wanted = match.getScratch(group.getScheduleAttr());
  int64_t found =
      group.getScratch() ? group.getScratch().getType().getNumElements() : 0;
  if (found >= wanted)
    return success();
  return group.emitOpError("needs ") << wanted << " bytes of scratch, found "
                                     << found << "; run plan-memory first";
}

/// The arguments' names of the ONNX nodes in `loc`, in order.
static void collectNames(Location loc, llvm::SetVector<StringRef> &names) {
  if (auto name = dyn_cast<NameLoc>(loc)) {
    if (!name.getName().empty())
      names.insert(name.getName().getValue());
  } else if (auto fused = dyn_cast<FusedLoc>(loc)) {
    for (Location inner : fused.getLocations())
      collectNames(inner, names);
  } else if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    collectNames(call.getCallee(), names);
  }
}

namespace {
class Outliner {
public:
  Outliner(ModuleOp module, const Isa &target)
      : module(module), target(target), builder(module.getContext()) {}

  LogicalResult run(func::FuncOp function) {
    SmallVector<GroupOp> groups;
    function.walk([&](GroupOp group) { groups.push_back(group); });
    for (GroupOp group : groups)
      if (failed(outline(group)))
        return failure();
    module->setAttr(BriskDialect::opsAttrName, builder.getArrayAttr(ops));
    return success();
  }

private:
  LogicalResult outline(GroupOp group) {
    if (!group.getScheduleAttr())
      return group.emitOpError("has no kernel; run select-kernels first");
    if (!llvm::all_of(group->getOperandTypes(), isBuffer))
      return group.emitOpError("is not on buffers that kernels can walk; run "
                               "bufferize-model first");
    GroupView view(group, target);
    std::unique_ptr<KernelMatch> match = matchSchedule(view);
    if (!match || failed(verifyScratch(group, *match)))
      return failure();
    if (llvm::all_of(group.getOuts().getTypes(), [](Type type) {
          return cast<MemRefType>(type).getNumElements() == 0;
        })) {
      group.erase(); // nothing to compute
      return success();
    }
    describe(group, *match);
    std::string key = getKey(view);
    func::FuncOp &function = functions[key];
    if (!function)
      function = emit(view, *match);
    builder.setInsertionPoint(group);
    ScheduleAttr schedule = group.getScheduleAttr();
    int64_t tasks = match->getWork(schedule).getTasks();
    int64_t workers = std::min(tasks, match->getWorkers(schedule));
    LaunchOp::create(builder, group.getLoc(),
                     FlatSymbolRefAttr::get(function.getSymNameAttr()),
                     group->getOperands(), builder.getI64IntegerAttr(tasks),
                     builder.getI32IntegerAttr(static_cast<int32_t>(workers)),
                     builder.getI64IntegerAttr(ops.size() - 1));
    group.erase();
    return success();
  }

  /// Adds the group to the side table of the profile.
  void describe(GroupOp group, KernelMatch &match) {
    llvm::SetVector<StringRef> names;
    for (Operation &op : *group.getBlock())
      if (!isa<ConstantOp>(op))
        collectNames(op.getLoc(), names);
    if (names.empty())
      collectNames(group.getLoc(), names);
    Operation *anchor = group.getAnchor();
    StringRef type = anchor                   ? anchor->getName().stripDialect()
                     : group.getIns().empty() ? "fill"
                                              : "copy";
    ops.push_back(OpInfoAttr::get(
        builder.getContext(), builder.getStringAttr(llvm::join(names, ";")),
        builder.getStringAttr(type),
        builder.getStringAttr(group.getScheduleAttr().getKernelName()),
        countFlops(group), match.getTraffic(),
        getPhase((anchor ? anchor : group.getOperation())->getLoc())));
  }

  /// True if an input may share bytes with a result.
  static bool runsInPlace(GroupOp group) {
    // Places of the arena at one offset are one.
    auto place = [](Value buffer) -> std::pair<Value, std::optional<int64_t>> {
      Value root = getBuffer(buffer);
      if (auto view = root.getDefiningOp<memref::ViewOp>())
        return {view.getSource(), getConstantIntValue(view.getByteShift())};
      return {root, 0};
    };
    for (Value in : group.getIns())
      for (Value out : group.getOuts())
        if (place(in) == place(out))
          return true;
    return false;
  }

  /// What decides the code of the group's function, as text.
  std::string getKey(const GroupView &view) {
    GroupOp group = view.getGroup();
    std::string key;
    llvm::raw_string_ostream os(key);
    for (Type type : view.getBufferTypes())
      os << type << ';';
    os << group.getScheduleAttr() << group.getIns().size() << ','
       << group.getOuts().size() << (runsInPlace(group) ? "in place" : "");
    // Values are numbered by where they first stand.
    DenseMap<Value, unsigned> numbers;
    auto number = [&](Value value) {
      return numbers.try_emplace(value, numbers.size()).first->second;
    };
    for (BlockArgument argument : group.getBlock()->getArguments())
      os << number(argument) << ':' << argument.getType() << ';';
    for (Operation &op : *group.getBlock()) {
      os << op.getName() << op.getAttrDictionary() << '(';
      for (Value operand : op.getOperands())
        os << number(operand) << ',';
      os << ')';
      for (Value result : op.getResults())
        os << number(result) << ':' << result.getType() << ';';
    }
    return key;
  }

  func::FuncOp emit(const GroupView &view, KernelMatch &match) {
    GroupOp group = view.getGroup();
    SmallVector<Type> parameters(view.getBufferTypes());
    Type index = builder.getIndexType();
    parameters.append({index, index});
    builder.setInsertionPointToEnd(module.getBody());
    std::string name =
        ModelSymbols(group->getParentOfType<func::FuncOp>().getName())
            .kernel(functions.size() - 1,
                    group.getScheduleAttr().getKernelName());
    Location loc = NameLoc::get(builder.getStringAttr(name));
    auto function = func::FuncOp::create(
        builder, loc, name, builder.getFunctionType(parameters, {}));
    function.setPrivate();
    // Inlining gives each access a scope for each of these arguments, by the
    // square of their number.
    constexpr size_t maxNoalias = 32;
    if (size_t count = view.getBufferTypes().size();
        !runsInPlace(group) && count <= maxNoalias)
      for (unsigned i = 0; i < count; ++i)
        function.setArgAttr(i, "llvm.noalias", builder.getUnitAttr());
    Block *block = function.addEntryBlock();
    builder.setInsertionPointToStart(block);
    ValueRange arguments = block->getArguments();
    ValueRange ins = arguments.take_front(group.getIns().size());
    ValueRange outs =
        arguments.slice(group.getIns().size(), group.getOuts().size());
    KernelBuilder b(group.getLoc(), builder, target);
    if (group.getScratch()) {
      size_t number = ins.size() + outs.size();
      function.setArgAttr(number, BriskDialect::perWorkerAttrName,
                          builder.getUnitAttr());
      b.scratch = arguments[number];
    }
    emitTasks(b, match, group.getScheduleAttr(), ins, outs,
              arguments[arguments.size() - 2], arguments.back());
    builder.setInsertionPointToEnd(block);
    func::ReturnOp::create(builder, loc);
    return function;
  }

  ModuleOp module;
  const Isa &target;
  OpBuilder builder;
  std::map<std::string, func::FuncOp> functions;
  SmallVector<Attribute> ops;
};

struct OutlineKernels : brisk::impl::OutlineKernelsBase<OutlineKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    const Target *target = getTarget(module);
    if (!target || failed(checkStaticShapes(getOperation())))
      return signalPassFailure();
    Outliner outliner(module, target->isa);
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isPublic() && failed(outliner.run(function)))
        return signalPassFailure();
  }
};
} // namespace
