//===- CpuFeatures.h - What code needs of a CPU
//-----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TARGET_CPUFEATURES_H
#define BRISK_TARGET_CPUFEATURES_H

#include "brisk/Target/Target.h"
#include "llvm/Support/Error.h"

namespace brisk {

/// What code made for a target may use beyond what every CPU of its kind has:
/// names of brisk/cpu_features.def, separated by commas.
llvm::Expected<std::string> listCpuFeatures(const CodegenInfo &info);

} // namespace brisk

#endif // BRISK_TARGET_CPUFEATURES_H
