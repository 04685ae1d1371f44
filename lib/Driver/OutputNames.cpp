//===- OutputNames.cpp - Where a compilation writes -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputNames.h"
#include "brisk/Import/ModelName.h"
#include "brisk/System/OutputFiles.h"
#include "llvm/Support/Path.h"

using namespace brisk;
namespace path = llvm::sys::path;

/// The name of a library without what says that it is one.
static llvm::StringRef getStem(llvm::StringRef library) {
  llvm::StringRef name = path::filename(library), stem = name;
  stem.consume_back(".a");
  stem.consume_front("lib");
  return stem.empty() ? name : stem;
}

OutputNames brisk::nameOutputs(const CompileOptions &options) {
  OutputNames names;
  llvm::StringRef output = options.output;
  names.artifact = output;
  names.model = options.name.empty() ? makeModelName(path::stem(options.input))
                                     : options.name;
  names.header = options.header;
  // Beside a device there is no place for a header.
  if (options.emit != Emit::Lib || !options.stopAfter.empty() ||
      isSpecialFile(output))
    return names;
  llvm::SmallString<128> header(output);
  if (llvm::sys::fs::is_directory(output) || output.ends_with("/")) {
    llvm::SmallString<128> archive(output);
    path::append(archive, "lib" + names.model + ".a");
    path::append(header, names.model + ".h");
    names.artifact = archive.str();
  } else {
    path::remove_filename(header);
    path::append(header, getStem(output) + ".h");
    if (options.name.empty())
      names.model = makeModelName(getStem(output));
  }
  if (options.header.empty())
    names.header = header.str();
  return names;
}

/// Writes a path as makefiles have it.
static void writePath(llvm::StringRef path, llvm::raw_ostream &os) {
  for (size_t i = 0; i < path.size(); ++i) {
    bool escaped = llvm::StringRef(" \t#:").contains(path[i]);
    // A backslash is itself, but in front of what is escaped.
    for (size_t j = i; escaped && j > 0 && path[j - 1] == '\\'; --j)
      os << '\\';
    os << (escaped ? "\\" : path[i] == '$' ? "$" : "") << path[i];
  }
}

void brisk::writeDepfile(const OutputNames &outputs,
                         llvm::ArrayRef<std::string> inputs,
                         llvm::raw_ostream &os) {
  writePath(outputs.artifact, os);
  if (!outputs.header.empty()) {
    os << ' ';
    writePath(outputs.header, os);
  }
  os << ':';
  for (llvm::StringRef input : inputs) {
    os << " \\\n  ";
    writePath(input, os);
  }
  os << '\n';
}
