//===- GraphExporter.cpp - A function becomes an ONNX graph ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphExporter.h"
#include "OpTable.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/NodeLocation.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

Form onnxexport::makePlain(int64_t rank) {
  return llvm::to_vector<6>(llvm::seq<int64_t>(0, rank));
}

Form onnxexport::makeChannelsFirst(int64_t rank) {
  Form form = {0, rank - 1};
  llvm::append_range(form, llvm::seq<int64_t>(1, rank - 1));
  return form;
}

int32_t onnxexport::getDataType(Type elementType) {
  return static_cast<int32_t>(findElementType(elementType)->dtype);
}

int64_t onnxexport::getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

onnx::AttributeProto &NodeMaker::add(StringRef name,
                                     onnx::AttributeProto::AttributeType type) {
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name(name.str());
  attribute.set_type(type);
  return attribute;
}

NodeMaker &NodeMaker::set(StringRef name, int64_t value) {
  add(name, onnx::AttributeProto::INT).set_i(value);
  return *this;
}

NodeMaker &NodeMaker::set(StringRef name, float value) {
  add(name, onnx::AttributeProto::FLOAT).set_f(value);
  return *this;
}

NodeMaker &NodeMaker::set(StringRef name, StringRef value) {
  add(name, onnx::AttributeProto::STRING).set_s(value.str());
  return *this;
}

NodeMaker &NodeMaker::set(StringRef name, ArrayRef<int64_t> values) {
  onnx::AttributeProto &attribute = add(name, onnx::AttributeProto::INTS);
  for (int64_t value : values)
    attribute.add_ints(value);
  return *this;
}

NodeMaker &NodeMaker::set(StringRef name, ArrayRef<float> values) {
  onnx::AttributeProto &attribute = add(name, onnx::AttributeProto::FLOATS);
  for (float value : values)
    attribute.add_floats(value);
  return *this;
}

NodeMaker &NodeMaker::set(StringRef name, ArrayRef<std::string> values) {
  onnx::AttributeProto &attribute = add(name, onnx::AttributeProto::STRINGS);
  for (const std::string &value : values)
    attribute.add_strings(value);
  return *this;
}

NodeMaker GraphExporter::makeNode(Operation *op, StringRef type,
                                  ArrayRef<std::string> inputs,
                                  ArrayRef<std::string> outputs) {
  onnx::NodeProto &node = *graph->add_node();
  node.set_op_type(type.str());
  node.set_name(nameAfter(op->getLoc(), ""));
  while (!inputs.empty() && inputs.back().empty())
    inputs = inputs.drop_back();
  while (!outputs.empty() && outputs.back().empty())
    outputs = outputs.drop_back();
  for (const std::string &input : inputs)
    node.add_input(input);
  for (const std::string &output : outputs)
    node.add_output(output);
  return NodeMaker(node);
}

NodeMaker GraphExporter::makeNode(Operation *op, StringRef type,
                                  ArrayRef<std::string> inputs) {
  SmallVector<std::string> outputs;
  for (Value result : op->getResults())
    outputs.push_back(define(result));
  return makeNode(op, type, inputs, outputs);
}

NodeMaker GraphExporter::makeNode(Operation *op, StringRef type,
                                  ArrayRef<std::string> inputs,
                                  ArrayRef<int64_t> form) {
  return makeNode(op, type, inputs,
                  ArrayRef<std::string>(define(op->getResult(0), form)));
}

std::string
GraphExporter::makePart(Operation *op, StringRef type,
                        ArrayRef<std::string> inputs,
                        llvm::function_ref<void(NodeMaker)> setAttributes) {
  std::string output = nameAfter(op->getLoc(), "_" + type);
  setAttributes(makeNode(op, type, inputs, ArrayRef<std::string>(output)));
  return output;
}

