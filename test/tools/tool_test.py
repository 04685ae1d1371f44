#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of the tools as programs share: a folder for each, and calls."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

DENSE = pathlib.Path(__file__).resolve().parent / "Inputs" / "dense.onnxtxt"
BIN = None


def call(tool, *args, **kwargs):
    return subprocess.run([BIN / tool, *map(str, args)], **{
        "stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
        "timeout": 120, **kwargs})


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="brisk-tools-"))
        self.addCleanup(shutil.rmtree, self.dir)

    def assertRefused(self, result, *fragments):
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("error: ", result.stderr)
        for fragment in fragments:
            self.assertIn(fragment, result.stderr)
        self.assertNotRegex(result.stderr, "(?i)llvm error|stack dump")


def main(parser):
    """Runs the tests of the calling module; gives the other arguments."""
    global BIN
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    args, rest = parser.parse_known_args()
    BIN = args.bin.resolve()
    return args, lambda: unittest.main(argv=[sys.argv[0], *rest])
