#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The structs of brisk/model.h for ctypes, read off the header itself."""

import ctypes
import pathlib
import re

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "runtime" / "include"
_NUMBERS = {"int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32, "int64_t": ctypes.c_int64,
            "uint64_t": ctypes.c_uint64, "float": ctypes.c_float}

#: NumPy's names of the element types, by brisk_dtype.
DTYPES = {int(number): name for number, name in re.findall(
    r'^BRISK_ELEMENT\(\w+, (\d+), \d+, .\w., "(\w+)"', (INCLUDE / "brisk" / "elements.def").read_text(), re.MULTILINE)}


def _read_field(declaration, structs):
    """A field's name and type. Functions, and what points to a pointer, are addresses."""
    function = re.search(r"\(\*(\w+)\)", declaration)
    if function:
        return function.group(1), ctypes.c_void_p
    kind, stars, name = re.fullmatch(r"(?:const )?(\w+) ?((?:\* ?(?:const ?)?)*)(\w+)", declaration).groups()
    base = structs.get(kind) or _NUMBERS.get(kind)
    if "*" not in stars:
        return name, base or ctypes.c_void_p
    if stars.count("*") == 1 and kind == "char":
        return name, ctypes.c_char_p
    return name, ctypes.POINTER(base) if stars.count("*") == 1 and base else ctypes.c_void_p


def read_structs(include=INCLUDE):
    """The structs of a header folder by name, and its interface version."""
    text = (include / "brisk" / "model.h").read_text()
    version = int(re.search(r"#define BRISK_ABI_VERSION (\d+)u", text).group(1))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    structs = {}
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", text, re.DOTALL):
        declarations = [" ".join(part.split()) for part in body.split(";")]
        fields = [_read_field(part, structs) for part in declarations if part]
        structs[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    return structs, version


def pointers(addresses):
    """An array of pointers, as calls take it."""
    return (ctypes.c_void_p * max(1, len(addresses)))(*addresses)


def make_call(structs, inputs, outputs, memory, hooks=None):
    """A brisk_call over addresses; keep it, and what it points to, for as long as it is used."""
    call = structs["brisk_call"](size=ctypes.sizeof(structs["brisk_call"]))
    call.keep = [pointers(inputs), pointers(outputs), pointers(memory), hooks]
    call.inputs, call.outputs, call.memory = map(ctypes.addressof, call.keep[:3])
    if hooks:
        call.hooks = ctypes.pointer(hooks)
    return call


def get_entry(model):
    """What runs a brisk_call."""
    return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(model.call)
