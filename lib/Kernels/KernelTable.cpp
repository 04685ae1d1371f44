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
#include "llvm/ADT/TypeSwitch.h"

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

static uint64_t countElements(Type type) {
  return cast<ShapedType>(type).getNumElements();
}

/// A recurrent layer: products with `gates` rows of weights a unit, and about
/// as many activations.
template <typename OpT> static uint64_t countRecurrentFlops(OpT op) {
  uint64_t columns = op.getX().getType().getShape().back();
  uint64_t input = op.getW() ? columns : 0;
  uint64_t hidden = op.getHiddenSize();
  uint64_t steps =
      countElements(op.getX().getType()) / std::max<uint64_t>(columns, 1);
  uint64_t gates = op.getNumGates();
  return steps * op.getNumDirections() * gates * hidden *
         (2 * (input + hidden) + 25);
}

/// Floating point operations of an op; a multiply-add is two.
static uint64_t countOpFlops(Operation *op) {
  uint64_t results = countElements(op->getResult(0).getType());
  uint64_t inputs =
      op->getNumOperands() ? countElements(op->getOperand(0).getType()) : 0;
  auto product = [](ArrayRef<int64_t> sizes) -> uint64_t {
    return ShapedType::getNumElements(sizes);
  };
  return TypeSwitch<Operation *, uint64_t>(op)
      .Case([&](ElementwiseOpInterface elementwise) {
        return elementwise.getElementCost() * results;
      })
      // All of a filter but its output channels meets each result.
      .Case([&](ConvOp conv) {
        uint64_t taps =
            product(conv.getFilter().getType().getShape().drop_back());
        return results * (2 * taps + (conv.getBias() ? 1 : 0));
      })
      // All of a filter but its input channels meets each input element.
      .Case([&](ConvTransposeOp conv) {
        ArrayRef<int64_t> shape = conv.getFilter().getType().getShape();
        return 2 * inputs * product(shape.drop_back(2)) * shape.back() +
               (conv.getBias() ? results : 0);
      })
      .Case([&](MatmulOp matmul) {
        ArrayRef<int64_t> shape = matmul.getLhs().getType().getShape();
        return 2 * results * (shape.empty() ? 1 : shape.back());
      })
      .Case<MaxPoolOp, AveragePoolOp, LpPoolOp, MaxPoolWithIndicesOp>(
          [&](auto pool) { return results * product(pool.getKernelShape()); })
      .Case<ReduceOp, ArgReduceOp, CumsumOp>([&](auto) { return inputs; })
      .Case([&](SoftmaxOp) { return inputs * 24; })
      .Case([&](LayerNormOp) { return inputs * 8; })
      .Case([&](RmsNormOp) { return inputs * 4; })
      .Case([&](LrnOp lrn) { return inputs * (2 * lrn.getSize() + 40); })
      .Case<LstmOp, GruOp, RnnOp>(
          [](auto recurrent) { return countRecurrentFlops(recurrent); })
      .Case([&](ResizeOp resize) -> uint64_t {
        return resize.getMode() == ResizeMode::Nearest ? 0 : results * 6;
      })
      .Default(uint64_t(0));
}

uint64_t brisk::countFlops(GroupOp group) {
  uint64_t flops = 0;
  for (Operation &op : group.getBlock()->without_terminator())
    if (op.getNumResults())
      flops += countOpFlops(&op);
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
