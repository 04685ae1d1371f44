//===- ControlFlow.cpp - Subgraphs ----------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "OpTable.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

static bool hasUnsupported(ArrayRef<Value> values) {
  return llvm::any_of(values, GraphImporter::isUnsupported);
}

/// The results of a node that is noted as not supported, or uses what is.
static Results makeUnsupported(Node &n) {
  return SmallVector<Value>(n.getNumOutputs(), n.poison());
}

/// Imports a branch; `reason` says why if shapes do not fit in it, by which it
/// cannot be taken in a model that is right.
static LogicalResult importBranch(Node &n, const onnx::GraphProto &graph,
                                  SmallVectorImpl<Value> &outputs,
                                  std::string &reason) {
  std::vector<Diagnostic> diagnostics;
  size_t noted = n.importer.countUnsupported();
  n.importer.isMisfit = false;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler handler(
        n.builder.getContext(), [&](Diagnostic &diagnostic) {
          diagnostics.push_back(std::move(diagnostic));
          return success();
        });
    result = n.importer.importSubgraph(n, graph, {}, outputs);
  }
  if (failed(result) && n.importer.isMisfit) {
    reason = diagnostics.empty() ? "unknown" : diagnostics.front().str();
    outputs.clear();
    n.importer.isMisfit = false;
    n.importer.keepUnsupported(noted);
    return success();
  }
  for (Diagnostic &diagnostic : diagnostics)
    n.builder.getContext()->getDiagEngine().emit(std::move(diagnostic));
  return result;
}

/// The one element of a constant, if the value is one.
static std::optional<int64_t> getNumber(Node &n, Value value) {
  auto known = n.getConstant(value);
  return known && known->size() == 1 ? std::optional(known->front())
                                     : std::nullopt;
}

static Results importIf(Node &n) {
  Value condition = n.in(0);
  const onnx::GraphProto *graphs[] = {n.getGraph("then_branch"),
                                      n.getGraph("else_branch")};
  if (n.isBroken())
    return failure();
  if (!Node::getElementType(condition).isInteger(1))
    return n.error() << "the condition is not a boolean";
  // Only the branch that is taken need be importable if that is known.
  if (auto known = getNumber(n, condition)) {
    SmallVector<Value> outputs;
    if (failed(
            n.importer.importSubgraph(n, *graphs[*known ? 0 : 1], {}, outputs)))
      return failure();
    return outputs;
  }
  OperationState state(n.loc, IfOp::getOperationName());
  state.addOperands(condition);
  SmallVector<Value> yielded[2];
  std::string reasons[2];
  for (int i = 0; i < 2; ++i) {
    OpBuilder::InsertionGuard guard(n.builder);
    n.builder.createBlock(state.addRegion());
    if (failed(importBranch(n, *graphs[i], yielded[i], reasons[i])))
      return failure();
    YieldOp::create(n.builder, n.loc, yielded[i]);
  }
  if (!reasons[0].empty() && !reasons[1].empty())
    return n.error() << "neither branch fits the shapes of its inputs: "
                     << reasons[0] << "; " << reasons[1];
  for (int i = 0; i < 2; ++i) {
    if (reasons[i].empty())
      continue;
    mlir::emitWarning(n.loc)
        << "the " << (i ? "else" : "then")
        << " branch does not fit the shapes of its inputs, and a run that "
           "takes it fails: "
        << reasons[i];
    Value fits = i ? condition : n.make<LogicalNotOp>(condition);
    RequireOp::create(n.builder, n.loc, fits);
    Block &block = state.regions[1 - i]->front();
    block.getTerminator()->erase();
    n.builder.getInsertionBlock()->getOperations().splice(
        n.builder.getInsertionPoint(), block.getOperations());
    return yielded[1 - i];
  }
  if (hasUnsupported(yielded[0]) || hasUnsupported(yielded[1]))
    return makeUnsupported(n);
  if (yielded[0].size() != yielded[1].size())
    return n.error() << "the branches have " << yielded[0].size() << " and "
                     << yielded[1].size() << " outputs";
  for (auto [a, b] : llvm::zip_equal(yielded[0], yielded[1])) {
    auto left = cast<TensorType>(a.getType());
    auto right = cast<TensorType>(b.getType());
    if (left.getElementType() != right.getElementType())
      return n.error() << "the branches give " << left << " and " << right;
    state.addTypes(joinTypes(left, right));
  }
  return SmallVector<Value>(n.builder.create(state)->getResults());
}

