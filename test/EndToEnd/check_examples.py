#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs Brisk into a folder of its own, and builds and runs the projects of
examples/ against it, as a user's project would find it."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
INSTALLED = ["bin/briskc", "bin/brisk-opt", "bin/brisk-run", "bin/brisk-bench", "include/brisk/model.h",
             "include/brisk/host.h"]


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
    configs = list(prefix.glob("**/brisk-config.cmake"))
    if len(configs) != 1:
        raise Failure(f"there are {len(configs)} brisk-config.cmake")
    return configs[0].parent


def build(args, package, example, folder, *flags):
    run(args.cmake, "-S", EXAMPLES / example, "-B", folder, "-G", "Ninja", f"-Dbrisk_DIR={package}", *flags)
    run(args.cmake, "--build", folder)


def check_host(args, package, folder):
    """A program for this machine."""
    build(args, package, "host", folder, f"-DMODEL={args.models / 'mobilenet_v2.onnx'}",
          "-DCMAKE_BUILD_TYPE=Release")
    printed = run(folder / "mobilenet_v2_demo")
    for pattern in (r"^mobilenet_v2 for host:", r"^  P99 +\d", r"^highest of 1000 outputs"):
        if not re.search(pattern, printed, re.MULTILINE):
            raise Failure(f"the host example printed no line like {pattern}:\n{printed}")


def check_firmware(args, package, folder):
    """Firmware under QEMU."""
    build(args, package, "firmware", folder,
          f"-DCMAKE_TOOLCHAIN_FILE={EXAMPLES / 'firmware' / 'arm-none-eabi.cmake'}")
    printed = run(args.cmake, "--build", folder, "--target", "run")
    for digit in (2, 4, 7):
        if f"a {digit} is read as {digit} in " not in printed:
            raise Failure(f"the firmware did not read a {digit}:\n{printed}")


def check_exe(args, prefix, folder):
    """The installed compiler links programs with the installed runtime."""
    folder.mkdir()
    run(prefix / "bin" / "briskc", args.models / "tiny_autoencoder.onnx", "-o", "bench", "--emit=exe", cwd=folder)
    run(folder / "bench")


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
            package = install(args, folder / "installed")
        except Failure as failure:
            print(f"FAIL  install: {failure}")
            return 1
        print("ok    install", flush=True)
        for name, check, argument in (("host", check_host, package), ("firmware", check_firmware, package),
                                      ("exe", check_exe, folder / "installed")):
            try:
                check(args, argument, folder / name)
            except (Failure, OSError, subprocess.TimeoutExpired) as failure:
                failed += 1
                print(f"FAIL  {name}: {failure}", flush=True)
            else:
                print(f"ok    {name}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
