#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one ONNX node should give, and how far a float of it may be off.

Two evaluators compute every node: ONNX's reference evaluator, with float64 for
all smaller floats where the op computes something, and ONNX Runtime, where it
has the types. Where they differ, REFERENCE_ERRS and RUNTIME_ERRS say who is
wrong; a node about which nothing is said is left out, as "disputed".

A value carries its slack: by how much each element may be off. It grows by what
the op itself may lose, and by how far the results move when the operands move
by theirs. A node that decides (compares, rounds, casts to integers) must decide
the same way within the slack of its operands.
"""

import math
import warnings

import ml_dtypes
import numpy as np
import onnxruntime
from onnx import helper
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun
from onnx.reference.ops import op_conv_transpose, op_one_hot

import evaluate_in_double
from graph_builder import Reject, make_info

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
HALF, SINGLE, DOUBLE = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)
FLOATS = (HALF, BFLOAT16, SINGLE, DOUBLE)

# Results are those of IEEE 754 or of whole numbers, to the last bit: single operations that are correctly rounded, and
# whatever only moves, selects, compares or counts.
EXACT = {
    "Abs", "Add", "And", "ArgMax", "ArgMin", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor",
    "Cast", "CastLike", "Ceil", "Clip", "Concat", "ConstantOfShape", "DepthToSpace", "DequantizeLinear", "Div",
    "Equal", "Expand", "EyeLike", "Flatten", "Floor", "Gather", "GatherElements", "GatherND", "GlobalMaxPool",
    "Greater", "GreaterOrEqual", "Hardmax", "Identity", "If", "IsInf", "IsNaN", "Less", "LessOrEqual", "Max",
    "MaxPool", "Min", "Mod", "Mul", "Neg", "Not", "OneHot", "Or", "PRelu", "Pad", "QuantizeLinear", "ReduceMax",
    "ReduceMin", "Relu", "Reshape", "ReverseSequence", "Round", "ScatterElements", "ScatterND", "Shape", "Sign",
    "Size", "Slice", "SpaceToDepth", "Split", "Sqrt", "Squeeze", "Sub", "ThresholdedRelu", "Tile", "TopK",
    "Transpose", "Trilu", "Unsqueeze", "Where", "Xor"}
# The sign of a zero is that of the operands, or IEEE 754's; other ops may give either.
KEEPS_ZERO = {
    "Abs", "Add", "Cast", "CastLike", "Ceil", "Concat", "DepthToSpace", "Div", "Expand", "Flatten", "Floor", "Gather",
    "GatherElements", "GatherND", "Identity", "Mul", "Neg", "Pad", "Reshape", "ReverseSequence", "Slice",
    "SpaceToDepth", "Split", "Sqrt", "Squeeze", "Sub", "Tile", "Transpose", "Trilu", "Unsqueeze", "Where"}
# Sums of products, whose terms may be added in any order; what is lost goes by the terms' sizes.
SUMS = {"AveragePool", "Conv", "ConvTranspose", "CumSum", "Einsum", "Gemm", "GlobalAveragePool", "MatMul", "Mean",
        "ReduceL1", "ReduceMean", "ReduceSum", "ReduceSumSquare", "Sum"}
BIASED = {"Conv", "ConvTranspose", "Gemm"}
# Others: units in the last place, and multiples of epsilon that are lost at any size (by cancellation near 0).
LOSSES = {"Acosh": (8, 8), "Asinh": (8, 2), "Atanh": (8, 4), "Celu": (6, 2), "Elu": (6, 2), "Gelu": (8, 4),
          "Mish": (8, 2), "Pow": (16, 0), "Selu": (6, 4), "Sinh": (8, 2), "Softplus": (8, 2), "Swish": (8, 1),
          "HardSigmoid": (2, 1), "HardSwish": (4, 2), "LeakyRelu": (2, 0), "LogSoftmax": (8, 16), "ReduceLogSum": (8, 8),
          "ReduceLogSumExp": (8, 16), "LSTM": (64, 64), "GRU": (64, 64), "RNN": (64, 64),
          "LayerNormalization": (64, 128), "InstanceNormalization": (64, 128), "BatchNormalization": (32, 64),
          "Resize": (16, 32), "ReduceProd": (64, 0), "Softmax": (16, 0), "LRN": (16, 0)}
OTHER_LOSS = (8, 1)

# Ops that are computed with the types that they have: their results are about these.
NATIVE = {"Cast", "CastLike", "DequantizeLinear", "DynamicQuantizeLinear", "EyeLike", "If", "IsInf", "Loop", "OneHot",
          "QuantizeLinear", "Range"}
# Where an evaluator is wrong, and why.
REFERENCE_ERRS = {
    "GlobalMaxPool": "takes the maximum over the channels of what is not an image, where the specification says every "
                     "dimension after the channels",
}
RUNTIME_ERRS = {
    "ReduceMax": "passes over a NaN that is not the first element; ReduceMin and the reference, like IEEE 754, do not",
    "ReduceMin": "as ReduceMax",
}


class LpNormalization(OpRun):
    """The evaluator's own leaves out the absolute values."""

    op_domain = ""

    def _run(self, x, axis=-1, p=2):
        return (x / (np.abs(x) ** p).sum(axis, keepdims=True) ** (1 / p),)


