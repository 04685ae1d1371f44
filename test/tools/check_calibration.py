#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantization by briskc: what calibration data may be, what is refused, and what
becomes of layers that are hard to quantize."""

import argparse
import json

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

import tool_test
from tool_test import ToolTest, call

FLAGS = ("--quantize=int8", "--emit=shared", "--report=r.json")


def write_model(path, weights, bias=None, inputs=("x",), op="Conv", pads=0):
    """Convolutions in a row with a ReLU between, the first of the sum of the inputs."""
    def value(name, *shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    nodes, initializers, last = [], [], inputs[0]
    for name in inputs[1:]:
        nodes.append(helper.make_node("Add", [last, name], [f"sum_{name}"]))
        last = f"sum_{name}"
    for i, array in enumerate(weights):
        initializers.append(numpy_helper.from_array(array, f"w{i}"))
        operands = [last, f"w{i}"]
        if bias is not None:
            initializers.append(numpy_helper.from_array(bias, f"b{i}"))
            operands.append(f"b{i}")
        nodes.append(helper.make_node(op, operands, [f"c{i}"], name=f"layer{i}", pads=[pads] * 4))
        last = f"c{i}"
        if i + 1 < len(weights):
            nodes.append(helper.make_node("Relu", [last], [f"r{i}"]))
            last = f"r{i}"
    channels = weights[-1].shape[0]
    graph = helper.make_graph(nodes, "g", [value(name, 1, 4, 8, 8) for name in inputs],
                              [value(last, 1, channels, 8, 8)], initializers)
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), path)


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


class Calibration(ToolTest):
    def setUp(self):
        super().setUp()
        write_model(self.dir / "m.onnx", [random(6, 4, 1, 1), random(5, 6, 1, 1, seed=1)])
        self.samples = random(9, 4, 8, 8, seed=2)

    def compile(self, *flags, model="m.onnx"):
        given = {flag.split("=")[0] for flag in flags}
        return call("briskc", model, "-o", "m.so", *(flag for flag in FLAGS if flag.split("=")[0] not in given), *flags,
                    cwd=self.dir)

    def quantize(self, *flags, **kwargs):
        result = self.compile(*flags, **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads((self.dir / "r.json").read_text())["quantization"]

    def save(self, *args, **arrays):
        np.savez(self.dir / "c.npz", *args, **arrays)

    def refuse(self, *fragments, flags=("--calibration=c.npz",), **kwargs):
        (self.dir / "m.so").unlink(missing_ok=True)
        self.assertRefused(self.compile(*flags, **kwargs), *fragments)
        self.assertFalse((self.dir / "m.so").exists())

    def test_forms_of_data(self):
        """The same samples by name, by place, compressed, in one array, and file by file."""
        found, flags = set(), ("--mixed-precision=off", "--calibrator=minmax")
        for write in (lambda: self.save(x=self.samples), lambda: self.save(self.samples),
                      lambda: self.save(x=self.samples[:, None]),
                      lambda: np.savez_compressed(self.dir / "c.npz", x=self.samples)):
            write()
            report = self.quantize("--calibration=c.npz", *flags)
            self.assertEqual(report["samples"], 9)
            found.add((report["sqnr"], report["int8_multiply_adds"]))
        np.save(self.dir / "c.npy", self.samples)
        report = self.quantize("--calibration=c.npy", *flags)
        found.add((report["sqnr"], report["int8_multiply_adds"]))
        (self.dir / "folder").mkdir()
        for i, sample in enumerate(self.samples):
            np.savez(self.dir / "folder" / f"{i}.npz", x=sample[None])
        report = self.quantize("--calibration=folder", *flags)
        found.add((report["sqnr"], report["int8_multiply_adds"]))
        self.assertEqual(len(found), 1, found)
        self.assertGreater(report["sqnr"], 35)

    def test_report(self):
        self.save(x=self.samples)
        report = self.quantize("--calibration=c.npz", "--mixed-precision=off")
        self.assertEqual([layer["name"] for layer in report["layers"]], ["layer0", "layer1"])
        self.assertEqual([layer["type"] for layer in report["layers"]], ["int8", "int8"])
        self.assertEqual(report["multiply_adds"], (6 * 4 + 5 * 6) * 64)
        self.assertEqual(report["int8_multiply_adds"], report["multiply_adds"])
        self.assertEqual(report["sqnr"], report["sqnr_all_int8"])

    def test_min_sqnr(self):
        """More decibels leave more layers in f32, up to all of them."""
        self.save(x=self.samples)
        parts = []
        for decibels in (10, 45, 300):
            report = self.quantize("--calibration=c.npz", f"--min-sqnr={decibels}")
            # Without a difference there is no number.
            self.assertTrue(report["sqnr"] is None or report["sqnr"] >= decibels, report)
            parts.append(report["int8_multiply_adds"])
        self.assertEqual(parts[0], (6 * 4 + 5 * 6) * 64)
        self.assertEqual(parts[2], 0)
        self.assertEqual(parts, sorted(parts, reverse=True))

    def test_calibrators(self):
        self.save(x=self.samples)
        for calibrator in ("minmax", "percentile", "entropy", "mse"):
            report = self.quantize("--calibration=c.npz", "--mixed-precision=off", f"--calibrator={calibrator}")
            self.assertGreater(report["sqnr"], 25, calibrator)

    def test_refused_data(self):
        self.save(x=self.samples[:0])
        self.refuse("'c.npz'", "array 'x'", "no samples")
        self.save(x=self.samples[:, :3])
        self.refuse("array 'x'", "expected float32 of shape 1x4x8x8 with an axis of samples", "9x3x8x8")
        self.save(x=self.samples.astype(np.float64))
        self.refuse("expected float32", "found float64")
        self.save(y=self.samples)
        self.refuse("no array for input 'x'", "'y'")
        self.save(x=self.samples, labels=np.zeros(9))
        self.refuse("2 arrays", "'labels'", "1 inputs")
        for value in (np.nan, np.inf, -np.inf):
            bad = self.samples.copy()
            bad[3, 0, 0, 1] = value
            self.save(x=bad)
            self.refuse("array 'x'", f"element {3 * 4 * 64 + 1} is NaN or infinite")

    def test_refused_files(self):
        self.refuse("'none.npz'", flags=("--calibration=none.npz",))
        (self.dir / "c.npz").write_bytes(b"no archive")
        self.refuse("no ZIP archive")
        (self.dir / "empty").mkdir()
        self.refuse("'empty' has no .npz files", flags=("--calibration=empty",))
        (self.dir / "folder").mkdir()
        np.savez(self.dir / "folder" / "a.npz", x=self.samples)
        self.refuse("a.npz", "expected float32 of shape 1x4x8x8, found float32 of shape 9x4x8x8",
                    flags=("--calibration=folder",))

    def test_refused_flags(self):
        self.save(x=self.samples)
        self.refuse("--quantize=int8", "--calibration", flags=())
        self.refuse("--min-sqnr=much", "decibels", flags=("--calibration=c.npz", "--min-sqnr=much"))
        self.refuse("choose from minmax", flags=("--calibration=c.npz", "--calibrator=best"))
        result = call("briskc", "m.onnx", "-o", "m.so", "--emit=shared", "--calibration=c.npz", cwd=self.dir)
        self.assertRefused(result, "--calibration", "--quantize=int8")
        for flag in ("--calibration=c.npz", "--calibrator=mse", "--mixed-precision=off", "--min-sqnr=40"):
            result = call("briskc", "m.onnx", "-o", "m.so", "--emit=shared", "--quantize=bf16", flag, cwd=self.dir)
            self.assertRefused(result, flag.partition("=")[0], "goes with --quantize=int8")

    def test_several_inputs(self):
        write_model(self.dir / "m.onnx", [random(6, 4, 1, 1)], inputs=("x", "y"))
        self.save(x=self.samples, y=self.samples)
        self.assertEqual(self.quantize("--calibration=c.npz")["samples"], 9)
        self.save(x=self.samples, y=self.samples[:8])
        self.refuse("array 'y'", "8 samples", "array 'x' has 9")
        self.save(x=self.samples)
        self.refuse("no array for input 'y'")

    def test_quantized_model(self):
        self.save(x=self.samples)
        scale, zero = (helper.make_tensor("s", TensorProto.FLOAT, [], [0.1]),
                       helper.make_tensor("z", TensorProto.UINT8, [], [3]))
        nodes = [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
                 helper.make_node("DequantizeLinear", ["q", "s", "z"], ["y"])]
        value = [helper.make_tensor_value_info(n, TensorProto.FLOAT, [1, 4, 8, 8]) for n in "xy"]
        graph = helper.make_graph(nodes, "g", value[:1], value[1:], [scale, zero])
        onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]),
                  self.dir / "q.onnx")
        self.refuse("quantized already", model="q.onnx")

    def test_values_that_are_not_finite(self):
        """Samples that the model itself makes infinite."""
        write_model(self.dir / "m.onnx", [np.full((4, 4, 1, 1), 1e38, np.float32), random(5, 4, 1, 1)])
        self.save(x=np.full((2, 4, 8, 8), 100, np.float32))
        self.refuse("node 'layer1'", "NaN or infinite")

    def test_hard_weights(self):
        """Channels of zeros, of one constant, of denormal and of huge weights."""
        weights = random(6, 4, 1, 1)
        weights[0] = 0
        weights[1] = 0.5
        weights[2] = 1e-42
        weights[3] *= 1e30
        bias = np.array([1e30, 0, -1e-40, 5, 0.25, -3], np.float32)
        write_model(self.dir / "m.onnx", [weights], bias)
        self.save(x=self.samples)
        report = self.quantize("--calibration=c.npz", "--mixed-precision=off")
        self.assertEqual(report["layers"][0]["type"], "int8")
        np.save(self.dir / "x.npy", self.samples[:1])
        result = call("brisk-run", "m.so", "--input=x=x.npy", "--output-dir=out", cwd=self.dir)
        self.assertEqual(result.returncode, 0, result.stderr)
        y = np.load(self.dir / "out" / "0.npy")
        want = np.einsum("oi,nihw->nohw", weights[:, :, 0, 0].astype(np.float64), self.samples[:1]) + bias[:, None, None]
        for channel in range(6):
            size = np.abs(want[:, channel]).max()
            self.assertLess(np.abs(y[:, channel] - want[:, channel]).max(), 0.02 * size + 1e-39, channel)

    def test_constant_inputs(self):
        """Values that are all zero, or all the same."""
        for value in (0, 2.5, -1):
            self.save(x=np.full((2, 4, 8, 8), value, np.float32))
            self.quantize("--calibration=c.npz", "--mixed-precision=off")

    def test_weights_that_are_not_finite(self):
        weights = random(6, 4, 1, 1)
        weights[1, 2] = np.inf
        write_model(self.dir / "m.onnx", [weights])
        self.save(x=np.abs(self.samples))
        layer, = self.quantize("--calibration=c.npz")["layers"]
        self.assertEqual((layer["type"], layer["reason"]), ("float32", "its weights are not finite"))

    def write_graph(self, nodes, initializers, shape, result, path="g.onnx"):
        def value(name, dims):
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)

        graph = helper.make_graph(nodes, "g", [value("x", shape)], [value("y", result)],
                                  [numpy_helper.from_array(array, name) for name, array in initializers.items()])
        onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)]), self.dir / path)

    def run_model(self, library, x):
        np.save(self.dir / "x.npy", x)
        result = call("brisk-run", library, "--input=x=x.npy", "--output-dir=out", cwd=self.dir)
        self.assertEqual(result.returncode, 0, result.stderr)
        return np.load(self.dir / "out" / "0.npy")

    def test_channels_are_made_alike(self):
        """Channels a thousand times as large as others, through bounds, slopes and depthwise layers: outputs
        stay as they are in floats, and get better in bytes."""
        sizes = np.logspace(-1.5, 1.5, 16).astype(np.float32).reshape(-1, 1, 1, 1)
        weights = {"w0": random(16, 4, 1, 1) * sizes, "w1": random(16, 1, 3, 3, seed=1), "w2": random(16, 16, 1, 1, seed=2),
                   "w3": random(5, 16, 1, 1, seed=3) / 4}
        weights["b0"] = random(16, seed=4) * sizes.ravel()
        low, high = numpy_helper.from_array(np.float32(0)), numpy_helper.from_array(np.float32(6))
        nodes = [helper.make_node("Constant", [], ["low"], value=low), helper.make_node("Constant", [], ["high"], value=high),
                 helper.make_node("Conv", ["x", "w0", "b0"], ["a"], name="first"),
                 helper.make_node("Clip", ["a", "low", "high"], ["b"]),
                 helper.make_node("Conv", ["b", "w1"], ["c"], name="depthwise", group=16, pads=[1, 1, 1, 1]),
                 helper.make_node("LeakyRelu", ["c"], ["d"], alpha=0.1),
                 helper.make_node("Conv", ["d", "w2"], ["e"], name="second"),
                 helper.make_node("Sigmoid", ["e"], ["s"]), helper.make_node("Mul", ["e", "s"], ["f"]),
                 helper.make_node("Conv", ["f", "w3"], ["y"], name="last")]
        self.write_graph(nodes, weights, [1, 4, 8, 8], [1, 5, 8, 8])
        self.save(x=self.samples)
        x = random(1, 4, 8, 8, seed=9)
        self.assertEqual(call("briskc", "g.onnx", "-o", "f.so", "--emit=shared", cwd=self.dir).returncode, 0)
        exact = self.run_model("f.so", x)
        floats = self.quantize("--calibration=c.npz", "--min-sqnr=1000", model="g.onnx")
        self.assertEqual(floats["int8_multiply_adds"], 0)
        self.assertIn("depthwise", [layer["name"] for layer in floats["layers"] if layer.get("equalized")])
        self.assertLess(np.abs(self.run_model("m.so", x) - exact).max(), 1e-5 * np.abs(exact).max())
        report = self.quantize("--calibration=c.npz", "--mixed-precision=off", model="g.onnx")
        self.assertGreater(report["sqnr"], 30)
        noise = self.run_model("m.so", x) - exact
        self.assertGreater(10 * np.log10(np.sum(exact ** 2) / np.sum(noise ** 2)), 28)

    def check_alike(self, nodes, weights, result, least, equalized, shape=(1, 4, 8, 8)):
        """Outputs stay as they are in floats, and get better in bytes; `equalized` are the layers that channels
        are made alike for."""
        self.write_graph(nodes, weights, list(shape), result)
        self.save(x=random(9, *shape[1:], seed=2))
        x = random(*shape, seed=9)
        self.assertEqual(call("briskc", "g.onnx", "-o", "f.so", "--emit=shared", cwd=self.dir).returncode, 0)
        exact = self.run_model("f.so", x)
        self.assertLess(np.abs(exact - onnxruntime.InferenceSession(self.dir / "g.onnx").run(None, {"x": x})[0]).max(),
                        1e-4 * np.abs(exact).max())
        floats = self.quantize("--calibration=c.npz", "--min-sqnr=1000", model="g.onnx")
        self.assertEqual([layer["name"] for layer in floats["layers"] if layer.get("equalized")], equalized)
        self.assertLess(np.abs(self.run_model("m.so", x) - exact).max(), 2e-5 * np.abs(exact).max())
        self.quantize("--calibration=c.npz", "--mixed-precision=off", model="g.onnx")
        noise = self.run_model("m.so", x) - exact
        self.assertGreater(10 * np.log10(np.sum(exact ** 2) / np.sum(noise ** 2)), least)

    # Channels of which some are a thousand times as large as others.
    SIZES = np.logspace(-1.5, 1.5, 16).astype(np.float32)

    def unlike(self, *shape, seed=0):
        """Weights of such output channels."""
        return random(16, *shape, seed=seed) * self.SIZES.reshape(-1, *(1 for _ in shape))

    def test_alike_through_gates(self):
        """A product takes the scales of one factor, and a constant in the other may take them, too: hard swish and
        squeeze and excitation."""
        constants = [helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.float32(value)))
                     for name, value in (("three", 3), ("zero", 0), ("six", 6))]
        nodes = [*constants, helper.make_node("Conv", ["x", "w0"], ["a"], name="first"),
                 helper.make_node("HardSwish", ["a"], ["b"]),
                 helper.make_node("GlobalAveragePool", ["b"], ["p"]),
                 helper.make_node("Conv", ["p", "w1"], ["q"], name="gate"), helper.make_node("Sigmoid", ["q"], ["s"]),
                 helper.make_node("Mul", ["b", "s"], ["c"]), helper.make_node("Conv", ["c", "w2"], ["d"], name="second"),
                 helper.make_node("Add", ["d", "three"], ["e"]), helper.make_node("Clip", ["e", "zero", "six"], ["f"]),
                 helper.make_node("Mul", ["d", "f"], ["g"]), helper.make_node("Div", ["g", "six"], ["h"]),
                 helper.make_node("Conv", ["h", "w3"], ["y"], name="last")]
        weights = {"w0": self.unlike(4, 1, 1), "w1": random(16, 16, 1, 1, seed=1) / 8,
                   "w2": random(16, 16, 1, 1, seed=2) / self.SIZES.reshape(1, -1, 1, 1) / 4,
                   "w3": random(5, 16, 1, 1, seed=3)}
        self.check_alike(nodes, weights, [1, 5, 8, 8], 22, ["gate", "second", "last"])

    def test_alike_behind_transposes(self):
        """Matrix products channels-last, a convolution behind a transpose, sums and concatenations."""
        nodes = [helper.make_node("MatMul", ["x", "w0"], ["a"], name="left"), helper.make_node("Add", ["a", "b0"], ["b"]),
                 helper.make_node("MatMul", ["x", "w1"], ["c"], name="right"), helper.make_node("Add", ["b", "c"], ["d"]),
                 helper.make_node("Relu", ["d"], ["e"]), helper.make_node("Concat", ["e", "c"], ["f"], axis=3),
                 helper.make_node("Transpose", ["f"], ["g"], perm=[0, 3, 1, 2]),
                 helper.make_node("Conv", ["g", "w2"], ["y"], name="last")]
        weights = {"w0": self.unlike(8).T.copy(), "w1": self.unlike(8, seed=1).T.copy(), "b0": random(16, seed=2) * self.SIZES,
                   "w2": random(5, 32, 1, 1, seed=3) / np.tile(self.SIZES, 2).reshape(1, -1, 1, 1)}
        self.check_alike(nodes, weights, [1, 5, 8, 8], 35, ["last"], shape=(1, 8, 8, 8))

    def test_alike_but_for_single_channels(self):
        """A channel that a reshape takes out of its dimension keeps its scale: what reads the reshape's result knows
        nothing of channels."""
        nodes = [helper.make_node("Conv", ["x", "w0"], ["a"], name="many"), helper.make_node("Conv", ["x", "w1"], ["b"], name="one"),
                 helper.make_node("Concat", ["a", "b"], ["c"], axis=1), helper.make_node("Conv", ["c", "w2"], ["d"], name="last"),
                 helper.make_node("Reshape", ["b", "shape"], ["e"]), helper.make_node("Add", ["d", "e"], ["y"])]
        weights = {"w0": self.unlike(4, 1, 1), "w1": random(1, 4, 1, 1, seed=1) / 10,
                   "w2": random(5, 17, 1, 1, seed=3) / np.append(self.SIZES, 1).astype(np.float32).reshape(1, -1, 1, 1),
                   "shape": np.array([8, 8])}
        self.check_alike(nodes, weights, [1, 5, 8, 8], 25, ["last"])

    def test_groups(self):
        """Convolutions in groups of several channels, between others: quantized, and made alike."""
        nodes = [helper.make_node("Conv", ["x", "w0"], ["a"], name="first"), helper.make_node("Relu", ["a"], ["b"]),
                 helper.make_node("Conv", ["b", "w1", "b1"], ["c"], name="groups", group=4, pads=[1, 1, 1, 1]),
                 helper.make_node("Relu", ["c"], ["d"]), helper.make_node("Conv", ["d", "w2"], ["y"], name="last")]
        weights = {"w0": self.unlike(4, 1, 1), "w1": self.unlike(4, 3, 3, seed=1) / self.SIZES.reshape(4, 4).repeat(4, 0)[:, :, None, None],
                   "b1": random(16, seed=2) * self.SIZES, "w2": random(5, 16, 1, 1, seed=3) / self.SIZES.reshape(1, -1, 1, 1)}
        self.check_alike(nodes, weights, [1, 5, 8, 8], 25, ["groups", "last"])
        report = self.quantize("--calibration=c.npz", "--mixed-precision=off", model="g.onnx")
        self.assertEqual([layer["type"] for layer in report["layers"]], ["int8"] * 3)

    def test_layers_that_bytes_make_no_faster(self):
        """A target without products of bytes computes floats, unless told otherwise."""
        write_model(self.dir / "m.onnx", [random(32, 4, 3, 3), random(32, 32, 3, 3, seed=1)], pads=1)
        self.save(x=self.samples)
        for flags, types in (((), {"float32"}), (("--mixed-precision=off",), {"int8"})):
            report = self.quantize("--calibration=c.npz", *(flags or ("--min-sqnr=1",)), "--target=aarch64", "--emit=obj")
            self.assertEqual({layer["type"] for layer in report["layers"]}, types)
            for layer in report["layers"]:
                self.assertLess(layer["cycles_won"], 0)
                self.assertEqual(layer.get("reason"), None if flags else "bytes are not faster")
            self.assertEqual(report["cycles"], report["cycles_all_int8" if flags else "cycles_float32"])
            self.assertGreater(report["cycles_all_int8"], report["cycles_float32"])
        report = self.quantize("--calibration=c.npz", "--min-sqnr=1", "--target=cascadelake", "--emit=obj")
        self.assertEqual({layer["type"] for layer in report["layers"]}, {"int8"})
        self.assertTrue(all(layer["cycles_won"] > 0 for layer in report["layers"]))
        self.assertLess(report["cycles"], report["cycles_float32"])

    def test_dynamic(self):
        """Products by ranges that are found in each run, those of one input by one; nothing else changes."""
        weights = {"w0": random(64, 48), "w1": random(64, 48, seed=1), "w2": random(48, 10, seed=2), "b": random(48, seed=3)}
        nodes = [helper.make_node("MatMul", ["x", "w0"], ["a"], name="left"), helper.make_node("Add", ["a", "b"], ["c"]),
                 helper.make_node("MatMul", ["x", "w1"], ["d"], name="right"), helper.make_node("Mul", ["c", "d"], ["e"]),
                 helper.make_node("MatMul", ["e", "w2"], ["y"], name="last")]
        self.write_graph(nodes, weights, [96, 64], [96, 10])

        def dynamic(*flags):
            return self.quantize("--quantize=dynamic", *flags, model="g.onnx")

        report = dynamic("--target=cascadelake", "--emit=obj")
        self.assertEqual([layer["type"] for layer in report["layers"]], ["int8", "int8", "float32"])
        self.assertEqual(report["layers"][2]["reason"], "bytes are not faster")
        self.assertEqual((report["samples"], report["sqnr"]), (0, None))
        self.assertLess(report["cycles"], report["cycles_float32"])
        report = dynamic("--target=aarch64", "--emit=obj")
        self.assertEqual({(layer["type"], layer["reason"]) for layer in report["layers"]}, {("float32", "bytes are not faster")})
        # What ONNX says of it, in ONNX's own words: one range for the products of x.
        dynamic("--target=cascadelake", "--emit=onnx")
        quantized = onnx.load(self.dir / "m.so")
        self.assertEqual(sum(node.op_type in ("MatMulInteger", "MatMul") for node in quantized.graph.node), 3)
        for scale in (1, 1000):
            x = scale * random(96, 64, seed=5) + scale
            left, right = x @ weights["w0"] + weights["b"], x @ weights["w1"]
            exact = (left * right) @ weights["w2"]
            y = onnxruntime.InferenceSession(quantized.SerializeToString()).run(None, {"x": x})[0]
            self.assertGreater(10 * np.log10(np.sum(exact ** 2) / np.sum((y - exact) ** 2)), 30)

    def test_dynamic_refuses(self):
        self.refuse("--calibration", "--quantize=int8", flags=("--quantize=dynamic", "--calibration=c.npz"))
        self.save(x=self.samples)
        self.quantize("--calibration=c.npz", "--mixed-precision=off", "--emit=onnx")
        (self.dir / "m.so").rename(self.dir / "q.onnx")
        self.refuse("quantized already", flags=("--quantize=dynamic",), model="q.onnx")

    def test_other_targets(self):
        """Calibration runs here, whatever the code is for."""
        self.save(x=self.samples)
        for target in ("aarch64", "cortex-m4", "x86-64-v2"):
            result = call("briskc", "m.onnx", "-o", "libm.a", "--quantize=int8", "--calibration=c.npz",
                          f"--target={target}", cwd=self.dir)
            self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    _, run = tool_test.main(argparse.ArgumentParser(description=__doc__))
    run()
