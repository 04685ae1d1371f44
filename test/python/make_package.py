#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a wheel of a finished build, installs it into BUILD/python/site, and checks that what is in it needs nothing but
itself and the libraries of every Linux system."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SYSTEM = ("linux-vdso", "ld-linux", "libc.so", "libm.so", "libdl.so", "librt.so", "libpthread.so", "libgcc_s.so", "libstdc++.so")


def run(*command):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("LD_", "CMAKE_"))}
    scripts = pathlib.Path(sys.executable).parent
    environment["PATH"] = f"{scripts}{os.pathsep}{environment['PATH']}"
    result = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stdout[-4000:]}")
    return result.stdout


def is_elf(path):
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="folder of a finished build")
    args = parser.parse_args()
    folder = args.build.resolve() / "python"
    for name in ("wheel", "site"):
        shutil.rmtree(folder / name, ignore_errors=True)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(*pip, "wheel", ROOT, "--no-deps", "--no-build-isolation", "--wheel-dir", folder / "wheel",
        f"--config-settings=build-dir={folder / 'build'}", f"--config-settings=cmake.define.BRISK_BUILD={args.build.resolve()}")
    wheel, = (folder / "wheel").glob("brisk-*.whl")
    run(*pip, "install", "--no-deps", "--no-index", "--target", folder / "site", wheel)

    package = folder / "site" / "brisk"
    checked = 0
    for path in sorted(package.rglob("*")):
        if not is_elf(path) or path.suffix in (".a", ".o"):
            continue
        checked += 1
        for line in run("ldd", path).splitlines():
            name, _, found = line.strip().partition(" => ")
            if name == "statically linked":
                continue
            if not pathlib.Path(name.split()[0]).name.startswith(SYSTEM) and not found.startswith(str(package)):
                sys.exit(f"{path.relative_to(package)} needs {line.strip()}, which is not in the wheel")
    if checked < 7:
        sys.exit(f"only {checked} programs and libraries are in the wheel")
    print(f"{wheel.name}: {wheel.stat().st_size >> 20} MiB, {checked} programs and libraries")


if __name__ == "__main__":
    main()
