//===- TempDirectory.cpp - A directory that goes away ---------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TempDirectory.h"

#include "Tensor.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

using namespace llvm;

namespace brisk::tools {

/// The directory as the signal handler sees it: empty means none.
static char activePath[PATH_MAX];
static std::atomic<bool> active(false);

static constexpr int fatalSignals[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT};
static struct sigaction previous[std::size(fatalSignals)];

/// Removes a directory and the files in it by calls that signal handlers may
/// make: opendir and its kin allocate.
static void removeFlatDirectory(const char *path) {
  int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0)
    return;
  // The kernel's entry: d_ino, d_off, d_reclen, d_type, d_name.
  constexpr size_t reclenAt = 16, nameAt = 19;
  alignas(8) char buffer[4096];
  for (;;) {
    long size = syscall(SYS_getdents64, directory, buffer, sizeof buffer);
    if (size <= 0)
      break;
    for (long at = 0; at < size;) {
      unsigned short length;
      std::memcpy(&length, buffer + at + reclenAt, sizeof length);
      unlinkat(directory, buffer + at + nameAt, 0);
      at += length;
    }
  }
  close(directory);
  rmdir(path);
}

/// Cleans up, then lets the signal do what it did before.
static void onFatalSignal(int signal) {
  if (active.exchange(false))
    removeFlatDirectory(activePath);
  for (size_t i = 0; i < std::size(fatalSignals); ++i)
    if (fatalSignals[i] == signal)
      sigaction(signal, &previous[i], nullptr);
  raise(signal);
}

/// To be done once: on top of itself, a handler would end up raising the signal
/// for itself for ever.
static void installHandlers() {
  for (size_t i = 0; i < std::size(fatalSignals); ++i) {
    struct sigaction action = {};
    action.sa_handler = onFatalSignal;
    sigemptyset(&action.sa_mask);
    // What was ignored (by nohup, say) stays ignored.
    sigaction(fatalSignals[i], nullptr, &previous[i]);
    if (previous[i].sa_handler != SIG_IGN)
      sigaction(fatalSignals[i], &action, nullptr);
  }
}

Expected<TempDirectory> TempDirectory::create(StringRef prefix) {
  SmallString<256> name;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, name);
  sys::path::append(name, prefix + "-XXXXXX");
  if (name.size() >= sizeof activePath)
    return failure("the path of the temporary directory is too long: '" + name +
                   "'");
  if (!mkdtemp(const_cast<char *>(name.c_str())))
    return failure("cannot make the temporary directory '" + name +
                   "': " + std::strerror(errno) +
                   "; set TMPDIR to a directory that can be written to");
  std::memcpy(activePath, name.c_str(), name.size() + 1);
  active = true;
  static bool handling = false;
  if (!std::exchange(handling, true))
    installHandlers();
  return TempDirectory(name.str().str());
}

TempDirectory::~TempDirectory() {
  if (name.empty())
    return;
  active = false;
  (void)sys::fs::remove_directories(name);
}

} // namespace brisk::tools
