//===- SignalOps.td - Spectra of signals -------------------*- tablegen -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_DIALECT_SIGNALOPS_TD
#define BRISK_DIALECT_SIGNALOPS_TD

include "brisk/Dialect/BriskBase.td"

def Brisk_DftOp : Brisk_InferredOp<"dft", [
    Brisk_AxisOpInterface, DeclareOpInterfaceMethods<Brisk_CompositeOpInterface>]> {
  let summary = "discrete Fourier transform along an axis";
  let description = [{
    ONNX `DFT`. The last dimension of the operand and of the result is 1 for real
    numbers and 2 for complex ones (real and imaginary part); `axis` is another one.
    The signal is cut, or filled with zeros, to `length` elements (all, by default).
    `inverse` divides by the length.

    With `onesided`, the transform of a real signal has the first
    `length / 2 + 1` places only, the rest being their conjugates; an inverse one
    takes these, and gives real numbers.

    ```mlir
    %0 = brisk.dft %x {axis = 1, onesided} : (tensor<49x512x1xf32>) -> tensor<49x257x2xf32>
    ```
  }];
  let arguments = (ins Brisk_FloatTensor:$input,
      DefaultValuedAttr<I64Attr, "-2">:$axis,
      OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$length,
      UnitAttr:$inverse, UnitAttr:$onesided);
  let results = (outs Brisk_FloatTensor:$result);
}

#endif // BRISK_DIALECT_SIGNALOPS_TD
