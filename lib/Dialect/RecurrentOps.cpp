//===- RecurrentOps.cpp - Recurrent layers --------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeInference.h"
#include "brisk/Dialect/Ops.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::inference;

#define GET_OP_CLASSES
#include "brisk/Dialect/RecurrentOps.cpp.inc"

template <typename Op> static int64_t countDirections(Op op) {
  return op.getDirection() == RecurrentDirection::Bidirectional ? 2 : 1;
}

std::pair<std::optional<float>, std::optional<float>>
brisk::getDefaultParameters(RecurrentActivation function) {
  switch (function) {
  case RecurrentActivation::Affine:
    return {1.0f, 0.0f};
  case RecurrentActivation::HardSigmoid:
    return {0.2f, 0.5f};
  case RecurrentActivation::ScaledTanh:
    return {1.0f, 1.0f};
  case RecurrentActivation::LeakyRelu:
    return {0.01f, std::nullopt};
  case RecurrentActivation::Elu:
  case RecurrentActivation::ThresholdedRelu:
    return {1.0f, std::nullopt};
  default:
    return {};
  }
}

template <typename Op>
static RecurrentFunction getCellFunction(Op op, int64_t direction,
                                         int64_t index) {
  int64_t place = direction * Op::getNumFunctions() + index;
  auto list = op.getActivations();
  RecurrentActivation kind =
      list ? cast<RecurrentActivationAttr>((*list)[place]).getValue()
      : index == 0 && Op::getNumFunctions() > 1 ? RecurrentActivation::Sigmoid
                                                : RecurrentActivation::Tanh;
  auto [alpha, beta] = getDefaultParameters(kind);
  if (auto alphas = op.getActivationAlpha())
    alpha = (*alphas)[place];
  if (auto betas = op.getActivationBeta())
    beta = (*betas)[place];
  return {kind, alpha.value_or(0), beta.value_or(0)};
}

/// Products with the gates' rows of weights for each unit, and about as many
/// activations.
template <typename Op> static uint64_t countRecurrentFlops(Op op) {
  uint64_t columns = ranked(op.getX()).getShape().back();
  uint64_t input = op.getW() ? columns : 0, hidden = op.getHiddenSize();
  uint64_t steps = countElements(op.getX()) / std::max<uint64_t>(columns, 1);
  uint64_t gates = Op::getNumGates();
  return steps * op.getNumDirections() * gates * hidden *
         (2 * (input + hidden) + 25);
}

template <typename Op> static LogicalResult verifyFunctions(Op op) {
  size_t expected = Op::getNumFunctions() * op.getNumDirections();
  auto check = [&](auto list, StringRef name) -> LogicalResult {
    if (!list || list->size() == expected)
      return success();
    return op.emitOpError() << name << " has " << list->size()
                            << " entries, expected " << expected;
  };
  return success(
      succeeded(check(op.getActivations(), "activations")) &&
      succeeded(check(op.getActivationAlpha(), "activation_alpha")) &&
      succeeded(check(op.getActivationBeta(), "activation_beta")));
}

namespace {
/// An operand and the shape that it is to have.
struct Expected {
  StringRef name;
  Value value;
  SmallVector<int64_t> shape;
};
} // namespace

/// Checks `r` and its parameters where it is integers.
template <typename Op>
static LogicalResult checkIntegers(OptionalLoc loc, typename Op::Adaptor op,
                                   int64_t columns) {
  bool isNarrow = static_cast<bool>(op.getRScale());
  if (isNarrow == isa<FloatType>(elementOf(op.getR())))
    return emitOptionalError(loc, "r has elements of type ",
                             elementOf(op.getR()),
                             isNarrow ? " and" : " but no", " r_scale");
  if (!isNarrow)
    return success();
  if (op.getW() || !elementOf(op.getX()).isF32())
    return emitOptionalError(
        loc, "r is integers, for which x must be of f32 and hold the products");
  int64_t bits = op.getRBits().value_or(0), block = op.getRBlock().value_or(0);
  int64_t states = op.getHiddenSize();
  if (bits != 2 && bits != 4 && bits != 8)
    return emitOptionalError(loc, "r_bits is ", bits, ", expected 2, 4 or 8");
  int64_t perByte = 8 / bits;
  if (block < 1 || (block % perByte && block < states))
    return emitOptionalError(loc, "r_block is ", block,
                             ", expected a multiple of ", perByte);
  if (op.getQuantizesStates() != static_cast<bool>(op.getRSums()))
    return emitOptionalError(loc,
                             "r_sums and quantizes_states belong together");
  Type integer = elementOf(op.getR()), scale = elementOf(op.getRScale());
  if (op.getQuantizesStates() &&
      (bits != 8 || block < states || integer.isUnsignedInteger()))
    return emitOptionalError(loc, "states are quantized, for which r must be "
                                  "i8, of 8 bits and in one block");
  int64_t blocks = llvm::divideCeilSigned(states, block);
  auto check = [&](Value value, StringRef name, ArrayRef<int64_t> shape,
                   Type element) -> LogicalResult {
    Type expected = makeTensor(shape, element);
    if (!value || areCompatible({expected}, {value.getType()}))
      return success();
    return emitOptionalError(loc, name, " has type ", value.getType(),
                             ", expected ", expected);
  };
  return success(
      succeeded(check(op.getR(), "r",
                      {llvm::divideCeilSigned(states, perByte), columns},
                      integer)) &&
      succeeded(check(op.getRScale(), "r_scale", {blocks, columns}, scale)) &&
      succeeded(check(op.getRZero(), "r_zero", {blocks, columns}, integer)) &&
      succeeded(check(op.getRSums(), "r_sums", {columns},
                      IntegerType::get(scale.getContext(), 32))));
}

