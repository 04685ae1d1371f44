# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs that the package carries: briskc, brisk-opt, brisk-run, brisk-bench."""

import os
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "bin"


def find(name):
    """The path of one of the programs."""
    return str(FOLDER / name)


def environment():
    """The environment that they run in: one that has the linker they run."""
    path = os.environ.get("PATH")
    return {**os.environ, "PATH": str(FOLDER) + (os.pathsep + path if path else "")}


def _become(name):
    os.execve(find(name), [name, *sys.argv[1:]], environment())


def briskc():
    _become("briskc")


def brisk_opt():
    _become("brisk-opt")


def brisk_run():
    _become("brisk-run")


def brisk_bench():
    _become("brisk-bench")
