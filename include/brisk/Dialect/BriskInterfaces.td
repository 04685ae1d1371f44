//===- BriskInterfaces.td - Interfaces of the dialect's ops -*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_BRISKINTERFACES_TD
#define BRISK_DIALECT_BRISKINTERFACES_TD

include "mlir/IR/OpBase.td"

def Brisk_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::brisk";
  let description = [{
    An op with one result, each element of which depends on the elements of the
    operands at the same place after NumPy broadcasting. Lowering, fusion and
    constant folding all go through `buildElement`.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the computation on element values: scalars, or vectors of one
      shape. Operand `i` has the operand tensor's element type made signless
      (`ui8` comes as `i8`; booleans as `i1`), and the result is to have the
      result's. Signedness is read off the op's own types. The ops built are of
      `arith` and `math` only, and have no undefined behaviour for any input.
    }], "::mlir::Value", "buildElement",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$operands)>,
    InterfaceMethod<[{
      Floating point operations that one element costs, for the cost model and
      the profile: 1 for an add, about 20 for an exponential.
    }], "unsigned", "getElementCost", (ins), "", [{ return 1; }]>
  ];
}

#endif // BRISK_DIALECT_BRISKINTERFACES_TD
