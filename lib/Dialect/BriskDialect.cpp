//===- BriskDialect.cpp - The brisk dialect -------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/BriskDialect.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace brisk;

#include "brisk/Dialect/BriskDialect.cpp.inc"
#include "brisk/Dialect/BriskEnums.cpp.inc"
#include "brisk/Dialect/BriskInterfaces.cpp.inc"
#include "brisk/Dialect/BriskSchedules.cpp.inc"

namespace {
/// A number of a schedule and what it may be.
struct ScheduleNumber {
  StringRef name;
  int64_t value, least, greatest;
};
} // namespace

static LogicalResult verifyNumbers(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef kernel,
                                   ArrayRef<ScheduleNumber> numbers) {
  for (const ScheduleNumber &number : numbers)
    if (number.value < number.least || number.value > number.greatest)
      return emitError() << "schedule of kernel '" << kernel << "' needs '"
                         << number.name << "' from " << number.least << " to "
                         << number.greatest << ", found " << number.value;
  return success();
}

#define GET_ATTRDEF_CLASSES
#include "brisk/Dialect/BriskAttrs.cpp.inc"

void BriskDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "brisk/Dialect/BriskAttrs.cpp.inc"
      >();
  addOperations<
#include "brisk/Dialect/OpList.h.inc"
      >();
}

Operation *BriskDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getShapedType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}
