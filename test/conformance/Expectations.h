//===- Expectations.h - What each conformance case should do ----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The outcome of a case, and the file of the cases that the compiler is known
// to refuse: lines `CASE: REASON`, sorted, with comments after `#`. A case that
// is not in the file must pass.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TEST_CONFORMANCE_EXPECTATIONS_H
#define BRISK_TEST_CONFORMANCE_EXPECTATIONS_H

#include <map>
#include <optional>
#include <string>

namespace brisk::conformance {

enum class Outcome {
  Pass,    ///< compiled, ran, and gave what is expected
  Refused, ///< the compiler said why it does not take the model
  Wrong,   ///< ran, but gave something else
  Crash,   ///< died in the compiler or in the model
  Hang     ///< exceeded the time limit
};

const char *outcomeName(Outcome outcome);

struct Result {
  Outcome outcome = Outcome::Crash;
  std::string detail; ///< the first diagnostic, the difference, or the signal
};

/// Known refusals: the reason by case.
using Expectations = std::map<std::string, std::string>;

/// Reads the file; one that does not exist is empty. On failure nothing is
/// returned and `error` says why.
std::optional<Expectations> readExpectations(const std::string &path,
                                             std::string &error);

/// Writes the file whole or not at all; false if that failed.
bool writeExpectations(const std::string &path,
                       const Expectations &expectations);

/// Why `result` is not what the file says, or nothing if it is. The reason of a
/// refusal may differ: that makes the file stale, not the result wrong.
std::optional<std::string> findFault(const Expectations &expectations,
                                     const std::string &name,
                                     const Result &result);

} // namespace brisk::conformance

#endif // BRISK_TEST_CONFORMANCE_EXPECTATIONS_H
