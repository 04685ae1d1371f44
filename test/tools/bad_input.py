#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives briskc everything that it should refuse.

Every case must end with exit code 1 and a diagnostic, leave no file behind and
leave what was at the output's place before as it was. An assertion, a signal, a
stack dump or a run past the time limit is a failure. The mutated models may
also be taken, but then the output must be there.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import bad_models

DEFECT = re.compile(r"assert|stack dump|llvm error|please submit|terminate called|unreachable|core dumped|"
                    r"sanitizer|bad_alloc|what\(\)", re.IGNORECASE)
OLD = b"what was there before"


class Case:
    """One call of briskc. flags may hold {dir}, the folder of the case; output
    is a path in it, or an absolute one."""

    def __init__(self, name, write, words=(), flags=(), output="out/libm.a", codes=(1,), old=False,
                 file_limit=None, prepare=lambda folder: None):
        self.name, self.write, self.words, self.flags = name, write, words, flags
        self.output, self.codes, self.old = output, codes, old
        self.file_limit, self.prepare = file_limit, prepare


def flag_cases():
    good = bad_models.as_file(bad_models.good())
    dynamic = bad_models.good()
    dynamic.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    dynamic = bad_models.as_file(dynamic)
    for flag, word in (
        ("--target=pdp11", "pdp11"), ("--target=", "target"), ("--emit=nothing", "nothing"),
        ("--stop-after=nothing", "nothing"), ("--no-such-flag", "no-such-flag"),
        ("--shape=x", "x"), ("--shape=", "shape"), ("--shape==1x3x8x8", "shape"),
        ("--shape=x=1x3xax8", "1x3xax8"), ("--shape=x=1x3x-8x8", "1x3x-8x8"), ("--shape=x=", "x"),
        ("--shape=x=1x3x99999999999999999999x8", "99999999999999999999"),
        ("--shape=nowhere=1x3x8x8", "nowhere"), ("--shape=x=1x3x8", "x"), ("--shape=x=2x3x8x8", "x"),
        ("--shape=x=scalar", "x"),
        ("--dim=batch", "batch"), ("--dim=batch=many", "many"), ("--dim=batch=0", "batch"),
        ("--dim=batch=-2", "-2"), ("--dim=nowhere=2", "nowhere"),
        ("--name=1st", "1st"), ("--name=a-b", "a-b"),
        ("--ram-budget=lots", "lots"), ("--ram-budget=-1", "-1"), ("--flash-budget=1.5.2", "1.5.2"),
        ("--ram-budget=16", "budget"), ("--flash-budget=16", "budget"),
    ):
        yield Case(f"flag {flag}", good, [word], [flag])
    # As of a variable of the build that is not set.
    for flag in ("target", "emit", "stop-after", "name", "report", "depfile", "ram-budget", "flash-budget", "shape", "dim"):
        yield Case(f"empty --{flag}", good, [f"--{flag}"], [f"--{flag}="])
    for size in ("64 K", "K", "0x40", "1e6", ".5M", "0.5", "64KK", "64T", "64i", "1.0000000001M", "17179869184G", "+1", "5.M"):
        yield Case(f"size {size}", good, [f"--ram-budget={size}: expected a number of bytes"], [f"--ram-budget={size}"])
    yield Case("dynamic shape left open", dynamic, ["batch"])
    yield Case("shape and dim that contradict", dynamic, ["batch"], ["--shape=x=1x3x8x8", "--dim=batch=2"])
    yield Case("two models", good, [], ["{dir}/m.onnx"])


def output_cases():
    good = bad_models.as_file(bad_models.good())
    yield Case("output in a folder that is missing", good, ["nowhere"], output="nowhere/libm.a")
    yield Case("output below a file", good, [], output="m.onnx/libm.a")
    yield Case("output that is a folder", good, [], ["--emit=obj"], output="out")
    yield Case("output that is the model", good, ["output"], ["--emit=obj"], output="m.onnx")
    yield Case("two outputs in one place", good, ["libm.a", "another output"], ["--report={dir}/out/libm.a"])
    yield Case("a device", lambda folder: "/dev/zero", ["device"])
    yield Case("output in a file system without files", good, [], output="/proc/libm.a")
    yield Case("report in a folder that is missing", good, ["nowhere"], ["--report={dir}/nowhere/r.json"])
    yield Case("report that is a folder", good, [], ["--report={dir}/out"])
    for emit in ("import", "llvm", "asm", "obj", "lib", "shared", "exe", "onnx"):
        # As on a full disk: a write fails half-way.
        yield Case(f"no room for --emit={emit}", good, [], [f"--emit={emit}"], file_limit=512)
    yield Case("no room, with an older output", good, [], file_limit=512, old=True)
    yield Case("refused, with an older output", bad_models.as_file(b"not a model"), [], old=True)
    yield Case("over budget, with an older output", good, ["budget"], ["--ram-budget=16"], old=True)


