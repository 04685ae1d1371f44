#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs brisk-run and brisk-bench on hand-written models, with NumPy and ONNX as the judges of files."""

import argparse
import csv
import json
import os
import pathlib
import signal
import subprocess

import numpy as np
import onnx
from onnx import numpy_helper

import tool_test
from tool_test import DENSE, ToolTest, call

MODELS = None
UNFIT = DENSE.parents[2] / "Import/unfit-branch.onnxtxt"
X = np.array([[1, -2, 3], [4, 5, 6.5]], np.float32)
SCALE = np.array(2, np.float32)
FLAGS = np.array([[1, 0, 0, 1], [1, 1, 1, 0]], bool)
Y = X * SCALE
N = FLAGS.sum(axis=1)


class FileTest(ToolTest):
    def npy(self, name, array):
        np.save(self.dir / name, array)
        return self.dir / name

    def link(self, name, target):
        os.symlink(target, self.dir / name)
        return self.dir / name

    def fifo(self, name):
        os.mkfifo(self.dir / name)
        return self.dir / name

    def pb(self, name, array):
        (self.dir / name).write_bytes(numpy_helper.from_array(array).SerializeToString())
        return self.dir / name

    def inputs(self, x=X, scale=SCALE, flags=FLAGS):
        return ["--input", f"x={self.npy('x.npy', x)}", "--input", f"scale={self.npy('scale.npy', scale)}",
                f"--input=flags={self.npy('flags.npy', flags)}"]


