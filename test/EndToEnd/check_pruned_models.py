#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that are pruned: what becomes of those that were before, and what briskc's own pruning keeps of the accuracy.

Models with every fourth channel dead are held to ONNX Runtime, which computes the zeros. mnist_mobilenet is pruned by the
samples that check_quantization.py calibrates it with, and judged by images in which it has never seen a pixel.
"""

import argparse
import json
import pathlib
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from check_quantization import BATCH, call, get_sqnr, read_images, run
from onnx import numpy_helper

# What is left at most of the floating point operations, and of the weights' bytes.
DEAD = {"mnist_mobilenet": (0.65, 0.7), "squeezenet": (0.65, 0.68), "mobilenet_v3_large": (0.65, 0.75),
        "tiny_resnet8": (0.6, 0.62), "tiny_mobilenet_vww": (0.65, 0.62), "tiny_dscnn_kws": (0.7, 0.7)}

# Flags of briskc, the least accuracy and SQNR, and what is left at most of the operations and of the weights' bytes.
CASES = (
    ("--prune=channels --min-sqnr=30", 0.975, 28, 0.95, 0.97),
    ("--prune=channels --max-drop=1 --labels=LABELS", 0.95, 0, 0.5, 0.5),
    ("--prune=channels --quantize=int8 --max-drop=1 --labels=LABELS", 0.95, 0, 0.7, 0.25),
    ("--prune=2:4 --max-drop=1 --labels=LABELS", 0.96, 8, 1, 1),
    ("--prune=0.8 --min-sqnr=30", 0.975, 28, 1, 1),
)


def build(args, model, folder, *flags):
    """Compiles to a shared library; its operations, the bytes of its weights, and the rest of the report."""
    call(args.bin / "briskc", model, *flags, "--emit=shared", "-o", folder / "model.so", "--report", folder / "r.json")
    report = json.loads((folder / "r.json").read_text())
    return sum(op["flops"] for op in report["ops"]), report["weights_bytes"], report


def kill_channels(path, folder):
    """Convolutions' weights of every fourth output channel become zero, and of half of these the bias too."""
    model = onnx.load(path)
    constants = {tensor.name: tensor for tensor in model.graph.initializer}

    def clear(name, step):
        array = numpy_helper.to_array(constants[name]).copy()
        array[1::step] = 0
        constants[name].CopyFrom(numpy_helper.from_array(array, name))

    for node in model.graph.node:
        if node.op_type == "Conv" and node.input[1] in constants:
            clear(node.input[1], 4)
            if len(node.input) > 2 and node.input[2] in constants:
                clear(node.input[2], 4)
    onnx.save(model, folder / "dead.onnx")
    return folder / "dead.onnx"


def check_dead(args, name, folder):
    path = args.models / f"{name}.onnx"
    dead = kill_channels(path, folder)
    session = onnxruntime.InferenceSession(dead)
    spec, = session.get_inputs()
    shape = [dim if isinstance(dim, int) and dim > 0 else 1 for dim in spec.shape]
    x = np.random.default_rng(0).standard_normal(shape, np.float32)
    np.save(folder / "x.npy", x)
    flags = "--shape", f"{spec.name}=" + "x".join(map(str, shape))
    flops, weights, _ = build(args, path, folder, *flags)
    dead_flops, dead_weights, _ = build(args, dead, folder, *flags)
    call(args.bin / "brisk-run", folder / "model.so", "--input", f"{spec.name}={folder / 'x.npy'}", "--output-dir",
         folder / "out")
    want, got = session.run(None, {spec.name: x})[0], np.load(folder / "out" / "0.npy")
    error = np.abs(got - want).max() / np.abs(want).max()
    parts = dead_flops / flops, dead_weights / weights
    good = error <= 1e-5 and all(part <= most for part, most in zip(parts, DEAD[name]))
    print(f"{name}: error {error:.1e}, {parts[0]:.0%} of the operations, {parts[1]:.0%} of the weights: "
          f"{'ok' if good else 'FAILED'}")
    return good


def check_pruning(args, folder):
    path = args.models / "mnist_mobilenet.onnx"
    samples, sample_classes, images, classes = read_images(args.models / "mnist_5k.csv.gz")
    exact = onnxruntime.InferenceSession(path).run(None, {"input": images})[0]
    np.savez(folder / "samples.npz", input=samples)
    np.save(folder / "labels.npy", sample_classes)
    batch = "--dim", f"batch={BATCH}"
    flops, weights, _ = build(args, path, folder, *batch)
    failed = 0
    for flags, least_accuracy, least_sqnr, *most in CASES:
        words = flags.replace("LABELS", str(folder / "labels.npy")).split()
        *sizes, report = build(args, path, folder, *batch, "--calibration", folder / "samples.npz", *words)
        parts = sizes[0] / flops, sizes[1] / weights
        logits = run(args, folder / "model.so", images, folder)
        accuracy, sqnr = np.mean(logits.argmax(1) == classes), get_sqnr(logits, exact)
        pruning = report["pruning"]
        good = (accuracy >= least_accuracy and sqnr >= least_sqnr and pruning["zeros"] > 0
                and all(part <= limit for part, limit in zip(parts, most)))
        failed += not good
        print(f"{flags}: accuracy {accuracy:.3f} (at least {least_accuracy}), SQNR {sqnr:.1f} dB (at least {least_sqnr}), "
              f"{pruning['zeros'] / pruning['weights']:.0%} zeros, {parts[0]:.0%} of the operations (at most {most[0]:.0%}), "
              f"{parts[1]:.0%} of the weights' bytes (at most {most[1]:.0%}): {'ok' if good else 'FAILED'}")
    return failed == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--models", type=pathlib.Path, required=True, help="folder of the models and data")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        results = [check_dead(args, model, pathlib.Path(name)) for model in DEAD]
        results.append(check_pruning(args, pathlib.Path(name)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
