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

def Brisk_ExpOp : Brisk_UnaryOp<"exp", "exponential",
    "e to the power of the operand.", Brisk_FloatTensor, 20>;

def Brisk_LogOp : Brisk_UnaryOp<"log", "natural logarithm",
    "Zero gives negative infinity, a negative operand NaN.", Brisk_FloatTensor, 20>;

def Brisk_SinOp : Brisk_UnaryOp<"sin", "sine",
    "The operand is in radians; an infinite one gives NaN.", Brisk_FloatTensor, 20>;

def Brisk_CosOp : Brisk_UnaryOp<"cos", "cosine",
    "The operand is in radians; an infinite one gives NaN.", Brisk_FloatTensor, 20>;

def Brisk_TanOp : Brisk_UnaryOp<"tan", "tangent",
    "The operand is in radians; an infinite one gives NaN.", Brisk_FloatTensor, 40>;

def Brisk_AsinOp : Brisk_UnaryOp<"asin", "arc sine",
    "In radians, from -pi/2 to pi/2; NaN outside of [-1, 1].", Brisk_FloatTensor, 25>;

def Brisk_AcosOp : Brisk_UnaryOp<"acos", "arc cosine",
    "In radians, from 0 to pi; NaN outside of [-1, 1].", Brisk_FloatTensor, 25>;

def Brisk_AtanOp : Brisk_UnaryOp<"atan", "arc tangent",
    "In radians, from -pi/2 to pi/2.", Brisk_FloatTensor, 20>;

def Brisk_SinhOp : Brisk_UnaryOp<"sinh", "hyperbolic sine",
    "Overflows to infinity of the operand's sign.", Brisk_FloatTensor, 30>;

def Brisk_CoshOp : Brisk_UnaryOp<"cosh", "hyperbolic cosine",
    "Overflows to infinity.", Brisk_FloatTensor, 25>;

def Brisk_AsinhOp : Brisk_UnaryOp<"asinh", "inverse hyperbolic sine",
    "Defined everywhere; accurate near zero.", Brisk_FloatTensor, 40>;

def Brisk_AcoshOp : Brisk_UnaryOp<"acosh", "inverse hyperbolic cosine",
    "NaN below 1; accurate near 1.", Brisk_FloatTensor, 40>;

def Brisk_AtanhOp : Brisk_UnaryOp<"atanh", "inverse hyperbolic tangent",
    "Infinite at -1 and 1, NaN beyond; accurate near zero.", Brisk_FloatTensor, 35>;

def Brisk_ErfOp : Brisk_UnaryOp<"erf", "error function",
    "The integral of the Gauss function: 2/sqrt(pi) exp(-t^2) from 0 to the operand.", Brisk_FloatTensor, 25>;

def Brisk_TanhOp : Brisk_UnaryOp<"tanh", "hyperbolic tangent",
    "From -1 to 1.", Brisk_FloatTensor, 20>;

def Brisk_SigmoidOp : Brisk_UnaryOp<"sigmoid", "logistic function",
    "1 / (1 + exp(-x)): 0 at negative infinity, 1 at infinity.", Brisk_FloatTensor, 25>;

def Brisk_SoftplusOp : Brisk_UnaryOp<"softplus", "smooth ramp",
    "log(1 + exp(x)), without overflow for large operands.", Brisk_FloatTensor, 45>;

def Brisk_FloorOp : Brisk_UnaryOp<"floor", "rounding down",
    "The largest integer that is not above the operand.", Brisk_FloatTensor, 1>;

def Brisk_CeilOp : Brisk_UnaryOp<"ceil", "rounding up",
    "The smallest integer that is not below the operand.", Brisk_FloatTensor, 1>;

def Brisk_RoundOp : Brisk_UnaryOp<"round", "rounding to nearest",
    "To the nearest integer; halves go to the even one.", Brisk_FloatTensor, 1>;

def Brisk_SiluOp : Brisk_UnaryOp<"silu", "sigmoid-weighted linear unit",
    "x / (1 + exp(-x)), also known as swish.", Brisk_FloatTensor, 25>;

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
  let results = (outs Brisk_FloatTensor:$result);
  let assemblyFormat = "$approximate operands attr-dict `:` functional-type(operands, results)";
}

#endif // BRISK_DIALECT_MATHOPS_TD
