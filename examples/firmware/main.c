/*===- main.c - A model in firmware ---------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads digits on a Cortex-M4: no operating system, no heap, no C library. The
// model, compiled with --profile, says where the time of a run went.
//
//===----------------------------------------------------------------------===*/
#include "board.h"
#include "digits.h"

enum { SIDE = 28, CELLS = SIDE / 2, CLASSES = DIGITS_OUTPUT_0_ELEMENTS };

/* Digits as someone might draw them, each cell 2 by 2 pixels. */
static const struct {
  int digit;
  const char *rows[CELLS];
} drawings[] = {
    {2,
     {"", "", "   ######", "  ###  ###", "        ##", "        ##",
      "       ###", "      ###", "    ####", "   ###", "  ##########",
      "  ##########", "", ""}},
    {4,
     {"", "", "      ##", "  ##   ##", "  ##   ##", "  ##   ##", "  ##   ##",
      "  #########", "   ########", "       ##", "       ##", "       ##",
      "       ##", ""}},
    {7,
     {"", "", "", "  ##########", "  ##########", "         ###", "        ###",
      "       ###", "       ###", "      ###", "      ###", "     ###",
      "     ###", ""}},
};

/* All memory that runs use. */
static _Alignas(DIGITS_ARENA_ALIGNMENT) unsigned char arena[DIGITS_ARENA_BYTES];
static float image[DIGITS_INPUT_0_ELEMENTS];
static float scores[CLASSES];
static brisk_record records[64];

static void draw(const char *const *rows) {
  for (int y = 0; y < SIDE; ++y) {
    const char *cell = rows[y / 2];
    for (int x = 0; x < SIDE; ++x) {
      image[y * SIDE + x] = *cell == '#' ? 1.0f : 0.0f;
      if (x % 2 && *cell)
        ++cell;
    }
  }
}

static int find_highest(void) {
  int best = 0;
  for (int i = 1; i < CLASSES; ++i)
    if (scores[i] > scores[best])
      best = i;
  return best;
}

static uint64_t read_clock(void *context) {
  (void)context;
  return board_cycles();
}

/* Where the cycles of the last run went. */
static void print_profile(const brisk_trace *trace) {
  for (uint32_t i = 0; i < trace->count; ++i) {
    const brisk_op *op = &digits_model.ops[trace->records[i].op];
    board_print_number(trace->records[i].end - trace->records[i].start);
    board_print(" cycles  ");
    board_print(op->kernel);
    board_print("  ");
    board_print(op->name);
    board_print("\n");
  }
}

int main(void) {
  const void *inputs[] = {image};
  void *outputs[] = {scores};
  brisk_trace trace = {records, sizeof records / sizeof records[0], 0, 0};
  brisk_hooks hooks = {
      .size = sizeof hooks, .clock = read_clock, .trace = &trace};
  int wrong = 0;
  for (unsigned i = 0; i < sizeof drawings / sizeof drawings[0]; ++i) {
    draw(drawings[i].rows);
    trace.count = 0;
    uint64_t start = board_cycles();
    if (digits_run(inputs, outputs, arena, &hooks) != BRISK_OK) {
      board_print("error: the model did not run\n");
      return 1;
    }
    uint64_t cycles = board_cycles() - start;
    int digit = find_highest();
    wrong += digit != drawings[i].digit;
    board_print("a ");
    board_print_number((uint64_t)drawings[i].digit);
    board_print(" is read as ");
    board_print_number((uint64_t)digit);
    board_print(" in ");
    board_print_number(cycles);
    board_print(" cycles\n");
  }
  print_profile(&trace);
  return wrong != 0;
}
