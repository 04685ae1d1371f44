/*===- error.h - Messages of functions that fail
----------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_SRC_HOST_ERROR_H
#define BRISK_SRC_HOST_ERROR_H

#include <stdarg.h>
#include <stdio.h>

/* Writes a message, cut to the buffer, which may be null. Returns 1. */
__attribute__((format(printf, 3, 4))) static inline int
fail(char *error, size_t error_size, const char *format, ...) {
  if (error && error_size) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, error_size, format, arguments);
    va_end(arguments);
  }
  return 1;
}

#endif
