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

// A value's name in C++, and its keyword.
class EnumValue<string cppName, string irName> {
  string name = cppName;
  string keyword = irName;
}

// The C++ enum, whose values are numbered from 0 on, and its attribute,
// `Brisk_<Name>Attr`, which op formats print as the bare keyword.
class Brisk_Enum<string name, string summary, list<EnumValue> values>
    : I32EnumAttr<name, summary, !foreach(i, !range(values),
        I32EnumAttrCase<values[i].name, i, values[i].keyword>)> {
  let cppNamespace = "::brisk";
  let genSpecializedAttr = 0;
}
class Brisk_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Brisk_Dialect, info, mnemonic>;

def Brisk_AutoPad : Brisk_Enum<"AutoPad", "how a sliding window pads its input", [
  EnumValue<"Notset", "notset">, EnumValue<"SameUpper", "same_upper">,
  EnumValue<"SameLower", "same_lower">, EnumValue<"Valid", "valid">]>;
def Brisk_AutoPadAttr : Brisk_EnumAttr<Brisk_AutoPad, "auto_pad">;

def Brisk_ReduceKind : Brisk_Enum<"ReduceKind", "what a reduction computes", [
  EnumValue<"Sum", "sum">, EnumValue<"Mean", "mean">, EnumValue<"Max", "max">,
  EnumValue<"Min", "min">, EnumValue<"Prod", "prod">]>;
def Brisk_ReduceKindAttr : Brisk_EnumAttr<Brisk_ReduceKind, "reduce_kind">;

def Brisk_ArgReduceKind : Brisk_Enum<"ArgReduceKind", "which extreme is looked for", [
  EnumValue<"Max", "max">, EnumValue<"Min", "min">]>;
def Brisk_ArgReduceKindAttr : Brisk_EnumAttr<Brisk_ArgReduceKind, "arg_reduce_kind">;

def Brisk_ScatterReduction : Brisk_Enum<"ScatterReduction",
    "how an update meets the element that is there", [
  EnumValue<"None", "none">, EnumValue<"Add", "add">, EnumValue<"Mul", "mul">,
  EnumValue<"Max", "max">, EnumValue<"Min", "min">]>;
def Brisk_ScatterReductionAttr : Brisk_EnumAttr<Brisk_ScatterReduction, "scatter_reduction">;

def Brisk_RecurrentDirection : Brisk_Enum<"RecurrentDirection",
    "the order that a recurrent op walks a sequence in", [
  EnumValue<"Forward", "forward">, EnumValue<"Reverse", "reverse">,
  EnumValue<"Bidirectional", "bidirectional">]>;
def Brisk_RecurrentDirectionAttr : Brisk_EnumAttr<Brisk_RecurrentDirection, "recurrent_direction">;

def Brisk_RecurrentActivation : Brisk_Enum<"RecurrentActivation",
    "a function within a recurrent cell", [
  EnumValue<"Sigmoid", "sigmoid">, EnumValue<"Tanh", "tanh">, EnumValue<"Relu", "relu">,
  EnumValue<"Affine", "affine">, EnumValue<"LeakyRelu", "leaky_relu">,
  EnumValue<"ThresholdedRelu", "thresholded_relu">, EnumValue<"ScaledTanh", "scaled_tanh">,
  EnumValue<"HardSigmoid", "hard_sigmoid">, EnumValue<"Elu", "elu">,
  EnumValue<"Softsign", "softsign">, EnumValue<"Softplus", "softplus">]>;
def Brisk_RecurrentActivationAttr : Brisk_EnumAttr<Brisk_RecurrentActivation,
    "recurrent_activation">;

def Brisk_AttentionScores : Brisk_Enum<"AttentionScores",
    "which scores an attention gives besides its result", [
  EnumValue<"Raw", "raw">, EnumValue<"Capped", "capped">, EnumValue<"Masked", "masked">,
  EnumValue<"Weights", "weights">]>;
def Brisk_AttentionScoresAttr : Brisk_EnumAttr<Brisk_AttentionScores, "attention_scores">;

def Brisk_ResizeMode : Brisk_Enum<"ResizeMode", "how resize interpolates", [
  EnumValue<"Nearest", "nearest">, EnumValue<"Linear", "linear">, EnumValue<"Cubic", "cubic">]>;
def Brisk_ResizeModeAttr : Brisk_EnumAttr<Brisk_ResizeMode, "resize_mode">;

