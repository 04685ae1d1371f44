#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cuts a model that fails down for as long as it fails in the same way."""

import time

import onnx

from graph_builder import Reject, make_info


def find_uses(node):
    """Names that a node and its subgraphs use; those from inside do not matter."""
    graphs = [attribute.g for attribute in node.attribute if attribute.type == onnx.AttributeProto.GRAPH]
    return {*node.input, *(name for graph in graphs for inner in graph.node for name in find_uses(inner))}


def prune(model):
    """Drops what no output needs."""
    graph, needed, nodes = model.graph, {output.name for output in model.graph.output}, []
    for node in reversed(graph.node):
        if needed & set(node.output):
            nodes.insert(0, node)
            needed |= find_uses(node)
    for field, kept in ((graph.node, nodes), (graph.input, [value for value in graph.input if value.name in needed]),
                        (graph.initializer, [value for value in graph.initializer if value.name in needed])):
        kept = list(kept)
        del field[:]
        field.extend(kept)
    return model


def shrink_once(model, values, may_bypass):
    """Smaller models, likely ones first: single outputs, cuts before a node, nodes left out."""
    def changed(change):
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        change(copy.graph)
        return prune(copy)

    outputs = [value.name for value in model.graph.output]
    made = [name for node in model.graph.node for name in node.output if name]

    def keep_outputs(names):
        def change(graph):
            del graph.output[:]
            graph.output.extend(make_info(name, values[name]) for name in names)
        return change

    def cut(names):
        def change(graph):
            kept = [node for node in graph.node if not set(names) & set(node.output)]
            del graph.node[:]
            graph.node.extend(kept)
            graph.input.extend(make_info(name, values[name]) for name in names)
        return change

    def bypass(node, operand):
        def change(graph):
            for other in graph.node:
                for i, name in enumerate(other.input):
                    if name == node.output[0]:
                        other.input[i] = operand
        return change

    if len(outputs) > 1:
        yield from (changed(keep_outputs([name])) for name in outputs)
        yield from (changed(keep_outputs([kept for kept in outputs if kept != name])) for name in outputs)
    else:
        yield from (changed(keep_outputs([name])) for name in made[:-1] if name not in outputs)
    for node in reversed(model.graph.node):
        yield changed(cut([name for name in node.output if name]))
    for node in model.graph.node if may_bypass else []:
        for operand in node.input:
            if operand and all(values[name].shape == values[operand].shape and
                               values[name].dtype == values[operand].dtype for name in node.output[:1]):
                yield changed(bypass(node, operand))


def minimise(case, failure, check, seconds):
    """The smallest case found that `check` says fails in the same way, and its failure."""
    deadline = time.monotonic() + seconds
    values, found = case.values(), True
    while found and time.monotonic() < deadline:
        found = False
        for smaller in shrink_once(case.model, values, case.may_bypass):
            if not smaller.graph.node or time.monotonic() > deadline:
                continue
            try:
                tried = case.changed(smaller, {value.name: values[value.name] for value in smaller.graph.input})
            except Reject:
                continue
            now = check(tried)
            if now and now.kind == failure.kind:
                case, failure, found = tried, now, True
                break
    return case, failure