def all_cases(flips):
    yield Case("a good model", bad_models.as_file(bad_models.good()), codes=(0,))
    for family in (bad_models.not_models, bad_models.truncated, bad_models.external_data, bad_models.bad_graphs,
                   bad_models.bad_shapes, bad_models.bad_types):
        for name, write, words in family():
            yield Case(name, write, words)
    yield from flag_cases()
    yield from output_cases()
    for name, write, words in bad_models.bit_flips(flips):
        yield Case(name, write, words, codes=(0, 1))


def limits(args, case):
    def apply():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if args.memory_limit:
            resource.setrlimit(resource.RLIMIT_AS, (args.memory_limit << 20, args.memory_limit << 20))
        if case.file_limit:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (case.file_limit, case.file_limit))
    return apply


def listing(folder):
    return {path.relative_to(folder) for path in folder.rglob("*") if not path.is_symlink()}


def run_case(args, case):
    """Returns what is wrong, or None."""
    with tempfile.TemporaryDirectory(prefix="brisk-bad-") as name:
        folder = pathlib.Path(name)
        (folder / "out").mkdir()
        (folder / "tmp").mkdir()
        model = case.write(folder)
        output = folder / case.output
        if case.old:
            output.write_bytes(OLD)
        before = listing(folder)
        command = [str(args.briskc), str(model), "-o", str(output),
                   *(flag.format(dir=folder) for flag in case.flags)]
        environment = {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}
        environment |= {"PATH": "/usr/bin:/bin", "TMPDIR": str(folder / "tmp")}
        try:
            result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=args.time_limit,
                                    preexec_fn=limits(args, case), cwd=folder, env=environment)
        except subprocess.TimeoutExpired:
            return f"not done after {args.time_limit} s"
        message = result.stderr.decode(errors="replace")
        last = message.strip().splitlines()[-1][:200] if message.strip() else "nothing on stderr"
        if result.returncode not in case.codes:
            return f"exit code {result.returncode}, expected {' or '.join(map(str, case.codes))}: {last}"
        if DEFECT.search(message):
            return f"a defect's message: {DEFECT.search(message).group()} in: {last}"
        after = listing(folder)
        if result.returncode == 0:
            return None if output.exists() else "exit code 0, but no output"
        if "error" not in message:
            return f"no diagnostic: {last}"
        missing = [word for word in case.words if word.lower() not in message.lower()]
        if missing:
            return f"the diagnostics do not name {', '.join(missing)}: {last}"
        if after != before:
            return f"left behind or taken away: {', '.join(map(str, sorted(after ^ before)))}"
        if case.old and output.read_bytes() != OLD:
            return "the older output was touched"
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--briskc", type=pathlib.Path, required=True, help="the compiler")
    parser.add_argument("--flips", type=int, default=300, help="models with flipped bits (default: 300)")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for one case (default: 60)")
    parser.add_argument("--memory-limit", type=int, default=8192,
                        help="megabytes of address space for one case, 0: no limit (default: 8192)")
    parser.add_argument("--filter", help="run only the cases whose name matches")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="cases at a time (default: 2)")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every case")
    args = parser.parse_args()
    args.briskc = args.briskc.resolve()
    cases = [case for case in all_cases(args.flips) if not args.filter or re.search(args.filter, case.name)]
    if not cases:
        parser.error("--filter matches no case")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for number, (case, fault) in enumerate(zip(cases, pool.map(lambda case: run_case(args, case), cases)), 1):
            if fault:
                failed += 1
                print(f"FAIL  {case.name}: {fault}", flush=True)
            elif args.verbose:
                print(f"ok    {case.name}", flush=True)
            if number % 100 == 0:
                print(f"{number}/{len(cases)} cases", flush=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
