//===- cpp17.cpp - The C++ interface in C++17, without exceptions ---------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/flow.hpp"

// Templates are compiled where they are used.
template class brisk::Result<brisk::Library>;
template class brisk::TensorView<const float>;
template class brisk::Result<brisk::TensorView<const float>>;
template brisk::Result<brisk::TensorView<const float>>
brisk::flow::Executor::output<float>(const brisk::flow::Future &, size_t) const;
template brisk::Result<brisk::TensorView<float>>
    brisk::Instance::input<float>(std::string_view);
template brisk::Result<brisk::TensorView<const float>>
    brisk::Instance::output<float>(std::string_view) const;
