//===- BriskEnums.td - Enums of the ops' attributes --------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_BRISKENUMS_TD
#define BRISK_DIALECT_BRISKENUMS_TD

include "brisk/Dialect/BriskBase.td"

// The C++ enum and its attribute, `Brisk_<Name>Attr`, which op formats print as
// the bare keyword.
class Brisk_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::brisk";
  let genSpecializedAttr = 0;
}
class Brisk_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Brisk_Dialect, info, mnemonic>;

def Brisk_AutoPad : Brisk_Enum<"AutoPad", "how a sliding window pads its input", [
  I32EnumAttrCase<"Notset", 0, "notset">,
  I32EnumAttrCase<"SameUpper", 1, "same_upper">,
  I32EnumAttrCase<"SameLower", 2, "same_lower">,
  I32EnumAttrCase<"Valid", 3, "valid">
]>;
def Brisk_AutoPadAttr : Brisk_EnumAttr<Brisk_AutoPad, "auto_pad">;

def Brisk_ReduceKind : Brisk_Enum<"ReduceKind", "what a reduction computes", [
  I32EnumAttrCase<"Sum", 0, "sum">,
  I32EnumAttrCase<"Mean", 1, "mean">,
  I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"Prod", 4, "prod">
]>;
def Brisk_ReduceKindAttr : Brisk_EnumAttr<Brisk_ReduceKind, "reduce_kind">;

def Brisk_ArgReduceKind : Brisk_Enum<"ArgReduceKind", "which extreme is looked for", [
  I32EnumAttrCase<"Max", 0, "max">,
  I32EnumAttrCase<"Min", 1, "min">
]>;
def Brisk_ArgReduceKindAttr : Brisk_EnumAttr<Brisk_ArgReduceKind, "arg_reduce_kind">;

def Brisk_ScatterReduction : Brisk_Enum<"ScatterReduction", "how an update meets the element that is there", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Add", 1, "add">,
  I32EnumAttrCase<"Mul", 2, "mul">,
  I32EnumAttrCase<"Max", 3, "max">,
  I32EnumAttrCase<"Min", 4, "min">
]>;
def Brisk_ScatterReductionAttr : Brisk_EnumAttr<Brisk_ScatterReduction, "scatter_reduction">;

def Brisk_RecurrentDirection : Brisk_Enum<"RecurrentDirection", "the order that a recurrent op walks a sequence in", [
  I32EnumAttrCase<"Forward", 0, "forward">,
  I32EnumAttrCase<"Reverse", 1, "reverse">,
  I32EnumAttrCase<"Bidirectional", 2, "bidirectional">
]>;
def Brisk_RecurrentDirectionAttr : Brisk_EnumAttr<Brisk_RecurrentDirection, "recurrent_direction">;

def Brisk_RecurrentActivation : Brisk_Enum<"RecurrentActivation", "a function within a recurrent cell", [
  I32EnumAttrCase<"Sigmoid", 0, "sigmoid">,
  I32EnumAttrCase<"Tanh", 1, "tanh">,
  I32EnumAttrCase<"Relu", 2, "relu">,
  I32EnumAttrCase<"Affine", 3, "affine">,
  I32EnumAttrCase<"LeakyRelu", 4, "leaky_relu">,
  I32EnumAttrCase<"ThresholdedRelu", 5, "thresholded_relu">,
  I32EnumAttrCase<"ScaledTanh", 6, "scaled_tanh">,
  I32EnumAttrCase<"HardSigmoid", 7, "hard_sigmoid">,
  I32EnumAttrCase<"Elu", 8, "elu">,
  I32EnumAttrCase<"Softsign", 9, "softsign">,
  I32EnumAttrCase<"Softplus", 10, "softplus">
]>;
def Brisk_RecurrentActivationAttr : Brisk_EnumAttr<Brisk_RecurrentActivation, "recurrent_activation">;

