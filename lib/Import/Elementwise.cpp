//===- Elementwise.cpp - Arithmetic, math, comparison, logic --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

/// The right operand of an op before opset 7: only with `broadcast` may its
/// shape be another. Its dimensions then stand for those of the left one from
/// `axis` on, by default for the last.
static Value legacyRight(Node &n, Value left, Value right) {
  n.ignore({"consumed_inputs"});
  bool hasAxis = n.has("axis");
  int64_t axis = n.getInt("axis", 0);
  bool broadcasts = n.getFlag("broadcast");
  if (!broadcasts &&
      failed(verifyCompatibleShape(left.getType(), right.getType())))
    n.error() << "its inputs are " << left.getType() << " and "
              << right.getType() << ", which takes the attribute 'broadcast'";
  if (!broadcasts || !hasAxis)
    return right;
  int64_t rank = n.needRank(left), rightRank = n.needRank(right);
  if (n.isBroken())
    return right;
  axis = n.normalizeAxis(axis, rank);
  if (axis + rightRank > rank) {
    n.error() << "the second input has rank " << rightRank
              << ", which does not fit rank " << rank << " at axis " << axis;
    return right;
  }
  return n.unsqueeze(
      right, llvm::to_vector(llvm::seq<int64_t>(rightRank, rank - axis)));
}

template <typename OpTy> static Results legacyBinary(Node &n) {
  Value left = n.in(0);
  return n.keepShape(n.make<OpTy>(left, legacyRight(n, left, n.in(1))), "B",
                     left);
}

template <typename OpTy> static Results variadic(Node &n) {
  n.ignore({"consumed_inputs"});
  SmallVector<Value> values = n.all();
  Value result = values[0];
  for (Value value : ArrayRef(values).drop_front())
    result = n.make<OpTy>(result, value);
  return result;
}

static Results mean(Node &n) {
  Results sum = variadic<AddOp>(n);
  return n.div(sum.values[0], n.scalarLike(n.getNumInputs(), sum.values[0]));
}

static Results mod(Node &n) {
  return n.make<ModOp>(n.in(0), n.in(1), n.getFlag("fmod"));
}

static Results bitShift(Node &n) {
  std::string direction = n.getString("direction", "");
  Value x = n.in(0), by = n.in(1);
  if (direction == "LEFT")
    return n.make<ShiftLeftOp>(x, by);
  if (direction == "RIGHT")
    return n.make<ShiftRightOp>(x, by);
  return n.error() << "direction '" << direction
                   << "' is neither LEFT nor RIGHT";
}

static Results isInf(Node &n) {
  return n.make<IsInfOp>(n.in(0), n.getFlag("detect_negative", true),
                         n.getFlag("detect_positive", true));
}

static Results where(Node &n) { return n.select(n.in(0), n.in(1), n.in(2)); }

static Results cast(Node &n) {
  // Both are for 8-bit floats only.
  n.ignore({"saturate", "round_mode"});
  return n.cast(n.in(0), n.typeOf(n.getInt("to", 0)));
}

/// Before opset 6 types go by their names.
static Results castByName(Node &n) {
  std::string name = n.getString("to", "");
  onnx::TensorProto::DataType type;
  if (!onnx::TensorProto::DataType_Parse(name, &type))
    return n.error() << "element type '" << name << "' is not known";
  return n.cast(n.in(0), n.typeOf(type));
}

static Results castLike(Node &n) {
  n.ignore({"saturate", "round_mode"});
  return n.cast(n.in(0), Node::getElementType(n.in(1)));
}

void onnximport::addElementwiseRows(OpTable &table) {
  auto addUnary = [&](StringRef op, Handler handler) {
    table.on(op, 1, handler);
  };
  addUnary("Abs", unary<AbsOp>);
  addUnary("Acos", unary<AcosOp>);
  addUnary("Acosh", unary<AcoshOp>);
  addUnary("Asin", unary<AsinOp>);
  addUnary("Asinh", unary<AsinhOp>);
  addUnary("Atan", unary<AtanOp>);
  addUnary("Atanh", unary<AtanhOp>);
  addUnary("BitwiseNot", unary<BitwiseNotOp>);
  addUnary("Ceil", unary<CeilOp>);
  addUnary("Cos", unary<CosOp>);
  addUnary("Cosh", unary<CoshOp>);
  addUnary("Erf", unary<ErfOp>);
  addUnary("Exp", unary<ExpOp>);
  addUnary("Floor", unary<FloorOp>);
  addUnary("IsNaN", unary<IsNanOp>);
  addUnary("Log", unary<LogOp>);
  table.on("Neg", 1, unary<NegOp>, Elements::FloatsAndSigned);
  addUnary("Not", unary<LogicalNotOp>);
  addUnary("Reciprocal", unary<ReciprocalOp>);
  addUnary("Round", unary<RoundOp>);
  addUnary("Sigmoid", unary<SigmoidOp>);
  addUnary("Sign", unary<SignOp>);
  addUnary("Sin", unary<SinOp>);
  addUnary("Sinh", unary<SinhOp>);
  addUnary("Softplus", unary<SoftplusOp>);
  addUnary("Sqrt", unary<SqrtOp>);
  addUnary("Tan", unary<TanOp>);
  addUnary("Tanh", unary<TanhOp>);

  auto addBinary = [&](StringRef op, Handler legacy, Handler handler) {
    table.on(op, 1, legacy);
    table.on(op, 7, handler);
  };
  addBinary("Add", legacyBinary<AddOp>, binary<AddOp>);
  addBinary("And", legacyBinary<LogicalAndOp>, binary<LogicalAndOp>);
  addBinary("Div", legacyBinary<DivOp>, binary<DivOp>);
  addBinary("Equal", legacyBinary<EqualOp>, binary<EqualOp>);
  addBinary("Greater", legacyBinary<GreaterOp>, binary<GreaterOp>);
  addBinary("Less", legacyBinary<LessOp>, binary<LessOp>);
  addBinary("Mul", legacyBinary<MulOp>, binary<MulOp>);
  addBinary("Or", legacyBinary<LogicalOrOp>, binary<LogicalOrOp>);
  addBinary("Pow", legacyBinary<PowOp>, binary<PowOp>);
  addBinary("Sub", legacyBinary<SubOp>, binary<SubOp>);
  addBinary("Xor", legacyBinary<LogicalXorOp>, binary<LogicalXorOp>);
  table.on("BitwiseAnd", 18, binary<BitwiseAndOp>);
  table.on("BitwiseOr", 18, binary<BitwiseOrOp>);
  table.on("BitwiseXor", 18, binary<BitwiseXorOp>);
  table.on("GreaterOrEqual", 12, binary<GreaterEqualOp>);
  table.on("LessOrEqual", 12, binary<LessEqualOp>);

  table.on("Max", 1, variadic<MaxOp>);
  table.on("Mean", 1, inF32<mean>, Elements::Floats);
  table.on("Min", 1, variadic<MinOp>);
  table.on("Sum", 1, inF32<variadic<AddOp>>, Elements::Floats);

  table.on("BitShift", 11, bitShift);
  table.on("Cast", 1, castByName);
  table.on("Cast", 6, cast);
  table.on("CastLike", 15, castLike);
  table.on("IsInf", 10, isInf);
  table.on("Mod", 10, mod);
  table.on("Where", 9, where);
}
