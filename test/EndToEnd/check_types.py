#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares arithmetic and conversions of every type with NumPy, on every target.

One model of independent nodes: casts between all types, and arithmetic on all
of them. NumPy and ml_dtypes round as IEEE 754 says, and so must the code of
each target, to the bit, whether it has instructions for a type or not; the
operands are special numbers, ties between neighbours of the narrower types, and
random bits. What a target cannot run here runs under QEMU.
"""

import argparse
import pathlib
import re
import sys
import tempfile

import ml_dtypes
import numpy as np
import onnx
from onnx import helper

from compare_on_qemu import TARGETS, Failure, build, run_program, write_case

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
FLOATS = [np.dtype(name) for name in ("float64", "float32", "float16")] + [BFLOAT16]
SIGNED = [np.dtype(name) for name in ("int64", "int32", "int16", "int8")]
UNSIGNED = [np.dtype(name) for name in ("uint64", "uint32", "uint16", "uint8")]
INTS = SIGNED + UNSIGNED
# Nodes, by their names, that QEMU 7.2 cannot run: an assertion of its fails at vectors of floats that become integers.
LEFT_OUT = {"riscv64gcv": r"Cast_b?float\d+_u?int|Floor|Ceil"}


def ties(narrow):
    """In double precision: every number of a narrow type, what lies half-way to the next, and their neighbours."""
    numbers = np.arange(1 << 15, dtype=np.uint16).view(narrow).astype(np.float64)
    numbers = numbers[np.isfinite(numbers)]
    half_way = (numbers[:-1] + numbers[1:]) / 2
    past = numbers[-1] + (numbers[-1] - numbers[-2]) / 2  # from here on, infinity is nearer
    points = np.concatenate([numbers, half_way, [past]])
    near = [points, np.nextafter(points, np.inf), np.nextafter(points, 0)]
    near += [np.nextafter(points.astype(np.float32), bound).astype(np.float64)
             for bound in np.float32([np.inf, 0])]
    return np.concatenate(near)


def floats(random, dtype, count):
    """`count` numbers of a float type, ties first, with both signs, in random order."""
    special = np.array([0.0, np.inf, np.nan, 1, 2, 3, 0.5, 2.5, 1e300, 5e-324, 1e-310, 1e-42, 6e-8, 65519.99, 65520])
    pool = np.concatenate([ties(np.float16), ties(BFLOAT16)])
    with np.errstate(over="ignore"):
        numbers = np.concatenate([special, random.permutation(pool)[:count]]).astype(dtype)
    bits = np.frombuffer(random.bytes(count // 4 * dtype.itemsize), dtype)
    numbers = np.concatenate([bits, numbers])[:count]
    return random.permutation(np.where(random.random(count) < 0.5, numbers, -numbers)).astype(dtype)


def ints(random, dtype, count):
    """`count` numbers of all magnitudes."""
    info = np.iinfo(dtype)
    bits = np.frombuffer(random.bytes(count * dtype.itemsize), dtype)
    shifts = random.integers(0, info.bits, count).astype(dtype)
    edges = np.array([0, 1, 2, 3, info.min, info.min + 1, info.max, info.max - 1, info.max // 2 + 1], dtype)
    return np.concatenate([edges, bits >> shifts])[:count]


class Grid:
    """Independent nodes, with what NumPy gives for each."""

    def __init__(self, seed, count):
        self.random, self.count = np.random.default_rng(seed), count
        self.inputs, self.nodes, self.expected = {}, [], {}

    def input(self, value):
        name = f"x{len(self.inputs)}"
        self.inputs[name] = value
        return name

    def add(self, op, operands, expected, **attributes):
        name = "_".join([op, *(str(value.dtype) for value in operands), str(expected.dtype)])
        names = [next((name for name, known in self.inputs.items() if known is value), None) or self.input(value)
                 for value in operands]
        self.nodes.append(helper.make_node(op, names, [name], name, **attributes))
        self.expected[name] = expected

    def leave_out(self, names):
        self.nodes = [node for node in self.nodes if not re.match(names, node.name)]
        self.expected = {name: value for name, value in self.expected.items() if not re.match(names, name)}

    def build(self):
        def info(name, value):
            return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
        graph = helper.make_graph(self.nodes, "types", [info(*item) for item in self.inputs.items()],
                                  [info(*item) for item in self.expected.items()])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def to_float(numbers, dtype):
    """As in C, integers become narrow floats by way of f32."""
    if numbers.dtype.kind in "iub" and dtype.itemsize < 4:
        numbers = numbers.astype(np.float32)
    return round_to(numbers, dtype)


def round_to(numbers, dtype):
    """To a float type, rounded once: ml_dtypes takes f64 to bf16 by way of f32, so this goes by the bits of f64."""
    if dtype != BFLOAT16 or numbers.dtype != np.float64:
        return numbers.astype(dtype)
    magnitude = np.abs(numbers)
    unit = np.exp2(np.maximum(np.frexp(magnitude)[1], -125) - 8.0)  # of the last place
    whole = np.rint(np.where(np.isfinite(numbers), magnitude, 0) / unit) * unit
    return np.copysign(np.where(np.isfinite(numbers), whole, magnitude), numbers).astype(np.float32).astype(dtype)


def add_casts(grid, operands):
    for source, numbers in operands.items():
        for target in FLOATS + INTS:
            if target == source:
                continue
            if target in FLOATS:
                expected, values = to_float(numbers, target), numbers
            elif source in FLOATS:  # beyond the range, ONNX does not say
                info = np.iinfo(target)
                wide = numbers.astype(np.float64)
                inside = (wide > float(info.min) - 1) & (wide < float(info.max)) & np.isfinite(wide)
                values = np.where(inside, numbers, source.type(1))
                expected = values.astype(np.float64).astype(target)
            else:
                expected, values = numbers.astype(target), numbers
            grid.add("Cast", [values], expected, to=helper.np_dtype_to_tensor_dtype(target))
        grid.add("Cast", [numbers], numbers != 0, to=onnx.TensorProto.BOOL)


def add_arithmetic(grid, operands):
    for dtype in FLOATS:
        a, b = operands[dtype], grid.random.permutation(operands[dtype])
        for op, function in (("Add", np.add), ("Sub", np.subtract), ("Mul", np.multiply), ("Div", np.divide),
                             ("Less", np.less), ("GreaterOrEqual", np.greater_equal), ("Equal", np.equal),
                             ("Max", np.maximum), ("Min", np.minimum)):
            grid.add(op, [a, b], function(a, b))
        for op, function in (("Sqrt", np.sqrt), ("Floor", np.floor), ("Ceil", np.ceil), ("Round", np.rint),
                             ("Abs", np.abs), ("Neg", np.negative), ("Reciprocal", lambda x: x.dtype.type(1) / x),
                             ("IsNaN", np.isnan), ("Sign", lambda x: np.where(np.isnan(x), x, np.sign(x)))):
            grid.add(op, [a], function(a))
        small = np.rint(grid.random.uniform(-4, 4, (4, 8))).astype(dtype)
        grid.add("ReduceSum", [small], small.sum(keepdims=True))
        grid.add("MatMul", [small, np.ascontiguousarray(small.T)],
                 (small.astype(np.float64) @ small.T.astype(np.float64)).astype(dtype))
    for dtype in INTS:
        a, b = operands[dtype], grid.random.permutation(operands[dtype])
        divisor = np.where((b == 0) | (b == -1 if dtype in SIGNED else False), dtype.type(3), b)
        for op, function, other in (("Add", np.add, b), ("Sub", np.subtract, b), ("Mul", np.multiply, b),
                                    ("Mod", np.mod, divisor), ("Less", np.less, b), ("Max", np.maximum, b)):
            grid.add(op, [a, other], function(a, other))
        grid.add("Div", [a, divisor], a // divisor + ((a % divisor != 0) & ((a < 0) != (divisor < 0))).astype(dtype))


def make_grid(count):
    grid = Grid(7, count)
    operands = {dtype: (floats if dtype in FLOATS else ints)(grid.random, dtype, count) for dtype in FLOATS + INTS}
    with np.errstate(all="ignore"):
        add_casts(grid, operands)
        add_arithmetic(grid, operands)
    return grid


def find_difference(name, actual, expected):
    if len(actual) != expected.nbytes:
        return f"{name}: {len(actual)} bytes, expected {expected.nbytes}"
    got = np.frombuffer(actual, expected.dtype).reshape(expected.shape)
    equal = got == expected
    if expected.dtype in FLOATS:
        signs_count = name.partition("_")[0] not in ("Max", "Min", "Sign")  # where either zero will do
        equal = np.where(equal, (expected != 0) | (np.signbit(got) == np.signbit(expected)) | (not signs_count),
                         np.isnan(got) & np.isnan(expected))
    if equal.all():
        return None
    at = np.flatnonzero(~equal.ravel())
    return (f"{name}: {len(at)} of {expected.size} differ, first at {at[0]}: {got.ravel()[at[0]]!r}, "
            f"expected {expected.ravel()[at[0]]!r}")


def check_target(args, target):
    """The number of nodes, and what is wrong."""
    args.target = target
    grid = make_grid(args.count)
    if target in LEFT_OUT:
        grid.leave_out(LEFT_OUT[target])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        onnx.save(grid.build(), folder / "types.onnx")
        write_case(folder / "case.h", grid.inputs, grid.expected, helper_stack=128 if target == "cortex-m4" else 0)
        actual = run_program(args, build(args, folder / "types.onnx", {"inputs": {}}, folder))
    if list(actual) != list(grid.expected):
        raise Failure("the outputs are others than expected")
    faults = [find_difference(name, actual[name], value) for name, value in grid.expected.items()]
    return len(faults), [fault for fault in faults if fault]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", dest="targets", required=True, action="append", choices=TARGETS)
    parser.add_argument("--count", type=int, default=500, help="elements of an operand (default: 500)")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc")
    parser.add_argument("--runtime", type=pathlib.Path, required=True, help="folder runtime of the source tree")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one step")
    args = parser.parse_args()
    failed = False
    for target in args.targets:
        try:
            count, faults = check_target(args, target)
        except (Failure, OSError) as failure:
            count, faults = 0, [str(failure)]
        for fault in faults:
            print(f"FAIL  {target}: {fault}")
        print(f"{target}: {count - len(faults)} of {count} nodes as NumPy has them", flush=True)
        failed |= bool(faults) or not count
    return failed


if __name__ == "__main__":
    sys.exit(main())
