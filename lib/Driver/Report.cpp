//===- Report.cpp - Where compile time and memory went --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/resource.h>

using namespace brisk;

/// Most memory that the process has held so far, in bytes.
static uint64_t getPeakBytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

Report::Report(bool progress) : progress(progress) {}

void Report::begin(llvm::StringRef stage) {
  end();
  stages.push_back({stage.str(), 0, 0});
  started = std::chrono::steady_clock::now();
  running = true;
  if (progress)
    llvm::errs() << llvm::format("%-8s", stage.str().c_str());
}

void Report::end() {
  if (!running)
    return;
  running = false;
  Stage &stage = stages.back();
  stage.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started)
          .count();
  stage.peakBytes = getPeakBytes();
  if (progress)
    llvm::errs() << llvm::format("%8.2f s  %6.0f MB\n", stage.seconds,
                                 stage.peakBytes / 1e6);
}

llvm::json::Value Report::toJson(const ModelInfo &model,
                                 const PackageSizes *sizes) const {
  llvm::json::Array list;
  double total = 0;
  for (const Stage &stage : stages) {
    list.push_back(llvm::json::Object{{"name", stage.name},
                                      {"seconds", stage.seconds},
                                      {"peak_bytes", stage.peakBytes}});
    total += stage.seconds;
  }
  llvm::json::Array ops;
  for (OpInfoAttr op : model.ops)
    ops.push_back(llvm::json::Object{{"name", getCleanName(op.getName())},
                                     {"type", op.getType().getValue()},
                                     {"kernel", op.getKernel().getValue()},
                                     {"flops", op.getFlops()},
                                     {"bytes", op.getBytes()}});
  llvm::json::Object result{{"version", 1},
                            {"model", model.name},
                            {"target", model.target},
                            {"stages", std::move(list)},
                            {"total_seconds", total},
                            {"peak_bytes", getPeakBytes()},
                            {"arena_bytes", model.arenaBytes},
                            {"worker_bytes", model.workerBytes},
                            {"weights_bytes", model.weightsBytes},
                            {"ops", std::move(ops)}};
  if (sizes) {
    result["code_bytes"] = sizes->codeBytes;
    result["data_bytes"] = sizes->dataBytes;
    result["stack_bytes"] = sizes->stackBytes;
  }
  return result;
}
