#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Links run_properties.c with compiled models, and runs it."""

import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))

import inputs as model_inputs


def check_model(args, name, entry, folder):
    """Returns whether the model's program was made and ended well."""
    archive = folder / "libmodel.a"
    program = folder / "run_properties"
    steps = (
        [args.bin / "briskc", args.models / f"{name}.onnx", "-o", archive, "--name", "model",
         *model_inputs.shape_flags(entry)],
        [args.llvm_bin / "clang", "-std=c11", "-O1", "-fno-builtin",
         "-I", args.runtime / "include", "-I", folder, HERE / "run_properties.c", archive,
         args.lib / "libbrisk_host.a", "-lpthread", "-ldl", "-o", program],
        [program],
    )
    for step in steps:
        result = subprocess.run([str(word) for word in step], timeout=600)
        sys.stdout.flush()
        if result.returncode != 0:
            print(f"{name}: {step[0]} ended with {result.returncode}", flush=True)
            return False
    return True


def main():
    spec = model_inputs.load_spec()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", metavar="NAME", nargs="+", choices=list(spec), help="models of shapes.json")
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc")
    parser.add_argument("--lib", type=pathlib.Path, required=True, help="folder of libbrisk_host.a")
    parser.add_argument("--llvm-bin", type=pathlib.Path, required=True, help="folder of clang")
    parser.add_argument("--runtime", type=pathlib.Path, required=True, help="folder runtime of the source tree")
    parser.add_argument("--models", type=pathlib.Path, required=True, help="folder that materialize.py filled")
    args = parser.parse_args()
    failed = 0
    for name in args.names:
        print(f"{name}:", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            failed += not check_model(args, name, spec[name], pathlib.Path(folder))
    print(f"{len(args.names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
