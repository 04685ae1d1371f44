//===- main.cpp - A C++ program that opens compiled models ----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// classify MODEL.so [INPUT.f32]
// Runs a classifier, compiled with briskc --emit=shared, on all of this
// process's CPUs and prints the classes with the highest scores. The input is a
// file of floats, or 0 everywhere.
//
//===----------------------------------------------------------------------===//
#include "brisk/brisk.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <vector>

static int fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return fail("usage: classify MODEL.so [INPUT.f32]");
  auto library = brisk::Library::open(argv[1]);
  if (!library)
    return fail(library.status().message());
  auto pool = brisk::Pool::create();
  if (!pool)
    return fail(pool.status().message());
  brisk::InstanceOptions options;
  options.pool = *pool;
  auto instance = brisk::Instance::create(*library, options);
  if (!instance)
    return fail(instance.status().message());

  auto input = instance->input<float>(0);
  auto scores = instance->output<float>(0);
  if (!input || !scores)
    return fail((input ? scores.status() : input.status()).message());
  if (argc > 2) {
    std::ifstream file(argv[2], std::ios::binary);
    auto bytes = static_cast<std::streamsize>(input->info().bytes());
    if (!file.read(reinterpret_cast<char *>(input->data()), bytes))
      return fail(std::string(argv[2]) + " does not hold " +
                  input->info().describe());
  }
  if (brisk::Status status = instance->run(); !status)
    return fail(status.message());

  std::vector<size_t> classes(scores->size());
  std::iota(classes.begin(), classes.end(), 0);
  size_t count = std::min<size_t>(3, classes.size());
  std::partial_sort(
      classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(count),
      classes.end(),
      [&](size_t a, size_t b) { return (*scores)[a] > (*scores)[b]; });
  brisk::Model model = instance->model();
  std::printf("%s on %u threads\n", model.c().name, instance->threads());
  for (size_t i = 0; i < count; ++i)
    std::printf("class %zu: %.4f\n", classes[i], (*scores)[classes[i]]);
  return 0;
}
