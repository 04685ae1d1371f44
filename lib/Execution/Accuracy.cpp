//===- Accuracy.cpp - How near values are to a reference ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/Accuracy.h"

#include <limits>

using namespace brisk::execution;

static constexpr double infinity = std::numeric_limits<double>::infinity();

double Deviation::getSqnr() const {
  if (noise == 0)
    return infinity;
  if (signal == 0 || std::isinf(noise))
    return -infinity;
  return static_cast<double>(10 * std::log10(signal / noise));
}
