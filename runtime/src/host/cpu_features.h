/*===- cpu_features.h - What this CPU can do
--------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_SRC_HOST_CPU_FEATURES_H
#define BRISK_SRC_HOST_CPU_FEATURES_H

#include <stddef.h>

/* Looks for the features of a list like brisk_model.cpu_features. Returns how
   many this CPU or its operating system lacks, or this runtime does not know,
   and their names in missing, separated by ", " and cut to its size. What the
   operating system gives to processes that ask for it, it is asked for. */
unsigned brisk_missing_cpu_features(const char *needed, char *missing,
                                    size_t missing_size);

#endif
