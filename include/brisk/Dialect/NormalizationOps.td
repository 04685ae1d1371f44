//===- NormalizationOps.td - Normalizations ----------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_NORMALIZATIONOPS_TD
#define BRISK_DIALECT_NORMALIZATIONOPS_TD

include "brisk/Dialect/BriskBase.td"

// Scale and bias go where the dimensions normalized over go, so these stay.
class Brisk_NormOp<string mnemonic, list<Trait> traits = []>
    : Brisk_InferredOp<mnemonic, !listconcat([
        Brisk_AxisOpInterface,
        DeclareOpInterfaceMethods<Brisk_PermutableOpInterface, ["canPermute"]>
      ], traits)> {
  let fusesProducers = 1;
  let keptDims = "::brisk::keepDims(*this, number, "
      "[&](int64_t dim) { return dim >= getNormalizedAxis(); })";
  let extraClassDefinition = [{
    bool $cppClass::canPermute(::llvm::ArrayRef<int64_t> permutation) {
      for (int64_t i = getNormalizedAxis(), e = permutation.size(); i < e; ++i)
        if (permutation[i] != i)
          return false;
      return true;
    }
  }];
}

def Brisk_LayerNormOp : Brisk_NormOp<"layer_norm", [AttrSizedOperandSegments]> {
  let summary = "layer normalization";
  let description = [{
    `(x - mean) / sqrt(variance + epsilon) * scale + bias`, mean and (population)
    variance taken over the dimensions from `axis` on. `scale` and `bias`
    broadcast to the input's shape.

    ```mlir
    %0 = brisk.layer_norm %x scale %s bias %b {axis = -1, epsilon = 1.0e-5 : f32}
        : (tensor<2x8x64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<2x8x64xf32>
    ```
  }];
  let arguments = (ins Brisk_FloatTensor:$input, Optional<Brisk_FloatTensor>:$scale,
                       Optional<Brisk_FloatTensor>:$bias,
                       DefaultValuedAttr<I64Attr, "-1">:$axis,
                       DefaultValuedAttr<F32Attr, "1e-5f">:$epsilon);
  let results = (outs Brisk_FloatTensor:$result);
  let flops = "8 * countInputs()";
  let assemblyFormat = [{
    $input (`scale` $scale^)? (`bias` $bias^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Brisk_RmsNormOp : Brisk_NormOp<"rms_norm"> {
  let summary = "root mean square normalization";
  let description = [{
    `x / sqrt(mean(x * x) + epsilon) * scale`, the mean taken over the dimensions
    from `axis` on. `scale` broadcasts to the input's shape.

    ```mlir
    %0 = brisk.rms_norm %x, %s {axis = -1} : (tensor<2x8x64xf32>, tensor<64xf32>) -> tensor<2x8x64xf32>
    ```
  }];
  let arguments = (ins Brisk_FloatTensor:$input, Optional<Brisk_FloatTensor>:$scale,
                       DefaultValuedAttr<I64Attr, "-1">:$axis,
                       DefaultValuedAttr<F32Attr, "1e-5f">:$epsilon);
  let results = (outs Brisk_FloatTensor:$result);
  let flops = "4 * countInputs()";
}

def Brisk_LrnOp : Brisk_InferredOp<"lrn"> {
  let summary = "local response normalization, channels-last";
  let description = [{
    `x / (bias + alpha / size * s) ** beta`, s the sum of the squares of the
    `size` channels around each: from `c - floor((size - 1) / 2)` to
    `c + ceil((size - 1) / 2)`, as far as there are any. Channels are the last
    dimension.

    ```mlir
    %0 = brisk.lrn %x {size = 5, alpha = 1.0e-4 : f32, beta = 0.75 : f32, bias = 1.0 : f32} : (tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
    ```
  }];
  let arguments = (ins Brisk_FloatTensor:$input,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size,
                       DefaultValuedAttr<F32Attr, "1e-4f">:$alpha,
                       DefaultValuedAttr<F32Attr, "0.75f">:$beta,
                       DefaultValuedAttr<F32Attr, "1.0f">:$bias);
  let results = (outs Brisk_FloatTensor:$result);
  let flops = "(2 * getSize() + 40) * countInputs()";
}

#endif // BRISK_DIALECT_NORMALIZATIONOPS_TD
