//===- OutputFiles.cpp - Files that appear whole or not at all ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OutputFiles.h"

#include "Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace fs = llvm::sys::fs;

namespace brisk::tools {

static Error cannotWrite(StringRef path, const Twine &reason) {
  return failure("cannot write '" + path + "': " + reason);
}

/// Runs the writer; tells of its own errors and of those of the stream.
static Error writeTo(raw_fd_ostream &out, StringRef path,
                     OutputFiles::Writer writer) {
  Error error = writer(out);
  out.flush();
  std::error_code code = out.error();
  out.clear_error(); // or else its destructor would end the program
  if (error)
    return error;
  return code ? cannotWrite(path, code.message()) : Error::success();
}

OutputFiles::~OutputFiles() {
  for (Pending &output : pending)
    consumeError(output.file.discard());
  // Those that meanwhile hold something else stay.
  for (const std::string &directory : reverse(directories))
    (void)fs::remove(directory);
}

Error OutputFiles::makeDirectory(StringRef path) {
  SmallVector<std::string> missing;
  for (StringRef at = path; !at.empty() && !fs::exists(at);
       at = sys::path::parent_path(at))
    missing.push_back(at.str());
  for (const std::string &directory : reverse(missing)) {
    if (std::error_code code =
            fs::create_directory(directory, /*IgnoreExisting=*/true))
      return failure("cannot make the directory '" + directory +
                     "': " + code.message());
    directories.push_back(directory);
  }
  if (!fs::is_directory(path))
    return failure("cannot write into '" + path + "': not a directory");
  return Error::success();
}

Error OutputFiles::write(StringRef path, Writer writer) {
  if (path == "-")
    return writeTo(outs(), "standard output", writer);
  // A link stays a link: what it names is replaced.
  SmallString<256> target(path);
  fs::file_status status;
  if (!fs::status(path, status)) {
    if (status.type() == fs::file_type::directory_file)
      return cannotWrite(path, "it is a directory");
    if (status.type() != fs::file_type::regular_file) {
      std::error_code code;
      raw_fd_ostream out(path, code, fs::CD_OpenExisting, fs::FA_Write,
                         fs::OF_None);
      return code ? cannotWrite(path, code.message())
                  : writeTo(out, path, writer);
    }
    if (std::error_code code = fs::access(path, fs::AccessMode::Write))
      return cannotWrite(path, code.message());
    SmallString<256> real;
    if (!fs::real_path(path, real))
      target = real;
  }
  if (any_of(pending,
             [&](const Pending &other) { return other.path == target; }))
    return cannotWrite(path, "it is another output already");
  auto file = fs::TempFile::create(target + ".%%%%%%%%.tmp");
  if (!file)
    return cannotWrite(path, toString(file.takeError()));
  pending.push_back({std::move(*file), target.str().str()});
  raw_fd_ostream out(pending.back().file.FD, /*shouldClose=*/false);
  return writeTo(out, path, writer);
}

Error OutputFiles::commit() {
  for (Pending &output : pending)
    if (Error error = output.file.keep(output.path))
      return cannotWrite(output.path, toString(std::move(error)));
  pending.clear();
  directories.clear();
  return Error::success();
}

Error finishStdout() {
  outs().flush();
  std::error_code code = outs().error();
  outs().clear_error();
  return code ? cannotWrite("standard output", code.message())
              : Error::success();
}

} // namespace brisk::tools
