#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what briskc makes of a model, in memory that held something else, between fences."""

import ctypes
import mmap
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import numpy as np
import onnx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "models"))

import c_interface

TIME_LIMIT = 60  # seconds, for one compilation or run


class Failure(Exception):
    """A graph fails; `kind` says in which way."""

    def __init__(self, kind, text):
        super().__init__(f"{kind}: {text}")
        self.kind = kind


STRUCTS, _ = c_interface.read_structs()
Task = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
ParallelFor = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint32)
WORKERS = 3


@ParallelFor
def shuffle_tasks(_, task, args, count, worth):
    """Runs tasks in up to 5 pieces, however many workers they are worth, the odd ones first, each as another worker than the one before."""
    pieces = min(count, 5)
    bounds = [count * i // pieces for i in range(pieces + 1)]
    for i in [*range(1, pieces, 2), *range(0, pieces, 2)]:
        work = STRUCTS["brisk_work"](bounds[i], bounds[i + 1], i % WORKERS)
        Task(task)(args, ctypes.addressof(work))


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
    workers = hooks.workers if hooks else 1
    blocks = [Memory(block.bytes + block.bytes_per_worker * workers, fill, block.alignment)
              for block in model.memory[:model.num_memory]]
    for i, memory in enumerate(taken):
        memory.bytes[:] = np.frombuffer(inputs[model.inputs[i].name.decode()].tobytes(), np.uint8)
    before = [memory.bytes.copy() for memory in taken]
    call = c_interface.make_call(STRUCTS, *([part.address for part in parts] for parts in (taken, given, blocks)), hooks)
    run = c_interface.get_entry(model)
    child = os.fork()
    if child == 0:
        signal.alarm(TIME_LIMIT)
        os._exit(run(ctypes.addressof(call)))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        raise Failure("crash", f"the run ended with {signal.Signals(-status).name if status < 0 else status}")
    if not all(part.fence_holds() for part in [*taken, *given, *blocks]):
        raise Failure("fence", "the model wrote beside its memory")
    if not all(np.array_equal(memory.bytes, old) for memory, old in zip(taken, before)):
        raise Failure("fence", "the model wrote to an input")
    return [memory.bytes.tobytes() for memory in given]


def compile_for(args, model, target, folder, kind="shared", flags=()):
    """What briskc makes of a model: the path of a shared library or an object."""
    path, output = folder / "graph.onnx", folder / f"graph{time.monotonic_ns()}.{'so' if kind == 'shared' else 'o'}"
    onnx.save(model, path)
    command = [args.bin / "briskc", path, "-o", output, f"--emit={kind}", f"--target={target}", "--quiet", *flags]
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
    return output


def run_model(args, model, inputs, target, folder, flags=()):
    """A model's outputs as a list of (name, array), the same twice."""
    library = compile_for(args, model, target, folder, flags=flags)
    loaded = ctypes.CDLL(str(library))
    library.unlink()
    loaded.brisk_model_get.restype = ctypes.POINTER(STRUCTS["brisk_model"])
    described = loaded.brisk_model_get().contents
    hooks = STRUCTS["brisk_hooks"](size=ctypes.sizeof(STRUCTS["brisk_hooks"]), workers=WORKERS,
                                   parallel_for=ctypes.cast(shuffle_tasks, ctypes.c_void_p))
    first, second = (run_once(described, inputs, 0xff, None), run_once(described, inputs, 0x3c, hooks))
    outputs = []
    for i, data in enumerate(first):
        tensor = described.outputs[i]
        name, dtype = tensor.name.decode(), onnx.helper.tensor_dtype_to_np_dtype(tensor.dtype)
        outputs.append((name, np.frombuffer(data, dtype).reshape(tensor.dims[:tensor.rank])))
        if data != second[i]:
            raise Failure("unsteady", f"output {name} differs between two runs")
    return outputs
