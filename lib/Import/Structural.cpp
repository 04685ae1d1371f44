//===- Structural.cpp - Constants and ops that do nothing here ------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "OpTable.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;
using onnx::AttributeProto;

static Results constant(Node &n) {
  if (const auto *attr = n.getAttribute("value", AttributeProto::TENSOR)) {
    auto value = n.importer.makeConstant(attr->t(), n.loc, n.builder);
    return failed(value) ? Results(failure()) : Results(*value);
  }
  if (const auto *attr =
          n.getAttribute("sparse_value", AttributeProto::SPARSE_TENSOR)) {
    auto value =
        n.importer.makeConstant(attr->sparse_tensor(), n.loc, n.builder);
    return failed(value) ? Results(failure()) : Results(*value);
  }
  if (n.has("value_float"))
    return n.scalar(n.getFloat("value_float", 0), n.builder.getF32Type());
  if (n.has("value_int"))
    return n.intScalar(n.getInt("value_int", 0));
  if (auto values = n.getInts("value_ints"))
    return n.ints(*values);
  if (auto values = n.getFloats("value_floats")) {
    auto type = RankedTensorType::get(values->size(), n.builder.getF32Type());
    return n.constant(makeElements(type, ArrayRef<float>(*values)));
  }
  if (n.has("value_string") || n.has("value_strings"))
    return n.error() << "strings are not supported";
  return n.error() << "it has no value";
}

static Results identity(Node &n) { return n.in(0); }

static bool isZero(Value value) {
  DenseElementsAttr attr;
  return value && matchPattern(value, m_Constant(&attr)) && attr.isSplat() &&
         isa<FloatType>(attr.getElementType()) &&
         attr.getSplatValue<APFloat>().isZero();
}

/// Inference: nothing is dropped.
static Results dropout(Node &n) {
  n.ignore({"consumed_inputs", "is_test", "ratio", "seed"});
  Value x = n.in(0), ratio = n.maybe(1);
  if (Value training = n.maybe(2)) {
    auto value = n.getConstant(training);
    bool drops = !value || value->size() != 1 || (*value)[0];
    if (drops && !isZero(ratio))
      return n.error() << "training mode is not supported";
  }
  if (!n.hasOutput(1))
    return x;
  // The mask is of the input's type before opset 10, then of booleans.
  Type maskType =
      n.opset < 10 ? Node::getElementType(x) : Type(n.builder.getI1Type());
  auto one = cast<ConstantOp>(n.scalar(1, maskType).getDefiningOp());
  return {x, n.make<FillOp>(n.shapeOf(x), one.getValue())};
}

void onnximport::addStructuralRows(OpTable &table) {
  table.on("Constant", 1, constant);
  table.on("Dropout", 1, dropout);
  table.on("Identity", 1, identity);
}
