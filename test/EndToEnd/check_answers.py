#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the stages after a model to NumPy.

Scores of noise, with equal ones, NaN and boxes without an area among them, go through
each stage of --post; what is expected is computed here, in double precision where it
rounds.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np


def run(args, folder, post, inputs):
    """The outputs of a model that gives its inputs, after `post`."""
    def declare(name, value):
        kind = {"float32": "f32", "uint8": "ui8", "int8": "i8"}[value.dtype.name]
        return f"tensor<{'x'.join(map(str, value.shape))}x{kind}>"

    types = {name: declare(name, value) for name, value in inputs.items()}
    arguments = ", ".join(f"%{name}: {kind} {{brisk.name = \"{name}\"}}" for name, kind in types.items())
    results = ", ".join(f"{kind} {{brisk.name = \"{name}_out\"}}" for name, kind in types.items())
    model, library, text = folder / "model.mlir", folder / "model.so", folder / "post.yaml"
    model.write_text(f"func.func @same({arguments}) -> ({results}) {{\n  return {', '.join('%' + name for name in types)}"
                     f" : {', '.join(types.values())}\n}}\n")
    text.write_text("post: 1\noutputs:\n" + post)
    subprocess.run([args.bin / "briskc", model, "-o", library, "--emit=shared", "--quiet", "--post", text], check=True)
    for name, value in inputs.items():
        np.save(folder / f"{name}.npy", value)
    subprocess.run([args.bin / "brisk-run", library, "--output-dir", folder / "out",
                    *(f"--input={name}={folder / name}.npy" for name in inputs)], check=True)
    outputs = json.loads((folder / "out/outputs.json").read_text())["outputs"]
    return {each["name"]: np.load(folder / "out" / each["file"]) for each in outputs}


def suppress(corners, scores, classes, threshold, iou, most):
    """The places that non-maximum suppression takes, by its definition."""
    corners = corners.astype(np.float32)
    low, high = np.minimum(corners[:, :2], corners[:, 2:]), np.maximum(corners[:, :2], corners[:, 2:])
    areas = (high - low).prod(1, dtype=np.float32)
    taken = []
    for place in sorted((i for i in range(len(scores)) if scores[i] > threshold), key=lambda i: (-scores[i], i)):
        if len(taken) == most:
            break
        for other in taken:
            if classes[other] == classes[place]:
                span = np.maximum(np.minimum(high[place], high[other]) - np.maximum(low[place], low[other]), 0)
                common = np.float32(span[0] * span[1])
                with np.errstate(invalid="ignore"):
                    if common / (areas[place] + areas[other] - common) > np.float32(iou):
                        break
        else:
            taken.append(place)
    return taken


def check_yolo(args, folder):
    random = np.random.default_rng(5)
    boxes, classes = 400, 6
    output = np.empty((1, 4 + classes, boxes), np.float32)
    output[0, :2] = random.uniform(0, 320, (2, boxes))
    output[0, 2:4] = random.uniform(10, 160, (2, boxes))
    output[0, 4:] = random.uniform(0, 1, (classes, boxes)) ** 4
    output[0, 4:, 10:14] = 0.75  # equal ones: the lower place, the lower class
    output[0, 4:, 20] = np.nan
    output[0, 2:4, 30:40] = 0
    centre, half = output[0, :2].T, output[0, 2:4].T * np.float32(0.5)
    corners = np.concatenate([centre - half, centre + half], 1)
    best, scores = output[0, 4:].argmax(0), output[0, 4:].max(0)
    failed = 0
    for most, old in ((300, False), (5, False), (300, True)):
        given, threshold = output, 0.25
        if old:  # version 5: rows, and how sure it is of anything
            sure = random.uniform(0.5, 1, boxes).astype(np.float32)
            given = np.concatenate([output[0, :4], sure[None], output[0, 4:]]).T[None].copy()
            scores = output[0, 4:].max(0) * sure
        post = (f"- names: [boxes, scores, classes, count]\n  stages:\n  - yolo: {{version: {5 if old else 8}, max: {most}, "
                f"score: {threshold}, iou: 0.45, input: {{height: 320, width: 320}}, frame: {{height: 480, width: 641}}}}\n")
        actual = run(args, folder, post, {"x": given})
        places = suppress(corners, scores, best, np.float32(threshold), 0.45, most)
        scale = 320 / 641
        bar = (320 - round(480 * scale)) // 2
        want = np.clip((corners[places] - [0, bar, 0, bar]) / scale, 0, [641, 480, 641, 480])
        count = len(places)
        fits = (actual["count"] == count and np.array_equal(actual["classes"][:count], best[places])
                and np.array_equal(actual["scores"][:count], scores[places])
                and np.allclose(actual["boxes"][:count], want, rtol=0, atol=1e-3)
                and not actual["boxes"][count:].any() and not actual["scores"][count:].any())
        failed += not fits
        print(f"{'ok   ' if fits else 'FAIL '} yolo {5 if old else 8}: {actual['count']} of at most {most} boxes, expected {count}")
    return failed


def check_ctc(args, folder):
    random = np.random.default_rng(6)
    failed = 0
    for classes, blank in ((3, 0), (5, 4), (1, 0)):
        scores = random.uniform(0, 1, (1, 40, classes)).astype(np.float32)
        ids = scores[0].argmax(1)
        want = [i for before, i in zip([blank, *ids], ids) if i not in (blank, before)]
        actual = run(args, folder, f"- names: [ids, count]\n  stages: [ctc: {{blank: {blank}}}]\n", {"x": scores})
        fits = actual["count"] == len(want) and actual["ids"].tolist() == want + [0] * (40 - len(want))
        failed += not fits
        print(f"{'ok   ' if fits else 'FAIL '} ctc of {classes} classes")
    return failed


def check_others(args, folder):
    random = np.random.default_rng(7)
    logits = random.normal(0, 3, (2, 9)).astype(np.float32)
    bytes_ = random.integers(0, 256, (3, 4), np.uint8)
    order = np.argsort(-logits, axis=1, kind="stable")[:, :4]
    wide = np.exp(logits.astype(float))
    cases = {
        "- names: [y]\n  stages: [softmax]\n": (logits, {"y": wide / wide.sum(1, keepdims=True)}),
        "- names: [y]\n  stages: [sigmoid]\n": (logits, {"y": wide / (1 + wide)}),
        "- names: [y]\n  stages: [argmax: {axis: 0}]\n": (logits, {"y": logits.argmax(0)}),
        "- names: [values, places]\n  stages: [top_k: {k: 4}]\n":
            (logits, {"values": np.take_along_axis(logits, order, 1), "places": order}),
        "- names: [y]\n  stages: [dequantize: {scale: 0.25, zero_point: 7}]\n": (bytes_, {"y": (bytes_ - 7.0) / 4}),
    }
    failed = 0
    for post, (value, want) in cases.items():
        actual = run(args, folder, post, {"x": value})
        fits = all(np.allclose(actual[name], expected, rtol=1e-6, atol=1e-7) for name, expected in want.items())
        failed += not fits
        print(f"{'ok   ' if fits else 'FAIL '} {post.split('[')[-1].split(']')[0]}")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc and brisk-run")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return 1 if sum(check(args, pathlib.Path(folder)) for check in (check_yolo, check_ctc, check_others)) else 0


if __name__ == "__main__":
    sys.exit(main())
