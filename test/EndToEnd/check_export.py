#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what `briskc --emit=onnx` writes to ONNX's checker and to ONNX Runtime.

Models are run as they came and as they were exported, without optimizations, on
seeded inputs: floats may differ by a relative L2 error of 1e-5, other types not
at all. Quantized ones, which ONNX Runtime's quantizer makes, keep all their Q and
DQ nodes, and ONNX Runtime fuses as many of them into integer ops. ONNX's backend
tests (--conformance) say what each op has to give.
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "models"), str(HERE.parent.parent / "benchmarks")]

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

import inputs as model_inputs

LIMIT = 1e-5


class Failure(Exception):
    """A model is not exported as it should be; the text says how."""


def export(args, source, flags, target):
    result = subprocess.run([args.bin / "briskc", source, "--emit=onnx", "-o", target, "--quiet", *flags],
                            capture_output=True, text=True)
    if result.returncode:
        raise Failure(result.stderr.strip().splitlines()[0])
    model = onnx.load(target)
    onnx.checker.check_model(model, full_check=True)
    return model


def session(path, optimizations, optimized=None):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = optimizations
    options.log_severity_level = 3
    if optimized:
        options.optimized_model_filepath = str(optimized)
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def run(path, inputs):
    ort = session(path, onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL)
    names = [output.name for output in ort.get_outputs()]
    return dict(zip(names, ort.run(names, inputs)))


def compare(actual, expected, limit=LIMIT):
    if list(actual) != list(expected):
        raise Failure(f"outputs are {list(actual)}, expected {list(expected)}")
    worst = 0
    for name, want in expected.items():
        have = actual[name]
        if have.shape != want.shape or have.dtype != want.dtype:
            raise Failure(f"{name} is {have.dtype}{have.shape}, expected {want.dtype}{want.shape}")
        if np.issubdtype(want.dtype, np.floating):
            worst = max(worst, model_inputs.relative_error(have, want))
        elif not np.array_equal(have, want):
            raise Failure(f"{name} is another")
    if not worst <= limit:
        raise Failure(f"relative error {worst:.1e}, more than {limit:.0e}")
    return worst


def count(model):
    return collections.Counter(node.op_type for node in model.graph.node)


def check_quantized(source, target, folder):
    """The nodes on integers, as written and as ONNX Runtime optimizes them."""
    was, made = count(onnx.load(source)), count(onnx.load(target))
    for kind in ("QuantizeLinear", "Conv", "MatMul", "MatMulInteger", "Transpose"):
        if made[kind] + (made["Gemm"] if kind == "MatMul" else 0) > was[kind] + (was["Gemm"] if kind == "MatMul" else 0) \
                or (kind == "QuantizeLinear" and made[kind] != was[kind]):
            raise Failure(f"{made[kind]} nodes {kind}, expected {was[kind]}")
    fused = []
    for path in (source, target):
        session(path, onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED, folder / "optimized.onnx")
        fused.append(count(onnx.load(folder / "optimized.onnx")))
    for kind in ("QLinearConv", "QLinearAdd", "QLinearGlobalAveragePool", "QLinearMatMul"):
        if fused[1][kind] < fused[0][kind]:
            raise Failure(f"ONNX Runtime makes {fused[1][kind]} nodes {kind} of it, {fused[0][kind]} of the model itself")


def check_model(args, name, entry, folder, int8):
    source = args.models / f"{name}.onnx"
    inputs = model_inputs.make_inputs(source, entry)
    if int8:
        import quantize
        source = quantize.quantize(args.models, name, entry)
    target = folder / "exported.onnx"
    export(args, source, model_inputs.shape_flags(entry), target)
    worst = compare(run(target, inputs), run(source, inputs), max(LIMIT, args.limit))
    if int8:
        check_quantized(source, target, folder)
    return f"relative error {worst:.1e}"


def read_case(folder, model):
    """Inputs and outputs of a backend test, as dense tensors."""
    def read(kind, infos):
        values = {}
        for number, info in enumerate(infos):
            tensor = onnx.TensorProto()
            tensor.ParseFromString((folder / f"{kind}_{number}.pb").read_bytes())
            values[info.name] = numpy_helper.to_array(tensor)
        return values
    constants = {tensor.name for tensor in model.graph.initializer}
    return read("input", [info for info in model.graph.input if info.name not in constants]), read("output", model.graph.output)


def check_case(args, path, folder):
    """Whether a backend test that is exported gives what it should; None where there is nothing to compare."""
    model = onnx.load(path)
    target = folder / "exported.onnx"
    try:
        inputs, expected = read_case(path.parent, model)
    except (OSError, ValueError, TypeError):
        return None
    flags = []
    for name, value in inputs.items():
        flags += ["--shape", f"{name}={'x'.join(map(str, value.shape)) or 'scalar'}"]
    try:
        export(args, path, flags, target)
    except Failure:
        return None  # refused at import, or for want of words
    try:
        actual = run(target, inputs)
    except onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException:
        raise
    except Exception as error:  # types that ONNX Runtime has no kernel for
        if "NOT_IMPLEMENTED" in str(error) or "type" in str(error).lower():
            return None
        raise Failure(str(error).splitlines()[0]) from error
    for name, want in expected.items():
        have = actual[name]
        if have.shape != want.shape or have.dtype != want.dtype:
            raise Failure(f"{name} is {have.dtype}{have.shape}, expected {want.dtype}{want.shape}")
        floats = np.issubdtype(want.dtype, np.floating)
        if not np.allclose(have.astype(np.float64), want.astype(np.float64), rtol=1e-3 if floats else 0,
                           atol=1e-5 if floats else 0, equal_nan=True):
            raise Failure(f"{name} is another")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="models of shapes.json")
    parser.add_argument("--int8", nargs="+", default=[], metavar="NAME", help="models to quantize first")
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--limit", type=float, default=LIMIT)
    parser.add_argument("--conformance", type=pathlib.Path, metavar="DIR", help="ONNX's backend tests")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth of them")
    args = parser.parse_args()
    spec, failed = model_inputs.load_spec(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for model, int8 in [*((each, False) for each in args.names), *((each, True) for each in args.int8)]:
            try:
                text = "ok: " + check_model(args, model, spec[model], folder, int8)
            except Failure as failure:
                failed, text = failed + 1, f"FAILED: {failure}"
            print(f"{model:<22}{'int8' if int8 else '':<6}{text}", flush=True)
        results = collections.Counter()
        for path in sorted(args.conformance.glob("**/model.onnx"))[::args.every] if args.conformance else ():
            try:
                results["ok" if check_case(args, path, folder) else "not comparable"] += 1
            except Exception as error:
                failed += 1
                print(f"{path.parent.name}: FAILED: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}", flush=True)
        if results:
            print(f"backend tests: {results['ok']} ok, {results['not comparable']} refused or not comparable")
            failed += not results["ok"]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
