#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the reading of frames to OpenCV and Pillow, byte by byte.

Frames of noise in every format, with rows that are longer than their pixels, are
cropped, converted and resized in every way, larger and smaller. INTER_AREA of
OpenCV, where pixels are covered in part, adds up floats in an order of the CPU's:
a byte may be off by one there. A description of --pre is compared as well, from a
camera's frame to the floats that a model takes.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy as np
from PIL import Image

FROM_OPENCV = {"opencv_linear": cv2.INTER_LINEAR, "opencv_area": cv2.INTER_AREA, "opencv_nearest": cv2.INTER_NEAREST}
FROM_PILLOW = {"pillow_bilinear": Image.Resampling.BILINEAR, "pillow_box": Image.Resampling.BOX,
               "pillow_nearest": Image.Resampling.NEAREST}
CONVERSIONS = {("rgb", "bgr"): cv2.COLOR_RGB2BGR, ("bgr", "rgb"): cv2.COLOR_BGR2RGB, ("rgb", "gray"): cv2.COLOR_RGB2GRAY,
               ("bgr", "gray"): cv2.COLOR_BGR2GRAY, ("nv12", "rgb"): cv2.COLOR_YUV2RGB_NV12,
               ("nv12", "bgr"): cv2.COLOR_YUV2BGR_NV12, ("nv12", "gray"): cv2.COLOR_YUV2GRAY_NV12}
SIZES = [(24, 36), (12, 18), (8, 6), (9, 35), (50, 71), (24, 20), (1, 1), (31, 12)]


def read(frame, fmt, width, color, window=None, size=None, method="opencv_linear"):
    """What read_frame gives, by the libraries themselves."""
    pixels = frame[:, :width * (3 if fmt in ("rgb", "bgr") else 1)]
    picture = np.ascontiguousarray(pixels.reshape(len(frame), width, -1) if fmt != "nv12" else pixels)
    if fmt != color and fmt != "gray":
        picture = cv2.cvtColor(picture, CONVERSIONS[fmt, color])
    picture = picture.reshape(picture.shape[0], picture.shape[1], -1)
    if fmt == "gray" and color != "gray":
        picture = np.repeat(picture, 3, 2)
    if window:
        top, left, height, width = window
        picture = picture[top:top + height, left:left + width]
    if size and method in FROM_OPENCV:
        picture = cv2.resize(np.ascontiguousarray(picture), size[::-1], interpolation=FROM_OPENCV[method])
    elif size:
        whole = Image.fromarray(picture[:, :, 0] if picture.shape[2] == 1 else picture)
        picture = np.asarray(whole.resize(size[::-1], FROM_PILLOW[method]))
    return picture.reshape(picture.shape[0], picture.shape[1], -1)


def make_cases():
    """Formats, widths of rows, and the rest of what `read` takes."""
    for fmt, color in [("gray", "gray"), ("gray", "rgb"), ("rgb", "rgb"), *CONVERSIONS]:
        yield fmt, color, None, None, "opencv_linear"
        yield fmt, color, (3, 5, 17, 9), (11, 13), "opencv_linear"
    for method, size in itertools.product([*FROM_OPENCV, *FROM_PILLOW], SIZES):
        yield "rgb", "rgb", None, size, method
        yield "gray", "gray", (0, 2, 23, 31), size, method


def covers_parts(picture, window):
    """True if a picture that is made smaller is not made of whole pixels."""
    height, width = window[2:] if window else (24, 36)
    rows, columns = picture.shape[:2]
    return height >= rows and width >= columns and bool(height % rows or width % columns)


def run(args, folder, model, inputs, *flags):
    library = folder / "model.so"
    subprocess.run([args.bin / "briskc", model, "-o", library, "--emit=shared", "--quiet", *flags], check=True)
    for name, value in inputs.items():
        np.save(folder / f"{name}.npy", value)
    subprocess.run([args.bin / "brisk-run", library, "--output-dir", folder / "out",
                    *(f"--input={name}={folder / name}.npy" for name in inputs)], check=True)
    outputs = json.loads((folder / "out/outputs.json").read_text())["outputs"]
    return {each["name"]: np.load(folder / "out" / each["file"]) for each in outputs}


