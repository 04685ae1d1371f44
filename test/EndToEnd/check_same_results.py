#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a quantized model gives the same bytes on every target.

Small models of quantized ops (those of check_integer_products.py), and networks as ONNX Runtime's
quantizer makes them, are compiled for each target and run, here or under QEMU. The first target's outputs
are what the others must give, byte by byte. Networks end in their last quantized values that are not
those of a softmax, whose exponential function machines may round in other ways.
"""

import argparse
import pathlib
import sys
import tempfile

import onnx

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "models"), str(HERE.parent.parent / "benchmarks")]

import check_integer_products
import inputs as model_inputs
from compare_on_qemu import TARGETS, Failure, build, run_program, write_case
from compare_with_onnxruntime import reference
from quantize import quantize


# QEMU 7.2 ends so where a block of RISC-V code begins with vectors of floats that become integers.
EMULATOR_FAULT = "decode_save_opc: Assertion"


def small_models():
    """Names, models and their inputs."""
    for make in (check_integer_products.convolutions, check_integer_products.matrices, check_integer_products.blocks,
                 check_integer_products.floats, check_integer_products.values, check_integer_products.integers,
                 check_integer_products.functions):
        for activation in ("uint8", "int8"):
            m = check_integer_products.Model()
            make(m, activation)
            yield f"{make.__name__} of {activation}", m.model(), m.inputs


def cut_tail(model):
    """Makes the last quantized values that every machine has the outputs."""
    producers = {name: node for node in model.graph.node for name in node.output}
    wanted, found = [value.name for value in model.graph.output], []
    while wanted:
        node = producers.get(wanted.pop())
        if node is None:
            continue
        if node.op_type == "QuantizeLinear" and producers[node.input[0]].op_type != "Softmax":
            found.append(node)
        else:
            wanted += node.input
    types = {tensor.name: tensor.data_type for tensor in model.graph.initializer}
    del model.graph.output[:]
    for node in found:
        model.graph.output.add().CopyFrom(onnx.helper.make_tensor_value_info(node.output[0], types[node.input[2]], None))
    # What only the tail needs.
    needed, kept = {node.output[0] for node in found}, []
    for node in reversed(model.graph.node):
        if needed & set(node.output):
            kept.insert(0, node)
            needed |= set(node.input)
    del model.graph.node[:]
    model.graph.node.extend(kept)
    return model


def networks(args):
    for name in args.networks:
        entry = model_inputs.load_spec()[name]
        path = quantize(args.models, name, entry)
        model = cut_tail(onnx.load(path))
        yield name, model, model_inputs.make_inputs(path, entry)


def run(args, model, inputs, target):
    """The bytes of the outputs by name."""
    args.target = target
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        onnx.save(model, folder / "model.onnx")
        write_case(folder / "case.h", inputs, reference(folder / "model.onnx", inputs), helper_stack=64)
        shapes = {"inputs": {name: value.shape for name, value in inputs.items()}}
        return run_program(args, build(args, folder / "model.onnx", shapes, folder))


def describe_difference(actual, expected):
    """Empty if there is none."""
    if actual.keys() != expected.keys():
        return f"the outputs are {list(actual)}, expected {list(expected)}"
    wrong = [f"{name} in {sum(a != b for a, b in zip(actual[name], data))} of {len(data)} bytes"
             for name, data in expected.items() if actual[name] != data]
    return ", ".join(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", metavar="NAME", nargs="*", help="models of shapes.json to quantize")
    parser.add_argument("--target", dest="targets", required=True, action="append", choices=TARGETS,
                        help="may be repeated; the first one says what is right")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc")
    parser.add_argument("--runtime", type=pathlib.Path, required=True, help="folder runtime of the source tree")
    parser.add_argument("--models", type=pathlib.Path, help="folder that materialize.py filled")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one step")
    args = parser.parse_args()
    count = failed = skipped = 0
    ran = set()
    for name, model, inputs in [*small_models(), *networks(args)]:
        expected = None
        for target in args.targets:
            count += 1
            try:
                actual = run(args, model, inputs, target)
                ran.add(target)
                expected = expected or actual
                wrong = describe_difference(actual, expected)
            except (Failure, OSError) as failure:
                wrong = str(failure)
            if EMULATOR_FAULT in wrong:
                skipped += 1
                print(f"skip  {name} on {target}: {wrong}", flush=True)
                continue
            failed += bool(wrong)
            print(f"FAIL  {name} on {target}: {wrong}" if wrong else f"ok    {name} on {target}", flush=True)
    print(f"{count} runs, {failed} failed, {skipped} skipped")
    return 1 if failed or ran != set(args.targets) else 0


if __name__ == "__main__":
    sys.exit(main())
