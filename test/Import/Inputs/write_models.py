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


def write_parts_of_bytes(folder):
    """Weights of 4 and 2 bits in both of their fields, in blocks; and 4 bits where they are not taken."""
    four = TensorProto(name="four", data_type=TensorProto.INT4, dims=[3, 5], raw_data=bytes(range(1, 9)))
    two = TensorProto(name="two", data_type=TensorProto.UINT2, dims=[4, 1], int32_data=[0xE4])
    zero = TensorProto(name="zero", data_type=TensorProto.UINT2, dims=[2, 1], raw_data=b"\x0d")
    scale = numpy_helper.from_array(np.float32(0.5), "scale")
    scales = numpy_helper.from_array(np.float32([[1], [2]]), "scales")
    x, y, z = (helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
               for name, shape in (("x", [2, 3]), ("y", [3, 5]), ("z", [4, 1])))
    nodes = [helper.make_node("DequantizeLinear", ["four", "scale"], ["y"]),
             helper.make_node("DequantizeLinear", ["two", "scales", "zero"], ["z"], axis=0, block_size=2)]
    taken = model(nodes, [], [y, z], [four, two, zero, scale, scales])
    taken.opset_import[0].version = 25
    save_model(taken, folder / "parts_of_bytes.onnx")
    product = helper.make_node("MatMul", ["x", "four"], ["y"], name="product")
    save_model(model([product], [x], [y], [four]), folder / "misused.onnx")
    four.raw_data = four.raw_data[1:]
    save_model(model(nodes[:1], [], [y], [four, scale]), folder / "few_bytes.onnx")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_types(folder)
    write_outside(folder)
    write_external(folder)
    write_parts_of_bytes(folder)


if __name__ == "__main__":
    main()
