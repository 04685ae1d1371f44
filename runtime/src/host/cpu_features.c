/*===- cpu_features.c - What this CPU can do ------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "cpu_features.h"

#include <stdio.h>
#include <string.h>

/* Every architecture has its features, after which comes one without a name,
   and how to ask for one. */
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

/* The bits of XCR0 that say that the operating system saves vector registers
   (XMM and YMM; also the masks and ZMM), the further general ones of APX, and
   tiles with their configuration. */
enum { NONE = 0, AVX = 0x6, AVX512 = 0xe6, APX = 1 << 19, TILES = 3 << 17 };

enum { eax, ebx, ecx, edx };

struct feature {
  const char *name;
  unsigned leaf, subleaf;
  int reg; /* which holds the bits of the mask */
  unsigned mask, least;
  unsigned state;
};

static const struct feature features[] = {
#define BRISK_X86_FEATURE(NAME, LEAF, SUBLEAF, REGISTER, MASK, LEAST, STATE)   \
  {NAME, LEAF, SUBLEAF, REGISTER, MASK, LEAST, STATE},
#include "brisk/cpu_features.def"
    {0}};

static unsigned ask(unsigned leaf, unsigned subleaf, int reg) {
  unsigned r[4];
  return __get_cpuid_count(leaf, subleaf, &r[eax], &r[ebx], &r[ecx], &r[edx])
             ? r[reg]
             : 0;
}

static unsigned kept_state(void) {
  unsigned low = 0, high;
  if (ask(1, 0, ecx) & bit_OSXSAVE)
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/* Asks for what Linux gives a process, with all its threads, only when it asks:
   the memory in which the tiles of its threads are saved. Source: Linux,
   Documentation/arch/x86/xstate.rst. */
static int is_granted(unsigned state) {
#if defined(__linux__) && defined(__x86_64__)
  enum { request_permission = 0x1023, tile_data = 18 };
  if (state & 1u << tile_data)
    return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#endif
  (void)state;
  return 1;
}

static int is_present(const struct feature *f) {
  return (ask(f->leaf, f->subleaf, f->reg) & f->mask) >= f->least &&
         (kept_state() & f->state) == f->state && is_granted(f->state);
}
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>

struct feature {
  const char *name;
  unsigned long word;
  int bit;
};

static const struct feature features[] = {
#define BRISK_AARCH64_FEATURE(NAME, WORD, BIT)                                 \
  {NAME, WORD == 1 ? AT_HWCAP : AT_HWCAP2, BIT},
#include "brisk/cpu_features.def"
    {0}};

static int is_present(const struct feature *f) {
  return (int)(getauxval(f->word) >> f->bit & 1);
}
#elif defined(__riscv) && defined(__linux__)
#include <sys/auxv.h>

struct feature {
  const char *name;
  char letter;
};

static const struct feature features[] = {
#define BRISK_RISCV_FEATURE(NAME, LETTER) {NAME, LETTER},
#include "brisk/cpu_features.def"
    {0}};

static int is_present(const struct feature *f) {
  return (int)(getauxval(AT_HWCAP) >> (f->letter - 'A') & 1);
}
#else
struct feature {
  const char *name;
};

static const struct feature features[] = {{0}};

static int is_present(const struct feature *f) {
  (void)f;
  return 0;
}
#endif

static int has_feature(const char *name) {
  for (const struct feature *f = features; f->name; ++f)
    if (strcmp(f->name, name) == 0)
      return is_present(f);
  return 0;
}

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
