#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges how far an engine's outputs are from ONNX Runtime's.

ONNX Runtime rounds as well, and not always well. Where an engine misses its
limit against it, ONNX's reference evaluator computes the model once more, with
float64 for float32. The output is right if it is within the same limit of that
and ONNX Runtime's is not.
"""

import pathlib
import pickle
import subprocess
import sys
import typing

import numpy as np

import inputs as model_inputs

# More is not rounding, and the evaluator has faults: it takes an attribute's default
# from the newest opset, which an engine might do as well.
_ROUNDING_LIMIT = 1e-2
_TIME_LIMIT = 60  # seconds; the evaluator is written in Python
_EVALUATOR = pathlib.Path(__file__).resolve().with_name("evaluate_in_double.py")


class Verdict(typing.NamedTuple):
    error: float  # relative L2, against ONNX Runtime
    is_right: bool
    text: str = ""  # what double precision says, where it was asked


class Referee:
    """Judges outputs of one model on one set of inputs."""

    def __init__(self, path, inputs, time_limit=_TIME_LIMIT):
        self._path, self._inputs, self._time_limit = path, inputs, time_limit
        self._outputs = self._fault = None

    def judge(self, name, actual, expected, limit):
        """The verdict on an output where ONNX Runtime's is the expected one, of the same type and shape."""
        error = model_inputs.relative_error(actual, expected)
        if error <= limit or actual.dtype != np.float32:
            return Verdict(error, bool(error <= limit))
        if self._outputs is None and self._fault is None:
            self._evaluate()
        if self._fault:
            return Verdict(error, False, f"no double precision: {self._fault}")
        exact = self._outputs[name]
        if exact.dtype != np.float64 or exact.shape != actual.shape:
            return Verdict(error, False, f"no double precision: the evaluator gives {exact.dtype} {exact.shape}")
        own, peer = (model_inputs.relative_error(value, exact) for value in (actual, expected))
        return Verdict(error, bool(own <= limit < peer <= _ROUNDING_LIMIT),
                       f"by double precision: off by {own:.1e}, ONNX Runtime by {peer:.1e}")

    def _evaluate(self):
        # In a process of its own, which can be ended.
        try:
            result = subprocess.run([sys.executable, "-B", _EVALUATOR], input=pickle.dumps((self._path, self._inputs)),
                                    capture_output=True, timeout=self._time_limit)
        except subprocess.TimeoutExpired:
            self._fault = f"takes more than {self._time_limit} s"
            return
        if result.returncode == 0:
            self._outputs = pickle.loads(result.stdout)
        else:
            lines = result.stderr.decode(errors="replace").strip().splitlines()
            self._fault = lines[-1] if lines else f"the evaluator ended with {result.returncode}"
