#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the lit tests to what docs/testing.md says of them.

  - An op stands in its family's -ops file; with a verifier in -invalid; with a folder or
    canonicalization patterns in -canonicalize.
  - A pass has a file of its name.
  - A kernel family has a file of its name, which shows what it emits.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "test"


def records(args, path, kind):
    """Every definition of a kind in a TableGen file."""
    includes = [f"-I{folder}" for folder in (ROOT / "include", *args.include)]
    result = subprocess.run([args.tblgen, "--dump-json", *includes, path], capture_output=True, text=True, check=True)
    everything = json.loads(result.stdout)
    return [everything[name] for name in everything["!instanceof"][kind] if not everything[name]["!anonymous"]]


def check_ops(args):
    kinds = {"ops": lambda op: True, "invalid": lambda op: op["hasVerifier"],
             "canonicalize": lambda op: op["hasFolder"] or op["hasCanonicalizer"] or op["hasCanonicalizeMethod"]}
    for path in sorted((ROOT / "include/brisk/Dialect").glob("*Ops.td")):
        ops = records(args, path, "Op")
        for kind, applies in kinds.items():
            file = TESTS / f"Dialect/{path.stem.removesuffix('Ops').lower()}-{kind}.mlir"
            text = file.read_text() if file.exists() else ""
            missing = [op["opName"] for op in ops if applies(op) and not re.search(rf"\bbrisk\.{op['opName']}\b", text)]
            if missing:
                yield f"{file.relative_to(ROOT)} lacks {', '.join(missing)}"


def check_passes(args):
    for path in sorted((ROOT / "include/brisk").glob("*/Passes.td")):
        for each in records(args, path, "PassBase"):
            file = TESTS / path.parent.name / f"{each['argument']}.mlir"
            if not file.exists():
                yield f"{file.relative_to(ROOT)} is missing"


def list_families(program):
    """The names in the kernel table, each of which is a unit test of `program`."""
    listing = subprocess.run([program, "--gtest_list_tests", "--gtest_filter=*/FamilyTest.*"], capture_output=True,
                             text=True, check=True).stdout
    return [line.split("/")[1].split()[0] for line in listing.splitlines() if line.startswith("  ")]


def check_kernels(args):
    for family in list_families(args.kernel_tests):
        file = TESTS / f"Kernels/{family.replace('_', '-')}.mlir"
        text = file.read_text() if file.exists() else ""
        if not re.search(rf"-LABEL: .*_kernel_\d+_{family}\b", text):
            yield f"{file.relative_to(ROOT)} does not show what {family} emits"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tblgen", required=True, help="the program llvm-tblgen")
    parser.add_argument("--include", nargs="+", default=[], help="folders of MLIR's headers")
    parser.add_argument("--kernel-tests", required=True, help="the unit tests of the kernel table")
    args = parser.parse_args()
    faults = [*check_ops(args), *check_passes(args), *check_kernels(args)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
