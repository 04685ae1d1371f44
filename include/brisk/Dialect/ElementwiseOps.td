//===- ElementwiseOps.td - Elementwise ops -----------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_ELEMENTWISEOPS_TD
#define BRISK_DIALECT_ELEMENTWISEOPS_TD

include "brisk/Dialect/BriskBase.td"

def Brisk_Elementwise : DeclareOpInterfaceMethods<Brisk_ElementwiseOpInterface>;
def Brisk_CostlyElementwise
    : DeclareOpInterfaceMethods<Brisk_ElementwiseOpInterface, ["getElementCost"]>;

// The result has the operands' broadcast shape and the element type that the
// C++ expression `resultElement` gives, in which `operands` are the operand types.
class Brisk_ElementwiseOp<string mnemonic, Trait interface, list<Trait> traits,
                          string resultElement = "getElementTypeOrSelf(operands[0])">
    : Brisk_InferredOp<mnemonic, !listconcat([interface], traits)> {
  let hasFolder = 1;
  let extraClassDefinition = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      return ::brisk::foldElementwise(getOperation(), adaptor.getOperands());
    }
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location> loc,
        ::mlir::ValueRange values, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      ::mlir::TypeRange operands = values.getTypes();
      auto type = ::brisk::inferBroadcast(loc, operands, }] # resultElement # [{);
      if (failed(type))
        return ::mlir::failure();
      results.push_back(*type);
      return ::mlir::success();
    }
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                            ::mlir::TypeRange actual) {
      return ::brisk::areCompatible(inferred, actual);
    }
  }];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

// One operand, a result of its type.
class Brisk_UnaryOp<string mnemonic, Type type, Trait interface = Brisk_Elementwise>
    : Brisk_ElementwiseOp<mnemonic, interface, []> {
  let arguments = (ins type:$input);
  let results = (outs type:$result);
}

// Two operands of one element type, broadcast against each other.
class Brisk_BinaryOp<string mnemonic, Type operandType, Type resultType,
                     list<Trait> traits = [], Trait interface = Brisk_Elementwise,
                     string resultElement = "getElementTypeOrSelf(operands[0])">
    : Brisk_ElementwiseOp<mnemonic, interface,
                          !listconcat([SameOperandsElementType], traits), resultElement> {
  let arguments = (ins operandType:$lhs, operandType:$rhs);
  let results = (outs resultType:$result);
}

def Brisk_AddOp : Brisk_BinaryOp<"add", Brisk_NumberTensor, Brisk_NumberTensor, [Commutative]> {
  let summary = "sum";
  let description = [{
    Integers wrap around.

    ```mlir
    %0 = brisk.add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    ```
  }];
}

#endif // BRISK_DIALECT_ELEMENTWISEOPS_TD
