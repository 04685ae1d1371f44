//===- Plan.cpp - What the plan leaves in the module ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Lowering/Plan.h"
#include "brisk/Dialect/Elements.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

uint64_t brisk::getWeightsBytes(ModuleOp module, unsigned alignment) {
  uint64_t end = 0;
  if (auto weights =
          module->getAttrOfType<ArrayAttr>(BriskDialect::weightsAttrName))
    for (auto value : weights.getAsRange<ElementsAttr>())
      end = llvm::alignTo(end, alignment) + getByteSize(value.getShapedType());
  return end;
}

BlockArgument brisk::addModelArgument(FunctionOpInterface function, Type type) {
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, type, {}, function.getLoc());
  return function.getArgument(index);
}

BlockArgument brisk::getModelArgument(FunctionOpInterface function,
                                      ModelArgument which) {
  auto interface =
      function->getAttrOfType<InterfaceAttr>(BriskDialect::interfaceAttrName);
  if (!interface)
    return {};
  unsigned index = interface.getInputs().size() +
                   interface.getOutputs().size() + static_cast<unsigned>(which);
  return index < function.getNumArguments() ? function.getArgument(index)
                                            : BlockArgument();
}
