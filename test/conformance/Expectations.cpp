//===- Expectations.cpp - What each conformance case should do ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Expectations.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdio>
#include <fstream>

using namespace brisk::conformance;

const char *brisk::conformance::outcomeName(Outcome outcome) {
  static constexpr const char *names[] = {"pass", "refused", "wrong", "crash",
                                          "hang"};
  return names[static_cast<int>(outcome)];
}

std::optional<Expectations>
brisk::conformance::readExpectations(const std::string &path,
                                     std::string &error) {
  Expectations expectations;
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (buffer.getError() == std::errc::no_such_file_or_directory)
    return expectations;
  if (!buffer) {
    error = llvm::formatv("cannot read {0}: {1}", path,
                          buffer.getError().message());
    return std::nullopt;
  }
  llvm::StringRef rest = (*buffer)->getBuffer();
  for (int number = 1; !rest.empty(); ++number) {
    auto [line, tail] = rest.split('\n');
    rest = tail;
    line = line.trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    auto [name, reason] = line.split(':');
    reason = reason.trim();
    if (name.empty() || reason.empty()) {
      error = llvm::formatv("{0}:{1}: expected 'CASE: REASON'", path, number);
      return std::nullopt;
    }
    if (!expectations.emplace(name.str(), reason.str()).second) {
      error = llvm::formatv("{0}:{1}: {2} is listed twice", path, number, name);
      return std::nullopt;
    }
  }
  return expectations;
}

bool brisk::conformance::writeExpectations(const std::string &path,
                                           const Expectations &expectations) {
  std::string temporary = path + ".tmp";
  {
    std::ofstream stream(temporary);
    stream
        << "# Backend tests of ONNX that the compiler refuses, with its first "
           "diagnostic.\n"
           "# Every other one must pass. Written by ConformanceRunner "
           "--update.\n";
    for (const auto &[name, reason] : expectations)
      stream << name << ": " << reason << '\n';
    stream.close();
    if (!stream) {
      std::remove(temporary.c_str());
      return false;
    }
  }
  return std::rename(temporary.c_str(), path.c_str()) == 0;
}

std::optional<std::string>
brisk::conformance::findFault(const Expectations &expectations,
                              const std::string &name, const Result &result) {
  bool refusalKnown = expectations.count(name) != 0;
  switch (result.outcome) {
  case Outcome::Pass:
    if (!refusalKnown)
      return std::nullopt;
    return "passes, though the expectations list it as refused";
  case Outcome::Refused:
    if (refusalKnown)
      return std::nullopt;
    return "refused: " + result.detail;
  default:
    return std::string(outcomeName(result.outcome)) + ": " + result.detail;
  }
}
