#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds a detector from pictures to boxes to OpenCV, ONNX Runtime and NumPy.

Pictures of blurred shapes go through yolov8n_320, compiled with its letterbox before
and its boxes after it. Labels and their number are equal, scores within 1e-3.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy as np
import onnxruntime

from check_answers import suppress

PRE = """pre: 1
inputs:
- name: frame
  stages:
  - frame: {format: rgb, height: 480, width: 640}
  - letterbox: {height: 320, width: 320}
  - normalize: {scale: 255}
  - layout: {order: nchw}
"""
# So few shapes look like anything that low scores have to do.
POST = """post: 1
outputs:
- names: [boxes, scores, classes, count]
  stages:
  - yolo: {score: 0.02, iou: 0.45, max: 50, input: {height: 320, width: 320}, frame: {height: 480, width: 640}}
"""


def draw(random):
    picture = np.full((480, 640, 3), random.integers(0, 256, 3), np.uint8)
    for _ in range(12):
        color = tuple(int(part) for part in random.integers(0, 256, 3))
        x, y, size, other = (int(part) for part in random.integers((0, 0, 20, 20), (600, 450, 200, 200)))
        if random.random() < 0.5:
            cv2.circle(picture, (x, y), size // 2, color, -1)
        else:
            cv2.rectangle(picture, (x, y), (x + size, y + other), color, -1)
    return cv2.GaussianBlur(picture, (5, 5), 0)


def detect(session, picture):
    """Boxes, scores and classes, as the libraries and the definitions have them."""
    image = cv2.copyMakeBorder(cv2.resize(picture, (320, 240)), 40, 40, 0, 0, cv2.BORDER_CONSTANT, value=(114, 114, 114))
    image = (image.astype(np.float32) / 255).transpose(2, 0, 1)[None]
    output = session.run(None, {session.get_inputs()[0].name: image})[0][0]
    centre, half = output[:2].T, output[2:4].T * np.float32(0.5)
    corners = np.concatenate([centre - half, centre + half], 1)
    scores, classes = output[4:].max(0), output[4:].argmax(0)
    taken = suppress(corners, scores, classes, np.float32(0.02), 0.45, 50)
    boxes = np.clip((corners[taken] - [0, 40, 0, 40]) * 2, 0, [640, 480, 640, 480])
    return boxes.reshape(-1, 4), scores[taken], classes[taken]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc and brisk-run")
    parser.add_argument("--models", type=pathlib.Path, required=True, help="folder that materialize.py filled")
    parser.add_argument("--pictures", type=int, default=10, help="how many (default: 10)")
    args = parser.parse_args()
    model = args.models / "yolov8n_320.onnx"
    session, random, failed, seen = onnxruntime.InferenceSession(model), np.random.default_rng(3), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "pre.yaml").write_text(PRE)
        (folder / "post.yaml").write_text(POST)
        subprocess.run([args.bin / "briskc", model, "--shape", "images=1x3x320x320", "--pre", folder / "pre.yaml", "--post",
                        folder / "post.yaml", "--emit=shared", "--quiet", "-o", folder / "model.so"], check=True)
        for number in range(args.pictures):
            picture = draw(random)
            np.save(folder / "frame.npy", picture.reshape(480, 1920))
            subprocess.run([args.bin / "brisk-run", folder / "model.so", "--output-dir", folder / "out",
                            f"--input=frame={folder}/frame.npy"], check=True)
            described = json.loads((folder / "out/outputs.json").read_text())["outputs"]
            found = {each["name"]: np.load(folder / "out" / each["file"]) for each in described}
            boxes, scores, classes = detect(session, picture)
            count = len(scores)
            seen += count
            if not (found["count"] == count and np.array_equal(found["classes"][:count], classes)
                    and np.allclose(found["scores"][:count], scores, rtol=0, atol=1e-3)
                    and np.allclose(found["boxes"][:count], boxes, rtol=0, atol=0.1)):
                failed += 1
                print(f"FAIL  picture {number}: {found['count']} boxes, expected {count}")
    print(f"{args.pictures} pictures, {seen} boxes, {failed} failed")
    return 1 if failed or not seen else 0


if __name__ == "__main__":
    sys.exit(main())
