#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what briskc writes, without running it.

Of each model's object: no undefined symbol outside the design's allow-list, and
no writable data. Of every artifact: the same bytes wherever the model, the
output, the current folder and temporary files are, and on however many CPUs it
was made; of the report too, but for times and memory.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))

import inputs as model_inputs

# Linkers define _GLOBAL_OFFSET_TABLE_ themselves; code for far weights refers to it.
ALLOWED = {"memcpy", "memmove", "memset", "_GLOBAL_OFFSET_TABLE_"}
# Helper routines that the target's own compiler calls, by target.
HELPERS = {"cortex-m4": re.compile(r"__aeabi_\w+")}
WRITABLE = re.compile(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro)\b")
ARTIFACTS = {"import": "model.mlir", "graph": "model.mlir", "plan": "model.mlir", "kernels": "model.mlir",
             "llvm": "model.ll", "asm": "model.s", "obj": "model.o", "lib": "libmodel.a", "shared": "model.so"}
# What a report says of the run that made it.
MEASURED = {"seconds", "total_seconds", "peak_bytes"}


class Failure(Exception):
    """An artifact is not what it should be; the text says how."""


def run(command, **kwargs):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **kwargs)
    if result.returncode != 0:
        raise Failure(f"{command[0]} ended with {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def compile_here(args, source, entry, folder, emit, target):
    """Compiles in a folder of its own, in relative paths; returns the folder with the files written."""
    shutil.copyfile(source, folder / source.name)
    out = folder / f"out-{emit}"
    out.mkdir()
    run([args.bin / "briskc", source.name, "-o", f"{out.name}/{ARTIFACTS[emit]}", f"--emit={emit}",
         "--report", f"{out.name}/report.json", f"--target={target}", "--name", "model",
         *model_inputs.shape_flags(entry)], cwd=folder)
    return out


def compile_elsewhere(args, source, entry, folder, emit, target):
    """As compile_here, but from another folder, in absolute paths, on one CPU, with temporary files of its own."""
    out = folder / f"out-{emit}"
    scratch = folder / f"tmp-{emit}"
    for place in (out, scratch):
        place.mkdir()
    cpu = min(os.sched_getaffinity(0))
    run([args.bin / "briskc", source, "-o", out / ARTIFACTS[emit], f"--emit={emit}",
         "--report", out / "report.json", f"--target={target}", "--name", "model",
         *model_inputs.shape_flags(entry)], cwd="/", env={**os.environ, "TMPDIR": str(scratch)},
        preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
    left = sorted(path.name for path in scratch.iterdir())
    if left:
        raise Failure(f"{emit}: left temporary files: {' '.join(left)}")
    return out


def read_artifact(path):
    """The bytes of a file; a report's without what was measured."""
    if path.name != "report.json":
        return path.read_bytes()

    def strip(value):
        if isinstance(value, dict):
            return {key: strip(item) for key, item in value.items() if key not in MEASURED}
        return [strip(item) for item in value] if isinstance(value, list) else value

    return json.dumps(strip(json.loads(path.read_text())), indent=1).encode()


def check_symbols(args, path, target):
    listing = run([args.llvm_bin / "llvm-nm", "--undefined-only", "--format=just-symbols", path])
    helper = HELPERS.get(target)
    undefined = {name for name in listing.split() if name not in ALLOWED and not (helper and helper.fullmatch(name))}
    if undefined:
        raise Failure(f"undefined symbols: {' '.join(sorted(undefined))}")


def check_sections(args, path):
    listing = run([args.llvm_bin / "llvm-readelf", "--sections", "--wide", path])
    # [Nr] Name Type Address Off Size ...
    row = re.compile(r"\s*\[\s*\d+\]\s+(\S+)\s+\S+\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)")
    sections = [match.groups() for match in map(row.match, listing.splitlines()) if match]
    if not sections:
        raise Failure("llvm-readelf lists no sections")
    writable = [name for name, size in sections if int(size, 16) and WRITABLE.match(name)]
    if writable:
        raise Failure(f"writable data in {' '.join(writable)}")


def check_model(args, name, entry, target, folder):
    source = args.models / f"{name}.onnx"
    if not source.is_file():
        raise Failure(f"{source} is missing; run test/models/materialize.py {args.models}")
    first = folder / "first"
    second = folder / "a second place, with blanks" / "deeper"
    for place in (first, second):
        place.mkdir(parents=True)
    for emit in args.emit:
        one = compile_here(args, source, entry, first, emit, target)
        two = compile_elsewhere(args, source, entry, second, emit, target)
        files = sorted(path.name for path in one.iterdir())
        if files != sorted(path.name for path in two.iterdir()):
            raise Failure(f"{emit}: wrote {files} in one folder, and other files in another")
        for file in files:
            content = read_artifact(one / file)
            if content != read_artifact(two / file):
                raise Failure(f"{emit}: {file} differs between two folders")
            if str(folder).encode() in content:
                raise Failure(f"{emit}: {file} names the folder it was made in")
        if emit == "obj":
            check_symbols(args, one / ARTIFACTS[emit], target)
            check_sections(args, one / ARTIFACTS[emit])


def main():
    spec = model_inputs.load_spec()
    parser = argparse.ArgumentParser(description="Checks what briskc writes.")
    parser.add_argument("names", metavar="NAME", nargs="+", help="models of shapes.json")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc")
    parser.add_argument("--llvm-bin", type=pathlib.Path, required=True, help="folder of llvm-nm and llvm-readelf")
    parser.add_argument("--models", type=pathlib.Path, required=True, help="folder that materialize.py filled")
    parser.add_argument("--target", action="append", help="target to compile for; may be repeated (default: host)")
    parser.add_argument("--emit", action="append", choices=ARTIFACTS,
                        help="what to write; may be repeated (default: everything)")
    args = parser.parse_args()
    args.bin, args.models = args.bin.resolve(), args.models.resolve()
    args.emit = args.emit or list(ARTIFACTS)
    unknown = sorted(set(args.names) - set(spec))
    if unknown:
        parser.error(f"no such model: {' '.join(unknown)}")

    passed = failed = 0
    for target in args.target or ["host"]:
        for name in args.names:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    check_model(args, name, spec[name], target, pathlib.Path(os.path.realpath(folder)))
                except Failure as failure:
                    failed += 1
                    print(f"FAIL  {name} for {target}: {failure}", flush=True)
                else:
                    passed += 1
                    print(f"ok    {name} for {target}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
