//===- LogicalOps.td - Logic, comparisons, bits and conversions -*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_LOGICALOPS_TD
#define BRISK_DIALECT_LOGICALOPS_TD

include "brisk/Dialect/ElementwiseBase.td"

// An op of arith on each bit of two integers, or on two booleans.
class Brisk_BitOp<string mnemonic, string brief, string op, string semantics, Type type,
                  string shown>
    : Brisk_BinaryOp<mnemonic, brief, semantics, type,
                     "e.make<arith::" # op # ">(x[0], x[1])", [Commutative], 1, shown>;

def Brisk_LogicalAndOp : Brisk_BitOp<"logical_and", "both", "AndIOp",
    "True where both operands are.", Brisk_BoolTensor, "i1">;

def Brisk_LogicalOrOp : Brisk_BitOp<"logical_or", "either", "OrIOp",
    "True where one operand or both are.", Brisk_BoolTensor, "i1">;

def Brisk_LogicalXorOp : Brisk_BitOp<"logical_xor", "one but not both", "XOrIOp",
    "True where the operands differ.", Brisk_BoolTensor, "i1">;

def Brisk_LogicalNotOp : Brisk_UnaryOp<"logical_not", "negation of a boolean",
    "True where the operand is false.", Brisk_BoolTensor,
    "e.make<arith::XOrIOp>(x[0], e.integer(x[0], -1))", 1, "i1">;

// A boolean from two operands of one element type, by what `predicate` means on
// signed integers.
class Brisk_CompareOp<string mnemonic, string brief, string semantics, Type type,
                      string predicate, list<Trait> traits = []>
    : Brisk_ElementwiseOp<mnemonic, !listconcat([SameOperandsElementType], traits), 1,
                          "::mlir::IntegerType::get(context, 1)"> {
  let element = "e.compare(getElementTypeOrSelf(getLhs()), arith::CmpIPredicate::"
      # predicate # ", x[0], x[1])";
  let scaling = "::brisk::Scaling::Unchanged";
  let summary = brief;
  let description = semantics # Brisk_Example<mnemonic, "%a, %b",
                        "tensor<2x3xf32>, tensor<3xf32>", "i1">.text;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs Brisk_BoolTensor:$result);
}

def Brisk_EqualOp : Brisk_CompareOp<"equal", "equality",
    "NaN is equal to nothing; zeros of either sign are equal.", Brisk_Tensor, "eq", [Commutative]>;

def Brisk_LessOp : Brisk_CompareOp<"less", "lhs < rhs",
    "False where an operand is NaN.", Brisk_NumberTensor, "slt">;

def Brisk_LessEqualOp : Brisk_CompareOp<"less_equal", "lhs <= rhs",
    "False where an operand is NaN.", Brisk_NumberTensor, "sle">;

def Brisk_GreaterOp : Brisk_CompareOp<"greater", "lhs > rhs",
    "False where an operand is NaN.", Brisk_NumberTensor, "sgt">;

def Brisk_GreaterEqualOp : Brisk_CompareOp<"greater_equal", "lhs >= rhs",
    "False where an operand is NaN.", Brisk_NumberTensor, "sge">;

def Brisk_IsNanOp : Brisk_ElementwiseOp<"is_nan", [], 1, "::mlir::IntegerType::get(context, 1)"> {
  let summary = "whether a float is NaN";
  let description = [{
    True where the operand is not a number.

    ```mlir
    %0 = brisk.is_nan %x : (tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
  }];
  let arguments = (ins Brisk_FloatTensor:$input);
  let element = "e.compare(arith::CmpFPredicate::UNO, x[0], x[0])";
  let results = (outs Brisk_BoolTensor:$result);
}

def Brisk_IsInfOp : Brisk_ElementwiseOp<"is_inf", [], 2, "::mlir::IntegerType::get(context, 1)"> {
  let summary = "whether a float is infinite";
  let description = [{
    True where the operand is an infinity of a sign that is looked for.

    ```mlir
    %0 = brisk.is_inf %x {detect_negative = false} : (tensor<2x3xf32>) -> tensor<2x3xi1>
    ```
  }];
  let arguments = (ins Brisk_FloatTensor:$input,
                       DefaultValuedAttr<BoolAttr, "true">:$detect_negative,
                       DefaultValuedAttr<BoolAttr, "true">:$detect_positive);
  let results = (outs Brisk_BoolTensor:$result);
}

def Brisk_BitwiseAndOp : Brisk_BitOp<"bitwise_and", "bits that both have", "AndIOp",
    "The operands' bits, and.", Brisk_IntTensor, "i32">;

def Brisk_BitwiseOrOp : Brisk_BitOp<"bitwise_or", "bits that either has", "OrIOp",
    "The operands' bits, or.", Brisk_IntTensor, "i32">;

def Brisk_BitwiseXorOp : Brisk_BitOp<"bitwise_xor", "bits in which two differ", "XOrIOp",
    "The operands' bits, exclusive or.", Brisk_IntTensor, "i32">;

def Brisk_BitwiseNotOp : Brisk_UnaryOp<"bitwise_not", "complement",
    "Every bit inverted.", Brisk_IntTensor,
    "e.make<arith::XOrIOp>(x[0], e.integer(x[0], -1))", 1, "i32">;

def Brisk_ShiftLeftOp : Brisk_BinaryOp<"shift_left", "shift to higher bits",
    "Zeros come in. The distance counts as unsigned; one of the width or more gives 0.",
    Brisk_IntTensor, "", [], 2, "ui8">;

def Brisk_ShiftRightOp : Brisk_BinaryOp<"shift_right", "shift to lower bits",
    "Zeros come in, for signed integers copies of the sign. The distance counts as unsigned; one of the width or more leaves nothing else.",
    Brisk_IntTensor, "", [], 2, "ui8">;

def Brisk_SelectOp : Brisk_ElementwiseOp<"select", [AllElementTypesMatch<["x", "y"]>], 1,
                                         "getElementTypeOrSelf(operands[1])"> {
  let summary = "one of two, by a boolean";
  let description = [{
    ONNX `Where`: `x` where `condition` is true, else `y`.

    ```mlir
    %0 = brisk.select %c, %x, %y
        : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Brisk_BoolTensor:$condition, Brisk_Tensor:$x, Brisk_Tensor:$y);
  let element = "e.select(x[0], x[1], x[2])";
  let scaling = "number == 0 ? ::brisk::Scaling::None : ::brisk::Scaling::Together";
}

def Brisk_CastOp : Brisk_ElementwiseOp<"cast", [], 1, "adaptor.getTo()"> {
  let summary = "conversion to another element type";
  let description = [{
    Floats become integers by rounding toward zero; what is out of range becomes
    the nearest integer of the type, NaN becomes 0. Integers keep their low bits.
    To a boolean: whether the operand is not zero.

    ```mlir
    %0 = brisk.cast %x {to = i32} : (tensor<2x3xf32>) -> tensor<2x3xi32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, TypeAttrOf<Brisk_Element>:$to);
  // From the result's type alone.
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input), [{
    build($_builder, $_state, result, input, getElementTypeOrSelf(result));
  }]>];
}

#endif // BRISK_DIALECT_LOGICALOPS_TD
