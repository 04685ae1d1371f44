/*===- cpus.c - CPUs that this process may use --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "cpus.h"

#include "brisk/host.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t brisk_affinity_cpus(void) {
  /* The kernel refuses masks smaller than its own. */
  for (int cpus = 1024; cpus <= 1 << 20; cpus *= 2) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    if (!set)
      break;
    size_t size = CPU_ALLOC_SIZE(cpus);
    int result = sched_getaffinity(0, size, set);
    int reason = errno;
    int count = result == 0 ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (result == 0)
      return count > 0 ? (uint32_t)count : 1;
    if (reason != EINVAL)
      break;
  }
  return 1;
}

/* Reads up to two numbers from directory/file. Returns how many; "max" ends
   the list. */
static int read_numbers(const char *directory, const char *file, long long *a,
                        long long *b) {
  char path[4096 + 64];
  int length = snprintf(path, sizeof path, "%s/%s", directory, file);
  if (length < 0 || (size_t)length >= sizeof path)
    return 0;
  FILE *stream = fopen(path, "re");
  if (!stream)
    return 0;
  int count = fscanf(stream, "%lld %lld", a, b);
  fclose(stream);
  return count < 0 ? 0 : count;
}

/* The quota of one directory: v2 keeps it in cpu.max, v1 in two files. */
static uint32_t directory_cpus(const char *directory) {
  long long quota = -1, period = 0, unused;
  if (read_numbers(directory, "cpu.max", &quota, &period) != 2 &&
      (read_numbers(directory, "cpu.cfs_quota_us", &quota, &unused) < 1 ||
       read_numbers(directory, "cpu.cfs_period_us", &period, &unused) < 1))
    return 0;
  if (quota <= 0 || period <= 0)
    return 0;
  long long cpus = quota / period;
  if (cpus > UINT32_MAX)
    return 0;
  return cpus < 1 ? 1 : (uint32_t)cpus;
}

/* The tightest quota from root/path up to root. A container may see its host's
   path, of which only the upper end exists here. */
static uint32_t tightest(const char *root, const char *path) {
  char directory[4096];
  int length = snprintf(directory, sizeof directory, "%s%s", root, path);
  if (length < 0 || (size_t)length >= sizeof directory)
    return 0;
  size_t root_length = strlen(root);
  uint32_t best = 0;
  for (;;) {
    uint32_t cpus = directory_cpus(directory);
    if (cpus && (!best || cpus < best))
      best = cpus;
    char *slash = strrchr(directory, '/');
    if (!slash || (size_t)(slash - directory) < root_length)
      return best;
    *slash = 0;
  }
}

/* Whether a comma-separated list has an entry. */
static int has_entry(const char *list, const char *entry) {
  size_t length = strlen(entry);
  while (list) {
    if (strncmp(list, entry, length) == 0 &&
        (list[length] == ',' || list[length] == 0))
      return 1;
    list = strchr(list, ',');
    if (list)
      ++list;
  }
  return 0;
}

uint32_t brisk_cgroup_cpus(const char *membership, const char *root) {
  FILE *stream = fopen(membership, "re");
  if (!stream)
    return 0;
  uint32_t best = 0;
  char line[4096];
  /* Lines are ID:CONTROLLERS:PATH, v2's with no controllers. */
  while (fgets(line, sizeof line, stream)) {
    line[strcspn(line, "\n")] = 0;
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
      continue;
    *path++ = 0;
    ++controllers;
    uint32_t cpus = 0;
    if (*controllers == 0) {
      cpus = tightest(root, path);
    } else if (has_entry(controllers, "cpu")) {
      char mount[1024];
      static const char *const names[] = {"cpu", "cpu,cpuacct", "cpuacct,cpu"};
      for (size_t i = 0; i < sizeof names / sizeof names[0] && !cpus; ++i) {
        int length = snprintf(mount, sizeof mount, "%s/%s", root, names[i]);
        if (length > 0 && (size_t)length < sizeof mount)
          cpus = tightest(mount, path);
      }
    }
    if (cpus && (!best || cpus < best))
      best = cpus;
  }
  fclose(stream);
  return best;
}

uint32_t brisk_default_threads(void) {
  uint32_t cpus = brisk_affinity_cpus();
  uint32_t quota = brisk_cgroup_cpus("/proc/self/cgroup", "/sys/fs/cgroup");
  return quota && quota < cpus ? quota : cpus;
}
