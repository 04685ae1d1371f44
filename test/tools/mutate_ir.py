#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives brisk-opt the IR of the lit tests with something changed, which must never crash it.

Every module of every .mlir file, and what the file's own passes make of it, is a
seed. A mutant is a seed with some tokens or lines deleted, repeated, swapped or
replaced: numbers by extremes, types and attributes by those of other seeds, a
type, a size or a name in one place or everywhere. It goes through the passes of
its file, those of another one, or all stages. A diagnostic is what should come
of it, or IR; an assertion, a signal, a run past the time limit or one that takes
too much memory is a failure, which is cut down to few lines before it is printed.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import time

from ir_mutations import TOKEN, Mutator, wrong_fields

QUICK = {"LLVM_DISABLE_SYMBOLIZATION": "1"}
# Instead of a limit of addresses, of which sanitizers take terabytes; and how a run ends that meets it.
RESIDENT_LIMIT = "hard_rss_limit_mb=2048"
TOO_LARGE = "hard rss limit exhausted"
TESTS = pathlib.Path(__file__).resolve().parent.parent
SEPARATOR = "\n// -----\n"
TARGETS = ["host", "x86-64-v2", "x86-64-v3", "x86-64-v4", "cascadelake", "cooperlake", "alderlake", "sapphirerapids",
           "graniterapids", "aarch64", "cortex-a76", "neoverse-v1", "riscv64", "riscv64gcv", "cortex-m4"]
STAGES = ["shapes", "processing", "quantize", "graph", "layout", "fuse", "select", "plan", "kernels", "codegen"]
DEFECT = re.compile(r"Assertion [`'](.*?)' failed|LLVM ERROR: (.*)|runtime error: (.*)|AddressSanitizer: ([\w-]+)|"
                    r"UNREACHABLE|terminate called|stack dump", re.IGNORECASE)


class Seed:
    """A module, and the flags of brisk-opt that its file runs."""

    def __init__(self, name, text, flags):
        self.name, self.text, self.flags = name, text, flags


def run_lines(text):
    """The flags of each call of brisk-opt in a file's RUN lines that others can be given to as well."""
    text = re.sub(r"\\\n//\s*RUN:\s*", "", text)
    for call in re.findall(r"^// RUN:.*?\bbrisk-opt %s([^|\n]*)", text, re.MULTILINE):
        flags = shlex.split(re.sub(r"2>&1|-o \S+|> ?\S+", "", call))
        yield [flag for flag in flags if not re.match(r"--?(split-input-file|verify-diagnostics|verify-roundtrip)", flag)]


def pieces(text):
    """The modules of a file, and its functions one by one."""
    for chunk in re.split(r"^// -----.*$", text, flags=re.MULTILINE):
        chunk = "\n".join(line for line in chunk.splitlines() if not line.lstrip().startswith("//"))
        if not chunk.strip():
            continue
        functions = re.findall(r"^func\.func .*?^}$", chunk, re.MULTILINE | re.DOTALL)
        rest = re.sub(r"^func\.func .*?^}$", "", chunk, flags=re.MULTILINE | re.DOTALL).strip()
        yield from functions if len(functions) > 1 and not rest else [chunk.strip()]


def call(args, flags, text, seconds, symbols=False):
    """What brisk-opt makes of text: exit code, or the name of the limit it met, output and messages."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if args.memory_limit:
            resource.setrlimit(resource.RLIMIT_AS, (args.memory_limit << 20, args.memory_limit << 20))

    command = [args.brisk_opt, "--mlir-disable-threading", "--split-input-file", *flags]
    variables = os.environ | ({} if symbols else QUICK)
    if not args.memory_limit:
        variables["ASAN_OPTIONS"] = ":".join(filter(None, [variables.get("ASAN_OPTIONS"), RESIDENT_LIMIT]))
    try:
        result = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace",
                                timeout=seconds, preexec_fn=limit, env=variables)
    except subprocess.TimeoutExpired:
        return "hang", "", f"not done after {seconds} s"
    return result.returncode, result.stdout, result.stderr


def read_seeds(args):
    """Every module under test/, and what its file's passes make of it."""
    def read(path):
        text = path.read_text()
        name, modules, lists = str(path.relative_to(TESTS)), list(pieces(text)), list(run_lines(text)) or [[]]
        found = [Seed(name, module, flags) for module in modules for flags in lists]
        for flags in lists:
            # Nothing is printed if one of the modules is refused.
            code, out, _ = call(args, flags, SEPARATOR.join(modules), args.time_limit)
            if flags and code == 0:
                found += [Seed(f"{name} after {shlex.join(flags)}", module.strip(), []) for module in out.split(SEPARATOR)]
        return [seed for seed in found if len(seed.text) < 20000]

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        return [seed for found in pool.map(read, sorted(TESTS.rglob("*.mlir"))) for seed in found]


def list_flags(mutator, seeds):
    """The flags for a batch of mutants, and the seeds to make them of."""
    choice = mutator.random.random()
    seed = mutator.random.choice(seeds)
    if choice < 0.4:
        same = [other for other in seeds if other.flags == seed.flags]
        return seed.flags, same
    if choice < 0.55:
        return seed.flags, seeds
    target = mutator.random.choice(TARGETS)
    first = mutator.random.randrange(len(STAGES))
    last = mutator.random.choice([len(STAGES), mutator.random.randint(first + 1, len(STAGES))])
    flags = [f"--set-target={target}", *(f"--brisk-{stage}" for stage in STAGES[first:last])]
    return flags, seeds


