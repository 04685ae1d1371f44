/*===- elf_check.c - Whether a file is a library for here
-------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "elf_check.h"
#include "error.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__i386__)
#define OWN_MACHINE EM_386
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#elif defined(__arm__)
#define OWN_MACHINE EM_ARM
#elif defined(__riscv)
#define OWN_MACHINE EM_RISCV
#endif

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OWN_DATA ELFDATA2MSB
#else
#define OWN_DATA ELFDATA2LSB
#endif

#ifdef OWN_MACHINE
static const char *machine_name(unsigned machine) {
  switch (machine) {
  case EM_X86_64:
    return "x86-64";
  case EM_386:
    return "32-bit x86";
  case EM_AARCH64:
    return "AArch64";
  case EM_ARM:
    return "32-bit Arm";
  case EM_RISCV:
    return "RISC-V";
  default:
    return "another machine";
  }
}
#endif

/* Reads up to size bytes; returns how many there were. */
static size_t read_at(int file, void *buffer, size_t size, off_t offset) {
  size_t done = 0;
  while (done < size) {
    ssize_t got =
        pread(file, (char *)buffer + done, size - done, offset + (off_t)done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    done += (size_t)got;
  }
  return done;
}

int brisk_elf_check(int file, char *error, size_t error_size) {
  struct stat status;
  if (fstat(file, &status))
    return fail(error, error_size, "%s", strerror(errno));
  if (!S_ISREG(status.st_mode))
    return fail(error, error_size, "it is a %s, not a file",
                S_ISDIR(status.st_mode)    ? "directory"
                : S_ISFIFO(status.st_mode) ? "pipe"
                : S_ISSOCK(status.st_mode) ? "socket"
                                           : "device");
  if (status.st_size == 0)
    return fail(error, error_size, "the file is empty");

  ElfW(Ehdr) header;
  memset(&header, 0, sizeof header);
  size_t got = read_at(file, &header, sizeof header, 0);
  if (got >= 8 && memcmp(header.e_ident, "!<arch>\n", 8) == 0)
    return fail(error, error_size,
                "it is a static library; compile the model with briskc "
                "--emit=shared");
  if (got < SELFMAG || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return fail(error, error_size,
                "it is no shared library: it does not begin as an ELF file");
  if (got < 20) /* all that is looked at before the size of the rest is known */
    return fail(error, error_size, "it is truncated");
  if (header.e_ident[EI_DATA] != OWN_DATA)
    return fail(error, error_size,
                "it is for a machine with another order of bytes");
#ifdef OWN_MACHINE
  if (header.e_machine != OWN_MACHINE)
    return fail(error, error_size, "it is for %s, and this program is for %s",
                machine_name(header.e_machine), machine_name(OWN_MACHINE));
#endif
  int bits = header.e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
  if (bits != __ELF_NATIVE_CLASS)
    return fail(error, error_size, "it has %d bits, and this program has %d",
                bits, __ELF_NATIVE_CLASS);
  if (header.e_type == ET_REL)
    return fail(error, error_size,
                "it is an object; compile the model with briskc "
                "--emit=shared");
  if (header.e_type != ET_DYN)
    return fail(error, error_size, "it is an ELF file, but no shared library");

  /* The dynamic loader maps what the headers say: the first access past the
     end of a file that is shorter would be a signal. */
  uint64_t size = (uint64_t)status.st_size, needed = sizeof header;
  for (unsigned i = 0; got == sizeof header && i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    off_t at = (off_t)(header.e_phoff + (uint64_t)i * header.e_phentsize);
    if (header.e_phentsize != sizeof segment)
      return fail(error, error_size, "its program headers are damaged");
    needed = (uint64_t)at + sizeof segment;
    if (read_at(file, &segment, sizeof segment, at) == sizeof segment &&
        __builtin_add_overflow((uint64_t)segment.p_offset,
                               (uint64_t)segment.p_filesz, &needed))
      needed = UINT64_MAX;
    if (needed > size)
      break;
  }
  if (needed > size)
    return fail(error, error_size,
                "it is truncated: its content ends behind byte %" PRIu64
                ", and the file has %" PRIu64 " bytes",
                needed, size);
  return 0;
}
