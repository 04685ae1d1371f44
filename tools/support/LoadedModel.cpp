//===- LoadedModel.cpp - A model from its source or a shared library ------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoadedModel.h"

#include "brisk/Driver/Compile.h"
#include "brisk/Driver/ShapeFlags.h"
#include "brisk/System/InputFile.h"
#include "brisk/System/ScratchFolder.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace brisk::tools {

static double millisecondsSince(uint64_t start) {
  return static_cast<double>(brisk_clock_ns(nullptr) - start) * 1e-6;
}

/// Whether the file is something for the loader, by its name or what it begins
/// with: objects and the like are, for it says what they are.
static bool isLibrary(StringRef path) {
  if (sys::path::extension(path) == ".so")
    return true;
  auto content = readInputFile(path);
  if (content) {
    file_magic magic = identify_magic((*content)->getBuffer());
    return magic >= file_magic::archive && magic <= file_magic::elf_core;
  }
  consumeError(content.takeError()); // the compiler says what is wrong
  return false;
}

Expected<LoadedModel> LoadedModel::load(const std::string &path) {
  uint64_t start = brisk_clock_ns(nullptr);
  auto library = execution::Library::open(path);
  if (!library)
    return library.takeError();
  LoadedModel model(std::move(*library));
  model.loadMs = millisecondsSince(start);
  return model;
}

static Error compileTo(const std::string &output, const ModelRequest &request) {
  CompileOptions options;
  options.input = request.path;
  options.output = output;
  options.emit = Emit::Shared;
  options.profile = request.profile;
  options.progress = sys::Process::StandardErrIsDisplayed();
  std::string reason;
  for (const std::string &shape : request.shapes)
    if (!parseShapeFlag(shape, options.shapes, reason))
      return createStringError("--shape=" + shape + ": " + reason);
  for (const std::string &dim : request.dims)
    if (!parseDimFlag(dim, options.dims, reason))
      return createStringError("--dim=" + dim + ": " + reason);
  if (failed(compile(options)))
    return createStringError("'" + request.path + "' was not compiled");
  return Error::success();
}

Expected<LoadedModel> LoadedModel::open(const ModelRequest &request) {
  if (isLibrary(request.path)) {
    if (!request.shapes.empty() || !request.dims.empty())
      return createStringError(
          "'" + request.path +
          "' is compiled, so its shapes are fixed; --shape and "
          "--dim go with a model's source");
    auto model = load(request.path);
    if (model && request.profile && !(*model)->profiled)
      return createStringError(
          "'" + request.path +
          "' was compiled without --profile; compile it again with "
          "briskc --emit=shared --profile");
    return model;
  }
  auto folder = ScratchFolder::create();
  if (!folder)
    return folder.takeError();
  std::string output = folder->path("model.so");
  uint64_t start = brisk_clock_ns(nullptr);
  if (Error error = compileTo(output, request))
    return std::move(error);
  double compileMs = millisecondsSince(start);
  auto model = load(output);
  if (model)
    model->compileMs = compileMs;
  return model; // a loaded library needs its file no more
}

} // namespace brisk::tools
