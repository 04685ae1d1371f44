//===- Plan.cpp - What the plan leaves in the module ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Lowering/Plan.h"

using namespace mlir;
using namespace brisk;

BlockArgument brisk::addModelArgument(FunctionOpInterface function, Type type) {
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, type, {}, function.getLoc());
  return function.getArgument(index);
}

BlockArgument brisk::getModelArgument(FunctionOpInterface function,
                                      ModelArgument which) {
  unsigned index = static_cast<unsigned>(which);
  for (StringRef name : {inputTypesAttrName, outputTypesAttrName}) {
    auto tensors = function->getAttrOfType<ArrayAttr>(name);
    if (!tensors)
      return {};
    index += tensors.size();
  }
  return index < function.getNumArguments() ? function.getArgument(index)
                                            : BlockArgument();
}
