/*===- elf_check.c - Whether a file is a library for here -----------------===//
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

/* Whether a file can hold a library at all. */
static int check_kind(const struct stat *status, char *error,
                      size_t error_size) {
  if (!S_ISREG(status->st_mode))
    return fail(error, error_size, "it is a %s, not a file",
                S_ISDIR(status->st_mode)    ? "directory"
                : S_ISFIFO(status->st_mode) ? "pipe"
                : S_ISSOCK(status->st_mode) ? "socket"
                                            : "device");
  if (status->st_size == 0)
    return fail(error, error_size, "the file is empty");
  return 0;
}

/* Whether a header, of which so many bytes were read, is that of an ELF file
   for programs like this one. */
static int check_machine(const ElfW(Ehdr) * header, size_t got, char *error,
                         size_t error_size) {
  if (got >= 8 && memcmp(header->e_ident, "!<arch>\n", 8) == 0)
    return fail(error, error_size,
                "it is a static library; compile the model with briskc "
                "--emit=shared");
  if (got < SELFMAG || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
    return fail(error, error_size,
                "it is no shared library: it does not begin as an ELF file");
  if (got < 20) /* all that is looked at before the size of the rest is known */
    return fail(error, error_size, "it is truncated");
  if (header->e_ident[EI_DATA] != OWN_DATA)
    return fail(error, error_size,
                "it is for a machine with another order of bytes");
#ifdef OWN_MACHINE
  if (header->e_machine != OWN_MACHINE)
    return fail(error, error_size, "it is for %s, and this program is for %s",
                machine_name(header->e_machine), machine_name(OWN_MACHINE));
#endif
  int bits = header->e_ident[EI_CLASS] == ELFCLASS32 ? 32 : 64;
  if (bits != __ELF_NATIVE_CLASS)
    return fail(error, error_size, "it has %d bits, and this program has %d",
                bits, __ELF_NATIVE_CLASS);
  return 0;
}

/* Whether an ELF file is a shared library. */
static int check_type(const ElfW(Ehdr) * header, char *error,
                      size_t error_size) {
  if (header->e_type == ET_REL)
    return fail(error, error_size,
                "it is an object; compile the model with briskc "
                "--emit=shared");
  if (header->e_type != ET_DYN)
    return fail(error, error_size, "it is an ELF file, but no shared library");
  return 0;
}

/* Where a segment ends in the file; where its header does, if that is not all
   there. */
static uint64_t segment_end(int file, const ElfW(Ehdr) * header, unsigned i) {
  ElfW(Phdr) segment;
  uint64_t end;
  if (__builtin_add_overflow(header->e_phoff,
                             (i + 1) * (uint64_t)sizeof segment, &end))
    return UINT64_MAX;
  if (read_at(file, &segment, sizeof segment, (off_t)(end - sizeof segment)) ==
          sizeof segment &&
      __builtin_add_overflow((uint64_t)segment.p_offset,
                             (uint64_t)segment.p_filesz, &end))
    return UINT64_MAX;
  return end;
}

/* Whether a file of so many bytes has all that its headers say, which the
   dynamic loader maps: the first access past the end of a shorter file would be
   a signal. */
static int check_size(int file, const ElfW(Ehdr) * header, uint64_t size,
                      char *error, size_t error_size) {
  uint64_t needed = sizeof *header;
  for (unsigned i = 0; needed <= size && i < header->e_phnum; ++i) {
    if (header->e_phentsize != sizeof(ElfW(Phdr)))
      return fail(error, error_size, "its program headers are damaged");
    needed = segment_end(file, header, i);
  }
  if (needed > size)
    return fail(error, error_size,
                "it is truncated: its content ends behind byte %" PRIu64
                ", and the file has %" PRIu64 " bytes",
                needed, size);
  return 0;
}

int brisk_elf_check(int file, char *error, size_t error_size) {
  struct stat status;
  if (fstat(file, &status))
    return fail(error, error_size, "%s", strerror(errno));
  if (check_kind(&status, error, error_size))
    return 1;
  ElfW(Ehdr) header;
  memset(&header, 0, sizeof header);
  size_t got = read_at(file, &header, sizeof header, 0);
  return check_machine(&header, got, error, error_size) ||
         check_type(&header, error, error_size) ||
         check_size(file, &header, (uint64_t)status.st_size, error, error_size);
}
