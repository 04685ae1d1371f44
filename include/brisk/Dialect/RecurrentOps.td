//===- RecurrentOps.td - Recurrent layers ------------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_RECURRENTOPS_TD
#define BRISK_DIALECT_RECURRENTOPS_TD

include "brisk/Dialect/BriskBase.td"
include "brisk/Dialect/BriskEnums.td"

def Brisk_RecurrentActivationArrayAttr
    : TypedArrayAttrBase<Brisk_RecurrentActivationAttr, "activations">;

defvar Brisk_recurrentStates = (ins Brisk_FloatTensor:$x, Optional<Brisk_FloatTensor>:$w,
                     Brisk_TensorOf<[Brisk_Float, I8, UI8]>:$r,
                     Optional<Brisk_FloatTensor>:$b,
                     Optional<Brisk_IndexTensor>:$sequence_lens,
                     Optional<Brisk_FloatTensor>:$initial_h);

// Of weights `r` that are integers.
defvar Brisk_recurrentParameters = (ins Optional<Brisk_TensorOf<[F32]>>:$r_scale,
                     Optional<Brisk_TensorOf<[I8, UI8]>>:$r_zero,
                     Optional<Brisk_TensorOf<[I32]>>:$r_sums);

defvar Brisk_recurrentAttributes = (ins
    ConfinedAttr<I64Attr, [IntPositive]>:$hidden_size,
    DefaultValuedAttr<Brisk_RecurrentDirectionAttr, "::brisk::RecurrentDirection::Forward">:$direction,
    OptionalAttr<Brisk_RecurrentActivationArrayAttr>:$activations,
    OptionalAttr<DenseF32ArrayAttr>:$activation_alpha,
    OptionalAttr<DenseF32ArrayAttr>:$activation_beta,
    OptionalAttr<F32Attr>:$clip,
    ConfinedAttr<DefaultValuedAttr<I64Attr, "0">, [IntMinValue<0>, IntMaxValue<1>]>:$layout,
    OptionalAttr<I64Attr>:$r_bits, OptionalAttr<I64Attr>:$r_block, UnitAttr:$quantizes_states);

// `functions` are those of one direction, `gates` are stacked in `w` and `r`.
class Brisk_RecurrentOp<string mnemonic, int functions, int gates> : Brisk_InferredOp<mnemonic, [
    AttrSizedOperandSegments, Brisk_RecurrentOpInterface],
    "static int64_t getNumFunctions() { return " # functions # "; }\n"
    "static int64_t getNumGates() { return " # gates # "; }\n" # [{
    /// 2 if bidirectional, else 1.
    int64_t getNumDirections();
    /// The function `index` of direction `direction`, by default sigmoid for
    /// gates and tanh for the rest, and its parameters.
    ::brisk::RecurrentFunction getFunction(int64_t direction, int64_t index);
    uint64_t countFlops();
  }]> {
  let hasVerifier = 1;
}

