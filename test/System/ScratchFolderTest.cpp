//===- ScratchFolderTest.cpp - A directory that goes away -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/ScratchFolder.h"

#include "llvm/Support/Path.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace brisk;
namespace fs = std::filesystem;

namespace {

TEST(ScratchFolder, IsPrivateAndGoesAway) {
  std::string path;
  {
    auto directory = ScratchFolder::create();
    ASSERT_TRUE(bool(directory));
    path = llvm::sys::path::parent_path(directory->path("file")).str();
    std::ofstream(path + "/file") << "x";
    struct stat status;
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchFolder, SaysWhereItCannotBe) {
  const char *before = getenv("TMPDIR");
  std::string saved = before ? before : "";
  setenv("TMPDIR", "/nowhere/at/all", 1);
  auto directory = ScratchFolder::create();
  before ? setenv("TMPDIR", saved.c_str(), 1) : unsetenv("TMPDIR");
  ASSERT_FALSE(bool(directory));
  EXPECT_THAT(llvm::toString(directory.takeError()),
              testing::HasSubstr("set TMPDIR"));
}

TEST(ScratchFolder, GoesAwayWithASignal) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    int channel[2];
    ASSERT_EQ(pipe(channel), 0);
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      // Twice, for that must not set the handler on top of itself.
      {
        auto first = llvm::cantFail(ScratchFolder::create());
      }
      auto directory = llvm::cantFail(ScratchFolder::create());
      std::string path =
          llvm::sys::path::parent_path(directory.path("file")).str();
      close(channel[0]);
      alarm(30); // should a signal not end this
      for (int i = 0; i < 300; ++i)
        std::ofstream(path + "/some-file-" + std::to_string(i)) << "x";
      if (write(channel[1], path.c_str(), path.size() + 1) < 0)
        _exit(1);
      for (;;)
        pause();
    }
    close(channel[1]);
    char path[512] = "";
    ASSERT_GT(read(channel[0], path, sizeof path), 0);
    EXPECT_TRUE(fs::exists(path));
    kill(child, signal);
    int status;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_FALSE(fs::exists(path));
    close(channel[0]);
  }
}

} // namespace
