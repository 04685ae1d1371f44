//===- ModelFlags.cpp - Flags that tools which run models share -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelFlags.h"

#include "Table.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace llvm;

namespace brisk::tools {

void forgetLibraryFlags() {
  SmallVector<cl::Option *> foreign;
  for (auto &entry : cl::getRegisteredOptions())
    if (entry.second->Categories.front()->getName() != "Generic Options")
      foreign.push_back(entry.second);
  for (cl::Option *option : foreign)
    option->removeArgument();
}

ModelFlags::ModelFlags(cl::OptionCategory &category)
    : model(cl::Positional, cl::Required, cl::desc("MODEL"),
            cl::value_desc("MODEL"), cl::cat(category)),
      shapes("shape",
             cl::desc("Shape of a model input; repeatable, source models only"),
             cl::value_desc("NAME=1x3x224x224|NAME=scalar"), cl::cat(category)),
      dims("dim",
           cl::desc("Value of a symbolic dimension; repeatable, source models "
                    "only"),
           cl::value_desc("NAME=N"), cl::cat(category)),
      inputs("input",
             cl::desc("Value of a model input, from a NumPy file or an ONNX "
                      "TensorProto file; repeatable"),
             cl::value_desc("NAME=F.npy|NAME=F.pb"), cl::cat(category)),
      threads("threads", cl::desc("Threads to run on (default 1)"),
              cl::value_desc("N"), cl::init(1), cl::cat(category)) {}

ModelRequest ModelFlags::request(bool profile) const {
  ModelRequest request;
  request.path = model;
  request.shapes.assign(shapes.begin(), shapes.end());
  request.dims.assign(dims.begin(), dims.end());
  request.profile = profile;
  return request;
}

Error ModelFlags::check() const {
  if (threads < 1 || threads > 1024)
    return failure("--threads=" + Twine(threads) + ": expected 1 to 1024");
  return Error::success();
}

void parseCommandLine(int argc, char **argv, cl::OptionCategory &category,
                      StringRef overview) {
  // A closed pipe is an error to report like a full disk.
  std::signal(SIGPIPE, SIG_IGN);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](raw_ostream &out) {
    out << "Brisk " BRISK_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  cl::ParseCommandLineOptions(argc, argv, overview);
}

int exitCode(Error error, StringRef tool) {
  if (!error)
    return 0;
  WithColor::error(errs(), tool)
      << printable(toString(std::move(error))) << '\n';
  return 1;
}

} // namespace brisk::tools
