#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantization of weights alone by briskc: what becomes of layers and bytes, numbers, ONNX, and what is refused."""

import argparse
import json

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import tool_test
from tool_test import ToolTest, call

INPUTS, HIDDEN, OUTPUTS, WORDS = 70, 96, 33, 50


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def write_model(path, first, table):
    """Rows of a table by two products, of which the second has a bias, a convolution of three pixels, and a
    transposed one."""
    constants = {"table": table, "w0": first, "w1": random(HIDDEN, OUTPUTS, seed=1), "b1": random(OUTPUTS, seed=2),
                 "filter": random(2, 1, 3, 3, seed=3), "spread_filter": random(1, 1, 2, 2, seed=7)}
    nodes = [helper.make_node("Gather", ["table", "words"], ["rows"], name="embed"),
             helper.make_node("MatMul", ["rows", "w0"], ["h"], name="first"),
             helper.make_node("Relu", ["h"], ["r"]),
             helper.make_node("Gemm", ["r", "w1", "b1"], ["y"], name="second"),
             helper.make_node("ConvTranspose", ["image", "spread_filter"], ["wide"], name="spread", strides=[2, 2]),
             helper.make_node("Conv", ["wide", "filter"], ["z"], name="pixels", strides=[2, 2], pads=[0, 0, 1, 1])]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("words", TensorProto.INT64, [5]),
                     helper.make_tensor_value_info("image", TensorProto.FLOAT, [1, 1, 8, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [5, OUTPUTS]),
         helper.make_tensor_value_info("z", TensorProto.FLOAT, [1, 2, 8, 8])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()])
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), path)


