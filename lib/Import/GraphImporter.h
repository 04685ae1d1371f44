//===- GraphImporter.h - Imports graphs and functions -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the nodes of a graph in an order that fits their data flow and calls
// their handlers. Names are resolved through scopes: subgraphs see what is
// around them, bodies of local functions only their inputs.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_IMPORT_GRAPHIMPORTER_H
#define BRISK_LIB_IMPORT_GRAPHIMPORTER_H

#include "Node.h"
#include "TensorReader.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <array>
#include <deque>
#include <map>
#include <vector>

namespace brisk::onnximport {

using NodeList = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// Values by name; `parent` is around it.
struct Scope {
  const Scope *parent = nullptr;
  llvm::StringMap<mlir::Value> values;

  /// Null in the optional stands for an argument that a call left out; nullopt
  /// for a name that nothing defines.
  std::optional<mlir::Value> lookup(llvm::StringRef name) const;
  /// False if the name is taken.
  bool define(llvm::StringRef name, mlir::Value value) {
    return values.insert({name, value}).second;
  }
};

/// Versions of operator sets by domain ("" is ai.onnx).
using OpsetMap = llvm::StringMap<int64_t>;

/// What the nodes of one body share.
struct Body {
  const OpsetMap *opsets = nullptr;
  const AttributeMap *callAttributes = nullptr;
  /// Names of the calls around it, each followed by a slash.
  std::string prefix;
};

class GraphImporter {
public:
  GraphImporter(mlir::MLIRContext *context, const onnx::ModelProto &model,
                mlir::Location fileLoc, TensorReader &tensors);

  TensorReader &getTensors() { return tensors; }
  /// A constant with a tensor's values: of 2 or 4 bits, a `brisk.unpack_bits`.
  llvm::FailureOr<mlir::Value> makeConstant(const onnx::TensorProto &tensor,
                                            mlir::Location loc,
                                            mlir::OpBuilder &builder);
  llvm::FailureOr<mlir::Value>
  makeConstant(const onnx::SparseTensorProto &tensor, mlir::Location loc,
               mlir::OpBuilder &builder);

  /// Refuses functions that call themselves, and functions, loops and branches
  /// that together come to more nodes or more levels than is supported.
  llvm::LogicalResult checkExpansion();

  /// Takes note of all nodes, of subgraphs and called functions too, that no
  /// row of the table and no local function covers.
  void findUnsupported(const OpsetMap &opsets);

  /// Takes note of a node that is right and cannot be compiled: one `feature`
  /// that is missing, as the end of "model has N nodes that cannot be imported:
  /// N", and what is to say of the node.
  void addUnsupported(mlir::Location loc, llvm::StringRef feature,
                      llvm::StringRef text) {
    unsupported.push_back({loc, feature.str(), text.str()});
  }
  /// What stands for the results of such a node, and of all that use them.
  static mlir::Value makeUnsupported(mlir::OpBuilder &builder,
                                     mlir::Location loc);
  static bool isUnsupported(mlir::Value value);
  /// Reports all such nodes at once; fails if there are any.
  llvm::LogicalResult reportUnsupported();
  /// Forgets those that were noted since there were `count`.
  void keepUnsupported(size_t count) {
    unsupported.erase(unsupported.begin() + count, unsupported.end());
  }
  size_t countUnsupported() const { return unsupported.size(); }

  /// Imports nodes and initializers of a graph into `scope`, which has the
  /// values of its inputs.
  llvm::LogicalResult importGraph(const onnx::GraphProto &graph,
                                  const Body &body, Scope &scope,
                                  mlir::OpBuilder &builder);

  /// Imports an attribute's graph at `node`'s insertion point: its outputs, for
  /// the given inputs.
  llvm::LogicalResult
  importSubgraph(Node &node, const onnx::GraphProto &graph,
                 llvm::ArrayRef<mlir::Value> inputs,
                 llvm::SmallVectorImpl<mlir::Value> &outputs);

  /// Whether the last failure was one of shapes that do not fit each other, not
  /// of something that is unsupported or malformed.
  bool isMisfit = false;

  /// What functions, loops and branches together may come to.
  static constexpr uint64_t maxExpandedNodes = 50000, maxDepth = 100;
  /// The nodes that they came to so far, an iteration counted as one.
  uint64_t expandedNodes = 0;
  /// The nodes that a graph comes to, with each body of a loop once.
  uint64_t countNodes(const onnx::GraphProto &graph) const;

  mlir::Location getNodeLoc(const onnx::NodeProto &node, const Body &body);
  mlir::Location getNamedLoc(llvm::StringRef name);

  mlir::MLIRContext *const context;

private:
  llvm::LogicalResult importNodes(const NodeList &nodes, const Body &body,
                                  Scope &scope, mlir::OpBuilder &builder);
  llvm::LogicalResult importNode(const onnx::NodeProto &node, const Body &body,
                                 Scope &scope, mlir::OpBuilder &builder);
  llvm::LogicalResult importCall(const onnx::NodeProto &node,
                                 const onnx::FunctionProto &function,
                                 const Body &body,
                                 llvm::ArrayRef<mlir::Value> inputs,
                                 llvm::SmallVectorImpl<mlir::Value> &outputs,
                                 mlir::OpBuilder &builder);
  const onnx::FunctionProto *findFunction(const onnx::NodeProto &node) const;
  static OpsetMap readOpsets(const onnx::FunctionProto &function);
  /// The attributes of a call's body: the call's, else the function's defaults.
  void bindAttributes(const onnx::NodeProto &node,
                      const onnx::FunctionProto &function, const Body &body,
                      AttributeMap &attributes);

  struct Unsupported {
    mlir::Location loc;
    std::string feature, text;
  };
  std::vector<Unsupported> unsupported;
  void collectUnsupported(const NodeList &nodes, const Body &body);

  /// Nodes and levels of bodies.
  struct Expansion {
    uint64_t nodes = 0, depth = 0;
  };
  /// Those of some nodes; what their functions come to is known.
  Expansion measure(const NodeList &nodes) const;
  llvm::DenseMap<const onnx::FunctionProto *, Expansion> expansions;

  const onnx::ModelProto &model;
  mlir::Location fileLoc;
  TensorReader &tensors;
  /// Local functions by domain, name and overload.
  std::map<std::array<std::string, 3>, const onnx::FunctionProto *> functions;
  // The bodies that are being imported, innermost last.
  llvm::SmallVector<std::pair<const Body *, const Scope *>> active;
  // Functions that were looked through for unsupported nodes.
  llvm::SmallPtrSet<const onnx::FunctionProto *, 8> checked;
  // Default attributes of functions, as they are used.
  std::deque<onnx::AttributeProto> defaults;
};

/// An order in which each node comes after those that give it its inputs,
/// changed as little as possible; an error at `loc`, which names the nodes, if
/// there is a cycle.
llvm::FailureOr<std::vector<const onnx::NodeProto *>>
sortNodes(const NodeList &nodes, mlir::Location loc);

/// Calls `visit` with each name that a node reads from the scope around it, by
/// its subgraphs too.
void forEachUse(const onnx::NodeProto &node,
                llvm::function_ref<void(const std::string &)> visit);

/// A domain as the tables spell it: "" is ai.onnx.
llvm::StringRef normalizeDomain(llvm::StringRef domain);

} // namespace brisk::onnximport

#endif // BRISK_LIB_IMPORT_GRAPHIMPORTER_H
