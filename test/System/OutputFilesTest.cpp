//===- OutputFilesTest.cpp - Files that appear whole or not at all --------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/OutputFiles.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace brisk;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class OutputFilesTest : public testing::Test {
protected:
  void SetUp() override {
    root = fs::path(testing::TempDir()) /
           ("brisk-outputs-" + std::to_string(getpid()));
    fs::create_directories(root);
  }
  void TearDown() override { fs::remove_all(root); }

  std::string path(const char *name) { return (root / name).string(); }
  std::string content(const char *name) {
    std::ifstream file(root / name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  size_t entries() {
    return std::distance(fs::directory_iterator(root),
                         fs::directory_iterator());
  }
  std::string write(OutputFiles &files, const std::string &to,
                    const std::string &text) {
    return llvm::toString(files.write(to, [&](llvm::raw_ostream &out) {
      out << text;
      return llvm::Error::success();
    }));
  }
  fs::path root;
};

TEST_F(OutputFilesTest, AppearTogether) {
  OutputFiles files;
  std::ofstream(path("b")) << "old";
  EXPECT_EQ(write(files, path("a"), "1"), "");
  EXPECT_EQ(write(files, path("b"), "2"), "");
  EXPECT_FALSE(fs::exists(path("a")));
  EXPECT_EQ(content("b"), "old");
  EXPECT_EQ(llvm::toString(files.commit()), "");
  EXPECT_EQ(content("a"), "1");
  EXPECT_EQ(content("b"), "2");
  EXPECT_EQ(entries(), 2u);
}

TEST_F(OutputFilesTest, NothingStaysOfAFailure) {
  std::ofstream(path("a")) << "old";
  {
    OutputFiles files;
    EXPECT_EQ(llvm::toString(files.makeFolder(path("new/deep"))), "");
    EXPECT_EQ(write(files, path("a"), "1"), "");
    EXPECT_EQ(write(files, path("new/deep/b"), "2"), "");
    EXPECT_EQ(llvm::toString(files.write(path("c"),
                                         [](llvm::raw_ostream &) {
                                           return llvm::createStringError(
                                               "no good");
                                         })),
              "no good");
  }
  EXPECT_EQ(content("a"), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(OutputFilesTest, MakesDirectoriesOnce) {
  for (int i = 0; i < 2; ++i) {
    OutputFiles files;
    EXPECT_EQ(llvm::toString(files.makeFolder(path("new/deep"))), "");
    EXPECT_EQ(write(files, path("new/deep/b"), "2"), "");
    EXPECT_EQ(llvm::toString(files.commit()), "");
  }
  EXPECT_EQ(content("new/deep/b"), "2");
}

TEST_F(OutputFilesTest, SaysWhatCannotBeWritten) {
  OutputFiles files;
  EXPECT_THAT(write(files, path("absent/a"), "1"),
              HasSubstr("cannot write '" + path("absent/a") + "'"));
  EXPECT_THAT(write(files, root.string(), "1"), HasSubstr("is a directory"));
  std::ofstream(path("file")) << "x";
  EXPECT_THAT(llvm::toString(files.makeFolder(path("file"))),
              HasSubstr("not a directory"));
  EXPECT_THAT(llvm::toString(files.makeFolder(path("file/below"))),
              HasSubstr("cannot make the directory"));
}

TEST_F(OutputFilesTest, TellsOfAFullDisk) {
  if (!fs::exists("/dev/full"))
    GTEST_SKIP() << "no /dev/full here";
  OutputFiles files;
  EXPECT_THAT(write(files, "/dev/full", "1"), HasSubstr("No space left"));
}

TEST_F(OutputFilesTest, DevicesStayDevices) {
  OutputFiles files;
  EXPECT_EQ(write(files, "/dev/null", "1"), "");
  EXPECT_EQ(llvm::toString(files.commit()), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFilesTest, LinksStayLinks) {
  std::ofstream(path("real")) << "old";
  fs::create_symlink(path("real"), path("link"));
  OutputFiles files;
  EXPECT_EQ(write(files, path("link"), "new"), "");
  EXPECT_EQ(llvm::toString(files.commit()), "");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content("real"), "new");
}

} // namespace
