//===- RecurrentEmitter.h - The steps of recurrent layers -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code of the steps of LSTM, GRU and plain recurrent layers: for a vector
// of units at a time, the products of all gates with the hidden state in
// registers, then the activations. Products with weights of few bits come
// before them, for all units: NarrowRecurrence.h.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_KERNELS_RECURRENTEMITTER_H
#define BRISK_LIB_KERNELS_RECURRENTEMITTER_H

#include "NarrowRecurrence.h"

namespace brisk {

/// Emits the sequences of one layer. The states stay where the results want
/// them: the last hidden state in `y_h`, the cell state in `y_c`, the new
/// hidden state in `y`; where the group has no such result, in scratch memory.
class RecurrentEmitter {
public:
  /// `packed`: the weights `r`, of floats, are, by blocks of units.
  RecurrentEmitter(KernelBuilder &b, GroupOp group, const RecurrentLayer &layer,
                   bool packed, mlir::ValueRange ins, mlir::ValueRange outs);

  /// One direction of one sequence.
  void emit(mlir::Value direction, mlir::Value sequence);

private:
  /// A row of states, of the element type.
  struct State {
    const FlatBuffer *buffer = nullptr;
    mlir::Value start;
  };

  void forUnits(llvm::function_ref<void(Columns)> body) {
    forColumns(b, layer.units, lanes, /*mayRepeat=*/false, body);
  }
  /// An operand's elements in the type to compute in.
  mlir::Value load(const FlatBuffer &operand,
                   llvm::ArrayRef<mlir::Value> indices, mlir::Value column,
                   Columns at);
  mlir::Value load(const State &state, Columns at);
  void store(mlir::Value value, const State &state, Columns at);

  /// The row of a result, or what stands for it.
  State getState(unsigned result);
  Values getStateAt() const;
  void setState(const State &state, const std::optional<FlatBuffer> &initial);
  mlir::Value getLength();
  mlir::Value getTime(mlir::Value step, mlir::Value length);

  void emitSteps(mlir::Value length, unsigned functions);
  /// Makes the products of `count` gates from `first` on with `state` that are
  /// made for all units at once.
  void multiply(int64_t first, int64_t count, const State &state);
  void emitStep();
  void emitLstm(Columns at);
  void emitGru(Columns at);
  void emitGruWithReset();
  void storeGru(Columns at, mlir::Value update, mlir::Value candidate);

  /// For `count` gates from `first`, the products of units `at` with `state`.
  Values getSums(Columns at, int64_t first, int64_t count, const State &state);
  /// The arguments of their activations.
  Values getGates(Columns at, int64_t first, int64_t count, const State &state);
  /// A gate's product with the input, and the bias of that.
  mlir::Value getInput(Columns at, int64_t gate);
  /// The sum and the bias of the products with the hidden state.
  mlir::Value addBias(mlir::Value sum, Columns at, int64_t gate);
  mlir::Value addPeephole(mlir::Value sum, Columns at, int64_t number,
                          mlir::Value cell);
  /// Function `index`, on a clipped argument or as it is.
  mlir::Value activate(int64_t index, mlir::Value value);
  mlir::Value apply(int64_t index, mlir::Value value);

  KernelBuilder &b;
  const RecurrentLayer &layer;
  mlir::Type type, wide;
  bool packed;
  int64_t lanes;
  std::optional<FlatBuffer> x, w, r, bias, lens, initialH, initialC, peepholes;
  std::optional<FlatBuffer> results[3];
  /// For what the results have no place; of GRU, for the hidden state as reset
  /// gates leave it and the update gates.
  std::optional<RowBuffer> locals[3], reset, updates;
  /// Products with weights of few bits.
  std::optional<NarrowRecurrence> narrow;

  // While a direction is emitted:
  mlir::Value direction, sequence, time;
  unsigned functions = 0;
  State hidden, fresh, cell;
};

} // namespace brisk

#endif // BRISK_LIB_KERNELS_RECURRENTEMITTER_H
