#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtimes that compare.py measures, behind one interface.

Each engine takes a model file, inputs by name and a thread count, and binds its
memory once, so that run() does nothing but one inference: no engine pays for
Python's conversions.
"""

import ctypes
import hashlib
import pathlib
import re
import subprocess

import numpy as np
import onnx
import onnxruntime
import openvino

import c_interface


class EngineError(Exception):
    """An engine cannot run the model; the text says why."""


class OnnxRuntime:
    name = "ONNX Runtime"
    version = onnxruntime.__version__

    def __init__(self, path, inputs, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = 3
        for dim, size in _symbolic_dims(path, inputs).items():
            options.add_free_dimension_override_by_name(dim, size)
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        self._keep = [session, binding]
        for name, value in inputs.items():
            value = onnxruntime.OrtValue.ortvalue_from_numpy(value)
            self._keep.append(value)
            binding.bind_ortvalue_input(name, value)
        # Shapes are known after one run; from then on outputs are not allocated.
        names = [output.name for output in session.get_outputs()]
        self._outputs = dict(zip(names, map(onnxruntime.OrtValue.ortvalue_from_numpy,
                                            session.run(names, inputs))))
        for name, value in self._outputs.items():
            binding.bind_ortvalue_output(name, value)
        self.run = lambda: session.run_with_iobinding(binding)

    def outputs(self):
        return {name: value.numpy() for name, value in self._outputs.items()}


def _symbolic_dims(path, inputs):
    """Sizes of the symbolic dimensions that are the same wherever they stand."""
    sizes = {}
    for value in onnx.load(path, load_external_data=False).graph.input:
        if value.name in inputs:
            for dim, size in zip(value.type.tensor_type.shape.dim, inputs[value.name].shape):
                if dim.dim_param:
                    sizes.setdefault(dim.dim_param, set()).add(size)
    return {dim: seen.pop() for dim, seen in sizes.items() if len(seen) == 1}


def evaluate_as_written(path, inputs):
    """What ONNX Runtime computes of a graph, node by node, without optimizations."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs)))


class OpenVino:
    name = "OpenVINO"
    version = openvino.__version__.split("-")[0]

    def __init__(self, path, inputs, threads):
        core = openvino.Core()
        model = core.read_model(str(path))
        model.reshape({name: openvino.PartialShape(list(value.shape)) for name, value in inputs.items()})
        compiled = core.compile_model(model, "CPU", {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": "f32",
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
        })
        request = compiled.create_infer_request()
        for name, value in inputs.items():
            request.set_tensor(name, openvino.Tensor(value, shared_memory=True))
        self._keep = [core, compiled, inputs]
        self._request = request
        self._outputs = compiled.outputs
        # The wrapper around this method costs two microseconds a call.
        infer = openvino._pyopenvino.InferRequest.infer
        self.run = lambda: infer(request, {}, True, True)

    def outputs(self):
        return {output.get_any_name(): self._request.get_tensor(output).data.copy() for output in self._outputs}


def _source_folder(build):
    """What a build folder was configured for."""
    home = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return pathlib.Path(home.group(1))


def _aligned(size, alignment=64):
    """Bytes at an aligned address."""
    block = np.zeros(size + alignment, np.uint8)
    start = -block.ctypes.data % alignment
    return block[start:start + size]


