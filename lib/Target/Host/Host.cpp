//===- Host.cpp - The machine that compiles -------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/TargetParser/Host.h"
#include "../TargetList.h"
#include "brisk/Target/Emission.h"
#include "brisk/Target/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

using namespace brisk;

/// The features by which this machine's CPU differs from what LLVM takes CPUs
/// of its name to have, a hypervisor having hidden some.
static std::string findDifferences(const CodegenInfo &info,
                                   const llvm::StringMap<bool> &features) {
  initializeCodegen();
  llvm::Triple triple(info.triple);
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  assert(target && "this machine's own code generator is linked in");
  std::unique_ptr<llvm::MCSubtargetInfo> usual(
      target->createMCSubtargetInfo(triple, info.cpu, ""));
  // In the order of the names.
  std::vector<std::string> differences;
  for (const llvm::SubtargetFeatureKV &known :
       usual->getAllProcessorFeatures()) {
    auto found = features.find(known.Key);
    if (found != features.end() &&
        found->second != usual->getFeatureBits().test(known.Value))
      differences.push_back((found->second ? "+" : "-") +
                            std::string(known.Key));
  }
  return llvm::join(differences, ",");
}

namespace {
/// This machine, with all that its CPU has.
class Host : public Target {
public:
  Host() : features(llvm::sys::getHostCPUFeatures()) {
    info.triple = llvm::sys::getDefaultTargetTriple();
    info.cpu = llvm::sys::getHostCPUName();
    features["prefer-256-bit"] = false;
    info.features = findDifferences(info, features);
    info.linker = {"cc"};
  }

  llvm::StringRef getName() const override { return "host"; }
  llvm::StringRef getDescription() const override {
    return "the machine that compiles, with all that its CPU has";
  }
  bool isNameEnough() const override { return false; }
  Isa getIsa() const override {
    auto has = [&](std::initializer_list<llvm::StringRef> names) {
      return llvm::all_of(
          names, [&](llvm::StringRef name) { return features.lookup(name); });
    };
    if (llvm::Triple(info.triple).isAArch64())
      return getAArch64Target().getIsa();
    if (has({"f16c", "avx512f", "avx512bw", "avx512dq", "avx512vl"}))
      return getX86V4Target().getIsa();
    if (has({"avx2", "fma", "f16c"}))
      return getX86V3Target().getIsa();
    return getX86V2Target().getIsa();
  }
  CodegenInfo getCodegenInfo() const override { return info; }

private:
  llvm::StringMap<bool> features;
  CodegenInfo info;
};
} // namespace

const Target &brisk::getHostTarget() {
  static const Host target;
  return target;
}
