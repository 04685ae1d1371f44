#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives a model names that C, C++, their headers and Brisk's runtime use themselves. What briskc takes must work: C and C++
compilers are the judges, on one program with all of these models in it. What it refuses must have a remedy that works."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MODEL = pathlib.Path(__file__).resolve().parent / "Inputs" / "dense.onnxtxt"

TAKEN = [
    # Keywords of C and C++, alternative tokens, and names with a meaning.
    "int", "class", "main", "template", "register", "operator", "inline", "restrict", "bool", "and", "xor", "std",
    "printf", "malloc", "memcpy", "abort", "exit", "free", "f", "x",
    # Macros of the standard headers and of compilers.
    "INFINITY", "NULL", "EOF", "NAN", "I", "assert_true", "INT_MAX", "uint8_t", "size_t", "linux", "unix", "i386",
    "CHAR_BIT", "DBL_MAX", "stdin", "FILE", "NAME",
    "model", "run", "input", "input_0", "weights", "task", "MixedCase", "n" * 128]
REFUSED = [
    "9lives", "a-b", "a.b", "a b", "na\u00efve",  # no identifiers
    "_x", "_X", "x_", "a__b", "__x", "_", "__cplusplus",  # the compiler's
    "brisk", "Brisk", "BRISK", "brisk_model", "brisk_library", "BRISK_OK", "brisk_x",  # the runtime's
    "time", "errno", "stdint", "string", "math", "Math", "float", "signal", "threads", "pthread", "search",  # headers
    "n" * 129]
HEADERS = ["assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h", "limits.h", "locale.h",
           "math.h", "setjmp.h", "signal.h", "stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h",
           "string.h", "time.h", "wchar.h", "wctype.h", "pthread.h", "unistd.h", "brisk/model.h", "brisk/host.h",
           "brisk/histogram.h", "brisk/trace.h"]


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


class Check:
    def __init__(self, args, folder):
        self.args, self.folder, self.failed = args, folder, 0
        self.out = folder / "out"
        self.out.mkdir()

    def fail(self, what, result):
        self.failed += 1
        print(f"FAIL  {what}: exit code {result.returncode}\n{result.stdout}{result.stderr}")

    def compile(self, *flags):
        return run(self.args.bin / "briskc", *flags, "--dim", "n=1", "--target=x86-64-v2")

    def take(self, name, folder=None):
        result = self.compile(MODEL, "-o", f"{folder or self.folder}/lib{name}.a", f"--name={name}")
        if result.returncode:
            self.fail(name, result)

    def refuse(self, name):
        result = self.compile(MODEL, "-o", self.folder / "libno.a", f"--name={name}")
        remedy = re.search(r"use another --name, like (\S+)", result.stderr)
        if result.returncode != 1 or not remedy or (self.folder / "libno.a").exists():
            self.fail(f"{name} is not refused as it should be", result)
        else:
            self.take(remedy.group(1), self.out)

    def adapt(self, name):
        """A model's file may be called anything."""
        source = self.folder / f"{name}.onnxtxt"
        source.write_text(MODEL.read_text())
        result = self.compile(source, "-o", self.out)
        if result.returncode:
            self.fail(f"{source.name}", result)

    def build(self):
        """One program in C and one in C++ with all headers, those of the system before and behind them."""
        names = sorted(path.stem[3:] for path in self.folder.glob("lib*.a"))
        system = "".join(f"#include <{header}>\n" for header in HEADERS)
        models = "".join(f'#include "{name}.h"\n' for name in names)
        calls = "".join(f"  status += {name}_run(0, 0, 0, 0) == BRISK_ERROR_NULL && {name}_model.abi_version;\n"
                        f"  {{ {name}_input_0_t value[{name.upper()}_INPUT_0_ELEMENTS]; (void)value; }}\n"
                        for name in names)
        text = f"int main(void) {{\n  unsigned status = 0;\n{calls}  return status == {len(names)} ? 0 : 1;\n}}\n"
        libraries = [self.folder / f"lib{name}.a" for name in names]
        for order, source in (("before", system + models + text), ("behind", models + system + text)):
            for compiler, standard, extension in (("gcc", "c11", "c"), ("clang-22", "c11", "c"), ("gcc", "gnu17", "c"),
                                                  ("clang++-22", "c++17", "cc"), ("g++", "c++17", "cc")):
                if compiler == "g++" and not shutil.which(compiler):
                    continue
                path = self.folder / f"main.{extension}"
                path.write_text(source)
                program = self.folder / "main"
                result = run(compiler, f"-std={standard}", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-pedantic",
                             "-Werror", path, *libraries, "-I", self.folder, "-I", self.args.runtime / "include",
                             "-o", program)
                if result.returncode == 0:
                    result = run(program)
                if result.returncode:
                    self.fail(f"{compiler} -std={standard}, system headers {order}", result)

    def differ_in_case(self):
        source = self.folder / "case.c"
        source.write_text('#include "MixedCase.h"\n#include "mixedcase.h"\n')
        (self.folder / "mixedcase.h").write_text(
            (self.folder / "MixedCase.h").read_text().replace("MixedCase", "mixedcase"))
        result = run("gcc", "-fsyntax-only", source, "-I", self.folder, "-I", self.args.runtime / "include")
        if result.returncode == 0 or "has the name 'mixedcase' but for its case" not in result.stderr:
            self.fail("two models whose names differ in case alone", result)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--runtime", type=pathlib.Path, required=True, help="the runtime's source folder")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        check = Check(args, pathlib.Path(folder))
        for name in TAKEN:
            check.take(name)
        for name in REFUSED:
            check.refuse(name)
        for name in ("brisk", "time", "int", "9", "_", "a--b", "-", "model.v1", "brisk_host", "l" * 200):
            check.adapt(name)
        check.build()
        check.differ_in_case()
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
