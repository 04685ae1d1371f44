#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks recurrent layers whose weights are integers.

Layers of ONNX Runtime's `DynamicQuantizeLSTM`, and LSTM, GRU and RNN under `--quantize=dynamic`, are evaluated in
double precision as they are written: the input is quantized as a whole, the state of each sequence at each step. A
value near the middle of two bytes may become either, which shows in all steps that follow, so outputs are held to
half of what quantization of the states changes. With `weights8` and `weights4`, ONNX Runtime evaluates what `--emit=onnx` writes; there every state
is a float, and so is the error's bound. ONNX Runtime's `DynamicQuantizeLSTM` has one range for all sequences, so it is
compared where there is one.
"""

import argparse
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "graphs"))

from compiled_model import Failure, compile_for, run_model

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
FUNCTIONS = {"Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Tanh": np.tanh, "Relu": lambda x: np.maximum(x, 0),
             "HardSigmoid": lambda x: np.clip(0.2 * x + 0.5, 0, 1)}
DEFAULTS = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]}


def quantize(x):
    """What DynamicQuantizeLinear makes of floats, and what that stands for."""
    x = x.astype(np.float32)
    low, high = min(x.min(initial=0), np.float32(0)), max(x.max(initial=0), np.float32(0))
    scale = (high - low) / np.float32(255)
    if scale == 0:
        return np.zeros(x.shape)
    zero = np.clip(np.rint(-low / scale), 0, 255)
    return (np.clip(np.rint(x / scale) + zero, 0, 255) - zero).astype(float) * float(scale)


def run_cell(op, a, h, c, products, r, bias, peepholes):
    """The next states. `a` has the attributes and `state`, what becomes of states before they are multiplied."""
    units, f = a["hidden_size"], [FUNCTIONS[name] for name in a["functions"]]
    wb, rb = bias.reshape(2, -1)
    clip = a.get("clip", np.inf)

    def activate(i, x):
        return f[i](np.clip(x, -clip, clip))

    def gates(x):
        return x.reshape(-1, units)

    x, sums = gates(products + wb), gates(a["state"](h) @ r.T + rb)
    if op == "RNN":
        return activate(0, x[0] + sums[0]), c
    if op == "GRU":
        z, reset = activate(0, x[0] + sums[0]), activate(0, x[1] + sums[1])
        if a.get("linear_before_reset"):
            hidden = reset * sums[2]
        else:
            hidden = a["state"](reset * h) @ gates(r.reshape(-1))[2 * units:].T + gates(rb)[2]
        return (1 - z) * activate(1, x[2] + hidden) + z * h, c
    i, o, forget, cell = x + sums
    pi, po, pf = gates(peepholes)
    i = activate(0, i + pi * c)
    forget = 1 - i if a.get("input_forget") else activate(0, forget + pf * c)
    c = forget * c + i * activate(1, cell)
    return activate(0, o + po * c) * f[2](c), c


def run_layer(op, a, products, r, bias=None, lens=None, h=None, c=None, peepholes=None):
    """All states and the last ones, of products with the input: steps x sequences x those of each direction."""
    steps, batch, _ = products.shape
    directions, rows, units = r.shape
    y, last = np.zeros((steps, directions, batch, units)), np.zeros((2, directions, batch, units))
    functions = a.get("activations") or DEFAULTS[op] * directions
    for d, sequence in itertools.product(range(directions), range(batch)):
        length = steps if lens is None else lens[sequence]
        backward = a["direction"] == "reverse" or d == 1
        each = {**a, "functions": functions[d * len(DEFAULTS[op]):]}
        state = [np.zeros(units) if v is None else v[d, sequence].astype(float) for v in (h, c)]
        for step in reversed(range(length)) if backward else range(length):
            own = products[step, sequence, d * rows:(d + 1) * rows]
            state = run_cell(op, each, *state, own, r[d], np.zeros(2 * rows) if bias is None else bias[d].astype(float),
                             np.zeros(3 * units) if peepholes is None else peepholes[d].astype(float))
            y[step, d, sequence] = state[0]
        last[:, d, sequence] = state
    return [y, *last[:2 if op == "LSTM" else 1]]


def error_of(values, exact):
    values, exact = (np.concatenate([v.reshape(-1).astype(float) for v in each]) for each in (values, exact))
    return np.linalg.norm(values - exact) / max(np.linalg.norm(exact), 1e-30)


def make_model(op, domain, inputs, operands, constants, outputs, attributes):
    nodes = [helper.make_node(op, operands, outputs, "layer", domain=domain, **attributes)]
    values = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for name, v in inputs.items()]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    tensors = [numpy_helper.from_array(v, name) for name, v in constants.items()]
    return helper.make_model(helper.make_graph(nodes, "g", values, results, tensors), ir_version=8,
                             opset_imports=[helper.make_opsetid("", 14), helper.make_opsetid("com.microsoft", 1)])


def run_runtime(model, inputs, names):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    return session.run(names, inputs)


class Layer:
    """A layer with random operands, those that `number` has."""

    def __init__(self, op, units, direction, number, inputs=9, steps=5, batch=2, least=0, **attributes):
        random = self.random = np.random.default_rng(number)
        self.op, self.units, self.directions = op, units, 2 if direction == "bidirectional" else 1
        rows = self.rows = GATES[op] * units

        def floats(*shape, size=0.7):
            return random.uniform(-size, size, shape).astype(np.float32)

        self.inputs = {"x": floats(steps, batch, inputs, size=2)}
        self.w, self.r = floats(self.directions, rows, inputs), floats(self.directions, rows, units, size=1.5 / np.sqrt(units))
        # By the name of what run_layer takes, with the position in the op.
        self.more = {}
        if number % 2:
            self.more["bias"] = (3, floats(self.directions, 2 * rows))
        if number % 3 == 1:  # ONNX Runtime gives zeros for the last state of an empty sequence, rather than the first one
            self.inputs["lens"] = random.integers(least, steps + 1, batch).astype(np.int32)
        if number % 4 > 1:
            self.inputs["h"] = floats(self.directions, batch, units)
        if op == "LSTM" and number % 4 > 1:
            self.inputs["c"] = floats(self.directions, batch, units)
        if op == "LSTM" and number % 5 < 2:
            self.more["peepholes"] = (7, floats(self.directions, 3 * units))
        self.attributes = {"hidden_size": units, "direction": direction, **attributes}
        self.outputs = ["y", "y_h", "y_c"][:3 if op == "LSTM" else 2]

    def get_operands(self):
        """Their names, and the constants among them."""
        operands = ["x", "w", "r"] + [""] * 5
        constants = {}
        for name, position in (("lens", 4), ("h", 5), ("c", 6)):
            if name in self.inputs:
                operands[position] = name
        for name, (position, value) in self.more.items():
            operands[position], constants[name] = name, value
        return operands[:8 if self.op == "LSTM" else 6], constants

    def count_bytes(self):
        return sum(v.nbytes for v in (self.w, self.r, *(value for _, value in self.more.values())))

    def evaluate(self, products, r, state):
        more = {name: value for name, (_, value) in self.more.items()}
        more.update({name: self.inputs[name] for name in ("lens", "h", "c") if name in self.inputs})
        return run_layer(self.op, {**self.attributes, "state": state}, products, r, **more)

    def judge(self, actual, products, r):
        """What is wrong with values of a layer that quantizes its states."""
        exact, floats = (self.evaluate(products, r, state) for state in (quantize, np.asarray))
        change = error_of(exact, floats)
        error = error_of(actual, exact)
        return [] if error <= max(2e-6, change / 2) else [f"off by {error:.1e}, where quantization changes {change:.1e}"]


def check_imported(args, target, folder, layer, kind):
    """DynamicQuantizeLSTM, with weights of `kind`: a type, whether scales are those of columns, and whether there are zero points."""
    dtype, per_column, zeros = kind
    limits, random = np.iinfo(dtype), layer.random
    operands, constants = layer.get_operands()
    operands += [""] * (8 - len(operands))
    exact = []
    for name, size in (("w", layer.inputs["x"].shape[-1]), ("r", layer.units)):
        values = random.integers(limits.min, limits.max, (layer.directions, size, layer.rows), dtype, endpoint=True)
        shape = (layer.directions, layer.rows) if per_column else (layer.directions,)
        scale = random.uniform(0.5, 1, shape).astype(np.float32) / np.float32(100 * np.sqrt(size))
        zero = np.asarray(random.integers(-3, 4, shape) * zeros + (limits.max // 2 + 1 if dtype == "uint8" else 0), dtype)
        constants.update({name: values, f"{name}_scale": scale, f"{name}_zero": zero})
        operands += [f"{name}_scale", f"{name}_zero"]
        scale, zero = (v.astype(float).reshape(layer.directions, 1, -1) for v in (scale, zero))
        exact.append(((values - zero) * scale).transpose(0, 2, 1))
    model = make_model("DynamicQuantizeLSTM", "com.microsoft", layer.inputs, operands, constants, layer.outputs, layer.attributes)
    actual = [v for _, v in run_model(args, model, layer.inputs, target, folder)]
    w, r = exact
    products = quantize(layer.inputs["x"]) @ w.reshape(-1, w.shape[-1]).T
    wrong = layer.judge(actual, products, r)
    # It takes no other zero points.
    if layer.inputs["x"].shape[1] == 1 and "lens" not in layer.inputs and dtype == "int8" and not zeros:
        other = run_runtime(model, layer.inputs, layer.outputs)
        change = error_of(layer.evaluate(products, r, quantize), layer.evaluate(products, r, np.asarray))
        if (error := error_of(actual, other)) > max(1e-5, change):
            wrong.append(f"off ONNX Runtime by {error:.1e}, where quantization changes {change:.1e}")
    return wrong


def compress(args, layer, target, folder, kind):
    """The model's outputs under `--quantize`, what `--emit=onnx` writes of it, and the report."""
    operands, constants = layer.get_operands()
    constants.update(w=layer.w, r=layer.r)
    model = make_model(layer.op, "", layer.inputs, operands, constants, layer.outputs, layer.attributes)
    flags = [f"--quantize={kind}", f"--report={folder / 'r.json'}"]
    actual = [v for _, v in run_model(args, model, layer.inputs, target, folder, flags)]
    report = json.loads((folder / "r.json").read_text())
    written = compile_for(args, model, target, folder, kind="onnx", flags=[f"--quantize={kind}"])
    return actual, onnx.load(written), report


