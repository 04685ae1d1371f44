#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs every kernel family with every element type, one op at a time, against a reference.

A family has a row here, or the test fails: nodes of all that it computes, the
types that ONNX has them in, and those in which this family is to run them (the
others fall to plain loops, and must be right as well). Results are held to those
of ONNX's reference evaluator in double precision; whole numbers must be equal. Runs are in
poisoned memory between fences, with tasks out of order.
"""

import argparse
import concurrent.futures
import json
import pathlib
import sys
import tempfile

import ml_dtypes
import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "graphs"), str(HERE.parent), str(HERE.parent / "models")]

import inputs as model_inputs
from check_tests import list_families
from compiled_model import Failure, run_model
from typed_oracle import LRN

DOUBLE = np.dtype(np.float64)
BF16 = np.dtype(ml_dtypes.bfloat16)
# Relative to the norm of a result.
LIMITS = {np.dtype(np.float16): 1e-3, BF16: 8e-3, np.dtype(np.float32): 1e-5, DOUBLE: 1e-13}
FLOATS = tuple(LIMITS)
F32 = (np.dtype(np.float32),)
SIGNED, UNSIGNED = (tuple(np.dtype(f"{kind}{bits}") for bits in (8, 16, 32, 64)) for kind in ("int", "uint"))
BYTES = (np.dtype(np.int8), np.dtype(np.uint8))
LONGS = tuple(np.dtype(name) for name in ("int32", "int64", "uint32", "uint64"))
NUMBERS = FLOATS + SIGNED + UNSIGNED
ALL = NUMBERS + (np.dtype(bool),)


class Nodes:
    """Nodes of one model, each by itself, of one element type, or with the same numbers in another."""

    def __init__(self, dtype, computed=None):
        self.dtype, self.computed = dtype, computed or dtype
        self.random = np.random.default_rng(9)
        self.nodes, self.inputs, self.constants, self.outputs = [], {}, {}, []

    def has(self, *types):
        return self.dtype in types

    def values(self, *shape):
        if self.dtype in FLOATS:
            return self.random.standard_normal(shape).astype(self.dtype).astype(self.computed)
        least = 0 if self.dtype.kind in "ub" else -4
        return self.random.integers(least, 2 if self.dtype.kind == "b" else 8, shape).astype(self.computed)

    def input(self, *shape):
        name = f"x{len(self.inputs)}"
        self.inputs[name] = self.values(*shape)
        return name

    def constant(self, *shape):
        return self.known(self.values(*shape))

    def known(self, value):
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(value)
        return name

    def add(self, op, operands, outputs=1, **attributes):
        """A node, and the names of its results, which are outputs of the model."""
        name = f"{op}_{len(self.nodes)}"
        results = [f"{name}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, operands, results, name, **attributes))
        self.outputs += results

    def model(self):
        graph = helper.make_graph(
            self.nodes, "types",
            [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
             for name, value in self.inputs.items()],
            [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(self.computed), None)
             for name in self.outputs],
            [numpy_helper.from_array(value, name) for name, value in self.constants.items()])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 22)], ir_version=10)


def elementwise(m):
    if m.has(np.dtype(bool)):
        m.add("Xor", [m.input(5, 37), m.input(37)])
        m.add("Not", [m.input(77)])
        return
    m.add("Add", [m.input(5, 37), m.constant(37)])
    m.add("Max", [m.input(3, 1, 70), m.input(4, 1)])
    m.add("Where", [m.known(m.random.random((9, 21)) < 0.5), m.input(9, 21), m.input(21)])
    if m.has(*FLOATS):
        m.add("Sigmoid", [m.input(77)])


def transpose(m):
    m.add("Transpose", [m.input(37, 50)], perm=[1, 0])
    m.add("Transpose", [m.input(2, 9, 5, 16)], perm=[0, 2, 1, 3])
    m.add("Transpose", [m.input(2, 5, 18, 33)], perm=[0, 2, 3, 1])


def gather(m):
    for shape, axis in (((10, 40), 0), ((3, 6, 5), 1), ((2, 3, 17), 1)):
        m.add("Gather", [m.input(*shape), m.known(m.random.integers(-shape[axis], shape[axis], (2, 4)))], axis=axis)


def border(m):
    m.add("Pad", [m.input(1, 6, 7, 5), m.known(np.array([0, 1, 2, 0, 0, 1, 1, 0]))])
    m.add("Pad", [m.input(4, 20), m.known(np.array([1, 0, 1, 0])), m.constant()])


def resize(m):
    # Channels last, as the layout stage makes it between convolutions.
    scales = m.known(np.array([1, 2, 1.5, 1], np.float32))
    m.add("Resize", [m.input(1, 5, 6, 19), "", scales], coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    if m.has(*FLOATS):
        m.add("Resize", [m.input(1, 5, 6, 19), "", scales], mode="linear")


def pool(m):
    m.add("MaxPool", [m.input(1, 21, 8, 13)], kernel_shape=[3, 3], pads=[1] * 4, strides=[1, 2])
    m.add("MaxPool", [m.input(1, 16, 9, 9)], kernel_shape=[2, 2])
    if m.has(*FLOATS):
        m.add("AveragePool", [m.input(1, 21, 8, 13)], kernel_shape=[3, 3], pads=[1] * 4)


def reduction(m):
    for shape, axes in (((7, 100), (1,)), ((40, 33), (0,)), ((2, 9, 5, 6), (1, 2))):
        for op in ("ReduceMax", "ReduceMin") + (("ReduceSum", "ReduceMean") if m.has(*FLOATS, *LONGS) else ()):
            if op != "ReduceMean" or m.has(*FLOATS):  # of whole numbers, it would be cut
                m.add(op, [m.input(*shape), m.known(np.array(axes))])


def softmax(m):
    for columns in (10, 77):
        m.add("Softmax", [m.input(5, columns)])
        m.add("LogSoftmax", [m.input(5, columns)])


def layer_norm(m):
    for columns in (16, 77):
        m.add("LayerNormalization", [m.input(5, columns), m.constant(columns), m.constant(columns)])


def lrn(m):
    m.add("LRN", [m.input(2, 21, 3, 5)], size=5)
    m.add("LRN", [m.input(1, 40, 4, 1)], size=4, alpha=0.5, beta=0.6, bias=2.0)


def depthwise(m):
    m.add("Conv", [m.input(1, 21, 9, 12), m.constant(21, 1, 3, 3), m.constant(21)], group=21, pads=[1] * 4)
    m.add("Conv", [m.input(1, 16, 9, 9), m.constant(16, 1, 5, 5)], group=16, strides=[2, 2])


def grouped_conv(m):
    m.add("Conv", [m.input(1, 24, 9, 12), m.constant(24, 4, 3, 3), m.constant(24)], group=6, pads=[1] * 4)
    m.add("Conv", [m.input(1, 10, 9, 9), m.constant(96, 5, 3, 1)], group=2, strides=[2, 2])


def gemm(m):
    m.add("MatMul", [m.input(5, 64), m.constant(64, 37)])
    m.add("MatMul", [m.input(2, 5, 33), m.input(2, 33, 20)])
    m.add("MatMul", [m.input(2, 7, 33), m.constant(33, 24)])
    if m.has(*FLOATS):
        m.add("Conv", [m.input(1, 9, 7, 8), m.constant(24, 9, 1, 1), m.constant(24)])
        m.add("Conv", [m.input(1, 9, 7, 8), m.constant(17, 9, 3, 3)], strides=[2, 2])
        # Enough for tile registers.
        m.add("MatMul", [m.input(70, 96), m.constant(96, 80)])
        m.add("MatMul", [m.input(37, 31), m.constant(31, 50)])
        m.add("Conv", [m.input(1, 32, 9, 37), m.constant(40, 32, 3, 3), m.constant(40)], pads=[1] * 4)
        m.add("Conv", [m.input(1, 34, 9, 21), m.constant(24, 34, 3, 3)], pads=[1] * 4, dilations=[2, 1])


def spmm(m):
    def sparse(*shape):
        values = m.values(*shape)
        return m.known(np.where(m.random.random(shape) < 0.96, np.zeros_like(values), values))

    for rows in (1, 17, 50):
        m.add("MatMul", [m.input(rows, 300), sparse(300, 40)])
    m.add("MatMul", [m.input(2, 37, 131), sparse(131, 70)])
    m.add("Conv", [m.input(1, 160, 9, 9), sparse(40, 160, 1, 1), m.constant(40)])
    m.add("Conv", [m.input(2, 39, 9, 8), sparse(33, 39, 3, 2), m.constant(33)], strides=[2, 1])


def conv_transpose(m):
    m.add("ConvTranspose", [m.input(1, 24, 5, 7), m.constant(24, 16, 2, 2), m.constant(16)], strides=[2, 2])
    m.add("ConvTranspose", [m.input(1, 6, 5, 19), m.constant(6, 1, 2, 2)], strides=[2, 2])


def recurrent(m):
    for op, gates, attributes in (("LSTM", 4, {}), ("GRU", 3, {"linear_before_reset": 1}), ("GRU", 3, {}), ("RNN", 1, {})):
        for units in (5, 20):
            m.add(op, [m.input(4, 2, 3), m.constant(1, gates * units, 3), m.constant(1, gates * units, units),
                       m.constant(1, 2 * gates * units)], outputs=2, hidden_size=units, **attributes)


def loops(m):
    m.add("Trilu", [m.input(7, 9)])
    m.add("Tile", [m.input(3, 5), m.known(np.array([2, 3]))])
    m.add("ScatterElements", [m.input(4, 6), m.known(np.argsort(m.random.random((2, 6)), 1)), m.constant(2, 6)], axis=1)
    m.add("ReverseSequence", [m.input(5, 3, 4), m.known(np.array([5, 2, 3]))])
    if m.has(*FLOATS, *LONGS):
        m.add("CumSum", [m.input(4, 9), m.known(np.array(1))])
    if m.has(*FLOATS):
        m.add("Conv", [m.input(1, 6, 9, 9), m.constant(9, 2, 3, 3)], group=3)


# Nodes; the types that ONNX has them in; those that the family takes.
ROWS = {
    "elementwise": (elementwise, ALL, ALL),
    "transpose": (transpose, ALL, ALL),
    "gather": (gather, ALL, ALL),
    "border": (border, ALL, ALL),
    "resize": (resize, NUMBERS, F32),
    "pool": (pool, FLOATS + BYTES, FLOATS + BYTES),
    "reduction": (reduction, FLOATS + LONGS + BYTES, F32),
    "softmax": (softmax, FLOATS, FLOATS),
    "layer_norm": (layer_norm, FLOATS, FLOATS),
    "lrn": (lrn, FLOATS, FLOATS),
    "depthwise": (depthwise, FLOATS, FLOATS),
    "grouped_conv": (grouped_conv, FLOATS, FLOATS),
    "gemm": (gemm, FLOATS + LONGS, FLOATS),
    "spmm": (spmm, FLOATS, F32),
    "conv_transpose": (conv_transpose, FLOATS, F32),
    "recurrent": (recurrent, FLOATS, FLOATS),
    "loops": (loops, ALL, ALL),
}


def compare(args, family, dtype, target):
    """What is wrong with a family's nodes in one type on one target, line by line."""
    make, _, takes = ROWS[family]
    ours, exact = Nodes(dtype), Nodes(dtype, dtype if dtype.kind == "b" else DOUBLE)
    make(ours)
    make(exact)
    expected = dict(zip(exact.outputs, ReferenceEvaluator(exact.model(), new_ops=[LRN]).run(exact.outputs, exact.inputs)))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        report = folder / "report.json"
        try:
            actual = dict(run_model(args, ours.model(), ours.inputs, target, folder, [f"--report={report}"]))
        except Failure as failure:
            return [str(failure)]
        kernels = {}
        for op in json.loads(report.read_text())["ops"]:
            kernels.setdefault(op["name"], set()).add(op["kernel"])
    wrong = []
    for node in ours.nodes:
        found = kernels.get(node.name) or kernels.get("", set())  # a transpose that was moved has no name
        if (family in found) != (dtype in takes):
            wrong.append(f"{node.name} is run by {', '.join(sorted(found)) or 'nothing'}, expected "
                         f"{'' if dtype in takes else 'not '}{family}")
    for name, reference in expected.items():
        value = actual[name]
        if value.dtype != dtype or value.shape != reference.shape:
            wrong.append(f"{name} is {value.dtype}{value.shape}, expected {dtype}{reference.shape}")
        elif dtype in FLOATS:
            error = model_inputs.relative_error(value, reference, of_zero=1e-30)
            if not error <= LIMITS[dtype]:
                wrong.append(f"{name} differs by {error:.2g}, more than {LIMITS[dtype]:.2g}")
        elif not np.array_equal(value, reference):
            wrong.append(f"{name} is not equal")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", metavar="FAMILY", nargs="*", help="families to run (default: all)")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc")
    parser.add_argument("--kernel-tests", type=pathlib.Path, help="unit tests of the kernel table, to ask for its names")
    parser.add_argument("--target", action="append",
                        help="target to compile for; may be repeated, the others with the types that families take alone "
                             "(default: host)")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="models at a time (default: 2)")
    args = parser.parse_args()
    args.bin = args.bin.resolve()
    if unknown := set(args.families) - set(ROWS):
        parser.error(f"no such family: {' '.join(sorted(unknown))}")
    failed = 0
    if args.kernel_tests and (table := set(list_families(args.kernel_tests))) != set(ROWS):
        failed += 1
        print(f"FAIL  without a row here: {sorted(table - set(ROWS))}; not in the table: {sorted(set(ROWS) - table)}")
    targets = args.target or ["host"]
    # Plain loops are much the same everywhere.
    cases = [(family, dtype, target) for target in targets for family in args.families or ROWS
             for dtype in ROWS[family][1 if target == targets[0] else 2]]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for (family, dtype, target), wrong in zip(cases, pool.map(lambda case: compare(args, *case), cases)):
            failed += bool(wrong)
            for line in wrong:
                print(f"FAIL  {family} of {dtype} for {target}: {line}", flush=True)
    print(f"{len(cases)} models of {len(ROWS)} families, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
