//===- Einsum.cpp - Einstein's notation -----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Einsum.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
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

namespace {
/// An equation's letters, where each '.' stands for an ellipsis.
struct Terms {
  SmallVector<std::string> inputs;
  std::string output;
  /// Dimensions that the longest ellipsis stands for.
  int64_t ellipsis = 0;
};

/// Numbers letters, and the dimensions of ellipses, as they come.
struct Numbering {
  EinsumSpec &spec;
  int64_t ellipsis;
  std::map<char, int64_t> numbers;

  /// The number of a letter, or of an ellipsis's first dimension.
  int64_t get(char c) {
    auto [it, inserted] = numbers.try_emplace(c, spec.numLabels);
    if (inserted) {
      int64_t count = c == '.' ? ellipsis : 1;
      spec.numLabels += count;
      spec.isBroadcast.append(count, c == '.');
    }
    return it->second;
  }
  /// The labels of a term whose ellipsis stands for the last `dots` dimensions
  /// of the longest.
  SmallVector<int64_t> getLabels(StringRef letters, int64_t dots) {
    SmallVector<int64_t> labels;
    for (char c : letters)
      if (c == '.')
        llvm::append_range(
            labels, llvm::seq(get(c) + ellipsis - dots, get(c) + ellipsis));
      else
        labels.push_back(get(c));
    return labels;
  }
};
} // namespace

static int64_t countNamed(StringRef letters) {
  return static_cast<int64_t>(letters.size() - letters.count('.'));
}

/// The terms of inputs that have `ranks` dimensions.
static FailureOr<Terms> parseTerms(std::optional<Location> loc,
                                   StringRef equation,
                                   ArrayRef<int64_t> ranks) {
  auto [left, right] = equation.split("->");
  SmallVector<StringRef> texts;
  left.split(texts, ',');
  if (texts.size() != ranks.size())
    return emitOptionalError(loc, "einsum equation has ", texts.size(),
                             " terms for ", ranks.size(), " inputs");
  Terms terms;
  std::map<char, int> uses;
  for (auto [text, rank] : llvm::zip_equal(texts, ranks)) {
    FailureOr<std::string> letters = parseTerm(loc, text);
    if (failed(letters))
      return failure();
    int64_t named = countNamed(*letters);
    bool hasDots = StringRef(*letters).contains('.');
    if (named > rank || (named < rank && !hasDots))
      return emitOptionalError(loc, "einsum term '", text, "' names ", named,
                               " dimensions of an input that has ", rank);
    terms.ellipsis = std::max(terms.ellipsis, rank - named);
    for (char c : *letters)
      ++uses[c];
    terms.inputs.push_back(*letters);
  }
  if (!equation.contains("->")) {
    terms.output = ".";
    for (auto [letter, count] : uses)
      if (count == 1 && letter != '.')
        terms.output += letter;
    return terms;
  }
  FailureOr<std::string> output = parseTerm(loc, right);
  if (failed(output))
    return failure();
  for (char c : *output) {
    if (c != '.' && !uses.count(c))
      return emitOptionalError(loc, "einsum result dimension '", Twine(c),
                               "' is not a dimension of an input");
    if (llvm::count(*output, c) > 1)
      return emitOptionalError(loc, "einsum result dimension '", Twine(c),
                               "' comes twice");
  }
  terms.output = *output;
  return terms;
}

FailureOr<EinsumSpec> brisk::parseEinsum(std::optional<Location> loc,
                                         StringRef equation,
                                         ArrayRef<int64_t> ranks) {
  FailureOr<Terms> terms = parseTerms(loc, equation, ranks);
  if (failed(terms))
    return failure();
  EinsumSpec spec;
  Numbering numbering{spec, terms->ellipsis, {}};
  spec.output = numbering.getLabels(terms->output, terms->ellipsis);
  numbering.get('.');
  for (auto [letters, rank] : llvm::zip_equal(terms->inputs, ranks))
    spec.inputs.push_back(
        numbering.getLabels(letters, rank - countNamed(letters)));
  return spec;
}
