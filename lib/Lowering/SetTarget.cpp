//===- SetTarget.cpp - Say which machine a module is for ------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Lowering/Passes.h"
#include "brisk/Target/ModuleTarget.h"

namespace brisk {
#define GEN_PASS_DEF_SETTARGET
#include "brisk/Lowering/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

namespace {
struct SetTarget : brisk::impl::SetTargetBase<SetTarget> {
  using SetTargetBase::SetTargetBase;

  /// `--set-target=NAME` is `--set-target=name=NAME`.
  LogicalResult initializeOptions(
      StringRef options,
      function_ref<LogicalResult(const Twine &)> errorHandler) override {
    bool isName = !options.empty() && !options.contains('=');
    return SetTargetBase::initializeOptions(
        isName ? ("name=" + options).str() : options.str(), errorHandler);
  }

  void runOnOperation() override {
    if (!setTarget(getOperation(), name))
      signalPassFailure();
  }
};
} // namespace
