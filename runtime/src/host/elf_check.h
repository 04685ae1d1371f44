/*===- elf_check.h - Whether a file is a library for here
-------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_SRC_HOST_ELF_CHECK_H
#define BRISK_SRC_HOST_ELF_CHECK_H

#include <stddef.h>

/* Checks that a file, open for reading, is a whole shared library for this
   machine. Returns 0, or 1 and the reason, to be read after "cannot load
   'path': ", in error. */
int brisk_elf_check(int file, char *error, size_t error_size);

#endif
