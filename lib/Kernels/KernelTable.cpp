//===- KernelTable.cpp - The table of kernel families --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/Elements.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"

using namespace mlir;
using namespace brisk;

ArrayRef<const Kernel *> brisk::getKernels() {
  static const Kernel *const kernels[] = {
      &getDepthwiseKernel(), &getConvTransposeKernel(), &getPoolKernel(),
      &getReductionKernel(), &getSoftmaxKernel(),       &getLayerNormKernel(),
      &getTransposeKernel(), &getGatherKernel(),        &getResizeKernel(),
      &getRecurrentKernel(), &getElementwiseKernel(),   &getGemmKernel(),
      &getBorderKernel(),    &getLoopsKernel(),
  };
  return kernels;
}

const Kernel *brisk::findKernel(StringRef name) {
  for (const Kernel *kernel : getKernels())
    if (kernel->getName() == name)
      return kernel;
  return nullptr;
}

const Kernel *brisk::findKernel(GroupOp group) {
  ScheduleAttr schedule = group.getScheduleAttr();
  return schedule ? findKernel(schedule.getKernel().getValue()) : nullptr;
}

LogicalResult brisk::verifySchedule(GroupOp group, const Isa &isa) {
  ScheduleAttr schedule = group.getScheduleAttr();
  const Kernel *kernel = findKernel(group);
  if (!kernel)
    return group.emitOpError("schedule names an unknown kernel ")
           << schedule.getKernel();
  ArrayRef<ScheduleParameter> parameters = kernel->getParameters();
  for (const ScheduleParameter &parameter : parameters) {
    Attribute value = schedule.getParameters().get(parameter.name);
    if (!value)
      return group.emitOpError("schedule of kernel ")
             << schedule.getKernel() << " lacks parameter '" << parameter.name
             << "'";
    auto number = dyn_cast<IntegerAttr>(value);
    if (!number || !number.getType().isSignlessInteger(64) ||
        number.getInt() < parameter.least ||
        number.getInt() > parameter.greatest)
      return group.emitOpError("schedule of kernel ")
             << schedule.getKernel() << " needs parameter '" << parameter.name
             << "' as an i64 from " << parameter.least << " to "
             << parameter.greatest << ", found " << value;
  }
  for (NamedAttribute given : schedule.getParameters())
    if (llvm::none_of(parameters, [&](const ScheduleParameter &parameter) {
          return given.getName() == parameter.name;
        }))
      return group.emitOpError("schedule of kernel ")
             << schedule.getKernel() << " has no parameter " << given.getName();
  SmallVector<ScheduleAttr> schedules;
  kernel->getSchedules(group, isa, schedules);
  if (schedules.empty())
    return group.emitOpError("does not suit its kernel ")
           << schedule.getKernel();
  return success();
}

ScheduleAttr brisk::findFirstSchedule(GroupOp group, const Isa &isa) {
  SmallVector<ScheduleAttr> schedules;
  for (const Kernel *kernel : getKernels()) {
    kernel->getSchedules(group, isa, schedules);
    if (!schedules.empty())
      return schedules.front();
  }
  return {};
}

uint64_t brisk::countFlops(GroupOp group) {
  uint64_t flops = 0;
  for (auto op : group.getBlock()->getOps<ComputeOpInterface>())
    flops += op.countFlops();
  return flops;
}

uint64_t brisk::countBytes(GroupOp group) {
  uint64_t bytes = 0;
  for (Value value : llvm::concat<Value>(llvm::to_vector(group.getIns()),
                                         llvm::to_vector(group.getOuts()))) {
    auto type = cast<ShapedType>(value.getType());
    bytes += type.getNumElements() * getElementBytes(type.getElementType());
  }
  return bytes;
}