def kind_of(code, message):
    """What tells one failure from another: how it ends, and the assertion."""
    match = DEFECT.search(message)
    return f"ends with {code}" + (f": {next(filter(None, match.groups()), match.group())}" if match else "")


def stack_of(message):
    """Functions of ours on the stack, innermost first, or of anyone."""
    ours = re.findall(r"brisk::(?:\(anonymous namespace\)::)?([\w:~]+)\(", message)
    return " < ".join(list(dict.fromkeys(ours))[:3] or re.findall(r"0x\w+ ([\w:~<>]+)\(", message)[2:6])


def is_failure(code, message):
    return TOO_LARGE not in message and (code not in (0, 1) or DEFECT.search(message) is not None)


def shrink(args, flags, text, wanted, deadline):
    """A shorter text that fails in the same way: without lines, then without tokens."""
    def fails(candidate):
        code, _, message = call(args, flags, candidate, args.time_limit)
        return is_failure(code, message) and kind_of(code, message) == wanted

    for split, join in ((lambda t: t.split("\n"), "\n".join), (TOKEN.findall, "".join)):
        parts = split(text)
        size = max(len(parts) // 2, 1)
        while time.monotonic() < deadline:
            i, before = 0, len(parts)
            while i < len(parts) and time.monotonic() < deadline:
                shorter = parts[:i] + parts[i + size:]
                if fails(join(shorter)):
                    parts = shorter
                else:
                    i += size
            if size > 1:
                size //= 2
            elif len(parts) == before:
                break
        text = join(parts)
    for i in range(len(flags), -1, -1):
        fewer = flags[:i] + flags[i + 1:]
        code, _, message = call(args, fewer, text, args.time_limit)
        if is_failure(code, message) and kind_of(code, message) == wanted:
            flags = fewer
    return flags, text


def try_batch(args, flags, mutants):
    """Failures among the mutants, as (mutant, exit code, message)."""
    text = SEPARATOR.join(mutants)
    code, _, message = call(args, flags, text, args.time_limit + len(mutants) / 4)
    if not is_failure(code, message) and (TOO_LARGE not in message or len(mutants) == 1):
        return [], message.count(": error: ")
    if len(mutants) == 1:
        return [(mutants[0], code, message)], 0
    half = len(mutants) // 2
    (first, a), (second, b) = try_batch(args, flags, mutants[:half]), try_batch(args, flags, mutants[half:])
    return first + second, a + b


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brisk-opt", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--count", type=int, default=2000, help="mutants made at random (default: 2000)")
    parser.add_argument("--seconds", type=float, help="make mutants for this long, in place of --count")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (default: 1)")
    parser.add_argument("--filter", default="", help="only files whose path matches")
    parser.add_argument("--batch", type=int, default=32, help="mutants that one process gets (default: 32)")
    parser.add_argument("--time-limit", type=float, default=20, help="seconds for one mutant (default: 20)")
    parser.add_argument("--memory-limit", type=int, default=4096,
                        help="megabytes of address space for one process, 0: no limit (default: 4096)")
    parser.add_argument("--shrink", type=float, default=60, help="seconds to cut a failure down (default: 60)")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the failures")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="processes at a time (default: 2)")
    args = parser.parse_args()
    args.brisk_opt = args.brisk_opt.resolve()
    seeds = [seed for seed in read_seeds(args) if re.search(args.filter, seed.name)]
    mutator, start = Mutator(seeds, args.seed), time.monotonic()
    known, made, errors = {}, 0, 0

    def batches():
        made, fields = 0, list(wrong_fields(seeds))
        for flags in (["plan", "kernels", "codegen"], ["kernels", "codegen"]):
            for i in range(0, len(fields), args.batch):
                yield [f"--brisk-{stage}" for stage in flags], fields[i:i + args.batch]
        while (time.monotonic() - start < args.seconds) if args.seconds else made < args.count:
            flags, among = list_flags(mutator, seeds)
            yield flags, [mutator.mutate(mutator.random.choice(among).text) for _ in range(args.batch)]
            made += args.batch

    def look(batch):
        flags, mutants = batch
        return flags, mutants, *try_batch(args, flags, mutants)

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        waiting, source = [], batches()
        while True:
            while len(waiting) < 2 * args.jobs and (batch := next(source, None)):
                waiting.append(pool.submit(look, batch))
            if not waiting:
                break
            flags, mutants, failures, count = waiting.pop(0).result()
            made, errors = made + len(mutants), errors + count
            for text, code, message in failures:
                kind = kind_of(code, message)
                message = call(args, flags, text, args.time_limit, symbols=True)[2]
                stack = stack_of(message)
                known[kind, stack] = known.get((kind, stack), 0) + 1
                if known[kind, stack] > 1:
                    continue
                if args.shrink:
                    flags, text = shrink(args, flags, text, kind, time.monotonic() + args.shrink)
                print(f"FAIL  {kind} in {stack}\n      brisk-opt {shlex.join(flags)}\n{text}\n", flush=True)
                if args.keep:
                    args.keep.mkdir(parents=True, exist_ok=True)
                    path = args.keep / f"{len(known):03}.mlir"
                    path.write_text(f"// RUN: brisk-opt %s {shlex.join(flags)}\n// {kind} in {stack}\n{text}\n")
                    path.with_suffix(".log").write_text(message)
    print(f"{made} mutants of {len(seeds)} modules, {errors} diagnostics, {len(known)} kinds of failures, "
          f"in {sum(known.values())}")
    return 1 if known else 0


if __name__ == "__main__":
    sys.exit(main())
