/*===- mps2_an386.c - run_case.c on a bare Cortex-M4 ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#include "platform.h"

#include "board.h"

void platform_print(const char *text) { board_print(text); }
