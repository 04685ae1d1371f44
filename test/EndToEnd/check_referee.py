#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the judge of comparisons (test/models/referee.py): that double
precision is double precision, and what it lets pass."""

import math
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))

import numpy as np
import onnx

from evaluate_in_double import evaluate
from referee import Referee

LIMIT = 2e-5
SIGMOID = "(float[1] x) => (float[1] y) { y = Sigmoid (x) }"
X = np.float32([-12])
RIGHT = 1 / (1 + np.exp(12.0))


class RefereeTest(unittest.TestCase):
    def save(self, graph, opset=18):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "model.onnx"
        onnx.save(onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]> g {graph}'), path)
        return path

    def judge(self, actual, expected, graph=SIGMOID, x=X, opset=18, **options):
        referee = Referee(self.save(graph, opset), {"x": x}, **options)
        return referee.judge("y", np.float32(actual), np.float32(expected), LIMIT)

    def test_doubles_all_floats(self):
        path = self.save("""
            (float[2] x, bool c) => (float[2] y) <float[1] w = {0.1}> {
              a = If (c) <
                then_branch = then () => (float[2] t) { k = Constant <value = float[1] {0.3}> () t = Mul (x, k) },
                else_branch = else () => (float[2] e) { e = Identity (x) }>
              i = Cast <to = 7> (x)
              f = Cast <to = 1> (i)
              q = Mul (f, w)
              s = Add (a, q)
              y = Erf (s)
            }""")
        x = np.float32([0.7, 1.7])
        for condition, factor in ((True, float(np.float32(0.3))), (False, 1.0)):
            y = evaluate(path, {"x": x, "c": np.array(condition)})["y"]
            right = [math.erf(value * factor + int(value) * float(np.float32(0.1))) for value in x.tolist()]
            np.testing.assert_allclose(y, right, rtol=1e-15)

    def test_normalizes_by_what_is_given(self):
        path = self.save("""
            (float[1,1,2] x) => (float[1,1,2] y)
            <float[1] s = {2}, float[1] b = {3}, float[1] m = {4}, float[1] v = {0.25}> {
              y = BatchNormalization <epsilon = 0.0, momentum = 0.9> (x, s, b, m, v)
            }""", opset=11)
        y = evaluate(path, {"x": np.float32([[[4, 5]]])})["y"]
        np.testing.assert_allclose(y, [[[3, 7]]], rtol=1e-15)

    def test_passes_what_only_onnxruntime_rounds(self):
        verdict = self.judge([RIGHT], [RIGHT * 1.005])
        self.assertTrue(verdict.is_right)
        self.assertAlmostEqual(verdict.error, 0.005, 4)
        self.assertRegex(verdict.text, "by double precision: off by .*e-0[89], ONNX Runtime by 5.0e-03")

    def test_is_not_asked_within_the_limit(self):
        verdict = self.judge([RIGHT * 1.005], [RIGHT * 1.005 * (1 + LIMIT / 2)])
        self.assertTrue(verdict.is_right)
        self.assertEqual(verdict.text, "")

    def test_fails_what_is_wrong(self):
        self.assertFalse(self.judge([RIGHT * 1.005], [RIGHT]).is_right)
        self.assertFalse(self.judge([RIGHT * 1.005], [RIGHT * 1.006]).is_right)
        self.assertFalse(self.judge([np.nan], [RIGHT]).is_right)

    def test_fails_what_is_not_rounding(self):
        # The evaluator takes the last axis, which became the default in opset 13.
        softmax = "(float[1,2,1] x) => (float[1,2,1] y) { y = Softmax (x) }"
        verdict = self.judge([[[1], [1]]], [[[0.5], [0.5]]], softmax, np.zeros((1, 2, 1), np.float32), opset=12)
        self.assertFalse(verdict.is_right)
        self.assertIn("off by 0.0e+00, ONNX Runtime by 5.0e-01", verdict.text)

    def test_fails_what_it_cannot_judge(self):
        verdict = self.judge([RIGHT], [RIGHT * 1.005], "(float[1] x) => (float[1] y) { y = NoSuchOp (x) }")
        self.assertFalse(verdict.is_right)
        self.assertIn("no double precision: ", verdict.text)
        verdict = self.judge([RIGHT], [RIGHT * 1.005], time_limit=0.01)
        self.assertFalse(verdict.is_right)
        self.assertIn("takes more than 0.01 s", verdict.text)


if __name__ == "__main__":
    unittest.main()
