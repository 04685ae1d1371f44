//===- Ending.cpp - What goes when a signal ends the program --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that a signal handler calls here is async-signal-safe: names lie in
// fixed places, and directories are read by system calls, since opendir
// allocates.
//
//===----------------------------------------------------------------------===//
#include "Ending.h"
#include "brisk/System/Signals.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

/// Folders to remove, in use where not free.
static constexpr size_t maxFolders = 16;
namespace {
enum SlotState { Free, Changing, Used };
} // namespace
static std::atomic<int> slots[maxFolders];
static char paths[maxFolders][PATH_MAX];

static std::atomic<pid_t> child(0);
static std::atomic<bool> ending(false);

/// Removes a directory and the files in it.
static void removeFlatFolder(const char *path) {
  // Other threads may still put files there.
  for (int round = 0; round < 100 && rmdir(path) != 0; ++round) {
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
  }
}

/// Asks the child to end, so that it removes its own files, and waits for it;
/// kills it if that takes more than two seconds.
static void endChild(pid_t pid) {
  kill(-pid, SIGTERM);
  for (int i = 0; i < 200; ++i) {
    if (waitpid(pid, nullptr, WNOHANG) != 0)
      return;
    poll(nullptr, 0, /*milliseconds=*/10);
  }
  kill(-pid, SIGKILL);
}

static void cleanUp() {
  ending = true;
  if (pid_t pid = child.exchange(0))
    endChild(pid);
  sys::RunInterruptHandlers(); // files that LLVM knows of
  for (size_t i = 0; i < maxFolders; ++i)
    if (slots[i].exchange(Changing) == Used)
      removeFlatFolder(paths[i]);
}

/// Cleans up, then lets the signal do what it does by default.
static void onSignal(int signal) {
  cleanUp();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

static bool install() {
  constexpr int fatal[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                           SIGPIPE, SIGXCPU, SIGXFSZ};
  struct sigaction before[std::size(fatal)];
  for (size_t i = 0; i < std::size(fatal); ++i)
    sigaction(fatal[i], nullptr, &before[i]);
  // For crashes. This also sets handlers for the signals above.
  sys::AddSignalHandler([](void *) { cleanUp(); }, nullptr);
  for (size_t i = 0; i < std::size(fatal); ++i) {
    struct sigaction action = {};
    action.sa_handler = before[i].sa_handler == SIG_IGN ? SIG_IGN : onSignal;
    sigemptyset(&action.sa_mask);
    sigaction(fatal[i], &action, nullptr);
  }
  return true;
}

void brisk::cleanUpOnSignals() {
  static const bool once = install();
  (void)once;
}

bool brisk::removeFolderOnSignal(StringRef path) {
  cleanUpOnSignals();
  if (path.size() >= PATH_MAX)
    return false;
  for (size_t i = 0; i < maxFolders; ++i) {
    int expected = Free;
    if (!slots[i].compare_exchange_strong(expected, Changing))
      continue;
    std::memcpy(paths[i], path.data(), path.size());
    paths[i][path.size()] = 0;
    slots[i] = Used;
    return true;
  }
  return false;
}

void brisk::keepFolderOnSignal(StringRef path) {
  for (size_t i = 0; i < maxFolders; ++i)
    if (slots[i] == Used && path == paths[i])
      slots[i] = Free;
}

void brisk::endChildOnSignal(pid_t pid) {
  child = pid;
  // The signal may have come since the child began.
  if (pid && ending)
    kill(-pid, SIGTERM);
}
