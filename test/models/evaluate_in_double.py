#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates a model with float64 for float32 and float16, by ONNX's reference
evaluator.

As a program: takes (path, inputs by name) and gives outputs by name, pickled.
"""

import math
import pickle
import sys

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

_NARROW = (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16)
_DOUBLE = onnx.TensorProto.DOUBLE


class BatchNormalization(OpRun):
    """The evaluator's own computes as in training before opset 14."""

    op_domain = ""

    def _run(self, x, scale, bias, mean, variance, epsilon=None, training_mode=None, **_):
        if training_mode:
            raise NotImplementedError("training")
        scale, bias, mean, variance = (value.reshape(-1, *[1] * (x.ndim - 2))
                                       for value in (scale, bias, mean, variance))
        return ((x - mean) / np.sqrt(variance + epsilon) * scale + bias,)


class Erf(OpRun):
    """The evaluator's own rounds to float32."""

    op_domain = ""

    def _run(self, x):
        return (np.vectorize(math.erf, otypes=[x.dtype])(x),)


def _widen(value):
    return value.astype(np.float64) if value.dtype in (np.float32, np.float16) else value


def _widen_tensor(tensor):
    if tensor.data_type in _NARROW:
        tensor.CopyFrom(numpy_helper.from_array(_widen(numpy_helper.to_array(tensor)), tensor.name))


def _widen_nodes(nodes):
    for node in nodes:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.TENSOR:
                _widen_tensor(attribute.t)
            elif attribute.type == onnx.AttributeProto.GRAPH:
                _widen_graph(attribute.g)
            elif node.op_type == "Cast" and attribute.name == "to" and attribute.i in _NARROW:
                attribute.i = _DOUBLE


def _widen_graph(graph):
    for tensor in graph.initializer:
        _widen_tensor(tensor)
    for value in [*graph.input, *graph.output, *graph.value_info]:
        if value.type.tensor_type.elem_type in _NARROW:
            value.type.tensor_type.elem_type = _DOUBLE
    _widen_nodes(graph.node)


def evaluate(path, inputs):
    """A model's outputs by name, computed in double precision."""
    model = onnx.load(path)
    _widen_graph(model.graph)
    for function in model.functions:
        _widen_nodes(function.node)
    evaluator = ReferenceEvaluator(model, new_ops=[BatchNormalization, Erf])
    outputs = evaluator.run(None, {name: _widen(value) for name, value in inputs.items()})
    return dict(zip(evaluator.output_names, outputs))


if __name__ == "__main__":
    pickle.dump(evaluate(*pickle.load(sys.stdin.buffer)), sys.stdout.buffer)