def Brisk_AttentionScores : Brisk_Enum<"AttentionScores", "which scores an attention gives besides its result", [
  I32EnumAttrCase<"Raw", 0, "raw">,
  I32EnumAttrCase<"Capped", 1, "capped">,
  I32EnumAttrCase<"Masked", 2, "masked">,
  I32EnumAttrCase<"Weights", 3, "weights">
]>;
def Brisk_AttentionScoresAttr : Brisk_EnumAttr<Brisk_AttentionScores, "attention_scores">;

def Brisk_ResizeMode : Brisk_Enum<"ResizeMode", "how resize interpolates", [
  I32EnumAttrCase<"Nearest", 0, "nearest">,
  I32EnumAttrCase<"Linear", 1, "linear">,
  I32EnumAttrCase<"Cubic", 2, "cubic">
]>;
def Brisk_ResizeModeAttr : Brisk_EnumAttr<Brisk_ResizeMode, "resize_mode">;

def Brisk_CoordinateMode : Brisk_Enum<"CoordinateMode", "how resize maps a place in the result to one in the input", [
  I32EnumAttrCase<"HalfPixel", 0, "half_pixel">,
  I32EnumAttrCase<"HalfPixelSymmetric", 1, "half_pixel_symmetric">,
  I32EnumAttrCase<"PytorchHalfPixel", 2, "pytorch_half_pixel">,
  I32EnumAttrCase<"AlignCorners", 3, "align_corners">,
  I32EnumAttrCase<"Asymmetric", 4, "asymmetric">,
  I32EnumAttrCase<"TfHalfPixelForNn", 5, "tf_half_pixel_for_nn">,
  I32EnumAttrCase<"TfCropAndResize", 6, "tf_crop_and_resize">
]>;
def Brisk_CoordinateModeAttr : Brisk_EnumAttr<Brisk_CoordinateMode, "coordinate_mode">;

def Brisk_NearestMode : Brisk_Enum<"NearestMode", "how resize rounds to the nearest place", [
  I32EnumAttrCase<"RoundPreferFloor", 0, "round_prefer_floor">,
  I32EnumAttrCase<"RoundPreferCeil", 1, "round_prefer_ceil">,
  I32EnumAttrCase<"Floor", 2, "floor">,
  I32EnumAttrCase<"Ceil", 3, "ceil">
]>;
def Brisk_NearestModeAttr : Brisk_EnumAttr<Brisk_NearestMode, "nearest_mode">;

def Brisk_AspectRatioPolicy : Brisk_Enum<"AspectRatioPolicy", "how resize takes the sizes that are asked for", [
  I32EnumAttrCase<"Stretch", 0, "stretch">,
  I32EnumAttrCase<"NotLarger", 1, "not_larger">,
  I32EnumAttrCase<"NotSmaller", 2, "not_smaller">
]>;
def Brisk_AspectRatioPolicyAttr : Brisk_EnumAttr<Brisk_AspectRatioPolicy, "aspect_ratio_policy">;

def Brisk_GeluApproximation : Brisk_Enum<"GeluApproximation", "how the Gauss function of gelu is computed", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Tanh", 1, "tanh">
]>;
def Brisk_GeluApproximationAttr : Brisk_EnumAttr<Brisk_GeluApproximation, "gelu_approximation">;

def Brisk_PadMode : Brisk_Enum<"PadMode", "what padding is made of", [
  I32EnumAttrCase<"Constant", 0, "constant">,
  I32EnumAttrCase<"Reflect", 1, "reflect">,
  I32EnumAttrCase<"Edge", 2, "edge">,
  I32EnumAttrCase<"Wrap", 3, "wrap">
]>;
def Brisk_PadModeAttr : Brisk_EnumAttr<Brisk_PadMode, "pad_mode">;

def Brisk_DepthToSpaceMode : Brisk_Enum<"DepthToSpaceMode", "which part of the channels is the block", [
  I32EnumAttrCase<"DCR", 0, "dcr">,
  I32EnumAttrCase<"CRD", 1, "crd">
]>;
def Brisk_DepthToSpaceModeAttr : Brisk_EnumAttr<Brisk_DepthToSpaceMode, "depth_to_space_mode">;

#endif // BRISK_DIALECT_BRISKENUMS_TD