class Run(FileTest):
    def run_model(self, *args, model="fake.so", out="out"):
        return call("brisk-run", MODELS / model, "--output-dir", self.dir / out, *args)

    def check_outputs(self, read, extension):
        listing = json.loads((self.dir / "out/outputs.json").read_text())
        self.assertEqual(listing, {"outputs": [
            {"index": 0, "name": "y", "dtype": "float32", "shape": [2, 3], "file": "0." + extension},
            {"index": 1, "name": "n", "dtype": "int64", "shape": [2], "file": "1." + extension}]})
        y, n = (read(self.dir / "out" / f"{k}.{extension}") for k in range(2))
        np.testing.assert_array_equal(y, Y)
        np.testing.assert_array_equal(n, N)
        self.assertEqual((y.dtype, n.dtype), (np.float32, np.int64))
        self.assertEqual(len(os.listdir(self.dir / "out")), 3)

    def test_npy(self):
        result = self.run_model(*self.inputs())
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.check_outputs(np.load, "npy")

    def test_a_branch_that_cannot_work(self):
        inputs = [f"--input=x={self.npy('x.npy', np.zeros(2, np.float32))}",
                  f"--input=z={self.npy('z.npy', np.zeros(3, np.float32))}"]
        taken = self.run_model(*inputs, f"--input=c={self.npy('c.npy', np.array(True))}", model=UNFIT)
        self.assertEqual(taken.returncode, 0, taken.stderr)
        np.testing.assert_array_equal(np.load(self.dir / "out/0.npy"), [1, 1])
        other = self.run_model(*inputs, f"--input=c={self.npy('c.npy', np.array(False))}", model=UNFIT, out="none")
        self.assertRefused(other, "takes a branch that cannot work")

    def test_npy_in_other_orders(self):
        result = self.run_model(*self.inputs(x=np.asfortranarray(X.astype(">f4")), flags=np.asfortranarray(FLAGS)))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.check_outputs(np.load, "npy")

    def test_pb(self):
        typed = onnx.helper.make_tensor("flags", onnx.TensorProto.BOOL, FLAGS.shape, FLAGS.flatten())
        (self.dir / "flags.pb").write_bytes(typed.SerializeToString())
        result = self.run_model(
            "--input", f"x={self.pb('x.pb', X)}", "--input", f"scale={self.pb('s.pb', SCALE)}",
            "--input", f"flags={self.dir / 'flags.pb'}", "--output-format=pb")
        self.assertEqual(result.returncode, 0, result.stderr)

        def read(path):
            proto = onnx.TensorProto()
            proto.ParseFromString(path.read_bytes())
            return numpy_helper.to_array(proto)
        self.check_outputs(read, "pb")

    def test_threads_give_the_same(self):
        for threads in (3, 0):
            result = self.run_model(*self.inputs(), f"--threads={threads}")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.check_outputs(np.load, "npy")

    def test_refused_inputs(self):
        good = self.inputs()
        for args, fragments in [
            (good[:2], ["no value for 'scale' (float32 scalar), 'flags' (bool of shape 2x4)"]),
            (good + good[:2], ["input 'x' is given twice"]),
            (good + ["--input=z=f.npy"], ["no input is named 'z'", "'x' (float32 of shape 2x3)"]),
            (good + ["--input=f.npy"], ["expected NAME=FILE or F.npz"]),
            (["--input=x=/nowhere/x.npy"], ["input 'x'", "No such file"]),
            (["--input=x=x.txt"], ["input 'x'", "*.npy, *.npz or *.pb"]),
            ([f"--input=x={self.link('zero.npy', '/dev/zero')}"], ["zero.npy': it is a device, not a file"]),
            ([f"--input=x={self.link('zero.pb', '/dev/zero')}"], ["zero.pb': it is a device, not a file"]),
            ([f"--input=x={self.fifo('f.npy')}"], ["f.npy': it is a pipe, not a file"]),
            ([f"--input=x={self.fifo('f.pb')}"], ["f.pb': it is a pipe, not a file"]),
            ([f"--input=x={self.dir}/d.npy"], ["input 'x'", "d.npy"]),
            ([f"--input=x={self.npy('t.npy', X.T)}"], ["expected float32 of shape 2x3, found float32 of shape 3x2"]),
            ([f"--input=x={self.npy('d.npy', X.astype(np.float64))}"], ["found float64 of shape 2x3"]),
            ([f"--input=x={self.npy('r.npy', X.reshape(1, 2, 3))}"], ["found float32 of shape 1x2x3"]),
            ([f"--input=x={self.npy('c.npy', X.astype(complex))}"], ["'<c16'"]),
        ]:
            with self.subTest(fragments=fragments):
                self.assertRefused(self.run_model(*args), *fragments)
                self.assertFalse((self.dir / "out").exists())

    def test_refused_models(self):
        text = self.dir / "text.so"
        text.write_text("no library")
        for model, fragment in [("absent.so", "No such file"), ("old.so", "interface version 2"),
                                ("symbolic.so", "has extents that every call gives"),
                                ("short.so", "'x' claims 20 bytes"), ("foreign.so", "brisk_model_get"),
                                (text, "cannot load"), ("absent.onnx", "absent.onnx"),
                                (self.fifo("f.so"), "it is a pipe"), (self.fifo("f.onnx"), "it is a pipe"),
                                ("/dev/zero", "it is a device")]:
            with self.subTest(model=model):
                self.assertRefused(self.run_model(*self.inputs(), model=model), fragment)
                self.assertFalse((self.dir / "out").exists())

    def test_truncated_library(self):
        whole = (MODELS / "fake.so").read_bytes()
        (self.dir / "short.so").write_bytes(whole[:len(whole) // 4])
        self.assertRefused(self.run_model(*self.inputs(), model=self.dir / "short.so"), "truncated")

    def test_model_that_refuses_to_run(self):
        self.assertRefused(self.run_model(*self.inputs(), model="refusing.so"), "index in the input data")
        self.assertFalse((self.dir / "out").exists())

    def test_refused_flags(self):
        for args in [["--nonsense"], ["--threads=1025"], ["--threads=x"], ["--output-format=csv"], ["extra"]]:
            with self.subTest(args=args):
                result = self.run_model(*self.inputs(), *args)
                self.assertEqual(result.returncode, 1)
                self.assertTrue(result.stderr)
                self.assertFalse((self.dir / "out").exists())
        self.assertEqual(call("brisk-run").returncode, 1)
        self.assertRefused(self.run_model(*self.inputs(), "--shape=x=2x3"), "its shapes are fixed")

    def test_unwritable_output(self):
        (self.dir / "file").write_text("x")
        for out in ("file", "file/below"):
            self.assertRefused(self.run_model(*self.inputs(), out=out), f"{out}/outputs.json': Not a directory")
        (self.dir / "out").mkdir()
        (self.dir / "out/outputs.json").mkdir()
        self.assertRefused(self.run_model(*self.inputs()), "is a directory")
        self.assertEqual(os.listdir(self.dir / "out"), ["outputs.json"])

    def test_help(self):
        result = call("brisk-run", "--help")
        self.assertEqual(result.returncode, 0)
        for word in ["--shape", "--input", "--output-dir", "--output-format", "--samples", "--compare", "--min-sqnr", "EXAMPLES", "Exit code"]:
            self.assertIn(word, result.stdout)
        self.assertNotIn("--debug-counter", result.stdout)


class Bench(FileTest):
    SHORT = ["--warmup-ms=1", "--duration-s=0", "--iterations=150"]

    def bench(self, *args, model="profiled.so"):
        return call("brisk-bench", MODELS / model, *self.SHORT, *args)

    def test_prints_configuration_and_latency(self):
        result = self.bench(*self.inputs()[:2], model="fake.so")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"(?m)^model +fake ")
        self.assertRegex(result.stdout, r"(?m)^input +x  float32 2x3  from a file$")
        self.assertRegex(result.stdout, r"(?m)^input +flags  bool 2x4  random, seed 0$")
        for line in ["target +host", "threads +1", "arena +64 bytes", "weights +0 bytes", "load +[0-9.]+ ms",
                     "first +[0-9.]+ ms", r"warm-up +[0-9.]+ ms, \d+ runs", " +n +min +mean +P50 +P90 +P95 +P99 +max",
                     "150( +[0-9.]+){7}"]:
            self.assertRegex(result.stdout, f"(?m)^{line}$|^{line} ")

    def test_percentiles_are_blank_for_few_runs(self):
        path = self.dir / "few.json"
        result = call("brisk-bench", MODELS / "fake.so", "--warmup-ms=0", "--duration-s=0", "--iterations=5",
                      "--json", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        latency = json.loads(path.read_text())["latency_ms"]
        self.assertIsNotNone(latency["p50"])
        self.assertEqual([latency[k] for k in ("p90", "p95", "p99")], [None] * 3)

    def test_json(self):
        path = self.dir / "r.json"
        self.assertEqual(self.bench("--json", path, "--threads=2").returncode, 0)
        report = json.loads(path.read_text())
        self.assertEqual(list(report), ["model", "target", "threads", "iterations", "latency_ms", "load_ms",
                                        "first_ms", "arena_bytes", "weights_bytes", "ops"])
        self.assertEqual(list(report["latency_ms"]), ["min", "mean", "p50", "p90", "p95", "p99", "max"])
        self.assertEqual((report["threads"], report["iterations"], report["ops"]), (2, 150, []))

    def test_phases(self):
        names = {kind: self.dir / f"p.{kind}" for kind in ("json", "csv", "trace")}
        result = call("brisk-bench", MODELS / "joined.so", "--profile", "--warmup-ms=0", "--duration-s=0",
                      "--iterations=150", *(f"--{kind}={path}" for kind, path in names.items()))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"(?m)^pre +150 ")
        self.assertRegex(result.stdout, r"(?m)^end to end +150 ")
        report = json.loads(names["json"].read_text())
        figures = {phase["name"]: phase["latency_ms"] for phase in report["phases"]}
        self.assertEqual(list(figures), ["pre", "inference", "end to end"])
        self.assertGreaterEqual(figures["end to end"]["max"], figures["pre"]["max"])
        self.assertEqual([op["phase"] for op in report["ops"]], ["pre", "inference", "inference"])
        rows = list(csv.DictReader(names["csv"].read_text().splitlines()))
        self.assertEqual([row["name"] for row in rows if row["kind"] == "phase"], list(figures))
        events = json.loads(names["trace"].read_text())["traceEvents"]
        self.assertEqual({event["args"]["phase"] for event in events if event["ph"] == "X"}, {"pre", "inference"})

    def test_profile(self):
        names = {kind: self.dir / f"r.{kind}" for kind in ("json", "csv", "trace")}
        result = self.bench("--profile", *(f"--{kind}={path}" for kind, path in names.items()))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, r"profiling costs -?[0-9.]+ %: median [0-9.]+ ms with")
        self.assertRegex(result.stdout, r"(?m)^1 .*reduce +reduction +Count_1;Cast_2$")
        self.assertRegex(result.stdout, r"(?m)^ +2 .*elementwise +elementwise, copy$")
        report = json.loads(names["json"].read_text())
        self.assertIn("profiling_cost_percent", report)
        self.assertEqual([list(op) for op in report["ops"]],
                         [["name", "type", "kernel", "phase", "ms", "flops", "bytes"]] * 3)
        rows = list(csv.DictReader(names["csv"].read_text().splitlines()))
        self.assertEqual([row["name"] for row in rows], ["fake", "Mul_0", "Count_1;Cast_2", "Copy_3"])
        self.assertEqual({row["n"] for row in rows}, {"150"})
        events = json.loads(names["trace"].read_text())["traceEvents"]
        self.assertEqual(sum(event["ph"] == "X" for event in events), 8 * 3)

    def test_profile_needs_a_profiled_model(self):
        self.assertRefused(self.bench("--profile", model="fake.so"), "compiled without --profile")
        self.assertRefused(self.bench("--trace=-", model="fake.so"), "compiled without --profile")

    def test_random_inputs_follow_the_seed(self):
        self.assertIn("seed 7", self.bench("--seed=7").stdout)

    def test_refused_flags(self):
        for arg in ["--iterations=0", "--iterations=-1", "--duration-s=nan", "--duration-s=-1", "--warmup-ms=x",
                    "--threads=5000", "--warmup-ms=inf", "--nonsense", "--json"]:
            with self.subTest(arg=arg):
                result = self.bench(arg)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertTrue(result.stderr)

    def test_standard_output_is_for_one_file(self):
        for kind, read in (("json", json.loads), ("trace", json.loads),
                           ("csv", lambda text: list(csv.DictReader(text.splitlines())))):
            with self.subTest(kind=kind):
                result = self.bench("--profile", f"--{kind}=-")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertTrue(read(result.stdout))
                self.assertIn("latency in ms", result.stderr)
        self.assertEqual({row["kind"] for row in read(result.stdout)}, {"model", "op"})
        self.assertRefused(self.bench("--json=-", "--csv=-"), "another output already")

    def test_threads_that_this_process_may_use(self):
        report = json.loads(self.bench("--threads=0", "--json=-").stdout)
        self.assertEqual(report["threads"], len(os.sched_getaffinity(0)))

    def test_a_closed_pipe_ends_it_quietly(self):
        reader, writer = os.pipe()
        os.close(reader)
        result = call("brisk-bench", MODELS / "fake.so", *self.SHORT, stdout=writer)
        os.close(writer)
        self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, ""))

    def test_unwritable_files(self):
        # Found before an hour of measuring.
        result = call("brisk-bench", MODELS / "fake.so", "--duration-s=3600", f"--json={self.dir}/absent/file")
        self.assertRefused(result, "cannot write", "absent/file")
        for kind in ("json", "csv", "trace"):
            with self.subTest(kind=kind):
                self.assertRefused(self.bench(f"--{kind}={self.dir}/absent/file"), "cannot write", "absent/file")
                self.assertEqual(os.listdir(self.dir), [])
        same = self.dir / "same"
        self.assertRefused(self.bench("--json", same, "--csv", same), "another output")
        good = self.dir / "good.json"
        self.assertRefused(self.bench("--json", good, f"--csv={self.dir}/absent/file"))
        self.assertFalse(good.exists())
        if os.path.exists("/dev/full"):
            self.assertRefused(self.bench("--json=/dev/full"), "No space left")
            with open("/dev/full", "w") as full:
                result = subprocess.run([tool_test.BIN / "brisk-bench", MODELS / "fake.so", *self.SHORT], stdout=full,
                                        stderr=subprocess.PIPE, text=True, timeout=120)
            self.assertRefused(result, "standard output", "No space left")

    def test_help(self):
        result = call("brisk-bench", "--help")
        self.assertEqual(result.returncode, 0)
        for word in ["--shape", "--input", "--threads", "--warmup-ms", "--duration-s", "--iterations", "--profile",
                     "--json", "--csv", "--trace", "--load", "--rate", "EXAMPLES"]:
            self.assertIn(word, result.stdout)


