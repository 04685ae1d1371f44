#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where briskc writes: names, full disks, closed pipes, signals and programs that are missing."""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import time
import unittest

import tool_test
from tool_test import DENSE, ToolTest, call

EMITS = ("import", "llvm", "asm", "obj", "lib", "shared", "exe", "onnx")


def briskc(*args, **kwargs):
    return call("briskc", DENSE, "--dim", "n=1", *args, **kwargs)


@contextlib.contextmanager
def small_disk(path, size):
    path.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"noexec,size={size}", "tmpfs", path], capture_output=True).returncode:
        raise unittest.SkipTest("cannot mount a small disk")
    try:
        yield path
    finally:
        subprocess.run(["umount", path], check=True)


class Names(ToolTest):
    def listing(self):
        return sorted(str(path.relative_to(self.dir)) for path in self.dir.rglob("*") if path.is_file())

    def check(self, flags, archive, header, prefix):
        result = briskc(*flags, cwd=self.dir)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(self.listing(), sorted([archive, header]))
        text = (self.dir / header).read_text()
        self.assertIn(f"\nint {prefix}_call(", text)
        self.assertIn(f"#define {prefix.upper()}_ARENA_BYTES ", text)
        symbols = subprocess.run(["nm", "--defined-only", "--extern-only", self.dir / archive], capture_output=True,
                                 text=True).stdout
        self.assertIn(f"{prefix}_call\n", symbols)

    def test_a_name_given_is_kept(self):
        (self.dir / "o").mkdir()
        self.check(["-o", "o/y.a"], "o/y.a", "o/y.h", "y")

    def test_a_library_is_what_its_name_says(self):
        self.check(["-o", "libfoo-bar.a"], "libfoo-bar.a", "foo-bar.h", "foo_bar")

    def test_without_an_ending(self):
        self.check(["-o", "x"], "x", "x.h", "x")

    def test_a_name_of_its_own(self):
        self.check(["-o", "libfoo.a", "--name=digits"], "libfoo.a", "foo.h", "digits")

    def test_a_folder_gets_the_names_of_the_model(self):
        self.check(["-o", "."], "libdense.a", "dense.h", "dense")

    def test_a_shared_library_knows_its_name(self):
        self.assertEqual(briskc("-o", self.dir / "libother.so", "--emit=shared").returncode, 0)
        dynamic = subprocess.run(["readelf", "-d", self.dir / "libother.so"], capture_output=True, text=True).stdout
        self.assertIn("soname: [libother.so]", dynamic)

    def test_devices(self):
        for emit in EMITS:
            with self.subTest(emit=emit):
                self.assertEqual(briskc("-o", "/dev/null", f"--emit={emit}").returncode, 0)
                self.assertFalse(os.path.exists("/dev/null.h") or os.path.exists("/dev/libnull.a"))
        self.assertTrue(os.path.exists("/dev/null") and not os.path.isfile("/dev/null"))

    def test_standard_output_is_for_one_file(self):
        result = briskc("-o", self.dir / "a.o", "--emit=obj", "--report=-")
        self.assertEqual((result.returncode, json.loads(result.stdout)["model"]), (0, "dense"))
        self.assertFalse((self.dir / "-").exists())
        self.assertRefused(briskc("-o", "-", "--emit=asm", "--report=-"), "another output already")


