#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares Brisk with ONNX Runtime on random graphs of many ops.

node_sources.py makes a graph from each seed. ONNX Runtime computes it without
optimisations; briskc compiles it for a target drawn by chance, and it runs
twice, in memory that held something else, between fences, the second time with
its tasks in pieces and out of order: both runs must give the same bytes. Floats
may differ from ONNX Runtime's by a relative L2 error of 2e-5, or be about as
near to double precision as ONNX Runtime is; other types must be equal.

A graph that fails is cut down for as long as it fails in the same way. Of
graph N, --keep DIR keeps N.onnx and N.npz (its inputs) as they were made, and
N-small.onnx and N-small.npz. `--seed N --count 1` makes graph N again, and
`--model FILE.onnx` checks a kept one with the inputs beside it.
"""

import argparse
import collections
import ctypes
import mmap
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import traceback

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))

import numpy as np
import onnx
from onnx import numpy_helper

import inputs as model_inputs
from evaluate_in_double import evaluate as evaluate_in_double
from graph_builder import Reject, evaluate, make_info
from node_sources import make_graph

LIMIT = 2e-5
TIME_LIMIT = 60  # seconds, for one compilation or run


class Failure(Exception):
    """A graph fails; `kind` says in which way."""

    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind = kind


class Tensor(ctypes.Structure):
    """brisk_tensor of brisk/model.h."""
    _fields_ = [("name", ctypes.c_char_p), ("dims", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_uint32),
                ("dtype", ctypes.c_uint32), ("bytes", ctypes.c_uint64)]


class Model(ctypes.Structure):
    """brisk_model of brisk/model.h."""
    _fields_ = [("abi_version", ctypes.c_uint32), ("profiled", ctypes.c_uint32), ("name", ctypes.c_char_p),
                ("target", ctypes.c_char_p), ("inputs", ctypes.POINTER(Tensor)), ("outputs", ctypes.POINTER(Tensor)),
                ("ops", ctypes.c_void_p), ("num_inputs", ctypes.c_uint32), ("num_outputs", ctypes.c_uint32),
                ("num_ops", ctypes.c_uint32), ("arena_alignment", ctypes.c_uint32), ("arena_bytes", ctypes.c_uint64),
                ("weights_bytes", ctypes.c_uint64), ("run", ctypes.c_void_p), ("cpu_features", ctypes.c_char_p),
                ("compiler", ctypes.c_char_p), ("source_sha256", ctypes.c_char_p), ("flags", ctypes.c_char_p)]


Task = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
ParallelFor = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)


class Hooks(ctypes.Structure):
    """brisk_hooks of brisk/model.h."""
    _fields_ = [("context", ctypes.c_void_p), ("clock", ctypes.c_void_p), ("parallel_for", ParallelFor),
                ("trace", ctypes.c_void_p)]


@ParallelFor
def shuffle_tasks(_, task, args, count):
    """Runs tasks in up to 5 pieces, the odd ones first."""
    pieces = min(count, 5)
    bounds = [count * i // pieces for i in range(pieces + 1)]
    for i in [*range(1, pieces, 2), *range(0, pieces, 2)]:
        Task(task)(args, bounds[i], bounds[i + 1])


class Memory:
    """Bytes that a child can write, with a page behind them that nobody can touch."""

    def __init__(self, size, fill, alignment=1):
        room = -(-(size + alignment) // mmap.PAGESIZE) * mmap.PAGESIZE
        self._map = mmap.mmap(-1, room + mmap.PAGESIZE)
        self._all = np.frombuffer(self._map, np.uint8)[:room]
        self._all[:] = self._fill = fill
        start = (room - size) // alignment * alignment
        self.bytes = self._all[start:start + size]
        self._around = (self._all[:start], self._all[start + size:])
        self.address = self._all.ctypes.data + start
        if ctypes.CDLL(None).mprotect(ctypes.c_void_p(self._all.ctypes.data + room), mmap.PAGESIZE, 0):
            raise OSError("mprotect failed")

    def fence_holds(self):
        return all((part == self._fill).all() for part in self._around)


def run_once(model, inputs, fill, hooks):
    """The bytes of each output, from a run in a process of its own."""
    def place(tensors, count):
        return [Memory(tensors[i].bytes, fill, 64) for i in range(count)]

    taken, given = place(model.inputs, model.num_inputs), place(model.outputs, model.num_outputs)
    arena = Memory(model.arena_bytes, fill, max(model.arena_alignment, 1))
    for i, memory in enumerate(taken):
        memory.bytes[:] = np.frombuffer(inputs[model.inputs[i].name.decode()].tobytes(), np.uint8)
    before = [memory.bytes.copy() for memory in taken]
    pointers = [(ctypes.c_void_p * len(memories))(*(memory.address for memory in memories))
                for memories in (taken, given)]
    run = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(model.run)
    child = os.fork()
    if child == 0:
        signal.alarm(TIME_LIMIT)
        os._exit(run(pointers[0], pointers[1], arena.address, ctypes.byref(hooks) if hooks else None))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        raise Failure("crash", f"the run ended with {signal.Signals(-status).name if status < 0 else status}")
    if not all(memory.fence_holds() for memory in [*taken, *given, arena]):
        raise Failure("fence", "the model wrote beside its memory")
    if not all(np.array_equal(memory.bytes, old) for memory, old in zip(taken, before)):
        raise Failure("fence", "the model wrote to an input")
    return [memory.bytes.tobytes() for memory in given]


def run_brisk(args, model, inputs, target, folder):
    """Brisk's outputs as a list of (name, array)."""
    path, library = folder / "graph.onnx", folder / f"graph{time.monotonic_ns()}.so"
    onnx.save(model, path)
    command = [args.bin / "briskc", path, "-o", library, "--emit=shared", f"--target={target}", "--quiet"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure("hang", f"briskc did not end within {TIME_LIMIT} s") from None
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if re.search("error|ssertion|LLVM ERROR", line)]
        text = (lines or result.stderr.splitlines() or ["no message"])[0]
        text = re.sub(r"^.*?(error|Assertion)", r"\1", text)
        kind = "refusal" if result.returncode == 1 else "crash"
        raise Failure(kind, f"briskc ended with {result.returncode}: {text}")
    loaded = ctypes.CDLL(str(library))
    library.unlink()
    loaded.brisk_model_get.restype = ctypes.POINTER(Model)
    described = loaded.brisk_model_get().contents
    hooks = Hooks(parallel_for=shuffle_tasks)
    first, second = (run_once(described, inputs, 0xff, None), run_once(described, inputs, 0x3c, hooks))
    outputs = []
    for i, data in enumerate(first):
        tensor = described.outputs[i]
        name, dtype = tensor.name.decode(), onnx.helper.tensor_dtype_to_np_dtype(tensor.dtype)
        outputs.append((name, np.frombuffer(data, dtype).reshape(tensor.dims[:tensor.rank])))
        if data != second[i]:
            raise Failure("unsteady", f"output {name} differs between two runs")
    return outputs