class Load(ToolTest):
    def bench(self, *args, model="fake.so"):
        return call("brisk-bench", MODELS / model, "--warmup-ms=1", "--duration-s=0.2", *args)

    def test_requests_that_do_not_wait(self):
        for arrivals in ("fixed", "poisson", "bursts"):
            with self.subTest(arrivals=arrivals):
                files = {name: self.dir / f"{arrivals}.{name}" for name in ("json", "csv")}
                result = self.bench(f"--load={arrivals}", "--rate=500", "--instances=2", "--threads=2",
                                    "--percentiles=50,99.9", "--json", files["json"], "--times", files["csv"])
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                self.assertRegex(result.stdout, rf"(?m)^load +{arrivals}, 500 requests a second,.* 2 instances, 100 may wait$")
                self.assertRegex(result.stdout, r"(?m)^ +n +min +mean +P50 +P99.9 +max$")
                report = json.loads(files["json"].read_text())
                load = report["load"]
                rows = list(csv.DictReader(files["csv"].read_text().splitlines()))
                self.assertEqual(len(rows), load["requests"])
                self.assertEqual(load["requests"], load["answered"])
                self.assertEqual(report["latency_ms"]["n"], load["answered"])
                self.assertEqual(report["simulated_ms"]["n"], load["answered"])
                self.assertTrue(50 <= load["requests"] <= 170, load)
                latencies = [float(row["finished_us"]) - float(row["intended_us"]) for row in rows]
                self.assertAlmostEqual(report["latency_ms"]["max"], max(latencies) / 1000, places=4)
                self.assertIsNone(report["latency_ms"]["p99.9"])

    def test_clients_that_wait(self):
        path = self.dir / "r.json"
        result = self.bench("--load=closed", "--instances=3", "--json", path)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertRegex(result.stdout, "(?m)^load +closed, 3 instances$")
        report = json.loads(path.read_text())
        self.assertGreater(report["load"]["answered"], 100)
        self.assertEqual(report["simulated_ms"]["n"], 0)

    def test_more_than_it_can_do(self):
        path = self.dir / "r.json"
        self.assertEqual(self.bench("--load=bursts", "--rate=100000", "--burst=5000", "--queue=10", "--json", path).returncode, 0)
        load = json.loads(path.read_text())["load"]
        self.assertGreater(load["refused"], 0)
        self.assertEqual(load["answered"] + load["refused"], load["requests"])
        self.assertEqual(self.bench("--load=bursts", "--rate=10000", "--burst=1000", "--queue=2000", "--deadline-ms=0.001",
                                    "--json", path).returncode, 0)
        load = json.loads(path.read_text())["load"]
        self.assertGreater(load["late"], 0)
        self.assertEqual(load["answered"] + load["late"], load["requests"])

    def test_refuses(self):
        for flags, reason in ((["--rate=5"], "--rate goes with --load"), (["--times=t.csv"], "--times goes with --load"),
                              (["--load=poisson"], "--load=poisson wants --rate"),
                              (["--load=closed", "--rate=5"], "--load=closed has none"),
                              (["--load=fixed", "--rate=0"], "--rate=0"), (["--load=fixed", "--rate=nan"], "--rate=nan"),
                              (["--load=fixed", "--rate=1", "--burst=2"], "--burst goes with --load=bursts"),
                              (["--load=closed", "--instances=0"], "--instances=0"),
                              (["--load=closed", "--percentiles=101"], "--percentiles=101"),
                              (["--load=closed", "--profile"], "--load tells of requests, not of ops"),
                              (["--load=closed", "--iterations=3"], "--iterations says nothing of a load"),
                              (["--load=fixed", "--rate=1", f"--times={self.dir}/absent/file"], "cannot write")):
            with self.subTest(flags=flags):
                self.assertRefused(self.bench(*flags), reason)
        self.assertRefused(self.bench("--load=closed", model="refusing.so"), "the model did not run")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=pathlib.Path, required=True, help="folder of the hand-written models")
    args, run = tool_test.main(parser)
    MODELS = args.models.resolve()
    run()