class FoundEarly(ToolTest):
    """With a model that is none: what is said is about the output."""

    def check(self, *flags, words):
        model = self.dir / "m.onnx"
        model.write_text("no model")
        before = sorted(os.listdir(self.dir))
        self.assertRefused(call("briskc", model, *flags, cwd=self.dir), *words)
        self.assertEqual(sorted(os.listdir(self.dir)), before)

    def test_paths(self):
        for flags in (["-o", "nowhere/a.a"], ["-o", "a.a", "--report=nowhere/r"], ["-o", "a.a", "--depfile=nowhere/d"],
                      ["-o", "/proc/a.a"]):
            with self.subTest(flags=flags):
                self.check(*flags, words=["cannot write '", "No such file"])
        self.check("-o", ".", "--emit=obj", words=["it is a directory"])
        self.check("-o", "a.a", "--report=a.h", words=["'a.h': it is another output already"])
        self.check("-o", "a.a", "--report=m.onnx", words=["m.onnx' belongs to the model"])

    def test_empty_values(self):
        for args in (["-o", ""], ["-o="], ["-o", "a.a", "--report="]):
            self.assertRefused(briskc(*args, cwd=self.dir), "option: its value is empty")
        self.assertRefused(call("briskc", "", "-o", "a.a", cwd=self.dir), "MODEL: its value is empty")
        self.assertRefused(call("brisk-run", "", "--output-dir=o", cwd=self.dir), "MODEL: its value is empty")
        self.assertRefused(call("brisk-run", DENSE, "--output-dir=", cwd=self.dir), "--output-dir option")
        self.assertEqual(os.listdir(self.dir), [])

    def test_a_model_that_is_no_file(self):
        os.mkfifo(self.dir / "f.onnx")
        for path, kind in (("f.onnx", "pipe"), ("/dev/zero", "device"), (".", "directory")):
            self.assertRefused(call("briskc", path, "-o", "a.a", cwd=self.dir), f"it is a {kind}, not a file")


class FullDisks(ToolTest):
    def test_devices(self):
        for emit in EMITS:
            with self.subTest(emit=emit):
                self.assertRefused(briskc("-o", "/dev/full", f"--emit={emit}"),
                                   "cannot write '/dev/full': No space left on device\n")
        out = self.dir / "a.o"
        for flag in ("report", "depfile"):
            self.assertRefused(briskc("-o", out, "--emit=obj", f"--{flag}=/dev/full"),
                               "cannot write '/dev/full': No space left on device\n")
            self.assertFalse(out.exists())

    def test_standard_streams(self):
        with open("/dev/full", "w") as full:
            for args in (["-o", "-", "--emit=asm"], ["--help"], ["--version"]):
                self.assertRefused(briskc(*args, stdout=full), "'standard output': No space left on device\n")
            self.assertEqual(briskc("-o", "nowhere/a.a", stderr=full).returncode, 1)

    def test_outputs(self):
        with small_disk(self.dir / "disk", "4k") as disk:
            (disk / "filler").write_bytes(bytes(4096))
            for emit in ("lib", "shared", "exe"):
                with self.subTest(emit=emit):
                    self.assertRefused(briskc("-o", disk / "x", f"--emit={emit}", "--profile"),
                                       f"cannot write '{disk}/x': No space left on device\n")
                    self.assertEqual(os.listdir(disk), ["filler"])

    def test_temporary_files(self):
        with small_disk(self.dir / "disk", "4k") as disk:
            environment = {**os.environ, "TMPDIR": str(disk)}
            for emit in ("obj", "lib", "shared", "exe"):
                with self.subTest(emit=emit):
                    self.assertRefused(briskc("-o", self.dir / "x", f"--emit={emit}", env=environment),
                                       f"cannot write '{disk}/brisk-", "No space left on device; set TMPDIR to another")
                    self.assertEqual(os.listdir(disk), [])

    def test_a_folder_that_runs_no_programs(self):
        # No library is loaded from there.
        with small_disk(self.dir / "disk", "16m") as disk:
            result = call("brisk-bench", DENSE, "--dim=n=1", "--duration-s=0", "--iterations=1", "--warmup-ms=0",
                          env={**os.environ, "TMPDIR": str(disk)})
            self.assertEqual((result.returncode, os.listdir(disk)), (0, []), result.stderr)

    def test_no_folder_for_temporary_files(self):
        self.assertRefused(briskc("-o", self.dir / "x", env={**os.environ, "TMPDIR": "/nowhere"}),
                           "cannot make the temporary folder '/nowhere/brisk-", "set TMPDIR")


class ClosedStreams(ToolTest):
    def test_no_file_takes_their_place(self):
        # Standard input, output and error closed: what is said is lost, and is in no file.
        def close():
            os.closerange(0, 3)
        subprocess.run([tool_test.BIN / "briskc", DENSE, "-o", self.dir / "x.a"], preexec_fn=close, timeout=60)
        self.assertEqual(os.listdir(self.dir), [])
        result = subprocess.run([tool_test.BIN / "briskc", DENSE, "--dim=n=1", "-o", self.dir / "x.a"],
                                preexec_fn=close, timeout=60)
        self.assertEqual((result.returncode, (self.dir / "x.a").read_bytes()[:8]), (0, b"!<arch>\n"))


