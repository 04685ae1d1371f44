#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of a run on a microcontroller, and the bytes that it takes.

A model is linked with the start-up code of examples/firmware and runs twice on QEMU's
board mps2-an386 (Cortex-M4), whose clock counts one tick for every 40 instructions
there (-icount shift=0). The second run is counted, to 40 instructions. Instructions are
not cycles: they compare what compilers emit, on a machine that needs no board.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIRMWARE = ROOT / "examples/firmware"
sys.path.insert(0, str(ROOT / "test/models"))

import inputs as model_inputs

INSTRUCTIONS_A_TICK = 40
TINY = ["tiny_resnet8", "tiny_dscnn_kws", "tiny_mobilenet_vww", "tiny_autoencoder"]
MAIN = r"""
#include "board.h"
#include "model.h"

static _Alignas(MODEL_ARENA_ALIGNMENT) unsigned char arena[MODEL_ARENA_BYTES + 1];
static float input[MODEL_INPUT_0_ELEMENTS];
static float output[MODEL_OUTPUT_0_ELEMENTS];

int main(void) {
  const void *inputs[] = {input};
  void *outputs[] = {output};
  for (int i = 0; i < MODEL_INPUT_0_ELEMENTS; ++i)
    input[i] = (float)(i % 17) / 16.0f;
  for (int run = 0; run < 2; ++run) {
    uint64_t start = board_cycles();
    if (model_run(inputs, outputs, arena, 0))
      return 1;
    uint64_t ticks = board_cycles() - start;
    if (run) {
      board_print("ticks ");
      board_print_number(ticks);
      board_print("\n");
    }
  }
  return 0;
}
"""


def run(command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        raise SystemExit(f"{command[0]} failed:\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def measure(args, path, entry, folder):
    """Millions of instructions, and bytes of arena, weights and code."""
    library = folder / "libmodel.a"
    run([args.bin / "briskc", path, "-o", library, "--name=model", "--target=cortex-m4", *args.flag,
         *model_inputs.shape_flags(entry)])
    (folder / "main.c").write_text(MAIN)
    program = folder / "program"
    run(["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-O2",
         "-ffreestanding", "-nostartfiles", "-I", FIRMWARE, "-I", folder, "-I", ROOT / "runtime/include",
         "-T", FIRMWARE / "mps2_an386.ld", FIRMWARE / "startup.c", folder / "main.c", library, "-o", program])
    printed = run(["qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=0", "-nographic", "-monitor", "none",
                   "-serial", "none", "-semihosting-config", "enable=on,target=native", "-kernel", program],
                  stdin=subprocess.DEVNULL, timeout=600)
    ticks = int(re.search(r"ticks (\d+)", printed).group(1))
    macros = dict(re.findall(r"#define MODEL_(\w+) (\d+)", (folder / "model.h").read_text()))
    code = sum(int(line.split()[0]) for line in run(["arm-none-eabi-size", library]).splitlines()[1:])
    weights = int(macros["WEIGHTS_BYTES"])
    return ticks * INSTRUCTIONS_A_TICK / 1e6, int(macros["ARENA_BYTES"]), weights, code - weights


def main():
    spec = model_inputs.load_spec()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=TINY, metavar="MODEL",
                        help="models of shapes.json, or ONNX files (default: the four tiny ones)")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/bin", help="folder of briskc")
    parser.add_argument("--models-folder", type=pathlib.Path, default=ROOT / "build/models",
                        help="folder that materialize.py filled")
    parser.add_argument("--flag", action="append", default=[], help="passed to briskc, as --flag=--quantize=weights8")
    args = parser.parse_args()
    print(f"{'model':24}{'M instructions':>15}{'arena':>10}{'weights':>10}{'code':>10}  bytes")
    for name in args.models:
        path = args.models_folder / f"{name}.onnx" if name in spec else pathlib.Path(name)
        # A model that was made of one of these has its name in front.
        entry = next((entry for known, entry in spec.items() if path.stem.startswith(known)), {"inputs": {}})
        with tempfile.TemporaryDirectory() as folder:
            millions, arena, weights, code = measure(args, path, entry, pathlib.Path(folder))
        print(f"{path.stem:24}{millions:15.2f}{arena:10}{weights:10}{code:10}", flush=True)


if __name__ == "__main__":
    main()
