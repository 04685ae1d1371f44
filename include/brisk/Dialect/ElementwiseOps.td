//===- ElementwiseOps.td - Arithmetic ops ------------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_ELEMENTWISEOPS_TD
#define BRISK_DIALECT_ELEMENTWISEOPS_TD

include "brisk/Dialect/ElementwiseBase.td"

def Brisk_AddOp : Brisk_BinaryOp<"add", "sum",
    "Integers wrap around.", Brisk_NumberTensor, "e.add(x[0], x[1])", [Commutative]> {
  let scaling = "::brisk::Scaling::Together";
}

def Brisk_SubOp : Brisk_BinaryOp<"sub", "difference",
    "Integers wrap around.", Brisk_NumberTensor, "e.sub(x[0], x[1])"> {
  let scaling = "::brisk::Scaling::Together";
}

def Brisk_MulOp : Brisk_BinaryOp<"mul", "product",
    "Integers wrap around.", Brisk_NumberTensor, "e.mul(x[0], x[1])", [Commutative]> {
  let scaling = "::brisk::Scaling::Alone";
}

def Brisk_DivOp : Brisk_BinaryOp<"div", "quotient",
    "Integers round toward zero; a zero divisor gives 0, and the smallest integer by -1 wraps around to itself.",
    Brisk_NumberTensor, "", [], 4> {
  let scaling = "number == 0 ? ::brisk::Scaling::Alone : ::brisk::Scaling::Inverse";
}

def Brisk_ModOp : Brisk_ElementwiseOp<"mod", [SameOperandsElementType], 12> {
  let summary = "remainder";
  let description = [{
    The remainder of the floored quotient, which has the divisor's sign, or with
    `fmod`, as C's `fmod` and `%`, of the truncated one, which has the
    dividend's. An integer divisor of zero gives 0. Floating point remainders
    are exact while the quotient is below 2^57 (f64: 2^29).

    ```mlir
    %0 = brisk.mod %a, %b {fmod} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Brisk_NumberTensor:$lhs, Brisk_NumberTensor:$rhs, UnitAttr:$fmod);
  let results = (outs Brisk_NumberTensor:$result);
}

def Brisk_PowOp : Brisk_ElementwiseOp<"pow", [], 60> {
  let summary = "power";
  let description = [{
    `lhs` to the power of `rhs`, in the type of `lhs`; `rhs` may be of any number
    type. The special cases are those of C's `pow`. Integers wrap around; to a
    negative power they give what rounding the exact value toward zero gives, and
    0 to a negative power gives 0.

    ```mlir
    %0 = brisk.pow %a, %b : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Brisk_NumberTensor:$lhs, Brisk_NumberTensor:$rhs);
  let results = (outs Brisk_NumberTensor:$result);
  let hasCanonicalizeMethod = 1;
}

def Brisk_MinOp : Brisk_BinaryOp<"min", "the smaller of two",
    "A NaN in either operand gives NaN; of two zeros either may come.",
    Brisk_NumberTensor, "e.min(getElementTypeOrSelf(getLhs()), x[0], x[1])", [Commutative]> {
  let scaling = "::brisk::Scaling::Together";
}

def Brisk_MaxOp : Brisk_BinaryOp<"max", "the larger of two",
    "A NaN in either operand gives NaN; of two zeros either may come.",
    Brisk_NumberTensor, "e.max(getElementTypeOrSelf(getLhs()), x[0], x[1])", [Commutative]> {
  let scaling = "::brisk::Scaling::Together";
}

def Brisk_NegOp : Brisk_UnaryOp<"neg", "negation",
    "The smallest integer stays as it is.", Brisk_NumberTensor> {
  let scaling = "::brisk::Scaling::Together";
}

def Brisk_AbsOp : Brisk_UnaryOp<"abs", "absolute value",
    "The smallest integer stays as it is.", Brisk_NumberTensor> {
  let scaling = "::brisk::Scaling::Together";
}

def Brisk_SignOp : Brisk_UnaryOp<"sign", "sign",
    "-1, 0 or 1; NaN stays NaN.", Brisk_NumberTensor, "", 2> {
  let scaling = "::brisk::Scaling::Unchanged";
}

def Brisk_ReciprocalOp : Brisk_UnaryOp<"reciprocal", "one by the operand",
    "A zero gives infinity of its sign.", Brisk_FloatTensor,
    "e.div(e.constant(x[0], 1.0), x[0])", 4>;

def Brisk_SqrtOp : Brisk_UnaryOp<"sqrt", "square root",
    "Correctly rounded; a negative operand gives NaN.", Brisk_FloatTensor,
    "e.make<math::SqrtOp>(x[0])", 6>;

#endif // BRISK_DIALECT_ELEMENTWISEOPS_TD
