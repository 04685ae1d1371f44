#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares Brisk with other evaluators on random graphs of many ops.

--kind exported: as exporters write them, mostly float32, held to ONNX Runtime
without optimisations (graphs/exported_case.py). --kind typed: a few nodes of any
element types and ranks, with NaN, infinities and empty dimensions, held to ONNX's
reference evaluator and ONNX Runtime (graphs/typed_case.py); each is compiled once
more with its inputs as constants, and many share one model.

briskc compiles for a target drawn by chance (--every-target: for each). What it
makes runs twice, in memory that held something else, between fences, the second
time with its tasks in pieces and out of order: both runs must give the same bytes.
--compile-for names targets that do not run here: what the host does not refuse
must compile for them.

A graph that fails is cut down for as long as it fails in the same way. Of
graph N, --keep DIR keeps N.onnx and N.npz (its inputs) as they were made, and
N-small.onnx and N-small.npz. `--seed N --count 1` makes graph N again, and
`--model FILE.onnx` checks a kept one with the inputs beside it.
"""

import argparse
import collections
import pathlib
import re
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "graphs"), str(HERE.parent / "models")]

import numpy as np
import onnx
from onnx import helper

from compiled_model import Failure, compile_for, run_model
from exported_case import ExportedCase
from graph_builder import Reject
from shrinking import minimise
from typed_case import TOGETHER, TypedCase, apart, merged


class Check:
    """One way to check a case: on a target that runs, or by compiling for one that does not."""

    def __init__(self, args, folder, target, runs=True):
        self.args, self.folder, self.target, self.runs = args, folder, target, runs

    def outputs(self, model, inputs):
        if self.runs:
            return run_model(self.args, model, inputs, self.target, self.folder)
        compile_for(self.args, model, self.target, self.folder, "obj").unlink()
        return None

    def __call__(self, case):
        """The Failure of a case, or None."""
        try:
            actual = self.outputs(case.model, case.inputs)
            if self.runs:
                case.compare(actual)
        except Failure as failure:
            if failure.kind == "refusal" and not self.runs and self.is_refused_here(case):
                return None
            return failure
        return None

    def is_refused_here(self, case):
        try:
            compile_for(self.args, case.model, "host", self.folder, "obj").unlink()
        except Failure as failure:
            return failure.kind == "refusal"
        return False

    def together(self, cases):
        """The failures of cases, or None of each, from one model of all if that is possible."""
        if len(cases) == 1:
            return [self(cases[0])]
        try:
            actual = self.outputs(*merged(cases))
        except Failure:
            half = len(cases) // 2
            return self.together(cases[:half]) + self.together(cases[half:])
        failures = [None] * len(cases)
        for i, outputs in enumerate(apart(actual, len(cases)) if self.runs else []):
            try:
                cases[i].compare(outputs)
            except Failure as failure:
                failures[i] = failure
        return failures


class Session:
    """What is to be checked, and how it went."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.targets = args.target or find_targets()
        self.counts, self.disputes, self.made = collections.Counter(), collections.Counter(), 0

    def checks(self, random):
        """The checks of a graph or of several together."""
        drawn = self.targets if self.args.every_target else [self.targets[random.integers(len(self.targets))]]
        return [Check(self.args, self.folder, target) for target in drawn] + [
            Check(self.args, self.folder, target, False) for target in self.args.compile_for]

    def report(self, seed, check, case, failure):
        self.counts[failure.kind] += 1
        print(f"graph {seed} for {check.target} fails: {failure}", flush=True)
        if self.args.keep:
            keep(self.args.keep, str(seed), case.model, case.inputs)
        if self.args.minimise_seconds:
            case, failure = minimise(case, failure, check, self.args.minimise_seconds)
            print(f"{describe(case.model)}\n      {failure}", flush=True)
            if self.args.keep:
                keep(self.args.keep, f"{seed}-small", case.model, case.inputs)

    def exported(self, seeds):
        for seed in seeds:
            random = np.random.default_rng(seed)
            try:
                case = ExportedCase.make(seed, self.args.nodes or 25)
            except Reject as reason:
                print(f"graph {seed} is left out: {reason}", flush=True)
                continue
            self.made += 1
            for check in self.checks(random):
                if failure := check(case):
                    self.report(seed, check, case, failure)
                    break

    def typed(self, seeds):
        cases = [TypedCase.make(seed, self.args.nodes or 6, self.disputes) for seed in seeds]
        self.made += len(cases)
        random = np.random.default_rng(seeds[0])
        cases += [case.folded(random) for case in cases]
        failed = set()
        for check in self.checks(random):
            for i, failure in enumerate(check.together(cases)):
                seed = seeds[i % len(seeds)]
                if failure and seed not in failed:  # once is enough
                    failed.add(seed)
                    self.report(seed, check, cases[i], failure)

    def run(self):
        """Whether nothing failed."""
        start, end = time.monotonic(), self.args.seed + self.args.count
        seed = self.args.seed
        while seed < end and time.monotonic() - start < self.args.seconds:
            following = min(end, seed + 1 if self.args.kind == "exported" else (seed // TOGETHER + 1) * TOGETHER)
            getattr(self, self.args.kind)(range(seed, following))
            seed = following
        kinds = "".join(f", {count} {kind}" for kind, count in self.counts.most_common())
        print(f"{self.made} graphs in {time.monotonic() - start:.0f} s, {sum(self.counts.values())} failed{kinds}")
        for text, count in self.disputes.most_common():
            print(f"  left out {count} times: {text}")
        return not self.counts


def keep(folder, name, model, inputs):
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, folder / f"{name}.onnx")
    np.savez(folder / f"{name}.npz", **inputs)


def load(path):
    """A kept model and its inputs; NumPy's files do not know bfloat16."""
    model, stored = onnx.load(path), np.load(path.with_suffix(".npz"))
    types = {value.name: helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type) for value in model.graph.input}
    return model, {name: value.view(types[name]) for name, value in stored.items()}


