# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles neural networks ahead of time, and runs what became of them.

    import brisk
    model = brisk.compile("mobilenet_v2.onnx")
    scores = model(image)

`compile` takes an ONNX file and gives a Model; `load` opens a shared library that
`briskc --emit=shared` wrote. A Model is called on arrays: NumPy's, or any that
have DLPack or Python's buffer protocol, without copies.
"""

from brisk._core import BriskError, Model, TensorInfo
from brisk.compiler import CompileError, compile
from brisk.profiles import OpTime, Profile

__all__ = ["BriskError", "CompileError", "Model", "OpTime", "Profile", "TensorInfo", "compile", "load"]


def load(path, *, threads=1):
    """Opens a compiled model: a shared library of `briskc --emit=shared`.

    It is a private copy: the file may be replaced or removed. Runs use `threads`
    threads, the calling one among them; 0 is as many as this process may use.
    Raises BriskError if the file is no model, or none for this machine.
    """
    import os

    return Model(os.fspath(path), threads)
