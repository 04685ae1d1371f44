#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs brisk-run on samples and beside references, with NumPy as the judge of files and figures."""

import argparse
import json
import os
import pathlib

import numpy as np

import tool_test
from tool_test import ToolTest, call

MODELS = None
RANDOM = np.random.default_rng(0)
X = RANDOM.standard_normal((5, 2, 3)).astype(np.float32)
SCALE = np.arange(1, 6, dtype=np.float32)
FLAGS = RANDOM.integers(0, 2, (5, 2, 4)).astype(bool)
Y = X * SCALE[:, None, None]
N = FLAGS.sum(axis=2)
ROWS = """<ir_version: 8, opset_import: ["": 17]> rows (float[1, 4] x) => (float[1, 4] y) { y = Relu(x) }"""


class EvaluationTest(ToolTest):
    def save(self, name, array):
        np.save(self.dir / name, array)
        return self.dir / name

    def flags(self, x=X, scale=SCALE, flags=FLAGS):
        return [f"--input={name}={self.save(f'{name}.npy', value)}"
                for name, value in (("x", x), ("scale", scale), ("flags", flags))]

    def run_model(self, *args, model="fake.so", out="out"):
        outputs = ["--output-dir", self.dir / out] if out else []
        return call("brisk-run", MODELS / model, *outputs, *args)

    def rows(self):
        (self.dir / "rows.onnxtxt").write_text(ROWS)
        return self.dir / "rows.onnxtxt"

    def read(self, out="out"):
        return [np.load(self.dir / out / f"{k}.npy") for k in range(2)]


class Samples(EvaluationTest):
    def test_outputs_are_stacked(self):
        result = self.run_model("--samples", *self.flags())
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        y, n = self.read()
        np.testing.assert_array_equal(y, Y)
        np.testing.assert_array_equal(n, N)
        listing = json.loads((self.dir / "out/outputs.json").read_text())["outputs"]
        self.assertEqual([entry["shape"] for entry in listing], [[5, 2, 3], [5, 2]])

    def test_archives(self):
        for save in (np.savez, np.savez_compressed):
            path = self.dir / "in=1.npz"  # no name, for all its '='
            save(path, x=X, scale=SCALE, flags=FLAGS)
            for flags in ([f"--input={path}"], [f"--input={name}={path}" for name in ("x", "scale", "flags")]):
                result = self.run_model("--samples", *flags)
                self.assertEqual(result.returncode, 0, result.stderr)
                np.testing.assert_array_equal(self.read()[0], Y)
        np.savez(self.dir / "one.npz", anything=X)
        result = self.run_model("--samples", f"--input=x={self.dir}/one.npz", *self.flags()[1:])
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_samples_in_the_place_of_a_batch_of_one(self):
        x = RANDOM.standard_normal((7, 4)).astype(np.float32)
        for shape in ((7, 4), (7, 1, 4)):
            result = self.run_model("--samples", f"--input=x={self.save('x.npy', x.reshape(shape))}", model=self.rows())
            self.assertEqual(result.returncode, 0, result.stderr)
            np.testing.assert_array_equal(np.load(self.dir / "out/0.npy"), np.maximum(x, 0).reshape(7, 1, 4))

    def test_refused(self):
        good = self.flags()
        np.savez(self.dir / "other.npz", z=X, w=X)
        (self.dir / "bad.npz").write_text("no archive")
        for args, *fragments in [
            (good[:2], "no value for 'flags'"),
            ([*good[:2], f"--input=flags={self.save('few.npy', FLAGS[:3])}"],
             "input 'flags'", "few.npy' has 3 samples, and input 'scale' has 5", "expected as many of every input"),
            ([f"--input=x={self.save('none.npy', X[:0])}"], "input 'x'", "none.npy' has no samples"),
            ([f"--input=x={self.save('single.npy', X[0])}"],
             "expected samples of float32 of shape 2x3, as ?x2x3, found float32 of shape 2x3 in"),
            ([f"--input=x={self.save('wide.npy', X.astype(np.float64))}"], "found float64 of shape 5x2x3"),
            ([f"--input=scale={self.save('scalar.npy', SCALE[0])}"], "samples of float32 scalar, as ?, found"),
            ([f"--input={self.dir}/other.npz"], "other.npz' holds an array 'z', but no input is named so"),
            ([f"--input=x={self.dir}/other.npz"], "other.npz' holds no array 'x'; it has 'z', 'w'"),
            ([f"--input={self.dir}/bad.npz"], "bad.npz': it is no ZIP archive"),
            (["--input=z=absent.npz"], "no input is named 'z'"),
            (["--input=absent.npz"], "absent.npz", "No such file"),
            ([*good, good[0]], "input 'x' is given twice"),
        ]:
            with self.subTest(fragments=fragments):
                self.assertRefused(self.run_model("--samples", *args), *fragments)
                self.assertFalse((self.dir / "out").exists())
        self.assertRefused(self.run_model("--samples", *good, model="refusing.so"), "sample 0: the model did not run")


