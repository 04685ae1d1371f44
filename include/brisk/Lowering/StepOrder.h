//===- StepOrder.h - An order of steps that takes less memory ---*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In which order a model's steps run so that few bytes are live at once, free
// of IR.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LOWERING_STEPORDER_H
#define BRISK_LOWERING_STEPORDER_H

#include <cstdint>
#include <utility>
#include <vector>

namespace brisk {

/// Steps and the buffers that they touch. A buffer is live from the first step
/// that touches it to the last.
struct StepGraph {
  struct Step {
    /// Steps that must run before this one; smaller numbers than its own.
    std::vector<unsigned> after;
    std::vector<unsigned> buffers;
    /// Pairs of buffers of one size: the second may take the place of the first
    /// where that dies at this step and the second is born. Each buffer takes
    /// one place, the first of those listed that is free.
    std::vector<std::pair<unsigned, unsigned>> inPlace;
    /// Bytes beside the buffers, while the step runs.
    int64_t bytes = 0;
  };
  std::vector<Step> steps;
  /// Of each buffer.
  std::vector<int64_t> bytes;
};

/// The most bytes that are live at once if the steps run in `order`.
int64_t findPeak(const StepGraph &graph, const std::vector<unsigned> &order);

/// An order in which each step comes after those that it must, with a peak
/// below that of 0, 1, 2…; or that one, where none is found.
///
/// Where one step is before or after all others, what is before and what is
/// behind it are ordered by themselves. In between, sets of steps that may have
/// run are visited by their size, and the best way to each is kept (Ahn et al.,
/// Ordering Chaos: Memory-Aware Scheduling of Irregularly Wired Neural Networks
/// for Edge Devices, 2020). All sets are visited where they are few, the most
/// promising ones of each size where they are many. What does not reach the
/// peak stays as it is. The same graph always gets the same order.
std::vector<unsigned> orderSteps(const StepGraph &graph);

} // namespace brisk

#endif // BRISK_LOWERING_STEPORDER_H
