# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler as a function: runs briskc."""

import os
import pathlib
import subprocess
import tempfile
import warnings

from brisk import tools
from brisk._core import Model


class CompileError(Exception):
    """The compiler refused; the message is what it said."""


def _shape(dims):
    return "x".join(str(int(dim)) for dim in dims) or "scalar"


def compile(
    model,
    output=None,
    *,
    shapes=None,
    dims=None,
    target=None,
    quantize=None,
    calibration=None,
    profile=False,
    options=(),
    threads=1,
    load=True,
):
    """Compiles an ONNX model for a machine, this one by default, and loads it.

    model        path of an .onnx, .onnxtxt or .mlir file, or an onnx.ModelProto
    output       path of the shared library to write; none: the model is kept in
                 memory only
    shapes       shapes of inputs that the model leaves open: {"image": (1, 3, 224, 224)}
    dims         values of symbolic dimensions: {"batch": 1}
    target       what `briskc --help` lists; by default "host"
    quantize     "int8", "dynamic", "weights8", "weights4", "bf16" or "f16"
    calibration  path of the samples that "int8" needs
    profile      whether runs can be measured op by op (Model.profile, Model.trace)
    options      further flags of briskc
    threads      see brisk.load
    load         whether to load what was compiled: not for another machine

    Returns a Model; None where nothing is loaded. What the compiler refuses is a
    CompileError with its messages; what it warns of is a warning.
    """
    if not load and output is None:
        raise ValueError("compile(load=False) without an output leaves nothing behind")
    with tempfile.TemporaryDirectory(prefix="brisk-") as folder:
        if not isinstance(model, (str, os.PathLike)):
            content, model = model.SerializeToString(), os.path.join(folder, "model.onnx")
            pathlib.Path(model).write_bytes(content)
        library = os.fspath(output) if output is not None else os.path.join(folder, "model.so")
        command = [tools.find("briskc"), os.fspath(model), "--emit=shared", "-o", library]
        command += [f"--shape={name}={_shape(shape)}" for name, shape in (shapes or {}).items()]
        command += [f"--dim={name}={int(value)}" for name, value in (dims or {}).items()]
        for flag, value in (("target", target), ("quantize", quantize), ("calibration", calibration)):
            if value is not None:
                command.append(f"--{flag}={os.fspath(value)}")
        if profile:
            command.append("--profile")
        command += ["--quiet", *options]
        result = subprocess.run(command, env=tools.environment(), stderr=subprocess.PIPE, text=True, errors="replace")
        if result.returncode != 0:
            raise CompileError(result.stderr.strip() or f"briskc ended with {result.returncode}")
        if result.stderr.strip():
            warnings.warn(result.stderr.strip(), stacklevel=2)
        return Model(library, threads) if load else None
