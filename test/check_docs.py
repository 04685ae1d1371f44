#!/usr/bin/env python3
#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the documentation to the tools: IR in it and in the descriptions of ops parses, calls of brisk-opt print what they
are shown to print, and links lead somewhere."""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A file that one page shows is there for the next.
FIRST = "docs/tools.md"
# The file of a recipe without one: any group.
GROUP = "docs/design.md"


def blocks(text):
    """The language and the content of every fenced block."""
    return re.findall(r"^```([\w+]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def brisk_opt(args, folder, *flags, text=None):
    return subprocess.run([args.bin / "brisk-opt", *flags], input=text, capture_output=True, text=True, cwd=folder)


def check_session(args, folder, content):
    """Runs the calls of brisk-opt in a block of '$ COMMAND' and what it prints; `cat FILE` gives the file. Of what fails,
    the lines with errors are shown, and '(exit code N)'."""
    for line, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", content, re.MULTILINE):
        words = shlex.split(line)
        if words[0] == "cat" and len(words) == 2:
            (folder / words[1]).write_text(shown)
        elif words[0] == "brisk-opt":
            result = brisk_opt(args, folder, *words[1:])
            printed = (result.stdout + result.stderr).strip()
            if result.returncode:
                printed = "\n".join([*(text for text in result.stderr.splitlines() if " error: " in text),
                                     f"(exit code {result.returncode})"])
            if printed != shown.strip():
                yield f"'{line}' prints\n{printed}"


def check_page(args, folder, page):
    for language, content in blocks(page.read_text()):
        if language == "mlir":
            result = brisk_opt(args, folder, text=content)
            if result.returncode:
                yield f"IR does not parse: {result.stderr}"
        elif content.startswith("$ "):
            yield from check_session(args, folder, content)
        elif content.startswith("brisk-opt "):
            for line in content.splitlines():
                result = brisk_opt(args, folder, *shlex.split(line)[1:])
                if result.returncode:
                    yield f"'{line}': {result.stderr}"


def check_examples(args, folder):
    """Parses the example of every op's description. Values and functions that one uses and does not define become
    arguments and declarations; of what type, brisk-opt says."""
    examples = []
    for path in sorted((ROOT / "include/brisk/Dialect").glob("*.td")):
        for number, content in enumerate(re.findall(r"```mlir\n(.*?)```", path.read_text(), re.DOTALL)):
            # A terminator alone has nowhere to stand.
            if not re.fullmatch(r"\s*brisk\.yield .*\n\s*", content):
                defined = re.findall(r"(%\w+)(?::\d+)?(?=[, %\w:]* = )|(%\w+)(?=: )", content)
                free = sorted(set(re.findall(r"%\w+", content)) - {name for names in defined for name in names})
                examples.append((f"{path.name}, example {number}", content, dict.fromkeys(free, "none"),
                                 set(re.findall(r"@(\w+)", content))))
    while examples:
        texts = [content if content.lstrip().startswith("module ") else
                 "".join(f"func.func private @{name}()\n" for name in called) +
                 f"func.func @example({', '.join(f'{name}: {type}' for name, type in values.items())}) {{\n"
                 f"{content}\nreturn\n}}\n" for _, content, values, called in examples]
        lines, errors = 0, brisk_opt(args, folder, "--split-input-file", text="// -----\n".join(texts)).stderr
        left = []
        for text, example in zip(texts, examples):
            name, _, values, _ = example
            first, lines = lines, lines + text.count("\n") + 1
            mine = [message for line, message in re.findall(r"^<stdin>:(\d+):\d+: error: (.*)", errors, re.MULTILINE)
                    if first < int(line) <= lines]
            if not mine:
                continue
            if match := re.match(r"use of value '(%\w+)' expects different type than prior uses: '(.*)' vs 'none'", mine[0]):
                values[match[1]] = match[2]
                left.append(example)
            else:
                yield f"{name} does not parse: {mine[0]}"
        examples = left


def check_links(page):
    """Links to files, and to headings as GitHub names them."""
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        target = page if not file else page.parent / file
        if not target.exists():
            yield f"link to {link} leads nowhere"
        elif anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
            names = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            if anchor not in names:
                yield f"link to {link}: there is no such heading"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of the tools")
    args = parser.parse_args()
    args.bin = args.bin.resolve()
    faults = []
    pages = [ROOT / FIRST, ROOT / "README.md",
             *(page for page in sorted((ROOT / "docs").glob("*.md")) if page != ROOT / FIRST)]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        group = next(content for language, content in blocks((ROOT / GROUP).read_text()) if language == "mlir")
        (folder / "group.mlir").write_text(group)
        for page in pages:
            faults += [f"{page.relative_to(ROOT)}: {fault}" for fault in check_page(args, folder, page)]
        faults += check_examples(args, folder)
    for page in pages:
        faults += [f"{page.relative_to(ROOT)}: {fault}" for fault in check_links(page)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
