//===- MathOps.td - Functions of one float -----------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_MATHOPS_TD
#define BRISK_DIALECT_MATHOPS_TD

include "brisk/Dialect/BriskEnums.td"
include "brisk/Dialect/ElementwiseBase.td"

class Brisk_FloatOp<string mnemonic, string brief, string expression, string semantics,
                    int cost = 1>
    : Brisk_UnaryOp<mnemonic, brief, semantics, Brisk_FloatTensor, expression, cost>;

def Brisk_ExpOp : Brisk_FloatOp<"exp", "exponential", "e.make<math::ExpOp>(x[0])",
    "e to the power of the operand.", 20>;

def Brisk_LogOp : Brisk_FloatOp<"log", "natural logarithm", "e.make<math::LogOp>(x[0])",
    "Zero gives negative infinity, a negative operand NaN.", 20>;

def Brisk_SinOp : Brisk_FloatOp<"sin", "sine", "e.make<math::SinOp>(x[0])",
    "The operand is in radians; an infinite one gives NaN.", 20>;

def Brisk_CosOp : Brisk_FloatOp<"cos", "cosine", "e.make<math::CosOp>(x[0])",
    "The operand is in radians; an infinite one gives NaN.", 20>;

def Brisk_TanOp : Brisk_FloatOp<"tan", "tangent", "e.make<math::TanOp>(x[0])",
    "The operand is in radians; an infinite one gives NaN.", 40>;

def Brisk_AsinOp : Brisk_FloatOp<"asin", "arc sine", "e.make<math::AsinOp>(x[0])",
    "In radians, from -pi/2 to pi/2; NaN outside of [-1, 1].", 25>;

def Brisk_AcosOp : Brisk_FloatOp<"acos", "arc cosine", "e.make<math::AcosOp>(x[0])",
    "In radians, from 0 to pi; NaN outside of [-1, 1].", 25>;

def Brisk_AtanOp : Brisk_FloatOp<"atan", "arc tangent", "e.make<math::AtanOp>(x[0])",
    "In radians, from -pi/2 to pi/2.", 20>;

def Brisk_SinhOp : Brisk_FloatOp<"sinh", "hyperbolic sine", "buildSinh(e, x[0])",
    "Overflows to infinity of the operand's sign.", 30>;

def Brisk_CoshOp : Brisk_FloatOp<"cosh", "hyperbolic cosine", "buildCosh(e, x[0])",
    "Overflows to infinity.", 25>;

def Brisk_AsinhOp : Brisk_FloatOp<"asinh", "inverse hyperbolic sine", "buildAsinh(e, x[0])",
    "Defined everywhere; accurate near zero.", 40>;

def Brisk_AcoshOp : Brisk_FloatOp<"acosh", "inverse hyperbolic cosine", "buildAcosh(e, x[0])",
    "NaN below 1; accurate near 1.", 40>;

def Brisk_AtanhOp : Brisk_FloatOp<"atanh", "inverse hyperbolic tangent", "buildAtanh(e, x[0])",
    "Infinite at -1 and 1, NaN beyond; accurate near zero.", 35>;

def Brisk_ErfOp : Brisk_FloatOp<"erf", "error function", "e.make<math::ErfOp>(x[0])",
    "The integral of the Gauss function: 2/sqrt(pi) exp(-t^2) from 0 to the operand.", 25>;

def Brisk_TanhOp : Brisk_FloatOp<"tanh", "hyperbolic tangent", "e.make<math::TanhOp>(x[0])",
    "From -1 to 1.", 20>;

def Brisk_SigmoidOp : Brisk_FloatOp<"sigmoid", "logistic function", "e.sigmoid(x[0])",
    "1 / (1 + exp(-x)): 0 at negative infinity, 1 at infinity.", 25>;

def Brisk_SoftplusOp : Brisk_FloatOp<"softplus", "smooth ramp", "e.softplus(x[0])",
    "log(1 + exp(x)), without overflow for large operands.", 45>;

def Brisk_FloorOp : Brisk_FloatOp<"floor", "rounding down", "e.make<math::FloorOp>(x[0])",
    "The largest integer that is not above the operand.">;

def Brisk_CeilOp : Brisk_FloatOp<"ceil", "rounding up", "e.make<math::CeilOp>(x[0])",
    "The smallest integer that is not below the operand.">;

def Brisk_RoundOp : Brisk_FloatOp<"round", "rounding to nearest", "e.make<math::RoundEvenOp>(x[0])",
    "To the nearest integer; halves go to the even one.">;

def Brisk_SiluOp : Brisk_FloatOp<"silu", "sigmoid-weighted linear unit",
    "e.div(x[0], e.onePlusExp(x[0]))", "x / (1 + exp(-x)), also known as swish.", 25>;

def Brisk_GeluOp : Brisk_ElementwiseOp<"gelu", [], 30> {
  let summary = "Gaussian error linear unit";
  let description = [{
    `x / 2 * (1 + erf(x / sqrt(2)))`, or with `tanh`,
    `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`.

    ```mlir
    %0 = brisk.gelu none %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Brisk_FloatTensor:$input,
      DefaultValuedAttr<Brisk_GeluApproximationAttr,
                        "::brisk::GeluApproximation::None">:$approximate);
  let element = "buildGelu(e, x[0], getApproximate())";
  let results = (outs Brisk_FloatTensor:$result);
  let assemblyFormat = "$approximate operands attr-dict `:` functional-type(operands, results)";
}

#endif // BRISK_DIALECT_MATHOPS_TD
