//===- DiagnosticsTest.cpp - What users are told --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Diagnostics.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace brisk;

namespace {

class Diagnostics : public testing::Test {
protected:
  Diagnostics() {
    context.loadDialect<BriskDialect, func::FuncDialect>();
    sources.AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBuffer("first\nsecond line\n", "m.mlir"),
        llvm::SMLoc());
  }

  /// A node of a model, as the importer locates it.
  Location node(StringRef name, StringRef op) {
    auto get = [&](StringRef text, Location inner) {
      return NameLoc::get(StringAttr::get(&context, text), inner);
    };
    return get(name, get(op, UnknownLoc::get(&context)));
  }

  /// What an error prints.
  std::string print(Location loc, const Twine &message,
                    bool isAccepted = false) {
    DiagnosticPrinter printer(sources, context, file, [&] { ++errors; });
    if (isAccepted)
      printer.acceptModel();
    testing::internal::CaptureStderr();
    emitError(loc) << message;
    return testing::internal::GetCapturedStderr();
  }

  MLIRContext context;
  llvm::SourceMgr sources;
  std::string file = "m.onnx";
  int errors = 0;
};

TEST_F(Diagnostics, NameTheNode) {
  EXPECT_EQ(print(node("conv1", "Conv"), "is wrong"),
            "m.onnx: error: node 'conv1' (Conv): is wrong\n");
  EXPECT_EQ(print(node("Conv:y", "Conv"), "is wrong"),
            "m.onnx: error: node with output 'y' (Conv): is wrong\n");
  EXPECT_EQ(errors, 2);
}

TEST_F(Diagnostics, FindTheNodeInOtherLocations) {
  Location unknown = UnknownLoc::get(&context);
  Location fused = FusedLoc::get(&context, {unknown, node("conv1", "Conv")});
  Location call = CallSiteLoc::get(node("inner", "Add"), unknown);
  EXPECT_EQ(print(fused, "x"), "m.onnx: error: node 'conv1' (Conv): x\n");
  EXPECT_EQ(print(call, "x"), "m.onnx: error: node 'inner' (Add): x\n");
  EXPECT_EQ(print(unknown, "x"), "m.onnx: error: x\n");
}

TEST_F(Diagnostics, ShowTheLine) {
  EXPECT_EQ(print(FileLineColLoc::get(&context, "m.onnx", 2, 8), "x"),
            "m.onnx:2:8: error: x\nsecond line\n       ^\n");
  // Of another file, as one that describes stages, the name and no text.
  EXPECT_EQ(print(FileLineColLoc::get(&context, "pre.yaml", 2, 8), "x"),
            "pre.yaml:2:8: error: x\n");
}

TEST_F(Diagnostics, SurviveALineThatIsNotThere) {
  EXPECT_EQ(print(FileLineColLoc::get(&context, "m.onnx", 99, 1), "x"),
            "m.onnx:99:1: error: x\n");
  EXPECT_NE(print(FileLineColLoc::get(&context, "m.onnx", 1, 500), "x"), "");
}

TEST_F(Diagnostics, HideOpsOfTheIr) {
  // Before a model is accepted, its own fault; after that, ours.
  EXPECT_EQ(print(node("conv1", "Conv"), "'brisk.conv' op filter is small"),
            "m.onnx: error: node 'conv1' (Conv): filter is small\n");
  EXPECT_EQ(print(node("conv1", "Conv"), "'brisk.conv' op filter is small",
                  /*isAccepted=*/true),
            "m.onnx: error: node 'conv1' (Conv): briskc cannot compile this, "
            "which is a fault of its own; please report it with the model\n"
            "m.onnx: note: node 'conv1' (Conv): 'brisk.conv' op filter is "
            "small\n");
}

TEST_F(Diagnostics, CutLongValues) {
  DiagnosticPrinter printer(sources, context, file, [] {});
  testing::internal::CaptureStderr();
  emitError(UnknownLoc::get(&context))
      << "has " << StringAttr::get(&context, std::string(1000, 'x'));
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_LT(text.size(), 300u);
  EXPECT_NE(text.find("xxx..."), std::string::npos);
}

} // namespace
