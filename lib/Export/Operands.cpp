//===- Operands.cpp - Values in the forms that nodes want -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

std::pair<Value, Form> GraphExporter::resolve(Value value,
                                              ArrayRef<int64_t> form) {
  Form result(form);
  while (auto transpose = value.getDefiningOp<TransposeOp>()) {
    result = Form(applyPermutation(transpose.getPermutation(), result));
    value = transpose.getInput();
  }
  return {value, result};
}

bool onnxexport::isMadeOnDemand(Operation *op) {
  if (auto dequantize = dyn_cast<DequantizeOp>(op);
      dequantize && !dequantize.getScale())
    return true;
  return isa<DequantizeOp, CastOp>(op) &&
         llvm::all_of(op->getOperands(), [](Value operand) {
           return static_cast<bool>(brisk::getConstant(operand));
         });
}

bool GraphExporter::isAtHand(Value value, ArrayRef<int64_t> form) const {
  if (brisk::getConstant(value) ||
      cast<RankedTensorType>(value.getType()).getNumElements() == 1)
    return true;
  if (getRank(value) != static_cast<int64_t>(form.size()))
    return isIdentityPermutation(form);
  auto [root, rootForm] = resolve(value, form);
  Operation *op = root.getDefiningOp();
  return find(root, rootForm) || brisk::getConstant(root) ||
         (op && isMadeOnDemand(op));
}

Form GraphExporter::chooseForm(Operation *op, ValueRange operands) {
  if (asked)
    return *std::exchange(asked, std::nullopt);
  int64_t rank = getRank(op->getResult(0));
  Form plain = makePlain(rank);
  auto fits = [&](ArrayRef<int64_t> form) {
    return llvm::all_of(operands,
                        [&](Value operand) { return isAtHand(operand, form); });
  };
  if (fits(plain))
    return plain;
  for (Value operand : operands) {
    if (getRank(operand) != rank)
      continue;
    auto [root, back] = resolve(operand, plain);
    SmallVector<int64_t> inverse = invertPermutationVector(back);
    // The forms of the root, as those of the operand.
    if (auto found = values.find(root); found != values.end())
      for (const Named &each : found->second)
        if (Form form(applyPermutation(inverse, each.form)); fits(form))
          return form;
  }
  return plain;
}

/// What to call a constant: as the model does, unless it was computed from
/// others, which leaves it the name of a node.
static std::string getConstantName(Value constant) {
  auto name = dyn_cast<NameLoc>(constant.getLoc());
  bool isOfNode = name && isa<NameLoc>(name.getChildLoc());
  return (getName(constant.getLoc()) + (isOfNode ? "_constant" : "")).str();
}

std::string GraphExporter::get(Value value) {
  return value ? get(value, makePlain(getRank(value))) : "";
}

std::string GraphExporter::get(Value value, ArrayRef<int64_t> form) {
  auto [root, rootForm] = resolve(value, form);
  if (auto name = find(root, rootForm))
    return *name;
  if (ElementsAttr constant = brisk::getConstant(root)) {
    bool isPlain = isIdentityPermutation(rootForm);
    std::string name = addInitializer(
        getConstantName(root),
        isPlain ? constant : transposeElements(constant, rootForm));
    constants[root].push_back({rootForm, name});
    return name;
  }
  Operation *op = root.getDefiningOp();
  if (op && isMadeOnDemand(op)) {
    asked = rootForm;
    const OpRow *row = OpTable::get().find(op);
    row->handler(*this, op, row->type);
    asked.reset();
    return find(root, rootForm).value_or("");
  }
  auto found = values.find(root);
  if (found == values.end() || found->second.empty())
    return ""; // of an op that was refused
  Named have = found->second.front();
  std::string name =
      op ? define(root, rootForm) : makeName(have.name + "_transposed");
  if (!op)
    values[root].push_back({rootForm, name});
  // Dimension i is that which `have` has at the place of root's rootForm[i].
  SmallVector<int64_t> permutation = applyPermutation(
      invertPermutationVector(have.form), ArrayRef<int64_t>(rootForm));
  onnx::NodeProto &node = *graph->add_node();
  node.set_op_type("Transpose");
  node.set_name(makeName(have.name + "_Transpose"));
  node.add_input(have.name);
  node.add_output(name);
  NodeMaker(node).set("perm", ArrayRef<int64_t>(permutation));
  return name;
}

std::string GraphExporter::getBroadcast(Value value, ArrayRef<int64_t> form) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t missing = static_cast<int64_t>(form.size()) - type.getRank();
  if (isIdentityPermutation(form) ||
      (type.getNumElements() == 1 && missing > 0))
    return get(value);
  if (missing == 0)
    return get(value, form);
  SmallVector<int64_t> shape(missing, 1);
  llvm::append_range(shape, type.getShape());
  return getConstant(transposeElements(
      brisk::reshapeElements(brisk::getConstant(value), shape), form));
}

std::string GraphExporter::getInts(Value value) {
  ElementsAttr constant = value ? brisk::getConstant(value) : ElementsAttr();
  return constant ? getConstant(getAsInts(constant)) : get(value);
}

std::string GraphExporter::getIntScalar(Value value) {
  ElementsAttr constant = value ? brisk::getConstant(value) : ElementsAttr();
  if (!constant)
    return get(value);
  auto type =
      RankedTensorType::get({}, IntegerType::get(value.getContext(), 64));
  return getConstant(makeElements<int64_t>(type, getAsInts(constant)));
}

std::string GraphExporter::getReshaped(Operation *op, Value value,
                                       ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == shape)
    return get(value);
  if (ElementsAttr constant = brisk::getConstant(value))
    return getConstant(brisk::reshapeElements(constant, shape));
  return makePart(op, "Reshape", {get(value), getConstant(shape)});
}

std::string GraphExporter::getConstant(ArrayRef<int64_t> ints) {
  Builder b(context);
  return getConstant(b.getI64TensorAttr(ints));
}

std::string GraphExporter::getConstant(ElementsAttr value) {
  std::string &name = initializers[value];
  if (name.empty())
    name = addInitializer("", value);
  return name;
}

std::string GraphExporter::addInitializer(StringRef name, ElementsAttr value) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    name = resource.getRawHandle().getKey();
  std::string unique = makeName(name.empty() ? "constant" : name);
  constantBytes += getByteSize(value.getShapedType());
  if (constantBytes > maxFileBytes)
    return unique;
  onnx::TensorProto &tensor = *main.add_initializer();
  tensor.set_name(unique);
  fillTensor(value, tensor);
  return unique;
}

void onnxexport::fillTensor(ElementsAttr value, onnx::TensorProto &tensor) {
  for (int64_t dim : value.getShapedType().getShape())
    tensor.add_dims(dim);
  tensor.set_data_type(getDataType(value.getElementType()));
  ElementBytes bytes(value);
  tensor.set_raw_data(bytes.bytes().data(), bytes.size());
}
