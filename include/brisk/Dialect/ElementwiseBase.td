//===- ElementwiseBase.td - Base classes of elementwise ops -*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_ELEMENTWISEBASE_TD
#define BRISK_DIALECT_ELEMENTWISEBASE_TD

include "brisk/Dialect/BriskBase.td"

// The result has the operands' broadcast shape and the element type that the
// C++ expression `resultElement` gives, in which `operands` are the operand
// types, `context` is the context. `cost` is what an element costs in floating
// point operations: 1 for an add, about 20 for an exponential.
class Brisk_ElementwiseOp<string mnemonic, list<Trait> traits = [], int cost = 1,
                          string resultElement = "getElementTypeOrSelf(operands[0])">
    : Brisk_InferredOp<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<Brisk_ElementwiseOpInterface>, Brisk_PermutableOpInterface
      ], traits)> {
  // An element of the result as a C++ expression, in which `x` are those of the
  // operands, floats of less than 32 bits as f32, and `e` is an ElementBuilder. Without
  // it, the definition of `buildElement` stands in the family's .cpp.
  string element = "";
  // Definitions of other methods of the C++ class.
  string definitions = "";
  let flops = cost # " * countResults()";
  let keptDims = "::brisk::keepDims(*this, number)";
  let hasFolder = 1;
  let extraClassDefinition = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      return ::brisk::foldElementwise(getOperation(), adaptor.getOperands());
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> loc,
        Adaptor adaptor, ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      ::mlir::TypeRange operands = adaptor.getOperands().getTypes();
      auto type = ::brisk::inferBroadcast(loc, operands, }] # resultElement # [{);
      if (failed(type))
        return ::mlir::failure();
      results.push_back(*type);
      return ::mlir::success();
    }
  }] # definitions # !if(!empty(element), "", [{
    ::mlir::Value $cppClass::buildElement(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                          ::mlir::ValueRange operands) {
      ::brisk::ElementBuilder e(builder, loc);
      return e.inF32(operands, [&](::mlir::ValueRange x) -> ::mlir::Value {
        return }] # element # [{;
      });
    }
  }]);
}

// The description's end: an op on `operands` of the element types given.
class Brisk_Example<string mnemonic, string operands, string operandTypes, string element> {
  string text = "\n\n```mlir\n%0 = brisk." # mnemonic # " " # operands # " : ("
      # operandTypes # ") -> tensor<2x3x" # element # ">\n```\n";
}

// One operand, a result of its type. `semantics` is the description's prose,
// `shown` the element type in its example.
class Brisk_UnaryOp<string mnemonic, string brief, string semantics, Type type,
                    string expression = "", int cost = 1, string shown = "f32">
    : Brisk_ElementwiseOp<mnemonic, [], cost> {
  let element = expression;
  let summary = brief;
  let description = semantics
      # Brisk_Example<mnemonic, "%x", "tensor<2x3x" # shown # ">", shown>.text;
  let arguments = (ins type:$input);
  let results = (outs type:$result);
}

// Two operands of one element type, broadcast against each other.
class Brisk_BinaryOp<string mnemonic, string brief, string semantics, Type type,
                     string expression = "", list<Trait> traits = [], int cost = 1,
                     string shown = "f32">
    : Brisk_ElementwiseOp<mnemonic, !listconcat([SameOperandsElementType], traits), cost> {
  let element = expression;
  let summary = brief;
  let description = semantics
      # Brisk_Example<mnemonic, "%a, %b",
                      "tensor<2x3x" # shown # ">, tensor<3x" # shown # ">", shown>.text;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
}

#endif // BRISK_DIALECT_ELEMENTWISEBASE_TD
