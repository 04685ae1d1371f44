//===- Arrays.h - Python's arrays as a model's tensors ----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays of NumPy, of DLPack and of the buffer protocol, without copies. What
// does not fit is a TypeError or ValueError that says what does.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_PYTHON_ARRAYS_H
#define BRISK_PYTHON_ARRAYS_H

#include "brisk/brisk.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace brisk::python {

/// An array that a run reads, or writes; it is kept alive.
using Input = nanobind::ndarray<nanobind::ro, nanobind::device::cpu>;
using Output = nanobind::ndarray<nanobind::device::cpu>;

/// An input's value: its type and shape, row-major in the CPU's memory.
Input takeInput(const TensorInfo &tensor, nanobind::handle value);
/// The same of an array that can be written to.
Output takeOutput(const TensorInfo &tensor, nanobind::handle value);

/// A NumPy array over memory that it owns from now on.
nanobind::object makeArray(const TensorInfo &tensor, Buffer memory);

} // namespace brisk::python

#endif // BRISK_PYTHON_ARRAYS_H
