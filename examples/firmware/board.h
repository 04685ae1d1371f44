/*===- board.h - What the firmware asks of its board ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_EXAMPLES_FIRMWARE_BOARD_H
#define BRISK_EXAMPLES_FIRMWARE_BOARD_H

#include <stdint.h>

/* Writes zero-terminated text to the debugger's console. */
void board_print(const char *text);

/* Writes a number in decimal. */
void board_print_number(uint64_t number);

/* Core clock cycles since reset. */
uint64_t board_cycles(void);

#endif /* BRISK_EXAMPLES_FIRMWARE_BOARD_H */
