//===- PoolOps.td - Pooling over sliding windows -----------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_POOLOPS_TD
#define BRISK_DIALECT_POOLOPS_TD

include "brisk/Dialect/BriskBase.td"
include "brisk/Dialect/BriskEnums.td"

defvar Brisk_poolCommon = (ins Brisk_NumberTensor:$input, DenseI64ArrayAttr:$kernel_shape,
                     DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$strides,
                     DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$pads,
                     DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$dilations,
                     UnitAttr:$ceil_mode,
                     DefaultValuedAttr<Brisk_AutoPadAttr, "::brisk::AutoPad::Notset">:$auto_pad);

class Brisk_PoolOp<string mnemonic>
    : Brisk_InferredOp<mnemonic, [DeclareOpInterfaceMethods<Brisk_WindowOpInterface>]> {
  let keptDims = "::brisk::keepOuterDims(*this, number)";
  let scaling = "::brisk::Scaling::Together";
  let flops = "countResults() * ::mlir::ShapedType::getNumElements(getKernelShape())";
}

def Brisk_MaxPoolOp : Brisk_PoolOp<"max_pool"> {
  let choosesElements = "true";
  let summary = "the largest element of each window, channels-last";
  let description = [{
    `input` is N x spatial x C, and so is the result. `kernel_shape`, `strides`,
    `dilations` and `pads` (all begins, then all ends) list the spatial
    dimensions; empty lists are ones, or zeros for `pads`. Padding is never the
    largest. With `ceil_mode` windows may reach beyond the end, but none starts
    in the padding there. `auto_pad` other than `notset` overrides `pads`.

    ```mlir
    %0 = brisk.max_pool %x {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
    ```
  }];
  let arguments = Brisk_poolCommon;
  let results = (outs Brisk_NumberTensor:$result);
}

def Brisk_AveragePoolOp : Brisk_PoolOp<"average_pool"> {
  let summary = "the mean of each window, channels-last";
  let description = [{
    Windows as in `max_pool`. The mean is over the window's elements within the
    input or, with `count_include_pad`, within the padded input, where padding is
    zero; never over what `ceil_mode` adds beyond the padding.

    ```mlir
    %0 = brisk.average_pool %x {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
    ```
  }];
  let arguments = !con(Brisk_poolCommon, (ins UnitAttr:$count_include_pad));
  let results = (outs Brisk_NumberTensor:$result);
}

def Brisk_LpPoolOp : Brisk_PoolOp<"lp_pool"> {
  let summary = "the p-norm of each window, channels-last";
  let description = [{
    Windows as in `max_pool`; the result is the p-th root of the sum of the
    absolute values' p-th powers.

    ```mlir
    %0 = brisk.lp_pool %x {kernel_shape = array<i64: 2, 2>, p = 2} : (tensor<1x8x8x4xf32>) -> tensor<1x7x7x4xf32>
    ```
  }];
  let arguments = !con(Brisk_poolCommon, (ins DefaultValuedAttr<I64Attr, "2">:$p));
  let results = (outs Brisk_NumberTensor:$result);
}

def Brisk_MaxPoolWithIndicesOp : Brisk_PoolOp<"max_pool_with_indices"> {
  let summary = "the largest element of each window and its place, channels-last";
  let description = [{
    As `max_pool`. `indices` gives the place of each window's first largest
    element in the flattened channels-first tensor (N x C x spatial), as ONNX
    has it; with `storage_order` 1 the spatial dimensions are column-major.

    ```mlir
    %0, %1 = brisk.max_pool_with_indices %x {kernel_shape = array<i64: 2, 2>}
        : (tensor<1x8x8x4xf32>) -> (tensor<1x7x7x4xf32>, tensor<1x7x7x4xi64>)
    ```
  }];
  let arguments = !con(Brisk_poolCommon, (ins
    ConfinedAttr<DefaultValuedAttr<I64Attr, "0">, [IntMinValue<0>, IntMaxValue<1>]>:$storage_order));
  let results = (outs Brisk_NumberTensor:$result, Brisk_ShapeTensor:$indices);
}

#endif // BRISK_DIALECT_POOLOPS_TD
