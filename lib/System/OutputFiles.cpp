//===- OutputFiles.cpp - Files that appear whole or not at all ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/OutputFiles.h"
#include "brisk/System/ScratchFolder.h"
#include "brisk/System/Signals.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace brisk;
namespace fs = llvm::sys::fs;

Error brisk::cannotWrite(StringRef path, const Twine &reason) {
  return createStringError("cannot write '" + path + "': " + reason);
}

Error brisk::cannotWrite(StringRef path, std::error_code code) {
  return cannotWrite(path, code.message());
}

std::error_code brisk::takeError(raw_fd_ostream &out) {
  out.flush();
  std::error_code code = out.error();
  out.clear_error();
  return code;
}

/// Runs the writer; tells of its own errors and of those of the stream.
static Error writeTo(raw_fd_ostream &out, StringRef path,
                     OutputFiles::Writer writer) {
  Error error = writer(out);
  std::error_code code = takeError(out);
  if (error)
    return error;
  return code ? cannotWrite(path, code) : Error::success();
}

Error brisk::finishStdout() {
  std::error_code code = takeError(outs());
  return code ? cannotWrite("standard output", code) : Error::success();
}

bool brisk::isSpecialFile(StringRef path) {
  fs::file_status status;
  return path == "-" || (!fs::status(path, status) &&
                         status.type() != fs::file_type::regular_file &&
                         status.type() != fs::file_type::directory_file);
}

/// Where to write: a link stays a link, and what it names is replaced.
static Expected<std::string> resolve(StringRef path) {
  if (path == "-")
    return path.str();
  if (fs::is_directory(path))
    return cannotWrite(path, "it is a directory");
  if (!fs::exists(path) && !fs::is_symlink_file(path))
    return path.str();
  // What a link to a pipe names is no path.
  SmallString<256> real(path);
  if (!isSpecialFile(path))
    if (std::error_code code = fs::real_path(path, real))
      return cannotWrite(path, code);
  if (std::error_code code = fs::access(real, fs::AccessMode::Write))
    return cannotWrite(path, code);
  return real.str().str();
}

OutputFiles::~OutputFiles() {
  for (Pending &output : pending)
    consumeError(output.file.discard());
  // Those that meanwhile hold something else stay.
  for (const std::string &folder : reverse(folders))
    (void)fs::remove(folder);
}

Error OutputFiles::check(StringRef path, bool foldersToo) {
  auto target = resolve(path);
  if (!target)
    return target.takeError();
  bool special = isSpecialFile(*target);
  if (is_contained(checked, *target) && (!special || path == "-"))
    return cannotWrite(path, "it is another output already");
  checked.push_back(*target);
  if (special)
    return Error::success();
  StringRef folder = sys::path::parent_path(*target);
  StringRef above = folder;
  while (foldersToo && !above.empty() && !fs::exists(above))
    above = sys::path::parent_path(above);
  SmallString<256> probe(above);
  sys::path::append(probe, sys::path::filename(*target));
  auto file = fs::TempFile::create(probe + ".%%%%%%%%.tmp");
  return file ? file->discard() : cannotWrite(path, toString(file.takeError()));
}

Error OutputFiles::makeFolder(StringRef path) {
  SmallVector<std::string> missing;
  for (StringRef at = path; !at.empty() && !fs::exists(at);
       at = sys::path::parent_path(at))
    missing.push_back(at.str());
  for (const std::string &folder : reverse(missing)) {
    if (std::error_code code =
            fs::create_directory(folder, /*IgnoreExisting=*/true))
      return createStringError("cannot make the directory '" + folder +
                               "': " + code.message());
    folders.push_back(folder);
  }
  if (!fs::is_directory(path))
    return createStringError("cannot write into '" + path +
                             "': not a directory");
  return Error::success();
}

Expected<OutputFiles::Pending *> OutputFiles::add(StringRef path,
                                                  const std::string &target) {
  cleanUpOnSignals();
  if (is_contained(map_range(pending, [](auto &other) { return other.path; }),
                   target))
    return cannotWrite(path, "it is another output already");
  auto file = fs::TempFile::create(target + ".%%%%%%%%.tmp");
  if (!file)
    return cannotWrite(path, toString(file.takeError()));
  pending.push_back({std::move(*file), target});
  return &pending.back();
}

Error OutputFiles::write(StringRef path, Writer writer) {
  if (path == "-")
    return writeTo(outs(), "standard output", writer);
  auto target = resolve(path);
  if (!target)
    return target.takeError();
  if (isSpecialFile(*target)) {
    std::error_code code;
    raw_fd_ostream out(*target, code, fs::CD_OpenExisting, fs::FA_Write,
                       fs::OF_None);
    return code ? cannotWrite(path, code) : writeTo(out, path, writer);
  }
  auto output = add(path, *target);
  if (!output)
    return output.takeError();
  raw_fd_ostream out((*output)->file.FD, /*shouldClose=*/false);
  return writeTo(out, path, writer);
}

Error OutputFiles::make(StringRef path,
                        function_ref<Error(const std::string &)> make) {
  auto target = resolve(path);
  if (!target)
    return target.takeError();
  if (!isSpecialFile(*target)) {
    auto output = add(path, *target);
    if (!output)
      return output.takeError();
    std::string name = (*output)->file.TmpName;
    Error error = make(name);
    if (!error)
      return error;
    // The temporary name says nothing to a user.
    std::string message = toString(std::move(error));
    for (size_t at = 0; (at = message.find(name, at)) != std::string::npos;)
      message.replace(at, name.size(), path.str());
    return createStringError(message);
  }
  // Programs replace what stands at a path: not a device.
  auto folder = ScratchFolder::create();
  if (!folder)
    return folder.takeError();
  std::string file = folder->path("output");
  if (Error error = make(file))
    return error;
  return write(path, [&](raw_ostream &out) -> Error {
    auto content = MemoryBuffer::getFile(file, /*IsText=*/false,
                                         /*RequiresNullTerminator=*/false);
    if (!content)
      return errorCodeToError(content.getError());
    out << (*content)->getBuffer();
    return Error::success();
  });
}

Error OutputFiles::commit() {
  for (Pending &output : pending)
    if (Error error = output.file.keep(output.path))
      return cannotWrite(output.path, toString(std::move(error)));
  pending.clear();
  folders.clear();
  return Error::success();
}
