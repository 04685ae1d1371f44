//===- ConvTranspose.cpp - Transposed convolution without overlap --- -*- C++
//-*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposed convolution whose strides are its window, so that each result has
// one tap: a product of a block of `pixels` neighbouring input pixels with the
// filter's matrix of that tap, vectors along the output channels. Schedule:
// `pixels`.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "brisk/Kernels/Families.h"
#include "brisk/Kernels/Kernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

namespace {
class ConvTransposeKernel : public Kernel {
public:
  StringRef getName() const override { return "conv_transpose"; }

  void getSchedules(GroupOp group, const Isa &isa,
                    SmallVectorImpl<ScheduleAttr> &schedules) const override {
    auto conv = dyn_cast_or_null<ConvTransposeOp>(group.getAnchor());
    if (!conv || !isF32(conv.getResult()) || !isGroupInput(conv.getInput()) ||
        !isGroupInput(conv.getFilter()) || conv.getGroup() != 1)
      return;
    FailureOr<Window> window = conv.getWindow();
    if (failed(window))
      return;
    // Window::input is the result's side.
    for (size_t d = 0; d < window->getRank(); ++d)
      if (window->kernel[d] != window->strides[d] ||
          window->dilations[d] != 1 || window->padBegin[d] != 0 ||
          window->padEnd[d] != 0 ||
          window->input[d] != window->output[d] * window->kernel[d])
        return;
    int64_t width = std::max<int64_t>(1, window->output.back());
    int64_t most = std::clamp<int64_t>(int64_t(isa.registers) - 4, 4, 12);
    int64_t pixels = llvm::divideCeil(width, llvm::divideCeil(width, most));
    schedules.push_back(ScheduleAttr::make(group.getContext(), getName(),
                                           {{"pixels", pixels}}));
  }

  double getCost(GroupOp group, ScheduleAttr, const Isa &isa) const override {
    auto conv = cast<ConvTransposeOp>(group.getAnchor());
    auto type = conv.getResult().getType();
    double lanes = isa.getLanes(type.getElementType());
    double channels = std::max<int64_t>(1, type.getShape().back());
    double vectors =
        type.getNumElements() / channels * std::ceil(channels / lanes);
    double depth = conv.getInput().getType().getShape().back();
    return vectors * depth *
               std::max(1 / isa.fmaPerCycle, 1.2 / isa.loadsPerCycle) +
           countBytes(group) / isa.memoryBytesPerCycle;
  }

  int64_t getTasks(GroupOp group, const Isa &) const override {
    int64_t tasks = 1;
    for (int64_t size :
         getShape(cast<ConvTransposeOp>(group.getAnchor())).drop_back(2))
      tasks *= size;
    return std::max<int64_t>(1, tasks);
  }

  LogicalResult emit(KernelBuilder &b, GroupOp group, ValueRange ins,
                     ValueRange outs, Value begin, Value end) const override {
    auto conv = cast<ConvTransposeOp>(group.getAnchor());
    if (conv.getResult().getType().getNumElements() == 0)
      return success();
    Type f32 = b.getF32Type();
    FlatBuffer input(b, getBuffer(ins, conv.getInput()), f32);
    FlatBuffer filter(b, getBuffer(ins, conv.getFilter()), f32);
    Epilogue epilogue(group, conv, ins, outs);
    ArrayRef<int64_t> shape = getShape(conv), inShape = input.getShape();
    ArrayRef<int64_t> inStrides = input.getStrides();
    ArrayRef<int64_t> filterStrides = filter.getStrides();
    size_t rank = shape.size() - 2;
    int64_t channels = shape.back(), depth = inShape.back();
    int64_t width = inShape[rank], taps = filter.getShape()[rank - 1];
    int64_t lanes = getColumnLanes(b.isa, f32, channels);
    int64_t pixels = group.getScheduleAttr().getInt("pixels");

    b.loop(begin, end, 1, [&](Value task) {
      // A row of results: its row of the input, and of the filter.
      SmallVector<Value> at = delinearize(b, task, shape.drop_back(2));
      Value source = b.mul(at[0], inStrides[0]), weights = b.index(0);
      for (size_t d = 1; d < rank; ++d) {
        Value size = b.index(filter.getShape()[d - 1]);
        Value place = b.createOrFold<arith::DivUIOp>(at[d], size);
        Value tap = b.createOrFold<arith::RemUIOp>(at[d], size);
        source = b.add(source, b.mul(place, inStrides[d]));
        weights = b.add(weights, b.mul(tap, filterStrides[d - 1]));
      }
      Value firstRow = b.mul(task, shape[rank]);
      auto emitBlock = [&](Value tap, Value pixel, int64_t count) {
        Value from = b.add(source, b.mul(pixel, inStrides[rank]));
        Value matrix = b.add(weights, b.mul(tap, filterStrides[rank - 1]));
        Value row = b.add(b.add(firstRow, b.mul(pixel, taps)), tap);
        forColumns(b, channels, lanes, /*mayRepeat=*/true, [&](Columns at) {
          Value init = conv.getBias()
                           ? epilogue.evaluate(b, conv.getBias(), b.index(0),
                                               at.start, at.lanes, at.mask)
                           : b.constant(at.getType(f32), 0);
          SmallVector<Value> sums = b.loop(
              b.index(0), b.index(depth), 1, SmallVector<Value>(count, init),
              [&](Value k, ValueRange carried) {
                SmallVector<Value> next(carried);
                Value offset = b.add(matrix, b.mul(k, filterStrides[rank]));
                Value w =
                    filter.load(b, b.add(offset, at.start), at.lanes, at.mask);
                for (int64_t p = 0; p < count; ++p) {
                  Value x = input.load(
                      b, b.add(b.add(from, k), p * inStrides[rank]), 0);
                  next[p] = b.fma(b.broadcast(x, w.getType()), w, next[p]);
                }
                return next;
              });
          for (int64_t p = 0; p < count; ++p)
            epilogue.emit(b, sums[p], b.add(row, p * taps), at.start, at.lanes,
                          at.mask);
        });
      };
      b.loop(b.index(0), b.index(taps), 1, [&](Value tap) {
        int64_t full = width / pixels * pixels;
        b.loop(b.index(0), b.index(full), pixels,
               [&](Value pixel) { emitBlock(tap, pixel, pixels); });
        if (full < width)
          emitBlock(tap, b.index(full), width - full);
      });
    });
    return success();
  }

private:
  static ArrayRef<int64_t> getShape(ConvTransposeOp conv) {
    return conv.getResult().getType().getShape();
  }
};
} // namespace

const Kernel &brisk::getConvTransposeKernel() {
  static const ConvTransposeKernel kernel;
  return kernel;
}
