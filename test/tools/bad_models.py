#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Model files that no compiler should take, for bad_input.py.

Each generator yields (name, write, words): write(folder) makes the files and
returns the model's path; every one of the words must be in the diagnostics.
"""

import os
import pathlib
import random

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

SHAPE = [1, 3, 8, 8]


def weights(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)


def model(nodes, *, initializers=(), inputs=None, outputs=None, opset=17, domains=()):
    """A model of the nodes; by default from x of SHAPE to y of any shape."""
    inputs = inputs or [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)]
    outputs = outputs or [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    graph = helper.make_graph(nodes, "bad", inputs, outputs, list(initializers))
    opsets = [helper.make_opsetid("", opset)] if opset is not None else []
    opsets += [helper.make_opsetid(domain, 1) for domain in domains]
    made = helper.make_model(graph, ir_version=8)
    del made.opset_import[:]
    made.opset_import.extend(opsets)
    return made


def node(op, inputs, outputs, name=None, **attributes):
    return helper.make_node(op, inputs, outputs, name=name or f"the_{op.lower()}", **attributes)


def good():
    """A small network that compiles: what the mutations start from."""
    return model(
        [node("Conv", ["x", "w", "b"], ["c"], pads=[1, 1, 1, 1]),
         node("Relu", ["c"], ["r"]),
         node("GlobalAveragePool", ["r"], ["p"]),
         node("Flatten", ["p"], ["f"]),
         node("Gemm", ["f", "g", "h"], ["z"]),
         node("Softmax", ["z"], ["y"], axis=1)],
        initializers=[numpy_helper.from_array(weights(1, 4, 3, 3, 3), "w"),
                      numpy_helper.from_array(weights(2, 4), "b"),
                      numpy_helper.from_array(weights(3, 4, 5), "g"),
                      numpy_helper.from_array(weights(4, 5), "h")],
        outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 5])])


def as_file(content, name="m.onnx"):
    """A write function for a model, for bytes or for text."""
    def write(folder):
        data = content
        if isinstance(data, onnx.ModelProto):
            data = data.SerializeToString()
        path = folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path
    return write


def not_models():
    rng = random.Random(1)
    yield "empty", as_file(b""), []
    yield "missing", lambda folder: folder / "m.onnx", ["m.onnx"]
    yield "a folder", lambda folder: folder, []
    yield "text", as_file("this is not a model\n" * 50), []
    yield "json", as_file('{"graph": []}'), []
    yield "zeros", as_file(bytes(4096)), []
    yield "elf", lambda folder: as_file(pathlib.Path("/bin/true").read_bytes())(folder), []
    yield "empty onnxtxt", as_file("", "m.onnxtxt"), []
    yield "broken onnxtxt", as_file("<ir_version: 8, opset_import: [\"\" : 17]>\nm (float[1] x) => (", "m.onnxtxt"), []
    yield "broken mlir", as_file("module { func.func @f( }", "m.mlir"), []
    yield "empty mlir", as_file("", "m.mlir"), []
    for size in (1, 7, 64, 1000, 100000):
        yield f"{size} random bytes", as_file(rng.randbytes(size)), []


def truncated():
    data = good().SerializeToString()
    points = sorted({*range(1, 64, 3), *range(64, len(data), max(1, len(data) // 40)), len(data) - 1})
    for point in points:
        yield f"truncated to {point} of {len(data)} bytes", as_file(data[:point]), []


def bit_flips(count):
    """Models with one to four bits flipped: taken or refused, but never more."""
    data = good().SerializeToString()
    rng = random.Random(2)
    for number in range(count):
        flipped = bytearray(data)
        for _ in range(1 + number % 4):
            bit = rng.randrange(8 * len(data))
            flipped[bit // 8] ^= 1 << bit % 8
        yield f"bit flips, number {number}", as_file(bytes(flipped)), []


def external(location, offset="0", length=None, shape=(4, 3, 3, 3), prepare=lambda folder: None):
    """The good model with the convolution's weights in another file."""
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=shape,
                         data_location=TensorProto.EXTERNAL)
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        if value is not None:
            tensor.external_data.add(key=key, value=value)

    def write(folder):
        made = good()
        place = folder / "model"
        place.mkdir()
        made.graph.initializer[0].CopyFrom(tensor)
        if location and "{outside}" in location:
            made.graph.initializer[0].external_data[0].value = location.format(outside=folder / "outside.bin")
        data = weights(1, *shape).tobytes()
        (folder / "outside.bin").write_bytes(data)
        (place / "w.bin").write_bytes(data)
        prepare(place)
        return as_file(made)(place)
    return write