class Compare(EvaluationTest):
    def compare(self, reference, *args):
        return self.run_model("--samples", *self.flags(), f"--compare={reference}", *args, out=None)

    def test_against_itself(self):
        self.assertEqual(self.run_model("--samples", *self.flags()).returncode, 0)
        result = self.compare(self.dir / "out")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        title, y, n = result.stdout.splitlines()
        self.assertEqual(title.split(), ["output", "type", "shape", "SQNR/dB", "max", "error", "at", "found", "expected",
                                         "equal", "top-1"])
        self.assertEqual(y.split(), ["y", "float32", "5x2x3", "inf", "0", "100.00%", "100.00%", "of", "10"])
        self.assertEqual(n.split(), ["n", "int64", "5x2", "inf", "0", "100.00%"])
        self.assertEqual(os.listdir(self.dir / "out").sort(), ["0.npy", "1.npy", "outputs.json"].sort())

    def test_figures(self):
        noisy, counts = Y.astype(np.float64), N.copy()
        noisy[3, 1, 2] += 0.25
        noisy[0, 0] = noisy[0, 0, ::-1]
        counts[4, 0] += 2
        np.savez(self.dir / "ref.npz", y=noisy, n=counts)
        result = self.compare(self.dir / "ref.npz", f"--json={self.dir}/r.json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        y, n = json.loads((self.dir / "r.json").read_text())["outputs"]
        sqnr = 10 * np.log10((noisy ** 2).sum() / ((noisy - Y) ** 2).sum())
        at = np.unravel_index(np.abs(noisy - Y).argmax(), Y.shape)
        self.assertAlmostEqual(y["sqnr_db"], sqnr, 9)
        self.assertEqual(y["max_error_at"], list(at))
        self.assertAlmostEqual(y["max_error"], abs(noisy - Y)[at], 12)
        self.assertAlmostEqual(y["found"], Y[at], 12)
        self.assertAlmostEqual(y["expected"], noisy[at], 12)
        self.assertAlmostEqual(y["equal"], (noisy == Y).mean(), 12)
        self.assertAlmostEqual(y["top1"], (noisy.argmax(-1) == Y.argmax(-1)).mean(), 12)
        self.assertEqual((n["max_error"], n["max_error_at"], n["top1"], n["equal"]), (2, [4, 0], None, 0.9))
        self.assertIn(f"{sqnr:.2f}", result.stdout)

    def test_numbers_that_are_none(self):
        broken = Y.copy()
        broken[1, 0, 1] = np.nan
        np.savez(self.dir / "ref.npz", y=broken, n=N)
        result = self.compare(self.dir / "ref.npz", "--json=-")
        self.assertEqual(result.returncode, 0)
        y = json.loads(result.stdout)["outputs"][0]
        self.assertEqual((y["sqnr_db"], y["max_error"], y["expected"], y["max_error_at"]), ("-inf", "inf", "nan", [1, 0, 1]))
        self.assertIn("-inf", result.stderr)  # where the table went
        np.savez(self.dir / "ref.npz", y=np.zeros_like(Y), n=N)
        self.assertEqual(json.loads(self.compare(self.dir / "ref.npz", "--json=-").stdout)["outputs"][0]["sqnr_db"], "-inf")

    def test_class_axis(self):
        np.savez(self.dir / "ref.npz", y=Y + np.array([[0, 9, 0]], np.float32), n=N)
        y, n = json.loads(self.compare(self.dir / "ref.npz", "--json=-", "--class-axis=0").stdout)["outputs"]
        self.assertEqual(y["top1"], 1)
        self.assertIsNotNone(n["top1"])
        self.assertRefused(self.compare(self.dir / "ref.npz", "--class-axis=1"), "output 'n' has 1 dimensions")

    def test_a_reference_of_one_batch(self):
        x = RANDOM.standard_normal((7, 4)).astype(np.float32)
        np.savez(self.dir / "ref.npz", y=np.maximum(x, 0))
        result = self.run_model("--samples", f"--input=x={self.save('x.npy', x)}", f"--compare={self.dir}/ref.npz",
                                "--min-sqnr=100", model=self.rows(), out=None)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("100.00% of 7", result.stdout)

    def test_a_least_ratio(self):
        np.savez(self.dir / "ref.npz", y=Y * np.float32(1.01), n=N + 1)
        self.assertEqual(self.compare(self.dir / "ref.npz", "--min-sqnr=39").returncode, 0)
        result = self.run_model("--samples", *self.flags(), f"--compare={self.dir}/ref.npz", "--min-sqnr=41")
        self.assertRefused(result, "output 'y' has an SQNR of 40.0", "dB, lower than --min-sqnr=41")
        self.assertIn("int64", result.stdout)
        self.assertEqual(len(os.listdir(self.dir / "out")), 3)  # to be looked at

    def test_refused(self):
        folder = self.dir / "ref"
        folder.mkdir()
        np.save(folder / "0.npy", Y)
        self.assertRefused(self.compare(folder), f"'{folder}' has no file 1.npy or 1.pb for output 'n'")
        np.save(folder / "1.npy", N[:4])
        self.assertRefused(self.compare(folder), "output 'n' is int64 of shape 5x2, but its reference int64 of shape 4x2")
        np.save(folder / "1.npy", N.astype(np.float32))
        self.assertRefused(self.compare(folder), "but its reference float32 of shape 5x2")
        index = folder / "outputs.json"
        for text, fragment in [("{", "is not as brisk-run writes it"), ("[]", "it has no list 'outputs'"),
                               ('{"outputs": [{}]}', "lacks its 'name' or 'file'"),
                               ('{"outputs": [{"name": "z", "file": "0.npy"}]}', "lists no output 'y'; it has 'z'"),
                               ('{"outputs": [{"name": "y", "file": "9.npy"}]}', "No such file")]:
            index.write_text(text)
            with self.subTest(text=text):
                self.assertRefused(self.compare(folder), fragment)
        self.assertRefused(self.compare("absent"), "--compare=absent: expected a folder or a .npz file")
        np.savez(self.dir / "ref.npz", y=Y, m=N)
        self.assertRefused(self.compare(self.dir / "ref.npz"), "ref.npz' holds no array 'n'; it has 'y', 'm'")
        for flag in ("--min-sqnr=3", "--class-axis=0", "--json=r.json"):
            self.assertRefused(self.run_model(*self.flags(), flag), f"{flag.split('=')[0]} goes with --compare")
        self.assertRefused(self.compare(self.dir / "ref.npz", "--min-sqnr=nan"), "--min-sqnr: expected a number of dB")
        self.assertRefused(self.run_model(*self.flags(), out=None), "give --output-dir or --compare")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=pathlib.Path, required=True, help="folder of the hand-written models")
    args, run = tool_test.main(parser)
    MODELS = args.models.resolve()
    run()
