#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a model of COUNT local functions, each of which calls the next TIMES times."""

import sys

count, times, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
text = '<ir_version: 8, opset_import: ["" : 17, "l" : 1]>\nm (float[2] x) => (float[2] y) { y = l.F0(x) }\n'
for i in range(count):
    text += f'<domain: "l", opset_import: ["" : 17, "l" : 1]>\nF{i} (x) => (y)\n{{\n'
    if i == count - 1:
        text += "  y = Neg(x)\n}\n"
        continue
    names = ["x"] + [f"t{k}" for k in range(1, times)] + ["y"]
    for a, b in zip(names, names[1:]):
        text += f"  {b} = l.F{i + 1}({a})\n"
    text += "}\n"
with open(path, "w") as file:
    file.write(text)
