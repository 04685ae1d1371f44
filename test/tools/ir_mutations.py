#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What mutate_ir.py changes in the text of IR: lines, tokens, attributes, or one thing everywhere.

A seed is anything whose .text is a module.
"""

import random
import re

TOKEN = re.compile(r"""
    "(?:[^"\\]|\\.)*" | (?:tensor|memref|vector)<[^<>]*(?:<[^<>]*>[^<>]*)*> |
    -?\d+\.\d+(?:[eE][+-]?\d+)? | 0x[0-9A-Fa-f]+(?![\dx]) | -?\d+ | [%@#^!][\w.$#-]+ | [A-Za-z_][\w.$]* | -> | :: | \s+ | .
    """, re.VERBOSE | re.DOTALL)
NUMBERS = ["0", "1", "-1", "2", "3", "7", "16", "31", "32", "33", "64", "127", "128", "255", "1000", "65536", "1048576",
           "2147483647", "-2147483648", "4294967296", "4611686018427387904", "9223372036854775807",
           "-9223372036854775808", "9223372036854775808"]
SIZES = ["0", "1", "2", "3", "5", "8", "16", "17", "64", "1000", "?", "65536", "2147483648", "4611686018427387904"]
ELEMENTS = ["f16", "bf16", "f32", "f64", "i1", "i4", "i8", "i16", "i32", "i64", "si8", "si32", "ui8", "ui32", "ui64",
            "i128", "index", "f8E4M3FN", "f80", "complex<f32>", "none"]
FLOATS = ["0.0", "-0.0", "1.0", "1.0e-45", "3.4e38", "1.0e300", "0x7FC00000", "0x7F800000", "-1.0"]
# What MLIR's own parser dies of.
UPSTREAM = re.compile(r"array<\s*(?!i(1|8|16|32|64)\b|f(32|64)\b)[\w<>]*")


class Mutator:
    """Mutants of seeds, from tokens and attributes that any of them has."""

    def __init__(self, seeds, seed):
        self.random = random.Random(seed)
        self.pool = {}
        for each in seeds:
            for token in TOKEN.findall(each.text):
                self.pool.setdefault(self.kind(token), {})[token] = None
        self.pool = {kind: list(tokens) for kind, tokens in self.pool.items()}
        self.attributes = sorted({found for each in seeds for found in re.findall(
            r"[{,] ?(\w+ = (?:-?[\w.]+(?: : \w+)?|\[[^\[\]]*\]|array<[^<>]*>|#brisk<[^<>]*>|\"[^\"]*\"))", each.text)})

    @staticmethod
    def kind(token):
        if re.match(r"(tensor|memref|vector)<", token):
            return "type"
        for kind, pattern in (("space", r"\s+$"), ("float", r"-?\d+\.\d"), ("number", r"-?\d"), ("string", '"'),
                              ("value", "%"), ("symbol", "[@#^!]"), ("op", r"[a-z_]+\.[\w.]+$"), ("word", r"\w")):
            if re.match(pattern, token):
                return kind
        return "sign"

    def type(self, old):
        """Another shaped type: a size, the element type, the rank or the layout changed, or one from elsewhere."""
        match = re.match(r"(\w+)<((?:[\d?]+x)*)([^,>]*)(.*)>$", old, re.DOTALL)
        if not match or self.random.random() < 0.1:
            return self.random.choice(self.pool["type"])
        kind, sizes, element, rest = match.groups()
        sizes = sizes.split("x")[:-1]
        choice = self.random.random()
        if choice < 0.4 and sizes:
            sizes[self.random.randrange(len(sizes))] = self.random.choice(SIZES)
        elif choice < 0.6:
            element = self.random.choice(ELEMENTS)
        elif choice < 0.7 and sizes:
            del sizes[self.random.randrange(len(sizes))]
        elif choice < 0.8:
            sizes.insert(self.random.randint(0, len(sizes)), self.random.choice(SIZES))
        elif choice < 0.85:
            kind = self.random.choice(["tensor", "memref", "vector"])
        elif choice < 0.9:
            sizes, element = [], "*x" + element
        elif choice < 0.95:
            rest = self.random.choice(["", ", strided<[?, 1], offset: ?>", ", strided<[0, -1]>", ", 3 : i64",
                                       ", affine_map<(d0, d1) -> (d1, d0)>"])
        else:
            self.random.shuffle(sizes)
        return f"{kind}<{''.join(size + 'x' for size in sizes)}{element}{rest}>"

    def replacement(self, token):
        kind = self.kind(token)
        if kind == "type":
            return self.type(token)
        if kind == "number":
            return self.random.choice(NUMBERS)
        if kind == "float":
            return self.random.choice(FLOATS)
        if kind == "op" and token.startswith("brisk."):
            return self.random.choice([op for op in self.pool["op"] if op.startswith("brisk.")])
        if token in ELEMENTS:
            return self.random.choice(ELEMENTS)
        return self.random.choice(self.pool.get(kind, [token]))

    def mutate_lines(self, text):
        lines = text.split("\n")
        i, j = self.random.randrange(len(lines)), self.random.randrange(len(lines))
        choice = self.random.randrange(4)
        if choice == 0:
            del lines[i]
        elif choice == 1:
            lines.insert(j, lines[i])
        elif choice == 2:
            lines[i], lines[j] = lines[j], lines[i]
        else:
            lines = lines[:min(i, j)] + lines[max(i, j):]
        return "\n".join(lines)

    def mutate_tokens(self, text):
        tokens = TOKEN.findall(text)
        places = [i for i, token in enumerate(tokens) if not token.isspace()]
        if not places:
            return text
        i, j = self.random.choice(places), self.random.choice(places)
        choice = self.random.random()
        if choice < 0.1:
            del tokens[i]
        elif choice < 0.15:
            tokens.insert(i, tokens[i])
        elif choice < 0.25:
            same = [j for j in places if self.kind(tokens[j]) == self.kind(tokens[i])]
            j = self.random.choice(same)
            tokens[i], tokens[j] = tokens[j], tokens[i]
        else:
            kinds = {}
            for place in places:
                kinds.setdefault(self.kind(tokens[place]), []).append(place)
            kinds = {kind: found for kind, found in kinds.items() if kind != "sign" or self.random.random() < 0.2}
            if kinds:
                i = self.random.choice(kinds[self.random.choice(sorted(kinds))])
            tokens[i] = self.replacement(tokens[i])
        return "".join(tokens)

    def mutate_attribute(self, text):
        """One number or word of a schedule, a layout, a target or another attribute changed, or one entry taken out."""
        places = [match.span() for match in re.finditer(
            r"schedule <[^>]*>|#brisk[\w.]*<[^>]*>|\{\w+ = [^{}]*\}|(?<![%\w.])[\w.]+ = (?![\w.]+\.)[^,{}]+", text)]
        if not places:
            return text
        start, end = self.random.choice(places)
        inside = text[start:end]
        entries = list(re.finditer(r"\w+ = [^,{}<>]*(?:<[^>]*>)?,? ?", inside))
        values = list(re.finditer(r"(?<=[=<\[,( ])-?\d[\w.-]*|\"[^\"]*\"", inside))
        if not values or self.random.random() < 0.2:
            values = list(re.finditer(r"(?<=[=<\[,: ])[a-z]\w*", inside))
        if entries and self.random.random() < 0.2:
            match, new = self.random.choice(entries), ""
        elif values:
            match = self.random.choice(values)
            new = self.random.choice(NUMBERS) if re.match(r"-?\d", match[0]) else self.replacement(match[0])
        else:
            return text
        return text[:start] + inside[:match.start()] + new + inside[match.end():] + text[end:]

    def mutate_everywhere(self, text):
        """One thing changed wherever it stands, so that types still fit together."""
        choice = self.random.random()
        types = sorted(set(re.findall(r"(?:tensor|memref|vector)<[^<>]*>", text)))
        if choice < 0.3 and types:
            old = self.random.choice(types)
            return text.replace(old, self.type(old))
        if choice < 0.6:
            sizes = sorted(set(re.findall(r"(?<=[<x])\d+(?=x)", text)))
            if sizes:
                old, new = self.random.choice(sizes), self.random.choice(SIZES)
                return re.sub(rf"(?<=[<x]){old}(?=x)", new, text)
        if choice < 0.8:
            elements = [element for element in ELEMENTS if re.search(rf"\b(?:\d+x)*{element}\b", text)]
            if elements:
                old, new = self.random.choice(elements), self.random.choice(ELEMENTS)
                return re.sub(rf"(?<![A-Za-z_]){old}\b", new, text)
        if choice < 0.9:
            number = self.random.choice(re.findall(r"\d+", text) or ["0"])
            return re.sub(rf"(?<![\w%]){number}(?!\w)", self.random.choice(NUMBERS[:16]), text)
        dictionaries = [match.end() for match in re.finditer(r"\{(?=\w+ = )", text)]
        if dictionaries:
            place = self.random.choice(dictionaries)
            return text[:place] + self.random.choice(self.attributes) + ", " + text[place:]
        return text

    def mutate(self, text):
        for _ in range(self.random.choice([1, 1, 1, 2, 2, 3, 5])):
            choice = self.random.random()
            if choice < 0.1:
                text = self.mutate_lines(text)
            elif choice < 0.4:
                text = self.mutate_tokens(text)
            elif choice < 0.55:
                text = self.mutate_attribute(text)
            else:
                text = self.mutate_everywhere(text)
        return UPSTREAM.sub("array<i64", text)


def wrong_fields(seeds):
    """Seeds with every field of every kind of schedule, of Brisk's other attributes and of packed weights wrong, one at a
    time."""
    known = set()
    for seed in seeds:
        for place in re.finditer(
                r"schedule <[^>]*>|#brisk[\w.]*<[^>]*>|brisk\.\w+ = [^,{}\[\]]+|brisk\.unpack [^\n]*", seed.text):
            kind = re.sub(r"(?<![\w%])-?\d+|%\w+", "0", place[0])
            if kind in known:
                continue
            known.add(kind)
            for field in re.finditer(r'(?<![\w%])-?\d+(?=\D)|"[^"]*"', place[0]):
                for value in ("0", "-1", "1", "7", "1000", "9223372036854775807", "1.5", '"x"', '""', ""):
                    if value != field[0]:
                        start = place.start() + field.start()
                        yield seed.text[:start] + value + seed.text[start + len(field[0]):]
