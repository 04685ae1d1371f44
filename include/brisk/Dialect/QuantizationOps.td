//===- QuantizationOps.td - Quantized values ---------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_QUANTIZATIONOPS_TD
#define BRISK_DIALECT_QUANTIZATIONOPS_TD

include "brisk/Dialect/ElementwiseBase.td"

def Brisk_Quantized : AnyTypeOf<[I8, I16, UI8, UI16]>;
def Brisk_QuantizedTensor : Brisk_TensorOf<[Brisk_Quantized]>;
// Sums of products of quantized values are dequantized, too.
def Brisk_DequantizableTensor : Brisk_TensorOf<[I8, I16, I32, UI8, UI16]>;
def Brisk_Dequantized : AnyTypeOf<[Brisk_Float, I32]>;
def Brisk_DequantizedTensor : Brisk_TensorOf<[Brisk_Dequantized]>;

// Elements of type `to`. The parts of both ops are elementwise: `compose` in
// QuantizationOps.cpp makes them of values like the operands.
// `elementInstructions` are those of a kernel, `cost` is that of the ops that they are taken
// apart into.
class Brisk_QuantizationOp<string mnemonic, int cost, int elementInstructions,
                           list<Trait> traits = []>
    : Brisk_ElementwiseOp<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<Brisk_CompositeOpInterface>
      ], traits), cost, "adaptor.getTo()"> {
  let definitions = [{
    ::llvm::SmallVector<::mlir::Value> $cppClass::decompose(::mlir::OpBuilder &builder) {
      return {compose(*this, Composer(builder, getLoc()), getOperands())};
    }
    ::mlir::Value $cppClass::buildElement(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                          ::mlir::ValueRange operands) {
      return buildElementOf(*this, builder, loc, operands);
    }
    ::llvm::LogicalResult $cppClass::canonicalize($cppClass op, ::mlir::PatternRewriter &rewriter) {
      return dropZeros(op, rewriter);
    }
  }];
  let instructions = "" # elementInstructions;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Brisk_QuantizeOp : Brisk_QuantizationOp<"quantize", 10, 6> {
  let summary = "floats as small integers, by a scale and a zero point";
  let description = [{
    ONNX `QuantizeLinear`: `saturate(round(x / scale) + zero_point)`, as integers
    of type `to`.

    `scale` and `zero_point` have one shape, which is broadcast with that of `x`: one
    element for the whole tensor, one for each index of an axis, or any other.
    Blocks of an axis that share a scale are a dimension of their own: `x` is
    reshaped to `... x blocks x size x ...`, and `scale` has 1 for the size. The zero
    point has elements of type `to`; without one it is 0.

    `x` and `scale` are converted to `precision`, by default the type of `scale`, and
    divided in it. The quotient is rounded to the nearest integer, halves to the
    even one. The zero point is added in f32 (f64 where `precision` is), which is
    exact wherever the sum is in range; what is beyond the range of `to` becomes
    its least or greatest integer, and NaN becomes 0.

    ```mlir
    %0 = brisk.quantize %x scale %s zero %z {to = ui8}
        : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
    ```
  }];
  let arguments = (ins Brisk_FloatTensor:$input, Brisk_FloatTensor:$scale,
                       Optional<Brisk_QuantizedTensor>:$zero_point,
                       TypeAttrOf<Brisk_Quantized>:$to,
                       OptionalAttr<TypeAttrOf<Brisk_Float>>:$precision);
  let results = (outs Brisk_QuantizedTensor:$result);
  let assemblyFormat = [{
    $input `scale` $scale (`zero` $zero_point^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Brisk_DequantizeOp : Brisk_QuantizationOp<"dequantize", 4, 3, [AttrSizedOperandSegments]> {
  let summary = "what quantized integers stand for";
  let description = [{
    ONNX `DequantizeLinear`: `(x - zero_point) * scale`, as floats of type `to`,
    computed in f32 (f64 where `to` is) and rounded once more where `to` is
    narrower. `scale` and `zero_point` are shaped as those of `brisk.quantize`;
    the zero point has elements of the type of `x`, and without one it is 0.

    Without `scale`, `to` is `i32` and the result the difference `x - zero_point`
    itself, which is exact for all types but `i32`. Products of such integers are
    those of ONNX's `MatMulInteger`, `QLinearConv` and so on.

    A constant `x` stays as it is, since it takes less memory than what it stands for, and a
    product of quantized values may be computed on it directly. Only a constant that repeats
    one element is folded.

    ```mlir
    %0 = brisk.dequantize %x scale %s zero %z {to = f32}
        : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
    %1 = brisk.dequantize %x zero %z {to = i32} : (tensor<2x3xui8>, tensor<ui8>) -> tensor<2x3xi32>
    ```
  }];
  let arguments = (ins Brisk_DequantizableTensor:$input, Optional<Brisk_FloatTensor>:$scale,
                       Optional<Brisk_DequantizableTensor>:$zero_point,
                       TypeAttrOf<Brisk_Dequantized>:$to);
  let foldsConstants = 0;
  let results = (outs Brisk_DequantizedTensor:$result);
  let assemblyFormat = [{
    $input (`scale` $scale^)? (`zero` $zero_point^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Brisk_UnpackBitsOp : Brisk_InferredOp<"unpack_bits", [
    DeclareOpInterfaceMethods<Brisk_CompositeOpInterface>], [{
    /// The integers in constant bytes, as bytes of their own.
    ::mlir::ElementsAttr unpack(::mlir::ElementsAttr bytes);
  }]> {
  let summary = "integers of 2 or 4 bits, from the bytes that hold them";
  let description = [{
    A tensor of `shape` with elements of type `to`: `ui8`, or `i8` if they are
    signed. `input` has as many bytes as its elements take of `bits` bits each, in row-major
    order, the first of a byte in its lowest bits, as ONNX stores `int4`, `uint2` and
    so on. Bits that are left over in the last byte mean nothing.

    Weights stay in this form as long as nothing needs their elements, so that
    products may be computed from it.

    ```mlir
    %0 = brisk.unpack_bits %x {bits = 4, shape = array<i64: 3, 5>, to = i8} : (tensor<8xui8>) -> tensor<3x5xi8>
    ```
  }];
  let arguments = (ins Brisk_TensorOf<[UI8]>:$input, I64Attr:$bits,
                       DenseI64ArrayAttr:$shape, TypeAttrOf<AnyTypeOf<[I8, UI8]>>:$to);
  let results = (outs Brisk_TensorOf<[I8, UI8]>:$result);
}

#endif // BRISK_DIALECT_QUANTIZATIONOPS_TD
