//===- Module.cpp - The Python module brisk._core -------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Model.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

namespace nb = nanobind;

using namespace brisk;
using python::CompiledModel;

namespace {
/// A TensorInfo that does not need the model.
struct OwnTensorInfo {
  explicit OwnTensorInfo(const TensorInfo &tensor)
      : name(tensor.name()), dtype(tensor.dtypeName()), text(tensor.describe()),
        bytes(tensor.bytes()) {
    nb::list list;
    for (int64_t dim : tensor.dims())
      list.append(dim);
    shape = nb::tuple(list);
  }

  std::string name, dtype, text;
  nb::tuple shape;
  uint64_t bytes;
};
} // namespace

/// A tuple of what `get` gives for the numbers below `count`.
template <typename Get> static nb::tuple makeTuple(size_t count, Get get) {
  nb::list items;
  for (size_t i = 0; i < count; ++i)
    items.append(get(i));
  return nb::tuple(items);
}

NB_MODULE(_core, module) {
  module.doc() = "Compiled models; see the package brisk.";
  nb::exception<python::Error>(module, "BriskError");

  nb::class_<OwnTensorInfo>(module, "TensorInfo",
                            "What a model says of an input or output.")
      .def_ro("name", &OwnTensorInfo::name)
      .def_ro("dtype", &OwnTensorInfo::dtype, "NumPy's name of the type.")
      .def_ro("shape", &OwnTensorInfo::shape)
      .def_ro("nbytes", &OwnTensorInfo::bytes)
      .def("__repr__", [](const OwnTensorInfo &tensor) {
        return "<" + tensor.name + ": " + tensor.text + ">";
      });

  nb::class_<CompiledModel>(module, "Model", nb::dynamic_attr(),
                            "A compiled model. Calls may come from any number "
                            "of threads at once.")
      .def(nb::init<const std::string &, unsigned>(), nb::arg("path"),
           nb::arg("threads") = 1)
      .def_prop_ro(
          "name",
          [](const CompiledModel &model) { return model.description().name(); })
      .def_prop_ro("target",
                   [](const CompiledModel &model) {
                     return model.description().target();
                   })
      .def_prop_ro("profiled",
                   [](const CompiledModel &model) {
                     return model.description().isProfiled();
                   })
      .def_prop_ro("weights_bytes",
                   [](const CompiledModel &model) {
                     return model.description().weightsBytes();
                   })
      .def_prop_ro("memory_bytes", &CompiledModel::memoryBytes,
                   "What a run works in, besides its inputs and outputs.")
      .def_prop_ro("threads", &CompiledModel::threads)
      .def_prop_ro("inputs",
                   [](const CompiledModel &model) {
                     Model description = model.description();
                     return makeTuple(description.numInputs(), [&](size_t i) {
                       return OwnTensorInfo(description.input(i));
                     });
                   })
      .def_prop_ro("outputs",
                   [](const CompiledModel &model) {
                     Model description = model.description();
                     return makeTuple(description.numOutputs(), [&](size_t i) {
                       return OwnTensorInfo(description.output(i));
                     });
                   })
      .def("__call__", &CompiledModel::call,
           "Runs on the values of the inputs, in their order or by name, and "
           "returns the output, or a tuple of all. `out` has the array, or the "
           "arrays, to write to instead of new ones.")
      .def("run", &CompiledModel::run, nb::arg("inputs"),
           "Runs on a dict of inputs and returns a dict of outputs.")
      .def("random_inputs", &CompiledModel::randomInputs, nb::arg("seed") = 0,
           "A dict of values that suit the inputs' types: floats in [-1, 1), "
           "integers and booleans of 0 and 1.")
      .def("_measure", &CompiledModel::measure)
      .def_prop_ro("_ops", [](const CompiledModel &model) {
        ArrayView<const brisk_op> ops = model.description().ops();
        return makeTuple(ops.size(), [&](size_t i) {
          return nb::make_tuple(ops[i].name, ops[i].type, ops[i].kernel,
                                ops[i].flops, ops[i].bytes,
                                brisk_phase_name(ops[i].phase));
        });
      });
}
