//===- ModelName.cpp - Names that models can have -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Import/ModelName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace brisk;

/// Names of files are made with it, which have 255 characters at most.
static constexpr size_t longestName = 128;

/// Headers of C11 and C23, C++ and POSIX, without ".h". A folder with a model's
/// header of that name in it would hide them from whoever searches there.
static constexpr llvm::StringLiteral standardHeaders[] = {
    "aio",      "assert",    "complex",  "cpio",        "ctype",     "dirent",
    "dlfcn",    "endian",    "errno",    "fcntl",       "fenv",      "float",
    "fmtmsg",   "fnmatch",   "ftw",      "glob",        "grp",       "iconv",
    "inttypes", "iso646",    "langinfo", "libgen",      "libintl",   "limits",
    "locale",   "math",      "monetary", "mqueue",      "ndbm",      "netdb",
    "nl_types", "poll",      "pthread",  "pwd",         "regex",     "sched",
    "search",   "semaphore", "setjmp",   "signal",      "spawn",     "stdalign",
    "stdarg",   "stdatomic", "stdbit",   "stdbool",     "stdckdint", "stddef",
    "stdint",   "stdio",     "stdlib",   "stdnoreturn", "string",    "strings",
    "stropts",  "syslog",    "tar",      "termios",     "tgmath",    "threads",
    "time",     "trace",     "uchar",    "ulimit",      "unistd",    "utime",
    "utmpx",    "wchar",     "wctype",   "wordexp"};

/// What is wrong with a name; empty for nothing.
static std::string findFault(llvm::StringRef name) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (name.empty() || llvm::isDigit(name.front()) ||
      !llvm::all_of(name, isPart))
    return "it is not a C identifier";
  if (name.size() > longestName)
    return "it is longer than " + std::to_string(longestName) + " characters";
  if (name.starts_with("_") || name.ends_with("_") || name.contains("__"))
    return "it begins or ends with an underscore or has two in a row, which "
           "makes "
           "names that belong to compilers";
  // Macros are in capitals, so the case does not tell them apart.
  std::string lower = name.lower();
  if (lower == "brisk" || llvm::StringRef(lower).starts_with("brisk_"))
    return "it makes names that belong to Brisk's runtime";
  if (llvm::is_contained(standardHeaders, lower))
    return "it makes a header called like the standard one, " + lower + ".h";
  return "";
}

std::string brisk::findNameFault(llvm::StringRef name) {
  std::string fault = findFault(name);
  return fault.empty()
             ? fault
             : fault + "; use another --name, like " + makeModelName(name);
}

std::string brisk::makeModelName(llvm::StringRef text) {
  std::string name;
  for (char c : text.take_front(longestName - 8))
    if (llvm::isAlnum(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  if (!name.empty() && name.back() == '_')
    name.pop_back();
  if (findFault(name).empty())
    return name;
  return name.empty() ? "model" : "model_" + name;
}
