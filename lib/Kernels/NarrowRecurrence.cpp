//===- NarrowRecurrence.cpp - States by weights of few bits ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowRecurrence.h"
#include "RowReduction.h"
#include "brisk/Kernels/Packing.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;

/// As many sums as products can overlap.
static constexpr int64_t chains = 8;

RecurrentPanels::RecurrentPanels(const RecurrentLayer &layer, const Isa &isa)
    : lanes(isa.getLanes(Float32Type::get(layer.op->getContext()))) {
  int64_t all = llvm::divideCeil(layer.getColumns(), lanes);
  // Weights take as many registers again, and what they are made of others.
  int64_t most = std::clamp<int64_t>(isa.vectors.count / 4, 1, chains);
  count = llvm::divideCeil(all, most);
  vectors = llvm::divideCeil(all, count);
  if (lanes == 1)
    lanes = 0;
}

/// How bytes of a state, of the sign that the instruction set multiplies, and
/// weights are multiplied.
static Multiplier getMultiplier(const RecurrentLayer &layer, const Isa &isa) {
  Builder b(layer.op->getContext());
  Type withSign = b.getI8Type(), i32 = b.getI32Type(),
       withoutSign = b.getIntegerType(8, /*isSigned=*/false);
  bool isSigned = !isa.findProduct(withoutSign, withSign, i32) &&
                  isa.findProduct(withSign, withSign, i32);
  return {isa, isSigned ? withSign : withoutSign, withSign, i32};
}

static NBitWeights getWeights(const RecurrentLayer &layer) {
  return {layer.bits,         layer.block,
          layer.units,        layer.r,
          layer.scale->get(), layer.zero ? layer.zero->get() : Value()};
}

static FlatBuffer flatten(KernelBuilder &b, Value operand, ValueRange ins) {
  return {b, ins[getInputNumber(operand)], getElementTypeOrSelf(operand)};
}

NarrowRecurrence::NarrowRecurrence(KernelBuilder &b,
                                   const RecurrentLayer &layer, ValueRange ins,
                                   int64_t offset)
    : b(b), layer(layer), panels(layer, b.isa), narrow(getWeights(layer)),
      parameters(b, narrow, ins), multiplier(getMultiplier(layer, b.isa)),
      weights(flatten(b, layer.r, ins)),
      sums(b, panels.getColumns(), b.getF32Type(), offset) {
  if (!layer.quantizesStates())
    return;
  columnSums.emplace(flatten(b, layer.sums->get(), ins));
  offset += RowBuffer::getBytes(panels.getColumns(), b.getF32Type());
  bytes.emplace(b, layer.units, b.getI8Type(), offset);
}

SmallVector<Packing> NarrowRecurrence::getPacking(const RecurrentLayer &layer,
                                                  const Isa &isa) {
  SmallVector<int64_t> width = {RecurrentPanels(layer, isa).getWidth()};
  NBitWeights narrow = getWeights(layer);
  auto pack = [&](int64_t rows, ArrayRef<int64_t> step) -> PackedAttr {
    SmallVector<int64_t> shape = {rows, layer.directions, layer.getColumns()};
    return PackedAttr::make(
        layer.op->getContext(), shape,
        {{{1}, {}}, {{2}, width}, {{0}, SmallVector<int64_t>(step)}});
  };
  int64_t depth =
      layer.quantizesStates() ? getMultiplier(layer, isa).getDepth() : 1;
  SmallVector<Packing> result = {
      {layer.weights,
       depth == 1 ? pack(narrow.getByteRows(), {}) : pack(layer.units, depth)},
      {layer.scale, pack(narrow.getBlocks(), {})}};
  if (layer.zero)
    result.push_back({layer.zero, pack(narrow.getBlocks(), {})});
  if (layer.quantizesStates())
    result.push_back({layer.sums, pack(1, {})});
  return result;
}

int64_t NarrowRecurrence::getScratch(const RecurrentLayer &layer,
                                     const Isa &isa) {
  Builder b(layer.op->getContext());
  return RowBuffer::getBytes(RecurrentPanels(layer, isa).getColumns(),
                             b.getF32Type()) +
         (layer.quantizesStates()
              ? RowBuffer::getBytes(layer.units, b.getI8Type())
              : 0);
}

double NarrowRecurrence::getCycles(const RecurrentLayer &layer,
                                   const Isa &isa) {
  RecurrentPanels panels(layer, isa);
  Type f32 = Float32Type::get(layer.op->getContext());
  auto lanes = static_cast<double>(isa.getLanes(f32));
  auto elements = static_cast<double>(panels.getColumns() * layer.units);
  double bytes = elements * static_cast<double>(layer.bits) / 8;
  double reading = bytes / isa.getReuseRate(bytes);
  auto prepare = [&](Multiplier::Preparation preparation, int64_t depth) {
    return elements / lanes * static_cast<double>(preparation.column) /
           static_cast<double>(depth) / isa.operationsPerCycle;
  };
  if (!layer.quantizesStates())
    return std::max(reading,
                    elements / lanes / isa.operationsPerCycle +
                        prepare(getWeights(layer).getPreparation(), 1));
  Multiplier multiplier = getMultiplier(layer, isa);
  // Each element is compared twice, divided, rounded and bounded.
  constexpr double instructions = 20;
  double quantizing = instructions * static_cast<double>(layer.units) / lanes /
                      isa.operationsPerCycle;
  return quantizing +
         std::max(reading, elements / multiplier.getRate(isa) +
                               prepare(multiplier.getPreparation(isa),
                                       multiplier.getDepth()));
}