def external_data():
    size = str(4 * 4 * 27)
    yield "missing external data", external("none.bin", length=size), ["none.bin"]
    yield "short external data", external("w.bin", offset="8", length=size), ["w.bin"]
    yield "external data past the end", external("w.bin", offset="999999", length=size), ["w.bin"]
    yield "external data of another length", external("w.bin", length="12"), ["w"]
    yield "negative offset", external("w.bin", offset="-4", length=size), []
    yield "offset that is no number", external("w.bin", offset="four", length=size), []
    yield "huge offset", external("w.bin", offset="18446744073709551615", length=size), []
    yield "external data without a location", external(None, length=size), []
    yield "external data with an empty location", external("", length=size), []
    yield "external data in the folder above", external("../outside.bin", length=size), ["../outside.bin"]
    yield "external data above through a folder", external("sub/../../outside.bin", length=size, prepare=lambda
                                                           place: (place / "sub").mkdir()), ["outside.bin"]
    yield "external data at an absolute path", external("{outside}", length=size), ["outside.bin"]
    yield "external data that is a folder", external("w.d", length=size, prepare=lambda
                                                     place: (place / "w.d").mkdir()), ["w.d"]
    yield "external data through a link out", external("l.bin", length=size, prepare=lambda place: os.symlink(
        place.parent / "outside.bin", place / "l.bin")), ["l.bin"]
    yield "external data through a folder that is a link out", external(
        "d/outside.bin", length=size, prepare=lambda place: os.symlink(place.parent, place / "d")), ["outside.bin"]


def bad_graphs():
    x_and_w = [numpy_helper.from_array(weights(1, *SHAPE), "w")]
    yield "unknown ops, all at once", as_file(model(
        [node("Frobnicate", ["x"], ["a"], "first_node"), node("Relu", ["a"], ["b"]),
         node("Quux", ["b"], ["c"], "second_node"), node("Zap", ["c"], ["y"], "third_node", domain="my.domain")],
        domains=["my.domain"])), ["Frobnicate", "first_node", "Quux", "second_node", "Zap", "third_node", "my.domain"]
    yield "cycle", as_file(model([node("Add", ["x", "b"], ["a"], "one"), node("Relu", ["a"], ["b"], "two"),
                                  node("Relu", ["a"], ["y"], "three")])), ["cyc"]
    yield "cycle of one", as_file(model([node("Add", ["x", "y"], ["y"], "one")])), ["cyc"]
    yield "undefined input", as_file(model([node("Relu", ["nowhere"], ["y"])])), ["nowhere"]
    yield "undefined output", as_file(model([node("Relu", ["x"], ["z"])])), ["y"]
    yield "no nodes", as_file(model([])), ["y"]
    yield "no outputs", as_file(_without(good(), "output")), []
    yield "no graph", as_file(onnx.ModelProto(ir_version=8)), []
    yield "value defined twice", as_file(model([node("Relu", ["x"], ["y"], "one"), node("Neg", ["x"], ["y"], "two")])), ["y"]
    yield "value defined over an input", as_file(model([node("Relu", ["x"], ["x"], "one"),
                                                        node("Relu", ["x"], ["y"], "two")])), ["x"]
    yield "initializer defined twice", as_file(model([node("Add", ["x", "w"], ["y"])], initializers=x_and_w * 2)), ["w"]
    yield "input defined twice", as_file(model([node("Relu", ["x"], ["y"])], inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)] * 2)), ["x"]
    yield "input without a name", as_file(model([node("Relu", ["x"], ["y"])], inputs=[
        helper.make_tensor_value_info("", TensorProto.FLOAT, SHAPE),
        helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)])), []
    yield "initializer without a name", as_file(model([node("Relu", ["x"], ["y"])], initializers=[
        numpy_helper.from_array(weights(1, 4), "")])), []
    yield "too few inputs", as_file(model([node("Add", ["x"], ["y"])])), ["the_add"]
    yield "too many inputs", as_file(model([node("Relu", ["x", "x", "x"], ["y"])])), ["the_relu"]
    yield "missing attribute", as_file(model([node("Concat", ["x", "x"], ["y"])])), ["the_concat"]
    yield "missing attribute of the first opset", as_file(model([node("TopK", ["x"], ["y", "i"])], opset=1)), [
        "the_topk", "'k'"]
    yield "missing scale", as_file(model([node("Upsample", ["x"], ["y"], width_scale=2.0)], opset=1)), ["'height_scale'"]
    yield "attribute of another type", as_file(model([node("Concat", ["x", "x"], ["y"], axis="one")])), ["the_concat"]


def _without(made, field):
    made.graph.ClearField(field)
    return made


