//===- ContractionOps.td - Convolution, matrix products ----*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_CONTRACTIONOPS_TD
#define BRISK_DIALECT_CONTRACTIONOPS_TD

include "brisk/Dialect/BriskBase.td"
include "brisk/Dialect/BriskEnums.td"

def Brisk_ConvOp : Brisk_InferredOp<"conv", [
    DeclareOpInterfaceMethods<Brisk_WindowOpInterface>,
    DeclareOpInterfaceMethods<Brisk_WeightedOpInterface, ["getInputChannelOf"]>], [{
    /// The padding of the spatial dimensions, all begins then all ends, with
    /// `auto_pad` resolved; kDynamic where that needs an unknown dimension.
    ::llvm::SmallVector<int64_t> getResolvedPads();
    uint64_t countFlops();
  }], Brisk_InferProductTypes> {
  let summary = "convolution, channels-last";
  let description = [{
    ONNX `Conv` on channels-last tensors of any number of spatial dimensions:
    `input` is N x spatial x C, `filter` is window x C/group x O (output
    channels innermost, those of a group together), `bias` has O elements, the
    result is N x spatial x O. Input and output channels are split into `group`
    groups; a group's outputs depend on its inputs only.

    `strides`, `dilations` and `pads` (all begins, then all ends) list the
    spatial dimensions only; an empty list is all ones, or zeros for `pads`.
    Padding is with zeros. 8-bit integers, of which input and filter may be of
    different signs, are summed up in i32: so are the result and the bias. So are
    16-bit floats in f32, of which the result and the bias may be, as they are
    where either input or filter is. A filter of integers of 8 or 16 bits may
    meet an input of f32: kernels make floats of it in registers.
    `auto_pad` other than `notset` overrides `pads`.

    ```mlir
    %0 = brisk.conv %x, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
        : (tensor<1x224x224x3xf32>, tensor<3x3x3x32xf32>, tensor<32xf32>) -> tensor<1x112x112x32xf32>
    ```
  }];
  let arguments = (ins Brisk_NumberTensor:$input, Brisk_NumberTensor:$filter,
                       Optional<Brisk_NumberTensor>:$bias,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$strides,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$pads,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$dilations,
                       DefaultValuedAttr<I64Attr, "1">:$group,
                       DefaultValuedAttr<Brisk_AutoPadAttr, "::brisk::AutoPad::Notset">:$auto_pad);
  let results = (outs Brisk_NumberTensor:$result);
}

// The windows are those over the result's spatial dimensions that the input's
// elements are spread over: `Window::input` is the result's side and
// `Window::output` the input's.
def Brisk_ConvTransposeOp : Brisk_InferredOp<"conv_transpose", [
    DeclareOpInterfaceMethods<Brisk_WindowOpInterface>,
    DeclareOpInterfaceMethods<Brisk_WeightedOpInterface, ["getChannelOf", "getInputChannelOf"]>
  ], "uint64_t countFlops();"> {
  let summary = "transposed convolution, channels-last";
  let description = [{
    ONNX `ConvTranspose` on channels-last tensors: `input` is N x spatial x C,
    `filter` is window x C x O/group, the result is N x spatial x O. Every input
    element is multiplied with the filter and added to the result at its place
    times the stride. A spatial dimension of the result is
    `stride * (input - 1) + output_padding + dilation * (window - 1) + 1 - pads`,
    or `output_shape` where that is given, to which the pads then adapt. With
    `auto_pad = same_*` it is `stride * input`.

    ```mlir
    %0 = brisk.conv_transpose %x, %w {strides = array<i64: 2, 2>}
        : (tensor<1x4x4x8xf32>, tensor<2x2x8x6xf32>) -> tensor<1x8x8x6xf32>
    ```
  }];
  let arguments = (ins Brisk_NumberTensor:$input, Brisk_NumberTensor:$filter,
                       Optional<Brisk_NumberTensor>:$bias,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$strides,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$pads,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$dilations,
                       DefaultValuedAttr<I64Attr, "1">:$group,
                       DefaultValuedAttr<Brisk_AutoPadAttr, "::brisk::AutoPad::Notset">:$auto_pad,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$output_padding,
                       OptionalAttr<DenseI64ArrayAttr>:$output_shape);
  let results = (outs Brisk_NumberTensor:$result);
}

