#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that a model is made of, as make, Ninja and CMake learn of them."""

import argparse
import os
import pathlib
import shutil
import subprocess

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import tool_test
from tool_test import DENSE, ToolTest, call

PACKAGE = None
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(user C)
find_package(brisk REQUIRED)
add_brisk_model(m MODEL m.onnx)
add_executable(main main.c)
target_link_libraries(main PRIVATE m)
"""


def write_model(folder, scale, data="w.bin"):
    """y = x + w with w in another file."""
    weights = np.full(100, scale, np.float32)
    tensor = numpy_helper.from_array(weights, "w")
    graph = helper.make_graph([helper.make_node("Add", ["x", "w"], ["y"])], "g",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, [100])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [100])], [tensor])
    model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])
    onnx.save(model, folder / "m.onnx", save_as_external_data=True, location=data, size_threshold=0)


class Depfile(ToolTest):
    def test_names_all_that_is_read(self):
        write_model(self.dir, 1)
        self.assertEqual(call("briskc", "m.onnx", "-o", "libm.a", "--depfile=m.d", cwd=self.dir).returncode, 0)
        self.assertEqual((self.dir / "m.d").read_text(), "libm.a m.h: \\\n  m.onnx \\\n  w.bin\n")

    def test_names_a_text_in_the_dialect(self):
        self.assertEqual(call("briskc", DENSE, "--dim=n=1", "--emit=import", "-o", self.dir / "m.mlir").returncode, 0)
        self.assertEqual(call("briskc", "m.mlir", "-o", "m.o", "--emit=obj", "--depfile=m.d",
                              cwd=self.dir).returncode, 0)
        self.assertEqual((self.dir / "m.d").read_text(), "m.o: \\\n  m.mlir\n")

    def test_is_not_written_of_a_failure(self):
        self.assertEqual(call("briskc", DENSE, "-o", "m.a", "--depfile=m.d", cwd=self.dir).returncode, 1)
        self.assertEqual(os.listdir(self.dir), [])

    def test_make_and_ninja_read_any_path(self):
        folder = self.dir / "a b#c$d"
        folder.mkdir()
        write_model(folder, 1, "w 1.bin")
        self.assertEqual(call("briskc", folder / "m.onnx", "-o", folder / "out.o", "--emit=obj",
                              f"--depfile={self.dir}/m.d").returncode, 0)
        escaped = str(folder).replace("$", "$$").replace("#", r"\#").replace(" ", r"\ ")
        self.assertEqual((self.dir / "m.d").read_text(),
                         f"{escaped}/out.o: \\\n  {escaped}/m.onnx \\\n  {escaped}/w\\ 1.bin\n")
        if shutil.which("make"):
            # Up to date, then not.
            (self.dir / "Makefile").write_text((self.dir / "m.d").read_text() + "\ttrue\n")
            target = str(folder / "out.o")
            self.assertEqual(subprocess.run(["make", "-q", target], cwd=self.dir, capture_output=True).returncode, 0)
            os.utime(folder / "w 1.bin", (2e9, 2e9))
            self.assertEqual(subprocess.run(["make", "-q", target], cwd=self.dir, capture_output=True).returncode, 1)


class CMake(ToolTest):
    def check(self, generator):
        source, build = self.dir / "src dir", self.dir / "build"
        source.mkdir()
        write_model(source, 1)
        (source / "CMakeLists.txt").write_text(PROJECT)
        (source / "main.c").write_text('#include "m.h"\nint main(void) { return m_model.num_inputs != 1; }\n')

        def cmake(*args):
            result = subprocess.run(["cmake", *map(str, args)], capture_output=True, text=True, timeout=300)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertNotIn("CMP0116", result.stderr)
            return result.stdout

        cmake("-S", source, "-B", build, "-G", generator, f"-Dbrisk_DIR={PACKAGE}")
        self.assertIn("Compiling m.onnx", cmake("--build", build))
        self.assertNotIn("Compiling m.onnx", cmake("--build", build))
        archive = build / "libm.a"
        before = archive.read_bytes()
        # Other values, and not a moment ago.
        (source / "w.bin").write_bytes(np.full(100, 2, np.float32).tobytes())
        os.utime(source / "w.bin", (archive.stat().st_mtime + 5,) * 2)
        self.assertIn("Compiling m.onnx", cmake("--build", build))
        self.assertNotEqual(archive.read_bytes(), before)

    def test_ninja(self):
        self.check("Ninja")

    def test_makefiles(self):
        if not shutil.which("make"):
            self.skipTest("no make here")
        self.check("Unix Makefiles")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--package", type=pathlib.Path, required=True, help="folder of brisk-config.cmake")
    args, run = tool_test.main(parser)
    PACKAGE = args.package.resolve()
    run()