Value NarrowRecurrence::load(int64_t gate, Columns at) const {
  return sums.getRow().load(b, b.add(at.start, gate * layer.units), at.lanes,
                            at.mask);
}

/// As ONNX's DynamicQuantizeLinear. Bytes with a sign, and their zero point,
/// are 128 less.
NarrowRecurrence::QuantizedState
NarrowRecurrence::quantize(const FlatBuffer &state, Value start) {
  Type f32 = b.getF32Type(), i32 = b.getI32Type(), byte = multiplier.lhs;
  int64_t lanes = getColumnLanes(b.isa, f32, layer.units);
  auto loadState = [&](Columns at) {
    return state.load(b, b.add(start, at.start), at.lanes, at.mask);
  };
  auto find = [&](ReduceKind kind) {
    return RowReduction(b, kind, f32, layer.units, lanes).reduce(loadState);
  };
  Value zero = b.zero(f32);
  Value low = b.min(f32, find(ReduceKind::Min), zero);
  Value high = b.max(f32, find(ReduceKind::Max), zero);
  constexpr double steps = 255;
  Value scale = b.div(b.sub(high, low), b.constant(zero, steps));
  Type withoutSign = b.getIntegerType(8, /*isSigned=*/false);
  Value zeroPoint =
      b.roundToInteger(b.div(b.sub(zero, low), scale), withoutSign, Value());
  if (byte != withoutSign)
    zeroPoint = b.add(zeroPoint, b.integer(zeroPoint, -128));
  forColumns(b, layer.units, lanes, /*mayRepeat=*/false, [&](Columns at) {
    Value floats = loadState(at);
    Value quotients = b.div(floats, b.broadcast(scale, floats.getType()));
    Value offset = b.broadcast(zeroPoint, at.getType(b.getI8Type()));
    bytes->store(b, b.roundToInteger(quotients, byte, offset), at);
  });
  Value sum;
  if (layer.zero)
    sum = RowReduction(b, ReduceKind::Sum, i32, layer.units, lanes)
              .reduce([&](Columns at) {
                return b.convert(bytes->load(b, at), byte, i32);
              });
  return {scale, b.convert(zeroPoint, byte, i32), sum};
}

Values NarrowRecurrence::multiplyFloats(const FlatBuffer &state, Value start,
                                        Value panel,
                                        ArrayRef<ColumnVector> columns) {
  int64_t width = panels.getWidth();
  NBitContraction product{narrow,
                          state,
                          start,
                          /*rows=*/1,
                          /*rowStride=*/0,
                          weights,
                          parameters,
                          b.mul(panel, narrow.getByteRows() * width),
                          b.mul(panel, narrow.getBlocks() * width),
                          width,
                          columns,
                          /*unroll=*/2};
  Type vector = Columns{{}, panels.lanes, {}}.getType(b.getF32Type());
  return product.emit(b, Values(columns.size(), b.zero(vector)));
}

/// Of bytes x with zero point zx and weights w with zero points zw
///   sum (x - zx) (w - zw) = sum x w - zx sum (w - zw) - zw sum x
Values NarrowRecurrence::multiplyBytes(const QuantizedState &state, Value panel,
                                       ArrayRef<ColumnVector> columns) {
  int64_t width = panels.getWidth(), depth = multiplier.getDepth();
  Contraction product{multiplier,
                      bytes->getRow(),
                      b.index(0),
                      /*rows=*/1,
                      /*rowStride=*/0,
                      weights,
                      b.mul(panel, llvm::alignTo(layer.units, depth) * width),
                      depth * width,
                      columns,
                      layer.units,
                      llvm::divideCeilSigned(chains, panels.vectors),
                      /*splitsSums=*/true};
  Type vector = Columns{{}, panels.lanes, {}}.getType(b.getI32Type());
  Values sums = product.emit(b, Values(columns.size(), b.zero(vector)));
  Value first = b.mul(panel, width);
  for (auto [sum, column] : llvm::zip_equal(sums, columns)) {
    Value at = b.add(first, column.offset);
    auto subtract = [&](Value factor, Value each) {
      sum = b.sub(sum, b.mul(b.broadcast(factor, vector), each));
    };
    subtract(state.zero, columnSums->load(b, at, column.lanes));
    if (parameters.zeros)
      subtract(state.sum, b.convert(parameters.zeros->load(b, at, column.lanes),
                                    narrow.integer, b.getI32Type()));
    Value floats = b.toFloat(sum, b.getF32Type(), /*isUnsigned=*/false);
    Value scale = parameters.scales.load(b, at, column.lanes);
    sum =
        b.mul(floats, b.mul(scale, b.broadcast(state.scale, scale.getType())));
  }
  return sums;
}

void NarrowRecurrence::emit(Value direction, const FlatBuffer &state,
                            Value start, int64_t first, int64_t gates) {
  int64_t width = panels.getWidth();
  SmallVector<ColumnVector> columns;
  for (int64_t i = 0; i < panels.vectors; ++i)
    columns.push_back(
        {i * std::max<int64_t>(panels.lanes, 1), panels.lanes, {}});
  QuantizedState quantized;
  if (layer.quantizesStates())
    quantized = quantize(state, start);
  b.loop(b.index(first * layer.units / width),
         b.index(llvm::divideCeil((first + gates) * layer.units, width)),
         [&](Value number) {
           Value panel = b.add(b.mul(direction, panels.count), number);
           Values values = layer.quantizesStates()
                               ? multiplyBytes(quantized, panel, columns)
                               : multiplyFloats(state, start, panel, columns);
           for (auto [value, column] : llvm::zip_equal(values, columns))
             sums.getRow().store(b, value,
                                 b.add(b.mul(number, width), column.offset));
         });
}
