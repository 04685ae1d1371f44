//===- QuantizationPlan.h - What of a model can be quantized ----*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers are convolutions and products with constant weights. What a layer
// reads is followed back over ops that only choose elements to the values that
// were computed: these are quantized, so that everything in between works on
// bytes.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_QUANTIZATION_QUANTIZATIONPLAN_H
#define BRISK_LIB_QUANTIZATION_QUANTIZATIONPLAN_H

#include "InputMoments.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace brisk {

/// The operands whose elements `op` chooses from; none for other ops, and null.
llvm::SmallVector<mlir::OpOperand *> getChosen(mlir::Operation *op);

/// What reports call a layer: the ONNX node's name.
std::string getLayerName(mlir::Operation *op);

/// True if all weights, of f32, are numbers.
bool isFinite(mlir::ElementsAttr weights);

/// A computed value that layers read. Values that one layer reads, as after a
/// concatenation, are quantized by one scale: they are of one group.
struct PlannedValue {
  mlir::Value value;
  unsigned group;
};

struct PlannedLayer {
  mlir::Operation *op;
  /// Adds a constant bias to a matrix product; null without one.
  AddOp bias;
  std::string name; ///< of the ONNX node
  uint64_t multiplyAdds;
  std::vector<unsigned> sources; ///< places among the values

  /// What each of its outputs is a product of.
  LayerInput getInput() const;
  mlir::Value getResult() const {
    return bias ? bias->getResult(0) : op->getResult(0);
  }
};

/// A layer that stays as it is, and why.
struct UnplannedLayer {
  std::string name;
  uint64_t multiplyAdds;
  std::string reason;
};

/// Refers to ops and values of one function. That of a clone has the same
/// order.
struct QuantizationPlan {
  std::vector<PlannedValue> values;
  unsigned groups = 0;
  std::vector<PlannedLayer> layers;
  std::vector<UnplannedLayer> unplanned;

  /// That of the values that a layer reads.
  unsigned getGroup(unsigned layer) const {
    return values[layers[layer].sources.front()].group;
  }

  static QuantizationPlan create(mlir::func::FuncOp function);
};

} // namespace brisk

#endif // BRISK_LIB_QUANTIZATION_QUANTIZATIONPLAN_H
