//===- RunTool.cpp - Running linkers --------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/RunTool.h"
#include "Ending.h"
#include "brisk/System/Signals.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace brisk;

/// What brings a program along on Debian and its kin.
static std::string getPackage(StringRef program) {
  if (program == "ld.lld-22")
    return "lld-22";
  if (program == "cc")
    return "gcc";
  if (program.ends_with("-gcc")) // of another machine: x86_64 is x86-64 here
    return "gcc-" + join(split(program.drop_back(4), '_'), "-");
  return "";
}

/// The first lines that a program printed, but not how it crashed.
static std::string getExcerpt(StringRef log) {
  constexpr size_t most = 5;
  log = log.take_front(log.find("PLEASE submit a bug report"));
  log = log.take_front(log.find("Stack dump:"));
  SmallVector<StringRef> lines;
  log.trim().split(lines, '\n');
  std::string text = join(ArrayRef(lines).take_front(most), "\n");
  if (lines.size() > most)
    text += "\n(and " + std::to_string(lines.size() - most) + " lines more)";
  return text;
}

Error brisk::runTool(ArrayRef<std::string> command,
                     const ScratchFolder &folder) {
  const std::string &name = command.front();
  ErrorOr<std::string> program = sys::findProgramByName(name);
  if (!program) {
    std::string package = getPackage(name);
    return createStringError(
        "'" + name + "' is not installed" +
        (package.empty()
             ? ""
             : "; on Debian and Ubuntu it is in package '" + package + "'"));
  }
  cleanUpOnSignals();
  std::string log = folder.path("log");
  std::vector<StringRef> arguments(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(log),
                                          StringRef(log)};
  std::string message;
  bool failed = false;
  // In a process group of its own, to be ended with all that it starts.
  sys::ProcessInfo process = sys::ExecuteNoWait(
      *program, arguments, std::nullopt, redirects, /*MemoryLimit=*/0, &message,
      &failed, /*AffinityMask=*/nullptr, /*DetachProcess=*/true);
  if (failed)
    return createStringError("cannot run '" + name + "': " + message);
  endChildOnSignal(process.Pid);
  int status =
      sys::Wait(process, /*SecondsToWait=*/std::nullopt, &message).ReturnCode;
  endChildOnSignal(0);
  if (status == 0)
    return Error::success();
  std::string output;
  if (auto text = MemoryBuffer::getFile(log))
    output = getExcerpt((*text)->getBuffer());
  // Where it crashed, what it printed is about that.
  if (!message.empty())
    output = message;
  return createStringError("'" + name + "' failed: " + output);
}
