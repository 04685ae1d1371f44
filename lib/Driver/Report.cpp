//===- Report.cpp - Where compile time and memory went --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "brisk/System/Text.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
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

/// A figure in dB; null where nothing differs, which has no number.
static llvm::json::Value toDecibels(std::optional<double> value) {
  if (!value || !std::isfinite(*value))
    return nullptr;
  return *value;
}

/// Estimated cycles, of which fractions mean nothing.
static llvm::json::Value toCycles(std::optional<double> value) {
  if (!value)
    return nullptr;
  return static_cast<int64_t>(std::llround(*value));
}

static llvm::json::Value toJson(const QuantizationReport &report) {
  llvm::json::Array layers;
  uint64_t all = 0, inBytes = 0;
  for (const QuantizationReport::Layer &layer : report.layers) {
    llvm::json::Object object{
        {"name", validUtf8(layer.name)},
        {"multiply_adds", layer.multiplyAdds},
        {"type", layer.isBytes ? "int8" : "float32"},
        {"sqnr_alone", toDecibels(layer.alone)},
        {"sqnr_accumulated", toDecibels(layer.accumulated)},
        {"cycles_won", toCycles(layer.cyclesWon)}};
    if (!layer.reason.empty())
      object["reason"] = layer.reason;
    if (layer.isEqualized)
      object["equalized"] = true;
    layers.push_back(std::move(object));
    all += layer.multiplyAdds;
    inBytes += layer.isBytes ? layer.multiplyAdds : 0;
  }
  return llvm::json::Object{{"samples", report.samples},
                            {"multiply_adds", all},
                            {"int8_multiply_adds", inBytes},
                            {"sqnr_all_int8", toDecibels(report.allBytes)},
                            {"sqnr", toDecibels(report.chosen)},
                            {"cycles_float32", toCycles(report.cyclesOfFloats)},
                            {"cycles_all_int8", toCycles(report.cyclesOfBytes)},
                            {"cycles", toCycles(report.cyclesChosen)},
                            {"layers", std::move(layers)}};
}

static llvm::json::Value toJson(const WeightReport &report) {
  llvm::json::Array layers;
  uint64_t floatBytes = 0, bytes = 0;
  for (const WeightReport::Layer &layer : report.layers) {
    constexpr int64_t bitsOfFloat = 32;
    std::string type = (layer.bits == bitsOfFloat ? "float" : "int") +
                       std::to_string(layer.bits);
    llvm::json::Object object{{"name", validUtf8(layer.name)},
                              {"type", type},
                              {"float_bytes", layer.floatBytes},
                              {"bytes", layer.bytes},
                              {"sqnr", toDecibels(layer.sqnr)}};
    if (!layer.reason.empty())
      object["reason"] = layer.reason;
    layers.push_back(std::move(object));
    floatBytes += layer.floatBytes;
    bytes += layer.bytes;
  }
  return llvm::json::Object{{"float_bytes", floatBytes},
                            {"bytes", bytes},
                            {"layers", std::move(layers)}};
}

static llvm::json::Value toJson(const PruningReport &report) {
  llvm::json::Array layers;
  uint64_t weights = 0, zeros = 0;
  for (const PruningReport::Layer &layer : report.layers) {
    llvm::json::Object object{{"name", validUtf8(layer.name)},
                              {"weights", layer.weights},
                              {"zeros", layer.zeros},
                              {"sqnr_alone", toDecibels(layer.alone)}};
    if (!layer.reason.empty())
      object["reason"] = layer.reason;
    layers.push_back(std::move(object));
    weights += layer.weights;
    zeros += layer.zeros;
  }
  return llvm::json::Object{{"samples", report.samples},
                            {"weights", weights},
                            {"zeros", zeros},
                            {"sqnr", toDecibels(report.sqnr)},
                            {"layers", std::move(layers)}};
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
                                     {"bytes", op.getBytes()},
                                     {"phase", stringifyPhase(op.getPhase())}});
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
  if (pruning)
    result["pruning"] = ::toJson(*pruning);
  if (quantization)
    result["quantization"] = ::toJson(*quantization);
  if (weights)
    result["quantization"] = ::toJson(*weights);
  if (sizes) {
    result["code_bytes"] = sizes->codeBytes;
    result["data_bytes"] = sizes->dataBytes;
    result["stack_bytes"] = sizes->stackBytes;
  }
  return result;
}