def bad_shapes():
    def two(op, first, second, **attributes):
        return as_file(model([node(op, ["x", "w"], ["y"], **attributes)],
                             inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, first)],
                             initializers=[numpy_helper.from_array(weights(1, *second), "w")]))
    yield "sum of other shapes", two("Add", [2, 3], (4, 5)), ["the_add"]
    yield "product of other shapes", two("MatMul", [2, 3], (4, 5)), ["the_matmul"]
    yield "convolution of other channels", two("Conv", [1, 3, 8, 8], (4, 2, 3, 3)), ["the_conv"]
    yield "kernel larger than its input", two("Conv", [1, 3, 2, 2], (4, 3, 5, 5)), ["the_conv"]
    yield "concatenation of other shapes", two("Concat", [2, 3], (4, 5), axis=1), ["the_concat"]
    yield "axis out of range", two("Concat", [2, 3], (2, 3), axis=7), ["the_concat"]
    yield "scales of another length", two("QuantizeLinear", [2, 1], (3,), axis=1), ["the_quantizelinear", "1xf32"]
    yield "blocks of scales past the end", two("QuantizeLinear", [2, 1], (2, 3), axis=1, block_size=2), [
        "the_quantizelinear"]
    yield "one parameter for many channels", as_file(model(
        [node("BatchNormalization", ["x", "w", "w", "w", "w"], ["y"])],
        initializers=[numpy_helper.from_array(weights(1, 1), "w")])), ["the_batchnormalization", "3xf32"]
    yield "bias larger than its product", as_file(model(
        [node("Gemm", ["x", "x", "w"], ["y"])],
        inputs=[helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 1])],
        initializers=[numpy_helper.from_array(weights(1, 4, 3), "w")])), ["the_gemm"]
    yield "bounds that are no scalar", two("Clip", [2], (2,)), ["the_clip"]
    yield "reshape to another size", as_file(model(
        [node("Reshape", ["x", "s"], ["y"])],
        initializers=[numpy_helper.from_array(np.array([5, 5]), "s")])), ["the_reshape"]
    yield "reshape with two unknowns", as_file(model(
        [node("Reshape", ["x", "s"], ["y"])],
        initializers=[numpy_helper.from_array(np.array([-1, -1]), "s")])), ["the_reshape"]
    yield "declared shape that an input decides", as_file(model(
        [node("OneHot", ["i", "depth", "w"], ["y"])],
        inputs=[helper.make_tensor_value_info("i", TensorProto.INT64, [2]),
                helper.make_tensor_value_info("depth", TensorProto.INT64, [])],
        outputs=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])],
        initializers=[numpy_helper.from_array(weights(1, 2), "w")])), ["the_onehot", "'depth'", "must be constant"]
    yield "permutation that is none", as_file(model([node("Transpose", ["x"], ["y"], perm=[0, 0, 1, 2])])), [
        "the_transpose"]
    yield "output of another type than declared", as_file(model(
        [node("Relu", ["x"], ["y"])],
        outputs=[helper.make_tensor_value_info("y", TensorProto.INT32, SHAPE)])), ["y"]
    short = numpy_helper.from_array(weights(1, *SHAPE), "w")
    short.raw_data = short.raw_data[:-4]
    yield "initializer with too little data", as_file(model([node("Add", ["x", "w"], ["y"])], initializers=[short])), ["w"]
    negative = numpy_helper.from_array(weights(1, 4), "w")
    negative.dims[0] = -4
    yield "initializer of negative size", as_file(model([node("Add", ["x", "w"], ["y"])], initializers=[negative])), ["w"]
    huge = numpy_helper.from_array(weights(1, 4), "w")
    huge.dims[:] = [1 << 40, 1 << 40]
    yield "initializer whose size overflows", as_file(model([node("Add", ["x", "w"], ["y"])], initializers=[huge])), ["w"]
    yield "input whose size overflows", as_file(model([node("Relu", ["x"], ["y"])], inputs=[
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [1 << 40, 1 << 40])])), ["x"]


def bad_types():
    def typed(dtype, op="Identity"):
        return as_file(model([node(op, ["x"], ["y"])],
                             inputs=[helper.make_tensor_value_info("x", dtype, [4])],
                             outputs=[helper.make_tensor_value_info("y", dtype, [4])]))
    yield "strings", typed(TensorProto.STRING), ["string"]
    yield "complex numbers", typed(TensorProto.COMPLEX64), ["complex"]
    yield "a type that does not exist", typed(99), ["99"]
    yield "no type", typed(0), []
    yield "an op on a type it is not for", typed(TensorProto.BOOL, "Relu"), ["the_relu"]
    yield "a sum of two types", as_file(model(
        [node("Add", ["x", "w"], ["y"])],
        initializers=[numpy_helper.from_array(np.ones(SHAPE, np.int64), "w")])), ["the_add"]
    yield "integers by a fraction", as_file(model(
        [node("Gemm", ["x", "x"], ["y"], alpha=0.5)],
        inputs=[helper.make_tensor_value_info("x", TensorProto.INT32, [2, 2])],
        outputs=[helper.make_tensor_value_info("y", TensorProto.INT32, None)])), ["the_gemm", "alpha"]
    yield "a sequence", as_file(model([node("Relu", ["x"], ["y"])], inputs=[
        helper.make_tensor_sequence_value_info("x", TensorProto.FLOAT, [4])])), ["x"]
    yield "an output of another type than declared", as_file(model(
        [node("Relu", ["x"], ["y"])],
        outputs=[helper.make_tensor_value_info("y", TensorProto.INT64, SHAPE)])), ["y"]
    for opset in (0, -1, 99, 1 << 40):
        yield f"opset {opset}", as_file(model([node("Relu", ["x"], ["y"])], opset=opset)), [str(opset)]
    yield "no opset", as_file(model([node("Relu", ["x"], ["y"])], opset=None)), ["opset"]