def check_dynamic(args, target, folder, layer):
    actual, written, report = compress(args, layer, target, folder, "dynamic")
    layers = report["quantization"]["layers"]
    inputs, states = layers
    # Where that is estimated to be faster, weights stay floats.
    if (args.bytes_are_slow or target != "host") and states.get("reason") == "bytes are not faster":
        return []
    if [inputs["type"], states["type"]] != ["int8", "int8"]:
        return [f"the report has {layers}"]
    if report["weights_bytes"] > 0.35 * layer.count_bytes():
        return [f"the weights take {report['weights_bytes']} bytes of {layer.count_bytes()} in floats"]
    (node,) = (node for node in written.graph.node if node.op_type == layer.op)
    # Of the written model's products, each direction picks its own.
    names = [node.input[0], node.input[2]]
    del written.graph.output[:]
    written.graph.output.extend(helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names)
    products, r = run_runtime(written, layer.inputs, names)
    return layer.judge(actual, products.astype(float), r.astype(float))


def check_weights(args, target, folder, layer, kind):
    actual, written, report = compress(args, layer, target, folder, kind)
    bits = {"weights8": 8, "weights4": 4}[kind]
    layers = report["quantization"]["layers"]
    if [each["type"] for each in layers] != [f"int{bits}"] * 2:
        return [f"the report has {layers}"]
    # Of few units, what fills up vectors takes more.
    if layer.units > 16 and report["weights_bytes"] > 0.55 * layer.count_bytes():
        return [f"the weights take {report['weights_bytes']} bytes of {layer.count_bytes()} in floats"]
    error = error_of(actual, run_runtime(written, layer.inputs, layer.outputs))
    return [] if error <= 1e-5 else [f"{kind} is off ONNX Runtime by {error:.1e}"]


