#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds every op that takes indices or lengths from the data to what docs/runtime.md says of those out of range, which
ONNX leaves open. NumPy computes what is expected."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import helper

SIZE = 5
WILD = np.array([-2**63, -2**32 + 1, -2**31 - 1, -SIZE - 1, -SIZE, -1, 0, SIZE - 1, SIZE, 2**31 + 1, 2**32, 2**32 + 1,
                 2**63 - 1], np.int64)


def wrap(index):
    """As Python numbers, which do not overflow."""
    return np.array([i + SIZE if i < 0 else i for i in index.ravel().tolist()], object).reshape(index.shape)


def clamp(index):
    return np.clip(wrap(index), 0, SIZE - 1).astype(np.int64)


def within(index):
    return (wrap(index) >= 0) & (wrap(index) < SIZE)


def scatter(data, rows, updates, reduction="none"):
    """Rows that are out of range are left out."""
    result = data.copy()
    for row, inside, update in zip(wrap(rows).tolist(), within(rows), updates):
        if inside:
            result[row] = result[row] + update if reduction == "add" else update
    return result


def cases():
    """Name, op, attributes, inputs and the expected outputs (None: not looked at)."""
    rng = np.random.default_rng(0)
    data = rng.standard_normal((SIZE, 3)).astype(np.float32)
    column = data[:, 0].copy()
    wide = np.stack([WILD] * 3, 1)
    picked = np.take_along_axis(data, clamp(wide), 0)
    updates = rng.standard_normal((len(WILD), 3)).astype(np.float32)
    yield "Gather of rows", "Gather", {}, [data, WILD], [data[clamp(WILD)]]
    yield "Gather of elements", "Gather", {}, [column, WILD], [column[clamp(WILD)]]
    yield "Gather in 32 bits", "Gather", {}, [data, np.array([-2**31, 2**31 - 1, 2], np.int32)], [data[[0, SIZE - 1, 2]]]
    yield "GatherElements", "GatherElements", {"axis": 0}, [data, wide], [picked]
    yield "GatherND", "GatherND", {}, [data, WILD[:, None]], [data[clamp(WILD)]]
    yield "ScatterElements", "ScatterElements", {"axis": 0}, [column, WILD, updates[:, 0].copy()], [
        scatter(column, WILD, updates[:, 0])]
    yield "ScatterElements, add", "ScatterElements", {"axis": 0, "reduction": "add"}, [
        column, WILD, updates[:, 0].copy()], [scatter(column, WILD, updates[:, 0], "add")]
    yield "ScatterND", "ScatterND", {}, [data, WILD[:, None], updates], [scatter(data, WILD, updates)]
    yield "ScatterND, add", "ScatterND", {"reduction": "add"}, [data, WILD[:, None], updates], [
        scatter(data, WILD, updates, "add")]
    hot = np.zeros((len(WILD), SIZE), np.float32)
    hot[within(WILD), wrap(WILD)[within(WILD)].astype(int)] = 1
    yield "OneHot", "OneHot", {}, [WILD, np.array(SIZE), np.array([0, 1], np.float32)], [hot]
    lengths = np.array([-2**63, -1, 0, 2, SIZE, SIZE + 1, 2**32 + 2, 2**63 - 1], np.int64)
    sequence = rng.standard_normal((SIZE, len(lengths))).astype(np.float32)
    mirrored = sequence.copy()
    for i, length in enumerate(np.clip(lengths, 0, SIZE)):
        mirrored[:length, i] = sequence[:length, i][::-1]
    yield "ReverseSequence", "ReverseSequence", {}, [sequence, lengths], [mirrored]
    square = rng.standard_normal((3, 3)).astype(np.float32)
    for k in (-2**63, -2**32, -1, 2**32, 2**63 - 1):
        yield f"Trilu by {k}", "Trilu", {"upper": 1}, [square, np.array(k)], [np.triu(square, max(-9, min(9, k)))]
    scores = rng.standard_normal((len(WILD), SIZE)).astype(np.float32)
    losses = -scores[np.arange(len(WILD)), clamp(WILD)]
    yield "NegativeLogLikelihoodLoss", "NegativeLogLikelihoodLoss", {"reduction": "none"}, [scores, WILD], [losses]
    image = rng.standard_normal((1, 1, SIZE, 3)).astype(np.float32)
    grid = np.zeros((1, 1, 5, 2), np.float32)  # in the middle row
    grid[..., 0] = [np.nan, -np.inf, -1e30, 1e30, np.inf]
    for mode in ("nearest", "bilinear", "bicubic"):
        for padding, value in (("zeros", np.zeros(5)), ("border", image[0, 0, SIZE // 2, [0, 0, 0, -1, -1]])):
            yield f"GridSample, {mode}, {padding}", "GridSample", {"mode": mode, "padding_mode": padding}, [image, grid], [
                value.astype(np.float32).reshape(1, 1, 1, 5)]
    # Steps at and behind the length give zeros.
    steps = np.array([-3, 0, 2, SIZE, SIZE + 4, 2**31 - 1], np.int32)
    x = rng.standard_normal((SIZE, len(steps), 2)).astype(np.float32)
    w = rng.standard_normal((1, 1, 2)).astype(np.float32)
    r = np.zeros((1, 1, 1), np.float32)
    y = np.tanh(x @ w[0].T)
    y[np.arange(SIZE)[:, None] >= np.clip(steps, 0, SIZE)[None, :]] = 0
    yield "RNN", "RNN", {"hidden_size": 1}, [x, w, r, None, steps], [y[:, None]]


def run_case(args, folder, name, op, attributes, inputs, expected):
    fixed = {"OneHot": (1,), "RNN": (1, 2)}.get(op, ())  # which have to be constant
    given = [(i, value) for i, value in enumerate(inputs) if value is not None]
    names = ["" if value is None else f"i{i}" for i, value in enumerate(inputs)]
    node = helper.make_node(op, names, [f"o{i}" for i in range(len(expected))], **attributes)
    infos = [helper.make_tensor_value_info(f"i{i}", helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
             for i, value in given if i not in fixed]
    constants = [onnx.numpy_helper.from_array(value, f"i{i}") for i, value in given if i in fixed]
    outputs = [helper.make_tensor_value_info(f"o{i}", helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
               for i, value in enumerate(expected)]
    model = helper.make_model(helper.make_graph([node], "g", infos, outputs, constants), ir_version=9,
                              opset_imports=[helper.make_opsetid("", 18)])
    onnx.save(model, folder / "m.onnx")
    flags = []
    for i, value in given:
        if i not in fixed:
            np.save(folder / f"{i}.npy", value)
            flags.append(f"--input=i{i}={folder / f'{i}.npy'}")
    result = subprocess.run([args.bin / "brisk-run", folder / "m.onnx", *flags, "--output-dir", folder / "out"],
                            capture_output=True, text=True)
    if result.returncode:
        return f"exit code {result.returncode}: {result.stderr}"
    for i, value in enumerate(expected):
        got = np.load(folder / "out" / f"{i}.npy")
        if not np.allclose(got, value, rtol=1e-5, atol=1e-6):
            return f"output {i} is\n{got}\nand not\n{value}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in cases():
            fault = run_case(args, pathlib.Path(folder), *case)
            if fault:
                failed += 1
                print(f"FAIL  {case[0]}: {fault}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