class Weights(ToolTest):
    def setUp(self):
        super().setUp()
        self.inputs = {"words": np.int64([0, 7, 49, 3, 3]), "image": random(1, 1, 8, 8, seed=4)}
        self.write()

    def write(self, first=None, table=None):
        write_model(self.dir / "m.onnx", random(INPUTS, HIDDEN, seed=5) if first is None else first,
                    random(WORDS, INPUTS, seed=6) if table is None else table)

    def quantize(self, kind, *flags):
        result = call("briskc", "m.onnx", "-o", "m.so", "--emit=shared", f"--quantize={kind}", "--report=r.json", *flags, cwd=self.dir)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("warning", result.stderr)
        return json.loads((self.dir / "r.json").read_text())

    def run_model(self, model="m.so"):
        flags = []
        for name, value in self.inputs.items():
            np.save(self.dir / f"{name}.npy", value)
            flags.append(f"--input={name}={name}.npy")
        result = call("brisk-run", model, *flags, "--output-dir=out", cwd=self.dir)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [np.load(self.dir / "out" / f"{i}.npy") for i in range(2)]

    def evaluate(self, path="m.onnx"):
        return ReferenceEvaluator(onnx.load(self.dir / path)).run(None, self.inputs)

    def test_report_and_numbers(self):
        exact = self.evaluate()
        floats = call("briskc", "m.onnx", "-o", "f.so", "--emit=shared", "--report=f.json", cwd=self.dir)
        self.assertEqual(floats.returncode, 0, floats.stderr)
        was = json.loads((self.dir / "f.json").read_text())["weights_bytes"]
        for kind, bits, least, error, share in (("weights8", 8, 38, 2e-2, 0.30), ("weights4", 4, 19, 0.2, 0.22)):
            report = self.quantize(kind)
            section = report["quantization"]
            layers = {layer["name"]: layer for layer in section["layers"]}
            self.assertEqual(sorted(layers), ["embed", "first", "pixels", "second", "spread"])
            self.assertEqual({name: layer["type"] for name, layer in layers.items()},
                             {"embed": "int8", "first": f"int{bits}", "second": f"int{bits}", "pixels": "int8", "spread": "float32"})
            self.assertEqual(layers["spread"]["reason"], "there are no kernels for it")
            self.assertEqual(layers["pixels"]["bytes"], 2 * (9 + 4))
            self.assertEqual(layers["embed"]["bytes"], WORDS * (INPUTS + 4))
            blocks = -(-INPUTS // 32)
            self.assertEqual(layers["first"]["bytes"], HIDDEN * (blocks * (16 + 4) if bits == 4 else INPUTS + 4))
            self.assertEqual(section["bytes"], sum(layer["bytes"] for layer in layers.values()))
            self.assertEqual(section["float_bytes"], sum(layer["float_bytes"] for layer in layers.values()))
            for name in ("embed", "first", "second", "pixels"):
                self.assertGreater(layers[name]["sqnr"], least if layers[name]["type"] == "int4" else 38, name)
            self.assertLess(report["weights_bytes"], share * was)
            y, z = self.run_model()
            off = np.linalg.norm(y - exact[0]) / np.linalg.norm(exact[0])
            self.assertLess(off, error)
            self.assertGreater(off, error / 100)
            off = np.linalg.norm(z - exact[1]) / np.linalg.norm(exact[1])
            self.assertLess(off, 4e-2)  # neighbours cancel each other in part
            self.assertGreater(off, 1e-4)

    def test_onnx(self):
        """What is exported gives what the compiled model gives."""
        for kind in ("weights8", "weights4"):
            self.quantize(kind)
            outputs = self.run_model()
            result = call("briskc", "m.onnx", "-o", "q.onnx", "--emit=onnx", f"--quantize={kind}", cwd=self.dir)
            self.assertEqual(result.returncode, 0, result.stderr)
            model = onnx.load(self.dir / "q.onnx")
            onnx.checker.check_model(model, full_check=True)
            self.assertEqual(sum(node.op_type == "DequantizeLinear" for node in model.graph.node), 4)
            options = onnxruntime.SessionOptions()  # optimizations quantize values, too
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            session = onnxruntime.InferenceSession(self.dir / "q.onnx", options, providers=["CPUExecutionProvider"])
            for value, want in zip(outputs, session.run(["y", "z"], self.inputs)):
                self.assertLess(np.linalg.norm(value - want) / np.linalg.norm(want), 2e-6)
            # As a model that comes quantized, it keeps its bytes.
            result = call("briskc", "q.onnx", "-o", "q.so", "--emit=shared", "--report=q.json", cwd=self.dir)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(*(json.loads((self.dir / f"{name}.json").read_text())["weights_bytes"] for name in "rq"))

    def test_hard_weights(self):
        """Columns of zeros, of one constant, of denormal and of huge weights, and one outlier."""
        first = random(INPUTS, HIDDEN, seed=5)
        first[:, 0], first[:, 1], first[:, 2] = 0, 0.5, 1e-42
        first[:, 3] *= 1e30
        first[5, 4] = 300
        self.write(first)
        hidden = self.evaluate()
        for kind in ("weights8", "weights4"):
            self.quantize(kind)
            y, _ = self.run_model()
            self.assertTrue(np.isfinite(y).all())
            self.assertLess(np.linalg.norm(y - hidden[0]) / np.linalg.norm(hidden[0]), 0.2)

    def test_weights_that_are_not_finite(self):
        first, table = random(INPUTS, HIDDEN, seed=5), random(WORDS, INPUTS, seed=6)
        first[1, 2], table[3, 4] = np.inf, np.nan
        self.write(first, table)
        layers = {layer["name"]: layer for layer in self.quantize("weights8")["quantization"]["layers"]}
        for name in ("first", "embed"):
            self.assertEqual((layers[name]["type"], layers[name]["reason"]), ("float32", "its weights are not finite"))

    def test_scales_that_are_no_numbers(self):
        """Of a model that comes quantized: a NaN stays one, in its column."""
        scale = np.float32([np.nan, np.inf, 0.5, 0])
        nodes = [helper.make_node("DequantizeLinear", ["q", "s"], ["w"], axis=1), helper.make_node("MatMul", ["x", "w"], ["y"])]
        value = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3]), helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 4])]
        q = np.int8(np.arange(12).reshape(3, 4) + 1)
        graph = helper.make_graph(nodes, "g", value[:1], value[1:], [numpy_helper.from_array(q, "q"), numpy_helper.from_array(scale, "s")])
        onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), self.dir / "n.onnx")
        x = np.float32([[1, 2, 3], [0.5, 1, 4]])
        np.save(self.dir / "x.npy", x)
        result = call("brisk-run", "n.onnx", "--input=x=x.npy", "--output-dir=out", cwd=self.dir)
        self.assertEqual(result.returncode, 0, result.stderr)
        np.testing.assert_array_equal(np.load(self.dir / "out" / "0.npy"), x @ (q * scale))

    def test_other_targets(self):
        for target in ("aarch64", "riscv64", "cortex-m4", "x86-64-v2"):
            for kind in ("weights8", "weights4"):
                result = call("briskc", "m.onnx", "-o", "libm.a", f"--quantize={kind}", f"--target={target}", cwd=self.dir)
                self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_refused(self):
        for flag in ("--calibration=c.npz", "--mixed-precision=off", "--min-sqnr=30"):
            result = call("briskc", "m.onnx", "-o", "m.a", "--quantize=weights8", flag, cwd=self.dir)
            self.assertRefused(result, flag.split("=")[0] + " goes with --quantize=int8")
        self.quantize("weights8")
        call("briskc", "m.onnx", "-o", "q.onnx", "--emit=onnx", "--quantize=weights8", cwd=self.dir)
        result = call("briskc", "q.onnx", "-o", "m.a", "--quantize=weights4", cwd=self.dir)
        self.assertRefused(result, "quantized already")


if __name__ == "__main__":
    _, run = tool_test.main(argparse.ArgumentParser(description=__doc__))
    run()
