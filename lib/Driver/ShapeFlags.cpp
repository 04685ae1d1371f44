//===- ShapeFlags.cpp - The flags that give shapes ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Driver/ShapeFlags.h"
#include "brisk/System/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace brisk;

/// Splits `NAME=VALUE`; false if there is no name or value.
static bool splitFlag(StringRef text, StringRef &name, StringRef &value) {
  // Names of values may hold '='; shapes do not.
  std::tie(name, value) = text.rsplit('=');
  return !name.empty() && !value.empty() && text.contains('=');
}

bool brisk::parseShapeFlag(StringRef text,
                           StringMap<std::vector<int64_t>> &shapes,
                           std::string &error) {
  StringRef name, value;
  if (!splitFlag(text, name, value)) {
    error = ("'" + text + "' is not NAME=1x3x224x224 or NAME=scalar").str();
    return false;
  }
  std::vector<int64_t> dims;
  if (value != "scalar") {
    for (StringRef part : split(value, 'x')) {
      int64_t dim;
      if (part.getAsInteger(10, dim) || dim < 0) {
        error = ("'" + part + "' in '" + text +
                 "' is not a dimension: shapes are like 1x3x224x224")
                    .str();
        return false;
      }
      dims.push_back(dim);
    }
  }
  if (!shapes.try_emplace(name, dims).second) {
    error = ("the shape of '" + name + "' is given twice").str();
    return false;
  }
  return true;
}

bool brisk::parseDimFlag(StringRef text, StringMap<int64_t> &dims,
                         std::string &error) {
  StringRef name, value;
  int64_t dim;
  if (!splitFlag(text, name, value) || value.getAsInteger(10, dim) || dim < 0) {
    error = ("'" + text + "' is not NAME=N with a whole number N").str();
    return false;
  }
  if (!dims.try_emplace(name, dim).second) {
    error = ("dimension '" + name + "' is given twice").str();
    return false;
  }
  return true;
}

std::vector<std::string>
brisk::formatShapeFlags(const StringMap<std::vector<int64_t>> &shapes) {
  std::vector<std::string> flags;
  for (const auto &[name, shape] : shapes)
    flags.push_back((name + "=" + formatShape(shape)).str());
  llvm::sort(flags);
  return flags;
}

std::vector<std::string> brisk::formatDimFlags(const StringMap<int64_t> &dims) {
  std::vector<std::string> flags;
  for (const auto &[name, dim] : dims)
    flags.push_back((name + "=" + Twine(dim)).str());
  llvm::sort(flags);
  return flags;
}
