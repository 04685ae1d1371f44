//===- Node.cpp - An ONNX node as a handler sees it -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "GraphImporter.h"
#include "OpTable.h"
#include "TensorReader.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;
using onnx::AttributeProto;

std::string onnximport::describe(const onnx::NodeProto &proto) {
  std::string text = "node ";
  if (!proto.name().empty()) {
    text += "'" + proto.name() + "' ";
  } else {
    for (const std::string &output : proto.output())
      if (!output.empty()) {
        text += "with output '" + output + "' ";
        break;
      }
  }
  return text + "(" + proto.op_type() + ")";
}

Node::Node(GraphImporter &importer, const onnx::NodeProto &proto, int64_t opset,
           Location loc, OpBuilder &builder, ArrayRef<Value> inputs,
           const AttributeMap *callAttributes)
    : importer(importer), proto(proto), opset(opset), loc(loc),
      builder(builder), inputs(inputs), callAttributes(callAttributes) {}

InFlightDiagnostic Node::error() {
  InFlightDiagnostic diagnostic = emitError(loc);
  if (broken)
    diagnostic.abandon();
  broken = true;
  return diagnostic;
}

Type Node::getPlaceholderType() {
  return UnrankedTensorType::get(builder.getF32Type());
}

Value Node::poison() {
  return UnrealizedConversionCastOp::create(builder, loc, getPlaceholderType(),
                                            ValueRange())
      .getResult(0);
}

Value Node::in(unsigned i) {
  if (Value value = maybe(i))
    return value;
  error() << "input " << i << " is missing";
  return poison();
}

Value Node::maybe(unsigned i) {
  inputsSeen = std::max(inputsSeen, i + 1);
  Value value = i < inputs.size() ? inputs[i] : Value();
  return value && widens ? widen(value) : value;
}

Results Node::inF32(Results (*handler)(Node &)) {
  Type element = inputs.empty() || !inputs[0] ? Type(builder.getF32Type())
                                              : getElementType(inputs[0]);
  // Widened, types that do not fit together would.
  for (auto [i, input] : llvm::enumerate(inputs))
    if (input && inputs[0] && isFloat(input) && isFloat(inputs[0]))
      checkElementType(input, "input " + std::to_string(i), inputs[0]);
  widens = true;
  Results results = handler(*this);
  widens = false;
  if ((element.isF16() || element.isBF16()) && !results.failed)
    for (Value &value : results.values)
      if (getElementType(value).isF32())
        value = cast(value, element);
  return results;
}

Results Node::call(StringRef op, int64_t version, ArrayRef<Value> operands) {
  const OpRow *row = OpTable::get("")->find(op, version);
  if (!row)
    return error() << op << " is not in opset " << version;
  if (broken)
    return failure();
  Node other(importer, proto, version, loc, builder, operands, callAttributes);
  Results results = row->handler(other);
  for (const auto &name : other.seen)
    seen.insert(name.getKey());
  broken |= other.broken;
  return results;
}

SmallVector<Value> Node::all(unsigned least) {
  SmallVector<Value> values;
  for (unsigned i = 0, e = std::max<unsigned>(least, inputs.size()); i < e; ++i)
    values.push_back(in(i));
  return values;
}

const AttributeProto *
Node::getAttribute(StringRef name,
                   std::optional<AttributeProto::AttributeType> type) {
  seen.insert(name);
  const AttributeProto *found = nullptr;
  for (const AttributeProto &attribute : proto.attribute())
    if (attribute.name() == name)
      found = &attribute;
  if (found && !found->ref_attr_name().empty())
    found = callAttributes ? callAttributes->lookup(found->ref_attr_name())
                           : nullptr;
  // Models before IR version 3 may leave the type out.
  if (!found || !type || found->type() == *type ||
      found->type() == AttributeProto::UNDEFINED)
    return found;
  error() << "attribute '" << name << "' has type "
          << AttributeProto::AttributeType_Name(found->type()) << ", expected "
          << AttributeProto::AttributeType_Name(*type);
  return nullptr;
}

bool Node::has(StringRef name) { return getAttribute(name) != nullptr; }

int64_t Node::getInt(StringRef name, int64_t otherwise) {
  const AttributeProto *attr = getAttribute(name, AttributeProto::INT);
  return attr ? attr->i() : otherwise;
}

double Node::getFloat(StringRef name, double otherwise) {
  const AttributeProto *attr = getAttribute(name, AttributeProto::FLOAT);
  return attr ? attr->f() : otherwise;
}

std::string Node::getString(StringRef name, StringRef otherwise) {
  const AttributeProto *attr = getAttribute(name, AttributeProto::STRING);
  return attr ? attr->s() : otherwise.str();
}

std::optional<SmallVector<int64_t>> Node::getInts(StringRef name) {
  const AttributeProto *attr = getAttribute(name, AttributeProto::INTS);
  if (!attr)
    return std::nullopt;
  return SmallVector<int64_t>(attr->ints().begin(), attr->ints().end());
}

std::optional<SmallVector<float>> Node::getFloats(StringRef name) {
  const AttributeProto *attr = getAttribute(name, AttributeProto::FLOATS);
  if (!attr)
    return std::nullopt;
  return SmallVector<float>(attr->floats().begin(), attr->floats().end());
}

