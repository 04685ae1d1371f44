//===- Elementwise.cpp - Ops on elements ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

/// A node on elements of these operands, which gives an op's result.
static NodeMaker makeElementwise(GraphExporter &e, Operation *op,
                                 StringRef type, ValueRange operands) {
  Form form = e.chooseForm(op, operands);
  SmallVector<std::string> inputs;
  for (Value operand : operands)
    inputs.push_back(e.getBroadcast(operand, form));
  return e.makeNode(op, type, inputs, form);
}

static void exportElementwise(GraphExporter &e, Operation *op, StringRef type) {
  makeElementwise(e, op, type, op->getOperands());
}

/// The number that a constant is; nothing for other values.
static std::optional<double> getNumber(Value value) {
  ElementsAttr constant = getConstant(value);
  if (!constant || !constant.isSplat() || constant.getNumElements() == 0)
    return std::nullopt;
  return getAsDoubles(getSplatElement(constant)).front();
}

/// Whether a value broadcasts to the other's shape without changing it.
static bool isBound(Value value) {
  return getRank(value) == 0 && getNumber(value);
}

/// The op of min(max(x, low), high) that gives max(x, low), if nothing else
/// reads that: the two are ONNX's Clip.
static MaxOp getLowerBound(MinOp op) {
  auto max = op.getLhs().getDefiningOp<MaxOp>();
  return max && max->hasOneUse() && max->getBlock() == op->getBlock() &&
                 isBound(max.getRhs()) && isBound(op.getRhs())
             ? max
             : MaxOp();
}

static void exportMin(GraphExporter &e, MinOp op) {
  MaxOp max = getLowerBound(op);
  if (!max)
    return exportElementwise(e, op, "Min");
  Value x = max.getLhs();
  Form form = e.chooseForm(op, x);
  e.makeNode(op, "Clip",
             {e.get(x, form), e.get(max.getRhs()), e.get(op.getRhs())}, form);
}

static void exportMax(GraphExporter &e, MaxOp op) {
  if (op->hasOneUse())
    if (auto min = dyn_cast<MinOp>(*op->user_begin());
        min && getLowerBound(min) == op)
      return;
  std::optional<double> low = getNumber(op.getRhs());
  if (low && *low == 0 && isBound(op.getRhs()) &&
      isa<FloatType>(getElementTypeOrSelf(op.getType())))
    makeElementwise(e, op, "Relu", op.getLhs());
  else
    exportElementwise(e, op, "Max");
}

static void exportCast(GraphExporter &e, CastOp op) {
  makeElementwise(e, op, "Cast", op.getInput())
      .set("to", static_cast<int64_t>(getDataType(op.getTo())));
}

static void exportMod(GraphExporter &e, ModOp op) {
  makeElementwise(e, op, "Mod", op->getOperands())
      .set("fmod", static_cast<int64_t>(op.getFmod()));
}

static void exportIsInf(GraphExporter &e, IsInfOp op) {
  makeElementwise(e, op, "IsInf", op.getInput())
      .set("detect_negative", static_cast<int64_t>(op.getDetectNegative()))
      .set("detect_positive", static_cast<int64_t>(op.getDetectPositive()));
}

static void exportShift(GraphExporter &e, Operation *op, StringRef direction) {
  if (!getElementTypeOrSelf(op->getResult(0).getType()).isUnsignedInteger())
    return e.refuse(op, "a shift of signed integers, which this opset has not");
  makeElementwise(e, op, "BitShift", op->getOperands())
      .set("direction", direction);
}

static void exportGelu(GraphExporter &e, GeluOp op) {
  makeElementwise(e, op, "Gelu", op.getInput())
      .set("approximate", stringifyEnum(op.getApproximate()));
}

static void exportSilu(GraphExporter &e, SiluOp op) {
  Form form = e.chooseForm(op, op.getInput());
  std::string x = e.get(op.getInput(), form);
  e.makeNode(op, "Mul", {x, e.makePart(op, "Sigmoid", x)}, form);
}

void onnxexport::addElementwiseRows(OpTable &table) {
  table.on<AddOp>(exportElementwise, "Add");
  table.on<SubOp>(exportElementwise, "Sub");
  table.on<MulOp>(exportElementwise, "Mul");
  table.on<DivOp>(exportElementwise, "Div");
  table.on<PowOp>(exportElementwise, "Pow");
  table.on<NegOp>(exportElementwise, "Neg");
  table.on<AbsOp>(exportElementwise, "Abs");
  table.on<SignOp>(exportElementwise, "Sign");
  table.on<ReciprocalOp>(exportElementwise, "Reciprocal");
  table.on<SqrtOp>(exportElementwise, "Sqrt");
  table.on<ExpOp>(exportElementwise, "Exp");
  table.on<LogOp>(exportElementwise, "Log");
  table.on<SinOp>(exportElementwise, "Sin");
  table.on<CosOp>(exportElementwise, "Cos");
  table.on<TanOp>(exportElementwise, "Tan");
  table.on<AsinOp>(exportElementwise, "Asin");
  table.on<AcosOp>(exportElementwise, "Acos");
  table.on<AtanOp>(exportElementwise, "Atan");
  table.on<SinhOp>(exportElementwise, "Sinh");
  table.on<CoshOp>(exportElementwise, "Cosh");
  table.on<AsinhOp>(exportElementwise, "Asinh");
  table.on<AcoshOp>(exportElementwise, "Acosh");
  table.on<AtanhOp>(exportElementwise, "Atanh");
  table.on<ErfOp>(exportElementwise, "Erf");
  table.on<TanhOp>(exportElementwise, "Tanh");
  table.on<SigmoidOp>(exportElementwise, "Sigmoid");
  table.on<SoftplusOp>(exportElementwise, "Softplus");
  table.on<FloorOp>(exportElementwise, "Floor");
  table.on<CeilOp>(exportElementwise, "Ceil");
  table.on<RoundOp>(exportElementwise, "Round");
  table.on<LogicalAndOp>(exportElementwise, "And");
  table.on<LogicalOrOp>(exportElementwise, "Or");
  table.on<LogicalXorOp>(exportElementwise, "Xor");
  table.on<LogicalNotOp>(exportElementwise, "Not");
  table.on<EqualOp>(exportElementwise, "Equal");
  table.on<LessOp>(exportElementwise, "Less");
  table.on<LessEqualOp>(exportElementwise, "LessOrEqual");
  table.on<GreaterOp>(exportElementwise, "Greater");
  table.on<GreaterEqualOp>(exportElementwise, "GreaterOrEqual");
  table.on<IsNanOp>(exportElementwise, "IsNaN");
  table.on<BitwiseAndOp>(exportElementwise, "BitwiseAnd");
  table.on<BitwiseOrOp>(exportElementwise, "BitwiseOr");
  table.on<BitwiseXorOp>(exportElementwise, "BitwiseXor");
  table.on<BitwiseNotOp>(exportElementwise, "BitwiseNot");
  table.on<SelectOp>(exportElementwise, "Where");
  table.on<ShiftLeftOp>(exportShift, "LEFT");
  table.on<ShiftRightOp>(exportShift, "RIGHT");
  table.on<MinOp>(typed<MinOp, exportMin>);
  table.on<MaxOp>(typed<MaxOp, exportMax>);
  table.on<CastOp>(typed<CastOp, exportCast>);
  table.on<ModOp>(typed<ModOp, exportMod>);
  table.on<IsInfOp>(typed<IsInfOp, exportIsInf>);
  table.on<GeluOp>(typed<GeluOp, exportGelu>);
  table.on<SiluOp>(typed<SiluOp, exportSilu>);
}
