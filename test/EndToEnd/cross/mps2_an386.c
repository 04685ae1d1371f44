/*===- mps2_an386.c - run_case.c on a bare Cortex-M4 ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Start-up and semihosting for QEMU's board mps2-an386, whose image QEMU loads
// to where it runs.
//
//===----------------------------------------------------------------------===*/
#include "platform.h"

#include <stdint.h>

/* From mps2_an386.ld. */
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

void platform_print(const char *text) { semihosting(SYS_WRITE0, text); }

static _Noreturn void finish(uint32_t code) {
  /* ADP_Stopped_ApplicationExit. */
  const uint32_t block[2] = {0x20026, code};
  for (;;)
    semihosting(SYS_EXIT_EXTENDED, block);
}

static _Noreturn void reset(void) {
  /* The FPU is off after reset: CPACR grants access to coprocessors 10, 11. */
  *(volatile uint32_t *)0xe000ed88u |= 0xfu << 20;
  __asm__ volatile("dsb\n\tisb" ::: "memory");
  for (volatile uint32_t *word = bss_start; word != bss_end; ++word)
    *word = 0;
  finish((uint32_t)main());
}

static _Noreturn void fault(void) {
  platform_print("error: the processor faulted\n");
  finish(3);
}

__attribute__((section(".vectors"),
               used)) static const void *const vectors[16] = {
    stack_top, reset, fault, fault, fault, fault, fault, fault,
    fault,     fault, fault, fault, fault, fault, fault, fault};