def compare(model, inputs, actual, expected):
    """Raises a Failure if an output is wrong."""
    exact = None
    if [name for name, _ in actual] != [name for name, _ in expected]:
        raise Failure("outputs", f"{[name for name, _ in actual]} instead of {[name for name, _ in expected]}")
    for (name, value), (_, reference) in zip(actual, expected):
        if (value.dtype, value.shape) != (reference.dtype, reference.shape):
            raise Failure("type", f"output {name} is {value.dtype}{value.shape}, expected "
                                  f"{reference.dtype}{reference.shape}")
        if not np.issubdtype(value.dtype, np.floating):
            if not np.array_equal(value, reference):
                differing = np.sum(value != reference)
                raise Failure("wrong", f"output {name} differs in {differing} of {value.size} elements")
            continue
        error = model_inputs.relative_error(value, reference)
        if error <= LIMIT:
            continue
        try:
            exact = exact or evaluate_in_double(model, inputs)
            own, peer = (model_inputs.relative_error(array, exact[name]) for array in (value, reference))
        except Exception as fault:  # of the evaluator, which is not complete
            raise Failure("wrong", f"output {name} differs by {error:.1e} (no double precision: {fault})") from None
        # What cancels is noise for all, but noise is small.
        is_noise = own <= 4 * peer and np.abs(value - exact[name]).max(initial=0) < 1e-4
        if not (own <= LIMIT or is_noise):
            raise Failure("wrong", f"output {name} differs by {error:.1e} (by double precision: off by {own:.1e}, "
                                   f"ONNX Runtime by {peer:.1e})")


def check(args, model, inputs, target, folder):
    """The Failure of a model, or None."""
    expected = evaluate(model, inputs)
    try:
        compare(folder / "graph.onnx", inputs, run_brisk(args, model, inputs, target, folder), expected)
    except Failure as failure:
        return failure
    return None


def find_uses(node):
    """Names that a node and its subgraphs use; those from inside do not matter."""
    graphs = [attribute.g for attribute in node.attribute if attribute.type == onnx.AttributeProto.GRAPH]
    return {*node.input, *(name for graph in graphs for inner in graph.node for name in find_uses(inner))}


def prune(model):
    """Drops what no output needs."""
    graph, needed, nodes = model.graph, {output.name for output in model.graph.output}, []
    for node in reversed(graph.node):
        if needed & set(node.output):
            nodes.insert(0, node)
            needed |= find_uses(node)
    for field, kept in ((graph.node, nodes), (graph.input, [value for value in graph.input if value.name in needed]),
                        (graph.initializer, [value for value in graph.initializer if value.name in needed])):
        kept = list(kept)
        del field[:]
        field.extend(kept)
    return model


