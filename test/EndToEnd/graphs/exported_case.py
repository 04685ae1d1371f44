#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random graph as exporters write them (node_sources.py), held to ONNX Runtime.

Floats may differ from ONNX Runtime's by a relative L2 error of 2e-5, or be
about as near to double precision as ONNX Runtime is; other types must be equal.
"""

import pathlib
import tempfile

import numpy as np
import onnx
from onnx import numpy_helper

import inputs as model_inputs
from compiled_model import Failure
from evaluate_in_double import evaluate as evaluate_in_double
from graph_builder import evaluate
from node_sources import make_graph

LIMIT = 2e-5


class ExportedCase:
    """A model with its inputs, and what it should give."""

    may_bypass = True  # what a changed model should give can be computed

    def __init__(self, model, inputs):
        self.model, self.inputs, self.expected = model, inputs, evaluate(model, inputs)

    @staticmethod
    def make(seed, most_nodes):
        return ExportedCase(*make_graph(np.random.default_rng(seed), most_nodes))

    def changed(self, model, inputs):
        return ExportedCase(model, inputs)

    def values(self):
        """All values by name."""
        everything = onnx.ModelProto()
        everything.CopyFrom(self.model)
        names = {name for node in self.model.graph.node for name in node.output if name}
        del everything.graph.output[:]
        everything.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in sorted(names))
        values = {tensor.name: numpy_helper.to_array(tensor) for tensor in self.model.graph.initializer} | self.inputs
        return values | dict(evaluate(everything, self.inputs))

    def in_double(self):
        with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
            onnx.save(self.model, pathlib.Path(file.name))
            return evaluate_in_double(file.name, self.inputs)

    def compare(self, actual):
        """Raises a Failure if an output is wrong."""
        exact = None
        if [name for name, _ in actual] != [name for name, _ in self.expected]:
            raise Failure("outputs", f"{[name for name, _ in actual]} instead of {[name for name, _ in self.expected]}")
        for (name, value), (_, reference) in zip(actual, self.expected):
            if (value.dtype, value.shape) != (reference.dtype, reference.shape):
                raise Failure("type", f"output {name} is {value.dtype}{value.shape}, expected "
                                      f"{reference.dtype}{reference.shape}")
            if not np.issubdtype(value.dtype, np.floating):
                if not np.array_equal(value, reference):
                    differing = np.sum(value != reference)
                    raise Failure("wrong", f"output {name} differs in {differing} of {value.size} elements")
                continue
            error = model_inputs.relative_error(value, reference)
            if error <= LIMIT:
                continue
            try:
                exact = exact or self.in_double()
                own, peer = (model_inputs.relative_error(array, exact[name]) for array in (value, reference))
            except Exception as fault:  # of the evaluator, which is not complete
                raise Failure("wrong", f"output {name} differs by {error:.1e} (no double precision: {fault})") from None
            # What cancels is noise for all, but noise is small.
            is_noise = own <= 4 * peer and np.abs(value - exact[name]).max(initial=0) < 1e-4
            if not (own <= LIMIT or is_noise):
                raise Failure("wrong", f"output {name} differs by {error:.1e} (by double precision: off by {own:.1e}, "
                                       f"ONNX Runtime by {peer:.1e})")