def Brisk_MatmulOp : Brisk_InferredOp<"matmul", [
    DeclareOpInterfaceMethods<Brisk_WeightedOpInterface, ["countGroups", "getInputChannelOf"]>
  ], "bool takesBias() { return false; }", Brisk_InferProductTypes> {
  let summary = "matrix product";
  let description = [{
    As NumPy's `matmul`: the product of the last two dimensions, the leading ones
    broadcast against each other. A one-dimensional `lhs` is a row and a
    one-dimensional `rhs` a column, whose dimension is left out of the result.
    Products of 8-bit integers, which may be of different signs, are summed up in
    i32. Those of 16-bit floats are summed up in f32, of which the result may be,
    as it is where either operand is, and where `lhs` is of f32 and `rhs` of
    integers of 8 or 16 bits.

    ```mlir
    %0 = brisk.matmul %a, %b : (tensor<8x2x3xf32>, tensor<3x4xf32>) -> tensor<8x2x4xf32>
    ```
  }];
  let arguments = (ins Brisk_NumberTensor:$lhs, Brisk_NumberTensor:$rhs);
  let results = (outs Brisk_NumberTensor:$result);
  let flops = "2 * countResults() * getLhs().getType().getShape().back()";
  let readsColumns = 1;
}

def Brisk_MatmulNBitsOp : Brisk_InferredOp<"matmul_nbits", [], [{
    /// Weights that a byte holds.
    int64_t getWeightsPerByte() { return 8 / getBits(); }
  }]> {
  let summary = "matrix product with weights of few bits";
  let description = [{
    The product of the rows of `lhs` by a matrix of as many rows as `lhs` has columns,
    whose elements are `(weight - zero_point) * scale`, summed up in f32.

    Weights are integers of `bits` bits: 2, 4 or 8, signed or not as the type of `weights`
    is. Of fewer than 8 bits, a byte holds those of a column's next rows, the first
    in its lowest bits; what is left over in the last byte means nothing. `block`
    rows of a column share a scale and a zero point, the last ones of which may be
    fewer; a block begins with a byte. Without `zero_point` it is 0.

    Kernels read weights as they are and make floats of them in registers.

    ```mlir
    %0 = brisk.matmul_nbits %x, %w scale %s {bits = 4, block = 32}
        : (tensor<1x96xf32>, tensor<48x10xi8>, tensor<3x10xf32>) -> tensor<1x10xf32>
    ```
  }];
  let arguments = (ins Brisk_TensorOf<[F32]>:$lhs, Brisk_TensorOf<[I8, UI8]>:$weights,
                       Brisk_TensorOf<[F32]>:$scale,
                       Optional<Brisk_TensorOf<[I8, UI8]>>:$zero_point,
                       I64Attr:$bits, I64Attr:$block);
  let results = (outs Brisk_TensorOf<[F32]>:$result);
  let flops = "2 * countResults() * getLhs().getType().getShape().back()";
  let readsColumns = 1;
  let assemblyFormat = [{
    $lhs `,` $weights `scale` $scale (`zero` $zero_point^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Brisk_EinsumOp : Brisk_InferredOp<"einsum", [SameOperandsElementType]> {
  let summary = "sum of products by Einstein's notation";
  let description = [{
    `equation` names the dimensions of every input by letters and, after `->`,
    those of the result; dimensions of one letter are walked together, and those
    that the result lacks are summed over. `...` stands for leading dimensions,
    which broadcast. Without `->` the result has, after `...`, the letters that
    occur once, in alphabetical order.

    ```mlir
    %0 = brisk.einsum %a, %b {equation = "bij,bjk->bik"} : (tensor<8x2x3xf32>, tensor<8x3x4xf32>) -> tensor<8x2x4xf32>
    ```
  }];
  let arguments = (ins Variadic<Brisk_NumberTensor>:$inputs, StrAttr:$equation);
  let results = (outs Brisk_NumberTensor:$result);
}

#endif // BRISK_DIALECT_CONTRACTIONOPS_TD
