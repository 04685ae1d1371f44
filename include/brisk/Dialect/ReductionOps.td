//===- ReductionOps.td - Reductions along axes -------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_REDUCTIONOPS_TD
#define BRISK_DIALECT_REDUCTIONOPS_TD

include "brisk/Dialect/BriskBase.td"
include "brisk/Dialect/BriskEnums.td"

def Brisk_ReduceOp : Brisk_InferredOp<"reduce", [
    DeclareOpInterfaceMethods<Brisk_PermutableOpInterface, ["getDimSpace", "permute"]>], [{
    /// The axes reduced, counted from the front and ascending; nullopt while
    /// they or the input's rank are unknown.
    ::std::optional<::llvm::SmallVector<int64_t>> getReducedAxes();
    ::llvm::SmallVector<int64_t> getKeptDims(unsigned number);
  }]> {
  let summary = "sum, mean, max, min or product along axes";
  let description = [{
    Reduces along `axes`, or along all if there are none; with
    `noop_with_empty_axes` no axes leave the input as it is. Axes may be
    negative, which counts from the back. With `keepdims` the axes stay with
    dimension 1, without they are dropped. A NaN makes a max or min NaN. Nothing
    reduced is 0 for a sum, 1 for a product, the type's least or greatest value
    (for floats infinite) for a max or min, and NaN for a mean of floats. Integer sums and
    products wrap around, integer means truncate.

    ```mlir
    %0 = brisk.reduce mean %x, %axes {keepdims} : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x1x4xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_Parameter<Optional<Brisk_IndexTensor>>:$axes,
                       Brisk_ReduceKindAttr:$kind, UnitAttr:$keepdims,
                       UnitAttr:$noop_with_empty_axes);
  let flops = "countInputs()";
  let hasKnownParameters = "getReducedAxes().has_value()";
  let scaling = "number == 0 && getKind() != ReduceKind::Prod ? ::brisk::Scaling::Together"
      " : ::brisk::Scaling::None";
  let fusesProducers = 1;
  let hasFolder = 1;
  let assemblyFormat = "$kind operands attr-dict `:` functional-type(operands, results)";
}

def Brisk_ArgReduceOp : Brisk_InferredOp<"arg_reduce", [
    Brisk_AxisOpInterface, DeclareOpInterfaceMethods<Brisk_PermutableOpInterface, ["getDimSpace"]>
  ], "::std::optional<int64_t> getInnermostDim() { return getNormalizedAxis(); }"> {
  let summary = "the place of the largest or smallest element along an axis";
  let description = [{
    The first place that holds the extreme or, with `select_last_index`, the
    last. With `keepdims` the axis stays with dimension 1.

    ```mlir
    %0 = brisk.arg_reduce max %x {axis = -1} : (tensor<2x3xf32>) -> tensor<2xi64>
    ```
  }];
  let arguments = (ins Brisk_NumberTensor:$input, Brisk_ArgReduceKindAttr:$kind,
                       DefaultValuedAttr<I64Attr, "0">:$axis, UnitAttr:$keepdims,
                       UnitAttr:$select_last_index);
  let results = (outs Brisk_ShapeTensor:$result);
  let flops = "countInputs()";
  let hasFolder = 1;
  let assemblyFormat = "$kind operands attr-dict `:` functional-type(operands, results)";
}

def Brisk_CumsumOp : Brisk_InferredOp<"cumsum", [], [{
    /// The axis counted from the front; nullopt while it is unknown.
    ::std::optional<int64_t> getNormalizedAxis();
  }]> {
  let summary = "running sum along an axis";
  let description = [{
    Each element is the sum of the input's up to and with its place along
    `axis`; `exclusive` leaves its own out, `reverse` sums from the end.

    ```mlir
    %0 = brisk.cumsum %x, %axis {exclusive} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Brisk_NumberTensor:$input, Brisk_Parameter<Brisk_IndexTensor>:$axis,
                       UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs Brisk_NumberTensor:$result);
  let flops = "countInputs()";
  let hasKnownParameters = "getNormalizedAxis().has_value()";
  let hasFolder = 1;
}

def Brisk_SoftmaxOp : Brisk_InferredOp<"softmax", [
    Brisk_AxisOpInterface, Brisk_PermutableOpInterface],
    "::std::optional<int64_t> getInnermostDim() { return getNormalizedAxis(); }"> {
  let summary = "softmax or its logarithm along an axis";
  let description = [{
    `exp(x - m) / sum(exp(x - m))`, m the largest element along `axis`; with
    `log` its natural logarithm, `x - m - log(sum(exp(x - m)))`.

    ```mlir
    %0 = brisk.softmax %x {axis = -1} : (tensor<2x10xf32>) -> tensor<2x10xf32>
    ```
  }];
  let arguments = (ins Brisk_FloatTensor:$input,
                       DefaultValuedAttr<I64Attr, "-1">:$axis, UnitAttr:$log);
  let results = (outs Brisk_FloatTensor:$result);
  let keptDims = "::brisk::keepDims(*this, number, "
      "[&](int64_t dim) { return dim == getNormalizedAxis(); })";
  let flops = "24 * countInputs()";
  let fusesProducers = 1;
}

#endif // BRISK_DIALECT_REDUCTIONOPS_TD
