//===- CompileTest.cpp - The compiler as a function -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Driver/Compile.h"
#include "Budgets.h"
#include "Provenance.h"
#include "brisk/Pipelines.h"
#include "mlir/IR/MLIRContext.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>

using namespace brisk;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

const char *const model = R"mlir(
func.func @net(%x: tensor<4x8xf32> {brisk.name = "x"}) -> (tensor<4x8xf32> {brisk.name = "y"}) {
  %w = brisk.constant dense<0.5> : tensor<8x8xf32>
  %0 = brisk.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = brisk.tanh %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
)mlir";

/// A folder with a model in it.
class Compile : public testing::Test {
protected:
  Compile() {
    std::string name = (fs::temp_directory_path() / "brisk-XXXXXX").string();
    folder = mkdtemp(name.data());
    std::ofstream(folder / "net.mlir") << model;
    options.input = folder / "net.mlir";
    options.output = folder / "out";
  }
  ~Compile() override { fs::remove_all(folder); }

  /// Compiles, and keeps what is said.
  bool run() {
    testing::internal::CaptureStderr();
    bool done = succeeded(compile(options));
    said = testing::internal::GetCapturedStderr();
    return done;
  }

  std::string readOutput() {
    std::ifstream file(options.output);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  fs::path folder;
  CompileOptions options;
  std::string said;
};

TEST_F(Compile, StopsAfterEveryStageAndGoesOn) {
  bool hasBuffers = false;
  for (const Stage &stage : getStages()) {
    if (!stage.build)
      continue;
    options.input = folder / "net.mlir";
    options.output = folder / "stage.mlir";
    options.stopAfter = stage.name.str();
    ASSERT_TRUE(run()) << stage.name.str() << ": " << said;
    EXPECT_THAT(readOutput(), HasSubstr("@net"));
    hasBuffers |= stage.name == "plan";
    options.input = options.output;
    options.output = folder / "net.o";
    options.stopAfter.clear();
    options.emit = Emit::Obj;
    EXPECT_EQ(run(), !hasBuffers) << "on from " << stage.name.str() << said;
    EXPECT_THAT(said, HasSubstr(hasBuffers ? "error" : ""));
  }
}

TEST_F(Compile, MakesTheSameBytesTwice) {
  options.emit = Emit::Obj;
  ASSERT_TRUE(run()) << said;
  std::string first = readOutput();
  options.output = folder / "again";
  ASSERT_TRUE(run()) << said;
  EXPECT_EQ(readOutput(), first);
}

TEST_F(Compile, LeavesNothingOfAFailure) {
  std::ofstream(folder / "net.mlir") << "func.func @net(";
  std::ofstream(folder / "out") << "older";
  options.emit = Emit::Obj;
  options.report = folder / "report.json";
  EXPECT_FALSE(run());
  EXPECT_THAT(said, HasSubstr("error"));
  EXPECT_EQ(readOutput(), "older");
  EXPECT_FALSE(fs::exists(options.report));
}

TEST_F(Compile, RefusesToOverwriteTheModel) {
  options.emit = Emit::Obj;
  options.output = options.input;
  EXPECT_FALSE(run());
  EXPECT_THAT(said, HasSubstr("give another path"));
  EXPECT_EQ(readOutput(), model);
}

TEST_F(Compile, HoldsTheBudgets) {
  options.emit = Emit::Obj;
  // Each of the two tensors has 128 bytes.
  options.ramBudget = 255;
  EXPECT_FALSE(run());
  EXPECT_THAT(said, HasSubstr("over the budget of 255"));
  EXPECT_FALSE(fs::exists(options.output));
  options.ramBudget = 1 << 20;
  options.flashBudget = 100;
  EXPECT_FALSE(run());
  EXPECT_THAT(said, HasSubstr("bytes of flash"));
  options.flashBudget = 1 << 20;
  EXPECT_TRUE(run()) << said;
}

TEST(Budgets, WaitForTheOtherOfTwo) {
  mlir::MLIRContext context;
  CompileOptions options;
  options.ramBudget = options.flashBudget = 100;
  Budgets budgets(options);
  budgets.readPlan(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
  ModelInfo info;
  info.arenaBytes = 1000;
  testing::internal::CaptureStderr();
  EXPECT_TRUE(succeeded(budgets.check(info, nullptr, /*codeFollows=*/true)));
  EXPECT_FALSE(succeeded(budgets.check(info, nullptr, /*codeFollows=*/false)));
  PackageSizes sizes;
  sizes.codeBytes = 101;
  EXPECT_FALSE(succeeded(budgets.check(info, &sizes, /*codeFollows=*/false)));
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(HasSubstr("at least 1000 bytes of RAM"),
                             HasSubstr("101 bytes of flash")));
}

TEST(Provenance, NamesWhatDecidesTheCode) {
  CompileOptions options;
  options.target = "cortex-m4";
  options.name = "net";
  options.profile = true;
  options.dims["n"] = 3;
  options.shapes["x"] = {1, 2};
  options.shapes["a"] = {};
  EXPECT_EQ(describeFlags(options, "cortex-m4"),
            "--target=cortex-m4 --profile --dim n=3 "
            "--shape a=scalar --shape x=1x2");
}

TEST(Provenance, HashesFilesAsOne) {
  std::string name = (fs::temp_directory_path() / "brisk-XXXXXX").string();
  fs::path folder = mkdtemp(name.data());
  std::ofstream(folder / "1") << "a";
  std::ofstream(folder / "2") << "bc";
  SourceHash hash, missing;
  hash.start({folder / "1", folder / "2"});
  auto digest = hash.get();
  ASSERT_TRUE(bool(digest));
  // Of "abc": the first example of FIPS 180-2.
  EXPECT_EQ(*digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61"
                     "f20015ad");
  missing.start({folder / "1", folder / "3"});
  auto nothing = missing.get();
  ASSERT_FALSE(bool(nothing));
  EXPECT_THAT(llvm::toString(nothing.takeError()), HasSubstr("cannot read"));
  fs::remove_all(folder);
}

} // namespace
