#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy on every source file of the build, in parallel.

A file that was found clean is not looked at again until it, a header of the
project that it includes, its command or the .clang-tidy above it changes.
"""

import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def dependencies(build):
    """The files that each object was made from, as ninja recorded them."""
    listing = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=True)
    found, current = {}, None
    for line in listing.stdout.splitlines():
        if line.startswith("    "):
            current.append(line.strip())
        elif ": #deps" in line:
            current = found.setdefault(line.split(":", 1)[0], [])
    return found


def fingerprint(entry, files, version):
    digest = hashlib.sha256(version + entry["command"].encode())
    configurations = [folder / ".clang-tidy" for folder in pathlib.Path(entry["file"]).parents]
    for name in sorted({*files, *(str(path) for path in configurations if path.exists())}):
        path = pathlib.Path(entry["directory"], name)
        if ROOT in path.parents:  # the system's headers come with the tool's version
            digest.update(name.encode() + path.read_bytes())
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang-tidy", default="clang-tidy-22", help="the program to run")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder, with everything built")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="files at a time (default: 2)")
    args = parser.parse_args()
    stamps = args.build / "tidy"
    stamps.mkdir(exist_ok=True)
    version = subprocess.run([args.clang_tidy, "--version"], capture_output=True, check=True).stdout
    recorded = dependencies(args.build)

    waiting, seen = [], set()
    for entry in json.loads((args.build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if ROOT not in path.parents or args.build.resolve() in path.parents or path in seen:
            continue
        words = entry["command"].split()
        target = words[words.index("-o") + 1]
        if target not in recorded:
            continue  # not part of the default build
        seen.add(path)
        stamp = stamps / fingerprint(entry, [entry["file"], *recorded[target]], version)
        if not stamp.exists():
            waiting.append((path, stamp))
    print(f"{len(seen)} files, {len(waiting)} to look at", flush=True)

    def look(item):
        path, stamp = item
        result = subprocess.run([args.clang_tidy, "-p", args.build, "--quiet", path], capture_output=True, text=True)
        if result.returncode == 0:
            stamp.touch()
        return path, result

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for number, (path, result) in enumerate(pool.map(look, waiting), 1):
            if result.returncode != 0:
                failed += 1
                print(f"{path.relative_to(ROOT)}:\n{result.stdout}", flush=True)
            if number % 20 == 0:
                print(f"{number}/{len(waiting)} files", flush=True)
    print(f"{len(seen) - failed} files are clean, {failed} are not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
