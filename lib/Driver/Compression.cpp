//===- Compression.cpp - Fewer weights, smaller numbers -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compression.h"
#include "CompileModule.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Quantization/DynamicQuantization.h"

#include <cmath>

using namespace mlir;
using namespace brisk;
using Files = std::vector<std::string>;

/// What is left of a goal for each of two steps that take half of it: decibels
/// for noise, and percents.
static void halveGoal(std::optional<double> &minSqnr,
                      std::optional<double> &maxDrop) {
  if (minSqnr)
    *minSqnr += 10 * std::log10(2);
  if (maxDrop)
    *maxDrop /= 2;
}

/// Makes weights zero, and does without what meets only zeros.
static FailureOr<Files> prune(ModuleOp module,
                              const CompressionContext &context) {
  context.report.begin("prune");
  if (failed(context.prepare()))
    return failure();
  PruningOptions pruning = *context.options.pruning;
  if (context.options.postTraining)
    halveGoal(pruning.minSqnr, pruning.maxDrop);
  auto result = pruneTrained(module, pruning, compileAndLoad);
  if (!result)
    return context.fail(result.takeError());
  Files files = result->files;
  context.report.setPruning(std::move(*result));
  if (failed(context.prepare()))
    return failure();
  return files;
}

/// An error for a model that is quantized already. To be asked before its
/// algebra is done, of which quantized weights may come out as floats.
static llvm::Error checkFloats(ModuleOp module) {
  auto find = [](Operation *op) {
    return isa<QuantizeOp, DequantizeOp>(op) ? WalkResult::interrupt()
                                             : WalkResult::advance();
  };
  if (!module.walk(find).wasInterrupted())
    return llvm::Error::success();
  return llvm::createStringError(
      "the model is quantized already; compile it without --quantize, or "
      "quantize the model that it was made of");
}

static FailureOr<Files> quantize(ModuleOp module,
                                 const CompressionContext &context) {
  const CompileOptions &options = context.options;
  context.report.begin(options.postTraining ? "calibrate"
                       : options.weightBits ? "quantize weights"
                                            : "quantize dynamically");
  if (llvm::Error error = checkFloats(module))
    return context.fail(std::move(error));
  if (failed(context.prepare()))
    return failure();
  if (options.weightBits) {
    context.report.setQuantization(
        quantizeWeights(module, *options.weightBits));
    return Files();
  }
  PostTrainingOptions postTraining =
      options.postTraining.value_or(PostTrainingOptions());
  if (options.pruning)
    halveGoal(postTraining.minSqnr, postTraining.maxDrop);
  auto result = options.postTraining
                    ? quantizeTrained(module, postTraining, compileAndLoad,
                                      estimateCycles)
                    : quantizeDynamically(module, estimateCycles);
  if (!result)
    return context.fail(result.takeError());
  Files files = result->files;
  context.report.setQuantization(std::move(*result));
  return files;
}

FailureOr<Files> brisk::compress(ModuleOp module,
                                 const CompressionContext &context) {
  const CompileOptions &options = context.options;
  FailureOr<Files> files = Files();
  if (options.pruning)
    files = prune(module, context);
  if (failed(files) || !(options.postTraining || options.weightBits ||
                         options.quantizesDynamically))
    return files;
  FailureOr<Files> others = quantize(module, context);
  if (failed(others))
    return failure();
  for (std::string &file : *others)
    if (!llvm::is_contained(*files, file))
      files->push_back(std::move(file));
  return files;
}
