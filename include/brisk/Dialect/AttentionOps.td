//===- AttentionOps.td - Attention -------------------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_ATTENTIONOPS_TD
#define BRISK_DIALECT_ATTENTIONOPS_TD

include "brisk/Dialect/BriskBase.td"
include "brisk/Dialect/BriskEnums.td"

def Brisk_AttentionOp : Brisk_InferredOp<"attention", [
    AttrSizedOperandSegments, DeclareOpInterfaceMethods<Brisk_CompositeOpInterface>]> {
  let summary = "scaled dot-product attention";
  let description = [{
    ONNX `Attention`: `softmax(q * scale * transpose(k) + mask) * v` for each sequence
    and head. With B sequences, H heads of L queries, G heads of S keys and D and
    E elements in a head, `q` is B x H x L x D, `k` B x G x S x D, `v` B x G x S x E,
    the result B x H x L x E. H is a multiple of G: H / G query heads in a row read
    one key head. Keys and values of earlier steps are in front of `k` and `v`
    (`brisk.concat`).

    - `scale` multiplies queries and keys by its square root each; by default it
      is 1 / sqrt(D).
    - `softcap`, where it is above 0, makes the scores `softcap * tanh(score / softcap)`.
    - `mask` broadcasts to B x H x L x S. Booleans say which keys are attended,
      numbers are added to the scores. Keys behind its last are not attended.
    - `start` is the place of the first query among the keys (default 0), `lens` the
      number of keys; both are scalars, or vectors of B elements. Keys from `lens` on
      are not attended. With `causal` a query at place p attends to the keys up to
      p only; `left_window` and `right_window`, where they are not negative, limit it to
      keys from p - left_window on and up to p + right_window.

    A query that attends to no key gives zeros. Scores and products of 16-bit floats
    are those of f32, rounded at the end; `softmax_precision` is a type that
    the scores are rounded to before the softmax.

    With `scores` there is a second result, B x H x L x S: the scores as products
    (`raw`), after `softcap` (`capped`), with the mask (`masked`), or after the softmax
    (`weights`).

    ```mlir
    %0 = brisk.attention %q, %k, %v mask %m {causal}
        : (tensor<1x8x16x64xf32>, tensor<1x2x16x64xf32>, tensor<1x2x16x64xf32>, tensor<16x16xi1>)
        -> tensor<1x8x16x64xf32>
    ```
  }];
  let arguments = (ins Brisk_FloatTensor:$q, Brisk_FloatTensor:$k, Brisk_FloatTensor:$v,
                       Optional<Brisk_Tensor>:$mask, Optional<Brisk_IndexTensor>:$start,
                       Optional<Brisk_IndexTensor>:$lens,
                       OptionalAttr<F32Attr>:$scale, DefaultValuedAttr<F32Attr, "0.0f">:$softcap,
                       UnitAttr:$causal, DefaultValuedAttr<I64Attr, "-1">:$left_window,
                       DefaultValuedAttr<I64Attr, "-1">:$right_window,
                       OptionalAttr<TypeAttrOf<Brisk_Float>>:$softmax_precision,
                       OptionalAttr<Brisk_AttentionScoresAttr>:$scores);
  let results = (outs Brisk_FloatTensor:$result, Optional<Brisk_FloatTensor>:$shown);
  let assemblyFormat = [{
    $q `,` $k `,` $v (`mask` $mask^)? (`start` $start^)? (`lens` $lens^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // BRISK_DIALECT_ATTENTIONOPS_TD
