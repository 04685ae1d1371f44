/*===- library_copy.h - Private copies of shared libraries
------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dynamic loader knows a library by its path, so a file that was replaced
// would never be read again, and a file that is written to changes under those
// who have it mapped. So models are loaded from copies in memory.
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_SRC_HOST_LIBRARY_COPY_H
#define BRISK_SRC_HOST_LIBRARY_COPY_H

#include <limits.h>
#include <stddef.h>

/* A copy that dlopen can load. */
struct brisk_library_copy {
  int file;            /* open as long as the copy is in use; -1: not open */
  char path[PATH_MAX]; /* what to give to dlopen */
  int named;           /* path is a file to be removed, not one of /proc */
};

/* Copies the shared library at path. Returns 0, or 1 and a message in error
   where there is no such file, or no library that this program could load. */
int brisk_library_copy_create(struct brisk_library_copy *copy, const char *path,
                              char *error, size_t error_size);

/* Gives the copy another path, of the same content. Returns 0, or 1 where there
   is none left. */
int brisk_library_copy_rename(struct brisk_library_copy *copy);

/* Removes the name of a copy, which stays usable by those who mapped it. */
void brisk_library_copy_unlink(struct brisk_library_copy *copy);

/* Gives the copy up. */
void brisk_library_copy_close(struct brisk_library_copy *copy);

#endif
