//===- GraphOrder.cpp - Order of nodes ------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include <queue>

using namespace mlir;
using namespace brisk::onnximport;

static void
forEachFreeName(const onnx::GraphProto &graph,
                llvm::function_ref<void(const std::string &)> visit) {
  llvm::StringSet<> inside;
  for (const auto &input : graph.input())
    inside.insert(input.name());
  for (const auto &tensor : graph.initializer())
    inside.insert(tensor.name());
  for (const auto &tensor : graph.sparse_initializer())
    inside.insert(tensor.values().name());
  for (const onnx::NodeProto &node : graph.node())
    for (const std::string &output : node.output())
      inside.insert(output);
  auto visitFree = [&](const std::string &name) {
    if (!inside.contains(name))
      visit(name);
  };
  for (const onnx::NodeProto &node : graph.node())
    brisk::onnximport::forEachUse(node, visitFree);
  for (const auto &output : graph.output())
    visitFree(output.name());
}

void brisk::onnximport::forEachUse(
    const onnx::NodeProto &node,
    llvm::function_ref<void(const std::string &)> visit) {
  for (const std::string &input : node.input())
    if (!input.empty())
      visit(input);
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      forEachFreeName(attribute.g(), visit);
    for (const onnx::GraphProto &graph : attribute.graphs())
      forEachFreeName(graph, visit);
  }
}

/// Names a cycle among the nodes that still wait for others: back from any,
/// always to one that it waits for, until one comes again.
static LogicalResult reportCycle(const NodeList &nodes,
                                 ArrayRef<std::vector<int>> consumers,
                                 ArrayRef<int> waiting, Location loc) {
  std::vector<int> path, producerOf(nodes.size(), -1);
  for (int i = 0; i < nodes.size(); ++i)
    for (int consumer : consumers[i])
      if (waiting[i] && waiting[consumer])
        producerOf[consumer] = i;
  int at = 0;
  while (!waiting[at] || producerOf[at] < 0)
    ++at;
  while (!llvm::is_contained(path, at)) {
    path.push_back(at);
    at = producerOf[at];
  }
  path.erase(path.begin(), llvm::find(path, at));
  InFlightDiagnostic diag = emitError(loc, "graph is cyclic: ");
  for (int i : llvm::reverse(path))
    diag << describe(nodes[i]) << " -> ";
  return diag << describe(nodes[path.back()]);
}

FailureOr<std::vector<const onnx::NodeProto *>>
brisk::onnximport::sortNodes(const NodeList &nodes, Location loc) {
  llvm::StringMap<int> producers;
  for (int i = 0; i < nodes.size(); ++i)
    for (const std::string &output : nodes[i].output())
      if (!output.empty())
        producers.insert({output, i});
  std::vector<std::vector<int>> consumers(nodes.size());
  std::vector<int> waiting(nodes.size());
  for (int i = 0; i < nodes.size(); ++i)
    forEachUse(nodes[i], [&](const std::string &name) {
      auto producer = producers.find(name);
      if (producer == producers.end())
        return;
      consumers[producer->second].push_back(i);
      ++waiting[i];
    });
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (int i = 0; i < nodes.size(); ++i)
    if (!waiting[i])
      ready.push(i);
  std::vector<const onnx::NodeProto *> order;
  while (!ready.empty()) {
    int next = ready.top();
    ready.pop();
    order.push_back(&nodes[next]);
    for (int consumer : consumers[next])
      if (--waiting[consumer] == 0)
        ready.push(consumer);
  }
  if (static_cast<int>(order.size()) < nodes.size())
    return reportCycle(nodes, consumers, waiting, loc);
  return order;
}
