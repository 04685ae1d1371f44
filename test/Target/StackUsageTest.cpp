//===- StackUsageTest.cpp - How much of the stack code takes --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Target/StackUsage.h"
#include "brisk/Target/Emission.h"
#include "brisk/Target/Target.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

using namespace brisk;

// A function that is handed on runs above the one that it is handed to, not
// beside it.
TEST(StackUsageTest, PassedFunctions) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(R"(
    define void @task() { ret void }
    define void @dispatch(ptr %task) { call void %task() ret void }
    define void @run() { call void @dispatch(ptr @task) ret void }
  )",
                                error, context);
  ASSERT_TRUE(module) << error.getMessage().str();
  StackUsage usage;
  usage.watch(*module, /*spillAlignment=*/1);
  uint64_t frame = usage.getDepth("task");
  EXPECT_GT(frame, 0u);
  EXPECT_EQ(usage.getDepth("dispatch"), frame);
  EXPECT_EQ(usage.getDepth("run"), 3 * frame);
}

// Registers are spilled as wide as a CPU may have them.
TEST(StackUsageTest, RegistersOfUnknownWidth) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(R"(
    define <16 x float> @spill(<16 x float> %x) {
      call void asm sideeffect "", "~{v0},~{v1},~{v2},~{v3},~{v4},~{v5},~{v6},~{v7},~{v8},~{v9},~{v10},~{v11},~{v12},~{v13},~{v14},~{v15},~{v16},~{v17},~{v18},~{v19},~{v20},~{v21},~{v22},~{v23},~{v24},~{v25},~{v26},~{v27},~{v28},~{v29},~{v30},~{v31}"()
      ret <16 x float> %x
    }
  )",
                                error, context);
  ASSERT_TRUE(module) << error.getMessage().str();
  initializeCodegen();
  auto machine =
      llvm::cantFail(createMachine(*llvm::cantFail(findTarget("riscv64gcv"))));
  module->setDataLayout(machine->createDataLayout());
  StackUsage usage;
  constexpr unsigned mostScale = 16;
  usage.watch(*module, /*spillAlignment=*/1, mostScale);
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream os(object);
  llvm::cantFail(emitModule(*module, *machine, os, /*assembly=*/false));
  // Four registers of 16 times 64 bits.
  EXPECT_GE(usage.getDepth("spill"), 4u * 16 * 8);
  EXPECT_LE(usage.getDepth("spill"), 4u * 16 * 8 + 64);
}
