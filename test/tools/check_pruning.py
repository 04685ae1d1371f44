#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pruning by briskc: which weights become zero, what the report says, and what is refused."""

import argparse
import json

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import tool_test
from check_calibration import random, write_model
from tool_test import ToolTest, call

# Outputs may be anything.
WHATEVER = "--min-sqnr=-100"


class Pruning(ToolTest):
    def setUp(self):
        super().setUp()
        write_model(self.dir / "m.onnx", [random(32, 4, 1, 1), random(16, 32, 3, 3, seed=1),
                                          random(40, 16, 1, 1, seed=2)])
        np.savez(self.dir / "c.npz", x=random(40, 4, 8, 8, seed=3))

    def compile(self, *flags, model="m.onnx", emit="onnx", calibration="--calibration=c.npz"):
        return call("briskc", model, "-o", "m.out", f"--emit={emit}", "--report=r.json", calibration, *flags, cwd=self.dir)

    def prune(self, *flags, **kwargs):
        result = self.compile(*flags, **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads((self.dir / "r.json").read_text())["pruning"]

    def read_weights(self):
        """The convolutions' weights, as they were exported."""
        graph = onnx.load(self.dir / "m.out").graph
        constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
        return [constants[node.input[1]] for node in graph.node if node.op_type == "Conv"]

    def refuse(self, *fragments, flags, **kwargs):
        (self.dir / "m.out").unlink(missing_ok=True)
        self.assertRefused(self.compile(*flags, **kwargs), *fragments)
        self.assertFalse((self.dir / "m.out").exists())

    def test_fraction(self):
        report = self.prune("--prune=0.5", WHATEVER)
        first, second, third = report["layers"]
        self.assertEqual((first["zeros"], third["zeros"]), (64, 320))
        # And those of channels that happen to be left without a reader.
        self.assertGreaterEqual(second["zeros"], 2304)
        left = [int((w != 0).sum()) for w in self.read_weights()]
        self.assertEqual((left[0], left[2]), (64, 320))
        self.assertLessEqual(left[1], second["weights"] - second["zeros"])
        self.assertEqual((report["samples"], report["weights"]), (40, 128 + 4608 + 640))
        self.assertEqual(report["zeros"], sum(layer["zeros"] for layer in report["layers"]))

    def test_two_of_four(self):
        """Along the input channels, which are innermost in memory."""
        report = self.prune("--prune=2:4", WHATEVER)
        self.assertEqual(report["zeros"], report["weights"] // 2)
        for weights in self.read_weights():
            outputs, inputs, *window = weights.shape
            kept = (weights != 0).reshape(outputs, inputs // 4, 4, *window).sum(axis=2)
            self.assertTrue((kept == 2).all())

    def test_channels(self):
        """They go from both sides, some at a time; inputs and outputs of the model stay."""
        report = self.prune("--prune=channels", WHATEVER)
        self.assertEqual([w.shape for w in self.read_weights()], [(8, 4, 1, 1), (8, 8, 3, 3), (40, 8, 1, 1)])
        first, second, third = report["layers"]
        self.assertEqual((first["weights"], first["zeros"]), (128, 96))
        self.assertEqual(first["reason"], "what it reads has to stay")
        self.assertEqual((second["weights"], second["zeros"]), (4608, 4608 - 8 * 8 * 9))
        self.assertEqual((third["weights"], third["zeros"]), (640, 320))
        self.assertIsNone(first["sqnr_alone"])
        self.assertNotIn("reason", second)

    def test_min_sqnr(self):
        """More decibels leave more weights."""
        for pattern in ("channels", "2:4", "0.6"):
            zeros = []
            for decibels in (-100, 10, 20, 300):
                report = self.prune(f"--prune={pattern}", f"--min-sqnr={decibels}")
                # Without a difference there is no number.
                self.assertTrue(report["sqnr"] is None or report["sqnr"] >= decibels, report)
                zeros.append(report["zeros"])
            self.assertEqual(zeros, sorted(zeros, reverse=True))
            self.assertGreater(zeros[0], zeros[-1])
            self.assertEqual(zeros[-1], 0)

    def test_usual_goal(self):
        report = self.prune("--prune=0.3")
        self.assertGreaterEqual(report["sqnr"], 30)

    def test_inputs_that_vary_together(self):
        """What can be computed from other channels costs nothing."""
        mix = random(2, 4, seed=5)
        x = np.einsum("nchw,cd->ndhw", random(40, 2, 8, 8, seed=3), mix)
        np.savez(self.dir / "c.npz", x=x)
        write_model(self.dir / "m.onnx", [random(6, 4, 1, 1)])
        self.assertEqual(self.prune("--prune=2:4", "--min-sqnr=15")["zeros"], 12)

    def test_with_quantization(self):
        """Zeros stay zeros, and both steps share the goal."""
        report = self.prune("--prune=0.3", "--quantize=int8", "--min-sqnr=25", emit="shared")
        quantization = json.loads((self.dir / "r.json").read_text())["quantization"]
        self.assertGreaterEqual(report["sqnr"], 28)
        self.assertGreaterEqual(quantization["sqnr"], 28)
        self.assertGreater(report["zeros"], 0)
        report = self.prune("--prune=channels", "--quantize=int8", WHATEVER, "--target=aarch64", emit="obj")
        self.assertEqual(report["layers"][1]["zeros"], 4608 - 8 * 8 * 9)

    def test_outputs(self):
        """The model that is written is the one whose figures the report has."""
        report = self.prune("--prune=0.4", "--min-sqnr=15", emit="shared")
        np.save(self.dir / "c.npy", np.load(self.dir / "c.npz")["x"])
        for model, folder in (("m.onnx", "whole"), ("./m.out", "pruned")):
            result = call("brisk-run", model, "--samples", "--input=x=c.npy", f"--output-dir={folder}", cwd=self.dir)
            self.assertEqual(result.returncode, 0, result.stderr)
        whole, pruned = (np.load(self.dir / folder / "0.npy") for folder in ("whole", "pruned"))
        sqnr = 10 * np.log10(np.sum(whole**2) / np.sum((pruned - whole) ** 2))
        self.assertAlmostEqual(sqnr, report["sqnr"], delta=0.1)

    def test_nothing_to_prune(self):
        value = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [1, 4, 8, 8]) for n in "xy"]
        graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "g", value[:1], value[1:])
        onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), self.dir / "n.onnx")
        report = self.prune("--prune=channels", model="n.onnx")
        self.assertEqual((report["weights"], report["layers"], report["sqnr"]), (0, [], None))

    def test_refused_flags(self):
        for value in ("0", "1", "1.5", "-0.5", "nan", "inf", "half", "4:2", "50%"):
            self.refuse(f"--prune={value}", "expected channels, 2:4, or a part of the weights between 0 and 1",
                        flags=(f"--prune={value}",))
        result = call("briskc", "m.onnx", "-o", "m.out", "--emit=shared", "--prune=channels", cwd=self.dir)
        self.assertRefused(result, "--prune takes samples", "--calibration")
        result = call("briskc", "m.onnx", "-o", "m.out", "--emit=shared", "--min-sqnr=30", cwd=self.dir)
        self.assertRefused(result, "--min-sqnr goes with --quantize=int8 and --prune")
        self.refuse("--max-drop and --labels go with each other", flags=("--prune=0.5", "--max-drop=1"))
        self.refuse("two goals", flags=("--prune=0.5", "--max-drop=1", "--labels=l.npy", "--min-sqnr=30"))
        self.refuse("--mixed-precision goes with --quantize=int8", flags=("--prune=0.5", "--mixed-precision=off"))

    def test_refused_data(self):
        self.refuse("'none.npz'", flags=("--prune=0.5",), calibration="--calibration=none.npz")
        np.savez(self.dir / "c.npz", x=random(9, 4, 8, 7))
        self.refuse("array 'x'", "found", flags=("--prune=0.5",))

    def test_labels(self):
        """A label for each row of scores, of which these outputs have many."""
        flags = ("--prune=channels", "--max-drop=100", "--labels=l.npy")
        rows = 40 * 40 * 6
        np.save(self.dir / "l.npy", np.zeros(rows, np.int64))
        report = self.prune(*flags)
        self.assertGreater(report["zeros"], 0)
        np.save(self.dir / "l.npy", np.zeros(rows - 1, np.int64))
        self.refuse(f"expected {rows} labels", f"found {rows - 1}", flags=flags)
        np.save(self.dir / "l.npy", np.full(rows, 6))
        self.refuse("label 6 is none of the 6 classes", flags=flags)
        np.save(self.dir / "l.npy", np.zeros(rows, np.float32))
        self.refuse("expected one dimension of integers", flags=flags)


if __name__ == "__main__":
    _, run = tool_test.main(argparse.ArgumentParser(description=__doc__))
    run()
