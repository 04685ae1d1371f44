# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the time of a model goes: Model.profile and Model.trace."""

import dataclasses
import json
import statistics

from brisk._core import BriskError, Model


@dataclasses.dataclass(frozen=True)
class OpTime:
    """A group of the plan: the ops that one kernel computes."""

    name: str  #: names of the ONNX nodes, ';' between
    type: str  #: the operation of its anchor, as "conv"
    kernel: str  #: the kernel's family, as "gemm"
    flops: int  #: a multiply-add is two
    bytes: int  #: read and written, each tensor once
    phase: str  #: "pre", "inference" or "post"
    ns: float  #: the median of its times


@dataclasses.dataclass(frozen=True)
class Profile:
    """Times of a model's runs, and of its ops in the order in which they run.

    latencies are nanoseconds of the runs in which nothing was recorded; runs of
    both kinds took turns. phases has, by "pre", "inference" and "post", what the
    recorded runs spent in stages before the model, in it and in stages after it.
    """

    latencies: tuple
    ops: tuple
    phases: dict

    def percentile(self, percent, phase=None):
        """The nearest-rank percentile of the latencies, or of what a phase took,
        in nanoseconds; None where there are too few of them to tell it from their
        maximum."""
        times = self.latencies if phase is None else self.phases[phase]
        count = len(times)
        rank = -(-count * percent // 100)
        if not 0 < percent <= 100 or count == 0 or (rank >= count and percent < 100):
            return None
        return sorted(times)[max(int(rank), 1) - 1]

    def __str__(self):
        total = sum(op.ns for op in self.ops)
        rows = [("ms", "share", "GFLOP/s", "kernel", "name")]
        for op in sorted(self.ops, key=lambda op: -op.ns):
            share = f"{op.ns / total:.1%}" if total else ""
            rate = f"{op.flops / op.ns:.2f}" if op.flops and op.ns else ""
            rows.append((f"{op.ns * 1e-6:.4f}", share, rate, op.kernel, op.name))
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        lines = [
            "  ".join([*(row[i].rjust(widths[i]) for i in range(3)), row[3].ljust(widths[3]), row[4]]).rstrip()
            for row in rows
        ]
        def marks(phase=None):
            figures = ((percent, self.percentile(percent, phase)) for percent in (50, 95, 99))
            return ", ".join(f"P{percent} {value * 1e-6:.4f}" for percent, value in figures if value is not None)

        if len(self.phases) > 1:
            lines += [f"{phase} in ms: {marks(phase)}" for phase in self.phases]
        lines.append(f"latency in ms, of {len(self.latencies)} runs: {marks()}")
        return "\n".join(lines)


def _measure(model, inputs, runs, warmup):
    if not model.profiled:
        raise BriskError(f"the model '{model.name}' records nothing; compile it with profile=True (briskc --profile)")
    if inputs is None:
        inputs = model.random_inputs()
    if warmup:
        model._measure(inputs, warmup)
    return model._measure(inputs, runs)


def profile(model, inputs=None, *, runs=100, warmup=10):
    """Measures runs on a dict of inputs, by default random ones, after some that
    do not count. The model was compiled with profile=True."""
    latencies, traces = _measure(model, inputs, runs, warmup)
    ops = model._ops
    times = [[] for _ in ops]
    for records in traces:
        ticks = [0] * len(ops)
        for op, start, end in records:
            ticks[op] += end - start
        for samples, tick in zip(times, ticks):
            samples.append(tick)
    phases = {
        phase: tuple(sum(run) for run in zip(*(samples for op, samples in zip(ops, times) if op[5] == phase)))
        for phase in ("pre", "inference", "post")
        if any(op[5] == phase for op in ops)
    }
    medians = [statistics.median(samples) if samples else 0 for samples in times]
    return Profile(tuple(latencies), tuple(OpTime(*op, ns) for op, ns in zip(ops, medians)), phases)


def trace(model, path, inputs=None, *, runs=8, warmup=10):
    """Writes a timeline of runs for chrome://tracing and ui.perfetto.dev. Inputs
    are as for profile."""
    _, traces = _measure(model, inputs, runs, warmup)
    ops = model._ops
    origin = min((start for records in traces for _, start, _ in records), default=0)
    events = [
        {
            "name": ops[op][0],
            "cat": ops[op][2],
            "ph": "X",
            "ts": (start - origin) / 1000,
            "dur": (end - start) / 1000,
            "pid": 0,
            "tid": 0,
            "args": {"run": run, "op": op, "type": ops[op][1], "phase": ops[op][5]},
        }
        for run, records in enumerate(traces)
        for op, start, end in records
    ]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"displayTimeUnit": "ns", "traceEvents": events}, file)


Model.profile = profile
Model.trace = trace
