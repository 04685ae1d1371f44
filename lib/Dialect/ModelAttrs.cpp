//===- ModelAttrs.cpp - What is known of a model --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ModelAttrs.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace brisk;

using EmitError = function_ref<InFlightDiagnostic()>;

StringRef brisk::getInputName(FunctionOpInterface function, unsigned input) {
  auto name =
      function.getArgAttrOfType<StringAttr>(input, BriskDialect::nameAttrName);
  return name ? name.getValue() : "";
}

SmallVector<StringRef> brisk::getDimNames(FunctionOpInterface function,
                                          unsigned input) {
  auto names =
      function.getArgAttrOfType<ArrayAttr>(input, BriskDialect::dimsAttrName);
  return names ? llvm::to_vector(names.getAsValueRange<StringAttr>())
               : SmallVector<StringRef>();
}

template <typename Attr> static bool isArrayOf(Attribute attr) {
  auto array = dyn_cast<ArrayAttr>(attr);
  return array && llvm::all_of(array, llvm::IsaPred<Attr>);
}

LogicalResult PortAttr::verify(EmitError emitError, StringAttr,
                               RankedTensorType type) {
  if (type.hasStaticShape() && findElementType(type.getElementType()))
    return success();
  return emitError() << "expected a tensor of static shape with numbers or "
                        "booleans, found "
                     << type;
}

LogicalResult InterfaceAttr::verify(EmitError emitError, ArrayAttr inputs,
                                    ArrayAttr outputs) {
  if (isArrayOf<PortAttr>(inputs) && isArrayOf<PortAttr>(outputs))
    return success();
  return emitError() << "expected #brisk.port as inputs and outputs";
}

LogicalResult MemoryAttr::verify(EmitError emitError, uint64_t, uint64_t,
                                 ArrayAttr peak) {
  if (isArrayOf<BufferAttr>(peak))
    return success();
  return emitError() << "expected #brisk.buffer as peak";
}

namespace {
/// An attribute that the dialect names, and what it has to be.
struct Known {
  StringLiteral name;
  bool (*holds)(Attribute);
  StringLiteral expected;
};
} // namespace

template <typename Attr> static bool isOf(Attribute attr) {
  return isa<Attr>(attr);
}

static bool isWeights(Attribute attr) {
  return isArrayOf<ElementsAttr>(attr) &&
         llvm::all_of(cast<ArrayAttr>(attr).getAsRange<ElementsAttr>(),
                      [](ElementsAttr value) {
                        return findElementType(value.getElementType()) &&
                               isReadable(value);
                      });
}

static constexpr Known ofModules[] = {
    {BriskDialect::targetAttrName, isOf<TargetAttr>,
     "a target, as #brisk.target<\"x86-64-v4\">"},
    {BriskDialect::weightsAttrName, isWeights, "an array of constants"},
    {BriskDialect::opsAttrName, isArrayOf<OpInfoAttr>, "an array of #brisk.op"},
};
static constexpr Known ofFunctions[] = {
    {BriskDialect::interfaceAttrName, isOf<InterfaceAttr>, "#brisk.interface"},
    {BriskDialect::memoryAttrName, isOf<MemoryAttr>, "#brisk.memory"},
};
static constexpr Known ofArguments[] = {
    {BriskDialect::nameAttrName, isOf<StringAttr>, "a string"},
    {BriskDialect::dimsAttrName, isArrayOf<StringAttr>, "an array of strings"},
    {BriskDialect::perWorkerAttrName, isOf<UnitAttr>, "a unit attribute"},
};
static constexpr Known ofResults[] = {
    {BriskDialect::nameAttrName, isOf<StringAttr>, "a string"},
};

/// Holds an attribute against those of one place; `belongs` is true there.
static LogicalResult verifyKnown(Operation *op, NamedAttribute attr,
                                 ArrayRef<Known> known, bool belongs = true,
                                 StringRef place = "") {
  const auto *found = llvm::find_if(
      known, [&](const Known &each) { return each.name == attr.getName(); });
  if (found == known.end())
    return success();
  if (!belongs)
    return op->emitError("'") << found->name << "' belongs to " << place;
  if (found->holds(attr.getValue()))
    return success();
  return op->emitError("'") << found->name << "' is " << attr.getValue()
                            << ", not " << found->expected;
}

LogicalResult BriskDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attr) {
  return success(
      succeeded(
          verifyKnown(op, attr, ofModules, isa<ModuleOp>(op), "a module")) &&
      succeeded(verifyKnown(op, attr, ofFunctions, isa<FunctionOpInterface>(op),
                            "a function")));
}

LogicalResult BriskDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                     unsigned,
                                                     NamedAttribute attr) {
  return verifyKnown(op, attr, ofArguments);
}

LogicalResult BriskDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                        unsigned,
                                                        NamedAttribute attr) {
  return verifyKnown(op, attr, ofResults);
}
