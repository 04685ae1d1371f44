#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every tracked C and C++ file is formatted and carries the licence."""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
FORMATTED = ("*.c", "*.h", "*.cpp", "*.h.in", "*.c.in")
LICENSED = FORMATTED + ("*.td", "*.pdll", "*.py", "*.sh")


def tracked(patterns):
    listing = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z", "--", *patterns],
                             capture_output=True, text=True, check=True)
    return [ROOT / name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang-format", default="clang-format-22", help="the formatter to ask")
    args = parser.parse_args()

    sources = tracked(FORMATTED)
    wrong = subprocess.run([args.clang_format, "--dry-run", "-Werror", *map(str, sources)]).returncode != 0
    if wrong:
        print(f"run {args.clang_format} -i on the files above", file=sys.stderr)
    for path in tracked(LICENSED):
        if LICENCE not in path.read_text(errors="replace")[:2000]:
            print(f"{path.relative_to(ROOT)}: no licence header", file=sys.stderr)
            wrong = True
    print(f"{len(sources)} C and C++ files looked at")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
