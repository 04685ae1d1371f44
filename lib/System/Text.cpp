//===- Text.cpp - Names that may hold any bytes ---------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/System/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Unicode.h"

using namespace llvm;

std::string brisk::validUtf8(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

std::string brisk::printable(StringRef text) {
  std::string valid = validUtf8(text), result;
  const auto *at = reinterpret_cast<const UTF8 *>(valid.data());
  const UTF8 *end = at + valid.size();
  while (at != end) {
    const UTF8 *begin = at;
    UTF32 code = 0;
    (void)convertUTF8Sequence(&at, end, &code, strictConversion);
    if (at == begin) // not to be
      break;
    if (sys::unicode::isPrintable(static_cast<int>(code)))
      result.append(begin, at);
    else
      result += '?';
  }
  return result;
}

std::string brisk::formatShape(llvm::ArrayRef<int64_t> dims) {
  std::string text = dims.empty() ? "scalar" : "";
  for (int64_t dim : dims)
    text += (text.empty() ? "" : "x") + (dim < 0 ? "?" : std::to_string(dim));
  return text;
}
