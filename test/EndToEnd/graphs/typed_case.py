#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random graph of any element types (typed_graph.py), every value of which is known.

Whole numbers, and floats whose last bit is defined, must be equal, and the sign
of zero where IEEE 754 says it; other floats may be off by their slack. Each
graph is also compiled with some or all of its inputs as constants.
"""

import numpy as np
import onnx
from onnx import compose, numpy_helper

import typed_elementwise
import typed_layers
import typed_movement
from compiled_model import Failure
from graph_builder import Reject, make_info
from typed_graph import TypedGraph
from typed_oracle import DOUBLE, FLOATS, differs

OPSETS = (13, 16, 18, 20, 22, 23)
TOGETHER = 8  # graphs of as many seeds share an opset, so that one model may hold them


class TypedCase:
    """A model with its inputs, and what it should give."""

    may_bypass = False  # only the values that the graph was grown with are known

    def __init__(self, model, inputs, graph):
        self.model, self.inputs, self.graph = model, inputs, graph

    @staticmethod
    def make(seed, most_nodes, disputes=None):
        g = TypedGraph(np.random.default_rng([seed, 1]), OPSETS[seed // TOGETHER % len(OPSETS)])
        size, tries = int(g.random.integers(1, most_nodes + 1)), 0
        families = (typed_elementwise.SOURCES, typed_movement.SOURCES, typed_layers.SOURCES)
        while len(g.nodes) < size and tries < 200:
            tries += 1
            try:
                family = g.one_of(*families)
                g.one_of(*family)(g)
            except Reject as reason:
                if disputes is not None and str(reason).startswith("disputed"):
                    disputes[str(reason)] += 1
        computed = [name for node in g.nodes for name in node.output]
        outputs = [name for name in computed if name not in g.used or g.chance(0.3)]
        inputs = {name: value for name, value in g.inputs.items() if name in g.used}
        constants = {name: value for name, value in g.constants.items() if name in g.used}
        model = g.model(g.nodes, inputs, constants, [make_info(name, g.values[name]) for name in outputs])
        return TypedCase(model, inputs, g)

    def changed(self, model, inputs):
        return TypedCase(model, inputs, self.graph)

    def values(self):
        return self.graph.constants | self.graph.values

    def folded(self, random):
        """The same with some inputs as constants; all, in most cases."""
        model = onnx.ModelProto()
        model.CopyFrom(self.model)
        left = [] if random.random() < 0.6 else [name for name in self.inputs if random.random() < 0.5]
        model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in self.inputs.items()
                                       if name not in left)
        kept = [value for value in model.graph.input if value.name in left]
        del model.graph.input[:]
        model.graph.input.extend(kept)
        return self.changed(model, {name: self.inputs[name] for name in left})

    def compare(self, actual):
        """Raises a Failure if an output is wrong."""
        names = [output.name for output in self.model.graph.output]
        if [name for name, _ in actual] != names:
            raise Failure("outputs", f"{[name for name, _ in actual]} instead of {names}")
        for name, value in actual:
            expected = self.graph.value(name)
            if (value.dtype, value.shape) != (expected.dtype, expected.shape):
                raise Failure("type", f"output {name} is {value.dtype}{value.shape}, expected "
                                      f"{expected.dtype}{expected.shape}")
            slack = self.graph.slacks.get(name, np.zeros(expected.shape))
            wrong = differs(value, expected, slack)
            if value.dtype in FLOATS and name not in self.graph.loose_zeros:
                wrong |= (expected == 0) & (np.signbit(value) != np.signbit(expected))
            if wrong.any():
                at = tuple(int(i) for i in np.argwhere(wrong)[0])
                near = f", within {slack[at]:.1e}" if slack[at] else ""
                raise Failure("wrong", f"output {name} is {value[at]!r} at {list(at)}, expected {expected[at]!r}{near}; "
                                       f"{wrong.sum()} of {value.size} differ")


def merged(cases):
    """One model of several cases, and its inputs."""
    whole, inputs = onnx.ModelProto(), {}
    whole.CopyFrom(cases[0].model)
    whole.graph.Clear()
    whole.graph.name = "merged"
    for i, case in enumerate(cases):
        graph = compose.add_prefix(case.model, f"g{i}_").graph
        for field in ("node", "input", "output", "initializer"):
            getattr(whole.graph, field).extend(getattr(graph, field))
        inputs |= {f"g{i}_{name}": value for name, value in case.inputs.items()}
    return whole, inputs


def apart(outputs, count):
    """What each of several merged cases gives."""
    results = [[] for _ in range(count)]
    for name, value in outputs:
        number, _, own = name.partition("_")
        results[int(number[1:])].append((own, value))
    return results
