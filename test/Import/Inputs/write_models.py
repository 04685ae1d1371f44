#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes models that the text form cannot express, into the folder given."""

import pathlib
import sys

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save_model


def model(nodes, inputs, outputs, initializers, name="main", **options):
    graph = helper.make_graph(nodes, name, inputs, outputs, initializers, **options)
    return helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])


def write_types(folder):
    """Constants of 16-bit floats in both of their fields, and a sparse one."""
    halves = np.array([1.5, -2.0], np.float16)
    sparse = helper.make_sparse_tensor(
        helper.make_tensor("s", TensorProto.FLOAT, [2], [5.0, 7.0]),
        helper.make_tensor("", TensorProto.INT64, [2], [1, 3]), [2, 2])
    tensors = [
        numpy_helper.from_array(halves, "raw"),
        TensorProto(name="field", data_type=TensorProto.FLOAT16, dims=[2],
                    int32_data=[int(bits) for bits in halves.view(np.uint16)]),
        TensorProto(name="brain", data_type=TensorProto.BFLOAT16, dims=[2], int32_data=[0x3FC0, 0xC000]),
    ]
    outputs = [helper.make_tensor_value_info(t.name, t.data_type, [2]) for t in tensors]
    outputs.append(helper.make_tensor_value_info("s", TensorProto.FLOAT, [2, 2]))
    save_model(model([], [], outputs, tensors, sparse_initializer=[sparse]), folder / "types.onnx")


def write_outside(folder):
    """A sparse constant with an element far outside its shape."""
    sparse = helper.make_sparse_tensor(
        helper.make_tensor("s", TensorProto.FLOAT, [1], [5.0]),
        helper.make_tensor("", TensorProto.INT64, [1, 3], [1, 2**63 - 1, 2**63 - 1]), [2, 2, 2])
    outputs = [helper.make_tensor_value_info("s", TensorProto.FLOAT, [2, 2, 2])]
    save_model(model([], [], outputs, [], sparse_initializer=[sparse]), folder / "outside.onnx")


def write_external(folder):
    """A weight in a file of its own, large enough to stay there."""
    weight = numpy_helper.from_array(np.arange(256, dtype=np.float32), "w")
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [256]) for name in "xy")
    save_model(model([helper.make_node("Add", ["x", "w"], ["y"], name="add")], [x], [y], [weight]),
               folder / "external.onnx", save_as_external_data=True, location="external.bin", size_threshold=0)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_types(folder)
    write_outside(folder)
    write_external(folder)


if __name__ == "__main__":
    main()
