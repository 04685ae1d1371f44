//===- StackUsage.cpp - How much of the stack code takes ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Target/StackUsage.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;
using namespace brisk;

/// The name of a function among those of all modules.
static std::string getKey(const Function &function) {
  std::string name = function.getName().str();
  return function.hasLocalLinkage()
             ? function.getParent()->getModuleIdentifier() + ":" + name
             : name;
}

/// Bytes that a function may need beside its frame: the return address, and
/// what aligning the stack for its content skips.
static uint64_t getOverhead(const Function &function, uint64_t alignment) {
  const DataLayout &layout = function.getDataLayout();
  for (const Instruction &instruction : instructions(function))
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
      assert(alloca->isStaticAlloca() && "the frame has no fixed size");
      alignment = std::max(alignment, alloca->getAlign().value());
    }
  uint64_t given = layout.getStackAlignment().valueOrOne().value();
  return layout.getPointerSize() + (alignment > given ? alignment - given : 0);
}

namespace brisk {
/// Takes the size of each frame from the remark that frame lowering makes, and
/// what is as wide as registers from that about the frame's layout.
class FrameRecorder : public DiagnosticHandler {
public:
  FrameRecorder(StackUsage &usage, unsigned mostScale)
      : usage(usage), mostScale(mostScale) {}

  bool isAnyRemarkEnabled() const override { return true; }
  bool isAnalysisRemarkEnabled(StringRef pass) const override {
    return pass == "prologepilog" ||
           (mostScale && pass == "stack-frame-layout");
  }

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    auto *remark = dyn_cast<MachineOptimizationRemarkAnalysis>(&info);
    if (!remark)
      return false;
    uint64_t &frameBytes =
        usage.functions[getKey(remark->getFunction())].frameBytes;
    for (const auto &argument : remark->getArgs()) {
      StringRef text = argument.Val;
      uint64_t bytes;
      if (argument.Key == "NumStackBytes" && !text.getAsInteger(10, bytes))
        frameBytes += bytes;
      else if (argument.Key == "Size" && text.consume_front("vscale x ") &&
               !text.getAsInteger(10, bytes))
        frameBytes += alignTo(bytes, scaledAlignment) * mostScale;
    }
    return true;
  }

private:
  /// Of what is as wide as registers as a whole.
  static constexpr uint64_t scaledAlignment = 16;
  StackUsage &usage;
  unsigned mostScale;
};
} // namespace brisk

/// The functions that a constant refers to.
static void addFunctions(const Value *value,
                         SmallSetVector<const Function *, 8> &found) {
  if (auto *function = dyn_cast<Function>(value))
    found.insert(function);
  else if (isa<Constant>(value) && !isa<GlobalValue>(value))
    for (const Use &use : cast<Constant>(value)->operands())
      addFunctions(use, found);
}

void StackUsage::watch(Module &module, uint64_t spillAlignment,
                       unsigned mostScale) {
  for (const Function &function : module) {
    if (function.isDeclaration())
      continue;
    Entry &entry = functions[getKey(function)];
    entry.frameBytes = getOverhead(function, spillAlignment);
    SmallSetVector<const Function *, 8> called, passed;
    for (const Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      for (const Use &use : instruction.operands())
        addFunctions(use, call && call->isCallee(&use) ? called : passed);
    }
    for (const Function *callee : called)
      entry.called.push_back(getKey(*callee));
    for (const Function *callee : passed)
      entry.passed.push_back(getKey(*callee));
  }
  module.getContext().setDiagnosticHandler(
      std::make_unique<FrameRecorder>(*this, mostScale));
}

void StackUsage::merge(const StackUsage &other) {
  for (const auto &entry : other.functions)
    functions.insert({entry.getKey(), entry.getValue()});
}

uint64_t StackUsage::getDepth(StringRef function) const {
  auto found = functions.find(function);
  if (found == functions.end())
    return 0;
  auto getDeepest = [&](const std::vector<std::string> &callees) {
    uint64_t deepest = 0;
    for (const std::string &callee : callees)
      deepest = std::max(deepest, getDepth(callee));
    return deepest;
  };
  // What is called may call what is passed on.
  return found->second.frameBytes + getDeepest(found->second.called) +
         getDeepest(found->second.passed);
}
