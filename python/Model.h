//===- Model.h - A compiled model in Python ---------------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls from any thread: each takes an instance that is idle, or makes one, and
// runs without the interpreter's lock.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_PYTHON_MODEL_H
#define BRISK_PYTHON_MODEL_H

#include "Arrays.h"

#include <mutex>
#include <stdexcept>

namespace brisk::python {

/// BriskError in Python.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class CompiledModel {
public:
  /// threads: of each run, 0 for as many as this process may use.
  CompiledModel(const std::string &path, unsigned threads);

  Model description() const { return library.model(); }
  unsigned threads() const { return pool ? pool->threads() : 1; }
  /// Bytes that each run at the same time works in, besides its inputs and
  /// outputs.
  uint64_t memoryBytes() const;

  /// Runs once. Positional values are of the first inputs, others go by name;
  /// the keyword `out` has an array, or a sequence of arrays, to write the
  /// outputs to. Returns the output, or a tuple of all of them.
  nanobind::object call(const nanobind::args &values,
                        const nanobind::kwargs &named);
  /// The same by names, which need be no identifiers in Python.
  nanobind::dict run(const nanobind::dict &values);

  /// Runs often, with and without the trace in turn, and returns (nanoseconds
  /// of the runs without, a list of the records of each run with it). Records
  /// are tuples (op, start, end).
  nanobind::tuple measure(const nanobind::dict &values, unsigned runs);
  /// Values for all inputs, by brisk_fill_random.
  nanobind::dict randomInputs(uint64_t seed) const;

private:
  using Values = std::vector<nanobind::object>;

  Instance take(uint32_t records);
  void giveBack(Instance instance);
  Values readValues(const nanobind::dict &values) const;
  Values readArguments(const nanobind::args &values,
                       const nanobind::kwargs &named) const;
  /// Fails where an input has no value.
  void requireAll(const Values &values) const;
  /// Runs on the values of all inputs; `out` is empty or has an array for each
  /// output. Returns all outputs.
  Values runOn(const Values &values, const Values &out);

  Library library;
  std::optional<Pool> pool;
  std::mutex mutex;
  std::vector<Instance> idle;
};

} // namespace brisk::python

#endif // BRISK_PYTHON_MODEL_H
