#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what artifacts say of where they come from, on a model with two files of external data: hashlib and llvm-readelf
are the judges."""

import argparse
import hashlib
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def write_model(folder):
    """x + late + early, with the weights in late.bin and early.bin; returns the SHA-256 that artifacts are to give."""
    weights = {"late": np.arange(400, dtype=np.float32), "early": np.ones(400, np.float32)}
    tensors = []
    for name, values in weights.items():
        tensor = numpy_helper.from_array(values, name)
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        entry = tensor.external_data.add()
        entry.key, entry.value = "location", f"{name}.bin"
        (folder / f"{name}.bin").write_bytes(values.tobytes())
        tensors.append(tensor)
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", 400]) for name in "xy")
    nodes = [helper.make_node("Add", ["x", "late"], ["t"]), helper.make_node("Add", ["t", "early"], ["y"])]
    model = helper.make_model(helper.make_graph(nodes, "sum", [x], [y], tensors),
                              opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, folder / "sum.onnx")
    return hashlib.sha256(b"".join((folder / name).read_bytes() for name in ("sum.onnx", "early.bin", "late.bin"))
                          ).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--llvm-bin", type=pathlib.Path, required=True, help="folder of LLVM's tools")
    args = parser.parse_args()
    version = run(args.bin / "briskc", "--version").split()[1]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        digest = write_model(folder)
        flags = ["--target", "aarch64", "--dim", "n=2", "--profile"]
        expected = [f"Brisk {version}", digest, "--target=aarch64 --profile --dim n=2"]
        for emit, name in (("obj", "a.o"), ("lib", "liba.a"), ("shared", "a.so")):
            run(args.bin / "briskc", folder / "sum.onnx", *flags, f"--emit={emit}", "-o", folder / name)
            comments = run(args.llvm_bin / "llvm-readelf", "-p", ".comment", folder / name)
            # Each member of an archive has its own, the weights too.
            count = comments.count("\nFile:") or 1
            if any(comments.count(text) != count for text in expected):
                print(f"FAIL  {name}: its .comment says\n{comments}")
                failed += 1
        ir = run(args.bin / "briskc", folder / "sum.onnx", *flags, "--emit=llvm", "-o", "-")
        header = (folder / "a.h").read_text()
        for text in expected:
            if f'c"{text}\\00"' not in ir:
                print(f"FAIL  the descriptor does not say '{text}'")
                failed += 1
            if text not in header:
                print(f"FAIL  the header does not say '{text}':\n{header[:500]}")
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
