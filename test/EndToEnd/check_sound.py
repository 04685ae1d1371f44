#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the stages from sound to what a model takes to NumPy, in double precision.

Synthesized sounds become the coefficients that keyword spotting takes (30 ms windows,
20 ms apart, 40 bands of the mel scale, 10 coefficients, as MLPerf Tiny has it) and
spectrograms in librosa's definition. With --models, ten sounds also go through
tiny_dscnn_kws, whose scores are those of ONNX Runtime on NumPy's coefficients.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

RATE = 16000
WORDS = """pre: 1
inputs:
- input: input
  name: sound
  stages:
  - sound: {format: s16, samples: 16000}
  - frames: {length: 480, hop: 320, window: hann}
  - spectrum: {size: 512, power: 1}
  - mel: {bands: 40, rate: 16000, low: 20, high: 4000, like: tensorflow}
  - log: {offset: 1.0e-6}
  - dct: {coefficients: 10, norm: tensorflow}
  - reshape: {shape: [1, 1, 49, 10]}
"""
BANDS = """pre: 1
inputs:
- input: input
  name: sound
  stages:
  - sound: {format: f32, samples: 4000}
  - frames: {length: 400, hop: 150, window: hamming}
  - spectrum: {power: 2}
  - mel: {bands: 24, rate: 16000, like: librosa}
  - log: {floor: 1.0e-10}
"""


def synthesize(random, samples):
    """A chord that fades, and noise."""
    t = np.arange(samples) / RATE
    waves = sum(random.uniform(0.05, 0.2) * np.sin(2 * np.pi * random.uniform(80, 5000) * t + random.uniform(0, 6))
                for _ in range(5))
    return waves * np.exp(-t * random.uniform(0, 4)) + random.normal(0, 0.01, samples)


def cut(sound, length, hop, window):
    count = (len(sound) - length) // hop + 1
    return np.stack([sound[i * hop:i * hop + length] for i in range(count)]) * window


def wave(length, constant):
    return constant - (1 - constant) * np.cos(2 * np.pi * np.arange(length) / length)


def tensorflow_mel(bins, bands, low, high):
    def to_mel(hertz):
        return 1127 * np.log1p(np.asarray(hertz, float) / 700)

    at = to_mel(np.linspace(0, RATE / 2, bins))[:, None]
    edges = np.linspace(to_mel(low), to_mel(high), bands + 2)
    weights = np.minimum((at - edges[:-2]) / (edges[1:-1] - edges[:-2]), (edges[2:] - at) / (edges[2:] - edges[1:-1]))
    weights = np.maximum(weights, 0)
    weights[0] = 0
    return weights


def librosa_mel(bins, bands, high):
    def from_mel(mel):
        return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp((mel - 15) * np.log(6.4) / 27))

    edges = from_mel(np.linspace(0, 15 + np.log(high / 1000) * 27 / np.log(6.4), bands + 2))
    at = np.linspace(0, RATE / 2, bins)[:, None]
    weights = np.minimum((at - edges[:-2]) / (edges[1:-1] - edges[:-2]), (edges[2:] - at) / (edges[2:] - edges[1:-1]))
    return np.maximum(weights, 0) * 2 / (edges[2:] - edges[:-2])


def words(sound):
    frames = cut(sound / 32768.0, 480, 320, wave(480, 0.5))
    mel = np.log(np.abs(np.fft.rfft(frames, 512)) @ tensorflow_mel(257, 40, 20, 4000) + 1e-6)
    angles = np.pi / 40 * (np.arange(40)[:, None] + 0.5) * np.arange(10)
    return (mel @ (np.cos(angles) * np.sqrt(2 / 40)))[None, None]


def bands(sound):
    frames = cut(sound.astype(float), 400, 150, wave(400, 0.54))
    return np.log(np.maximum(np.abs(np.fft.rfft(frames)) ** 2 @ librosa_mel(201, 24, RATE / 2), 1e-10))


def compile_model(args, folder, model, pre, *flags):
    (folder / "pre.yaml").write_text(pre)
    subprocess.run([args.bin / "briskc", model, "-o", folder / "model.so", "--emit=shared", "--quiet", "--pre",
                    folder / "pre.yaml", *flags], check=True)


def run(args, folder, sound):
    np.save(folder / "sound.npy", sound)
    subprocess.run([args.bin / "brisk-run", folder / "model.so", "--output-dir", folder / "out",
                    f"--input=sound={folder}/sound.npy"], check=True)
    outputs = json.loads((folder / "out/outputs.json").read_text())["outputs"]
    return np.load(folder / "out" / outputs[0]["file"])


def check_numbers(args, folder):
    random = np.random.default_rng(11)
    cases = [(WORDS, (np.clip(synthesize(random, RATE), -1, 1) * 32767).astype(np.int16), words, "1x1x49x10"),
             (WORDS, np.zeros(RATE, np.int16), words, "1x1x49x10"),
             (BANDS, synthesize(random, 4000).astype(np.float32), bands, "25x24")]
    failed = 0
    for pre, sound, reference, shape in cases:
        want = reference(sound)
        model = folder / "model.mlir"
        model.write_text(f"func.func @same(%x: tensor<{shape}xf32> {{brisk.name = \"input\"}}) -> (tensor<{shape}xf32> "
                         f"{{brisk.name = \"y\"}}) {{\n  return %x : tensor<{shape}xf32>\n}}\n")
        compile_model(args, folder, model, pre)
        off = np.abs(run(args, folder, sound) - want).max()
        fits = off < 1e-3
        failed += not fits
        print(f"{'ok   ' if fits else 'FAIL '} {reference.__name__} of {sound.dtype}: off by {off:.1e}, of {np.abs(want).max():.1f}")
    return failed


def check_model(args, folder):
    model = args.models / "tiny_dscnn_kws.onnx"
    compile_model(args, folder, model, WORDS, "--shape", "input=1x1x49x10")
    session = onnxruntime.InferenceSession(model)
    random, worst, wrong = np.random.default_rng(12), 0.0, 0
    for _ in range(10):
        sound = (np.clip(synthesize(random, RATE), -1, 1) * 32767).astype(np.int16)
        want = session.run(None, {"input": words(sound).astype(np.float32)})[0]
        actual = run(args, folder, sound)
        worst = max(worst, np.abs(actual - want).max())
        wrong += actual.argmax() != want.argmax()
    fits = worst < 1e-3 and not wrong
    print(f"{'ok   ' if fits else 'FAIL '} ten sounds through tiny_dscnn_kws: off by {worst:.1e}, {wrong} labels wrong")
    return not fits


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc and brisk-run")
    parser.add_argument("--models", type=pathlib.Path, help="folder that materialize.py filled")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        failed = check_numbers(args, folder)
        if args.models:
            failed += check_model(args, folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
