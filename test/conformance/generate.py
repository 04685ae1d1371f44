#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes ONNX's node tests as files for the conformance runner.

    OUT/manifest.txt            one line a case, see below
    OUT/CASE/model.onnx         the model
    OUT/CASE/input_N.pb         its N-th input
    OUT/CASE/output_N.pb        the output that is expected

The lines of the manifest are: case, relative tolerance, absolute tolerance,
opset of the default domain, number of inputs, number of outputs, and whether
all of these are tensors ("tensors") or not ("values"). The manifest is written
last, so that a folder with one is complete; such a folder is left alone.
"""

import argparse
import os
import pathlib
import shutil
import sys
import tempfile
import time
import warnings

import numpy as np
import onnx
from onnx import numpy_helper

# What the expectations are about: another version has other cases.
ONNX_VERSION = "1.23.2"
CASES = 1884
HEADER = f"# onnx {ONNX_VERSION}, {CASES} node tests, layout 1"


def to_proto(value, info):
    """The protobuf of a value, named as the graph input or output it is for."""
    kind = info.type.WhichOneof("value")
    if kind == "optional_type":
        return numpy_helper.from_optional(value, info.name)
    if kind == "sequence_type":
        return numpy_helper.from_list(value, info.name)
    if kind == "map_type":
        return numpy_helper.from_dict(value, info.name)
    if isinstance(value, onnx.TensorProto):
        value.name = info.name
        return value
    return numpy_helper.from_array(np.asarray(value), info.name)


def write_case(folder, case):
    """Writes one case; returns its line of the manifest."""
    graph = case.model.graph
    (inputs, outputs), = case.data_sets
    if len(inputs) != len(graph.input) or len(outputs) != len(graph.output):
        raise ValueError(f"{case.name}: the data does not fit the graph")
    folder.mkdir()
    (folder / "model.onnx").write_bytes(case.model.SerializeToString())
    tensors = True
    for prefix, values, infos in (("input", inputs, graph.input), ("output", outputs, graph.output)):
        for number, (value, info) in enumerate(zip(values, infos)):
            tensors = tensors and info.type.HasField("tensor_type")
            (folder / f"{prefix}_{number}.pb").write_bytes(to_proto(value, info).SerializeToString())
    opset = max((entry.version for entry in case.model.opset_import if entry.domain in ("", "ai.onnx")),
                default=0)
    return (f"{case.name} {case.rtol:g} {case.atol:g} {opset} {len(inputs)} {len(outputs)} "
            f"{'tensors' if tensors else 'values'}")


def is_complete(out):
    try:
        with open(out / "manifest.txt") as manifest:
            return manifest.readline().rstrip("\n") == HEADER
    except OSError:
        return False


def main():
    parser = argparse.ArgumentParser(description="Writes ONNX's node tests as files.")
    parser.add_argument("out", metavar="OUT", type=pathlib.Path, help="folder to write; replaced as a whole")
    args = parser.parse_args()
    if is_complete(args.out):
        print(f"{args.out} is complete")
        return 0
    if onnx.__version__ != ONNX_VERSION:
        print(f"error: onnx is {onnx.__version__}, the expectations are for {ONNX_VERSION}; "
              "install the packages of test/requirements.txt", file=sys.stderr)
        return 1

    start = time.monotonic()
    # The cases compute their expected outputs on import, overflow and all.
    warnings.simplefilter("ignore")
    from onnx.backend.test.case.node import collect_testcases
    cases = collect_testcases(None)
    if len(cases) != CASES:
        print(f"error: onnx generated {len(cases)} cases, not {CASES}", file=sys.stderr)
        return 1

    args.out.parent.mkdir(parents=True, exist_ok=True)
    temporary = pathlib.Path(tempfile.mkdtemp(dir=args.out.parent, prefix=f".{args.out.name}."))
    try:
        lines = []
        for number, case in enumerate(sorted(cases, key=lambda case: case.name), 1):
            lines.append(write_case(temporary / case.name, case))
            if number % 400 == 0 or number == len(cases):
                print(f"{number}/{len(cases)} cases, {time.monotonic() - start:.0f} s", flush=True)
        (temporary / "manifest.txt").write_text("\n".join([HEADER, *lines]) + "\n")
        os.chmod(temporary, 0o755)
        if args.out.exists():
            shutil.rmtree(args.out)
        temporary.rename(args.out)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
