# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks an ONNX model as strictly as ONNX can, and prints it as text."""

import sys

import onnx
import onnx.printer

model = onnx.load(sys.argv[1])
onnx.checker.check_model(model, full_check=True)
print(onnx.printer.to_text(model))
