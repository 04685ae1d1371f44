#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs clang-tidy on every source file of the build, in parallel.

Reading the headers of LLVM takes ten times as long as a file of the project, so
files of one folder that are compiled alike are looked at together, as one that
includes them: as many as define no name twice. Those that do not compile behind the
others after all are looked at after them.

A file that was found clean is not looked at again until it, a header of the
project that it includes, its command or the .clang-tidy above it changes.
"""

import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What two files that are looked at together must not both define: functions, classes and
# variables that begin a line, and macros.
DEFINED = re.compile(
    r"^(?:template\b[^\n]*\n)?(?:static|constexpr|inline)\b[^;{=()]*?(\w+)\s*[({=;\[]"
    r"|^(?:struct|class|union|enum|enum class)\s+(\w+)[^;{]*\{"
    r"|^using\s+(\w+)\s*=|^#define\s+(\w+)"
    r"|^(?:TEST|TEST_P|TEST_F)\((\w+)", re.MULTILINE)
# Every file's own, undefined by what it includes.
SHARED = re.compile(r"GEN_PASS_\w+|GET_\w+|DEBUG_TYPE")
TOGETHER = 16


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


def get_flags(entry):
    """How a file is compiled, less its names and the precompiled headers, which are slower to go through than to read."""
    words, flags = iter(shlex.split(entry["command"])[1:]), []
    for word in words:
        if word in ("-o", "-c"):
            next(words)
        elif word == "-Xclang":
            flags += ["-Xclang", next(words)]
        elif word != "-Winvalid-pch":
            flags.append(word)
    text = shlex.join(flags)
    return tuple(shlex.split(re.sub(r"-Xclang -include(-pch)? -Xclang \S+", "", text).replace("-Xclang -fno-pch-timestamp", "")))


def fingerprint(path, flags, files, version):
    digest = hashlib.sha256(version + repr(flags).encode())
    configurations = [folder / ".clang-tidy" for folder in path.parents]
    for name in sorted({str(path), *files, *(str(each) for each in configurations if each.exists())}):
        file = pathlib.Path(name)
        if ROOT in file.parents:  # the system's headers come with the tool's version
            digest.update(name.encode() + file.read_bytes())
    return digest.hexdigest()


class Batch:
    """Files that are looked at together."""

    def __init__(self):
        self.paths, self.stamps, self.names = [], [], set()

    def takes(self, names):
        return len(self.paths) < TOGETHER and not names & self.names

    def add(self, path, stamp, names):
        self.paths.append(path)
        self.stamps.append(stamp)
        self.names |= names


def make_batches(waiting):
    """`waiting` are a path, its flags and its stamp each. Gives flags and a batch each."""
    groups = {}
    for path, flags, stamp in waiting:
        key = (path.parent, path.suffix, flags)
        text = path.read_text(errors="replace")
        names = {name for found in DEFINED.findall(text) for name in found if name and not SHARED.fullmatch(name)}
        batches = groups.setdefault(key, [])
        batch = next((each for each in batches if each.takes(names)), None)
        if batch is None:
            batches.append(batch := Batch())
        batch.add(path, stamp, names)
    return [(flags, batch) for (_, _, flags), batches in groups.items() for batch in batches]


def look(args, number, flags, paths):
    """Runs clang-tidy on files together."""
    file = paths[0]
    if len(paths) > 1:
        file = args.build / f"tidy/together-{number}{paths[0].suffix}"
        file.write_text("".join(f'#include "{path}"\n' for path in paths))
    # What is included counts as a header; the order of includes is clang-format's to see to.
    return subprocess.run([args.clang_tidy, "--quiet", "--checks=-llvm-include-order",
                           r"--header-filter=(include/brisk|lib|runtime)/.*|\.(c|cpp)$", file, "--", *flags],
                          cwd=args.build, capture_output=True, text=True)


def look_at(args, number, flags, paths):
    """Looks at files together. Those that do not compile behind the others are looked at after them, together again."""
    results = []
    while paths:
        result = look(args, number, flags, paths)
        foreign = {path for path in paths[1:]
                   if re.search(rf"^{re.escape(str(path))}:.*\[clang-diagnostic-error", result.stdout, re.MULTILINE)}
        if not foreign and "[clang-diagnostic-error" in result.stdout:
            foreign = set(paths[1:])  # a header of theirs, perhaps
        paths, left = [path for path in paths if path not in foreign], [path for path in paths if path in foreign]
        if left:
            results += look_at(args, number, flags, paths)
        else:
            results.append((paths, result))
        paths = left
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang-tidy", default="clang-tidy-22", help="the program to run")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder, with everything built")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="files at a time (default: 2)")
    args = parser.parse_args()
    args.build = args.build.resolve()
    stamps = args.build / "tidy"
    stamps.mkdir(exist_ok=True)
    version = subprocess.run([args.clang_tidy, "--version"], capture_output=True, check=True).stdout
    recorded = dependencies(args.build)

    waiting, seen = [], set()
    for entry in json.loads((args.build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if ROOT not in path.parents or args.build in path.parents or path in seen:
            continue
        words = entry["command"].split()
        target = words[words.index("-o") + 1]
        if target not in recorded:
            continue  # not part of the default build
        seen.add(path)
        flags = get_flags(entry)
        files = [pathlib.Path(entry["directory"], name) for name in recorded[target]]
        stamp = stamps / fingerprint(path, flags, map(str, files), version)
        if not stamp.exists():
            waiting.append((path, flags, stamp))
    batches = make_batches(waiting)
    print(f"{len(seen)} files, {len(waiting)} to look at, in {len(batches)} runs", flush=True)

    def run(item):
        number, (flags, batch) = item
        stamps = dict(zip(batch.paths, batch.stamps))
        results = look_at(args, number, flags, batch.paths)
        for paths, result in results:
            for path in paths if result.returncode == 0 else []:
                stamps[path].touch()
        return results

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for number, results in enumerate(pool.map(run, enumerate(batches)), 1):
            for paths, result in results:
                if result.returncode != 0:
                    failed += 1
                    print(f"{', '.join(path.name for path in paths)}:\n{result.stdout}", flush=True)
            if number % 10 == 0:
                print(f"{number}/{len(batches)} runs", flush=True)
    print(f"{len(seen)} files, {failed} runs found faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
