//===- StackUsageTest.cpp - How much of the stack code takes --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Target/StackUsage.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

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
