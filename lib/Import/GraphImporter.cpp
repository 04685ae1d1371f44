//===- GraphImporter.cpp - Imports graphs, functions and subgraphs --------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "OpTable.h"

#include <google/protobuf/unknown_field_set.h>

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

StringRef onnximport::normalizeDomain(StringRef domain) {
  return domain == "ai.onnx" ? StringRef() : domain;
}

std::optional<Value> Scope::lookup(StringRef name) const {
  for (const Scope *scope = this; scope; scope = scope->parent)
    if (auto found = scope->values.find(name); found != scope->values.end())
      return found->second;
  return std::nullopt;
}

/// Calls `visit` with the values of a field that is newer than the generated
/// classes.
static void forEachNewerField(const google::protobuf::Message &message,
                              int number,
                              llvm::function_ref<void(std::string)> visit) {
  const auto &fields = message.GetReflection()->GetUnknownFields(message);
  for (int i = 0; i < fields.field_count(); ++i)
    if (fields.field(i).number() == number &&
        fields.field(i).type() ==
            google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      visit(fields.field(i).length_delimited());
}

static std::string getNewerField(const google::protobuf::Message &message,
                                 int number) {
  std::string found;
  forEachNewerField(message, number,
                    [&](std::string value) { found = std::move(value); });
  return found;
}

GraphImporter::GraphImporter(MLIRContext *context,
                             const onnx::ModelProto &model, Location fileLoc,
                             TensorReader &tensors)
    : context(context), model(model), fileLoc(fileLoc), tensors(tensors) {
  constexpr int overload = 13;
  for (const onnx::FunctionProto &function : model.functions())
    functions.insert({{normalizeDomain(function.domain()).str(),
                       function.name(), getNewerField(function, overload)},
                      &function});
}

Location GraphImporter::getNamedLoc(StringRef name) {
  return NameLoc::get(StringAttr::get(context, name), fileLoc);
}

Location GraphImporter::getNodeLoc(const onnx::NodeProto &node,
                                   const Body &body) {
  std::string name = body.prefix;
  if (!node.name().empty()) {
    name += node.name();
  } else {
    name += node.op_type();
    for (const std::string &output : node.output())
      if (!output.empty()) {
        name += ":" + output;
        break;
      }
  }
  // The op too, for diagnostics.
  return NameLoc::get(StringAttr::get(context, name),
                      getNamedLoc(node.op_type()));
}

//===----------------------------------------------------------------------===//
// What is supported
//===----------------------------------------------------------------------===//

const onnx::FunctionProto *
GraphImporter::findFunction(const onnx::NodeProto &node) const {
  constexpr int overload = 8;
  auto found = functions.find({normalizeDomain(node.domain()).str(),
                               node.op_type(), getNewerField(node, overload)});
  return found == functions.end() ? nullptr : found->second;
}

OpsetMap GraphImporter::readOpsets(const onnx::FunctionProto &function) {
  OpsetMap opsets;
  for (const auto &opset : function.opset_import())
    opsets[normalizeDomain(opset.domain())] = opset.version();
  return opsets;
}

/// The feature that ops of a domain are.
static std::string describeDomain(StringRef domain) {
  std::string text = "of domain '" + domain.str() + "'";
  if (domain == "com.microsoft")
    text += ", ONNX Runtime's own ops";
  else if (domain == "ai.onnx.ml")
    text += ", classical machine learning";
  return text;
}

void GraphImporter::collectUnsupported(const NodeList &nodes,
                                       const Body &body) {
  for (const onnx::NodeProto &node : nodes) {
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        collectUnsupported(attribute.g().node(), body);
    if (const onnx::FunctionProto *function = findFunction(node)) {
      if (!checked.insert(function).second)
        continue;
      OpsetMap opsets = readOpsets(*function);
      std::string name = node.name().empty() ? node.op_type() : node.name();
      Body inner{&opsets, nullptr, body.prefix + name + "/"};
      collectUnsupported(function->node(), inner);
      continue;
    }
    StringRef domain = normalizeDomain(node.domain());
    auto opset = body.opsets->find(domain);
    Location loc = getNodeLoc(node, body);
    const OpTable *table = OpTable::get(domain);
    if (opset == body.opsets->end())
      addUnsupported(
          loc, describeDomain(domain),
          ("domain '" + domain + "' is not imported by the model").str());
    else if (!table)
      addUnsupported(loc, describeDomain(domain),
                     ("domain '" + domain + "' is not supported").str());
    else if (table->find(node.op_type(), opset->second))
      continue;
    else if (table->knows(node.op_type()))
      addUnsupported(loc, "whose op its opset does not have",
                     "the op is not in opset " + std::to_string(opset->second));
    else if (domain.empty())
      addUnsupported(loc, "whose op is not supported",
                     "the op is not supported");
    else
      addUnsupported(
          loc, describeDomain(domain),
          ("the op of domain '" + domain + "' is not supported").str());
  }
}

void GraphImporter::findUnsupported(const OpsetMap &opsets) {
  collectUnsupported(model.graph().node(), Body{&opsets, nullptr, ""});
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

FailureOr<Value>
GraphImporter::makeConstant(const onnx::SparseTensorProto &tensor, Location loc,
                            OpBuilder &builder) {
  auto values = tensors.read(tensor, loc);
  if (failed(values))
    return failure();
  return ConstantOp::create(builder, loc, *values).getResult();
}

FailureOr<Value> GraphImporter::makeConstant(const onnx::TensorProto &tensor,
                                             Location loc, OpBuilder &builder) {
  std::optional<PartOfByte> part = getPartOfByte(tensor.data_type());
  auto values =
      part ? tensors.readBytes(tensor, loc) : tensors.read(tensor, loc);
  if (failed(values))
    return failure();
  Value constant = ConstantOp::create(builder, loc, *values);
  if (!part)
    return constant;
  return UnpackBitsOp::create(
             builder, loc, constant, part->bits,
             ArrayRef<int64_t>(tensor.dims().data(), tensor.dims_size()),
             part->isSigned ? builder.getI8Type()
                            : builder.getIntegerType(8, /*isSigned=*/false))
      .getResult();
}

/// True for what stands for integers of 2 or 4 bits.
static bool isOfPartsOfBytes(Value value) {
  return value && value.getDefiningOp<UnpackBitsOp>();
}

LogicalResult GraphImporter::importGraph(const onnx::GraphProto &graph,
                                         const Body &body, Scope &scope,
                                         OpBuilder &builder) {
  llvm::StringSet<> used;
  for (const onnx::NodeProto &node : graph.node())
    forEachUse(node, [&](const std::string &name) { used.insert(name); });
  for (const auto &output : graph.output())
    used.insert(output.name());

  auto add = [&](const std::string &name, const auto &tensor) -> LogicalResult {
    Location loc = getNamedLoc(name);
    if (name.empty())
      return emitError(loc, "graph '")
             << graph.name() << "' has an initializer without a name";
    if (!used.contains(name))
      return success();
    FailureOr<Value> value = makeConstant(tensor, loc, builder);
    if (failed(value))
      return failure();
    if (!scope.define(name, *value))
      return emitError(loc, "name '") << name << "' is defined twice";
    return success();
  };
  for (const onnx::TensorProto &tensor : graph.initializer())
    if (failed(add(tensor.name(), tensor)))
      return failure();
  for (const onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    if (failed(add(tensor.values().name(), tensor)))
      return failure();
  return importNodes(graph.node(), body, scope, builder);
}

LogicalResult GraphImporter::importNodes(const NodeList &nodes,
                                         const Body &body, Scope &scope,
                                         OpBuilder &builder) {
  auto order = sortNodes(nodes, fileLoc);
  if (failed(order))
    return failure();
  active.push_back({&body, &scope});
  LogicalResult result = success();
  for (const onnx::NodeProto *node : *order)
    if (failed(result = importNode(*node, body, scope, builder)))
      break;
  active.pop_back();
  return result;
}

/// Names what a node gives.
static LogicalResult defineOutputs(const onnx::NodeProto &proto, Location loc,
                                   ArrayRef<Value> outputs, Scope &scope) {
  for (auto [i, name] : llvm::enumerate(proto.output())) {
    if (name.empty())
      continue;
    if (i >= outputs.size() || !outputs[i])
      return emitError(loc) << "output '" << name << "' is not given";
    if (!scope.define(name, outputs[i]))
      return emitError(loc) << "name '" << name << "' is defined twice";
  }
  return success();
}

LogicalResult GraphImporter::importNode(const onnx::NodeProto &proto,
                                        const Body &body, Scope &scope,
                                        OpBuilder &builder) {
  Location loc = getNodeLoc(proto, body);
  if (active.size() > 1)
    ++expandedNodes;
  SmallVector<Value> inputs;
  for (const std::string &name : proto.input()) {
    std::optional<Value> value = name.empty() ? Value() : scope.lookup(name);
    if (!value)
      return emitError(loc) << "input '" << name
                            << "' is no graph input, initializer or output of "
                               "a node";
    inputs.push_back(*value);
  }
  const onnx::FunctionProto *function = findFunction(proto);
  const OpRow *row = nullptr;
  int64_t version = 0;
  StringRef domain = normalizeDomain(proto.domain());
  const OpTable *table = function ? nullptr : OpTable::get(domain);
  if (auto opset = body.opsets->find(domain);
      table && opset != body.opsets->end()) {
    version = opset->second;
    row = table->find(proto.op_type(), version);
  }
  SmallVector<Value> outputs;
  if (llvm::any_of(inputs, isUnsupported) || (!function && !row)) {
    // Noted already; others may come.
    outputs.assign(proto.output_size(), makeUnsupported(builder, loc));
  } else if (function) {
    if (failed(importCall(proto, *function, body, inputs, outputs, builder)))
      return failure();
  } else {
    Node node(*this, proto, version, loc, builder, inputs, body.callAttributes);
    if (proto.op_type() != "DequantizeLinear" &&
        llvm::any_of(inputs, isOfPartsOfBytes))
      return node.error() << "it has an operand of 2 or 4 bits, which only "
                             "DequantizeLinear takes";
    if (!inputs.empty() && inputs[0] && !row->admits(inputs[0]))
      return node.error() << "ONNX does not define it on elements of type "
                          << Node::getElementType(inputs[0])
                          << "; cast its inputs to f32";
    Results results = row->handler(node);
    if (results.failed || node.isBroken() ||
        failed(node.checkAllUsed(results.values.size())))
      return failure();
    outputs = std::move(results.values);
  }
  return defineOutputs(proto, loc, outputs, scope);
}

LogicalResult GraphImporter::importSubgraph(Node &node,
                                            const onnx::GraphProto &graph,
                                            ArrayRef<Value> inputs,
                                            SmallVectorImpl<Value> &outputs) {
  auto [body, around] = active.back();
  if (graph.input_size() != static_cast<int>(inputs.size()))
    return node.error() << "subgraph '" << graph.name() << "' has "
                        << graph.input_size() << " inputs, expected "
                        << inputs.size();
  Scope scope{around, {}};
  for (auto [input, value] : llvm::zip_equal(graph.input(), inputs))
    if (!scope.define(input.name(), value))
      return node.error() << "subgraph '" << graph.name()
                          << "' has two inputs '" << input.name() << "'";
  if (failed(importGraph(graph, *body, scope, node.builder)))
    return failure();
  for (const auto &output : graph.output()) {
    std::optional<Value> value = scope.lookup(output.name());
    if (!value || !*value)
      return node.error() << "output '" << output.name() << "' of subgraph '"
                          << graph.name() << "' is given by no node";
    outputs.push_back(*value);
  }
  return success();
}

void GraphImporter::bindAttributes(const onnx::NodeProto &node,
                                   const onnx::FunctionProto &function,
                                   const Body &body, AttributeMap &attributes) {
  constexpr int attributeProtoField = 11;
  forEachNewerField(function, attributeProtoField,
                    [&](const std::string &value) {
                      onnx::AttributeProto &attribute = defaults.emplace_back();
                      if (attribute.ParseFromString(value))
                        attributes[attribute.name()] = &attribute;
                    });
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    const onnx::AttributeProto *bound = &attribute;
    if (!attribute.ref_attr_name().empty())
      bound = body.callAttributes
                  ? body.callAttributes->lookup(attribute.ref_attr_name())
                  : nullptr;
    if (bound)
      attributes[attribute.name()] = bound;
  }
}

LogicalResult GraphImporter::importCall(const onnx::NodeProto &node,
                                        const onnx::FunctionProto &function,
                                        const Body &body,
                                        ArrayRef<Value> inputs,
                                        SmallVectorImpl<Value> &outputs,
                                        OpBuilder &builder) {
  Location loc = getNodeLoc(node, body);
  if (static_cast<int>(inputs.size()) > function.input_size())
    return emitError(loc) << "has " << inputs.size()
                          << " inputs and the local function "
                          << function.input_size();
  OpsetMap opsets = readOpsets(function);
  AttributeMap attributes;
  bindAttributes(node, function, body, attributes);
  std::string name = node.name().empty() ? node.op_type() : node.name();
  Body inner{&opsets, &attributes, body.prefix + name + "/"};
  Scope scope;
  for (int i = 0; i < function.input_size(); ++i)
    if (!scope.define(function.input(i), i < static_cast<int>(inputs.size())
                                             ? inputs[i]
                                             : Value()))
      return emitError(loc) << "local function has two "
                            << "inputs '" << function.input(i) << "'";
  if (failed(importNodes(function.node(), inner, scope, builder)))
    return failure();
  for (const std::string &output : function.output()) {
    std::optional<Value> value = scope.lookup(output);
    outputs.push_back(value ? *value : Value());
  }
  return success();
}
