#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Uses the installed Python package as a program would, with ONNX Runtime as the judge of values."""

import argparse
import gc
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import ml_dtypes
import numpy as np
import onnx.parser
import onnxruntime

SITE, MODELS = None, None
SUM = """<ir_version: 8, opset_import: ["": 17]>
g (float[2, N] x, {0} y) => ({0} s, bool[2, N] larger) {{ z = Cast<to={1}>(x) s = Add(z, y) larger = Greater(z, y) }}"""


def sum_model(element="float", number=1):
    return onnx.parser.parse_model(SUM.format(f"{element}[2, N]", number))


class Calls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = brisk.compile(sum_model(), dims={"N": 3})
        cls.x = np.arange(6, dtype=np.float32).reshape(2, 3)
        cls.y = np.full((2, 3), 2, np.float32)

    def test_says_what_it_is(self):
        self.assertEqual([tensor.name for tensor in self.model.inputs], ["x", "y"])
        self.assertEqual(self.model.outputs[1].dtype, "bool")
        self.assertEqual(self.model.outputs[1].shape, (2, 3))
        self.assertEqual(self.model.inputs[0].nbytes, 24)
        self.assertEqual(repr(self.model.inputs[0]), "<x: float32 of shape 2x3>")
        self.assertEqual(self.model.threads, 1)

    def test_arguments_by_place_and_by_name(self):
        for results in (self.model(self.x, self.y), self.model(self.x, y=self.y), self.model(y=self.y, x=self.x)):
            self.assertIsInstance(results, tuple)
            np.testing.assert_array_equal(results[0], self.x + self.y)
            np.testing.assert_array_equal(results[1], self.x > self.y)
            self.assertEqual(results[1].dtype, bool)
        named = self.model.run({"x": self.x, "y": self.y})
        self.assertEqual(list(named), ["s", "larger"])
        np.testing.assert_array_equal(named["s"], self.x + self.y)

    def test_results_stay_when_the_model_is_called_again_or_gone(self):
        model = brisk.compile(sum_model(), dims={"N": 3})
        first, _ = model(self.x, self.y)
        second, _ = model(self.x, self.x)
        del model
        gc.collect()
        np.testing.assert_array_equal(first, self.x + self.y)
        np.testing.assert_array_equal(second, self.x + self.x)
        first[0, 0] = 7  # is one's own

    def test_outputs_in_place(self):
        s, larger = np.empty((2, 3), np.float32), np.empty((2, 3), bool)
        results = self.model(self.x, self.y, out=(s, larger))
        self.assertIs(results[0], s)
        np.testing.assert_array_equal(s, self.x + self.y)
        np.testing.assert_array_equal(larger, self.x > self.y)
        s.setflags(write=False)
        with self.assertRaisesRegex(TypeError, "'s': expected float32 of shape 2x3, found 'ndarray', .*written to"):
            self.model(self.x, self.y, out=(s, larger))

    def test_takes_what_has_dlpack_or_a_buffer(self):
        tensor = type("Tensor", (), {
            "__dlpack__": lambda self, **flags: Calls.x.__dlpack__(**flags),
            "__dlpack_device__": lambda self: Calls.x.__dlpack_device__()})()
        for x in (tensor, memoryview(self.x)):
            np.testing.assert_array_equal(self.model(x, self.y)[0], self.x + self.y)

    def test_reads_without_copies(self):
        # What is written to the array between two calls is seen by the second.
        x = self.x.copy()
        self.model(x, self.y)
        x[1, 2] = 100
        self.assertEqual(self.model(x, self.y)[0][1, 2], 102)

    def test_refuses(self):
        x, y = self.x, self.y
        for error, message, call in (
            (TypeError, r"no value for input 'y' \(float32 of shape 2x3\)", lambda: self.model(x)),
            (TypeError, "has 2 inputs, and 3 values were given", lambda: self.model(x, y, y)),
            (TypeError, "input 'x' was given twice", lambda: self.model(x, x=x)),
            (TypeError, "has no input 'z'", lambda: self.model(x, z=y)),
            (TypeError, "'y': .* found 'list', which is no array", lambda: self.model(x, [[1.0] * 3] * 2)),
            (TypeError, "'x': .*numpy.asarray.x, dtype=numpy.float32", lambda: self.model(x.astype(np.float64), y)),
            (ValueError, "'x': expected float32 of shape 2x3, found shape 3x2", lambda: self.model(x.reshape(3, 2), y)),
            (ValueError, "found shape a scalar", lambda: self.model(np.float32(1).reshape(()), y)),
            (ValueError, "numpy.ascontiguousarray", lambda: self.model(np.asfortranarray(x), y)),
            (ValueError, "out has 1 arrays, and the model 2 outputs", lambda: self.model(x, y, out=x)),
            (brisk.BriskError, "records nothing; compile it with profile=True", lambda: self.model.profile()),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(error, message):
                call()

    def test_calls_from_threads(self):
        failures = []

        def work(number):
            x = np.full((2, 3), number, np.float32)
            for _ in range(300):
                if (self.model(x, self.y)[0] != number + 2).any():
                    failures.append(number)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


class Types(unittest.TestCase):
    def test_every_type(self):
        for name, number in (("float", 1), ("uint8", 2), ("int8", 3), ("int16", 5), ("int32", 6), ("int64", 7), ("float16", 10),
                             ("double", 11), ("uint32", 12), ("uint64", 13), ("bfloat16", 16)):
            dtype = np.dtype(onnx.helper.tensor_dtype_to_np_dtype(number))
            with self.subTest(name):
                model = brisk.compile(sum_model(name, number), dims={"N": 2})
                x, y = np.array([[1, 2], [3, 4]], np.float32), np.array([[5, 6], [7, 8]], dtype)
                s, _ = model(x, y)
                self.assertEqual(s.dtype, dtype)
                np.testing.assert_array_equal(s.astype(np.float64), [[6, 8], [10, 12]])
        self.assertEqual(dtype, ml_dtypes.bfloat16)

    def test_scalars_and_empty_tensors(self):
        model = brisk.compile(onnx.parser.parse_model(
            '<ir_version: 8, opset_import: ["": 17]> g (float x, float[0, 3] e) => (float y, float[0, 3] f)'
            "{ y = Neg(x) f = Neg(e) }"))
        y, f = model(np.array(3, np.float32), np.empty((0, 3), np.float32))
        self.assertEqual((y.shape, float(y), f.shape), ((), -3.0, (0, 3)))


class Compiling(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_file_against_onnxruntime(self):
        path = MODELS / "tiny_resnet8.onnx"
        model = brisk.compile(path, self.folder / "m.so", threads=2)
        self.assertEqual(model.threads, 2)
        inputs = model.random_inputs(seed=3)
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        expected, = session.run(None, inputs)
        result, = model.run(inputs).values()
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(brisk.load(self.folder / "m.so")(*inputs.values()), result)

    def test_what_the_compiler_refuses(self):
        with self.assertRaisesRegex(brisk.CompileError, "error: input 'x' has dynamic dimensions"):
            brisk.compile(sum_model())
        with self.assertRaisesRegex(brisk.CompileError, "--target"):
            brisk.compile(sum_model(), dims={"N": 1}, target="abacus")
        with self.assertRaisesRegex(brisk.BriskError, "cannot open"):
            brisk.load(self.folder / "none.so")

    def test_for_another_machine(self):
        output = self.folder / "arm.so"
        self.assertIsNone(brisk.compile(sum_model(), output, shapes={"x": (2, 1), "y": (2, 1)}, target="aarch64", load=False))
        with self.assertRaisesRegex(brisk.BriskError, "it is for AArch64"):
            brisk.load(output)
        with self.assertRaises(ValueError):
            brisk.compile(sum_model(), load=False)

    def test_profile_and_trace(self):
        model = brisk.compile(MODELS / "tiny_dscnn_kws.onnx", profile=True)
        profile = model.profile(runs=120)
        self.assertEqual(len(profile.latencies), 120)
        self.assertLessEqual(profile.percentile(50), profile.percentile(99))
        self.assertIsNone(model.profile(runs=50).percentile(99))
        self.assertIn("gemm", {op.kernel for op in profile.ops})
        self.assertEqual(list(profile.phases), ["inference"])
        self.assertEqual(len(profile.phases["inference"]), 120)
        self.assertGreater(sum(op.ns for op in profile.ops), 0)
        self.assertRegex(str(profile), r"(?s)^ +ms  share .*latency in ms, of 120 runs: P50 [\d.]+, P95 [\d.]+, P99 [\d.]+$")
        model.trace(self.folder / "t.json", runs=2)
        events = json.loads((self.folder / "t.json").read_text())["traceEvents"]
        self.assertEqual(len(events), 2 * len(profile.ops))
        self.assertGreaterEqual(min(event["ts"] for event in events), 0)

    def test_tools(self):
        for name in ("briskc", "brisk_opt", "brisk_run", "brisk_bench"):
            result = subprocess.run([sys.executable, "-c", f"from brisk import tools; tools.{name}()", "--help"],
                                    env={"PYTHONPATH": str(SITE)}, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(name.replace("_", "-"), result.stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", type=pathlib.Path, required=True, help="folder that the package is installed in")
    parser.add_argument("--models", type=pathlib.Path, required=True, help="folder of test/models/materialize.py")
    args, rest = parser.parse_known_args()
    SITE, MODELS = args.site.resolve(), args.models
    sys.path.insert(0, str(SITE))
    import brisk

    unittest.main(argv=[sys.argv[0], *rest])
