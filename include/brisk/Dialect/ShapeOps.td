//===- ShapeOps.td - Ops that move elements ----------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_SHAPEOPS_TD
#define BRISK_DIALECT_SHAPEOPS_TD

include "brisk/Dialect/BriskEnums.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

//===----------------------------------------------------------------------===//
// Shapes as values
//===----------------------------------------------------------------------===//

def Brisk_ShapeOp : Brisk_InferredOp<"shape"> {
  let summary = "the dimensions of a tensor";
  let description = [{
    The dimensions from `start` up to but not `end`, both of which may count from
    the back and are clamped to the rank.

    ```mlir
    %0 = brisk.shape %x {start = 1 : i64} : (tensor<2x3x?xf32>) -> tensor<2xi64>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, DefaultValuedAttr<I64Attr, "0">:$start,
                       OptionalAttr<I64Attr>:$end);
  let results = (outs Brisk_ShapeTensor:$result);
  let hasFolder = 1;
}

def Brisk_SizeOp : Brisk_InferredOp<"size"> {
  let summary = "the number of a tensor's elements";
  let description = [{
    ```mlir
    %0 = brisk.size %x : (tensor<2x?xf32>) -> tensor<i64>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input);
  let results = (outs Brisk_ShapeTensor:$result);
  let hasFolder = 1;
}

def Brisk_RangeOp : Brisk_InferredOp<"range", [SameOperandsElementType]> {
  let summary = "numbers in even steps";
  let description = [{
    `start`, `start + delta`, … up to but not `limit`: `max(ceil((limit - start)
    / delta), 0)` elements.

    ```mlir
    %0 = brisk.range %start, %limit, %delta
        : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
    ```
  }];
  let arguments = (ins Brisk_Parameter<Brisk_NumberTensor>:$start,
                       Brisk_Parameter<Brisk_NumberTensor>:$limit,
                       Brisk_Parameter<Brisk_NumberTensor>:$delta);
  let results = (outs Brisk_NumberTensor:$result);
  let hasFolder = 1;
}

def Brisk_FillOp : Brisk_InferredOp<"fill"> {
  let summary = "one value in every element";
  let description = [{
    ONNX `ConstantOfShape`: a tensor of the shape given, all of whose elements
    are the one of `value`.

    ```mlir
    %0 = brisk.fill %shape {value = dense<1.0> : tensor<f32>} : (tensor<2xi64>) -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Brisk_Parameter<Brisk_IndexTensor>:$shape, ElementsAttr:$value);
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// The same elements in another shape
//===----------------------------------------------------------------------===//

class Brisk_ReshapeLikeOp<string mnemonic, list<Trait> traits = [], string methods = "">
    : Brisk_InferredOp<mnemonic, traits, methods # [{
    ::std::optional<::brisk::View> getView() {
      return ::brisk::View{::brisk::View::Reshape, {}, {}};
    }
  }]> {
  let choosesElements = "true";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDefinition = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      return ::brisk::foldReshape(getOperation(), adaptor.getInput());
    }
    ::llvm::LogicalResult $cppClass::canonicalize(
        $cppClass op, ::mlir::PatternRewriter &rewriter) {
      return ::brisk::canonicalizeReshape(op, rewriter);
    }
  }];
}

def Brisk_ReshapeOp : Brisk_ReshapeLikeOp<"reshape", [
    DeclareOpInterfaceMethods<Brisk_PermutableOpInterface, ["getDimSpace", "permute"]>
  ], [{
    bool readsColumns();
    /// The smallest groups of dimensions that hold the same elements, in order;
    /// none if a dimension is empty. Both shapes are static.
    ::std::optional<::llvm::SmallVector<::brisk::DimGroup>> getDimGroups();
  }]> {
  let summary = "the same elements in another shape";
  let description = [{
    The elements keep their row-major order. In `shape`, one dimension may be -1:
    what is left for it; and 0 stands for the input's dimension at the same place
    or, with `allowzero`, for 0.

    ```mlir
    %0 = brisk.reshape %x, %shape : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x12xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_Parameter<Brisk_IndexTensor>:$shape,
                       UnitAttr:$allowzero);
}

def Brisk_SqueezeOp : Brisk_ReshapeLikeOp<"squeeze"> {
  let summary = "dimensions of 1 removed";
  let description = [{
    Those that `axes` names, or without it all of them. Negative axes count from
    the back.

    ```mlir
    %0 = brisk.squeeze %x, %axes : (tensor<2x1x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_Parameter<Optional<Brisk_IndexTensor>>:$axes);
}

def Brisk_UnsqueezeOp : Brisk_ReshapeLikeOp<"unsqueeze"> {
  let summary = "dimensions of 1 inserted";
  let description = [{
    `axes` are the result's dimensions that are new. Negative axes count from the
    back of the result's.

    ```mlir
    %0 = brisk.unsqueeze %x, %axes : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x1x3xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_Parameter<Brisk_IndexTensor>:$axes);
}

def Brisk_FlattenOp : Brisk_ReshapeLikeOp<"flatten"> {
  let summary = "a matrix of the same elements";
  let description = [{
    The dimensions before `axis` become the rows, the others the columns. A
    negative axis counts from the back.

    ```mlir
    %0 = brisk.flatten %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, DefaultValuedAttr<I64Attr, "1">:$axis);
}

//===----------------------------------------------------------------------===//
// Elements moved and repeated
//===----------------------------------------------------------------------===//

def Brisk_ExpandOp : Brisk_InferredOp<"expand", [
    DeclareOpInterfaceMethods<Brisk_PermutableOpInterface, ["permute"]>]> {
  let choosesElements = "true";
  let summary = "broadcast to a shape";
  let description = [{
    The input and `shape` are broadcast against each other: where `shape` has 1,
    the input's dimension stays.

    ```mlir
    %0 = brisk.expand %x, %shape : (tensor<3x1xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_Parameter<Brisk_IndexTensor>:$shape);
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Brisk_TransposeOp : Brisk_InferredOp<"transpose", [],
    "::llvm::SmallVector<int64_t> getKeptDims(unsigned number);"> {
  let choosesElements = "true";
  let summary = "dimensions in another order";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the input.

    ```mlir
    %0 = brisk.transpose %x {permutation = array<i64: 0, 2, 1>}
        : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let readsColumns = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Brisk_ConcatOp : Brisk_InferredOp<"concat", [
    SameOperandsElementType, Brisk_PermutableOpInterface,
    DeclareOpInterfaceMethods<Brisk_AxisOpInterface, ["getNormalizedAxis"]>],
    "::std::optional<::brisk::View> getView();"> {
  let choosesElements = "true";
  let summary = "tensors one after the other";
  let description = [{
    The inputs agree in every dimension but `axis`. A negative axis counts from
    the back.

    ```mlir
    %0 = brisk.concat %a, %b {axis = 1 : i64}
        : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
    ```
  }];
  let arguments = (ins Variadic<Brisk_Tensor>:$inputs, I64Attr:$axis);
  let readsColumns = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Brisk_SplitOp : Brisk_InferredOp<"split", [Brisk_AxisOpInterface]> {
  let summary = "a tensor cut along one axis";
  let description = [{
    Into parts of the `sizes` given or, without them, into `num_outputs` equal
    ones, of which the last may be smaller.

    ```mlir
    %0:2 = brisk.split %x {axis = 1 : i64, num_outputs = 2 : i64}
        : (tensor<2x7xf32>) -> (tensor<2x4xf32>, tensor<2x3xf32>)
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_Parameter<Optional<Brisk_IndexTensor>>:$sizes,
                       DefaultValuedAttr<I64Attr, "0">:$axis,
                       ConfinedAttr<I64Attr, [IntPositive]>:$num_outputs);
  let results = (outs Variadic<Brisk_Tensor>:$results);
  let hasCanonicalizeMethod = 1;
}

def Brisk_SliceOp : Brisk_InferredOp<"slice", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<Brisk_PermutableOpInterface, ["permute"]>], [{
    /// The slice of every dimension; nullopt if parameters or dimensions that
    /// they refer to are not known, or wrong.
    ::std::optional<::llvm::SmallVector<::brisk::SliceRange>> getSlices();
    ::std::optional<::brisk::View> getView();
  }]> {
  let choosesElements = "true";
  let summary = "a part of a tensor";
  let description = [{
    From `starts` up to but not `ends` in strides of `steps` (1 if not given),
    along `axes` (the first ones if not given). Negative positions count from the
    back; they are clamped to what the dimension has. A negative step runs
    backwards.

    ```mlir
    %0 = brisk.slice %x, %starts, %ends axes %axes steps %steps
        : (tensor<8x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_Parameter<Brisk_IndexTensor>:$starts,
                       Brisk_Parameter<Brisk_IndexTensor>:$ends,
                       Brisk_Parameter<Optional<Brisk_IndexTensor>>:$axes,
                       Brisk_Parameter<Optional<Brisk_IndexTensor>>:$steps);
  let hasKnownParameters = "getSlices().has_value()";
  let readsColumns = 1;
  let hasFolder = 1;
  let assemblyFormat = [{
    $input `,` $starts `,` $ends (`axes` $axes^)? (`steps` $steps^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Brisk_PadOp : Brisk_InferredOp<"pad", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<Brisk_PermutableOpInterface, ["permute"]>], [{
    /// The elements added before and after every dimension, negative where
    /// some are removed; nullopt if they are not known.
    ::std::optional<::llvm::SmallVector<::std::pair<int64_t, int64_t>>> getPadding();
    ::brisk::Scaling getScaling(unsigned number);
    ::std::optional<::brisk::View> getView();
  }]> {
  let summary = "a tensor with a margin";
  let description = [{
    `pads` are the elements to add before each of `axes` (all, if not given),
    then those to add after each; negative ones remove elements first, so that
    the margin is made of what they leave. The margin is
    `value` (zero if not given) in mode `constant`; the tensor mirrored at its
    edge element in mode `reflect`, the edge element itself in mode `edge`, and
    the tensor repeated in mode `wrap`.

    ```mlir
    %0 = brisk.pad constant %x, %pads value %v
        : (tensor<2x3xf32>, tensor<4xi64>, tensor<f32>) -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_Parameter<Brisk_IndexTensor>:$pads,
                       Brisk_Parameter<Optional<Brisk_Tensor>>:$value,
                       Brisk_Parameter<Optional<Brisk_IndexTensor>>:$axes,
                       DefaultValuedAttr<Brisk_PadModeAttr, "::brisk::PadMode::Constant">:$mode);
  let hasKnownParameters = "getPadding().has_value()";
  let hasFolder = 1;
  let hasVerifier = 1;
  let assemblyFormat = [{
    $mode $input `,` $pads (`value` $value^)? (`axes` $axes^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Brisk_TileOp : Brisk_InferredOp<"tile", [
    DeclareOpInterfaceMethods<Brisk_PermutableOpInterface, ["permute"]>]> {
  let choosesElements = "true";
  let summary = "a tensor repeated";
  let description = [{
    `repeats` says how often along each dimension.

    ```mlir
    %0 = brisk.tile %x, %repeats : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, Brisk_Parameter<Brisk_IndexTensor>:$repeats);
  let hasFolder = 1;
}

def Brisk_DepthToSpaceOp : Brisk_InferredOp<"depth_to_space"> {
  let choosesElements = "true";
  let summary = "channels spread over blocks of pixels";
  let description = [{
    On channels-last tensors `N x H x W x C`: each pixel becomes a block of
    `blocksize x blocksize` pixels of `C / blocksize^2` channels. The channels
    are (block row, block column, depth) in mode `dcr` and (depth, block row,
    block column) in mode `crd`.

    ```mlir
    %0 = brisk.depth_to_space dcr %x {blocksize = 2 : i64}
        : (tensor<1x4x4x8xf32>) -> tensor<1x8x8x2xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, ConfinedAttr<I64Attr, [IntPositive]>:$blocksize,
      DefaultValuedAttr<Brisk_DepthToSpaceModeAttr,
                        "::brisk::DepthToSpaceMode::DCR">:$mode);
  let hasCanonicalizeMethod = 1;
  let assemblyFormat = "$mode operands attr-dict `:` functional-type(operands, results)";
}

def Brisk_SpaceToDepthOp : Brisk_InferredOp<"space_to_depth"> {
  let choosesElements = "true";
  let summary = "blocks of pixels gathered into channels";
  let description = [{
    On channels-last tensors `N x H x W x C`: each block of `blocksize x
    blocksize` pixels becomes one whose channels are (block row, block column,
    depth).

    ```mlir
    %0 = brisk.space_to_depth %x {blocksize = 2 : i64}
        : (tensor<1x8x8x2xf32>) -> tensor<1x4x4x8xf32>
    ```
  }];
  let arguments = (ins Brisk_Tensor:$input, ConfinedAttr<I64Attr, [IntPositive]>:$blocksize);
  let hasCanonicalizeMethod = 1;
}

#endif // BRISK_DIALECT_SHAPEOPS_TD
