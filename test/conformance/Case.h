//===- Case.h - A case of ONNX's backend tests ------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What generate.py wrote of a case, and whether its compiled model computes
// that.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TEST_CONFORMANCE_CASE_H
#define BRISK_TEST_CONFORMANCE_CASE_H

#include "Expectations.h"

#include "brisk/host.h"

#include <string>
#include <vector>

namespace brisk::conformance {

/// A line of the manifest.
struct Case {
  std::string name;
  std::string folder; ///< the model and its tensors
  double rtol, atol;
  int opset, numInputs, numOutputs;
  bool tensors; ///< whether all values are tensors
};

/// Appends the cases of the folder `data` that generate.py wrote; false if its
/// manifest is missing, damaged or empty.
bool readManifest(const std::string &data, std::vector<Case> &cases);

/// Runs a case's compiled model on the case's inputs, between fences and twice,
/// and compares its outputs with the case's.
Result runModel(const Case &c, const brisk_model &model);

} // namespace brisk::conformance

#endif // BRISK_TEST_CONFORMANCE_CASE_H