std::string GraphExporter::makeCast(Operation *op, const std::string &input,
                                    Type elementType) {
  return makePart(op, "Cast", input, [&](NodeMaker node) {
    node.set("to", static_cast<int64_t>(getDataType(elementType)));
  });
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string GraphExporter::makeName(StringRef wanted) {
  std::string name = wanted.str();
  for (unsigned i = 2; !used.insert(name).second; ++i)
    name = (wanted + "_" + Twine(i)).str();
  return name;
}

StringRef onnxexport::getName(Location loc) {
  NameLoc name = findName(loc);
  return name ? name.getName().getValue() : "";
}

std::string GraphExporter::nameAfter(Location loc, const Twine &suffix) {
  StringRef name = getName(loc);
  return makeName(((name.empty() ? "node" : name) + suffix).str());
}

std::optional<std::string> GraphExporter::find(Value root,
                                               ArrayRef<int64_t> form) const {
  for (const Names *names : {&values, &constants})
    if (auto found = names->find(root); found != names->end())
      for (const Named &each : found->second)
        if (ArrayRef<int64_t>(each.form) == form)
          return each.name;
  return std::nullopt;
}

std::string GraphExporter::define(Value result, ArrayRef<int64_t> form) {
  std::string name;
  if (auto found = wanted.find(result); graph == &main && found != wanted.end())
    for (Named &each : found->second)
      if (name.empty() && ArrayRef<int64_t>(each.form) == form)
        name = std::exchange(each.name, "");
  if (name.empty())
    name =
        nameAfter(result.getLoc(),
                  "_output_" + Twine(cast<OpResult>(result).getResultNumber()));
  values[result].push_back({Form(form), name});
  return name;
}

std::string GraphExporter::define(Value result) {
  return define(result, makePlain(getRank(result)));
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

void GraphExporter::refuse(Operation *op, const Twine &reason) {
  refusals.push_back({op->getLoc(), reason.str()});
}

static void describeValue(onnx::ValueInfoProto &info, const std::string &name,
                          RankedTensorType type) {
  info.set_name(name);
  onnx::TypeProto_Tensor &tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(getDataType(type.getElementType()));
  onnx::TensorShapeProto &shape = *tensor.mutable_shape();
  for (int64_t dim : type.getShape())
    shape.add_dim()->set_dim_value(dim);
}

void GraphExporter::exportOp(Operation *op) {
  if (isa<ConstantOp, TransposeOp>(op) ||
      op->hasTrait<OpTrait::IsTerminator>() || isMadeOnDemand(op))
    return;
  const OpRow *row = OpTable::get().find(op);
  if (row)
    row->handler(*this, op, row->type);
  else
    refuse(op, "ONNX has no words for '" + op->getName().getStringRef() + "'");
}

void GraphExporter::exportBlock(Block &block) {
  for (Operation &op : block)
    exportOp(&op);
}

void GraphExporter::exportRegion(Region &region, onnx::GraphProto &into) {
  // What is named within is not seen from without.
  Names outer = values;
  onnx::GraphProto *around = std::exchange(graph, &into);
  into.set_name(makeName("branch"));
  exportBlock(region.front());
  for (Value yielded : region.front().getTerminator()->getOperands()) {
    std::string name = get(yielded), result = makeName(name + "_yielded");
    onnx::NodeProto &node = *graph->add_node();
    node.set_op_type("Identity");
    node.set_name(makeName(result + "_Identity"));
    node.add_input(name);
    node.add_output(result);
    describeValue(*into.add_output(), result,
                  cast<RankedTensorType>(yielded.getType()));
  }
  graph = around;
  values = std::move(outer);
}

/// The name that a model's input or result has in ONNX.
static std::string getPortName(DictionaryAttr attributes, StringRef otherwise,
                               unsigned number) {
  if (attributes)
    if (auto name = attributes.getAs<StringAttr>(BriskDialect::nameAttrName))
      return name.str();
  return (otherwise + Twine(number)).str();
}

void GraphExporter::exportResults(func::FuncOp function) {
  Operation *end = function.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    std::string name = getPortName(function.getResultAttrDict(i), "output_", i);
    describeValue(*main.add_output(), name,
                  cast<RankedTensorType>(value.getType()));
    if (std::string have = get(value); have != name)
      makeNode(end, "Identity", {have}, ArrayRef<std::string>(name));
  }
}

void GraphExporter::exportFunction(func::FuncOp function) {
  main.set_name(function.getName().str());
  for (auto [i, argument] : llvm::enumerate(function.getArguments())) {
    std::string name = getPortName(function.getArgAttrDict(i), "input_", i);
    used.insert(name);
    values[argument].push_back({makePlain(getRank(argument)), name});
    describeValue(*main.add_input(), name,
                  cast<RankedTensorType>(argument.getType()));
  }
  Operation *end = function.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands())) {
    std::string name = getPortName(function.getResultAttrDict(i), "output_", i);
    if (!used.insert(name).second)
      continue; // an input or another result has it
    auto [root, form] = resolve(value, makePlain(getRank(value)));
    if (root.getDefiningOp())
      wanted[root].push_back({form, name});
  }
  exportBlock(function.front());
  exportResults(function);
  if (constantBytes > maxFileBytes)
    refuse(function, "its weights have " + Twine(constantBytes) +
                         " bytes, and an .onnx file holds less than 2 GiB");
}