def Brisk_LstmOp : Brisk_RecurrentOp<"lstm", 3, 4> {
  let summary = "long short-term memory layer";
  let description = [{
    ONNX `LSTM`. With D directions, S steps, B sequences, I inputs and H =
    `hidden_size` units: `x` is S x B x I, `w` D x 4H x I, `r` D x 4H x H, `b`
    D x 8H (W's biases, then R's), `sequence_lens` B, the initial states D x B x
    H, the peepholes `p` D x 3H. The results are all hidden states, S x D x B x H, and
    the last hidden and cell states, D x B x H. With `layout` 1 sequences are
    outermost: `x` B x S x I, states B x D x H, `y` B x S x D x H. Gates are
    stacked in the order input, output, forget, cell.

    Without `w`, `x` holds the products of the input with it, those of the first
    direction first: S x B x 4DH.

    `activations` gives f, g and h for each direction (default sigmoid, tanh,
    tanh); `activation_alpha` and `activation_beta`, where present, have one number for each
    of them. `clip` bounds the arguments of the activations by ±clip;
    `input_forget` couples the gates: forget = 1 - input. A sequence
    shorter than S gives zeros from its end on.

    With `r_scale`, of layers of f32 without `w`, `r` is integers of `r_bits` bits: a
    matrix of H rows by D * 4H columns, as `matmul_nbits` has it, with blocks of
    `r_block` rows.

    With `quantizes_states` the hidden state of a sequence is quantized to `ui8` at each
    step before it is multiplied by integers of 8 bits in blocks of H rows, by its own range and as ONNX's
    `DynamicQuantizeLinear` does it; so is what a reset gate has multiplied. Then `r_sums` has the sum of (weight - zero point) of each
    column. Products of weights that are floats are not changed by it.

    ```mlir
    %y, %h, %c = brisk.lstm %x w %w r %r b %b {hidden_size = 8}
        : (tensor<5x2x4xf32>, tensor<1x32x4xf32>, tensor<1x32x8xf32>, tensor<1x64xf32>)
        -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)
    ```
  }];
  let arguments = !con(Brisk_recurrentStates, (ins Optional<Brisk_FloatTensor>:$initial_c,
                                    Optional<Brisk_FloatTensor>:$p),
                       Brisk_recurrentParameters, Brisk_recurrentAttributes, (ins UnitAttr:$input_forget));
  let results = (outs Brisk_FloatTensor:$y, Brisk_FloatTensor:$y_h, Brisk_FloatTensor:$y_c);
  let assemblyFormat = [{
    $x (`w` $w^)? `r` $r (`b` $b^)? (`lens` $sequence_lens^)? (`h` $initial_h^)?
    (`c` $initial_c^)? (`p` $p^)? (`scale` $r_scale^)? (`zero` $r_zero^)? (`sums` $r_sums^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Brisk_GruOp : Brisk_RecurrentOp<"gru", 2, 3> {
  let summary = "gated recurrent unit layer";
  let description = [{
    ONNX `GRU`: shapes as in `lstm` with 3H for 4H and 6H for 8H, without cell
    states and peepholes. Gates are stacked in the order update, reset, hidden. With
    `linear_before_reset` the reset gate multiplies the hidden gate's recurrent
    product (bias included), else the hidden state before it. `activations`
    gives f and g for each direction (default sigmoid, tanh).

    ```mlir
    %y, %h = brisk.gru %x w %w r %r {hidden_size = 8, linear_before_reset}
        : (tensor<5x2x4xf32>, tensor<1x24x4xf32>, tensor<1x24x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
    ```
  }];
  let arguments = !con(Brisk_recurrentStates, Brisk_recurrentParameters, Brisk_recurrentAttributes,
                       (ins UnitAttr:$linear_before_reset));
  let results = (outs Brisk_FloatTensor:$y, Brisk_FloatTensor:$y_h);
  let assemblyFormat = [{
    $x (`w` $w^)? `r` $r (`b` $b^)? (`lens` $sequence_lens^)? (`h` $initial_h^)?
    (`scale` $r_scale^)? (`zero` $r_zero^)? (`sums` $r_sums^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Brisk_RnnOp : Brisk_RecurrentOp<"rnn", 1, 1> {
  let summary = "plain recurrent layer";
  let description = [{
    ONNX `RNN`: shapes as in `lstm` with H for 4H and 2H for 8H, without cell
    states and peepholes. `activations` gives f for each direction (default tanh).

    ```mlir
    %y, %h = brisk.rnn %x w %w r %r {hidden_size = 8}
        : (tensor<5x2x4xf32>, tensor<1x8x4xf32>, tensor<1x8x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>)
    ```
  }];
  let arguments = !con(Brisk_recurrentStates, Brisk_recurrentParameters, Brisk_recurrentAttributes);
  let results = (outs Brisk_FloatTensor:$y, Brisk_FloatTensor:$y_h);
  let assemblyFormat = [{
    $x (`w` $w^)? `r` $r (`b` $b^)? (`lens` $sequence_lens^)? (`h` $initial_h^)?
    (`scale` $r_scale^)? (`zero` $r_zero^)? (`sums` $r_sums^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif // BRISK_DIALECT_RECURRENTOPS_TD
