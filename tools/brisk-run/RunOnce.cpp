//===- RunOnce.cpp - One run of a model -----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunOnce.h"

#include "brisk/Execution/Instance.h"
#include "brisk/Execution/NpyFile.h"
#include "brisk/Execution/TensorProtoFile.h"
#include "brisk/System/OutputFiles.h"
#include "brisk/System/Text.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

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
                       OutputFormat format) {
  json::Array outputs;
  for (unsigned i = 0; i < model.num_outputs; ++i) {
    const brisk_tensor &tensor = model.outputs[i];
    outputs.push_back(
        json::Object{{"index", i},
                     {"name", validUtf8(tensor.name)},
                     {"dtype", brisk_dtype_name(tensor.dtype)},
                     {"shape", json::Array(execution::dimsOf(tensor))},
                     {"file", fileName(i, format)}});
  }
  out << formatv("{0:2}",
                 json::Value(json::Object{{"outputs", std::move(outputs)}}))
      << '\n';
}

static Error writeOutputs(const RunOptions &options, const brisk_model &model,
                          const execution::Instance &instance,
                          OutputFiles &files) {
  if (Error error = files.makeFolder(options.outputDir))
    return error;
  for (unsigned i = 0; i < model.num_outputs; ++i) {
    auto write = [&](raw_ostream &out) -> Error {
      if (options.format == OutputFormat::Pb)
        return execution::writeTensorProto(out, model.outputs[i].name,
                                           instance.output(i));
      execution::writeNpy(out, instance.output(i));
      return Error::success();
    };
    if (Error error = files.write(
            inDirectory(options.outputDir, fileName(i, options.format)), write))
      return error;
  }
  if (Error error = files.print(
          inDirectory(options.outputDir, "outputs.json"),
          [&](raw_ostream &out) { writeIndex(out, model, options.format); }))
    return error;
  return files.commit();
}

Error runOnce(const RunOptions &options) {
  OutputFiles files;
  std::string index = inDirectory(options.outputDir, "outputs.json");
  if (Error error = files.check(index, /*foldersToo=*/true))
    return error;
  auto model = LoadedModel::open(options.model);
  if (!model)
    return model.takeError();
  for (unsigned i = 0; i < (*model)->num_outputs; ++i)
    if (Error error = files.check(
            inDirectory(options.outputDir, fileName(i, options.format)),
            /*foldersToo=*/true))
      return error;
  auto instance = execution::Instance::create(**model, options.threads);
  if (!instance)
    return instance.takeError();
  if (Error error = instance->readInputs(options.inputs))
    return error;
  if (Error error = instance->requireAllInputs())
    return error;
  auto ns = instance->run();
  if (!ns)
    return ns.takeError();
  return writeOutputs(options, **model, *instance, files);
}

} // namespace brisk::tools