static Results addUnsupported(Node &n, StringRef feature, const Twine &text) {
  n.importer.addUnsupported(n.loc, feature, text.str());
  return makeUnsupported(n);
}

/// Notes a loop that unrolls to more than a program should hold.
static Results addTooLong(Node &n, const Twine &nodes) {
  return addUnsupported(
      n, "that loop too often",
      "unrolled, it comes to " + nodes +
          " nodes; functions, loops and branches together may come to " +
          Twine(GraphImporter::maxExpandedNodes));
}

/// True if that many iterations exceed the budget.
static bool isTooLong(Node &n, const onnx::GraphProto &body, int64_t count,
                      uint64_t &nodes) {
  nodes = llvm::SaturatingMultiply(uint64_t(count),
                                   n.importer.countNodes(body) + 1);
  return llvm::SaturatingAdd(nodes, n.importer.expandedNodes) >
         GraphImporter::maxExpandedNodes;
}

/// True if a body's condition, its first output, is always true once the loop
/// runs: the condition that it is given, or a constant.
static bool runsToItsCount(const onnx::GraphProto &body) {
  std::string name = body.output(0).name();
  for (int i = body.node_size(); i-- > 0;) {
    const onnx::NodeProto &node = body.node(i);
    if (node.output_size() != 1 || node.output(0) != name)
      continue;
    if (node.op_type() == "Constant")
      return true;
    if (node.op_type() != "Identity" || node.input_size() != 1)
      return false;
    name = node.input(0);
  }
  return name == body.input(1).name();
}

/// Imports a body once more.
static LogicalResult importIteration(Node &n, const onnx::GraphProto &body,
                                     ArrayRef<Value> inputs,
                                     SmallVectorImpl<Value> &outputs) {
  ++n.importer.expandedNodes;
  return n.importer.importSubgraph(n, body, inputs, outputs);
}

/// Takes what an iteration gave: the carried values, and one more of each scan.
static void takeOutputs(Node &n, ArrayRef<Value> outputs,
                        MutableArrayRef<Value> carried,
                        MutableArrayRef<SmallVector<Value>> scans) {
  llvm::copy(outputs.take_front(carried.size()), carried.begin());
  for (auto [scan, value] :
       llvm::zip_equal(scans, outputs.drop_front(carried.size())))
    scan.push_back(n.unsqueeze(value, {0}));
}

static constexpr StringRef endsByData = "that loop as long as data says";

/// Unrolls a loop whose trip count and conditions are known.
static Results loop(Node &n) {
  const onnx::GraphProto *body = n.getGraph("body");
  Value tripCount = n.maybe(0), condition = n.maybe(1);
  if (n.isBroken())
    return failure();
  SmallVector<Value> carried;
  for (unsigned i = 2; i < n.getNumInputs(); ++i)
    carried.push_back(n.in(i));
  int64_t numScans =
      body->output_size() - 1 - static_cast<int64_t>(carried.size());
  if (numScans < 0 ||
      body->input_size() != static_cast<int64_t>(carried.size()) + 2)
    return n.error() << "the body has " << body->input_size() << " inputs and "
                     << body->output_size() << " outputs, which do not fit "
                     << carried.size() << " loop-carried values";
  int64_t count = std::numeric_limits<int64_t>::max();
  if (tripCount) {
    auto known = getNumber(n, tripCount);
    if (!known)
      return addUnsupported(n, endsByData,
                            "the trip count is not known at compile time; if "
                            "it follows from shapes, give the inputs theirs "
                            "(--shape, --dim)");
    count = std::max<int64_t>(*known, 0);
    uint64_t nodes;
    if (isTooLong(n, *body, count, nodes) && runsToItsCount(*body))
      return addTooLong(n, Twine(nodes));
  }
  if (!condition)
    condition = n.scalar(1, n.builder.getI1Type());
  SmallVector<SmallVector<Value>> scans(numScans);
  for (int64_t i = 0; i < count; ++i) {
    auto known = getNumber(n, condition);
    if (!known)
      return addUnsupported(n, endsByData,
                            "whether iteration " + Twine(i) +
                                " runs is not known at compile time");
    if (*known == 0)
      break;
    if (n.importer.expandedNodes >= GraphImporter::maxExpandedNodes)
      return addTooLong(n, "more");
    SmallVector<Value> inputs{n.intScalar(i), condition}, outputs;
    llvm::append_range(inputs, carried);
    if (failed(importIteration(n, *body, inputs, outputs)))
      return failure();
    if (hasUnsupported(outputs))
      return makeUnsupported(n);
    condition = outputs[0];
    takeOutputs(n, ArrayRef(outputs).drop_front(), carried, scans);
  }
  if (numScans && scans.front().empty())
    return n.error() << "the loop never runs and has scan outputs, whose shape "
                        "is not known";
  for (ArrayRef<Value> scan : scans)
    carried.push_back(n.concat(scan, 0));
  return carried;
}

