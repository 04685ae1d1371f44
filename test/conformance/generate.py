#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes ONNX's backend tests as files for the conformance runner.

    OUT/manifest.txt            one line a case, see below
    OUT/CASE/model.onnx         the model
    OUT/CASE/input_N.pb         its N-th input
    OUT/CASE/output_N.pb        the output that is expected
    OUT/CASE/double_N.pb        a float16 output in double precision, if the
                                reference evaluator can compute it

A case of the node tests, which onnx computes, is called as there. The cases
that it ships as files are KIND/CASE, where KIND is their folder.

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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "models"))

from evaluate_in_double import evaluate as evaluate_in_double

# What the expectations are about: another version has other cases.
ONNX_VERSION = "1.23.2"
CASES = {"node": 1884, "pytorch-converted": 82, "pytorch-operator": 35, "real": 9, "simple": 23}
HEADER = f"# onnx {ONNX_VERSION}, {sum(CASES.values())} tests, layout 4"


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


def computed_case(case):
    """A node test: its model, and the bytes of its inputs and outputs."""
    (inputs, outputs), = case.data_sets

    def protos(values, infos):
        return [to_proto(value, info).SerializeToString() for value, info in zip(values, infos, strict=True)]

    return case.model, protos(inputs, case.model.graph.input), protos(outputs, case.model.graph.output)


def shipped_case(case):
    """The same of a case that onnx ships as files."""
    folder = pathlib.Path(case.model_dir)
    data, = folder.glob("test_data_set_*")

    def values(prefix):
        count = len(list(data.glob(f"{prefix}_*.pb")))
        return [(data / f"{prefix}_{number}.pb").read_bytes() for number in range(count)]

    return onnx.load(folder / "model.onnx"), values("input"), values("output")


def given_inputs(graph):
    """The inputs of a graph without its weights, which files of old versions list after them."""
    weights = {tensor.name for tensor in graph.initializer}
    return [info for info in graph.input if info.name not in weights]


def network_case(case):
    """The same of a network, whose weights are constants and whose inputs onnx's runner makes."""
    from onnx.backend.test.runner import Runner
    path = pathlib.Path(onnx.__file__).parent.parent / case.url
    model = onnx.load(path)
    inputs = [to_proto(Runner.generate_dummy_data(info), info).SerializeToString()
              for info in given_inputs(model.graph)]
    return model, inputs, [path.with_name(f"{path.stem}_output_{number}.pb").read_bytes()
                           for number in range(len(model.graph.output))]


def write_doubles(folder, graph, given, inputs):
    """Outputs of 16 bits in double precision: the expected ones may have been rounded at every step."""
    halves = [(number, info.name) for number, info in enumerate(graph.output)
              if info.type.tensor_type.elem_type == onnx.TensorProto.FLOAT16]
    if not halves:
        return
    values = {info.name: numpy_helper.to_array(onnx.TensorProto.FromString(value))
              for info, value in zip(given, inputs, strict=True)}
    try:
        outputs = evaluate_in_double(folder / "model.onnx", values)
    except Exception:  # the evaluator lacks the op in float64
        return
    for number, name in halves:
        if outputs[name].dtype == np.float64:
            (folder / f"double_{number}.pb").write_bytes(
                numpy_helper.from_array(outputs[name], name).SerializeToString())


def write_case(out, case):
    """Writes one case; returns its line of the manifest."""
    if case.kind == "node":
        name, (model, inputs, outputs) = case.name, computed_case(case)
    elif case.kind == "real":
        name, (model, inputs, outputs) = f"{case.kind}/{case.name}", network_case(case)
    else:
        name, (model, inputs, outputs) = f"{case.kind}/{case.name}", shipped_case(case)
    graph = model.graph
    given = given_inputs(graph)
    if len(inputs) != len(given) or len(outputs) != len(graph.output):
        raise ValueError(f"{name}: the data does not fit the graph")
    folder = out / name
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    for prefix, values in (("input", inputs), ("output", outputs)):
        for number, value in enumerate(values):
            (folder / f"{prefix}_{number}.pb").write_bytes(value)
    if case.kind == "node":
        write_doubles(folder, graph, given, inputs)
    tensors = all(info.type.HasField("tensor_type") for info in [*given, *graph.output])
    opset = max((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), default=0)
    return (f"{name} {case.rtol:g} {case.atol:g} {opset} {len(inputs)} {len(outputs)} "
            f"{'tensors' if tensors else 'values'}")


def load_cases():
    """All cases, by kind and name."""
    # The node tests compute their expected outputs on import, overflow and all.
    warnings.simplefilter("ignore")
    from onnx.backend.test.case.node import collect_testcases
    from onnx.backend.test.loader import load_model_tests
    cases = []
    for kind, count in CASES.items():
        found = collect_testcases(None) if kind == "node" else load_model_tests(kind=kind)
        if len(found) != count:
            sys.exit(f"error: onnx has {len(found)} cases of the kind {kind}, not {count}")
        cases += sorted(found, key=lambda case: case.name)
    return cases


def is_complete(out):
    try:
        with open(out / "manifest.txt") as manifest:
            return manifest.readline().rstrip("\n") == HEADER
    except OSError:
        return False


def main():
    parser = argparse.ArgumentParser(description="Writes ONNX's backend tests as files.")
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
    cases = load_cases()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    temporary = pathlib.Path(tempfile.mkdtemp(dir=args.out.parent, prefix=f".{args.out.name}."))
    try:
        lines = []
        for number, case in enumerate(cases, 1):
            lines.append(write_case(temporary, case))
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
