/*===- cpu_features.c - What this CPU can do
--------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#include "cpu_features.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/* The bits of XCR0 that say that the operating system saves vector registers
   (XMM and YMM; also the masks and ZMM) and the further general ones of APX. */
enum { NONE = 0, AVX = 0x6, AVX512 = 0xe6, APX = 1 << 19 };

struct cpuid_registers {
  unsigned eax, ebx, ecx, edx;
};

static struct cpuid_registers ask(unsigned leaf, unsigned subleaf) {
  struct cpuid_registers r = {0, 0, 0, 0};
  if (!__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx))
    memset(&r, 0, sizeof r);
  return r;
}

static unsigned kept_state(void) {
  unsigned low = 0, high;
  if (ask(1, 0).ecx & bit_OSXSAVE)
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

static int has_feature(const char *name) {
  unsigned state = kept_state();
#define BRISK_X86_FEATURE(NAME, LEAF, SUBLEAF, REGISTER, MASK, LEAST, STATE)   \
  if (strcmp(name, NAME) == 0)                                                 \
    return (ask(LEAF, SUBLEAF).REGISTER & (MASK)) >= (LEAST) &&                \
           (state & (unsigned)STATE) == (unsigned)STATE;
#include "brisk/cpu_features.def"
  return 0;
}
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>

static int has_feature(const char *name) {
#define BRISK_AARCH64_FEATURE(NAME, WORD, BIT)                                 \
  if (strcmp(name, NAME) == 0)                                                 \
    return (int)(getauxval(WORD == 1 ? AT_HWCAP : AT_HWCAP2) >> BIT & 1);
#include "brisk/cpu_features.def"
  return 0;
}
#else
static int has_feature(const char *name) {
  (void)name;
  return 0;
}
#endif

unsigned brisk_missing_cpu_features(const char *needed, char *missing,
                                    size_t missing_size) {
  unsigned count = 0;
  size_t used = 0;
  missing[0] = 0;
  while (*needed) {
    char name[32];
    size_t length = strcspn(needed, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, needed);
    needed += length + (needed[length] == ',');
    if (has_feature(name))
      continue;
    if (used < missing_size)
      used += (size_t)snprintf(missing + used, missing_size - used, "%s%s",
                               count ? ", " : "", name);
    ++count;
  }
  return count;
}
