//===- CpuFeatures.cpp - What code needs of a CPU -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Target/Emission.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace brisk;

static constexpr llvm::StringLiteral x86Features[] = {
#define BRISK_X86_FEATURE(NAME, LEAF, SUBLEAF, REGISTER, MASK, LEAST, STATE)   \
  NAME,
#include "brisk/cpu_features.def"
};

static constexpr llvm::StringLiteral aarch64Features[] = {
#define BRISK_AARCH64_FEATURE(NAME, WORD, BIT) NAME,
#include "brisk/cpu_features.def"
};

static constexpr llvm::StringLiteral riscvFeatures[] = {
#define BRISK_RISCV_FEATURE(NAME, LETTER) NAME,
#include "brisk/cpu_features.def"
};

llvm::Expected<std::string> brisk::listCpuFeatures(const Target &target) {
  initializeCodegen();
  auto machine = createMachine(target);
  if (!machine)
    return machine.takeError();
  const llvm::Triple &triple = (*machine)->getTargetTriple();
  llvm::ArrayRef<llvm::StringLiteral> known;
  if (triple.isX86())
    known = x86Features;
  else if (triple.isAArch64())
    known = aarch64Features;
  else if (triple.isRISCV())
    known = riscvFeatures;
  const llvm::MCSubtargetInfo *subtarget = (*machine)->getMCSubtargetInfo();
  auto needed = llvm::make_filter_range(known, [&](llvm::StringRef name) {
    return subtarget->checkFeatures(("+" + name).str());
  });
  return llvm::join(needed, ",");
}