template <typename Op>
static LogicalResult inferRecurrent(OptionalLoc loc, typename Op::Adaptor op,
                                    Value c, Value p, bool hasCell,
                                    Types &results) {
  Type element = elementOf(op.getX());
  int64_t steps = dynamic, batch = dynamic, inputs = dynamic;
  if (auto x = ranked(op.getX())) {
    if (x.getRank() != 3)
      return emitOptionalError(loc, "x has ", x.getRank(),
                               " dimensions, expected 3");
    steps = x.getDimSize(op.getLayout() ? 1 : 0);
    batch = x.getDimSize(op.getLayout() ? 0 : 1);
    inputs = x.getDimSize(2);
  }
  int64_t directions = countDirections(op), hidden = op.getHiddenSize();
  if (!isAddressable(hidden))
    return emitOptionalError(loc, "hidden_size ", hidden, " is too large");
  int64_t gates = Op::getNumGates() * hidden;
  if (!op.getW() && inputs != dynamic && inputs != directions * gates)
    return emitOptionalError(loc, "x has ", inputs,
                             " columns and there is no w, expected ",
                             directions * gates);
  SmallVector<int64_t> state =
      op.getLayout() ? SmallVector<int64_t>{batch, directions, hidden}
                     : SmallVector<int64_t>{directions, batch, hidden};
  if (failed(checkIntegers<Op>(loc, op, directions * gates)))
    return failure();
  Value r = op.getRScale() ? Value() : Value(op.getR());
  Expected operands[] = {{"w", op.getW(), {directions, gates, inputs}},
                         {"r", r, {directions, gates, hidden}},
                         {"b", op.getB(), {directions, 2 * gates}},
                         {"sequence_lens", op.getSequenceLens(), {batch}},
                         {"initial_h", op.getInitialH(), state},
                         {"initial_c", c, state},
                         {"p", p, {directions, 3 * hidden}}};
  for (const Expected &operand : operands) {
    if (!operand.value)
      continue;
    Type have = elementOf(operand.value);
    if (isa<FloatType>(have) && have != element)
      return emitOptionalError(loc, operand.name, " has elements of type ",
                               have, " and x of type ", element);
    Type expected = makeTensor(operand.shape, have);
    if (!areCompatible({expected}, {operand.value.getType()}))
      return emitOptionalError(loc, operand.name, " has type ",
                               operand.value.getType(), ", expected ",
                               expected);
  }
  SmallVector<int64_t> all{steps, directions, batch, hidden};
  if (op.getLayout())
    all = {batch, steps, directions, hidden};
  if (failed(give(loc, results, all, element)))
    return failure();
  results.append(hasCell ? 2 : 1, makeTensor(state, element));
  return success();
}

#define RECURRENT_OP(OP, C, P, HAS_CELL)                                       \
  int64_t OP::getNumDirections() { return countDirections(*this); }            \
  RecurrentFunction OP::getFunction(int64_t direction, int64_t index) {        \
    return getCellFunction(*this, direction, index);                           \
  }                                                                            \
  uint64_t OP::countFlops() { return countRecurrentFlops(*this); }             \
  LogicalResult OP::verify() { return verifyFunctions(*this); }                \
  LogicalResult OP::inferReturnTypes(MLIRContext *, OptionalLoc loc,           \
                                     Adaptor op, Types &results) {             \
    return inferRecurrent<OP>(loc, op, C, P, HAS_CELL, results);               \
  }

RECURRENT_OP(LstmOp, op.getInitialC(), op.getP(), true)
RECURRENT_OP(GruOp, Value(), Value(), false)
RECURRENT_OP(RnnOp, Value(), Value(), false)
