//===- Target.cpp - The list of targets -----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Target/Target.h"
#include "TargetList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace brisk;

llvm::ArrayRef<const Target *> brisk::getTargets() {
  static const Target *const targets[] = {
      &getHostTarget(),          &getX86V2Target(),
      &getX86V3Target(),         &getX86V4Target(),
      &getCascadeLakeTarget(),   &getCooperLakeTarget(),
      &getAlderLakeTarget(),     &getSapphireRapidsTarget(),
      &getGraniteRapidsTarget(), &getAArch64Target(),
      &getCortexA76Target(),     &getNeoverseV1Target(),
      &getRiscV64Target(),       &getRiscV64VTarget(),
      &getCortexM4Target(),
  };
  return targets;
}

llvm::Expected<const Target *> brisk::findTarget(llvm::StringRef name) {
  auto names =
      llvm::map_range(getTargets(), [](const Target *each) -> llvm::StringRef {
        return each->name;
      });
  auto found = llvm::find(names, name);
  if (found != names.end())
    return *found.getCurrent();
  return llvm::createStringError("there is no target '" + name +
                                 "'; choose from " + llvm::join(names, ", "));
}
