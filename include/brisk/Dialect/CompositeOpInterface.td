//===- CompositeOpInterface.td - Ops made of others --------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_COMPOSITEOPINTERFACE_TD
#define BRISK_DIALECT_COMPOSITEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def Brisk_CompositeOpInterface : OpInterface<"CompositeOpInterface"> {
  let cppNamespace = "::brisk";
  let description = [{
    An op that other ops can take the place of. It stands in the IR until the
    pass `decompose`, so that stages before may treat it as a whole.
  }];
  let methods = [
    InterfaceMethod<[{
      Makes the ops that compute the same, and gives their values for the op's
      results. Shapes are static.
    }], "::llvm::SmallVector<::mlir::Value>", "decompose",
      (ins "::mlir::OpBuilder &":$builder)>
  ];
}

#endif // BRISK_DIALECT_COMPOSITEOPINTERFACE_TD