class OneHot(op_one_hot.OneHot):
    """The evaluator's own computes with the two values, and so rounds."""

    op_domain = ""

    def _run(self, indices, depth, values, axis=-1):
        return (np.where(super()._run(indices, depth, np.array([0, 1]), axis=axis)[0] != 0, values[1], values[0]),)


class PRelu(OpRun):
    """The evaluator's own scales zeros, which are not below zero."""

    op_domain = ""

    def _run(self, x, slope):
        return (np.where(x < 0, x * slope, x),)


class Softplus(OpRun):
    """The evaluator's own overflows where the result does not."""

    op_domain = ""

    def _run(self, x):
        return (np.logaddexp(x, np.zeros((), x.dtype)).astype(x.dtype),)


class ConvTranspose(op_conv_transpose.ConvTranspose):
    """The evaluator's own gives one channel to each group."""

    op_domain = ""

    def _run(self, x, w, b=None, group=1, **attributes):
        operands = [np.split(x, group, 1), np.split(w, group), np.split(b, group) if b is not None else [None] * group]
        return (np.concatenate([super(ConvTranspose, self)._run(*parts, group=1, **attributes)[0]
                                for parts in zip(*operands)], 1),)


class Gelu(OpRun):
    """The evaluator's own has constants in float32."""

    op_domain = ""

    def _run(self, x, approximate="none"):
        if approximate == "tanh":
            return (x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),)
        return (x / 2 * (1 + np.vectorize(math.erf, otypes=[x.dtype])(x / math.sqrt(2))),)


class HardSwish(OpRun):
    """The evaluator's own has a sixth in float32."""

    op_domain = ""

    def _run(self, x):
        return (x * np.clip(x / 6 + 0.5, 0, 1),)


