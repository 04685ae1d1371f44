#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what brisk-run computes with ONNX Runtime, model by model.

The inputs are seeded; every output must have ONNX Runtime's name, type and
shape. Floats may differ by the relative L2 error of the model's limit, other
types not at all. Where floats differ by more, double precision may show that
it is ONNX Runtime that is off (test/models/referee.py); the table says so.
Models that are known to fail stand in an expectation file as "NAME: REASON";
one that fails without standing there fails the test, and so does one that
stands there and passes.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))

import numpy as np
import onnxruntime

import inputs as model_inputs
from referee import Referee, Verdict


# Relative errors of models whose products are computed from such floats.
QUANTIZED_LIMITS = {"bf16": 2e-2, "f16": 5e-3}


class Failure(Exception):
    """A model does not do what it should; the text says how."""


def read_expectations(path, known):
    expected = {}
    if not path.exists():
        return expected
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, separator, reason = line.partition(":")
        if not separator or not reason.strip() or name not in known:
            sys.exit(f"{path}:{number}: expected 'NAME: REASON' with a NAME of shapes.json")
        expected[name] = reason.strip()
    return expected


def reference(path, inputs):
    """ONNX Runtime's outputs by name, in order."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs)))


def run_tool(command, timeout):
    name = pathlib.Path(command[0]).name
    try:
        result = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Failure(f"{name} did not end within {timeout:.0f} s") from None
    if result.returncode != 0:
        lines = result.stdout.strip().splitlines() or ["no message"]
        first = next((line for line in lines if "error" in line), lines[-1])
        raise Failure(f"{name} ended with {result.returncode}: {first}")


def run_brisk(args, path, entry, inputs, folder):
    """Brisk's outputs as a list of (name, array)."""
    model, shapes = str(path), model_inputs.shape_flags(entry)
    flags = [f"--{flag}={value}" for flag in ("target", "quantize") if (value := getattr(args, flag))]
    if flags:
        library = str(folder / "model.so")
        run_tool([str(args.bin / "briskc"), model, "-o", library, "--emit=shared", *flags, *shapes], args.timeout)
        model, shapes = library, []
    command = [str(args.bin / "brisk-run"), model, *shapes, "--output-dir", str(folder / "out")]
    if args.threads:
        command += ["--threads", str(args.threads)]
    for number, (name, value) in enumerate(inputs.items()):
        np.save(folder / f"{number}.npy", value)
        command += ["--input", f"{name}={folder / f'{number}.npy'}"]
    run_tool(command, args.timeout)
    described = json.loads((folder / "out" / "outputs.json").read_text())["outputs"]
    return [(output["name"], np.load(folder / "out" / f"{number}.npy"))
            for number, output in enumerate(described)]


def compare(referee, name, actual, expected, limit):
    """The verdict on one output."""
    if actual.dtype != expected.dtype:
        raise Failure(f"output {name} has type {actual.dtype}, expected {expected.dtype}")
    if actual.shape != expected.shape:
        raise Failure(f"output {name} has shape {actual.shape}, expected {expected.shape}")
    if np.issubdtype(expected.dtype, np.floating):
        if not np.isfinite(expected).all():
            raise Failure(f"output {name} of ONNX Runtime is not finite: the inputs do not suit the model")
        return referee.judge(name, actual, expected, limit)
    equal = np.array_equal(actual, expected)
    return Verdict(0.0 if equal else float("inf"), equal)


def check_model(args, name, entry, limit):
    """Returns the rows of the table: (output, type, shape, verdict)."""
    path = args.models / f"{name}.onnx"
    if not path.is_file():
        raise Failure(f"{path} is missing; run test/models/materialize.py {args.models}")
    inputs = model_inputs.make_inputs(path, entry, args.seed)
    expected = reference(path, inputs)
    with tempfile.TemporaryDirectory() as folder:
        actual = run_brisk(args, path, entry, inputs, pathlib.Path(folder))
    if [output for output, _ in actual] != list(expected):
        raise Failure(f"the outputs are {[output for output, _ in actual]}, expected {list(expected)}")
    referee = Referee(path, inputs)
    return [(output, value.dtype, value.shape, compare(referee, output, value, expected[output], limit))
            for output, value in actual]


def main():
    spec = model_inputs.load_spec()
    parser = argparse.ArgumentParser(description="Compares brisk-run with ONNX Runtime.")
    parser.add_argument("names", metavar="NAME", nargs="*", help="models of shapes.json (default: all)")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of brisk-run and briskc")
    parser.add_argument("--models", type=pathlib.Path, required=True, help="folder that materialize.py filled")
    parser.add_argument("--expectations", type=pathlib.Path, default=HERE / "expected_failures.txt",
                        help="file of known failures")
    parser.add_argument("--target", help="compile for this target first (default: brisk-run compiles for the host)")
    parser.add_argument("--quantize", choices=QUANTIZED_LIMITS, help="passed to briskc; the limit is that of the type")
    parser.add_argument("--threads", type=int, help="passed to brisk-run")
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one tool")
    args = parser.parse_args()
    unknown = sorted(set(args.names) - set(spec))
    if unknown:
        parser.error(f"no such model: {' '.join(unknown)} (known: {' '.join(spec)})")
    known_failures = read_expectations(args.expectations, spec)

    print(f"{'model':<20} {'output':<28} {'type':<8} {'shape':<18} {'rel. L2':>9} {'limit':>7} "
          f"{'s':>6}  result", flush=True)
    passed = failed = known = 0
    for name in args.names or spec:
        start = time.monotonic()
        limit = QUANTIZED_LIMITS[args.quantize] if args.quantize else model_inputs.error_limit(name)
        fault, rows = None, []
        try:
            rows = check_model(args, name, spec[name], limit)
            bad = [output for output, _, _, verdict in rows if not verdict.is_right]
            if bad:
                fault = f"differs from ONNX Runtime: {', '.join(bad)}"
        except Failure as failure:
            fault = str(failure)
        seconds = time.monotonic() - start
        for output, dtype, shape, verdict in rows:
            result = f"{'ok' if verdict.is_right else 'WRONG'} {verdict.text}".rstrip()
            print(f"{name:<20} {output[:28]:<28} {dtype!s:<8} {'x'.join(map(str, shape)):<18} {verdict.error:>9.2e} "
                  f"{limit:>7.0e} {seconds:>6.1f}  {result}")
        if fault and name in known_failures:
            known += 1
            print(f"{name:<20} fails as expected: {fault}", flush=True)
        elif fault:
            failed += 1
            print(f"{name:<20} FAIL: {fault}", flush=True)
        elif name in known_failures:
            failed += 1
            print(f"{name:<20} FAIL: passes, though {args.expectations.name} lists it: "
                  f"{known_failures[name]}", flush=True)
        else:
            passed += 1
            sys.stdout.flush()
    print(f"{passed} passed, {failed} failed, {known} failed as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
