//===- AvailableMemory.cpp - What the compiler may still take -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/AvailableMemory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <limits>
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
using namespace brisk;

static constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();

/// The text of a file of the kernel; empty if there is none.
static std::string readFile(const Twine &path) {
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  return file ? (*file)->getBuffer().str() : std::string();
}

/// The number that follows `key` in lines of keys and numbers.
static std::optional<uint64_t> findNumber(StringRef text, StringRef key) {
  for (StringRef line : llvm::split(text, '\n')) {
    uint64_t number;
    if (!line.consume_front(key))
      continue;
    line = line.ltrim();
    if (!line.consumeInteger(10, number))
      return number;
  }
  return std::nullopt;
}

static uint64_t subtract(uint64_t limit, uint64_t used) {
  return limit > used ? limit - used : 0;
}

/// What the limits of the process leave.
static uint64_t getLimitLeft() {
  SmallVector<StringRef> fields;
  std::string statm = readFile("/proc/self/statm");
  StringRef(statm).split(fields, ' ');
  uint64_t left = unlimited;
  for (auto [resource, field] : {std::pair(RLIMIT_AS, 0), {RLIMIT_DATA, 5}}) {
    rlimit limit;
    uint64_t pages = 0;
    if (getrlimit(resource, &limit) || limit.rlim_cur == RLIM_INFINITY)
      continue;
    if (field < static_cast<int>(fields.size()))
      (void)fields[field].getAsInteger(10, pages);
    left = std::min(left, subtract(limit.rlim_cur, pages * getpagesize()));
  }
  return left;
}

/// What the cgroups of the process leave, versions 1 and 2: the limit less what
/// cannot be dropped as caches can.
static uint64_t getCgroupLeft() {
  uint64_t left = unlimited;
  std::string membership = readFile("/proc/self/cgroup");
  for (StringRef line : llvm::split(membership, '\n')) {
    auto [controllers, group] = line.split(':').second.split(':');
    bool v2 = controllers.empty();
    if (!v2 && !llvm::is_contained(llvm::split(controllers, ','), "memory"))
      continue;
    StringRef root = v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    // The tightest from the group up; in a container the root is the group.
    for (;; group = llvm::sys::path::parent_path(group)) {
      std::string folder = (root + (group == "/" ? "" : group)).str();
      uint64_t limit;
      std::string text =
          readFile(folder + (v2 ? "/memory.max" : "/memory.limit_in_bytes"));
      if (!StringRef(text).trim().getAsInteger(10, limit)) {
        std::string stat = readFile(folder + "/memory.stat");
        uint64_t used =
            findNumber(stat, v2 ? "anon " : "total_rss ").value_or(0);
        left = std::min(left, subtract(limit, used));
      }
      if (group.empty() || group == "/")
        break;
    }
  }
  return left;
}

uint64_t brisk::getAvailableMemory() {
  uint64_t left = std::min(getLimitLeft(), getCgroupLeft());
  std::string memory = readFile("/proc/meminfo");
  if (auto kilobytes = findNumber(memory, "MemAvailable:"))
    left = std::min(left, *kilobytes * 1024);
  return left;
}

uint64_t brisk::getMachineMemory() {
  std::string memory = readFile("/proc/meminfo");
  return findNumber(memory, "MemTotal:").value_or(0) * 1024;
}

LogicalResult brisk::checkMemory(ConstantOp constant, uint64_t bytes) {
  // Little of it is always there; asking the system costs time.
  constexpr uint64_t little = 16 << 20;
  uint64_t available = bytes <= little ? unlimited : getAvailableMemory();
  if (bytes <= available)
    return success();
  return constant.emitError(
             "writing out the constants up to this one, of type ")
         << constant.getType() << ", takes " << bytes << " bytes of memory and "
         << available
         << " are available; use smaller shapes or compile where there is more";
}
