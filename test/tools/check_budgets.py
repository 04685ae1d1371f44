#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Budgets of briskc: what counts, and what is said where one is exceeded."""

import argparse
import json
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import tool_test
from tool_test import ToolTest, call

INPUT_BYTES = 8 * 64 * 64 * 4
OUTPUT_BYTES = 10 * 4
BIG_BYTES = 16 * 64 * 64 * 4  # what the first convolution writes
FC_BYTES = 1024 * 10 * 4


def write_model(path):
    def value(name, *shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    def weights(name, *shape):
        return numpy_helper.from_array(np.ones(shape, np.float32), name)

    nodes = [helper.make_node("Conv", ["x", "w1"], ["a"], name="first"),
             helper.make_node("MaxPool", ["a"], ["b"], name="pool", kernel_shape=[8, 8], strides=[8, 8]),
             helper.make_node("Flatten", ["b"], ["c"], name="flat"),
             helper.make_node("MatMul", ["c", "w2"], ["y"], name="last")]
    graph = helper.make_graph(nodes, "g", [value("x", 1, 8, 64, 64)], [value("y", 1, 10)],
                              [weights("w1", 16, 8, 1, 1), weights("w2", 1024, 10)])
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), path)


class Budgets(ToolTest):
    def setUp(self):
        super().setUp()
        write_model(self.dir / "m.onnx")
        self.assertEqual(self.compile("--report=r.json").returncode, 0)
        sizes = json.loads((self.dir / "r.json").read_text())
        self.before_stack = sizes["arena_bytes"] + INPUT_BYTES + OUTPUT_BYTES
        self.ram = self.before_stack + sizes["stack_bytes"]
        self.weights = sizes["weights_bytes"]
        self.flash = self.weights + sizes["code_bytes"] + sizes["data_bytes"]
        self.ops = {op["name"] for op in sizes["ops"]}
        for name in os.listdir(self.dir):
            if name != "m.onnx":
                (self.dir / name).unlink()

    def compile(self, *flags):
        return call("briskc", "m.onnx", "-o", "libm.a", "--target=cortex-m4", *flags, cwd=self.dir)

    def refuse(self, *flags):
        result = self.compile(*flags)
        self.assertEqual((result.returncode, os.listdir(self.dir)), (1, ["m.onnx"]), result.stderr)
        return result.stderr

    def test_ram_is_all_that_a_run_needs(self):
        self.assertEqual(self.compile(f"--ram-budget={self.ram}").returncode, 0)
        (self.dir / "libm.a").unlink()
        (self.dir / "m.h").unlink()
        said = self.refuse(f"--ram-budget={self.ram - 1}")
        self.assertRegex(said, rf"error: needs {self.ram} bytes of RAM \(\d+ arena, {INPUT_BYTES} inputs, "
                               rf"{OUTPUT_BYTES} outputs, \d+ stack\), over the budget of {self.ram - 1} by 1; ")

    def test_ram_is_refused_before_code_is_made(self):
        said = self.refuse("--ram-budget=1k")
        self.assertIn(f"needs at least {self.before_stack} bytes of RAM", said)
        self.assertRegex(said, rf"note: node 'first' \(Conv\): writes {BIG_BYTES} bytes of the arena that are live")
        self.assertLessEqual(said.count("note:"), 3)

    def test_flash_is_weights_code_and_data(self):
        self.assertEqual(self.compile(f"--flash-budget={self.flash}").returncode, 0)
        (self.dir / "libm.a").unlink()
        (self.dir / "m.h").unlink()
        said = self.refuse(f"--flash-budget={self.flash - 1}")
        self.assertRegex(said, rf"error: needs {self.flash} bytes of flash \({self.weights} weights, \d+ code, \d+ data")
        self.assertEqual(said.count("note:"), 3)
        self.assertRegex(said, rf"note: node 'last' \(MatMul\): has {FC_BYTES} bytes of weights")
        self.assertRegex(said, r"note: the code of m_kernel_\w+ has \d+ bytes")

    def test_both_are_reported(self):
        # The second by its weights alone, and only by its code.
        for flash in (1024, self.weights + 16):
            said = self.refuse("--ram-budget=1K", f"--flash-budget={flash}")
            self.assertIn(" bytes of RAM (", said)
            self.assertIn(" bytes of flash (", said)
        # One that holds is not spoken of.
        for flags, silent in ((["--ram-budget=1K", "--flash-budget=1G"], "flash"),
                              (["--ram-budget=1G", "--flash-budget=1K"], "RAM")):
            self.assertNotIn(f"bytes of {silent}", self.refuse(*flags))

    def test_where_no_code_is_made(self):
        for emit in ("plan", "kernels", "llvm"):
            result = call("briskc", "m.onnx", "-o", "-", f"--emit={emit}", "--ram-budget=1K", "--flash-budget=1G",
                          cwd=self.dir)
            self.assertEqual(result.returncode, 0 if emit == "plan" else 1)


if __name__ == "__main__":
    _, run = tool_test.main(argparse.ArgumentParser(description=__doc__))
    run()
