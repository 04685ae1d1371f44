//===- Tool.cpp - What every tool begins and ends with --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tool.h"

#include "brisk/Driver/Version.h"
#include "brisk/System/OutputFiles.h"
#include "brisk/System/Signals.h"
#include "brisk/System/Text.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

using namespace llvm;

namespace brisk::tools {

/// Unregisters the flags that the libraries of LLVM bring along, --threads
/// among them, but for --help and --version.
static void forgetLibraryFlags() {
  SmallVector<cl::Option *> foreign;
  for (auto &entry : cl::getRegisteredOptions())
    if (entry.second->Categories.front()->getName() != "Generic Options")
      foreign.push_back(entry.second);
  for (cl::Option *option : foreign)
    option->removeArgument();
}

/// LLVM's streams abort the program if they hold an error at its end.
static void closeStreams() {
  Error error = finishStdout();
  bool failed = static_cast<bool>(error);
  if (failed)
    errs() << "error: " << toString(std::move(error)) << '\n';
  (void)takeError(errs());
  if (failed)
    _exit(1);
}

static int &prepare(int &argc) {
  cleanUpOnSignals(); // before LLVM's handlers
  // A file must not take the place of a stream that is closed.
  if (sys::Process::FixupStandardFileDescriptors())
    _exit(1);
  // A limit on the size of files is an error to report, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  // Before the streams are destroyed, which are made first.
  outs();
  errs();
  std::atexit(closeStreams);
  return argc;
}

Tool::Tool(int &argc, char **&argv)
    : argc(prepare(argc)), argv(argv),
      init(argc, argv, /*InstallPipeSignalExitHandler=*/false) {
  forgetLibraryFlags();
}

void Tool::parseCommandLine(cl::OptionCategory &category, StringRef overview) {
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(printVersion);
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
