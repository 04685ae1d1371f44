#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures Brisk side by side with ONNX Runtime and OpenVINO.

All engines run in one process, on the same inputs and the same pinned cores, in
turns: each round gives every engine some warm-up and then its share of time. A
round's figure is its median (P50), an engine's figure its best round. Outputs
are compared in the same run. Timings of one machine mean little elsewhere; the
ratios of one run do: best peer / Brisk, above 1 where Brisk is the fastest.

With --int8 the models are quantized first, by ONNX Runtime's quantizer. Their
outputs are held against the graph as it is written, which ONNX Runtime evaluates in
floats when it optimizes nothing: Brisk may be off by as much as the nearer peer,
and one dB.

The peers come from PyPI into a virtual environment in the build folder, which
is made on the first run.
"""

import argparse
import hashlib
import json
import math
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "benchmarks" / "requirements.txt"
INSIDE = "BRISK_COMPARE_INSIDE"


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", nargs="+", metavar="NAME",
                        help="models of shapes.json (default: all that are not test_only)")
    parser.add_argument("--int8", action="store_true", help="quantized models (default: those of benchmarks/quantize.py)")
    parser.add_argument("--threads", type=int, default=1, help="threads, and cores, of every engine (default: 1)")
    parser.add_argument("--core", type=int, help="first core to pin to (default: the last ones allowed)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of turns (default: 3)")
    parser.add_argument("--seconds", type=float, default=2.0,
                        help="time for each engine and model, over all rounds (default: 2)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="build folder of Brisk")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="also write the figures to FILE")
    parser.add_argument("--no-setup", action="store_true", help="use this Python's packages")
    args = parser.parse_args()
    if args.threads < 1 or args.rounds < 1 or args.seconds <= 0:
        parser.error("--threads, --rounds and --seconds must be positive")
    args.build = args.build.resolve()
    if not (args.build / "bin" / "briskc").exists():
        parser.error(f"{args.build}/bin/briskc is missing; run ./bootstrap build")
    return args


def set_up(build):
    """Runs this script again in an environment that has the peers."""
    folder = build / "benchmarks" / "venv"
    python = folder / "bin" / "python3"
    want = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()
    stamp = folder / "stamp"
    if not stamp.exists() or stamp.read_text() != want:
        print("installing the peers (once)", file=sys.stderr, flush=True)
        try:
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                            "--retries", "5", "-r", REQUIREMENTS], check=True)
        except subprocess.CalledProcessError as error:
            sys.exit(f"error: cannot install the peers ({error}); check the network and pip's configuration")
        stamp.write_text(want)
    os.environ[INSIDE] = "1"
    os.execv(python, [str(python), "-B", __file__, *sys.argv[1:]])


def pin(args):
    """Pins the process, before any engine starts threads; returns the cores."""
    allowed = sorted(os.sched_getaffinity(0))
    if args.threads > len(allowed):
        sys.exit(f"error: --threads {args.threads}, but only {len(allowed)} cores are allowed")
    start = len(allowed) - args.threads
    if args.core is not None:
        if args.core not in allowed[:start + 1]:
            sys.exit(f"error: --core {args.core} does not leave {args.threads} of the cores {allowed}")
        start = allowed.index(args.core)
    cores = allowed[start:start + args.threads]
    os.sched_setaffinity(0, cores)
    return cores


def measure(run, seconds, warmup):
    """Runs for some time and at least five times; returns the median in ms."""
    clock = time.perf_counter_ns
    end = clock() + int(warmup * 1e9)
    while True:
        run()
        if clock() >= end:
            break
    times = []
    end = clock() + int(seconds * 1e9)
    while True:
        start = clock()
        run()
        stop = clock()
        times.append(stop - start)
        if stop >= end and len(times) >= 5:
            break
    times.sort()
    return times[(len(times) - 1) // 2] * 1e-6


def compare_outputs(outputs, reference, limit, referee):
    """The largest relative L2 error over all outputs, infinite if they do not fit,
    and the verdicts on those that differ by more than the limit."""
    worst, verdicts = 0.0, []
    for name, expected in reference.items():
        actual = outputs.get(name)
        if actual is None or actual.shape != expected.shape or actual.dtype != expected.dtype:
            return math.inf, []
        verdict = referee.judge(name, actual, expected, limit)
        worst = max(worst, verdict.error if verdict.error == verdict.error else math.inf)
        if not verdict.error <= limit:
            verdicts.append(verdict)
    return worst, verdicts


def signal_to_noise(outputs, reference):
    """The least signal-to-noise ratio over all float outputs, in dB; infinite where all are equal."""
    worst = math.inf
    for name, expected in reference.items():
        actual = outputs.get(name)
        if actual is None or actual.shape != expected.shape:
            return -math.inf
        noise = ((actual.astype("float64") - expected) ** 2).sum()
        if noise:
            worst = min(worst, 10 * math.log10((expected.astype("float64") ** 2).sum() / noise))
    return worst


def main():
    args = parse_arguments()
    if not args.no_setup and INSIDE not in os.environ:
        set_up(args.build)
    cores = pin(args)
    os.environ["OMP_NUM_THREADS"] = str(args.threads)

    # Only now: these imports may start threads.
    sys.path[:0] = [str(ROOT / "benchmarks"), str(ROOT / "test" / "models")]
    import gc
    import engines
    import inputs as model_inputs
    from referee import Referee

    spec = model_inputs.load_spec()
    if args.int8:
        import quantize
    names = args.models or (list(quantize.MODELS) if args.int8 else [name for name, entry in spec.items() if "test_only" not in entry])
    unknown = sorted(set(names) - set(spec))
    if unknown:
        sys.exit(f"error: no such model: {' '.join(unknown)} (known: {' '.join(spec)})")
    models = args.build / "models"
    subprocess.run([sys.executable, "-B", ROOT / "test" / "models" / "materialize.py", models, *names], check=True)

    kinds = [engines.OnnxRuntime, engines.OpenVino, engines.Brisk]
    cpu = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    cpu = cpu.group(1) if cpu else platform.machine()
    print(f"{cpu}, cores {cores}, {args.threads} thread(s), {'int8' if args.int8 else 'f32'}; "
          + ", ".join(f"{kind.name} {kind.version}" for kind in kinds))
    print(f"best of {args.rounds} rounds' P50 in ms, about {args.seconds:g} s for each engine and model\n")
    print(f"{'model':<20}" + "".join(f"{kind.name:>14}" for kind in kinds)
          + f"{'best peer/Brisk':>17}" + (f"{'SQNR':>10}{'of a peer':>11}" if args.int8 else f"{'rel. L2':>10}"), flush=True)

    report, faults, notes = {}, [], []
    gc.disable()
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            path, entry = models / f"{name}.onnx", spec[name]
            inputs = model_inputs.make_inputs(path, entry)
            if args.int8:
                path = quantize.quantize(models, name, entry)
            loaded = {}
            for kind in kinds:
                extra = ([args.build, pathlib.Path(folder), model_inputs.shape_flags(entry)]
                         if kind is engines.Brisk else [])
                try:
                    loaded[kind.name] = kind(path, inputs, args.threads, *extra)
                except Exception as error:  # any peer's own exception types
                    # Models that a peer cannot run are measured against the other.
                    (faults if kind is engines.Brisk else notes).append(
                        f"{name}: {kind.name}: {(str(error).strip() or repr(error)).splitlines()[0]}")
            rounds = {engine: [] for engine in loaded}
            for _ in range(args.rounds):
                for engine, instance in loaded.items():
                    share = args.seconds / args.rounds
                    rounds[engine].append(measure(instance.run, share, share / 4))
            best = {engine: min(times) for engine, times in rounds.items()}
            outputs = {engine: instance.outputs() for engine, instance in loaded.items()}
            reference, ratios_db = outputs.get(engines.OnnxRuntime.name), {}
            if args.int8:
                exact = engines.evaluate_as_written(path, inputs)
                ratios_db = {engine: signal_to_noise(values, exact) for engine, values in outputs.items()}
                nearer = max((db for engine, db in ratios_db.items() if engine != engines.Brisk.name), default=-math.inf)
                if ratios_db.get(engines.Brisk.name, -math.inf) < nearer - 1:
                    faults.append(f"{name}: Brisk is {ratios_db.get(engines.Brisk.name, -math.inf):.1f} dB from the graph "
                                  f"as written, a peer {nearer:.1f} dB")
                reference = None
            limit, referee, errors = model_inputs.error_limit(name), Referee(path, inputs), {}
            for engine, values in outputs.items() if reference is not None else ():
                errors[engine], verdicts = compare_outputs(values, reference, limit, referee)
                if not errors[engine] <= limit:
                    is_right = verdicts and all(verdict.is_right for verdict in verdicts)
                    (notes if is_right else faults).append(
                        "; ".join([f"{name}: {engine} differs from ONNX Runtime by {errors[engine]:.1e}, "
                                   f"more than {limit:.0e}"] + [verdict.text for verdict in verdicts]))
            peers = [ms for engine, ms in best.items() if engine != engines.Brisk.name]
            ratio = min(peers) / best[engines.Brisk.name] if peers and engines.Brisk.name in best else None
            report[name] = {"ms": best, "rounds_ms": rounds, "rel_l2": errors, "sqnr_db": {engine: db if math.isfinite(db) else None for engine, db in ratios_db.items()},
                            "ratio": ratio}
            print(f"{name:<20}"
                  + "".join(f"{best[kind.name]:>14.4f}" if kind.name in best else f"{'-':>14}" for kind in kinds)
                  + (f"{ratio:>17.2f}" if ratio else f"{'-':>17}")
                  + (f"{ratios_db.get(engines.Brisk.name, -math.inf):>10.1f}{nearer:>11.1f}" if args.int8
                     else f"{errors[engines.Brisk.name]:>10.1e}" if engines.Brisk.name in errors else f"{'-':>10}"),
                  flush=True)
            for instance in loaded.values():
                getattr(instance, "close", lambda: None)()
            del loaded, outputs, reference
            gc.collect()

    ratios = {name: row["ratio"] for name, row in report.items() if row["ratio"]}
    geomean = math.exp(sum(map(math.log, ratios.values())) / len(ratios)) if ratios else None
    if ratios:
        least = min(ratios, key=ratios.get)
        print(f"\nbest peer / Brisk: geomean {geomean:.3f} over {len(ratios)} models, "
              f"least {ratios[least]:.3f} ({least})")
    for note in notes:
        print(f"note: {note}")
    for fault in faults:
        print(f"FAULT: {fault}")
    if args.json:
        args.json.write_text(json.dumps({
            "cpu": cpu, "cores": cores, "threads": args.threads, "rounds": args.rounds, "seconds": args.seconds,
            "versions": {kind.name: kind.version for kind in kinds},
            "models": report, "geomean": geomean, "least": min(ratios.values(), default=None), "faults": faults, "notes": notes,
        }, indent=1) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