def check_ops(args, folder):
    random = np.random.default_rng(7)
    height, width = 24, 36
    frames = {fmt: random.integers(0, 256, (height * 3 // 2 if fmt == "nv12" else height, row), np.uint8)
              for fmt, row in (("gray", 40), ("rgb", 111), ("bgr", 108), ("nv12", 36))}
    body, results, expected, exact = [], [], {}, {}
    for number, (fmt, color, window, size, method) in enumerate(make_cases()):
        want = read(frames[fmt], fmt, width, color, window, size, method)
        attributes = [f"format = #brisk<frame_format {fmt}>", f"width = {width}", f"color = #brisk<frame_format {color}>",
                      f"resize = #brisk<frame_resize {method}>"]
        for key, value in (("window", window), ("size", size)):
            if value:
                attributes.append(f"{key} = array<i64: {', '.join(map(str, value))}>")
        source = "x".join(map(str, frames[fmt].shape))
        kind = f"tensor<{'x'.join(map(str, want.shape))}xui8>"
        body.append(f"  %{number} = brisk.read_frame %{fmt} {{{', '.join(attributes)}}} : (tensor<{source}xui8>) -> {kind}")
        results.append((f"%{number}", kind))
        name = f"{number}: {fmt} to {color}, window {window}, size {size}, {method}"
        expected[f"y{number}"], exact[f"y{number}"] = (name, want), method != "opencv_area" or not covers_parts(want, window)
    arguments = ", ".join(f"%{fmt}: tensor<{'x'.join(map(str, frame.shape))}xui8> {{brisk.name = \"{fmt}\"}}"
                          for fmt, frame in frames.items())
    types = ", ".join(f"{kind} {{brisk.name = \"y{i}\"}}" for i, (_, kind) in enumerate(results))
    model = folder / "model.mlir"
    model.write_text(f"func.func @frames({arguments}) -> ({types}) {{\n" + "\n".join(body) + "\n  return "
                     + ", ".join(value for value, _ in results) + " : " + ", ".join(kind for _, kind in results) + "\n}\n")
    outputs = run(args, folder, model, frames)
    failed = 0
    for key, (name, want) in expected.items():
        off = np.abs(outputs[key].astype(int) - want.astype(int)).max()
        if off > (0 if exact[key] else 1):
            failed += 1
            print(f"FAIL  {name}: off by {off}")
    print(f"{len(expected)} ways to read a frame, {failed} failed")
    return failed


DESCRIPTION = """pre: 1
inputs:
- input: image
  name: camera
  stages:
  - frame: {format: nv12, height: 48, width: 64, pitch: 80}
  - crop: {top: 4, left: 8, height: 40, width: 50}
  - letterbox: {height: 33, width: 32, fill: 114}
  - normalize: {scale: 255, mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225]}
  - layout: {order: nchw}
"""


def check_description(args, folder):
    frame = np.random.default_rng(8).integers(0, 256, (72, 80), np.uint8)
    (folder / "pre.yaml").write_text(DESCRIPTION)
    model = folder / "identity.mlir"
    model.write_text("func.func @identity(%x: tensor<1x3x33x32xf32> {brisk.name = \"image\"}) -> "
                     "(tensor<1x3x33x32xf32> {brisk.name = \"y\"}) {\n  %0 = brisk.neg %x : (tensor<1x3x33x32xf32>) -> "
                     "tensor<1x3x33x32xf32>\n  return %0 : tensor<1x3x33x32xf32>\n}\n")
    actual = run(args, folder, model, {"camera": frame}, "--pre", folder / "pre.yaml")["y"]
    picture = read(frame, "nv12", 64, "rgb", (4, 8, 40, 50), (26, 32))
    box = np.full((33, 32, 3), 114, np.uint8)  # seven rows are left: three above, four below
    box[3:29] = picture
    mean, deviation = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])
    want = -((box.astype(np.float32) / 255 - mean) / deviation).transpose(2, 0, 1)[None]
    if not np.allclose(actual, want, rtol=0, atol=1e-6):
        print(f"FAIL  description: off by {np.abs(actual - want).max()}")
        return 1
    print("ok    a description, from a camera's frame to the model's input")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc and brisk-run")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        return 1 if check_ops(args, folder) + check_description(args, folder) else 0


if __name__ == "__main__":
    sys.exit(main())
