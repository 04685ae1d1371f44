//===- BuildElementTest.cpp - Element expressions -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every elementwise op builds valid IR on scalars and on vectors, of arith and
// math alone, with the result's element type. What it computes is tested by
// folding.
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace brisk;

// `type`'s elements as buildElement takes them: scalars, or 2 x 4 vectors.
static Type getElementValueType(Type type, bool vector) {
  Type element = cast<ShapedType>(type).getElementType();
  if (!isa<FloatType>(element))
    element =
        IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth());
  return vector ? Type(VectorType::get({2, 4}, element)) : element;
}

namespace {
class BuildElementTest : public testing::Test {
protected:
  BuildElementTest() {
    context.loadDialect<BriskDialect, arith::ArithDialect, func::FuncDialect,
                        math::MathDialect>();
  }

  // An op of that name on operands of those element types, with the result that
  // suits it, if the dialect allows it; `attributes` are its own.
  void check(StringRef name, ArrayRef<Type> elements,
             ArrayRef<NamedAttribute> attributes) {
    SmallVector<Type> candidates(elements);
    candidates.push_back(IntegerType::get(&context, 1));
    for (NamedAttribute attribute : attributes)
      if (auto type = dyn_cast<TypeAttr>(attribute.getValue()))
        candidates.push_back(type.getValue());
    for (Type result : candidates)
      if (checkResult(name, elements, result, attributes))
        return;
  }

  // Of floats to integers and back, with zero point and without, and without a
  // scale.
  void checkQuantization(StringRef name, Type from, Type to) {
    Builder b(&context);
    SmallVector<NamedAttribute> attributes{
        b.getNamedAttr("to", TypeAttr::get(to))};
    if (name == "brisk.quantize") {
      for (Type scale : {Type(b.getF16Type()), Type(b.getF32Type())}) {
        check(name, {from, scale, to}, attributes);
        check(name, {from, scale}, attributes);
      }
      return;
    }
    auto checkParts = [&](ArrayRef<Type> types, ArrayRef<int32_t> parts) {
      SmallVector<NamedAttribute> all = attributes;
      all.push_back(
          b.getNamedAttr("operandSegmentSizes", b.getDenseI32ArrayAttr(parts)));
      check(name, types, all);
    };
    checkParts({from, b.getF32Type(), from}, {1, 1, 1});
    checkParts({from, b.getF16Type()}, {1, 1, 0});
    checkParts({from, from}, {1, 0, 1});
  }

  bool checkResult(StringRef name, ArrayRef<Type> elements, Type result,
                   ArrayRef<NamedAttribute> attributes) {
    OpBuilder b(&context);
    Location loc = b.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    SmallVector<Type> types;
    for (Type element : elements)
      types.push_back(RankedTensorType::get({2, 4}, element));
    b.setInsertionPointToEnd(module->getBody());
    auto function =
        func::FuncOp::create(b, loc, "f", b.getFunctionType(types, {}));
    Block *entry = function.addEntryBlock();
    b.setInsertionPointToEnd(entry);
    OperationState state(loc, name);
    state.addOperands(entry->getArguments());
    state.addAttributes(attributes);
    state.addTypes(RankedTensorType::get({2, 4}, result));
    Operation *op = b.create(state);
    func::ReturnOp::create(b, loc);
    ScopedDiagnosticHandler silence(&context,
                                    [](Diagnostic &) { return success(); });
    if (failed(verify(*module)))
      return false;
    ++checked[name];
    for (bool vector : {false, true})
      build(cast<ElementwiseOpInterface>(op), vector);
    return true;
  }

  void build(ElementwiseOpInterface op, bool vector) {
    OpBuilder b(&context);
    Location loc = b.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    SmallVector<Type> types;
    for (Type type : op->getOperandTypes())
      types.push_back(getElementValueType(type, vector));
    b.setInsertionPointToEnd(module->getBody());
    auto function =
        func::FuncOp::create(b, loc, "f", b.getFunctionType(types, {}));
    Block *entry = function.addEntryBlock();
    b.setInsertionPointToEnd(entry);
    Value result = op.buildElement(b, loc, entry->getArguments());
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    EXPECT_EQ(result.getType(),
              getElementValueType(op->getResult(0).getType(), vector))
        << text;
    for (Operation &built : *entry) {
      StringRef dialect = built.getName().getDialectNamespace();
      EXPECT_TRUE(dialect == "arith" || dialect == "math") << text;
    }
    func::ReturnOp::create(b, loc);
    EXPECT_TRUE(succeeded(verify(*module))) << text;
    EXPECT_GE(cast<ComputeOpInterface>(*op).countFlops(), 1u);
  }

  MLIRContext context;
  llvm::StringMap<unsigned> checked;
};
} // namespace

TEST_F(BuildElementTest, EveryOpOnEveryType) {
  Builder b(&context);
  SmallVector<Type> elements = {b.getF16Type(), b.getBF16Type(), b.getF32Type(),
                                b.getF64Type(), b.getI1Type()};
  for (unsigned width : {8, 16, 32, 64}) {
    elements.push_back(b.getIntegerType(width));
    elements.push_back(b.getIntegerType(width, /*isSigned=*/false));
  }
  std::vector<std::string> names;
  for (RegisteredOperationName name :
       context.getRegisteredOperationsByDialect("brisk"))
    if (name.hasInterface<ElementwiseOpInterface>())
      names.push_back(name.getStringRef().str());
  EXPECT_GT(names.size(), 50u);

  for (StringRef name : names) {
    for (Type x : elements) {
      if (name == "brisk.select") {
        check(name, {b.getI1Type(), x, x}, {});
        continue;
      }
      if (name == "brisk.cast" || name == "brisk.pow") {
        for (Type y : elements)
          name == "brisk.cast"
              ? check(name, {x}, b.getNamedAttr("to", TypeAttr::get(y)))
              : check(name, {x, y}, {});
        continue;
      }
      if (name == "brisk.quantize" || name == "brisk.dequantize") {
        for (Type y : elements)
          checkQuantization(name, x, y);
        continue;
      }
      SmallVector<NamedAttribute> none;
      if (name == "brisk.mod") {
        check(name, {x, x}, none);
        check(name, {x, x}, b.getNamedAttr("fmod", b.getUnitAttr()));
      } else if (name == "brisk.gelu") {
        for (auto kind : {GeluApproximation::None, GeluApproximation::Tanh})
          check(name, {x},
                b.getNamedAttr("approximate",
                               GeluApproximationAttr::get(&context, kind)));
      } else {
        bool unary =
            OperationName(name, &context).hasTrait<OpTrait::OneOperand>();
        unary ? check(name, {x}, none) : check(name, {x, x}, none);
      }
    }
    EXPECT_GT(checked[name], 0u) << name.str();
  }
}
