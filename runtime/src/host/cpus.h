/*===- cpus.h - CPUs that this process may use --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_HOST_CPUS_H
#define BRISK_HOST_CPUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whole CPUs in the quota of the cgroup that membership (a file like
   /proc/self/cgroup) names, the tightest from there up to root (the mount
   point, /sys/fs/cgroup); cgroup v1 and v2. 0 where there is no quota; a
   quota below one CPU counts as 1. Rounded down: a thread that the quota
   throttles makes the others wait for it. */
uint32_t brisk_cgroup_cpus(const char *membership, const char *root);

/* CPUs in the affinity mask, at least 1. */
uint32_t brisk_affinity_cpus(void);

#ifdef __cplusplus
}
#endif

#endif /* BRISK_HOST_CPUS_H */
