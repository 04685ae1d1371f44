/*===- linux.c - run_case.c on Linux --------------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#include "platform.h"

#include <stdio.h>

void platform_print(const char *text) { fputs(text, stdout); }
