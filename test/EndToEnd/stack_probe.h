/*===- stack_probe.h - How much of the stack a run writes to --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Paints the stack below the caller, runs a model without hooks, and looks how
// deep the paint is gone. Freestanding.
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_TEST_STACK_PROBE_H
#define BRISK_TEST_STACK_PROBE_H

#include "brisk/model.h"

#include <stdint.h>

#define STACK_PROBE_BYTES 32768u
#define STACK_PROBE_PAINT 0xa5u

/* An address in the frame of whatever the caller calls. */
__attribute__((noinline)) static uintptr_t stack_probe_callee(void) {
  volatile uintptr_t here = 0;
  here = (uintptr_t)&here;
  return here;
}

/* Bytes of stack that the run takes, but for the few that every call takes; the
   run's result goes to status. */
__attribute__((noinline)) static uint64_t
stack_probe_run(const brisk_model *model, const void *const *inputs,
                void *const *outputs, void *arena, int *status) {
  uintptr_t top = stack_probe_callee();
  uintptr_t bottom = top - STACK_PROBE_BYTES;
  for (uintptr_t at = top; at-- > bottom;)
    *(volatile unsigned char *)at = STACK_PROBE_PAINT;
  *status = brisk_run(model->call, inputs, outputs, arena, 0);
  for (uintptr_t at = bottom; at < top; ++at)
    if (*(volatile unsigned char *)at != STACK_PROBE_PAINT)
      return top - at;
  return 0;
}

#endif /* BRISK_TEST_STACK_PROBE_H */
