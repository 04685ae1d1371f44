//===- Expansion.cpp - How much a model comes to --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are inlined, loops unrolled and branches imported, each with what
// is in it. What that comes to is counted before anything is expanded: a small
// file may say a program that no memory holds.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

/// Calls `visit` for the graphs that a node has as attributes.
static void
forEachGraph(const onnx::NodeProto &node,
             llvm::function_ref<void(const onnx::GraphProto &)> visit) {
  for (const onnx::AttributeProto &attribute : node.attribute())
    if (attribute.has_g())
      visit(attribute.g());
}

GraphImporter::Expansion GraphImporter::measure(const NodeList &nodes) const {
  Expansion sum;
  auto add = [&](Expansion inner) {
    sum.nodes = llvm::SaturatingAdd(sum.nodes, inner.nodes);
    sum.depth = std::max(sum.depth, inner.depth + 1);
  };
  for (const onnx::NodeProto &node : nodes) {
    sum.nodes = llvm::SaturatingAdd(sum.nodes, uint64_t(1));
    if (const onnx::FunctionProto *function = findFunction(node))
      add(expansions.lookup(function));
    forEachGraph(node, [&](const onnx::GraphProto &graph) {
      add(measure(graph.node()));
    });
  }
  return sum;
}

uint64_t GraphImporter::countNodes(const onnx::GraphProto &graph) const {
  return measure(graph.node()).nodes;
}

namespace {
/// A function whose callees are being measured.
struct Caller {
  const onnx::FunctionProto *function; // null: the model's graph
  std::vector<const onnx::NodeProto *> calls;
};
} // namespace

LogicalResult GraphImporter::checkExpansion() {
  auto open = [&](const onnx::FunctionProto *function) {
    Caller caller{function, {}};
    auto collect = [&](auto &&self, const NodeList &nodes) -> void {
      for (const onnx::NodeProto &node : nodes) {
        if (findFunction(node))
          caller.calls.push_back(&node);
        forEachGraph(node, [&](const onnx::GraphProto &graph) {
          self(self, graph.node());
        });
      }
    };
    collect(collect, function ? function->node() : model.graph().node());
    return caller;
  };
  // Calls may nest deeper than the stack.
  std::vector<Caller> callers{open(nullptr)};
  llvm::SmallPtrSet<const onnx::FunctionProto *, 16> opened;
  while (callers.back().function || !callers.back().calls.empty()) {
    auto &[function, calls] = callers.back();
    if (calls.empty()) {
      expansions[function] = measure(function->node());
      opened.erase(function);
      callers.pop_back();
      continue;
    }
    const onnx::NodeProto *call = calls.back();
    const onnx::FunctionProto *callee = findFunction(*call);
    calls.pop_back();
    if (expansions.contains(callee))
      continue;
    if (!opened.insert(callee).second) {
      OpsetMap none;
      std::string prefix = function ? function->name() + "/" : "";
      return emitError(getNodeLoc(*call, Body{&none, nullptr, prefix}))
             << "local function calls itself";
    }
    callers.push_back(open(callee));
  }
  Expansion all = measure(model.graph().node());
  uint64_t nodes = all.nodes - model.graph().node_size();
  if (nodes <= maxExpandedNodes && all.depth <= maxDepth)
    return success();
  return emitError(fileLoc, "functions, loops and branches come to ")
         << nodes << " nodes in " << all.depth << " levels; at most "
         << maxExpandedNodes << " nodes in " << maxDepth
         << " levels are supported";
}

//===----------------------------------------------------------------------===//
// What is right and not supported
//===----------------------------------------------------------------------===//

Value GraphImporter::makeUnsupported(OpBuilder &builder, Location loc) {
  return UnrealizedConversionCastOp::create(
             builder, loc, UnrankedTensorType::get(builder.getF32Type()),
             ValueRange())
      .getResult(0);
}

bool GraphImporter::isUnsupported(Value value) {
  return value && value.getDefiningOp<UnrealizedConversionCastOp>();
}

LogicalResult GraphImporter::reportUnsupported() {
  if (unsupported.empty())
    return success();
  llvm::MapVector<StringRef, unsigned> features;
  for (const Unsupported &each : unsupported)
    ++features[each.feature];
  InFlightDiagnostic diag = emitError(fileLoc, "model has ")
                            << unsupported.size()
                            << (unsupported.size() == 1 ? " node" : " nodes")
                            << " that cannot be imported";
  StringRef separator = ": ";
  for (auto [feature, count] : features) {
    diag << separator << count << " " << feature;
    separator = ", ";
  }
  for (const Unsupported &each : unsupported)
    diag.attachNote(each.loc) << each.text;
  return diag;
}
