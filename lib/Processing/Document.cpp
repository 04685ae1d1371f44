//===- Document.cpp - A YAML file with the places of its values -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Document.h"
#include "brisk/System/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

#include <cmath>

using namespace mlir;
using namespace brisk::processing;
namespace yaml = llvm::yaml;

namespace {
/// Makes nodes of what the parser gives.
class Reader {
public:
  Reader(MLIRContext *context, StringRef path, StringRef text)
      : context(context), path(path), stream(text, sources) {
    sources.setDiagHandler(report, this);
  }

  FailureOr<Node> read() {
    yaml::document_iterator document = stream.begin();
    if (failed || document == stream.end() || !document->getRoot() ||
        isa<yaml::NullNode>(document->getRoot()))
      return fail(locate(1, 1), "the file is empty");
    FailureOr<Node> result = convert(*document->getRoot(), 0);
    if (succeeded(result) && ++document != stream.end())
      return fail(result->loc, "the file holds more than one document");
    if (failed || stream.failed())
      return fail(locate(1, 1), "the file is no YAML");
    return result;
  }

private:
  /// No description is deeper; deeper ones would take the stack.
  static constexpr unsigned maxDepth = 16;

  static void report(const llvm::SMDiagnostic &diagnostic, void *reader) {
    auto *self = static_cast<Reader *>(reader);
    self->fail(self->locate(diagnostic.getLineNo(), diagnostic.getColumnNo()),
               diagnostic.getMessage());
  }

  Location locate(int line, int column) {
    return FileLineColLoc::get(context, path, std::max(line, 1),
                               std::max(column, 1));
  }
  Location locate(const yaml::Node &node) {
    auto [line, column] = sources.getLineAndColumn(node.getSourceRange().Start);
    return locate(static_cast<int>(line), static_cast<int>(column));
  }

  LogicalResult fail(Location loc, const Twine &message) {
    // One fault leads to others.
    if (!failed)
      emitError(loc) << message;
    failed = true;
    return failure();
  }

  FailureOr<Node> convert(yaml::Node &from, unsigned depth) {
    Node node(locate(from));
    if (depth == maxDepth)
      return fail(node.loc, "values are nested too deeply");
    if (!from.getAnchor().empty())
      return fail(node.loc, "anchors are not taken");
    SmallString<64> storage;
    if (auto *scalar = dyn_cast<yaml::ScalarNode>(&from)) {
      node.text = scalar->getValue(storage).str();
    } else if (auto *block = dyn_cast<yaml::BlockScalarNode>(&from)) {
      node.text = block->getValue().str();
    } else if (auto *list = dyn_cast<yaml::SequenceNode>(&from)) {
      node.kind = Node::Kind::List;
      for (yaml::Node &item : *list)
        if (failed || ::mlir::failed(append(node, &item, depth)))
          return failure();
    } else if (auto *mapping = dyn_cast<yaml::MappingNode>(&from)) {
      node.kind = Node::Kind::Mapping;
      for (yaml::KeyValueNode &field : *mapping)
        if (failed || ::mlir::failed(appendField(node, field, depth)))
          return failure();
    } else if (!isa<yaml::NullNode>(&from)) {
      return fail(node.loc, "expected a value, a list or a mapping");
    }
    if (failed)
      return failure();
    return node;
  }

  LogicalResult append(Node &node, yaml::Node *item, unsigned depth) {
    if (!item)
      return fail(node.loc, "the file is no YAML");
    FailureOr<Node> value = convert(*item, depth + 1);
    if (::mlir::failed(value))
      return failure();
    node.items.push_back(std::move(*value));
    return success();
  }

  LogicalResult appendField(Node &node, yaml::KeyValueNode &field,
                            unsigned depth) {
    auto *key = dyn_cast_or_null<yaml::ScalarNode>(field.getKey());
    if (!key)
      return fail(node.loc, "keys have to be names");
    SmallString<32> storage;
    std::string name = key->getValue(storage).str();
    Location loc = locate(*key);
    if (llvm::is_contained(node.names, name))
      return fail(loc, "'" + name + "' is given twice");
    if (::mlir::failed(append(node, field.getValue(), depth)))
      return failure();
    node.names.push_back(std::move(name));
    return success();
  }

  MLIRContext *context;
  StringRef path;
  llvm::SourceMgr sources;
  yaml::Stream stream;
  bool failed = false;
};
} // namespace

FailureOr<Node> brisk::processing::readDocument(MLIRContext *context,
                                                StringRef path) {
  Location file = FileLineColLoc::get(context, path, 1, 1);
  if (llvm::Error error = checkRegularFile(path.str()))
    return emitError(file) << "cannot read it: "
                           << llvm::toString(std::move(error));
  auto text = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!text)
    return emitError(file) << "cannot read it: " << text.getError().message();
  return Reader(context, path, (*text)->getBuffer()).read();
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// A number that a scalar holds, NaN and infinities apart.
static FailureOr<double> parseNumber(const Node &node, StringRef key) {
  double value;
  if (node.kind != Node::Kind::Scalar ||
      StringRef(node.text).getAsDouble(value) || !std::isfinite(value))
    return emitError(node.loc) << "'" << key << "' has to be a number";
  return value;
}

