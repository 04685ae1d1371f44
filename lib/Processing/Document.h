//===- Document.h - A YAML file with the places of its values ---*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a description file says, each value with its line, so that errors can
// name it. Files are UTF-8; anchors, aliases and tags are not taken.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_PROCESSING_DOCUMENT_H
#define BRISK_LIB_PROCESSING_DOCUMENT_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"

#include <limits>
#include <string>
#include <vector>

namespace brisk::processing {

/// A scalar, a list or a mapping.
struct Node {
  enum class Kind { Scalar, List, Mapping };

  explicit Node(mlir::Location loc) : loc(loc) {}

  mlir::Location loc;
  Kind kind = Kind::Scalar;
  std::string text;               ///< of a scalar
  std::vector<Node> items;        ///< of a list; of a mapping, the values
  std::vector<std::string> names; ///< of a mapping, the keys, none twice
};

/// Reads a file. Reports what is wrong with it at its place and fails.
mlir::FailureOr<Node> readDocument(mlir::MLIRContext *context,
                                   llvm::StringRef path);

/// The fields of a mapping, read one by one: what is missing, of another kind
/// or out of range is reported at its place. The getters without `otherwise`
/// demand their field.
class Fields {
public:
  /// Fields of `node`, which messages call `what`; fails if it is no mapping.
  static mlir::FailureOr<Fields> get(const Node &node, llvm::StringRef what);

  mlir::Location getLoc() const { return node->loc; }
  bool has(llvm::StringRef key) const;
  /// The field's value; null if there is none, which is no error.
  const Node *find(llvm::StringRef key);

  mlir::FailureOr<std::string> getText(llvm::StringRef key);
  mlir::FailureOr<std::string> getText(llvm::StringRef key,
                                       llvm::StringRef otherwise);
  /// One of `choices`, by its place among them.
  mlir::FailureOr<size_t> getChoice(llvm::StringRef key,
                                    llvm::ArrayRef<llvm::StringRef> choices);
  mlir::FailureOr<size_t> getChoice(llvm::StringRef key,
                                    llvm::ArrayRef<llvm::StringRef> choices,
                                    size_t otherwise);
  mlir::FailureOr<int64_t> getInt(llvm::StringRef key, int64_t least,
                                  int64_t most);
  mlir::FailureOr<int64_t> getInt(llvm::StringRef key, int64_t least,
                                  int64_t most, int64_t otherwise);
  mlir::FailureOr<double> getNumber(llvm::StringRef key);
  mlir::FailureOr<double> getNumber(llvm::StringRef key, double otherwise);
  mlir::FailureOr<bool> getBool(llvm::StringRef key, bool otherwise);
  /// One number, or a list of them.
  mlir::FailureOr<std::vector<double>> getNumbers(llvm::StringRef key);
  /// One text, or a list of them.
  mlir::FailureOr<std::vector<std::string>> getTexts(llvm::StringRef key);

  /// Fails if there is a field that none of the getters was asked for.
  mlir::LogicalResult finish();

private:
  Fields(const Node &node, llvm::StringRef what)
      : node(&node), what(what.str()) {}

  const Node *require(llvm::StringRef key);

  const Node *node;
  std::string what;
  std::vector<std::string> asked;
};

} // namespace brisk::processing

#endif // BRISK_LIB_PROCESSING_DOCUMENT_H