def describe(model):
    """A model as lines of text."""
    text = onnx.printer.to_text(model.graph)
    return "\n".join(f"      {line[:200]}" for line in text.splitlines())


def find_targets():
    flags = re.search("^flags.*", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)[0].split()
    needs = {"host": "sse2", "x86-64-v2": "sse4_2", "x86-64-v3": "avx2", "x86-64-v4": "avx512vl"}
    return [target for target, flag in needs.items() if flag in flags]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of briskc")
    parser.add_argument("--kind", choices=("exported", "typed"), default="exported", help="of graphs (default: exported)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first graph; others follow (default: 0)")
    parser.add_argument("--count", type=int, default=100, help="graphs to make (default: 100)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="make no more graphs after this time")
    parser.add_argument("--nodes", type=int, help="most nodes of a graph, roughly (default: 25 exported, 6 typed)")
    parser.add_argument("--target", action="append", help="target to draw; may be repeated (default: all that run)")
    parser.add_argument("--every-target", action="store_true", help="run each graph on every target, not on one drawn")
    parser.add_argument("--compile-for", action="append", default=[], metavar="TARGET",
                        help="compile each graph for this target as well; may be repeated")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR", help="folder for graphs that fail")
    parser.add_argument("--model", type=pathlib.Path, help="check this exported one and make no graphs")
    parser.add_argument("--minimise-seconds", type=float, default=120, help="for one graph that fails; 0: leave it")
    args = parser.parse_args()
    args.bin = args.bin.resolve()
    np.seterr(all="ignore")
    with tempfile.TemporaryDirectory() as folder:
        session = Session(args, pathlib.Path(folder))
        if not args.model:
            return 0 if session.run() else 1
        case = ExportedCase(*load(args.model))
        failures = {target: Check(args, session.folder, target)(case) for target in session.targets}
        for target, failure in failures.items():
            print(f"{args.model.name} for {target}: {failure or 'ok'}")
        return 1 if any(failures.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
