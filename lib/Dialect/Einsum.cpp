//===- Einsum.cpp - Einstein's notation --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Einsum.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <string>

using namespace mlir;
using namespace brisk;

/// A term's letters; '.' stands for its ellipsis.
static FailureOr<std::string> parseTerm(std::optional<Location> loc,
                                        StringRef term) {
  std::string letters;
  for (size_t i = 0; i < term.size(); ++i) {
    char c = term[i];
    if (llvm::isSpace(c))
      continue;
    if (term.substr(i).starts_with("...")) {
      if (StringRef(letters).contains('.'))
        return emitOptionalError(loc, "einsum term '", term,
                                 "' has two ellipses");
      letters += '.';
      i += 2;
    } else if (llvm::isAlpha(c)) {
      letters += c;
    } else {
      return emitOptionalError(loc, "einsum term '", term,
                               "' has an unexpected character '", Twine(c),
                               "'");
    }
  }
  return letters;
}

FailureOr<EinsumSpec> brisk::parseEinsum(std::optional<Location> loc,
                                         StringRef equation,
                                         ArrayRef<int64_t> ranks) {
  auto [left, right] = equation.split("->");
  bool isExplicit = equation.contains("->");
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  if (terms.size() != ranks.size())
    return emitOptionalError(loc, "einsum equation has ", terms.size(),
                             " terms for ", ranks.size(), " inputs");

  // Letters and, for ellipses, how many dimensions the longest one stands for.
  SmallVector<std::string> inputs;
  std::map<char, int> uses;
  int64_t ellipsis = 0;
  for (auto [term, rank] : llvm::zip_equal(terms, ranks)) {
    FailureOr<std::string> letters = parseTerm(loc, term);
    if (failed(letters))
      return failure();
    bool dots = StringRef(*letters).contains('.');
    int64_t named = static_cast<int64_t>(letters->size()) - dots;
    if (named > rank || (named < rank && !dots))
      return emitOptionalError(loc, "einsum term '", term, "' names ", named,
                               " dimensions of an input that has ", rank);
    ellipsis = std::max(ellipsis, rank - named);
    for (char c : *letters)
      if (c != '.')
        ++uses[c];
    inputs.push_back(*letters);
  }

  std::string output;
  if (isExplicit) {
    FailureOr<std::string> letters = parseTerm(loc, right);
    if (failed(letters))
      return failure();
    output = *letters;
  } else {
    output = ".";
    for (auto [letter, count] : uses)
      if (count == 1)
        output += letter;
  }

  EinsumSpec spec;
  std::map<char, int64_t> labels;
  int64_t firstDot = -1;
  auto addDots = [&] {
    firstDot = spec.numLabels;
    spec.numLabels += ellipsis;
    spec.isBroadcast.append(ellipsis, true);
  };
  for (char c : output) {
    if (c == '.') {
      addDots();
      for (int64_t i = 0; i < ellipsis; ++i)
        spec.output.push_back(firstDot + i);
      continue;
    }
    if (!uses.count(c))
      return emitOptionalError(loc, "einsum result dimension '", Twine(c),
                               "' is not a dimension of an input");
    if (!labels.try_emplace(c, spec.numLabels).second)
      return emitOptionalError(loc, "einsum result dimension '", Twine(c),
                               "' comes twice");
    spec.output.push_back(spec.numLabels++);
    spec.isBroadcast.push_back(false);
  }
  if (firstDot < 0)
    addDots();
  for (auto [letters, rank] : llvm::zip_equal(inputs, ranks)) {
    SmallVector<int64_t> &dims = spec.inputs.emplace_back();
    int64_t named =
        static_cast<int64_t>(letters.size()) - StringRef(letters).contains('.');
    for (char c : letters) {
      if (c == '.') {
        for (int64_t i = ellipsis - (rank - named); i < ellipsis; ++i)
          dims.push_back(firstDot + i);
        continue;
      }
      auto [it, inserted] = labels.try_emplace(c, spec.numLabels);
      if (inserted) {
        ++spec.numLabels;
        spec.isBroadcast.push_back(false);
      }
      dims.push_back(it->second);
    }
  }
  return spec;
}
