#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the nodes of random graphs come from.

Each function of SOURCES, one list to a subject, adds a node, or a pattern of nodes as exporters write
it, to a Graph (graph_builder.py), and leaves it if the operands do not suit:
nothing may hang on the last bit of one (comparisons, rounding, arg max of what
is nearly equal).
"""

from onnx import helper, numpy_helper

import elementwise_sources
import movement_sources
import network_sources
import product_sources
from graph_builder import Graph, Reject, make_info

SOURCES = (product_sources.SOURCES + elementwise_sources.SOURCES + movement_sources.SOURCES + network_sources.SOURCES)


def make_graph(random, most_nodes):
    """A model and its inputs by name."""
    g = Graph(random, int(random.choice([13, 17, 18, 20])))
    size = int(random.integers(2, max(most_nodes, 2) + 1))
    chosen = [SOURCES[i] for i in random.integers(0, len(SOURCES), random.integers(3, 12))]
    while len(g.nodes) < size:
        try:
            # Some graphs keep to a few sources, which then meet more often.
            (g.one_of(*chosen) if size % 2 and g.chance(0.9) else g.one_of(*SOURCES))(g)
        except Reject:
            pass
    computed = [name for node in g.nodes for name in node.output]
    outputs = [name for name in computed if name not in g.used and not g.chance(0.03) or g.chance(0.08)]
    outputs += [name for name in g.values if name not in computed and g.chance(0.05)]
    outputs = outputs or computed[-1:]
    kept = {name: value for name, value in g.constants.items() if name in g.used or name in outputs}
    nodes = list(g.nodes)
    for name in list(kept):
        if g.chance(0.1) and name not in outputs:
            nodes.insert(0, helper.make_node("Constant", [], [name], value=numpy_helper.from_array(kept.pop(name))))
    infos = [make_info(name, g.value(name)) for name in outputs]
    return g.model(nodes, g.inputs, kept, infos), dict(g.inputs)
