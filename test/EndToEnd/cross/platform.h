/*===- platform.h - What a machine must offer to run_case.c ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_TEST_CROSS_PLATFORM_H
#define BRISK_TEST_CROSS_PLATFORM_H

/* Writes zero-terminated text to where the test reads it. */
void platform_print(const char *text);

#endif /* BRISK_TEST_CROSS_PLATFORM_H */
