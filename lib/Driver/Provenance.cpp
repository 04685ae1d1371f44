//===- Provenance.cpp - Where artifacts come from -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Provenance.h"
#include "brisk/Driver/ShapeFlags.h"
#include "brisk/Driver/Version.h"
#include "brisk/System/Sha256.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace brisk;
namespace fs = llvm::sys::fs;

std::string brisk::describeCompiler() {
  return ("Brisk " + getVersion()).str();
}

static std::string describeGoal(std::optional<double> minSqnr,
                                std::optional<double> maxDrop) {
  if (minSqnr)
    return llvm::formatv(" --min-sqnr={0}", *minSqnr).str();
  return maxDrop ? llvm::formatv(" --max-drop={0}", *maxDrop).str() : "";
}

/// Not the samples, which are files and have no name that means anything
/// elsewhere.
static std::string describePostTraining(const PostTrainingOptions &options) {
  std::string text = " --quantize=int8";
  if (options.calibrator)
    text += " --calibrator=" + getName(*options.calibrator).str();
  if (options.mixedPrecision == MixedPrecision::Off)
    text += " --mixed-precision=off";
  return text + describeGoal(options.minSqnr, options.maxDrop);
}

std::string brisk::describeFlags(const CompileOptions &options,
                                 llvm::StringRef target) {
  std::vector<std::string> values;
  for (const std::string &dim : formatDimFlags(options.dims))
    values.push_back(" --dim " + dim);
  for (const std::string &shape : formatShapeFlags(options.shapes))
    values.push_back(" --shape " + shape);
  // The files, as the model, are in the hash of what was read.
  for (auto [flag, file] : {std::pair(" --pre=", &options.pre),
                            std::pair(" --post=", &options.post)})
    if (!file->empty())
      values.push_back(flag + llvm::sys::path::filename(*file).str());
  if (options.pruning) {
    values.push_back(" --prune=" + describePattern(*options.pruning));
    if (!options.postTraining)
      values.push_back(
          describeGoal(options.pruning->minSqnr, options.pruning->maxDrop));
  }
  if (options.postTraining)
    values.push_back(describePostTraining(*options.postTraining));
  if (options.quantizesDynamically)
    values.push_back(" --quantize=dynamic");
  if (options.productType != ProductType::F32)
    values.push_back((" --quantize=" + getName(options.productType)).str());
  if (options.weightBits)
    values.push_back(" --quantize=weights" +
                     std::to_string(static_cast<int>(*options.weightBits)));
  return ("--target=" + target + (options.profile ? " --profile" : "") +
          llvm::join(values, ""))
      .str();
}

SourceHash::~SourceHash() {
  stopped = true;
  if (worker.joinable())
    worker.join();
}

void SourceHash::start(std::vector<std::string> paths) {
  worker =
      std::thread([this, paths = std::move(paths)] { fault = run(paths); });
}

llvm::Expected<std::string> SourceHash::get() {
  if (worker.joinable())
    worker.join();
  if (!fault.empty())
    return llvm::createStringError(fault);
  return digest;
}

/// Returns what went wrong.
std::string SourceHash::run(const std::vector<std::string> &paths) {
  Sha256 hash;
  std::vector<char> buffer(1 << 18);
  for (const std::string &path : paths) {
    auto refuse = [&](llvm::Error error) {
      return "cannot read '" + path + "': " + llvm::toString(std::move(error));
    };
    auto file = fs::openNativeFileForRead(path);
    if (!file)
      return refuse(file.takeError());
    size_t size = 1;
    while (size && !stopped) {
      auto got = fs::readNativeFile(*file, buffer);
      if (!got) {
        fs::closeFile(*file);
        return refuse(got.takeError());
      }
      size = *got;
      hash.update(
          llvm::arrayRefFromStringRef(llvm::StringRef(buffer.data(), size)));
    }
    fs::closeFile(*file);
  }
  digest = llvm::toHex(hash.final(), /*LowerCase=*/true);
  return "";
}