class LRN(OpRun):
    """The evaluator's own counts the channels by the batch, and is for images only."""

    op_domain = ""

    def _run(self, x, alpha=None, beta=None, bias=None, size=None):
        alpha = float(np.float32(alpha))  # attributes are f32; the evaluator's default is not
        squares, count = x * x, x.shape[1]
        sums = [squares[:, max(0, c - (size - 1) // 2):min(count, c + size // 2 + 1)].sum(1) for c in range(count)]
        return (x / (bias + alpha / size * np.stack(sums, 1)) ** beta,)


class LogSoftmax(OpRun):
    """The evaluator's own takes the logarithm of what has become 0."""

    op_domain = ""

    def _run(self, x, axis=-1):
        x = x - x.max(axis, keepdims=True)
        return (x - np.log(np.exp(x).sum(axis, keepdims=True)),)


class Slice(OpRun):
    """The evaluator's own slices as Python does; ONNX begins a backward slice at the first element at the least."""

    op_domain = ""

    def _run(self, x, starts, ends, axes=None, steps=None):
        axes = range(len(starts)) if axes is None else axes
        for i, axis in enumerate(axes):
            dim, step = x.shape[axis], 1 if steps is None else int(steps[i])
            start, end = (int(at) + dim if at < 0 else int(at) for at in (starts[i], ends[i]))
            low, high = (0, dim) if step > 0 else (-1, dim - 1)
            start = min(max(start, 0), high)
            picked = range(start, min(max(end, low), high), step) if dim else ()
            x = x.take(np.array(picked, np.int64), axis)
        return (x,)


OWN_OPS = [evaluate_in_double.BatchNormalization, ConvTranspose, evaluate_in_double.Erf, Gelu, HardSwish, LRN,
           LogSoftmax, LpNormalization, OneHot, PRelu, Slice, Softplus]


def epsilon(dtype):
    return float(ml_dtypes.finfo(dtype).eps)


def spacing(array, dtype):
    """The distance between neighbours at each element, not below the smallest normal number's."""
    info = ml_dtypes.finfo(dtype)
    size = np.abs(np.nan_to_num(np.asarray(array, DOUBLE), nan=0, posinf=0, neginf=0))
    return np.ldexp(float(info.eps), np.frexp(np.maximum(size, float(info.smallest_normal)))[1] - 1)


def by_reference(model_of, operands, widen=False):
    """A node's results by ONNX's reference evaluator; model_of makes the model of operands by name."""
    if widen:
        operands = {name: value.astype(DOUBLE) if value.dtype in FLOATS else value for name, value in operands.items()}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            results = ReferenceEvaluator(model_of(operands), new_ops=OWN_OPS).run(None, operands)
        except Exception as error:  # there is no class for all that it raises
            raise Reject(f"reference: {error}") from None
    return [np.asarray(result) for result in results]


def by_runtime(model_of, operands):
    """A node's results by ONNX Runtime without optimisations; None where it has none."""
    if any(value.dtype == BFLOAT16 for value in operands.values()):
        return None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(model_of(operands).SerializeToString(), options,
                                               providers=["CPUExecutionProvider"])
        return session.run(None, operands)
    except Exception:  # as above; mostly a type that it lacks
        return None


def narrowed(results, dtype):
    with np.errstate(all="ignore"):
        return [result.astype(dtype) if result.dtype == DOUBLE else result for result in results]


def differs(value, expected, slack):
    """Where a result is not what is expected; the sign of a zero does not matter here."""
    if value.dtype not in FLOATS:
        return value != expected
    with np.errstate(all="ignore"):
        value, expected = value.astype(DOUBLE), expected.astype(DOUBLE)
        same = (value == expected) | (np.isnan(value) & np.isnan(expected))
        return ~(same | (np.isfinite(value) & np.isfinite(expected) & (np.abs(value - expected) <= slack)))


def own_slack(op, operands, results, wide, evaluate_wide):
    """What an op itself may lose, for each result."""
    if op in EXACT:
        return [np.zeros(result.shape) for result in results]
    if op in SUMS:
        sizes = evaluate_wide({name: np.abs(value.astype(DOUBLE)) if value.dtype in FLOATS else value
                               for name, value in operands.items()})
    slacks = []
    for i, result in enumerate(results):
        if result.dtype not in FLOATS:
            slacks.append(np.zeros(result.shape))
            continue
        unit = spacing(wide[i], result.dtype)
        if op in SUMS:
            terms = max((value.size for value in operands.values()), default=1) / max(result.size, 1) + 4
            # A sum of operands may round after each.
            sum_type = result.dtype if result.dtype == DOUBLE or op in ("Sum", "Mean") else SINGLE
            loss = terms * epsilon(sum_type)
            if op in BIASED:  # the product may be rounded before the bias joins it
                loss += 2 * epsilon(result.dtype)
            slacks.append(unit + loss * np.nan_to_num(sizes[i], nan=0, posinf=0, neginf=0))
        else:
            units, absolute = LOSSES.get(op, OTHER_LOSS)
            if result.dtype in (HALF, BFLOAT16):  # computed in float32, rounded at the end or a few times
                units, absolute = min(units, 4), min(absolute, 2)
            # What a function gives below the smallest normal number may be 0.
            least = float(ml_dtypes.finfo(result.dtype if result.dtype == DOUBLE else SINGLE).smallest_normal)
            slacks.append(units * unit + absolute * epsilon(result.dtype) + least)
    return slacks


def judge(op, model_of, operands, slacks):
    """A node's results, and the slack of each; Reject if there are none to rely on."""
    floats = [value.dtype for value in operands.values() if value.dtype in FLOATS]
    is_wide = bool(floats) and op not in NATIVE and floats[0] != DOUBLE

    def evaluate_wide(values):
        return by_reference(model_of, values, True)

    runtime = by_runtime(model_of, operands)
    try:
        if op in REFERENCE_ERRS:
            raise Reject("the reference errs")
        wide = by_reference(model_of, operands, is_wide)
        if op.startswith("Reduce") and not is_wide:  # numpy sums into 64 bits
            wide = [result.astype(next(iter(operands.values())).dtype) for result in wide]
        results = narrowed(wide, floats[0]) if is_wide else wide
    except Reject:
        if runtime is None or op not in EXACT:
            raise
        results = wide = runtime
    own = own_slack(op, operands, results, wide, evaluate_wide)
    if runtime is not None and op not in RUNTIME_ERRS:
        for result, other, slack in zip(results, runtime, own):
            if result.dtype != other.dtype or result.shape != other.shape:
                raise Reject(f"disputed: {op} {result.dtype}{result.shape} {other.dtype}{other.shape}")
            allowed = slack + 16 * spacing(result, result.dtype) * (slack > 0) if result.dtype in FLOATS else slack
            if differs(other, result, allowed).any():
                raise Reject(f"disputed: {op} {result.dtype}")
    for name, slack in slacks.items():
        if not slack.any():
            continue
        value = operands[name].astype(DOUBLE)
        for moved_value in (value + slack, value - slack, np.where(np.abs(value) <= slack, 0, value)):
            moved = operands | {name: moved_value}
            for i, result in enumerate(evaluate_wide(moved)):
                if results[i].dtype not in FLOATS:
                    if not np.array_equal(result, results[i]):
                        raise Reject("hangs on a last bit")
                    continue
                with np.errstate(all="ignore"):
                    step = np.abs(result - wide[i].astype(DOUBLE))
                own[i] = own[i] + np.where(np.isfinite(results[i].astype(DOUBLE)), step, 0)
    for result, value, slack in zip(results, wide, own):
        if result.dtype in FLOATS and slack.any():
            value = np.abs(value.astype(DOUBLE))
            most = float(ml_dtypes.finfo(result.dtype).max)
            with np.errstate(all="ignore"):
                if not np.isfinite(slack).all() or (slack > 0.05 * (1 + value)).any():
                    raise Reject("ill-conditioned")
                if (np.isfinite(value) & (np.abs(value - most) <= 4 * (slack + spacing(most, result.dtype)))).any():
                    raise Reject("near overflow")
    return results, own
