//===- FlagsTest.cpp - What flags say of shapes and names -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OutputNames.h"
#include "brisk/Driver/ShapeFlags.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <filesystem>

using namespace brisk;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ShapeFlags, ReadsShapes) {
  llvm::StringMap<std::vector<int64_t>> shapes;
  std::string error;
  EXPECT_TRUE(parseShapeFlag("x=1x3x224", shapes, error));
  EXPECT_TRUE(parseShapeFlag("y=scalar", shapes, error));
  EXPECT_TRUE(parseShapeFlag("z=0", shapes, error));
  // The name of a value may hold '='.
  EXPECT_TRUE(parseShapeFlag("a=b=7", shapes, error));
  EXPECT_THAT(shapes["x"], ElementsAre(1, 3, 224));
  EXPECT_THAT(shapes["y"], IsEmpty());
  EXPECT_THAT(shapes["z"], ElementsAre(0));
  EXPECT_THAT(shapes["a=b"], ElementsAre(7));
  EXPECT_THAT(formatShapeFlags(shapes),
              ElementsAre("a=b=7", "x=1x3x224", "y=scalar", "z=0"));
}

TEST(ShapeFlags, RefusesWhatIsNoShape) {
  llvm::StringMap<std::vector<int64_t>> shapes;
  std::string error;
  for (llvm::StringRef text : {"x", "x=", "=1", "x=1x", "x=ax1", "x=-1",
                               "x=1.5", "x=99999999999999999999"}) {
    error.clear();
    EXPECT_FALSE(parseShapeFlag(text, shapes, error)) << text.str();
    EXPECT_THAT(error, HasSubstr(text.str()));
  }
  EXPECT_TRUE(parseShapeFlag("x=1", shapes, error));
  EXPECT_FALSE(parseShapeFlag("x=1", shapes, error));
  EXPECT_THAT(error, HasSubstr("given twice"));
}

TEST(ShapeFlags, ReadsDimensions) {
  llvm::StringMap<int64_t> dims;
  std::string error;
  EXPECT_TRUE(parseDimFlag("batch=2", dims, error));
  EXPECT_EQ(dims["batch"], 2);
  EXPECT_THAT(formatDimFlags(dims), ElementsAre("batch=2"));
  for (llvm::StringRef text : {"batch", "n=", "n=-1", "n=1x2", "n=many"})
    EXPECT_FALSE(parseDimFlag(text, dims, error)) << text.str();
  EXPECT_FALSE(parseDimFlag("batch=2", dims, error));
  EXPECT_THAT(error, HasSubstr("given twice"));
}

static CompileOptions makeOptions(llvm::StringRef input,
                                  llvm::StringRef output) {
  CompileOptions options;
  options.input = input.str();
  options.output = output.str();
  return options;
}

TEST(OutputNames, FollowTheLibrary) {
  OutputNames names =
      nameOutputs(makeOptions("models/resnet.onnx", "out/libmy-net.a"));
  EXPECT_EQ(names.artifact, "out/libmy-net.a");
  EXPECT_EQ(names.header, "out/my-net.h");
  EXPECT_EQ(names.model, "my_net");
}

TEST(OutputNames, FollowTheModelInAFolder) {
  OutputNames names = nameOutputs(makeOptions("models/resnet.onnx", "out/"));
  EXPECT_EQ(names.artifact, "out/libresnet.a");
  EXPECT_EQ(names.header, "out/resnet.h");
  EXPECT_EQ(names.model, "resnet");
  std::string folder = std::filesystem::temp_directory_path();
  names = nameOutputs(makeOptions("models/resnet.onnx", folder));
  EXPECT_THAT(names.artifact, HasSubstr("libresnet.a"));
}

TEST(OutputNames, KeepWhatIsGiven) {
  CompileOptions options = makeOptions("models/resnet.onnx", "libx.a");
  options.name = "net";
  options.header = "include/n.h";
  OutputNames names = nameOutputs(options);
  EXPECT_EQ(names.model, "net");
  EXPECT_EQ(names.header, "include/n.h");
}

TEST(OutputNames, HaveNoHeaderWithoutALibrary) {
  CompileOptions options = makeOptions("models/1st.onnx", "x.so");
  options.emit = Emit::Shared;
  EXPECT_EQ(nameOutputs(options).header, "");
  options = makeOptions("models/1st.onnx", "x.mlir");
  options.stopAfter = "graph";
  EXPECT_EQ(nameOutputs(options).header, "");
  EXPECT_EQ(nameOutputs(makeOptions("m.onnx", "/dev/null")).header, "");
}

TEST(OutputNames, AreEscapedForMake) {
  OutputNames names{"out/a b.a", "h#.h", "m"};
  std::string text;
  llvm::raw_string_ostream os(text);
  writeDepfile(names, {"in $x.onnx", "c:\\w\\ s"}, os);
  EXPECT_EQ(text, "out/a\\ b.a h\\#.h: \\\n  in\\ $$x.onnx \\\n  "
                  "c\\:\\w\\\\\\ s\n");
}