FailureOr<Fields> Fields::get(const Node &node, StringRef what) {
  if (node.kind != Node::Kind::Mapping &&
      !(node.kind == Node::Kind::Scalar && node.text.empty()))
    return emitError(node.loc) << what << " has to be a mapping of fields";
  return Fields(node, what);
}

bool Fields::has(StringRef key) const {
  return llvm::is_contained(node->names, key);
}

const Node *Fields::find(StringRef key) {
  asked.push_back(key.str());
  auto name = llvm::find(node->names, key);
  return name == node->names.end() ? nullptr
                                   : &node->items[name - node->names.begin()];
}

const Node *Fields::require(StringRef key) {
  const Node *value = find(key);
  if (!value)
    emitError(node->loc) << what << " lacks '" << key << "'";
  return value;
}

FailureOr<std::string> Fields::getText(StringRef key) {
  const Node *value = require(key);
  if (!value)
    return failure();
  if (value->kind != Node::Kind::Scalar || value->text.empty())
    return emitError(value->loc) << "'" << key << "' has to be a word";
  return value->text;
}

FailureOr<std::string> Fields::getText(StringRef key, StringRef otherwise) {
  return has(key) ? getText(key) : (find(key), otherwise.str());
}

FailureOr<size_t> Fields::getChoice(StringRef key,
                                    ArrayRef<StringRef> choices) {
  FailureOr<std::string> text = getText(key);
  if (failed(text))
    return failure();
  const auto *choice = llvm::find(choices, *text);
  if (choice == choices.end())
    return emitError(find(key)->loc)
           << "'" << key << "' is '" << *text << "', expected one of "
           << llvm::join(choices, ", ");
  return choice - choices.begin();
}

FailureOr<size_t> Fields::getChoice(StringRef key, ArrayRef<StringRef> choices,
                                    size_t otherwise) {
  return has(key) ? getChoice(key, choices) : (find(key), otherwise);
}

FailureOr<int64_t> Fields::getInt(StringRef key, int64_t least, int64_t most) {
  const Node *value = require(key);
  if (!value)
    return failure();
  int64_t number;
  if (value->kind != Node::Kind::Scalar ||
      StringRef(value->text).getAsInteger(10, number) || number < least ||
      number > most)
    return emitError(value->loc) << "'" << key << "' has to be a whole number "
                                 << "from " << least << " to " << most;
  return number;
}

FailureOr<int64_t> Fields::getInt(StringRef key, int64_t least, int64_t most,
                                  int64_t otherwise) {
  return has(key) ? getInt(key, least, most) : (find(key), otherwise);
}

FailureOr<double> Fields::getNumber(StringRef key) {
  const Node *value = require(key);
  if (!value)
    return failure();
  return parseNumber(*value, key);
}

FailureOr<double> Fields::getNumber(StringRef key, double otherwise) {
  return has(key) ? getNumber(key) : (find(key), otherwise);
}

FailureOr<bool> Fields::getBool(StringRef key, bool otherwise) {
  FailureOr<size_t> choice =
      getChoice(key, {"false", "true"}, static_cast<size_t>(otherwise));
  if (failed(choice))
    return failure();
  return *choice == 1;
}

FailureOr<std::vector<double>> Fields::getNumbers(StringRef key) {
  const Node *value = require(key);
  if (!value)
    return failure();
  std::vector<double> numbers;
  ArrayRef<Node> items =
      value->kind == Node::Kind::List ? ArrayRef(value->items) : *value;
  for (const Node &item : items) {
    FailureOr<double> number = parseNumber(item, key);
    if (failed(number))
      return failure();
    numbers.push_back(*number);
  }
  return numbers;
}

FailureOr<std::vector<std::string>> Fields::getTexts(StringRef key) {
  const Node *value = require(key);
  if (!value)
    return failure();
  std::vector<std::string> texts;
  ArrayRef<Node> items =
      value->kind == Node::Kind::List ? ArrayRef(value->items) : *value;
  for (const Node &item : items) {
    if (item.kind != Node::Kind::Scalar || item.text.empty())
      return emitError(item.loc) << "'" << key << "' has to be a word, or a "
                                 << "list of words";
    texts.push_back(item.text);
  }
  return texts;
}

LogicalResult Fields::finish() {
  for (auto [name, value] : llvm::zip(node->names, node->items))
    if (!llvm::is_contained(asked, name)) {
      llvm::sort(asked);
      asked.erase(llvm::unique(asked), asked.end());
      return emitError(value.loc)
             << what << " has the unknown key '" << name << "'; it takes "
             << (asked.empty() ? "none" : llvm::join(asked, ", "));
    }
  return success();
}
