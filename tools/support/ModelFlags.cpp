//===- ModelFlags.cpp - Flags that tools which run models share -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelFlags.h"

#include "Table.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdlib>

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
  // A closed pipe and a limit on the size of files are errors to report, like a
  // full disk. This replaces the handlers that InitLLVM has set.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](raw_ostream &out) {
    out << "Brisk " BRISK_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  std::string text;
  raw_string_ostream stream(text);
  if (cl::ParseCommandLineOptions(argc, argv, overview, &stream))
    return;
  // What is wrong with a single flag is printed by then.
  StringRef tool = sys::path::filename(argv[0]);
  if (text.empty())
    text = "the flags are wrong; see --help";
  for (StringRef line : split(StringRef(text).rtrim(), '\n')) {
    line.consume_front(tool);
    line.consume_front(": ");
    WithColor::error(errs(), tool) << printable(line.str()) << '\n';
  }
  std::exit(1);
}

int exitCode(Error error, StringRef tool) {
  if (!error)
    return 0;
  WithColor::error(errs(), tool)
      << printable(toString(std::move(error))) << '\n';
  return 1;
}

} // namespace brisk::tools
