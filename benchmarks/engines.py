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
import pathlib
import subprocess

import numpy as np
import onnx
import onnxruntime
import openvino


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


# The C interface of a compiled model: runtime/include/brisk/model.h.
_ABI_VERSION = 2
_DTYPES = {1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64",
           9: "bool", 10: "float16", 11: "float64", 12: "uint32", 13: "uint64"}


class _Tensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dims", ctypes.POINTER(ctypes.c_int64)),
                ("rank", ctypes.c_uint32), ("dtype", ctypes.c_uint32), ("bytes", ctypes.c_uint64)]


class _Hooks(ctypes.Structure):
    _fields_ = [("context", ctypes.c_void_p), ("clock", ctypes.c_void_p),
                ("parallel_for", ctypes.c_void_p), ("trace", ctypes.c_void_p)]


_RUN = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class _Model(ctypes.Structure):
    _fields_ = [("abi_version", ctypes.c_uint32), ("profiled", ctypes.c_uint32),
                ("name", ctypes.c_char_p), ("target", ctypes.c_char_p),
                ("inputs", ctypes.POINTER(_Tensor)), ("outputs", ctypes.POINTER(_Tensor)),
                ("ops", ctypes.c_void_p), ("num_inputs", ctypes.c_uint32),
                ("num_outputs", ctypes.c_uint32), ("num_ops", ctypes.c_uint32),
                ("arena_alignment", ctypes.c_uint32), ("arena_bytes", ctypes.c_uint64),
                ("weights_bytes", ctypes.c_uint64), ("run", _RUN), ("cpu_features", ctypes.c_char_p),
                ("compiler", ctypes.c_char_p), ("source_sha256", ctypes.c_char_p), ("flags", ctypes.c_char_p)]


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
        loaded = ctypes.CDLL(str(library))
        loaded.brisk_model_get.restype = ctypes.POINTER(_Model)
        model = loaded.brisk_model_get().contents
        if model.abi_version != _ABI_VERSION:
            raise EngineError(f"{library} has interface version {model.abi_version}, not {_ABI_VERSION}")
        self._values = {}
        in_pointers = (ctypes.c_void_p * max(1, model.num_inputs))()
        out_pointers = (ctypes.c_void_p * max(1, model.num_outputs))()
        self._keep = [loaded, in_pointers, out_pointers]
        for index in range(model.num_inputs):
            tensor = model.inputs[index]
            value = inputs[tensor.name.decode()]
            if value.nbytes != tensor.bytes or value.dtype != _DTYPES.get(tensor.dtype):
                raise EngineError(f"input {tensor.name.decode()} is not what the model takes")
            memory = _aligned(value.nbytes)
            memory[:] = value.reshape(-1).view(np.uint8)
            self._keep.append(memory)
            in_pointers[index] = memory.ctypes.data
        for index in range(model.num_outputs):
            tensor = model.outputs[index]
            memory = _aligned(tensor.bytes)
            out_pointers[index] = memory.ctypes.data
            shape = [tensor.dims[axis] for axis in range(tensor.rank)]
            self._values[tensor.name.decode()] = memory.view(_DTYPES[tensor.dtype]).reshape(shape)
        arena = _aligned(model.arena_bytes, max(64, model.arena_alignment))
        hooks = ctypes.pointer(_Hooks())
        self._keep += [arena, hooks]
        if threads > 1:
            self._start_pool(hooks.contents, threads, build, folder)
        run = model.run
        arguments = (ctypes.addressof(in_pointers), ctypes.addressof(out_pointers), arena.ctypes.data,
                     ctypes.addressof(hooks.contents))
        if run(*arguments) != 0:
            raise EngineError(f"{library} refuses to run")
        self.run = lambda: run(*arguments)

    def _start_pool(self, hooks, threads, build, folder):
        """Gives the hooks the hosted runtime's thread pool, as a shared library."""
        shared = folder / "libbrisk_host.so"
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
