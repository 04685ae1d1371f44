#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares functions of floats, in every type, with what they are in a higher precision.

Elementwise functions, powers and remainders are held to NumPy's long doubles,
by units in the last place of the type, over its whole range; the sign of a zero
counts. Ops that use such functions inside are held to ONNX's reference
evaluator, in float64. "folded" has the same operands as constants.
"""

import argparse
import concurrent.futures
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from kernel_grid import compute

EXACT = np.longdouble
ERF = np.vectorize(lambda x: math.erf(float(x)), otypes=[EXACT])
# Each with the operands that need not be tried: an exponent of 2 that the size
# is below, or an interval. Then the ulps that f32 and f64 may be off.
UNARY = {
    "Exp": (np.exp, (-150, 8), 2), "Log": (np.log, (-1080, 1024), 2), "Sin": (np.sin, (-1080, 1024), 3),
    "Cos": (np.cos, (-1080, 1024), 3), "Tan": (np.tan, (-1080, 1024), 4), "Asin": (np.arcsin, (-1080, 1), 4),
    "Acos": (np.arccos, (-1080, 1), 4), "Atan": (np.arctan, (-1080, 1024), 4), "Sinh": (np.sinh, (-1080, 6), 4),
    "Cosh": (np.cosh, (-1080, 6), 4), "Tanh": (np.tanh, (-1080, 1024), 4), "Asinh": (np.arcsinh, (-1080, 1024), 4),
    "Acosh": (np.arccosh, (-1080, 1024), 4), "Atanh": (np.arctanh, (-1080, 1), 4), "Erf": (ERF, (-1080, 4), 4),
    "Sqrt": (np.sqrt, (-1080, 1024), 0.5),
    "Sigmoid": (lambda x: 1 / (1 + np.exp(-x)), (-1080, 6), 4),
    "Softplus": (lambda x: np.log1p(np.exp(-abs(x))) + np.maximum(x, 0), (-1080, 1024), 4),
}
TYPES = (np.float16, np.float32, np.float64)


class Grid:
    """Nodes of one model with their inputs and what their outputs should be."""

    def __init__(self):
        self.random = np.random.default_rng(8)
        self.nodes, self.inputs, self.constants, self.expected = [], {}, {}, {}

    def value(self, array, constant=False):
        name = f"x{len(self.inputs) + len(self.constants)}"
        (self.constants if constant else self.inputs)[name] = np.asarray(array)
        return name

    def add(self, op, operands, expected, ulps, outputs=1, **attributes):
        """Adds a node; `expected` is None where the reference evaluator says it."""
        name = f"{op}_{len(self.nodes)}"
        results = [f"{name}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, operands, results, name, **attributes))
        self.expected.update(dict.fromkeys(results, (expected, ulps)))

    def build(self, folded):
        values = self.inputs | self.constants
        stored = values if folded else self.constants
        types = dict(zip(self.expected, self.output_types()))
        graph = helper.make_graph(
            self.nodes, "math",
            [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(value.dtype), value.shape)
             for name, value in self.inputs.items() if name not in stored],
            [helper.make_tensor_value_info(name, types[name], None) for name in self.expected],
            [numpy_helper.from_array(value, name) for name, value in stored.items()])
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)

    def output_types(self):
        values = self.inputs | self.constants
        for node in self.nodes:
            for _ in node.output:
                yield helper.np_dtype_to_tensor_dtype(values[node.input[0]].dtype)

    def floats(self, dtype, low, high, count=1001):
        """Numbers of either sign, as many of each size between two powers of 2."""
        info = np.finfo(dtype)
        low = max(low, int(math.log2(float(info.smallest_subnormal))))
        high = min(high, info.maxexp)
        sizes = np.exp2(self.random.uniform(low, high - 1e-3, count).astype(EXACT))
        with np.errstate(over="ignore"):
            return (sizes * self.random.choice([-1, 1], count)).astype(dtype)


def specials(dtype):
    info = np.finfo(dtype)
    tiny, least, most = info.tiny, info.smallest_subnormal, info.max
    odd = dtype(2) ** (info.nmant + 1) - 1
    sizes = [0.0, 1.0, 0.5, 2.0, 3.0, 4.0, 1.5, 1 / 3, 5.0, 2.5, 10.0, odd, odd + 1, tiny, least, most, np.inf]
    return np.array([sign * dtype(size) for size in sizes for sign in (1, -1)] + [np.nan], dtype)


def functions(grid):
    for dtype in TYPES:
        for op, (function, (low, high), ulps) in UNARY.items():
            x = np.concatenate([grid.floats(dtype, low, high), grid.floats(dtype, -4, min(high, 4)),
                                np.array([0.0, -0.0, np.inf, -np.inf, np.nan], dtype)])
            if op in ("Sin", "Cos", "Tan"):
                # Next to multiples of pi / 2, and the doubles that are nearest (Muller's handbook).
                x = np.concatenate([x, (np.arange(-300, 300) * (np.pi / 2)).astype(dtype), [np.finfo(dtype).max]])
                if dtype == np.float64:
                    x = np.append(x, [6381956970095103.0 * 2.0 ** 797, 1.7e9, 1e22])
            grid.add(op, [grid.value(x.astype(dtype))], function(x.astype(dtype).astype(EXACT)), ulps)


def remainders(grid):
    for dtype in TYPES:
        some = specials(dtype)
        x = np.concatenate([np.repeat(some, len(some)), grid.floats(dtype, -1080, 1024), [1e12, -7.5, 7.5]])
        y = np.concatenate([np.tile(some, len(some)), grid.floats(dtype, -1080, 1024), [1.7, 2, -2]])
        x, y = x.astype(dtype), y.astype(dtype)
        # Quotients that one product does for, all of them in a row.
        near = np.resize(grid.floats(dtype, -3, 3), 640)
        for a, b in ((x, y), (near, near[::-1])):
            grid.add("Mod", [grid.value(a), grid.value(b)], np.fmod(a.astype(EXACT), b.astype(EXACT)), 0, fmod=1)
    for dtype in (np.int8, np.int16, np.int32, np.int64):
        info = np.iinfo(dtype)
        some = np.array([1, -1, 2, -2, 3, -3, 7, -7, info.min, info.max, info.min + 1], dtype)
        x, y = np.repeat(some, len(some)), np.tile(some, len(some))
        floored = [int(a) % int(b) for a, b in zip(x, y)]
        cut = [int(math.copysign(abs(int(a)) % abs(int(b)), int(a))) if abs(int(a)) < 2 ** 52
               else (abs(int(a)) % abs(int(b))) * (-1 if a < 0 else 1) for a, b in zip(x, y)]
        grid.add("Mod", [grid.value(x), grid.value(y)], np.array(floored, dtype), 0)
        grid.add("Mod", [grid.value(x), grid.value(y)], np.array(cut, dtype), 0, fmod=1)


def power(x, y):
    """IEEE 754's pow, which NumPy's is, but for exponents that are integers: those go through doubles."""
    return np.power(x.astype(EXACT), y.astype(np.float64).astype(EXACT))


def powers(grid):
    for dtype in TYPES:
        bases = specials(dtype)
        for other in (np.float16, np.float32, np.float64, np.int8, np.int32, np.int64):
            if np.issubdtype(other, np.floating):
                exponents = np.concatenate([specials(other), np.array([-0.5, -1 / 3, 0.75], other)])
            else:
                exponents = np.array([0, 1, -1, 2, -2, 3, -3, 5, np.iinfo(other).max, np.iinfo(other).min // 2], other)
            x, y = np.repeat(bases, len(exponents)), np.tile(exponents, len(bases))
            grid.add("Pow", [grid.value(x), grid.value(y)], power(x, y), 1)
        # The same exponents, known; and numbers of all sizes.
        some = np.concatenate([bases, grid.floats(dtype, -1080, 1024, 300)])
        for exponent in (0.5, -0.5, 1 / 3, 0.75, 2, 3, -1, -2, 0, -0.0, 1, 1.5, 7, np.inf, -np.inf, np.nan):
            y = np.array(exponent, dtype)
            grid.add("Pow", [grid.value(some), grid.value(y, constant=True)], power(some, y), 2)
        x = np.abs(grid.floats(dtype, -1080, 1024))
        # Results within the range, a few beyond.
        span = np.finfo(dtype).maxexp * grid.random.uniform(-1.05, 1.05, x.size)
        y = (span / np.log2(x.astype(np.float64))).astype(dtype)
        grid.add("Pow", [grid.value(x), grid.value(y)], power(x, y), 1)
    # Integers to floats are cut.
    x = np.repeat(np.array([0, 1, 2, 3, 7, 49, 1000], np.int64), 5)
    y = np.tile(np.array([0.5, 1.5, 2.0, 3.0, 1 / 3], np.float32), 7)
    grid.add("Pow", [grid.value(x), grid.value(y)], np.trunc(power(x, y)).astype(np.int64), 0)


def inside(grid):
    """Ops that use functions inside."""
    def doubles(*shape):
        return grid.random.standard_normal(shape)

    x = doubles(3, 7, 50)
    for op in ("Softmax", "LogSoftmax"):
        for axis in (1, 2):
            grid.add(op, [grid.value(x)], None, 1e-14, axis=axis)
    for op in ("ReduceLogSumExp", "ReduceLogSum", "ReduceL2"):
        grid.add(op, [grid.value(abs(x)), grid.value(np.array([1]), constant=True)], None, 1e-14)
    for op in ("Elu", "Selu", "Mish", "Softsign"):
        grid.add(op, [grid.value(x)], None, 1e-14)
    grid.add("LayerNormalization", [grid.value(x), grid.value(doubles(50)), grid.value(doubles(50))], None, 1e-13)
    image = doubles(1, 6, 9, 9)
    for size, beta in ((3, 0.75), (5, 0.6)):
        # Attributes are f32.
        bounds = [(max(0, c - size // 2), c + size // 2 + 1) for c in range(image.shape[1])]
        sums = np.stack([(image[:, low:high] ** 2).sum(1) for low, high in bounds], 1)
        expected = image / (1 + float(np.float32(1e-4)) / size * sums) ** float(np.float32(beta))
        grid.add("LRN", [grid.value(image)], expected, 1e-14, size=size, beta=beta)
    for p in (1, 2, 3, 5):
        grid.add("LpPool", [grid.value(image)], None, 1e-14, kernel_shape=[3, 3], p=p)
    for op, gates in (("LSTM", 4), ("GRU", 3), ("RNN", 1)):
        operands = [doubles(4, 2, 3), doubles(1, gates * 5, 3), doubles(1, gates * 5, 5), doubles(1, 2 * gates * 5)]
        grid.add(op, [grid.value(operand) for operand in operands], None, 1e-14, outputs=2, hidden_size=5)


FAMILIES = (functions, remainders, powers, inside)


def describe(wrong, actual, expected, grid, name):
    node = next(node for node in grid.nodes if name in node.output)
    values = grid.inputs | grid.constants
    place = int(np.flatnonzero(wrong)[0])
    operands = [values[i].reshape(-1)[place % values[i].size] for i in node.input if i]
    kinds = "/".join(str(values[i].dtype) for i in node.input if i)
    return (f"{name} of {kinds}: {int(wrong.sum())} of {wrong.size}, first {operands}: "
            f"{actual.reshape(-1)[place]!r}, expected {expected.reshape(-1)[place]!r}")


def judge(actual, expected, limit):
    """Which elements are wrong, of results that are to be right to some ulps, or to a relative error."""
    if np.issubdtype(actual.dtype, np.integer):
        return actual != expected
    rounded = expected.astype(actual.dtype)
    if limit and limit < 0.1:
        return abs(actual - expected) > limit * max(1.0, float(abs(expected).max()))
    special = ~np.isfinite(rounded) | (rounded == 0)
    same = (actual == rounded) & (np.signbit(actual) == np.signbit(rounded)) | (np.isnan(actual) & np.isnan(rounded))
    with np.errstate(invalid="ignore"):
        error = abs(actual.astype(EXACT) - expected) / np.spacing(np.maximum(abs(rounded), np.finfo(rounded.dtype).tiny))
    # Half an ulp is what rounding may take, and a little more for long doubles'.
    near = error <= max(limit, 0.5) + 1e-3
    if actual.dtype != np.float64:
        # Exponentials below the least normal number are 0.
        near |= (actual == 0) & (abs(rounded) < np.finfo(actual.dtype).tiny) & (limit > 1)
    top = np.isinf(rounded) & (abs(actual) == np.finfo(actual.dtype).max)
    return ~np.where(special, same | (top & (limit > 0.5)) | ((rounded == 0) & near & (expected != 0)), near)


def compare(family, target, bin_folder):
    """Returns what is wrong, line by line."""
    grid = Grid()
    with np.errstate(all="ignore"):
        family(grid)
    folded = target == "folded"
    model = grid.build(folded)
    inputs = {} if folded else grid.inputs
    with tempfile.TemporaryDirectory() as folder:
        actual = compute(argparse.Namespace(bin=bin_folder), model, inputs, "host" if folded else target,
                         pathlib.Path(folder))
    wanted = [name for name, (expected, _) in grid.expected.items() if expected is None]
    reference = dict(zip(wanted, ReferenceEvaluator(model).run(wanted, inputs))) if wanted else {}
    lines = []
    for name, (expected, limit) in grid.expected.items():
        expected = reference[name] if expected is None else expected
        if target in ("folded", "x86-64-v2") and name[:3] in ("Sin", "Cos", "Tan") and name[3] == "_":
            # The C library next to a root; f32 there, without fused multiply-adds.
            limit = 4096
        with np.errstate(all="ignore"):
            wrong = judge(actual[name], expected, limit)
        if wrong.any():
            lines.append(describe(wrong, actual[name], expected, grid, name))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", metavar="FAMILY", nargs="*", help="families to compare (default: all)")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc and brisk-run")
    parser.add_argument("--target", action="append", help="target to compile for, or folded; may be repeated")
    args = parser.parse_args()
    cases = [(family, target) for target in args.target or ["host", "folded"] for family in FAMILIES
             if not args.families or family.__name__ in args.families]

    def run(case):
        try:
            return compare(*case, args.bin.resolve())
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return [str(error)]

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (family, target), wrong in zip(cases, pool.map(run, cases)):
            failed += bool(wrong)
            print(f"{'FAIL' if wrong else 'ok  '}  {family.__name__} for {target}", flush=True)
            for line in wrong:
                print(f"      {line}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
