//===- CBuilder.cpp - Functions over the structs of brisk/model.h ---------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CBuilder.h"

using namespace mlir;
using namespace brisk;

LLVM::LLVMFuncOp CBuilder::function(StringRef name, ArrayRef<Type> parameters,
                                    Type result, LLVM::Linkage linkage) {
  if (auto before = llvm::dyn_cast_if_present<LLVM::LLVMFuncOp>(
          getInsertionBlock()->getParentOp()))
    setInsertionPointAfter(before);
  if (!result)
    result = LLVM::LLVMVoidType::get(getContext());
  auto function = LLVM::LLVMFuncOp::create(
      *this, name, LLVM::LLVMFunctionType::get(result, parameters), linkage);
  setInsertionPointToEnd(function.addEntryBlock(*this));
  return function;
}

Value CBuilder::call(StringRef name, ValueRange arguments, Type result) {
  auto op = LLVM::CallOp::create(*this, getResults(result), name, arguments);
  return result ? op.getResult() : Value();
}

Value CBuilder::callThrough(Value function, ValueRange arguments, Type result) {
  auto type = LLVM::LLVMFunctionType::get(
      result ? result : LLVM::LLVMVoidType::get(getContext()),
      llvm::to_vector(arguments.getTypes()));
  SmallVector<Value> operands = {function};
  llvm::append_range(operands, arguments);
  auto op = LLVM::CallOp::create(*this, type, operands);
  return result ? op.getResult() : Value();
}

void CBuilder::when(Value condition, function_ref<void()> body, bool unlikely) {
  Block *here = getInsertionBlock();
  Region *region = here->getParent();
  Block *taken = createBlock(region, region->end());
  Block *after = createBlock(region, region->end());
  setInsertionPointToEnd(here);
  std::optional<std::pair<uint32_t, uint32_t>> weights;
  if (unlikely)
    weights = {1, 1 << 20};
  LLVM::CondBrOp::create(*this, condition, taken, ValueRange(), after,
                         ValueRange(), weights);
  setInsertionPointToEnd(taken);
  body();
  if (!getInsertionBlock()->mightHaveTerminator())
    LLVM::BrOp::create(*this, after);
  setInsertionPointToEnd(after);
}