class Brisk:
    name = "Brisk"
    version = "this build"

    def __init__(self, path, inputs, threads, build, folder, shape_flags):
        library = folder / f"{pathlib.Path(path).stem}.so"
        command = [build / "bin" / "briskc", path, "-o", library, "--emit=shared", *shape_flags]
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if result.returncode != 0:
            lines = result.stderr.strip().splitlines() or ["no message"]
            raise EngineError(f"briskc ended with {result.returncode}: "
                              + next((line for line in lines if "error" in line), lines[-1]))
        # By the header of that build, which may be older than this file.
        structs, version = c_interface.read_structs(_source_folder(build) / "runtime" / "include")
        loaded = ctypes.CDLL(str(library))
        loaded.brisk_model_get.restype = ctypes.POINTER(structs["brisk_model"])
        model = loaded.brisk_model_get().contents
        if model.abi_version != version:
            raise EngineError(f"{library} has interface version {model.abi_version}, not {version}")
        self._values = {}
        taken, given = [], []
        self._keep = [loaded]
        for index in range(model.num_inputs):
            tensor = model.inputs[index]
            value = inputs[tensor.name.decode()]
            if value.nbytes != tensor.bytes or value.dtype != c_interface.DTYPES.get(tensor.dtype):
                raise EngineError(f"input {tensor.name.decode()} is not what the model takes")
            memory = _aligned(value.nbytes)
            memory[:] = value.reshape(-1).view(np.uint8)
            self._keep.append(memory)
            taken.append(memory.ctypes.data)
        for index in range(model.num_outputs):
            tensor = model.outputs[index]
            memory = _aligned(tensor.bytes)
            given.append(memory.ctypes.data)
            shape = [tensor.dims[axis] for axis in range(tensor.rank)]
            self._values[tensor.name.decode()] = memory.view(c_interface.DTYPES[tensor.dtype]).reshape(shape)
        hooks = structs["brisk_hooks"]()
        if threads > 1:
            self._start_pool(hooks, threads, build, folder)
        if version == 2:
            run, arguments = self._prepare_version_2(model, taken, given, hooks)
        elif version not in (3, 4):  # apart in what parallel_for takes, which is the pool's
            raise EngineError(f"{library} has interface version {version}; 2 to 4 can be measured")
        else:
            hooks.size, hooks.workers = ctypes.sizeof(hooks), threads
            block = model.memory[0]
            arena = _aligned(block.bytes + threads * block.bytes_per_worker, max(64, block.alignment))
            call = c_interface.make_call(structs, taken, given, [arena.ctypes.data], hooks)
            run, arguments = c_interface.get_entry(model), (ctypes.addressof(call),)
            self._keep += [arena, call]
        if run(*arguments) != 0:
            raise EngineError(f"{library} refuses to run")
        self.run = lambda: run(*arguments)

    def _prepare_version_2(self, model, taken, given, hooks):
        arena = _aligned(model.arena_bytes, max(64, model.arena_alignment))
        arrays = [c_interface.pointers(taken), c_interface.pointers(given)]
        self._keep += [arena, arrays, hooks]
        run = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * 4)(model.run)
        return run, (*map(ctypes.addressof, arrays), arena.ctypes.data, ctypes.addressof(hooks))

    def _start_pool(self, hooks, threads, build, folder):
        """Gives the hooks the hosted runtime's thread pool, as a shared library."""
        shared = folder / f"libbrisk_host_{hashlib.sha256(str(build).encode()).hexdigest()[:8]}.so"
        if not shared.exists():
            subprocess.run(["clang-22", "-shared", "-o", str(shared), "-Wl,--whole-archive",
                            str(build / "lib" / "libbrisk_host.a"), "-Wl,--no-whole-archive", "-lpthread", "-ldl"],
                           check=True)
        host = ctypes.CDLL(str(shared))
        host.brisk_pool_create.restype = ctypes.c_void_p
        pool = host.brisk_pool_create(ctypes.c_uint32(threads))
        if not pool:
            raise EngineError(f"cannot start {threads} threads")
        self._keep.append(host)
        self._close = lambda: host.brisk_pool_destroy(ctypes.c_void_p(pool))
        hooks.context = pool
        hooks.parallel_for = ctypes.cast(host.brisk_pool_parallel_for, ctypes.c_void_p)

    def outputs(self):
        return {name: value.copy() for name, value in self._values.items()}

    def close(self):
        getattr(self, "_close", lambda: None)()
