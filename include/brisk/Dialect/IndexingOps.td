//===- IndexingOps.td - Gather, scatter, sort, resize ------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_INDEXINGOPS_TD
#define BRISK_DIALECT_INDEXINGOPS_TD

include "brisk/Dialect/BriskBase.td"
include "brisk/Dialect/BriskEnums.td"

def Brisk_GatherOp : Brisk_InferredOp<"gather", [Brisk_AxisOpInterface]> {
  let summary = "slices along an axis, by index";
  let description = [{
    The result has the indices' shape in place of dimension `axis` of `data`.
    Negative indices count from the back; those out of range give the nearest
    slice.

    ```mlir
    %0 = brisk.gather %x, %i {axis = 1} : (tensor<2x8x4xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$data, Brisk_IndexTensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$axis);
  let hasFolder = 1;
}

def Brisk_GatherElementsOp : Brisk_InferredOp<"gather_elements", [Brisk_AxisOpInterface]> {
  let summary = "elements along an axis, each by its own index";
  let description = [{
    `result[i][j][k] = data[i][indices[i][j][k]][k]` for `axis` 1. Indices as
    in `gather`.

    ```mlir
    %0 = brisk.gather_elements %x, %i {axis = 1} : (tensor<2x8xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$data, Brisk_IndexTensor:$indices,
                       DefaultValuedAttr<I64Attr, "0">:$axis);
  let hasFolder = 1;
}

def Brisk_GatherNdOp : Brisk_InferredOp<"gather_nd"> {
  let summary = "slices by index tuples";
  let description = [{
    The last dimension of `indices` holds tuples that index `data` from
    dimension `batch_dims` on; the leading `batch_dims` dimensions of the two
    are walked together. Indices as in `gather`.

    ```mlir
    %0 = brisk.gather_nd %x, %i : (tensor<2x8x4xf32>, tensor<5x2xi64>) -> tensor<5x4xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$data, Brisk_IndexTensor:$indices,
                       ConfinedAttr<DefaultValuedAttr<I64Attr, "0">, [IntNonNegative]>:$batch_dims);
}

def Brisk_ScatterElementsOp : Brisk_InferredOp<"scatter_elements", [Brisk_AxisOpInterface]> {
  let summary = "a tensor with elements replaced along an axis, each by its own index";
  let description = [{
    `result = data`, then `result[i][indices[i][j][k]][k] = updates[i][j][k]`
    for `axis` 1, or combined with what is there by `reduction`. Negative
    indices count from the back; updates whose index is out of range are left out. Without a
    reduction the last of several updates to one place stays.

    ```mlir
    %0 = brisk.scatter_elements %x, %i, %u {axis = 1, reduction = #brisk<scatter_reduction add>}
        : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>) -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$data, Brisk_IndexTensor:$indices, Brisk_Tensor:$updates,
      DefaultValuedAttr<I64Attr, "0">:$axis,
      DefaultValuedAttr<Brisk_ScatterReductionAttr, "::brisk::ScatterReduction::None">:$reduction);
}

def Brisk_ScatterNdOp : Brisk_InferredOp<"scatter_nd"> {
  let summary = "a tensor with slices replaced, by index tuples";
  let description = [{
    `result = data`, then for each tuple in the last dimension of `indices`, the
    slice of the result that it names becomes the slice of `updates` at the
    tuple's place, or is combined with it by `reduction`. Indices as in
    `scatter_elements`.

    ```mlir
    %0 = brisk.scatter_nd %x, %i, %u : (tensor<8x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$data, Brisk_IndexTensor:$indices, Brisk_Tensor:$updates,
      DefaultValuedAttr<Brisk_ScatterReductionAttr, "::brisk::ScatterReduction::None">:$reduction);
}

def Brisk_TopKOp : Brisk_InferredOp<"top_k", [Brisk_AxisOpInterface]> {
  let summary = "the k largest or smallest elements along an axis";
  let description = [{
    The results hold the elements in order (descending if `largest`) and their
    places along `axis`; of equal elements the one at the lower place comes
    first. `sorted = false` allows any order.

    ```mlir
    %v, %i = brisk.top_k %x, %k {axis = -1} : (tensor<2x10xf32>, tensor<1xi64>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
    ```
  }];
  let arguments = (ins Brisk_NumberTensor:$input, Brisk_Parameter<Brisk_ShapeTensor>:$k,
                       DefaultValuedAttr<I64Attr, "-1">:$axis,
                       DefaultValuedAttr<BoolAttr, "true">:$largest,
                       DefaultValuedAttr<BoolAttr, "true">:$sorted);
  let results = (outs Brisk_NumberTensor:$values, Brisk_ShapeTensor:$indices);
}

def Brisk_CompactOp : Brisk_InferredOp<"compact"> {
  let summary = "the elements along the last axis that are to be kept";
  let description = [{
    Of each row of `input`, the elements for which `keep` is true, side by side in
    their order, with zeros behind them; and how many they are.

    ```mlir
    %v, %n = brisk.compact %x, %keep : (tensor<2x80xi64>, tensor<2x80xi1>) -> (tensor<2x80xi64>, tensor<2xi64>)
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_BoolTensor:$keep);
  let results = (outs Brisk_Tensor:$values, Brisk_ShapeTensor:$count);
}

def Brisk_NonMaxSuppressionOp : Brisk_InferredOp<"non_max_suppression"> {
  let summary = "the best of boxes that overlap";
  let description = [{
    Takes boxes in the order of their scores, the highest first and of equal ones
    that at the lower place, and leaves out those that overlap one that was taken
    before: whose intersection over union with it is larger than `iou_threshold`. Where
    `classes` are given, only boxes of one class leave each other out. Boxes whose
    score is not larger than `score_threshold`, or NaN, are not taken at all.

    `boxes` are two opposite corners each, `x1, y1, x2, y2` or `y1, x1, y2, x2`. The
    results are the places of the boxes taken, at most `max`, with -1 behind them, and
    how many they are. Dimensions in front of the boxes are walked together.

    ```mlir
    %i, %n = brisk.non_max_suppression %boxes, %scores, %classes {max = 100, iou_threshold = 4.5e-01 : f32, score_threshold = 2.5e-01 : f32}
        : (tensor<2100x4xf32>, tensor<2100xf32>, tensor<2100xi64>) -> (tensor<100xi64>, tensor<i64>)
    ```
  }];
  let arguments = (ins Brisk_FloatTensor:$boxes, Brisk_FloatTensor:$scores,
                       Optional<Brisk_IndexTensor>:$classes,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$max,
                       F32Attr:$iou_threshold, F32Attr:$score_threshold);
  let results = (outs Brisk_ShapeTensor:$indices, Brisk_ShapeTensor:$count);
  let flops = "16 * countInputs()";
}

def Brisk_OneHotOp : Brisk_InferredOp<"one_hot"> {
  let summary = "one value at an index, another elsewhere";
  let description = [{
    Inserts a dimension of `depth` at `axis` (negative: from the back of the
    result), along which the element at the index is `values[1]` and all others
    are `values[0]`. Negative indices count from the back; an index out of
    range gives none.

    ```mlir
    %0 = brisk.one_hot %i, %depth, %values {axis = -1} : (tensor<4xi64>, tensor<i64>, tensor<2xf32>) -> tensor<4x10xf32>
    ```
  }];
  let arguments = (ins Brisk_NumberTensor:$indices, Brisk_Parameter<Brisk_NumberTensor>:$depth,
                       Brisk_Tensor:$values, DefaultValuedAttr<I64Attr, "-1">:$axis);
}

def Brisk_TriluOp : Brisk_InferredOp<"trilu"> {
  let summary = "the upper or lower triangle of matrices";
  let description = [{
    Of the last two dimensions keeps what is on or above (`upper`) or on or
    below (without) diagonal `k`, and makes the rest zero. Diagonal 0, the
    default, is the main one, 1 the next above.

    ```mlir
    %0 = brisk.trilu %x, %k {upper} : (tensor<2x4x4xf32>, tensor<i64>) -> tensor<2x4x4xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_Parameter<Optional<Brisk_ShapeTensor>>:$k,
                       UnitAttr:$upper);
}

def Brisk_ReverseSequenceOp : Brisk_InferredOp<"reverse_sequence"> {
  let summary = "sequences of several lengths, reversed";
  let description = [{
    For each place b along `batch_axis`, reverses the first `lens[b]` slices
    along `time_axis` and keeps the others.

    ```mlir
    %0 = brisk.reverse_sequence %x, %lens {batch_axis = 1, time_axis = 0} : (tensor<4x2xf32>, tensor<2xi64>) -> tensor<4x2xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_ShapeTensor:$lens,
      ConfinedAttr<DefaultValuedAttr<I64Attr, "1">, [IntMinValue<0>, IntMaxValue<1>]>:$batch_axis,
      ConfinedAttr<DefaultValuedAttr<I64Attr, "0">, [IntMinValue<0>, IntMaxValue<1>]>:$time_axis);
  let hasVerifier = 1;
}

def Brisk_ResizeOp : Brisk_InferredOp<"resize", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<Brisk_PermutableOpInterface, ["permute"]>], [{
    /// For every dimension of the input how it is sampled; nullopt while the
    /// parameters or the input's shape are unknown.
    ::std::optional<::llvm::SmallVector<::brisk::ResizeAxis>> getResizedAxes();
    ::llvm::SmallVector<int64_t> getKeptDims(unsigned number);
  }]> {
  let summary = "interpolation to another size";
  let description = [{
    ONNX `Resize`, in its newest meaning, along any dimensions: one of `scales`
    and `sizes` gives the result's size for each of `axes` (all, by default); a
    size from a scale is rounded down. `roi`, starts then ends, is used with
    `tf_crop_and_resize` only, in which places outside the input give
    `extrapolation_value`. `antialias` widens the filter when shrinking.
    `keep_aspect_ratio_policy` takes `sizes` as a box to fit into or to cover.
    `exclude_outside` leaves taps beyond the input out of the weights.

    ```mlir
    %0 = brisk.resize %x scales %s {mode = #brisk<resize_mode linear>} : (tensor<1x4x4x3xf32>, tensor<4xf32>) -> tensor<1x8x8x3xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_Parameter<Optional<Brisk_FloatTensor>>:$roi,
      Brisk_Parameter<Optional<Brisk_FloatTensor>>:$scales,
      Brisk_Parameter<Optional<Brisk_ShapeTensor>>:$sizes,
      DefaultValuedAttr<Brisk_ResizeModeAttr, "::brisk::ResizeMode::Nearest">:$mode,
      DefaultValuedAttr<Brisk_CoordinateModeAttr, "::brisk::CoordinateMode::HalfPixel">:$coordinate_transformation_mode,
      DefaultValuedAttr<Brisk_NearestModeAttr, "::brisk::NearestMode::RoundPreferFloor">:$nearest_mode,
      DefaultValuedAttr<F32Attr, "-0.75f">:$cubic_coeff_a,
      UnitAttr:$exclude_outside,
      DefaultValuedAttr<F32Attr, "0.0f">:$extrapolation_value,
      UnitAttr:$antialias,
      DefaultValuedAttr<Brisk_AspectRatioPolicyAttr, "::brisk::AspectRatioPolicy::Stretch">:$keep_aspect_ratio_policy,
      OptionalAttr<DenseI64ArrayAttr>:$axes);
  let choosesElements = "getMode() == ResizeMode::Nearest && "
      "getCoordinateTransformationMode() != CoordinateMode::TfCropAndResize";
  let flops = "getMode() == ResizeMode::Nearest ? 0 : 6 * countResults()";
  let hasKnownParameters = "getResizedAxes().has_value()";
  let scaling = "number == 0 && getCoordinateTransformationMode() != CoordinateMode::TfCropAndResize"
      " ? ::brisk::Scaling::Together : ::brisk::Scaling::None";
  let assemblyFormat = [{
    $input (`roi` $roi^)? (`scales` $scales^)? (`sizes` $sizes^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Brisk_GridSampleOp : Brisk_InferredOp<"grid_sample"> {
  let summary = "interpolation at places that the data names";
  let description = [{
    `input` is N x spatial x C and `grid` N x places x D, as many dimensions of
    places as there are spatial ones, D. For each place it holds the coordinates
    in the input, those of the innermost dimension first: from -1 to 1, which
    are the centres of the first and the last element with `align_corners`, else
    their outer edges. The result is N x places x C.

    `mode` as in `resize` (`cubic` with the coefficient -0.75; `nearest` takes
    the even one of two); only floats are interpolated. What lies outside is 0,
    the nearest element or, mirrored at where -1 and 1 are, one inside.
    Coordinates that are NaN lie outside.

    ```mlir
    %0 = brisk.grid_sample %x, %grid {padding = #brisk<grid_padding border>}
        : (tensor<1x8x8x3xf32>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x3xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_FloatTensor:$grid,
      DefaultValuedAttr<Brisk_ResizeModeAttr, "::brisk::ResizeMode::Linear">:$mode,
      DefaultValuedAttr<Brisk_GridPaddingAttr, "::brisk::GridPadding::Zeros">:$padding,
      UnitAttr:$align_corners);
  let flops = "getMode() == ResizeMode::Nearest ? 0 : 8 * countResults()";
}

#endif // BRISK_DIALECT_INDEXINGOPS_TD