class ClosedPipes(ToolTest):
    def run_closed(self, *args, **kwargs):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            return briskc(*args, stdout=writer, **kwargs)
        finally:
            os.close(writer)

    def test_ends_as_other_programs_do(self):
        for args in (["-o", "-", "--emit=asm"], ["-o", "-", "--emit=plan"], ["--help"], ["-o", "/dev/stdout"]):
            with self.subTest(args=args):
                result = self.run_closed(*args)
                self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, ""))

    def test_says_so_where_the_signal_is_ignored(self):
        result = self.run_closed("-o", "-", "--emit=asm", restore_signals=False)
        self.assertRefused(result, "'standard output': Broken pipe\n")


class Signals(ToolTest):
    def test_take_temporary_files_and_the_linker_along(self):
        linker = self.dir / "bin" / "ld.lld-22"
        linker.parent.mkdir()
        (self.dir / "tmp").mkdir()
        # A linker that runs a program of its own, as compilers do.
        linker.write_text(f"#!/bin/sh\nsh -c 'echo $$ > {self.dir}/child; exec sleep 60'\n")
        linker.chmod(0o755)
        environment = {**os.environ, "TMPDIR": str(self.dir / "tmp"),
                       "PATH": f"{linker.parent}:{os.environ['PATH']}"}
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            with self.subTest(signal=number):
                process = subprocess.Popen(
                    [tool_test.BIN / "briskc", DENSE, "--dim=n=1", "--emit=shared", "-o", self.dir / "x.so"],
                    env=environment, stderr=subprocess.PIPE, cwd=self.dir)
                child = self.dir / "child"
                for _ in range(600):
                    if child.exists() and child.read_text().strip():
                        break
                    time.sleep(0.1)
                self.assertEqual(len(os.listdir(self.dir / "tmp")), 1)
                process.send_signal(number)
                self.assertEqual((process.communicate(timeout=60)[1], process.returncode), (b"", -number))
                self.assertEqual(sorted(os.listdir(self.dir)), ["bin", "child", "tmp"])
                self.assertEqual(os.listdir(self.dir / "tmp"), [])
                self.assertFalse(os.path.exists(f"/proc/{child.read_text().strip()}/exe"))
                child.unlink()

    def test_that_are_ignored_stay_ignored(self):
        process = subprocess.Popen([tool_test.BIN / "briskc", DENSE, "--dim=n=1", "-o", self.dir / "x.a"],
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        while process.poll() is None:
            process.send_signal(signal.SIGHUP)
            time.sleep(0.01)
        self.assertEqual(process.returncode, 0)
        self.assertTrue((self.dir / "x.a").exists())


class MissingPrograms(ToolTest):
    def test_names_the_package(self):
        environment = {**os.environ, "PATH": str(self.dir)}
        for emit, fragment in (("obj", "'ld.lld-22' is not installed; on Debian and Ubuntu it is in package 'lld-22'"),
                               ("exe", "'cc' is not installed; on Debian and Ubuntu it is in package 'gcc'")):
            self.assertRefused(briskc("-o", self.dir / "x", f"--emit={emit}", env=environment), fragment)
        self.assertRefused(briskc("-o", self.dir / "x", "--emit=exe", "--target=aarch64", env=environment),
                           "package 'gcc-aarch64-linux-gnu'")

    def test_says_what_a_linker_said(self):
        linker = self.dir / "ld.lld-22"
        linker.write_text("#!/bin/sh\nseq 100 >&2\nexit 1\n")
        linker.chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.dir}:{os.environ['PATH']}"}
        result = briskc("-o", self.dir / "x", "--emit=obj", env=environment)
        self.assertRefused(result, "'ld.lld-22' failed: 1\n2\n", "(and 95 lines more)")


if __name__ == "__main__":
    _, run = tool_test.main(argparse.ArgumentParser(description=__doc__))
    run()
