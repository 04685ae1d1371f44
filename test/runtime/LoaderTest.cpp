//===- LoaderTest.cpp - Models from shared libraries ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/host.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <fstream>
#include <string>

namespace {

using testing::HasSubstr;

std::string path(const char *name) {
  return std::string(FAKE_MODELS) + "/" + name + ".so";
}

std::string refusal(const std::string &file) {
  char error[512] = "";
  brisk_library *library =
      brisk_library_open(file.c_str(), error, sizeof error);
  EXPECT_EQ(library, nullptr);
  brisk_library_close(library);
  return error;
}

TEST(Loader, LoadsAndRuns) {
  char error[512];
  brisk_library *library =
      brisk_library_open(path("fake").c_str(), error, sizeof error);
  ASSERT_NE(library, nullptr) << error;
  const brisk_model *model = brisk_library_model(library);
  EXPECT_STREQ(model->name, "fake");
  void *arena = brisk_arena_create(model);
  ASSERT_NE(arena, nullptr);
  float x[6] = {1, 2, 3, 4, 5, 6}, scale = 2, y[6];
  bool flags[8] = {true, false, false, true, true, true, true, true};
  int64_t n[2];
  const void *inputs[] = {x, &scale, flags};
  void *outputs[] = {y, n};
  EXPECT_EQ(model->run(inputs, outputs, arena, nullptr), BRISK_OK);
  EXPECT_EQ(y[5], 12);
  EXPECT_EQ(n[0], 2);
  EXPECT_EQ(n[1], 4);
  brisk_aligned_free(arena);
  brisk_library_close(library);
}

TEST(Loader, SaysWhatIsWrong) {
  EXPECT_THAT(refusal(path("absent")), HasSubstr("No such file"));
  EXPECT_THAT(refusal(path("old")), HasSubstr("interface version 0"));
  EXPECT_THAT(refusal(path("short")), HasSubstr("'x' claims 20 bytes"));
  EXPECT_THAT(refusal(path("foreign")), HasSubstr("brisk_model_get"));
  std::string text = testing::TempDir() + "brisk-no-library.so";
  std::ofstream(text) << "not a library";
  EXPECT_THAT(refusal(text), HasSubstr("cannot load '" + text + "': "));
  std::remove(text.c_str());
}

TEST(Loader, NeverSearchesForAModel) {
  // The C library would be found by name.
  EXPECT_THAT(refusal("libc.so.6"), HasSubstr("No such file"));
}

TEST(Loader, CutsMessagesToTheBuffer) {
  char error[8];
  EXPECT_EQ(brisk_library_open("/nowhere", error, sizeof error), nullptr);
  EXPECT_STREQ(error, "cannot ");
  EXPECT_EQ(brisk_library_open("/nowhere", nullptr, 0), nullptr);
}

} // namespace
