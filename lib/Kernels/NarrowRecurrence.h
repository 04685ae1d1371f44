//===- NarrowRecurrence.h - States by weights of few bits -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of a recurrent layer's state with weights that stay integers in
// memory: of a state of floats, by weights that become floats in registers, or
// of one that is quantized, as integers. The sums of all gates are computed
// before any gate's function, in whole vectors, and wait in scratch memory.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_NARROWRECURRENCE_H
#define BRISK_LIB_KERNELS_NARROWRECURRENCE_H

#include "NBitWeights.h"
#include "RecurrentLayer.h"
#include "brisk/Kernels/Kernel.h"

namespace brisk {

/// Columns of weights, those of one gate behind those of another, in panels of
/// vectors. The last panel is filled up with zeros.
struct RecurrentPanels {
  RecurrentPanels(const RecurrentLayer &layer, const Isa &isa);

  int64_t lanes; ///< of a vector; 0: scalars
  int64_t vectors, count;

  int64_t getWidth() const { return vectors * std::max<int64_t>(lanes, 1); }
  int64_t getColumns() const { return count * getWidth(); }
};

class NarrowRecurrence {
public:
  /// Takes scratch memory from `offset` on.
  NarrowRecurrence(KernelBuilder &b, const RecurrentLayer &layer,
                   mlir::ValueRange ins, int64_t offset);

  static llvm::SmallVector<Packing> getPacking(const RecurrentLayer &layer,
                                               const Isa &isa);
  static int64_t getScratch(const RecurrentLayer &layer, const Isa &isa);
  /// Estimated cycles of a step's products, of one direction of a sequence.
  static double getCycles(const RecurrentLayer &layer, const Isa &isa);

  /// Makes the sums of `gates` gates from `first` on; of others, the sums are
  /// no longer there then. The state is in a row of f32, from `start` on.
  void emit(mlir::Value direction, const FlatBuffer &state, mlir::Value start,
            int64_t first, int64_t gates);
  /// The sums of units of a gate.
  mlir::Value load(int64_t gate, Columns at) const;

private:
  /// The numbers by which a state's bytes stand for it: scale, zero point and,
  /// where weights have zero points, the sum of the bytes; the last two as i32.
  struct QuantizedState {
    mlir::Value scale, zero, sum;
  };
  QuantizedState quantize(const FlatBuffer &state, mlir::Value start);
  /// The sums of a panel's vectors; `panel` counts those of all directions.
  Values multiplyFloats(const FlatBuffer &state, mlir::Value start,
                        mlir::Value panel,
                        llvm::ArrayRef<ColumnVector> columns);
  Values multiplyBytes(const QuantizedState &state, mlir::Value panel,
                       llvm::ArrayRef<ColumnVector> columns);

  KernelBuilder &b;
  const RecurrentLayer &layer;
  RecurrentPanels panels;
  NBitWeights narrow;
  NBitParameters parameters;
  Multiplier multiplier;
  FlatBuffer weights;
  std::optional<FlatBuffer> columnSums;
  RowBuffer sums;
  /// The state's, where it is quantized.
  std::optional<RowBuffer> bytes;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_NARROWRECURRENCE_H
