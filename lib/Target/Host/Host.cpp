//===- Host.cpp - The machine that compiles -------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Target/Host.h"
#include "../TargetList.h"
#include "brisk/Target/Emission.h"
#include "brisk/Target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

extern "C" {
#include "cpu_features.h"
}
#include <array>

using namespace brisk;

/// CPUs that start two 512-bit multiply-adds a cycle; others join two units of
/// half the width for one.
static bool hasTwoWideUnits(llvm::StringRef cpu) {
  return llvm::StringSwitch<bool>(cpu)
      .Cases({"skylake-avx512", "cascadelake", "cooperlake", "icelake-server",
              "sapphirerapids", "emeraldrapids", "graniterapids",
              "graniterapids-d", "diamondrapids", "znver5"},
             true)
      .Default(false);
}

static Isa describeX86(llvm::StringRef cpu,
                       const llvm::StringMap<bool> &features) {
  auto has = [&](std::initializer_list<llvm::StringRef> names) {
    return llvm::all_of(
        names, [&](llvm::StringRef name) { return features.lookup(name); });
  };
  if (!has({"avx2", "fma", "f16c"})) {
    Isa isa = getX86V2Target().isa;
    if (!has({"sse4.1"})) // as on some virtual CPUs
      llvm::erase_if(isa.operations, [](const Isa::Support &support) {
        return support.operation == Isa::Operation::Rounding;
      });
    return isa;
  }
  if (!has({"avx512f", "avx512bw", "avx512dq", "avx512vl"})) {
    Isa isa = getX86V3Target().isa;
    if (has({"avxvnni"}))
      addVnni(isa);
    return isa;
  }
  Isa isa = getX86V4Target().isa;
  if (has({"avx512vnni"}))
    addVnni(isa);
  if (has({"avx512bf16"}))
    addBf16(isa);
  if (has({"avx512vbmi"}))
    addByteLookup(isa);
  if (hasTwoWideUnits(cpu))
    addSecondUnit(isa);
  if (has({"amx-tile"}))
    addTiles(isa, has({"amx-int8"}), has({"amx-bf16"}), has({"amx-fp16"}));
  return isa;
}

static Isa describeAArch64(const llvm::StringMap<bool> &features) {
  Isa isa = getAArch64Target().isa;
  if (features.lookup("dotprod"))
    addDotProducts(isa, features.lookup("i8mm"));
  if (features.lookup("bf16"))
    addBf16DotProducts(isa);
  if (features.lookup("sve"))
    addScalableRegisters(isa);
  return isa;
}

Isa brisk::describeCpu(const llvm::Triple &triple, llvm::StringRef cpu,
                       const llvm::StringMap<bool> &features) {
  if (triple.isX86())
    return describeX86(cpu, features);
  if (triple.isAArch64())
    return describeAArch64(features);
  if (triple.isRISCV64())
    return (features.lookup("v") ? getRiscV64VTarget() : getRiscV64Target())
        .isa;
  // Scalars, and a product that is a multiplication and an addition.
  using enum Scalar;
  Isa isa;
  isa.products = {{F32, F32, F32, 1, 1, 1, 1, 4, /*fused=*/false},
                  {F64, F64, F64, 1, 1, 1, 1, 4, /*fused=*/false}};
  isa.operations = {{Isa::Operation::Arithmetic, {F32, F64}}};
  return isa;
}

/// A number, or a size such as "32K"; 0 for what is neither.
static int64_t parseNumber(llvm::StringRef text) {
  int64_t value = 0;
  if (text.consumeInteger(10, value) || value < 0)
    return 0;
  return text == "K" ? value << 10 : text == "M" ? value << 20 : value;
}

void brisk::readCaches(llvm::StringRef folder, Isa &isa) {
  for (unsigned index = 0;; ++index) {
    auto read = [&](const char *name) -> std::string {
      // As a stream: /sys gives all its files for 4096 bytes long.
      auto file = llvm::MemoryBuffer::getFileAsStream(
          folder + "/index" + llvm::Twine(index) + "/" + name);
      return file ? (*file)->getBuffer().trim().str() : "";
    };
    std::string type = read("type");
    if (type.empty())
      return;
    int64_t level = parseNumber(read("level"));
    if (type == "Instruction" || level < 1 ||
        level > static_cast<int64_t>(isa.caches.size()))
      continue;
    Isa::Cache cache = isa.caches[level - 1];
    cache.bytes = parseNumber(read("size"));
    if (int64_t ways = parseNumber(read("ways_of_associativity")))
      cache.ways = ways;
    if (int64_t lineBytes = parseNumber(read("coherency_line_size")))
      cache.lineBytes = lineBytes;
    // A way holds a line at least, or this is no cache's description.
    if (cache.bytes / cache.ways >= cache.lineBytes)
      isa.caches[level - 1] = cache;
  }
}

/// The features by which this machine's CPU differs from what LLVM takes CPUs
/// of its name to have, a hypervisor having hidden some. What the machine does
/// not say is added to `features`, as usual.
static std::string findDifferences(const Target &host,
                                   llvm::StringMap<bool> &features) {
  initializeCodegen();
  // This machine's own code generator is linked in.
  auto machine = llvm::cantFail(createMachine(host));
  const llvm::MCSubtargetInfo *usual = machine->getMCSubtargetInfo();
  // In the order of the names.
  std::vector<std::string> differences;
  for (const llvm::SubtargetFeatureKV &known :
       usual->getAllProcessorFeatures()) {
    bool isUsual = usual->getFeatureBits().test(known.Value);
    bool isThere = features.try_emplace(known.Key, isUsual).first->second;
    if (isThere != isUsual)
      differences.push_back((isThere ? "+" : "-") + std::string(known.Key));
  }
  return llvm::join(differences, ",");
}

/// Takes from `features` those that the runtime would refuse to run code with,
/// as where Linux does not grant this process the use of tiles.
static void leaveOutRefused(Target host, llvm::StringMap<bool> &features) {
  host.features = findDifferences(host, features);
  std::string needed = llvm::cantFail(listCpuFeatures(host));
  std::array<char, 512> missing;
  if (!brisk_missing_cpu_features(needed.c_str(), missing.data(),
                                  missing.size()))
    return;
  for (llvm::StringRef name :
       llvm::split(llvm::StringRef(missing.data()), ", "))
    features[name] = false;
}

static Target makeHost() {
  Target host = {.name = "host",
                 .description =
                     "the machine that compiles, with all that its CPU has",
                 .platform = {.triple = llvm::sys::getDefaultTargetTriple(),
                              .driver = {"cc"}},
                 .cpu = llvm::sys::getHostCPUName().str(),
                 .isNameEnough = false};
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  llvm::Triple triple(host.platform.triple);
  if (triple.isX86()) // LLVM would keep to 256 bits on some AVX-512 CPUs.
    features["prefer-256-bit"] = false;
  leaveOutRefused(host, features);
  host.features = findDifferences(host, features);
  host.isa = describeCpu(triple, host.cpu, features);
  readCaches("/sys/devices/system/cpu/cpu0/cache", host.isa);
  return host;
}

const Target &brisk::getHostTarget() {
  static const Target target = makeHost();
  return target;
}
