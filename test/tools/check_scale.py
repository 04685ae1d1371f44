#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles what is large: constants of one repeated element, ops of thousands
of operands, weights beyond what code reaches by 32 bits.

Nothing is timed: the limits on memory and time are what a compiler that takes
either by the square of a size goes far beyond.
"""

import argparse
import json
import pathlib
import re
import resource
import subprocess

import numpy as np
import onnx
import tool_test
from onnx import TensorProto, helper, numpy_helper

ARGS = None
FLOAT, INT64, UINT8, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.UINT8, TensorProto.BOOL
HUGE = [100000, 100000]


def info(name, shape, dtype=FLOAT):
    return helper.make_tensor_value_info(name, dtype, shape)


def ints(name, *values):
    return numpy_helper.from_array(np.array(values, np.int64), name)


def fill(shape, value=1.5, dtype=FLOAT, output="f"):
    """A ConstantOfShape node and the initializer that it needs."""
    node = helper.make_node("ConstantOfShape", [output + "_shape"], [output],
                            value=helper.make_tensor("value", dtype, [1], [value]))
    return node, ints(output + "_shape", *shape)


class ScaleTest(tool_test.ToolTest):
    def write(self, nodes, inputs, outputs, initializers=()):
        graph = helper.make_graph(nodes, "m", inputs, outputs, list(initializers))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        path = self.dir / "m.onnx"
        onnx.save(model, path)
        return path

    def compile(self, path, *flags, megabytes=4096):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
        return tool_test.call("briskc", path, "--emit=shared", "-o", self.dir / "m.so",
                              f"--report={self.dir / 'report.json'}", *flags, preexec_fn=limit)

    def compiled(self, path, **kwargs):
        """The report of a model that compiles."""
        result = self.compile(path, **kwargs)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads((self.dir / "report.json").read_text())

    def run_model(self, **inputs):
        words = []
        for name, value in inputs.items():
            np.save(self.dir / f"in_{name}.npy", value)
            words += ["--input", f"{name}={self.dir}/in_{name}.npy"]
        result = tool_test.call("brisk-run", self.dir / "m.so", *words, "--output-dir", self.dir / "out")
        self.assertEqual(result.returncode, 0, result.stderr)
        return [np.load(self.dir / "out" / f"{i}.npy") for i in range(len(list((self.dir / "out").glob("*.npy"))))]


class Splats(ScaleTest):
    """They are written at run time, or computed with as one element."""

    def test_outputs_of_any_size(self):
        for shape, value, dtype in ((HUGE, 1.5, FLOAT), (HUGE, 7, INT64), ([8192, 8192], 1.5, FLOAT),
                                    ([1 << 30], 3, UINT8), ([1 << 30], 1, BOOL)):
            with self.subTest(shape=shape, dtype=dtype):
                node, initializer = fill(shape, value, dtype)
                report = self.compiled(self.write([node], [], [info("f", shape, dtype)], [initializer]))
                self.assertEqual(report["weights_bytes"], 0)
                self.assertEqual(report["arena_bytes"], 0)

    def test_outputs_are_right(self):
        values = {"float32": -1.5, "float64": 0.1, "float16": 2.5, "int8": -3, "uint8": 200, "int16": -300,
                  "uint16": 60000, "int32": -70000, "uint32": 4000000000, "int64": -(1 << 40),
                  "uint64": (1 << 63) + 5, "bool": True}
        nodes, outputs, initializers = [], [], []
        for name, value in values.items():
            dtype = helper.np_dtype_to_tensor_dtype(np.dtype(name))
            node, initializer = fill([70, 99], value, dtype, name)
            nodes.append(node)
            initializers.append(initializer)
            outputs.append(info(name, [70, 99], dtype))
        self.assertEqual(self.compiled(self.write(nodes, [], outputs, initializers))["weights_bytes"], 0)
        for (name, value), found in zip(values.items(), self.run_model(), strict=True):
            np.testing.assert_array_equal(found, np.full([70, 99], value, name))

    def test_what_folds(self):
        node, shape = fill(HUGE)
        axis, many = ints("axis", 0), [100000]
        for op, inputs, attributes, output in (
                ("ReduceSum", ["f"], {"keepdims": 0}, info("y", [])),
                ("ReduceMean", ["f", "axis"], {"keepdims": 0}, info("y", many)),
                ("ReduceMax", ["f", "axis"], {}, info("y", [1, 100000])),
                ("ReduceL2", ["f", "axis"], {}, info("y", [1, 100000])),
                ("ArgMax", ["f"], {"axis": 0, "keepdims": 0}, info("y", many, INT64)),
                ("Gather", ["f", "indices"], {}, info("y", [3, 100000])),
                ("Slice", ["f", "axis", "axis_end"], {}, info("y", [1, 100000])),
                ("Transpose", ["f"], {"perm": [1, 0]}, info("y", HUGE)),
                ("Concat", ["f", "f"], {"axis": 0}, info("y", [200000, 100000])),
                ("Pad", ["f", "pads"], {"mode": "edge"}, info("y", [100001, 100000])),
                ("Tile", ["f", "twice"], {}, info("y", [200000, 200000])),
                ("Neg", ["f"], {}, info("y", HUGE)),
                ("Trilu", ["f"], {}, info("y", HUGE)),
                ("EyeLike", ["f"], {}, info("y", HUGE))):
            with self.subTest(op=op):
                last = helper.make_node(op, inputs, ["y"], **attributes)
                path = self.write([node, last], [info("indices", [3], INT64)], [output],
                                  [shape, axis, ints("axis_end", 1), ints("pads", 0, 0, 1, 0), ints("twice", 2, 2)])
                self.assertLess(self.compiled(path)["weights_bytes"], 4096)

    def test_folded_values(self):
        node, shape = fill([300, 40], 3.0)
        nodes = [node, helper.make_node("ReduceSum", ["f"], ["sum"], keepdims=0),
                 helper.make_node("ReduceMean", ["f", "axis"], ["mean"]),
                 helper.make_node("ReduceProd", ["f", "axis"], ["prod"]),
                 helper.make_node("ArgMax", ["f"], ["last"], axis=1, select_last_index=1, keepdims=0),
                 helper.make_node("CumSum", ["f", "axis"], ["running"]),
                 helper.make_node("Trilu", ["f"], ["upper"]),
                 helper.make_node("Concat", ["f", "x"], ["both"], axis=0),
                 helper.make_node("Pad", ["f", "pads"], ["padded"])]
        outputs = [info("sum", []), info("mean", [300, 1]), info("prod", [300, 1]), info("last", [300], INT64),
                   info("running", [300, 40]), info("upper", [300, 40]), info("both", [302, 40]),
                   info("padded", [303, 43])]
        self.compiled(self.write(nodes, [info("x", [2, 40])], outputs,
                                 [shape, ints("axis", 1), ints("pads", 1, 1, 2, 2)]))
        x = np.arange(80, dtype=np.float32).reshape(2, 40)
        data = np.full([300, 40], 3, np.float32)
        expected = [data.sum(), data.mean(axis=1, keepdims=True), np.full([300, 1], 3.0 ** 40, np.float32),
                    np.full([300], 39), data.cumsum(axis=1), np.triu(data), np.concatenate([data, x]),
                    np.pad(data, [(1, 2), (1, 2)])]
        for found, value in zip(self.run_model(x=x), expected, strict=True):
            np.testing.assert_allclose(found, value, rtol=1e-6)

    def test_operands_of_kernels(self):
        """A scatter into zeros, a branch and an indexing kernel."""
        node, shape = fill([5000], 2.0)
        path = self.write([node, helper.make_node("ScatterElements", ["f", "i", "u"], ["y"]),
                           helper.make_node("TopK", ["f", "k"], ["v", "places"])],
                          [info("i", [4], INT64), info("u", [4])],
                          [info("y", [5000]), info("v", [3]), info("places", [3], INT64)], [shape, ints("k", 3)])
        self.assertLess(self.compiled(path)["weights_bytes"], 4096)
        expected = np.full([5000], 2, np.float32)
        expected[[0, 17, 4999, 3]] = [1, 2, 3, 4]
        y, v, places = self.run_model(i=np.array([0, 17, -1, 3]), u=np.array([1, 2, 3, 4], np.float32))
        np.testing.assert_array_equal(y, expected)
        np.testing.assert_array_equal(v, [2, 2, 2])
        np.testing.assert_array_equal(places, [0, 1, 2])

    def test_weights_that_no_memory_has(self):
        node, shape = fill(HUGE)
        product = helper.make_node("MatMul", ["x", "f"], ["y"], name="product")
        path = self.write([node, product], [info("x", [1, 100000])], [info("y", [1, 100000])], [shape])
        result = self.compile(path)
        self.assertRefused(result, "bytes of memory", "are available", "tensor<100000x100000xf32>")
        self.assertEqual(result.stderr.count("error:"), 1)

    def test_empty_tensors_with_huge_dimensions(self):
        node, shape = fill([1 << 40, 0])
        part = helper.make_node("Slice", ["f", "begin", "end"], ["y"])
        self.compiled(self.write([node, part], [], [info("y", [(1 << 40) - 1, 0])],
                                 [shape, ints("begin", 1), ints("end", 1 << 40)]))

    def test_tables(self):
        node = helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], mode="linear")
        path = self.write([node], [info("x", [1, 1, 1, 64])], [info("y", [1, 1, 1, 1 << 28])],
                          [ints("sizes", 1, 1, 1, 1 << 28)])
        self.assertRefused(self.compile(path), "dimension 3 is resized to 268435456 places")

    def test_wide_windows(self):
        wide = 1 << 38
        node = helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[1, 3], pads=[0, 1, 0, 1])
        path = self.write([node], [info("x", [1, 1, 1, wide])], [info("y", [1, 1, 1, wide])])
        self.assertLess(self.compiled(path)["code_bytes"], 16384)


class Operands(ScaleTest):
    """Thousands of operands, inputs and outputs."""

    def many(self, count, name="x"):
        return [f"{name}{i}" for i in range(count)]

    def test_concat(self):
        names = self.many(5000)
        path = self.write([helper.make_node("Concat", names, ["y"], axis=0)], [info(name, [1, 8]) for name in names],
                          [info("y", [5000, 8])])
        self.compiled(path, megabytes=2048)
        self.assertLess(json.loads((self.dir / "report.json").read_text())["peak_bytes"], 1 << 30)

    def test_concat_of_other_sizes(self):
        """In places, in order, along an inner axis."""
        names = self.many(300)
        path = self.write([helper.make_node("Concat", names, ["y"], axis=1)],
                          [info(name, [2, 1 + i % 3, 2]) for i, name in enumerate(names)], [info("y", [2, 600, 2])])
        self.compiled(path)
        values = [np.random.default_rng(i).random([2, 1 + i % 3, 2], np.float32) for i in range(300)]
        np.testing.assert_array_equal(self.run_model(**dict(zip(names, values)))[0], np.concatenate(values, axis=1))

    def test_split(self):
        names = self.many(5000, "y")
        path = self.write([helper.make_node("Split", ["x"], names, axis=0, num_outputs=5000)],
                          [info("x", [5000, 8])], [info(name, [1, 8]) for name in names])
        self.compiled(path)

    def test_split_of_what_is_computed(self):
        names = self.many(100, "y")
        path = self.write([helper.make_node("Neg", ["x"], ["n"]),
                           helper.make_node("Split", ["n"], [f"p{i}" for i in range(100)], axis=1, num_outputs=100),
                           *(helper.make_node("Exp", [f"p{i}"], [name]) for i, name in enumerate(names))],
                          [info("x", [3, 200])], [info(name, [3, 2]) for name in names])
        self.compiled(path)
        x = np.random.default_rng(1).random([3, 200], np.float32)
        for found, part in zip(self.run_model(x=x), np.split(np.exp(-x), 100, axis=1), strict=True):
            np.testing.assert_allclose(found, part, rtol=1e-5)

    def test_inputs_and_outputs(self):
        names = self.many(2000)
        path = self.write([helper.make_node("Relu", [name], ["y" + name]) for name in names],
                          [info(name, [1, 8]) for name in names], [info("y" + name, [1, 8]) for name in names])
        self.compiled(path)

    def test_sum(self):
        names = self.many(3000)
        path = self.write([helper.make_node("Sum", names, ["y"])], [info(name, [1, 8]) for name in names],
                          [info("y", [1, 8])])
        self.compiled(path)

    def test_chain(self):
        ops = ("Relu", "Neg", "Abs", "Sigmoid")
        path = self.write([helper.make_node(ops[i % 4], [f"x{i}"], [f"x{i + 1}"]) for i in range(5000)],
                          [info("x0", [1, 8])], [info("x5000", [1, 8])])
        self.compiled(path)

    def test_weights_of_many_steps(self):
        """Transposed and packed once, not once for each step."""
        steps, size = 40, 512
        weights = np.random.default_rng(0).random([size, size], np.float32) / size
        nodes = [helper.make_node("Gemm", [f"x{i}", "w"], [f"x{i + 1}"], transB=1) for i in range(steps)]
        path = self.write(nodes, [info("x0", [4, size])], [info(f"x{steps}", [4, size])],
                          [numpy_helper.from_array(weights, "w")])
        report = self.compiled(path)
        self.assertLess(report["weights_bytes"], 2 * weights.nbytes)
        stages = {stage["name"]: stage["peak_bytes"] for stage in report["stages"]}
        self.assertLess(stages["select"] - stages["import"], 12 * weights.nbytes)


class Addresses(ScaleTest):
    """What code and machines can address."""

    def weights(self, count):
        """A model of so many f32 weights, all but the last of which are 0, in a sparse file."""
        data = self.dir / "w.bin"
        with data.open("wb") as file:
            file.truncate(4 * (count - 1))
        with data.open("ab") as file:
            file.write(np.float32(2.5).tobytes())
        tensor = TensorProto(name="w", data_type=FLOAT, dims=[count], data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="w.bin")
        return self.write([helper.make_node("Gather", ["w", "i"], ["y"])], [info("i", [2], INT64)], [info("y", [2])],
                          [tensor])

    def section(self, path):
        listing = subprocess.run([ARGS.llvm_bin / "llvm-readelf", "-SW", path], capture_output=True, text=True,
                                 check=True).stdout
        return [re.search(r"(\.l?rodata\S*)\s.*\s(\w+)\s+\d+\s+\d+\s+\d+$", line).groups()
                for line in listing.splitlines() if re.search(r"\.l?rodata", line)]

    def test_large_weights(self):
        """In a section of large data, by 64-bit distances, linked by both linkers."""
        count = (65 << 20) // 4
        path = self.weights(count)
        self.compiled(path)
        self.assertIn((".lrodata", "Al"), self.section(self.dir / "m.so"))
        i = np.array([count - 1, 5])
        np.testing.assert_array_equal(self.run_model(i=i)[0], [2.5, 0])
        result = tool_test.call("briskc", path, "--emit=exe", "-o", self.dir / "m")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn((".lrodata", "Al"), self.section(self.dir / "m"))
        self.assertEqual(subprocess.run([self.dir / "m", "--help"], capture_output=True, timeout=60).returncode, 0)

    def test_small_weights(self):
        self.compiled(self.weights(1000))
        self.assertNotIn(".lrodata", dict(self.section(self.dir / "m.so")))

    def test_more_than_a_small_machine_addresses(self):
        node = helper.make_node("Relu", ["x"], ["y"])
        path = self.write([node], [info("x", [1 << 30])], [info("y", [1 << 30])])
        result = tool_test.call("briskc", path, "--target=cortex-m4", "-o", self.dir / "libm.a")
        self.assertRefused(result, "needs 8589934592 bytes of memory", "'cortex-m4' addresses")

    def test_more_than_this_machine_has(self):
        node = helper.make_node("Relu", ["x"], ["y"])
        path = self.write([node], [info("x", [1 << 42])], [info("y", [1 << 42])])
        result = self.compile(path)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("warning: needs 35184372088832 bytes of memory", result.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--llvm-bin", type=pathlib.Path, required=True, help="folder of llvm-readelf")
    ARGS, run = tool_test.main(parser)
    run()