std::optional<SmallVector<std::string>> Node::getStrings(StringRef name) {
  const AttributeProto *attr = getAttribute(name, AttributeProto::STRINGS);
  if (!attr)
    return std::nullopt;
  return SmallVector<std::string>(attr->strings().begin(),
                                  attr->strings().end());
}

const onnx::GraphProto *Node::getGraph(StringRef name) {
  const AttributeProto *attr = getAttribute(name, AttributeProto::GRAPH);
  if (attr && attr->has_g())
    return &attr->g();
  error() << "attribute '" << name << "' is missing";
  return nullptr;
}

FailureOr<ElementsAttr> Node::readTensor(const onnx::TensorProto &tensor) {
  return importer.getTensors().read(tensor, loc);
}

void Node::ignore(std::initializer_list<StringRef> names) {
  for (StringRef name : names)
    seen.insert(name);
}

LogicalResult Node::checkAllUsed(unsigned numResults) {
  for (const AttributeProto &attribute : proto.attribute())
    if (!seen.contains(attribute.name()))
      return error() << "attribute '" << attribute.name()
                     << "' is not known in opset " << opset;
  for (unsigned i = inputsSeen; i < inputs.size(); ++i)
    if (inputs[i])
      return error() << "input " << i << " is not known in opset " << opset;
  for (unsigned i = numResults; i < getNumOutputs(); ++i)
    if (hasOutput(i))
      return error() << "output " << i << " is not supported";
  return success();
}

Type Node::getElementType(Value value) {
  return getElementTypeOrSelf(value.getType());
}

bool Node::isFloat(Value value) {
  return isa<FloatType>(getElementType(value));
}

int64_t Node::getRank(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : -1;
}

int64_t Node::needRank(Value value, int64_t least) {
  int64_t rank = getRank(value);
  if (rank < 0)
    error() << "the rank of an input is not known; give the model's inputs "
               "their shapes (--shape, --dim), or make the shape that it is "
               "computed with constant";
  else if (rank < least)
    error() << "its input has rank " << rank << ", expected at least " << least;
  return rank;
}

SmallVector<int64_t> Node::getAxes(int64_t first, int64_t end) {
  return llvm::to_vector(llvm::seq(first, std::max(first, end)));
}

int64_t Node::getDim(Value value, int64_t dim) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && dim >= 0 && dim < type.getRank() ? type.getDimSize(dim)
                                                  : ShapedType::kDynamic;
}

int64_t Node::normalizeAxis(int64_t axis, int64_t rank) {
  if (axis >= -rank && axis < rank)
    return axis < 0 ? axis + rank : axis;
  error() << "axis " << axis << " is out of range for rank " << rank;
  return 0;
}

Type Node::typeOf(int64_t dataType) {
  if (Type type = onnximport::getElementType(builder.getContext(), dataType))
    return type;
  error() << "element type " << getDataTypeName(dataType)
          << " is not supported";
  return builder.getF32Type();
}

SmallVector<Value> Node::finish(Operation *op) {
  // Inference relies on attributes that keep to their definition.
  NamedAttrList attributes(op->getAttrDictionary());
  if (failed(op->getName().verifyInherentAttrs(attributes, [&] {
        return error() << "not valid as " << op->getName() << ": ";
      })))
    return SmallVector<Value>(op->getNumResults(), poison());
  SmallVector<Type> types;
  if (auto inferable = dyn_cast<InferTypeOpInterface>(op)) {
    // Inference reports at the location, which carries the node's name.
    if (failed(inferable.inferReturnTypes(
            op->getContext(), op->getLoc(), op->getOperands(),
            op->getRawDictionaryAttrs(), op->getPropertiesStorage(),
            op->getRegions(), types)) ||
        types.size() != op->getNumResults()) {
      error() << "its inputs and attributes do not fit together";
      importer.isMisfit = true;
      return SmallVector<Value>(op->getNumResults(), poison());
    }
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
      result.setType(type);
  }
  if (failed(mlir::verify(op, /*verifyRecursively=*/false))) {
    error() << "it is not valid";
    return SmallVector<Value>(op->getNumResults(), poison());
  }
  if (op->getNumResults() == 1)
    return {foldSmall(builder, op->getResult(0))};
  return SmallVector<Value>(op->getResults());
}

Value Node::constant(ElementsAttr value) {
  return ConstantOp::create(builder, loc, value);
}

Value Node::scalar(double value, Type elementType) {
  auto type = RankedTensorType::get({}, elementType);
  if (auto floatType = dyn_cast<FloatType>(elementType))
    return constant(DenseElementsAttr::get(
        type, static_cast<Attribute>(builder.getFloatAttr(floatType, value))));
  bool isUnsigned = elementType.isUnsignedInteger() || elementType.isInteger(1);
  APSInt integer(elementType.getIntOrFloatBitWidth(), isUnsigned);
  bool isExact;
  if (APFloat(value).convertToInteger(integer, APFloat::rmTowardZero,
                                      &isExact) != APFloat::opOK)
    error() << value << " is not a number of type " << elementType;
  return constant(DenseElementsAttr::get(type, APInt(integer)));
}

Value Node::scalarLike(double value, Value like) {
  return scalar(value, getElementType(like));
}

Value Node::ints(ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get(values.size(), builder.getI64Type());
  return constant(DenseElementsAttr::get(type, values));
}

Value Node::intScalar(int64_t value) {
  auto type = RankedTensorType::get({}, builder.getI64Type());
  return constant(DenseElementsAttr::get(type, value));
}
