//===- Addresses.cpp - Whether a model's memory can be addressed ----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Addresses.h"
#include "brisk/Dialect/AvailableMemory.h"
#include "brisk/System/Text.h"
#include "brisk/Target/Emission.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace brisk;

llvm::Error brisk::checkAddresses(const ModelInfo &model, const Target &target,
                                  llvm::StringRef path) {
  uint64_t limit = getDataLimit(target);
  if (model.weightsBytes > limit)
    return llvm::createStringError(
        llvm::formatv("has {0} bytes of weights, and code for target '{1}' "
                      "reaches {2}; use a smaller model",
                      model.weightsBytes, target.name, limit)
            .str());
  uint64_t tensors = sumBytes(model.inputs) + sumBytes(model.outputs);
  uint64_t total = tensors + model.arenaBytes + model.weightsBytes;
  std::string needs =
      llvm::formatv("needs {0} bytes of memory ({1} arena, {2} weights, {3} "
                    "inputs and outputs)",
                    total, model.arenaBytes, model.weightsBytes, tensors)
          .str();
  if (target.platform.indexBits == 32 &&
      total > std::numeric_limits<uint32_t>::max())
    return llvm::createStringError(
        needs + ", more than target '" + target.name +
        "' addresses; use smaller input shapes or a smaller model");
  uint64_t machine = getMachineMemory();
  if (target.platform.hosted && machine && total > machine)
    llvm::errs() << printable(path) << ": warning: " << needs
                 << ", and this machine has " << machine << '\n';
  return llvm::Error::success();
}
