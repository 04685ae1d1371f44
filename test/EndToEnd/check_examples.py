#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs Brisk into a folder of its own, and builds and runs projects against it, as users' projects would find it: the
installed examples, cross builds, and one that installs a model for another."""

import argparse
import array
import os
import pathlib
import re
import subprocess
import sys
import tempfile

INSTALLED = ["bin/briskc", "bin/brisk-opt", "bin/brisk-run", "bin/brisk-bench", "include/brisk/model.h",
             "include/brisk/host.h", "include/brisk/brisk.hpp", "include/brisk/flow.hpp", "include/brisk/cpu_features.def", "include/brisk/elements.def", "share/doc/brisk/LICENSE",
             "share/doc/brisk/README.md", "share/doc/brisk/docs/tools.md", "share/brisk/runtime/LICENSE",
             "share/brisk/runtime/src/core/histogram.c"]
EXAMPLES = "share/doc/brisk/examples"
# A project with a model, which it links a program with and installs; and one that uses what it installs.
MODEL_PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(digits VERSION 1.0 LANGUAGES C)
find_package(brisk REQUIRED)
add_brisk_model(digits MODEL ${MODEL} SHAPE input=1x1x28x28)
file(WRITE ${CMAKE_BINARY_DIR}/main.c [[
#include "digits.h"
#include "brisk/histogram.h"
int main(void) {
  static uint32_t counts[BRISK_HISTOGRAM_SLOTS(2, 8)];
  brisk_histogram histogram;
  brisk_histogram_init(&histogram, counts, 2, 8);
  brisk_histogram_record(&histogram, 7);
  return histogram.count == 1 && digits_run(0, 0, 0, 0) == BRISK_ERROR_NULL ? 0 : 1;
}
]])
add_executable(program ${CMAKE_BINARY_DIR}/main.c)
target_link_libraries(program PRIVATE digits brisk::core)
install(TARGETS digits program EXPORT digits)
install(EXPORT digits DESTINATION lib/cmake/digits FILE digits-config.cmake)
"""
USING_PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(using LANGUAGES C)
find_package(brisk REQUIRED)
find_package(digits REQUIRED)
file(WRITE ${CMAKE_BINARY_DIR}/main.c [[
#include <digits.h>
int main(void) { return digits_model.num_inputs == 1 && digits_run(0, 0, 0, 0) == BRISK_ERROR_NULL ? 0 : 1; }
]])
add_executable(using ${CMAKE_BINARY_DIR}/main.c)
target_link_libraries(using PRIVATE digits)
"""
ARM = ["-DCMAKE_SYSTEM_NAME=Generic", "-DCMAKE_SYSTEM_PROCESSOR=arm", "-DCMAKE_C_COMPILER=arm-none-eabi-gcc",
       "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY", "-DCMAKE_EXE_LINKER_FLAGS=--specs=nosys.specs"]
AARCH64 = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64",
           "-DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc", "-DCMAKE_EXE_LINKER_FLAGS=-static"]
X86 = ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=x86_64"]
# Flags of the cross build, the target that they mean, and what runs the program.
TOOLCHAINS = {
    "cortex-m4": (ARM + ["-DCMAKE_C_FLAGS=-mthumb -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16"], "cortex-m4", None),
    "aarch64": (AARCH64, "aarch64", ["qemu-aarch64-static"]),
    "x86-64": (X86 + ["-DCMAKE_C_FLAGS=-O1 -march=x86-64-v2"], "x86-64-v2", []),
}
REFUSED_TOOLCHAINS = {
    "soft-float": (ARM + ["-DCMAKE_C_FLAGS=-mcpu=cortex-m4 -mfloat-abi=soft"], "without -mfloat-abi=hard"),
    "cortex-m7": (ARM + ["-DCMAKE_C_FLAGS=-mcpu=cortex-m7 -mfloat-abi=hard"], "Generic on 'cortex-m7' is not known"),
    "arm-linux": (["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=armv7l"], "Linux on 'armv7l' is not known"),
    "x86-64-without-level": (X86 + ["-DCMAKE_C_FLAGS=-march=core2"], "without -march=x86-64-v2"),
}


class Failure(Exception):
    """What went wrong, with the tool's last lines."""


def run(*command, **kwargs):
    # Nothing of the build tree may be found by way of the environment.
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("LD_", "CMAKE_"))}
    result = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, timeout=900, env=environment, **kwargs)
    if result.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stdout[-3000:]}")
    return result.stdout


def install(args, prefix):
    run(args.cmake, "--install", args.build, "--prefix", prefix)
    for file in INSTALLED:
        if not (prefix / file).is_file():
            raise Failure(f"{file} is not installed")
    for tool in ("briskc", "brisk-opt", "brisk-run", "brisk-bench"):
        run(prefix / "bin" / tool, "--help", cwd="/")
    configs = [path.relative_to(prefix) for path in prefix.glob("**/brisk-config.cmake")]
    if list(map(str, configs)) != ["lib/cmake/brisk/brisk-config.cmake"]:
        raise Failure(f"brisk-config.cmake is installed as {configs}")


def build(args, prefix, source, folder, *flags):
    run(args.cmake, "-S", source, "-B", folder, "-G", "Ninja", f"-Dbrisk_DIR={prefix / 'lib/cmake/brisk'}", *flags)
    run(args.cmake, "--build", folder)


def write_project(folder, text):
    folder.mkdir(parents=True)
    (folder / "CMakeLists.txt").write_text(text)
    return folder


