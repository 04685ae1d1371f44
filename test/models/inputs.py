#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests and benchmarks share about the models of shapes.json: their seeded
inputs, and how far outputs may be off."""

import json
import pathlib

import numpy as np
import onnx

SPEC_FILE = pathlib.Path(__file__).resolve().parent / "shapes.json"

_DEFAULT_LIMIT = 2e-5
# ONNX Runtime is 7e-5 from double precision here, which takes a minute to tell.
_LIMITS = {"ppocr_det": 2e-4}

# Through these, from their first input, an index stays the index that it was.
_TRANSPARENT = {"Cast", "Flatten", "Gather", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"}


def load_spec():
    """What shapes.json says, by model name."""
    return json.loads(SPEC_FILE.read_text())


def shape_flags(entry):
    """The --shape flags that give a model the shapes of shapes.json."""
    flags = []
    for name, shape in entry["inputs"].items():
        flags += ["--shape", f"{name}={'x'.join(map(str, shape)) if shape else 'scalar'}"]
    return flags


def error_limit(name):
    """The relative L2 error that a float output of a model may have."""
    return _LIMITS.get(name, _DEFAULT_LIMIT)


def relative_error(actual, expected, of_zero=1):
    """The relative L2 error of an array; relative to of_zero where all that is expected is 0."""
    expected = expected.astype(np.float64)
    norm = np.linalg.norm(expected.ravel())
    error = np.linalg.norm((actual.astype(np.float64) - expected).ravel())
    return error / (norm or of_zero)


def _table_rows(graph, name):
    """Rows of the smallest constant table that an input indexes; None without one."""
    sizes = {tensor.name: tensor.dims[0] for tensor in graph.initializer if tensor.dims}
    names, rows = {name}, []
    for node in graph.node:  # in topological order
        if node.op_type in _TRANSPARENT and node.input[0] in names:
            names.add(node.output[0])
        elif node.op_type == "Gather" and node.input[1] in names and node.input[0] in sizes:
            rows.append(sizes[node.input[0]])
    return min(rows, default=None)


def make_inputs(path, entry, seed=0):
    """Inputs by name, in the graph's order: floats from N(0, 1), indices within
    their table, other integers from 0 to 255, attention masks of ones that end
    in zeros, and what "values" in shapes.json fixes."""
    graph = onnx.load(path, load_external_data=False).graph
    weights = {tensor.name for tensor in graph.initializer}
    inputs = {}
    for index, value in enumerate(graph.input):
        if value.name in weights:
            continue
        dtype = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        shape = tuple(entry["inputs"][value.name])
        generator = np.random.default_rng([seed, index])
        if value.name in entry.get("values", {}):
            data = np.full(shape, entry["values"][value.name])
        elif np.issubdtype(dtype, np.floating):
            data = generator.standard_normal(shape, dtype=np.float32)
        elif "mask" in value.name:
            data = np.ones(shape)
            data[..., shape[-1] - shape[-1] // 8:] = 0
        else:
            data = generator.integers(0, _table_rows(graph, value.name) or 256, shape)
        inputs[value.name] = np.ascontiguousarray(data.astype(dtype)).reshape(shape)
    return inputs
