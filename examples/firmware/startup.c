/*===- startup.c - A bare Cortex-M4 ---------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reset, faults, the cycle counter, and semihosting in place of a console. The
// image, linked by mps2_an386.ld, is loaded to where it runs: on a device whose
// flash holds it, reset would copy .data too.
//
//===----------------------------------------------------------------------===*/
#include "board.h"

/* From the linker script. */
extern uint32_t stack_top[], bss_start[], bss_end[];

int main(void);

/* Arm semihosting: an operation and its argument; returns the debugger's. */
static int semihosting(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20 };

void board_print(const char *text) { semihosting(SYS_WRITE0, text); }

void board_print_number(uint64_t number) {
  char digits[21];
  char *first = &digits[20];
  *first = 0;
  do
    *--first = (char)('0' + number % 10);
  while (number /= 10);
  board_print(first);
}

static _Noreturn void finish(uint32_t code) {
  /* ADP_Stopped_ApplicationExit. */
  const uint32_t block[2] = {0x20026, code};
  for (;;)
    semihosting(SYS_EXIT_EXTENDED, block);
}

/* SysTick counts 24 bits down at the core's clock; the interrupt counts how
   often it has wrapped. */
#define SYSTICK_CONTROL (*(volatile uint32_t *)0xe000e010u)
#define SYSTICK_RELOAD (*(volatile uint32_t *)0xe000e014u)
#define SYSTICK_VALUE (*(volatile uint32_t *)0xe000e018u)

static volatile uint32_t wraps;

static void count_wrap(void) { ++wraps; }

uint64_t board_cycles(void) {
  uint32_t before, value;
  do {
    before = wraps;
    value = SYSTICK_VALUE;
  } while (before != wraps);
  return ((uint64_t)before << 24) + (0xffffffu - value);
}

static _Noreturn void reset(void) {
  /* The FPU is off after reset: CPACR grants access to coprocessors 10, 11. */
  *(volatile uint32_t *)0xe000ed88u |= 0xfu << 20;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
  for (volatile uint32_t *word = bss_start; word != bss_end; ++word)
    *word = 0;
  SYSTICK_RELOAD = 0xffffff;
  SYSTICK_VALUE = 0;
  SYSTICK_CONTROL = 7; /* core clock, interrupt, on */
  while (!SYSTICK_VALUE)
    ;
  finish((uint32_t)main());
}

static _Noreturn void fault(void) {
  board_print("error: the processor faulted\n");
  finish(3);
}

__attribute__((section(".vectors"),
               used)) static const void *const vectors[16] = {
    stack_top, reset, fault, fault, fault, fault, fault, fault,
    fault,     fault, fault, fault, fault, fault, fault, count_wrap};
