#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The light networks of the package onnx: graphs of its model zoo in which a
ConstantOfShape node stands for each large weight."""

import collections
import pathlib

import numpy as np
import onnx
from onnx import numpy_helper

FOLDER = pathlib.Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"

# Mean and standard deviation of a vector by the operand that it is: those of a
# network at the start of training, each channel with its own values.
_VECTORS = {
    ("Add", 1): (0, 0.1),
    ("BatchNormalization", 1): (1, 0.1),  # scale
    ("BatchNormalization", 2): (0, 0.1),  # bias
    ("BatchNormalization", 3): (0, 0.1),  # mean
    ("BatchNormalization", 4): (1, 0.1),  # variance
    ("Conv", 2): (0, 0.1),
    ("Gemm", 2): (0, 0.1),
    ("Mul", 1): (1, 0.1),
}
# What a residual block adds is scaled down, or activations grow with every block;
# so are the logits, or the softmax of a thousand is 1 for one and 0 for the others.
_RESIDUAL_SCALE = (0.5, 0.1)
_LOGIT_SCALE = 0.2


class _Roles:
    """What the values of a graph are to the nodes that read them."""

    def __init__(self, graph):
        self.producers = {output: node for node in graph.node for output in node.output}
        self.readers = collections.defaultdict(list)
        for node in graph.node:
            for index, name in enumerate(node.input):
                self.readers[name].append((node, index))
        self.last = [node.output[0] for node in graph.node if node.op_type in ("Conv", "Gemm")][-1]

    def users(self, name):
        """Nodes and operand numbers that read a value, past reshapes."""
        for node, index in self.readers[name]:
            if node.op_type in ("Reshape", "Unsqueeze") and index == 0:
                yield from self.users(node.output[0])
            else:
                yield node, index

    def is_rectified(self, name):
        """Whether a value comes from a Relu, past pooling, reshapes and the like."""
        node = self.producers.get(name)
        if node is None or node.op_type in ("Add", "BatchNormalization", "Conv", "Gemm", "Sum"):
            return False
        return node.op_type == "Relu" or self.is_rectified(node.input[0])

    def distribution(self, name, dims):
        """Mean and standard deviation of a weight; None if this is no weight."""
        for node, index in self.users(name):
            role = node.op_type, index
            if role in (("Conv", 1), ("Gemm", 1)):
                # He et al. 2015, equation 10.
                gain = 2 if self.is_rectified(node.input[0]) else 1
                operands = dims[-1] if node.op_type == "Gemm" else np.prod(dims[1:])
                return 0, np.sqrt(gain / operands) * (_LOGIT_SCALE if node.output[0] == self.last else 1)
            if role == ("BatchNormalization", 1) and any(
                    user.op_type == "Sum" for user, _ in self.users(node.output[0])):
                return _RESIDUAL_SCALE
            if role in _VECTORS:
                return _VECTORS[role]
        return None


def weightless_graph(file):
    """The model in a file, its weights as initializers for fill_weights."""
    model = onnx.load(FOLDER / file)
    graph = model.graph
    given = {tensor.name: tensor for tensor in graph.initializer}
    dims = {node.output[0]: numpy_helper.to_array(given[node.input[0]]).tolist()
            for node in graph.node if node.op_type == "ConstantOfShape"}
    # Small weights are still there, as trained; beside drawn ones they would not fit.
    dims |= {name: list(tensor.dims) for name, tensor in given.items()
             if tensor.data_type == onnx.TensorProto.FLOAT}

    roles, weights = _Roles(graph), []
    for name, shape in dims.items():
        distribution = roles.distribution(name, shape)
        if distribution:
            weights.append(onnx.TensorProto(name=name, dims=shape, data_type=onnx.TensorProto.FLOAT,
                                            doc_string="fill:{:g},{:.6g}".format(*distribution)))
    nodes = [node for node in graph.node if node.op_type != "ConstantOfShape"]
    read = {name for node in nodes for name in node.input}
    others = [tensor for name, tensor in given.items() if name in read and name not in dims]
    inputs = [value for value in graph.input if value.name not in given]
    for field, values in ((graph.node, nodes), (graph.initializer, weights + others), (graph.input, inputs)):
        values = list(values)
        del field[:]
        field.extend(values)
    model.ir_version = 4  # from here on weights need not be inputs as well
    return model