def Brisk_CoordinateMode : Brisk_Enum<"CoordinateMode",
    "how resize maps a place in the result to one in the input", [
  EnumValue<"HalfPixel", "half_pixel">, EnumValue<"HalfPixelSymmetric", "half_pixel_symmetric">,
  EnumValue<"PytorchHalfPixel", "pytorch_half_pixel">, EnumValue<"AlignCorners", "align_corners">,
  EnumValue<"Asymmetric", "asymmetric">, EnumValue<"TfHalfPixelForNn", "tf_half_pixel_for_nn">,
  EnumValue<"TfCropAndResize", "tf_crop_and_resize">]>;
def Brisk_CoordinateModeAttr : Brisk_EnumAttr<Brisk_CoordinateMode, "coordinate_mode">;

def Brisk_NearestMode : Brisk_Enum<"NearestMode", "how resize rounds to the nearest place", [
  EnumValue<"RoundPreferFloor", "round_prefer_floor">,
  EnumValue<"RoundPreferCeil", "round_prefer_ceil">, EnumValue<"Floor", "floor">,
  EnumValue<"Ceil", "ceil">]>;
def Brisk_NearestModeAttr : Brisk_EnumAttr<Brisk_NearestMode, "nearest_mode">;

def Brisk_AspectRatioPolicy : Brisk_Enum<"AspectRatioPolicy",
    "how resize takes the sizes that are asked for", [
  EnumValue<"Stretch", "stretch">, EnumValue<"NotLarger", "not_larger">,
  EnumValue<"NotSmaller", "not_smaller">]>;
def Brisk_AspectRatioPolicyAttr : Brisk_EnumAttr<Brisk_AspectRatioPolicy, "aspect_ratio_policy">;

def Brisk_FrameFormat : Brisk_Enum<"FrameFormat", "how a frame holds its pixels", [
  EnumValue<"Gray", "gray">, EnumValue<"Rgb", "rgb">, EnumValue<"Bgr", "bgr">,
  EnumValue<"Nv12", "nv12">]>;
def Brisk_FrameFormatAttr : Brisk_EnumAttr<Brisk_FrameFormat, "frame_format">;

def Brisk_FrameResize : Brisk_Enum<"FrameResize", "whose way of resizing pictures of bytes", [
  EnumValue<"OpencvLinear", "opencv_linear">, EnumValue<"OpencvArea", "opencv_area">,
  EnumValue<"OpencvNearest", "opencv_nearest">, EnumValue<"PillowBilinear", "pillow_bilinear">,
  EnumValue<"PillowBox", "pillow_box">, EnumValue<"PillowNearest", "pillow_nearest">]>;
def Brisk_FrameResizeAttr : Brisk_EnumAttr<Brisk_FrameResize, "frame_resize">;

def Brisk_GridPadding : Brisk_Enum<"GridPadding",
    "what a grid finds outside the input", [
  EnumValue<"Zeros", "zeros">, EnumValue<"Border", "border">,
  EnumValue<"Reflection", "reflection">]>;
def Brisk_GridPaddingAttr : Brisk_EnumAttr<Brisk_GridPadding, "grid_padding">;

def Brisk_GeluApproximation : Brisk_Enum<"GeluApproximation",
    "how the Gauss function of gelu is computed", [
  EnumValue<"None", "none">, EnumValue<"Tanh", "tanh">]>;
def Brisk_GeluApproximationAttr : Brisk_EnumAttr<Brisk_GeluApproximation, "gelu_approximation">;

def Brisk_Phase : Brisk_Enum<"Phase", "what of a compiled path an op belongs to", [
  EnumValue<"Inference", "inference">, EnumValue<"Pre", "pre">, EnumValue<"Post", "post">]>;
def Brisk_PhaseAttr : Brisk_EnumAttr<Brisk_Phase, "phase">;

def Brisk_PadMode : Brisk_Enum<"PadMode", "what padding is made of", [
  EnumValue<"Constant", "constant">, EnumValue<"Reflect", "reflect">, EnumValue<"Edge", "edge">,
  EnumValue<"Wrap", "wrap">]>;
def Brisk_PadModeAttr : Brisk_EnumAttr<Brisk_PadMode, "pad_mode">;

def Brisk_DepthToSpaceMode : Brisk_Enum<"DepthToSpaceMode",
    "which part of the channels is the block", [
  EnumValue<"DCR", "dcr">, EnumValue<"CRD", "crd">]>;
def Brisk_DepthToSpaceModeAttr : Brisk_EnumAttr<Brisk_DepthToSpaceMode, "depth_to_space_mode">;

#endif // BRISK_DIALECT_BRISKENUMS_TD
