#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a model that is compiled for another machine under QEMU, and compares it
with ONNX Runtime.

Targets of AArch64 and RISC-V run as Linux programs, cortex-m4 as a bare-metal image without a heap
on QEMU's board mps2-an386. Targets of x86-64 run without QEMU, for tests that compare targets. A tool that is missing on this machine is an error:
./bootstrap test installs them.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CROSS = HERE / "cross"
FIRMWARE = HERE.parent.parent / "examples" / "firmware"
sys.path.insert(0, str(HERE.parent / "models"))

import numpy as np

import inputs as model_inputs
from compare_with_onnxruntime import Failure, reference, run_tool

def on_linux(triple, *run, more=()):
    return {"compile": [f"{triple}gcc", "-static", CROSS / "linux.c", *more], "run": [*run], "nm": f"{triple}nm"}


TARGETS = {
    **{name: on_linux("") for name in ("host", "x86-64-v2", "x86-64-v3", "x86-64-v4", "cascadelake", "cooperlake", "alderlake")},
    # On any CPU with the rest of its instructions.
    **{name: on_linux("", more=[CROSS / "tiles.c"]) for name in ("sapphirerapids", "graniterapids")},
    # A CPU without dot products, one with them, and all that QEMU knows.
    "aarch64": on_linux("aarch64-linux-gnu-", "qemu-aarch64-static", "-cpu", "cortex-a53"),
    "cortex-a76": on_linux("aarch64-linux-gnu-", "qemu-aarch64-static", "-cpu", "cortex-a76"),
    "neoverse-v1": on_linux("aarch64-linux-gnu-", "qemu-aarch64-static", "-cpu", "max"),
    "riscv64": on_linux("riscv64-linux-gnu-", "qemu-riscv64-static"),
    "riscv64gcv": on_linux("riscv64-linux-gnu-", "qemu-riscv64-static", "-cpu", "rv64,v=true,vext_spec=v1.0,vlen=128"),
    "cortex-m4": {
        "compile": ["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16",
                    "-ffreestanding", "-nostartfiles", "-I", FIRMWARE, "-T", FIRMWARE / "mps2_an386.ld",
                    FIRMWARE / "startup.c", CROSS / "mps2_an386.c"],
        "run": ["qemu-system-arm", "-M", "mps2-an386", "-nographic", "-monitor", "none", "-serial", "none",
                "-semihosting-config", "enable=on,target=native", "-kernel"],
        "nm": "arm-none-eabi-nm",
        "forbidden": {"malloc", "calloc", "realloc", "free", "_malloc_r", "_sbrk", "_sbrk_r"},
    },
}


def write_case(path, inputs, outputs, helper_stack=0):
    """case.h: the inputs as constants, how large the outputs are, and what the compiler's helpers take of the stack."""
    lines = ["#include <stdint.h>", f"#define CASE_NUM_INPUTS {len(inputs)}",
             f"#define CASE_HELPER_STACK_BYTES {helper_stack}u",
             f"#define CASE_MAX_OUTPUTS {len(outputs)}",
             f"#define CASE_OUTPUT_BYTES {max(value.nbytes for value in outputs.values())}"]
    for number, value in enumerate(inputs.values()):
        data = value.tobytes()
        words = np.frombuffer(data + bytes(-len(data) % 4), "<u4")
        lines.append(f"static const _Alignas(64) uint32_t case_input_{number}[] = {{"
                     + ", ".join(f"0x{word:x}u" for word in words) + "};")
    lines.append("static const void *const case_inputs[] = {"
                 + ", ".join(f"case_input_{number}" for number in range(len(inputs))) + "};")
    path.write_text("\n".join(lines) + "\n")


def build(args, path, entry, folder, flags=()):
    """Compiles the model and the program around it; returns the program."""
    target = TARGETS[args.target]
    run_tool([str(args.bin / "briskc"), str(path), "-o", str(folder / "libmodel.a"), "--name=model",
              f"--target={args.target}", *flags, *model_inputs.shape_flags(entry)], args.timeout)
    program = folder / "program"
    run_tool([str(word) for word in (
        *target["compile"], "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-I", folder, "-I", CROSS,
        "-I", HERE, "-I", args.runtime / "include", CROSS / "run_case.c", folder / "libmodel.a", "-o", program)], args.timeout)
    listing = subprocess.run([target["nm"], "--format=posix", program], capture_output=True, text=True, check=True)
    heap = target.get("forbidden", set()) & {line.split()[0] for line in listing.stdout.splitlines()}
    if heap:
        raise Failure(f"the image has a heap: {' '.join(sorted(heap))}")
    return program


def run_program(args, program):
    """Runs under QEMU; returns the bytes of the outputs by name."""
    try:
        run = TARGETS[args.target]["run"]
        if getattr(args, "cpu", None):
            run = [run[0], "-cpu", args.cpu]
        result = subprocess.run([*run, str(program)], stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, timeout=args.timeout)
    except subprocess.TimeoutExpired:
        raise Failure(f"the program did not end within {args.timeout:.0f} s") from None
    printed = result.stdout + result.stderr  # semihosting prints to either
    if result.returncode != 0:
        raise Failure(f"the program ended with {result.returncode}: {printed.strip()[-300:]}")
    return {name: bytes.fromhex(digits)
            for name, digits in re.findall(r"^output (.*)\n([0-9a-f]*)$", printed, re.MULTILINE)}


def check_model(args, name, entry):
    path = args.models / f"{name}.onnx"
    inputs = model_inputs.make_inputs(path, entry)
    expected = reference(path, inputs)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # The bound leaves out what the C library's memcpy and memset take.
        write_case(folder / "case.h", inputs, expected, helper_stack=64)
        actual = run_program(args, build(args, path, entry, folder, args.flag))
    if list(actual) != list(expected):
        raise Failure(f"the outputs are {list(actual)}, expected {list(expected)}")
    worst = 0.0
    for output, value in expected.items():
        if len(actual[output]) != value.nbytes:
            raise Failure(f"output {output} has {len(actual[output])} bytes, expected {value.nbytes}")
        got = np.frombuffer(actual[output], value.dtype).reshape(value.shape)
        error = model_inputs.relative_error(got, value)
        if not error <= args.limit:
            raise Failure(f"output {output} differs from ONNX Runtime by {error:.2e}, more than {args.limit:.0e}")
        worst = max(worst, error)
    return worst


def main():
    spec = model_inputs.load_spec()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", metavar="NAME", nargs="+", help="models of shapes.json")
    parser.add_argument("--target", required=True, choices=TARGETS, help="what to compile for")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc")
    parser.add_argument("--runtime", type=pathlib.Path, required=True, help="folder runtime of the source tree")
    parser.add_argument("--models", type=pathlib.Path, required=True, help="folder that materialize.py filled")
    parser.add_argument("--flag", action="append", default=[], help="passed to briskc")
    parser.add_argument("--cpu", help="QEMU's CPU, for Linux programs (default: one for the target)")
    parser.add_argument("--limit", type=float, default=1e-5, help="relative L2 error (default: 1e-5)")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one step")
    args = parser.parse_args()
    failed = 0
    for name in args.names:
        if name not in spec:
            parser.error(f"no such model: {name} (known: {' '.join(spec)})")
        try:
            print(f"ok    {name} on {args.target}: relative L2 error {check_model(args, name, spec[name]):.2e}",
                  flush=True)
        except (Failure, OSError) as failure:
            failed += 1
            print(f"FAIL  {name} on {args.target}: {failure}", flush=True)
    print(f"{len(args.names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
