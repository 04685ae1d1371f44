/*===- library_copy.c - Private copies of shared libraries
------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "library_copy.h"
#include "elf_check.h"
#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of Linux 6.3: a file in memory that nobody can run as a program. It can be
   mapped as code all the same. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

/* Names the copy by its descriptor. The number of the process instead of
   "self" lets debuggers open it, too. Returns 0, or 1 where /proc is not
   there. */
static int name_by_descriptor(struct brisk_library_copy *copy) {
  char process[32];
  ssize_t length = readlink("/proc/self", process, sizeof process - 1);
  if (length <= 0)
    return 1;
  process[length] = 0;
  snprintf(copy->path, sizeof copy->path, "/proc/%s/fd/%d", process,
           copy->file);
  return access(copy->path, R_OK) != 0;
}

static int create_in_memory(struct brisk_library_copy *copy, const char *path) {
  const char *slash = strrchr(path, '/');
  char name[128];
  snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
  copy->file = memfd_create(name, MFD_CLOEXEC | MFD_NOEXEC_SEAL);
  if (copy->file < 0 && errno == EINVAL)
    copy->file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (copy->file < 0)
    return 1;
  if (!name_by_descriptor(copy))
    return 0;
  close(copy->file);
  copy->file = -1;
  return 1;
}

static int create_in_folder(struct brisk_library_copy *copy) {
  const char *folder = getenv("TMPDIR");
  snprintf(copy->path, sizeof copy->path, "%s/brisk-XXXXXX",
           folder && *folder ? folder : "/tmp");
  copy->file = mkostemp(copy->path, O_CLOEXEC);
  copy->named = copy->file >= 0;
  return copy->file < 0;
}

/* Of Linux 6.1: puts what is mapped into huge pages now, whatever the settings
   of the machine are. */
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

/* A file in memory is made of single pages, through which weights stream some
   percent slower than through the larger pieces that file systems keep. Where
   that cannot be had, nothing is lost but this. */
static void use_huge_pages(int file) {
  const size_t huge = (size_t)2 << 20;
  struct stat status;
  if (fstat(file, &status) || (size_t)status.st_size < huge)
    return;
  size_t size = (size_t)status.st_size / huge * huge;
  char *room =
      mmap(NULL, size + huge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED)
    return;
  char *aligned = room + (huge - (uintptr_t)room % huge) % huge;
  if (mmap(aligned, size, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) !=
      MAP_FAILED)
    (void)madvise(aligned, size, MADV_COLLAPSE);
  munmap(room, size + huge);
}

/* Returns 0 or an errno. */
static int copy_content(int from, int to) {
  struct stat before, after;
  if (fstat(from, &before))
    return errno;
  off_t done = 0;
  while (done < before.st_size) {
    ssize_t moved = sendfile(to, from, &done, (size_t)(before.st_size - done));
    if (moved < 0 && errno == EINTR)
      continue;
    if (moved < 0)
      return errno;
    if (moved == 0)
      return ESTALE;
  }
  /* Somebody may write to the file while it is read. */
  if (fstat(from, &after))
    return errno;
  return before.st_size == after.st_size &&
                 before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
                 before.st_mtim.tv_nsec == after.st_mtim.tv_nsec
             ? 0
             : ESTALE;
}

int brisk_library_copy_create(struct brisk_library_copy *copy, const char *path,
                              char *error, size_t error_size) {
  memset(copy, 0, sizeof *copy);
  copy->file = -1;
  /* Without blocking, lest a pipe that nobody writes to is waited for. */
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return fail(error, error_size, "cannot open '%s': %s", path,
                strerror(errno));
  char reason[256];
  if (brisk_elf_check(file, reason, sizeof reason)) {
    close(file);
    return fail(error, error_size, "cannot load '%s': %s", path, reason);
  }
  if (create_in_memory(copy, path) && create_in_folder(copy)) {
    int code = errno;
    close(file);
    return fail(error, error_size,
                "cannot load '%s': there is no memory file, and no file '%s' "
                "either: %s; set TMPDIR to a folder that can be written to",
                path, copy->path, strerror(code));
  }
  int code = copy_content(file, copy->file);
  close(file);
  if (code) {
    brisk_library_copy_close(copy);
    return fail(error, error_size, "cannot load '%s': %s", path,
                code == ESTALE ? "it changes while it is read; write a new "
                                 "file and rename it to this path"
                               : strerror(code));
  }
  /* From here on the copy is constant; named files have no seals. */
  if (!copy->named) {
    use_huge_pages(copy->file);
    (void)fcntl(copy->file, F_ADD_SEALS,
                F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
  }
  return 0;
}

int brisk_library_copy_rename(struct brisk_library_copy *copy) {
  if (copy->named)
    return 1;
  int other = fcntl(copy->file, F_DUPFD_CLOEXEC, copy->file + 1);
  if (other < 0)
    return 1;
  close(copy->file);
  copy->file = other;
  return name_by_descriptor(copy);
}

void brisk_library_copy_unlink(struct brisk_library_copy *copy) {
  if (!copy->named)
    return;
  unlink(copy->path);
  close(copy->file);
  copy->file = -1;
  copy->named = 0;
}

void brisk_library_copy_close(struct brisk_library_copy *copy) {
  brisk_library_copy_unlink(copy);
  if (copy->file >= 0)
    close(copy->file);
  copy->file = -1;
}
