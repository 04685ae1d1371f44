//===- Passes.td - Passes on the brisk dialect -------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TRANSFORMS_PASSES_TD
#define BRISK_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// shapes
//===----------------------------------------------------------------------===//

def FixShapes : Pass<"fix-shapes", "::mlir::ModuleOp"> {
  let summary = "give inputs and symbolic dimensions their values";
  let description = [{
    Sets the types of the model's inputs. `shapes` names inputs, `dims` the
    symbolic dimensions of `brisk.dims`; a value given to one symbolic dimension
    by either holds wherever its name stands. A value that contradicts the
    model's, and a name that the model does not have, are errors.
  }];
  let options = [
    ListOption<"shapes", "shapes", "std::string",
               "`NAME=1x3x224x224` or `NAME=scalar`, one for an input">,
    ListOption<"dims", "dims", "std::string",
               "`NAME=N`, one for a symbolic dimension">
  ];
}

def InferShapes : Pass<"infer-shapes", "::mlir::func::FuncOp"> {
  let summary = "propagate shapes until every type is static";
  let description = [{
    Folds and infers result types in program order until nothing changes. A type
    that stays dynamic is an error: at the inputs where one of them is dynamic,
    else at the first op whose result is.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

//===----------------------------------------------------------------------===//
// quantize
//===----------------------------------------------------------------------===//

def PropagateQuantization : Pass<"propagate-quantization", "::mlir::func::FuncOp"> {
  let summary = "move quantized values as integers";
  let description = [{
    `dequantize` moves behind ops that choose elements of values with one scale
    (transposes, slices, maxima of windows, concatenations…), and `quantize` before
    transposes, reshapes and concatenations: these ops work on the integers then, and
    the products that `integer-products` looks for have `dequantize` right before
    them. Where a `quantize` meets the `dequantize` that it undoes, both go. Rows that
    are read of quantized weights are integers, too. Behind
    sums and means its scale moves alone, and they are exact. Signed bytes that are
    only dequantized become unsigned, with a zero point that is 128 higher; on a
    target that only multiplies signed ones, unsigned bytes become signed. Nothing
    changes in a module without a target.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def IntegerProducts : Pass<"integer-products", "::mlir::func::FuncOp"> {
  let summary = "multiply quantized values as integers";
  let description = [{
    Convolutions and matrix products of dequantized values become such of the
    integers themselves, with sums in i32 that are dequantized: zero points and
    biases go into constants that sums begin with, and padding is the zero point. Of
    two values that are computed, as in attention, the zero points' shares are
    subtracted, which takes sums of rows and of columns.
    Which products are taken does not depend on the target, so that results do not;
    where it only multiplies bytes of the other signedness, the input is shifted.

    What has no integer products stays as it is; so does all in a module without a
    target.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def Requantize : Pass<"requantize", "::mlir::func::FuncOp"> {
  let summary = "scale sums of products once";
  let description = [{
    Sums that are dequantized and, within bounds at most, quantized again are scaled
    by the quotient of the two scales, which is rounded to f32 once. A bias that
    is added to what sums stand for is added to the sums, where it has their scales.
    Nothing changes in a module without a target.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def NBitsProducts : Pass<"nbits-products", "::mlir::func::FuncOp"> {
  let summary = "keep quantized weights of products of floats as they are";
  let description = [{
    Matrix products and convolutions of one pixel that `integer-products` left, with
    constant weights of 2, 4 or 8 bits, become `matmul_nbits`, whose kernels make
    floats of weights in registers. Weights have a scale for each column or for
    blocks of rows of it, and may be reshaped, transposed and cut in between.

    Other convolutions with a scale for each output channel, or for all, get a
    filter of the weights less their zero points, in the narrowest of `i8`, `ui8`
    and `i16`, and their sums are multiplied by the scales.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

//===----------------------------------------------------------------------===//
// graph
//===----------------------------------------------------------------------===//

def Decompose : Pass<"decompose", "::mlir::func::FuncOp"> {
  let summary = "take composite ops apart";
  let description = [{
    Puts the ops that compute the same in the place of ops that no kernel computes
    as a whole: `quantize`, `dequantize` and `attention` become arithmetic and
    products in f32 or i32. A stage that computes one of them in another way, or with
    another precision, comes before. In a module with a target `quantize` and
    `dequantize` stay, but for those of constants: they are next to integer arithmetic,
    and elementwise ops like others. A warning says what it costs where weights were
    not multiplied as integers.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def DropExpands : Pass<"drop-expands", "::mlir::func::FuncOp"> {
  let summary = "leave broadcasting to elementwise ops";
  let description = [{
    An elementwise op takes a tensor as it was before `brisk.expand` where the
    other operands give the shape. An op of which only the expanded operand is
    no number runs before the expansion.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def Recompose : Pass<"recompose", "::mlir::func::FuncOp"> {
  let summary = "put together what exporters took apart";
  let description = [{
    Layer and RMS normalization, softmax, GELU and SiLU from the arithmetic that
    they are exported as; squares from powers.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def HoistInputProducts : Pass<"hoist-input-products", "::mlir::func::FuncOp"> {
  let summary = "multiply recurrent layers' inputs by their weights beforehand";
  let description = [{
    What an `lstm`, `gru` or `rnn` computes from the input alone does not wait
    for the step before: the products of all steps with constant weights `w`
    become one matrix product, and the layer keeps those with its state.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def FoldScales : Pass<"fold-scales", "::mlir::func::FuncOp"> {
  let summary = "fold scales and offsets into weights";
  let description = [{
    Arithmetic with constants per output channel (or with numbers) after a
    convolution or a matrix product by a constant goes into the weights and the
    bias, also through transposes and reshapes: batch normalization first of
    all. Numbers that scale both operands of a product scale it once, and go on
    to weights before the operands where they can.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def RemoveDeadChannels : Pass<"remove-dead-channels", "::mlir::func::FuncOp"> {
  let summary = "remove channels that change nothing";
  let description = [{
    Channels that no layer multiplies by anything but zeros are removed from the
    values, the weights and the biases, through ops that are computed channel by
    channel (activations, depthwise convolutions, pools, sums of channels…), and
    only where all values that go together can lose them: a channel of a residual
    sum, if nothing reads it on any side. Channels that are constant, since their
    weights are zero, are added to the biases of the layers that read them before,
    where no padding lies between them. What is left of a dimension is never empty.

    Layers are convolutions and products of f32 or f64 with constant weights. The
    values that meet zeros are taken to be finite.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def MergeParallel : Pass<"merge-parallel", "::mlir::func::FuncOp"> {
  let summary = "merge matrix products of one operand";
  let description = [{
    Products of the same tensor with constant weights (queries, keys and values)
    become one with the weights side by side, of whose result each user takes
    its columns. Only where the columns are read in place.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def ChooseProductTypes : Pass<"choose-product-types", "::mlir::func::FuncOp"> {
  let summary = "choose the element types that products are computed from";
  let description = [{
    With `to`, convolutions and matrix products of f32 get operands of 16 bits:
    both, rounded once as far from the product as that is possible, where the target
    adds up products of that type in f32; else the weights. Constants that would
    overflow stay as they are. The results are f32, and so is all else.

    Without it, products of 16-bit floats that the target has no instruction for
    multiply f32 by weights of 16 bits, and round the sums.

    Nothing changes in a module without a target.
  }];
  let options = [
    Option<"to", "to", "::brisk::ProductType",
           /*default=*/"::brisk::ProductType::F32", "what to round operands to",
           [{::brisk::getProductTypes()}]>
  ];
  let dependentDialects = ["::brisk::BriskDialect"];
}

//===----------------------------------------------------------------------===//
// layout
//===----------------------------------------------------------------------===//

def ExpandConv1d : Pass<"expand-conv1d", "::mlir::func::FuncOp"> {
  let summary = "make one-dimensional convolutions and pools two-dimensional";
  let description = [{
    Windows over one spatial dimension get a second one of 1, in front, so that
    kernels see one rank. The reshapes on both sides move nothing.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def PropagateLayout : Pass<"propagate-layout", "::mlir::func::FuncOp"> {
  let summary = "move, merge and cancel transposes";
  let description = [{
    Ops that compute the same in any order of their dimensions (elementwise ops,
    concatenation, slices, padding, reductions, softmax, resize, reshapes of
    dimensions that stay together…) may run in the order that the ops around
    them work in. Which of them do is chosen for a whole block at once, by a
    minimum cut, such that the fewest bytes are transposed; never more than
    before. Transposes of constants are folded, and those that only move
    dimensions of 1 become reshapes.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def FoldTransposes : Pass<"fold-transposes", "::mlir::func::FuncOp"> {
  let summary = "permute weights instead of what they multiply";
  let description = [{
    A tensor that is transposed only to be flattened for a matrix product with
    constant weights is flattened as it lies, and the rows of the weights change
    places.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

//===----------------------------------------------------------------------===//
// fuse
//===----------------------------------------------------------------------===//

def MaterializePadding : Pass<"materialize-padding", "::mlir::func::FuncOp"> {
  let summary = "make the padding of convolutions an op";
  let description = [{
    A convolution with padding becomes `brisk.pad` and a convolution without, so
    that kernels have no borders to treat; the plan stage lets the producer of
    the input write into the padded tensor. `auto_pad` is resolved.
  }];
  let options = [
    Option<"depthwise", "depthwise", "bool", /*default=*/"true",
           "also where every channel is a group of its own">
  ];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def SinkReshapes : Pass<"sink-reshapes", "::mlir::func::FuncOp"> {
  let summary = "move reshapes behind elementwise ops";
  let description = [{
    A reshape between an op and the elementwise ops that follow keeps them from
    being one group. It moves behind them where every other operand can be
    reshaped the opposite way without being copied.
  }];
  let dependentDialects = ["::brisk::BriskDialect"];
}

def FormGroups : Pass<"form-groups", "::mlir::func::FuncOp"> {
  let summary = "put the ops that compute into groups";
  let description = [{
    Every op that is no view and no constant goes into a `brisk.group`: an
    anchor with the elementwise ops that follow it, as far as they compute the
    anchor's shape and only the last result, or what it is rounded from, is used
    elsewhere; before reductions
    and normalizations also the elementwise ops that lead to them. Elementwise
    ops that are left fuse with each other, in as few dimensions as their
    operands' broadcasting allows.
  }];
  let dependentDialects = ["::brisk::BriskDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // BRISK_TRANSFORMS_PASSES_TD