def shrink_once(model, values):
    """Smaller models, likely ones first: single outputs, cuts before a node, nodes left out."""
    def changed(change):
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        change(copy.graph)
        return prune(copy)

    outputs = [value.name for value in model.graph.output]
    made = [name for node in model.graph.node for name in node.output if name]

    def keep_outputs(names):
        def change(graph):
            del graph.output[:]
            graph.output.extend(make_info(name, values[name]) for name in names)
        return change

    def cut(names):
        def change(graph):
            kept = [node for node in graph.node if not set(names) & set(node.output)]
            del graph.node[:]
            graph.node.extend(kept)
            graph.input.extend(make_info(name, values[name]) for name in names)
        return change

    def bypass(node, operand):
        def change(graph):
            for other in graph.node:
                for i, name in enumerate(other.input):
                    if name == node.output[0]:
                        other.input[i] = operand
        return change

    if len(outputs) > 1:
        yield from (changed(keep_outputs([name])) for name in outputs)
        yield from (changed(keep_outputs([kept for kept in outputs if kept != name])) for name in outputs)
    else:
        yield from (changed(keep_outputs([name])) for name in made[:-1] if name not in outputs)
    for node in reversed(model.graph.node):
        yield changed(cut([name for name in node.output if name]))
    for node in model.graph.node:
        for operand in node.input:
            if operand and all(values[name].shape == values[operand].shape and
                               values[name].dtype == values[operand].dtype for name in node.output[:1]):
                yield changed(bypass(node, operand))


def minimise(args, model, inputs, failure, target, folder):
    """The smallest model found that fails in the same way, its inputs and its failure."""
    deadline = time.monotonic() + args.minimise_seconds
    everything = onnx.ModelProto()
    everything.CopyFrom(model)
    names = {name for node in model.graph.node for name in node.output if name}
    del everything.graph.output[:]
    everything.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in sorted(names))
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer} | inputs
    values |= dict(evaluate(everything, inputs))
    found = True
    while found and time.monotonic() < deadline:
        found = False
        for smaller in shrink_once(model, values):
            if not smaller.graph.node or time.monotonic() > deadline:
                continue
            given = {value.name: values[value.name] for value in smaller.graph.input}
            try:
                now = check(args, smaller, given, target, folder)
            except Reject:
                continue
            if now and now.kind == failure.kind:
                model, inputs, failure, found = smaller, given, now, True
                break
    return model, inputs, failure


def keep(folder, name, model, inputs):
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, folder / f"{name}.onnx")
    np.savez(folder / f"{name}.npz", **inputs)


def describe(model):
    """A model as lines of text."""
    text = onnx.printer.to_text(model.graph)
    return "\n".join(f"      {line[:200]}" for line in text.splitlines())


def find_targets():
    flags = re.search("^flags.*", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)[0].split()
    needs = {"host": "sse2", "x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
    return [target for target, flag in needs.items() if flag in flags]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first graph; others follow (default: 0)")
    parser.add_argument("--count", type=int, default=100, help="graphs to make (default: 100)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="make no more graphs after this time")
    parser.add_argument("--nodes", type=int, default=25, help="most nodes of a graph, roughly (default: 25)")
    parser.add_argument("--target", action="append", help="target to draw; may be repeated (default: all that run)")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="folder for graphs that fail")
    parser.add_argument("--model", type=pathlib.Path, help="check this one and make no graphs")
    parser.add_argument("--minimise-seconds", type=float, default=120, help="for one graph that fails; 0: leave it")
    args = parser.parse_args()
    args.bin = args.bin.resolve()
    targets = args.target or find_targets()
    start, counts, made = time.monotonic(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        if args.model:
            inputs = dict(np.load(args.model.with_suffix(".npz")))
            failures = {target: check(args, onnx.load(args.model), inputs, target, folder) for target in targets}
            for target, failure in failures.items():
                print(f"{args.model.name} for {target}: {failure or 'ok'}")
            return 1 if any(failures.values()) else 0
        for seed in range(args.seed, args.seed + args.count):
            if time.monotonic() - start > args.seconds:
                break
            random = np.random.default_rng(seed)
            target = targets[random.integers(len(targets))]
            model, inputs = make_graph(random, args.nodes)
            try:
                failure = check(args, model, inputs, target, folder)
            except Reject as reason:
                print(f"graph {seed} is left out: {reason}", flush=True)
                continue
            made += 1
            if not failure:
                continue
            counts[failure.kind] += 1
            print(f"graph {seed} for {target} fails: {failure}", flush=True)
            if args.keep:
                keep(args.keep, str(seed), model, inputs)
            if args.minimise_seconds:
                model, inputs, failure = minimise(args, model, inputs, failure, target, folder)
                print(f"{describe(model)}\n      {failure}", flush=True)
                if args.keep:
                    keep(args.keep, f"{seed}-small", model, inputs)
    kinds = "".join(f", {count} {kind}" for kind, count in counts.most_common())
    print(f"{made} graphs in {time.monotonic() - start:.0f} s, {sum(counts.values())} failed{kinds}")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
