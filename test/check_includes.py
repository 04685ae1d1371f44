#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds includes that are missing but for the precompiled headers.

A build with precompiled headers compiles files that name something of theirs and
include nothing that declares it; a build without them would not. So each file that
is compiled with them has to reach, from its own includes, the header of what it
names. Conditions of the preprocessor are not looked at.
"""

import argparse
import functools
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What says that a file uses a header that is precompiled, or that one of those includes.
USES = {
    "llvm/ADT/DenseMap.h": r"\bDenseMap<",
    "llvm/ADT/DenseSet.h": r"\bDenseSet<",
    "llvm/ADT/STLExtras.h": r"\bllvm::(zip(_equal)?|enumerate|any_of|all_of|seq|map_range|make_filter_range)\(",
    "llvm/ADT/SmallVector.h": r"\bSmallVector\b",
    "llvm/ADT/StringMap.h": r"\bStringMap\b",
    "llvm/ADT/TypeSwitch.h": r"\bTypeSwitch<",
    "mlir/Dialect/Arith/IR/Arith.h": r"\barith::",
    "mlir/Dialect/Func/IR/FuncOps.h": r"\bfunc::",
    "mlir/Dialect/Math/IR/Math.h": r"\bmath::",
    "mlir/Dialect/MemRef/IR/MemRef.h": r"\bmemref::",
    "mlir/Dialect/SCF/IR/SCF.h": r"\bscf::",
    "mlir/Dialect/Tensor/IR/Tensor.h": r"\btensor::",
    "mlir/Dialect/Vector/IR/VectorOps.h": r"\bvector::",
    "mlir/IR/AffineMap.h": r"\bAffineMap::",
    "mlir/IR/Builders.h": r"\bOpBuilder \w",
    "mlir/IR/BuiltinTypes.h": r"\bRankedTensorType::",
    "mlir/IR/Matchers.h": r"\bmatchPattern\(",
    "mlir/IR/PatternMatch.h": r"\b(OpRewritePattern|RewritePatternSet|IRRewriter)\b",
    "mlir/Pass/Pass.h": r"\b(OperationPass|PassWrapper)<",
    "mlir/Transforms/GreedyPatternRewriteDriver.h": r"\bapplyPatternsGreedily\(",
}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)


@functools.cache
def read(path):
    """A file's text, less its comments, and the names that it includes."""
    text = path.read_text(errors="replace")
    return COMMENT.sub("", text), INCLUDE.findall(text)


def included(file, folders):
    """Every header of the folders that a file reaches, as includes name it."""
    names, waiting = set(), list(read(file)[1])
    while waiting:
        name = waiting.pop()
        if name in names:
            continue
        names.add(name)
        found = find(name, (file.parent, *folders))
        if found:
            waiting += read(found)[1]
    return names


@functools.cache
def find(name, folders):
    return next((path for folder in folders if (path := folder / name).is_file()), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder, with everything built")
    args = parser.parse_args()
    looked_at = failed = 0
    for entry in json.loads((args.build / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["file"])
        if "-include-pch" not in entry["command"] or args.build.resolve() in file.parents:
            continue
        looked_at += 1
        folders = tuple(pathlib.Path(folder) for folder in re.findall(r"-(?:I|isystem) ?(\S+)", entry["command"]))
        names = included(file, folders)
        for header, use in USES.items():
            used = re.search(use, read(file)[0])
            if used and header not in names:
                failed += 1
                print(f"{file.relative_to(ROOT)} names `{used.group()}` and does not include <{header}>")
    print(f"{looked_at} files are compiled with precompiled headers; {failed} includes are missing")
    return 1 if failed or not looked_at else 0


if __name__ == "__main__":
    sys.exit(main())
