# -*- Python -*-
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The lit suite: .mlir, .onnxtxt and .test files whose RUN lines call the
# project's tools. lit.site.cfg.py, which CMake writes, says where things are.

import os
import platform
import re
import shutil

import lit.formats

config.name = "brisk"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".onnxtxt", ".test"]
config.excludes = ["Inputs", "EndToEnd", "conformance", "models"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.brisk_build, "test")

# The tools under test first, then LLVM's FileCheck, not, split-file, llvm-nm...
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.brisk_build, "bin"), config.llvm_bin, os.environ["PATH"]])
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"

# Every IR that a test feeds to brisk-opt must survive printing and parsing.
brisk_opt = os.path.join(config.brisk_build, "bin", "brisk-opt")
config.substitutions += [
    (r"(?<![\w/.-])brisk-opt(?![\w.-])", f"{brisk_opt} --verify-roundtrip"),
    ("%python", config.python),
    ("%clang", os.path.join(config.llvm_bin, "clang")),
    ("%brisk_source", config.brisk_source),
    ("%runtime_include", os.path.join(config.brisk_source, "runtime", "include")),
    ("%runtime_lib", os.path.join(config.brisk_build, "lib")),
]

# What this machine can run. A test that needs more says REQUIRES: feature.
config.available_features.add(platform.machine().replace("_", "-"))
try:
    with open("/proc/cpuinfo") as cpuinfo:
        flags = re.search(r"^(?:flags|Features)\s*:(.*)$", cpuinfo.read(), re.MULTILINE)
except OSError:
    flags = None
present = set(flags.group(1).split()) if flags else set()
for flag in ("avx2", "fma", "avx512f", "avx512_vnni", "avx512vbmi", "amx_int8"):
    if flag in present:
        config.available_features.add(flag.replace("_", "-"))
for tool, feature in (
    ("qemu-aarch64-static", "qemu-aarch64"),
    ("qemu-x86_64-static", "qemu-x86-64"),
    ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-gcc"),
    ("qemu-system-arm", "qemu-system-arm"),
    ("arm-none-eabi-gcc", "arm-none-eabi-gcc"),
):
    if shutil.which(tool):
        config.available_features.add(feature)
if "-fsanitize" in config.cxx_flags:
    config.available_features.add("sanitizers")
if os.geteuid() == 0:
    config.available_features.add("root")
