//===- Isolation.cpp - Running functions in limited processes -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Isolation.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace brisk::conformance;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// What a child may say: less than a pipe holds, so that it never waits.
constexpr size_t maxDetail = 2000;

namespace {
struct Child {
  size_t index;
  int verdict; ///< read end of the child's pipe
  std::string scratch;
  Clock::time_point deadline;
};
} // namespace

static void setLimit(int resource, uint64_t value) {
  rlimit limit = {value, value};
  setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

[[noreturn]] static void
runChild(size_t index, int verdict, const std::string &scratch,
         const Limits &limits,
         const std::function<Result(size_t, const std::string &)> &work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setLimit(RLIMIT_CORE, 0);
  setLimit(RLIMIT_FSIZE, uint64_t(1) << 30);
  if (limits.megabytes)
    setLimit(RLIMIT_AS, limits.megabytes << 20);
  int log =
      open((scratch + "/log").c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);

  Result result = work(index, scratch);
  std::string text(1,
                   static_cast<char>('0' + static_cast<int>(result.outcome)));
  text += result.detail.substr(0, maxDetail);
  ssize_t written = write(verdict, text.data(), text.size());
  _exit(written == static_cast<ssize_t>(text.size()) ? 0 : 1);
}

/// The last line that a child printed: an assertion, if that is what it was.
static std::string lastLine(const std::string &path) {
  std::ifstream stream(path);
  std::string line, last;
  while (std::getline(stream, line))
    if (!line.empty())
      last = line;
  return last.substr(0, maxDetail);
}

static Result conclude(const Child &child, int status, bool late,
                       unsigned seconds) {
  if (late)
    return {Outcome::Hang, "not done after " + std::to_string(seconds) + " s"};
  char text[maxDetail + 1];
  ssize_t size = read(child.verdict, text, sizeof(text));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && size > 0)
    return {static_cast<Outcome>(text[0] - '0'),
            std::string(text + 1, size - 1)};
  std::string how = WIFSIGNALED(status)
                        ? strsignal(WTERMSIG(status))
                        : "exit status " + std::to_string(WEXITSTATUS(status));
  std::string last = lastLine(child.scratch + "/log");
  return {Outcome::Crash, last.empty() ? how : how + " after: " + last};
}

/// Waits for any child to end, or until `deadline`.
static pid_t waitUntil(Clock::time_point deadline, int &status) {
  sigset_t childSignal;
  sigemptyset(&childSignal);
  sigaddset(&childSignal, SIGCHLD);
  for (;;) {
    pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid != 0)
      return pid;
    auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(
        deadline - Clock::now());
    if (left.count() <= 0)
      return 0;
    timespec timeout = {static_cast<time_t>(left.count() / 1000000000),
                        static_cast<long>(left.count() % 1000000000)};
    sigtimedwait(&childSignal, nullptr, &timeout);
  }
}

void brisk::conformance::runIsolated(
    size_t count, const Limits &limits,
    const std::function<Result(size_t, const std::string &)> &work,
    const std::function<void(size_t, Result)> &done) {
  // Children's ends are waited for with a time limit, so the signal is held.
  sigset_t childSignal, before;
  sigemptyset(&childSignal);
  sigaddset(&childSignal, SIGCHLD);
  sigprocmask(SIG_BLOCK, &childSignal, &before);

  std::string base = (fs::temp_directory_path() / "brisk-conformance.XXXXXX");
  if (!mkdtemp(base.data())) {
    std::perror(base.c_str());
    std::exit(1);
  }
  std::map<pid_t, Child> running;
  size_t next = 0;
  while (next < count || !running.empty()) {
    while (next < count && running.size() < limits.jobs) {
      std::string scratch = base + "/" + std::to_string(next);
      fs::create_directory(scratch);
      int pipe[2];
      if (pipe2(pipe, O_CLOEXEC) != 0) {
        std::perror("pipe");
        std::exit(1);
      }
      pid_t pid = fork();
      if (pid < 0) {
        std::perror("fork");
        std::exit(1);
      }
      if (pid == 0)
        runChild(next, pipe[1], scratch, limits, work);
      close(pipe[1]);
      running[pid] = {next++, pipe[0], scratch,
                      Clock::now() + std::chrono::seconds(limits.seconds)};
    }
    auto first = llvm::min_element(running, [](const auto &a, const auto &b) {
      return a.second.deadline < b.second.deadline;
    });
    int status = 0;
    pid_t pid = waitUntil(first->second.deadline, status);
    bool late = pid == 0;
    if (late) {
      pid = first->first;
      kill(-pid, SIGKILL);
      kill(pid, SIGKILL);
      waitpid(pid, &status, 0);
    }
    auto entry = running.find(pid);
    if (entry == running.end())
      continue;
    Child child = entry->second;
    running.erase(entry);
    Result result = conclude(child, status, late, limits.seconds);
    close(child.verdict);
    std::error_code ignored;
    fs::remove_all(child.scratch, ignored);
    done(child.index, std::move(result));
  }
  std::error_code ignored;
  fs::remove_all(base, ignored);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}
