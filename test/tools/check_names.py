#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names of tensors and nodes that hold any bytes, in all that the tools write."""

import argparse
import csv
import json
import os
import pathlib
import subprocess


import numpy as np
from onnx import TensorProto, helper

import tool_test
from tool_test import ToolTest, call

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "runtime" / "include"
# What is in a model, and what a reader of text sees of it.
NAMES = {
    "latin1": (b"caf\xe9", "caf\N{REPLACEMENT CHARACTER}"),
    "bytes": (b"\xff\xfe\xc0", 3 * "\N{REPLACEMENT CHARACTER}"),
    "cut": (b"x\xe4\xb8", "x\N{REPLACEMENT CHARACTER}"),
    "surrogate": (b"a\xed\xa0\x80", "a" + 3 * "\N{REPLACEMENT CHARACTER}"),
    "text": ("größe 中".encode(), "größe 中"),
    "comment": (b"a*/ int b; /*", "a*/ int b; /*"),
    "quotes": (b"a\"b\\\"c'", "a\"b\\\"c'"),
    "lines": (b"a\nb\r\tc\x1b[31m", "a\nb\r\tc\x1b[31m"),
    "zero": (b"a\0b", "a\N{REPLACEMENT CHARACTER}b"),
    "trigraph": (b"a??/", "a??/"),
    "backslash": (b"a\\", "a\\"),
    "comma": (b"a,b;\"", "a,b;\""),
    "formula": (b"</script>%s%n", "</script>%s%n"),
}


def write_model(path, name):
    """One Relu and one Neg, all of whose names are `name` and a digit."""
    kinds = ("x", "y", "n", "m", "h")
    stand_ins = {kind: f"{kind:@>{len(name) + 1}}" for kind in kinds}
    x, y, n, m, h = (stand_ins[kind] for kind in kinds)
    graph = helper.make_graph(
        [helper.make_node("Relu", [x], [h], name=n), helper.make_node("Neg", [h], [y], name=m)], "g",
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, [1, 4])],
        [helper.make_tensor_value_info(y, TensorProto.FLOAT, [1, 4])])
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])
    data = model.SerializeToString()
    for kind, stand_in in stand_ins.items():
        data = data.replace(stand_in.encode(), name + kind.encode())
    path.write_bytes(data)


class AnyBytes(ToolTest):
    def check(self, name, seen):
        def run(tool, *args):
            result = call(tool, *args, cwd=self.dir, text=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout.decode()  # strictly

        write_model(self.dir / "m.onnx", name)
        # What flags say may go into comments, too.
        flags = [] if b"\0" in name else [os.fsdecode(b"--shape=" + name + b"x=1x4")]
        run("briskc", "m.onnx", "-o", "libm.a", "--report=r.json", "--profile", *flags)
        names = {op["name"] for op in json.loads((self.dir / "r.json").read_text())["ops"]}
        self.assertIn(seen, next(iter(names)))
        header = (self.dir / "m.h").read_bytes().decode()
        (self.dir / "m.c").write_text(f'#include "m.h"\nconst brisk_model *get(void) {{ return &m_model; }}\n')
        subprocess.run(["cc", "-fsyntax-only", "-std=c11", "-trigraphs", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}",
                        "m.c"], cwd=self.dir, check=True)
        recognisable = "".join(c if c.isprintable() and c != "*" else "?" for c in seen)
        self.assertIn(f"/* {recognisable}x: 1x4 */", header)

        run("briskc", "m.onnx", "-o", "m.so", "--emit=shared", "--profile")
        data = np.array([[1, -1, 2, -2]], np.float32)
        np.save(self.dir / "x.npy", data)
        for model in ("m.so", "m.onnx"):
            run("brisk-run", model, f"--input={seen}x=x.npy", "--output-dir=o")
            self.assertEqual(json.loads((self.dir / "o/outputs.json").read_text())["outputs"][0]["name"], seen + "y")
            np.testing.assert_array_equal(np.load(self.dir / "o/0.npy"), -np.maximum(data, 0))
        table = run("brisk-bench", "m.so", "--warmup-ms=0", "--duration-s=0", "--iterations=1", "--profile",
                    "--json=b.json", "--csv=b.csv", "--trace=b.trace")
        self.assertIn("".join(c if c.isprintable() else "?" for c in seen) + "x", table)
        self.assertIn(seen, json.loads((self.dir / "b.json").read_text())["ops"][0]["name"])
        with open(self.dir / "b.csv", encoding="utf-8", newline="") as file:
            self.assertIn(seen, list(csv.DictReader(file))[1]["name"])
        events = json.loads((self.dir / "b.trace").read_text())["traceEvents"]
        self.assertTrue(any(seen in event["name"] for event in events))
        run("briskc", "m.onnx", "-o", "m", "--emit=exe", "--profile")
        table = subprocess.run([self.dir / "m", "--warmup-ms=0", "--duration-s=0", "--iterations=1"],
                               capture_output=True, check=True).stdout.decode()
        self.assertTrue(all(line.isprintable() for line in table.split("\n")))
        # Messages are text too.
        for flag in (f"--shape={seen}x=9", "--shape=nowhere=9"):
            result = call("briskc", "m.onnx", "-o", "n.a", flag, cwd=self.dir, text=False)
            self.assertEqual(result.returncode, 1)
            self.assertNotIn("\x1b", result.stderr.decode())


for key, (raw, readable) in NAMES.items():
    setattr(AnyBytes, f"test_{key}", lambda self, raw=raw, readable=readable: self.check(raw, readable))


if __name__ == "__main__":
    _, run_tests = tool_test.main(argparse.ArgumentParser(description=__doc__))
    run_tests()
