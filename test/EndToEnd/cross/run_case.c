/*===- run_case.c - One run of a model, printed ---------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program that compare_on_qemu.py builds for other machines: it runs the
// model once on the inputs in case.h, checks that it keeps to its stack, and
// prints every output's bytes as a line of hexadecimal digits. Freestanding,
// without a heap; everything comes from the generated header.
//
//===----------------------------------------------------------------------===*/
#include "case.h"
#include "model.h"
#include "platform.h"
#include "stack_probe.h"

#include <stdint.h>

_Static_assert(MODEL_NUM_INPUTS == CASE_NUM_INPUTS, "inputs of another model");
_Static_assert(MODEL_NUM_OUTPUTS <= CASE_MAX_OUTPUTS, "more outputs than room");

static _Alignas(
    MODEL_ARENA_ALIGNMENT) unsigned char arena[MODEL_ARENA_BYTES + 1];
static _Alignas(64) unsigned char outputs[CASE_MAX_OUTPUTS][CASE_OUTPUT_BYTES];

static void print_hex(const unsigned char *bytes, uint64_t size) {
  static const char digits[] = "0123456789abcdef";
  char text[65];
  while (size) {
    unsigned n = 0;
    for (; n < 64 && size; --size) {
      text[n++] = digits[*bytes >> 4];
      text[n++] = digits[*bytes++ & 15];
    }
    text[n] = 0;
    platform_print(text);
  }
  platform_print("\n");
}

int main(void) {
  void *pointers[CASE_MAX_OUTPUTS] = {0};
  const brisk_model *model = &model_model;
  for (uint32_t i = 0; i < model->num_outputs; ++i) {
    if (model->outputs[i].bytes > CASE_OUTPUT_BYTES) {
      platform_print("error: an output has another size than expected\n");
      return 1;
    }
    pointers[i] = outputs[i];
  }
  int status = BRISK_OK;
  uint64_t stack =
      stack_probe_run(model, case_inputs, pointers, arena, &status);
  if (status != BRISK_OK) {
    platform_print("error: the model did not run\n");
    return 1;
  }
  if (stack == 0 || stack > MODEL_STACK_BYTES + CASE_HELPER_STACK_BYTES) {
    platform_print("error: the run took more of the stack than it says\n");
    return 1;
  }
  for (uint32_t i = 0; i < model->num_outputs; ++i) {
    platform_print("output ");
    platform_print(model->outputs[i].name);
    platform_print("\n");
    print_hex(outputs[i], model->outputs[i].bytes);
  }
  return 0;
}
