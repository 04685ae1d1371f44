//===- RunModel.cpp - Runs of a model on files ----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunModel.h"

#include "Reference.h"
#include "brisk/Execution/Instance.h"
#include "brisk/Execution/NpyFile.h"
#include "brisk/Execution/TensorProtoFile.h"
#include "brisk/System/OutputFiles.h"
#include "brisk/System/Progress.h"
#include "brisk/System/Text.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <cstring>

using namespace llvm;
using namespace brisk::execution;

namespace brisk::tools {

static std::string fileName(unsigned index, OutputFormat format) {
  return std::to_string(index) + (format == OutputFormat::Npy ? ".npy" : ".pb");
}

static std::string inDirectory(StringRef directory, const Twine &file) {
  SmallString<256> path(directory);
  sys::path::append(path, file);
  return path.str().str();
}

static void writeIndex(raw_ostream &out, const brisk_model &model,
                       ArrayRef<Tensor> outputs, OutputFormat format) {
  json::Array list;
  for (auto [i, output] : enumerate(outputs))
    list.push_back(json::Object{{"index", i},
                                {"name", validUtf8(model.outputs[i].name)},
                                {"dtype", brisk_dtype_name(output.dtype)},
                                {"shape", json::Array(output.dims)},
                                {"file", fileName(i, format)}});
  out << formatv("{0:2}",
                 json::Value(json::Object{{"outputs", std::move(list)}}))
      << '\n';
}

static Error writeOutputs(const RunOptions &options, const brisk_model &model,
                          ArrayRef<Tensor> outputs, OutputFiles &files) {
  if (Error error = files.makeFolder(options.outputDir))
    return error;
  for (auto [i, output] : enumerate(outputs)) {
    auto write = [&](raw_ostream &out) -> Error {
      if (options.format == OutputFormat::Pb)
        return writeTensorProto(out, model.outputs[i].name, output.view());
      writeNpy(out, output.view());
      return Error::success();
    };
    if (Error error = files.write(
            inDirectory(options.outputDir, fileName(i, options.format)), write))
      return error;
  }
  return files.print(inDirectory(options.outputDir, "outputs.json"),
                     [&](raw_ostream &out) {
                       writeIndex(out, model, outputs, options.format);
                     });
}

/// Finds out before the work what cannot be written after it.
static Error checkOutputs(const RunOptions &options, const brisk_model &model,
                          OutputFiles &files) {
  for (unsigned i = 0; !options.outputDir.empty() && i < model.num_outputs; ++i)
    if (Error error = files.check(
            inDirectory(options.outputDir, fileName(i, options.format)),
            /*foldersToo=*/true))
      return error;
  return Error::success();
}

/// Tensors for the outputs of some runs: of samples, with an axis of them in
/// front.
static Expected<std::vector<Tensor>>
makeOutputs(const brisk_model &model, std::optional<uint64_t> samples) {
  std::vector<Tensor> outputs;
  for (const brisk_tensor &output :
       ArrayRef(model.outputs, model.num_outputs)) {
    SmallVector<int64_t> dims;
    if (samples)
      dims.push_back(*samples);
    append_range(dims, dimsOf(output));
    auto tensor = Tensor::create(output.dtype, dims);
    if (!tensor)
      return createStringError(Twine("output '") + output.name +
                               "': " + toString(tensor.takeError()));
    outputs.push_back(std::move(*tensor));
  }
  return outputs;
}

/// Runs once and puts the outputs at place `number` of the tensors.
static Error run(execution::Instance &instance, uint64_t number,
                 MutableArrayRef<Tensor> outputs) {
  auto ns = instance.run();
  if (!ns)
    return ns.takeError();
  for (auto [i, output] : enumerate(outputs))
    if (execution::TensorView view = instance.output(i); !view.data.empty())
      std::memcpy(output.data.data() + number * view.data.size(),
                  view.data.data(), view.data.size());
  return Error::success();
}

static Error runSamples(execution::Instance &instance, uint64_t samples,
                        MutableArrayRef<Tensor> outputs) {
  Progress progress("samples", samples);
  for (uint64_t i = 0; i < samples; ++i) {
    instance.loadSample(i);
    if (Error error = run(instance, i, outputs))
      return createStringError("sample " + Twine(i) + ": " +
                               toString(std::move(error)));
    progress.step();
  }
  return Error::success();
}

/// Finds out before the model is compiled what cannot be written after it.
static Error checkPaths(const RunOptions &options, OutputFiles &files) {
  if (!options.outputDir.empty())
    if (Error error =
            files.check(inDirectory(options.outputDir, "outputs.json"),
                        /*foldersToo=*/true))
      return error;
  return options.json.empty() ? Error::success() : files.check(options.json);
}

/// Reads the inputs; says how many samples they are, where they are any.
static Error readInputs(const RunOptions &options,
                        execution::Instance &instance,
                        std::optional<uint64_t> &samples) {
  if (options.samples)
    return instance.readSamples(options.inputs).moveInto(samples.emplace());
  if (Error error = instance.readInputs(options.inputs))
    return error;
  return instance.requireAllInputs();
}

/// Compares with the reference; an error where that is to be one.
static Error compare(const RunOptions &options, Reference &reference,
                     ArrayRef<Tensor> outputs, OutputFiles &files) {
  // What goes to standard output is alone there.
  raw_ostream &table = options.json == "-" ? errs() : outs();
  Error tooLow = reference.compare(outputs, table);
  if (options.json.empty())
    return tooLow;
  auto write = [&](raw_ostream &out) { reference.writeJson(out); };
  return joinErrors(std::move(tooLow), files.print(options.json, write));
}

Error runModel(const RunOptions &options) {
  OutputFiles files;
  if (Error error = checkPaths(options, files))
    return error;
  auto model = LoadedModel::open(options.model);
  if (!model)
    return model.takeError();
  if (Error error = checkOutputs(options, **model, files))
    return error;
  auto instance = execution::Instance::create(**model, options.threads);
  if (!instance)
    return instance.takeError();
  std::optional<uint64_t> samples;
  if (Error error = readInputs(options, *instance, samples))
    return error;
  auto outputs = makeOutputs(**model, samples);
  if (!outputs)
    return outputs.takeError();
  std::optional<Reference> reference;
  if (!options.reference.empty())
    if (Error error = Reference::read(options, **model, *outputs)
                          .moveInto(reference.emplace()))
      return error;
  if (Error error = samples ? runSamples(*instance, *samples, *outputs)
                            : run(*instance, 0, *outputs))
    return error;
  if (!options.outputDir.empty())
    if (Error error = writeOutputs(options, **model, *outputs, files))
      return error;
  // Which is told once everything is written.
  Error tooLow = reference ? compare(options, *reference, *outputs, files)
                           : Error::success();
  return joinErrors(std::move(tooLow), files.commit());
}

} // namespace brisk::tools