def check_host(args, prefix, folder):
    """A program for this machine."""
    build(args, prefix, prefix / EXAMPLES / "host", folder, f"-DMODEL={args.models / 'mobilenet_v2.onnx'}",
          "-DCMAKE_BUILD_TYPE=Release")
    printed = run(folder / "mobilenet_v2_demo")
    for pattern in (r"^mobilenet_v2 for host:", r"^  P99 +\d", r"^highest of 1000 outputs"):
        if not re.search(pattern, printed, re.MULTILINE):
            raise Failure(f"the host example printed no line like {pattern}:\n{printed}")


def check_cpp(args, prefix, folder):
    """A C++ program that opens a model."""
    folder.mkdir()
    model = folder / "digits.so"
    run(prefix / "bin" / "briskc", prefix / EXAMPLES / "firmware" / "mnist_mobilenet.onnx", "--shape=input=1x1x28x28",
        "--emit=shared", "-o", model, "--quiet")
    build(args, prefix, prefix / EXAMPLES / "cpp", folder / "build")
    image = folder / "image.f32"
    image.write_bytes(array.array("f", [0.5] * (28 * 28)).tobytes())
    printed = run(folder / "build" / "classify", model, image)
    if not re.fullmatch(r"mnist_mobilenet on \d+ threads\n(class \d: -?\d+\.\d{4}\n){3}", printed):
        raise Failure(f"the C++ example printed:\n{printed}")
    image.write_bytes(b"short")
    try:
        run(folder / "build" / "classify", model, image)
    except Failure as failure:
        if "image.f32 does not hold float32 of shape 1x1x28x28" not in str(failure):
            raise
    else:
        raise Failure("the C++ example took a file that is too short")


def check_firmware(args, prefix, folder):
    """Firmware under QEMU."""
    source = prefix / EXAMPLES / "firmware"
    build(args, prefix, source, folder, f"-DCMAKE_TOOLCHAIN_FILE={source / 'arm-none-eabi.cmake'}")
    printed = run(args.cmake, "--build", folder, "--target", "run")
    for digit in (2, 4, 7):
        if f"a {digit} is read as {digit} in " not in printed:
            raise Failure(f"the firmware did not read a {digit}:\n{printed}")


def check_exe(args, prefix, folder):
    """The installed compiler links programs with the installed runtime."""
    folder.mkdir()
    run(prefix / "bin" / "briskc", args.models / "tiny_autoencoder.onnx", "-o", "bench", "--emit=exe", cwd=folder)
    run(folder / "bench")


def check_install(args, prefix, folder):
    """A model that a project installs is found and linked by another."""
    model = f"-DMODEL={prefix / EXAMPLES / 'firmware' / 'mnist_mobilenet.onnx'}"
    build(args, prefix, write_project(folder / "model", MODEL_PROJECT), folder / "build", model)
    run(folder / "build" / "program")
    run(args.cmake, "--install", folder / "build", "--prefix", folder / "digits")
    for file in ("lib/libdigits.a", "include/digits.h"):
        if not (folder / "digits" / file).is_file():
            raise Failure(f"the model's {file} is not installed")
    build(args, prefix, write_project(folder / "using", USING_PROJECT), folder / "using-build",
          f"-Ddigits_DIR={folder / 'digits/lib/cmake/digits'}")
    run(folder / "using-build" / "using")


def check_cross(args, prefix, folder):
    """Toolchains decide the target, and the runtime is built for it."""
    source = write_project(folder / "model", MODEL_PROJECT)
    model = f"-DMODEL={prefix / EXAMPLES / 'firmware' / 'mnist_mobilenet.onnx'}"
    for name, (flags, target, runner) in TOOLCHAINS.items():
        build(args, prefix, source, folder / name, model, *flags)
        header = (folder / name / "digits.brisk" / "digits.h").read_text()
        if f"--target={target} " not in header:
            raise Failure(f"{name}: the model is not for {target}:\n{header[:300]}")
        if runner is not None:
            run(*runner, folder / name / "program")
        # Another installation must not get the runtime's files.
        run(args.cmake, "--install", folder / name, "--prefix", folder / f"{name}-installed")
        if list((folder / f"{name}-installed").glob("**/*brisk*")):
            raise Failure(f"{name}: the project installs Brisk's runtime")
        # The runtime by itself.
        build(args, prefix, prefix / "share/brisk/runtime", folder / f"{name}-runtime", *flags)
        if not (folder / f"{name}-runtime" / "libbrisk_core.a").is_file():
            raise Failure(f"{name}: there is no libbrisk_core.a")
    for name, (flags, message) in REFUSED_TOOLCHAINS.items():
        try:
            build(args, prefix, source, folder / name, model, *flags)
        except Failure as failure:
            if message not in " ".join(str(failure).split()):
                raise Failure(f"{name}: the message lacks '{message}': {failure}") from None
        else:
            raise Failure(f"{name}: configuring is not refused")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cmake", default="cmake", help="the cmake program")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder of Brisk")
    parser.add_argument("--models", type=pathlib.Path, required=True, help="folder that materialize.py filled")
    args = parser.parse_args()
    args.build, args.models = args.build.resolve(), args.models.resolve()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        try:
            install(args, folder / "installed")
        except Failure as failure:
            print(f"FAIL  install: {failure}")
            return 1
        print("ok    install", flush=True)
        for name, check in (("host", check_host), ("cpp", check_cpp), ("firmware", check_firmware), ("exe", check_exe),
                            ("install", check_install), ("cross", check_cross)):
            try:
                check(args, folder / "installed", folder / name)
            except (Failure, OSError, subprocess.TimeoutExpired) as failure:
                failed += 1
                print(f"FAIL  {name}: {failure}", flush=True)
            else:
                print(f"ok    {name}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