def get_layers():
    cells = [("LSTM", {}), ("LSTM", {"clip": 0.7}), ("LSTM", {"input_forget": 1}), ("GRU", {}), ("GRU", {"linear_before_reset": 1}),
             ("RNN", {}), ("RNN", {"activations": ["Relu"]})]
    directions = ("forward", "reverse", "bidirectional")
    for number, ((op, attributes), direction) in enumerate(itertools.product(cells, directions)):
        count = 2 if direction == "bidirectional" else 1
        if "activations" in attributes:
            attributes = {"activations": attributes["activations"] * count}
        yield op, direction, number, attributes


def make_cases():
    """Names, checks and their arguments."""
    for op, direction, number, attributes in get_layers():
        units = (1, 3, 16, 33, 20)[number % 5]
        for kind in ("weights8", "weights4"):
            yield f"{op} {direction} {attributes}", check_weights, Layer(op, units, direction, number, least=1, **attributes), kind
        # Bytes are estimated to be faster where there are more of them.
        yield f"{op} {direction} {attributes}", check_dynamic, Layer(op, 96 + 3 * number, direction, number, inputs=48, steps=6, **attributes)
    for number, (direction, kind) in enumerate(itertools.product(("forward", "reverse", "bidirectional"),
                                                                 itertools.product(("int8", "uint8"), (False, True), (False, True)))):
        for units, steps, batch in ((1, 1, 1), (5, 6, 1), (16, 3, 3), (37, 4, 2)):
            layer = Layer("LSTM", units, direction, number + units, steps=steps, batch=batch)
            yield f"DynamicQuantizeLSTM {direction} {units} {kind}", check_imported, layer, kind


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc")
    parser.add_argument("--target", action="append", help="target to compile for; may be repeated (default: host)")
    parser.add_argument("--bytes-are-slow", action="store_true",
                        help="layers may stay floats, since this machine multiplies bytes no faster")
    args = parser.parse_args()
    args.bin = args.bin.resolve()
    failed = count = 0
    for target in args.target or ["host"]:
        for name, check, layer, *more in make_cases():
            count += 1
            with tempfile.TemporaryDirectory() as folder:
                try:
                    wrong = check(args, target, pathlib.Path(folder), layer, *more)
                except (Failure, subprocess.SubprocessError) as failure:
                    wrong = [str(failure)]
            failed += bool(wrong)
            for line in wrong:
                print(f"FAIL  {check.__name__} of {name}, {layer.units} units, for {target}: {line}", flush=True)
    print(f"{count} layers, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