namespace {
/// The axes of what a scan takes and gives, and which it walks from the end.
struct ScanAxes {
  SmallVector<int64_t> inputs, reversed, outputs, outputsReversed;
  int64_t length = 0;
};
} // namespace

static ScanAxes readScanAxes(Node &n, ArrayRef<Value> inputs,
                             int64_t numOutputs) {
  auto read = [&](StringRef name, size_t size) {
    SmallVector<int64_t> values =
        n.getInts(name).value_or(SmallVector<int64_t>(size, 0));
    if (values.size() != size)
      n.error() << "attribute '" << name << "' has " << values.size()
                << " values, expected " << size;
    values.resize(size);
    return values;
  };
  ScanAxes axes{read("scan_input_axes", inputs.size()),
                read("scan_input_directions", inputs.size()),
                read("scan_output_axes", numOutputs),
                read("scan_output_directions", numOutputs)};
  for (auto [i, input] : llvm::enumerate(inputs)) {
    axes.inputs[i] = n.normalizeAxis(axes.inputs[i], n.needRank(input));
    int64_t length = Node::getDim(input, axes.inputs[i]);
    if (ShapedType::isDynamic(length))
      n.error() << "the length of the scanned axis is not known";
    if (i > 0 && length != axes.length)
      n.error() << "the scanned axes have the lengths " << axes.length
                << " and " << length;
    axes.length = length;
  }
  if (axes.length == 0)
    n.error() << "the scanned axis is empty";
  return axes;
}

/// Unrolls a scan over axes whose length is known.
static Results scan(Node &n) {
  const onnx::GraphProto *body = n.getGraph("body");
  int64_t numScans = n.getInt("num_scan_inputs", 0);
  if (n.isBroken())
    return failure();
  int64_t numStates = n.getNumInputs() - numScans;
  if (numScans < 1 || numStates < 0 ||
      body->input_size() != static_cast<int>(n.getNumInputs()) ||
      body->output_size() < numStates)
    return n.error() << "the body does not fit " << n.getNumInputs()
                     << " inputs, " << numScans << " of them scanned";
  SmallVector<Value> states = n.all();
  SmallVector<Value> scanned(states.begin() + numStates, states.end());
  states.truncate(numStates);
  SmallVector<SmallVector<Value>> results(body->output_size() - numStates);
  ScanAxes axes = readScanAxes(n, scanned, results.size());
  if (n.isBroken())
    return failure();
  uint64_t nodes;
  if (isTooLong(n, *body, axes.length, nodes))
    return addTooLong(n, Twine(nodes));
  for (int64_t i = 0; i < axes.length; ++i) {
    SmallVector<Value> arguments(states), outputs;
    for (auto [input, axis, reversed] :
         llvm::zip_equal(scanned, axes.inputs, axes.reversed))
      arguments.push_back(n.make<GatherOp>(
          input, n.intScalar(reversed ? axes.length - 1 - i : i), axis));
    if (n.isBroken() || failed(importIteration(n, *body, arguments, outputs)))
      return failure();
    if (hasUnsupported(outputs))
      return makeUnsupported(n);
    states.assign(outputs.begin(), outputs.begin() + numStates);
    for (auto [result, value, axis] : llvm::zip_equal(
             results, ArrayRef(outputs).drop_front(numStates), axes.outputs))
      result.push_back(n.unsqueeze(value, {axis}));
  }
  for (auto [result, axis, reversed] :
       llvm::zip_equal(results, axes.outputs, axes.outputsReversed)) {
    if (reversed)
      std::reverse(result.begin(), result.end());
    states.push_back(n.concat(result, axis));
  }
  return states;
}

void onnximport::addControlFlowRows(OpTable &table) {
  table.on("If", 1, importIf);
  table.on("Loop", 1, loop);
  table.on("Scan", 9, scan);
}
