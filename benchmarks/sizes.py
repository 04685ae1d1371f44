#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how much smaller models get when they are quantized: bytes of weights
(scales and biases included), of the arena for one worker and of code, as Brisk
compiles the f32 models and those that ONNX Runtime's quantizer makes of them.

It takes the Python that ./bootstrap makes: .venv/bin/python3 benchmarks/sizes.py
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "test" / "models")]

import inputs as model_inputs
import quantize

FIGURES = ("weights", "arena", "code")


def measure(build, target, path, flags, folder):
    """Bytes by figure of a compiled model."""
    report = folder / "report.json"
    subprocess.run([build / "bin" / "briskc", path, "--emit=obj", "-o", folder / "model.o", "--quiet",
                    "--target", target, "--report", report, *flags], check=True)
    values = json.loads(report.read_text())
    return {figure: values[f"{figure}_bytes"] for figure in FIGURES}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", default=list(quantize.MODELS), metavar="NAME",
                        help="models of shapes.json (default: those of benchmarks/quantize.py)")
    parser.add_argument("--target", default="host", help="machine to compile for (default: host)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build folder of Brisk")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write the figures to FILE")
    args = parser.parse_args()
    spec = model_inputs.load_spec()
    if unknown := sorted(set(args.models) - set(spec)):
        parser.error(f"no such model: {' '.join(unknown)} (known: {' '.join(spec)})")
    models = args.build / "models"
    subprocess.run([sys.executable, "-B", ROOT / "test" / "models" / "materialize.py", models, *args.models], check=True)

    print(f"{'model':<20}" + "".join(f"{figure + ' f32':>14}{'int8':>12}{'int8/f32':>10}" for figure in FIGURES))
    report = {}
    with tempfile.TemporaryDirectory() as name:
        for model in args.models:
            flags = model_inputs.shape_flags(spec[model])
            paths = {"f32": models / f"{model}.onnx", "int8": quantize.quantize(models, model, spec[model])}
            report[model] = {kind: measure(args.build, args.target, path, flags, pathlib.Path(name))
                             for kind, path in paths.items()}
            f32, int8 = report[model]["f32"], report[model]["int8"]
            print(f"{model:<20}" + "".join(
                f"{f32[figure]:>14,}{int8[figure]:>12,}" + (f"{int8[figure] / f32[figure]:>10.1%}" if f32[figure] else f"{'-':>10}")
                for figure in FIGURES), flush=True)
    if args.json:
        args.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
