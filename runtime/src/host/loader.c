/*===- loader.c - Models from shared libraries --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "brisk/host.h"
#include "cpu_features.h"
#include "error.h"
#include "library_copy.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct brisk_library {
  struct brisk_library_copy copy;
  void *handle;
  const brisk_model *model;
};

/* Bytes from a tensor's first element to its last at the greatest extents.
   Returns 1 where its dims and strides are none. */
static int measure(const brisk_tensor *tensor, uint64_t *bytes) {
  uint64_t elements = 1;
  int empty = 0;
  for (uint32_t d = 0; d < tensor->rank; ++d) {
    int64_t dim = tensor->dims[d], stride = tensor->strides[d];
    uint64_t reach;
    if (dim < 0 || stride < 0)
      return 1;
    empty |= dim == 0;
    if (dim > 0 &&
        (__builtin_mul_overflow((uint64_t)dim - 1, (uint64_t)stride, &reach) ||
         __builtin_add_overflow(elements, reach, &elements)))
      return 1;
  }
  if (empty)
    elements = 0;
  if (__builtin_mul_overflow(elements, (uint64_t)tensor->bits, &elements))
    return 1;
  *bytes = elements / 8 + (elements % 8 != 0);
  return 0;
}

/* Whether every extent that a call gives, or gets, is one of num_values. */
static int has_symbols(const brisk_tensor *tensor, uint32_t num_values) {
  for (uint32_t d = 0; tensor->symbols && d < tensor->rank; ++d)
    if (tensor->symbols[d] < -1 || tensor->symbols[d] >= (int64_t)num_values)
      return 0;
  return 1;
}

static int has_scales(const brisk_tensor *tensor) {
  const brisk_quant *quant = tensor->quant;
  if (!quant)
    return 1;
  if (!quant->scales || quant->axis < -1 ||
      quant->axis >= (int64_t)tensor->rank)
    return 0;
  return quant->count == (quant->axis < 0 ? 1 : tensor->dims[quant->axis]);
}

static int check_tensors(const brisk_tensor *tensors, uint32_t count,
                         const char *kind, uint32_t num_values, char *error,
                         size_t error_size) {
  if (count && !tensors)
    return fail(error, error_size,
                "the descriptor has no table of its %" PRIu32 " %ss", count,
                kind);
  for (uint32_t i = 0; i < count; ++i) {
    const brisk_tensor *tensor = &tensors[i];
    if (!tensor->name || (tensor->rank && (!tensor->dims || !tensor->strides)))
      return fail(error, error_size,
                  "%s %" PRIu32 " of the descriptor is incomplete", kind, i);
    if (brisk_dtype_bits(tensor->dtype) == 0)
      return fail(error, error_size,
                  "%s '%s' has an unknown element type, %" PRIu32, kind,
                  tensor->name, tensor->dtype);
    if (tensor->bits != brisk_dtype_bits(tensor->dtype))
      return fail(error, error_size,
                  "%s '%s' claims elements of %" PRIu32
                  " bits, but those of %s have %" PRIu32,
                  kind, tensor->name, tensor->bits,
                  brisk_dtype_name(tensor->dtype),
                  brisk_dtype_bits(tensor->dtype));
    uint64_t bytes;
    if (measure(tensor, &bytes))
      return fail(error, error_size,
                  "%s '%s' has dimensions or strides that no memory holds",
                  kind, tensor->name);
    if (bytes != tensor->bytes)
      return fail(error, error_size,
                  "%s '%s' claims %" PRIu64
                  " bytes, but its shape has %" PRIu64,
                  kind, tensor->name, tensor->bytes, bytes);
    if (!has_symbols(tensor, num_values))
      return fail(error, error_size, "%s '%s' has an extent that no call gives",
                  kind, tensor->name);
    if (!has_scales(tensor))
      return fail(error, error_size,
                  "%s '%s' lacks scales for its quantized elements", kind,
                  tensor->name);
  }
  return 0;
}

static int check_memory(const brisk_model *model, char *error,
                        size_t error_size) {
  if (model->num_memory && !model->memory)
    return fail(error, error_size, "the descriptor has no table of its memory");
  for (uint32_t i = 0; i < model->num_memory; ++i) {
    const brisk_memory *block = &model->memory[i];
    if (block->kind != BRISK_MEMORY_ARENA)
      return fail(error, error_size,
                  "memory block %" PRIu32 " is of an unknown kind, %" PRIu32, i,
                  block->kind);
    if (block->alignment == 0 || (block->alignment & (block->alignment - 1)))
      return fail(error, error_size,
                  "the alignment of memory block %" PRIu32 ", %" PRIu32
                  ", is no power of two",
                  i, block->alignment);
    /* The bytes for any number of workers are a number then. */
    if (block->bytes > INT64_MAX || block->bytes_per_worker > INT32_MAX)
      return fail(error, error_size,
                  "memory block %" PRIu32 " has sizes that no memory holds", i);
  }
  return 0;
}

int brisk_model_check(const brisk_model *model, char *error,
                      size_t error_size) {
  if (!model)
    return fail(error, error_size, "the model has no descriptor");
  /* Nothing else in the descriptor means anything until this is known. */
  if (model->abi_version != BRISK_ABI_VERSION)
    return fail(error, error_size,
                "the model was compiled for interface version %" PRIu32
                ", this runtime has %u; compile it again",
                model->abi_version, BRISK_ABI_VERSION);
  if (!model->name || !model->target || !model->call || !model->cpu_features ||
      !model->compiler || !model->source_sha256 || !model->flags)
    return fail(error, error_size, "the descriptor is incomplete");
  char missing[512];
  if (brisk_missing_cpu_features(model->cpu_features, missing, sizeof missing))
    return fail(error, error_size,
                "the model was compiled for target '%s', whose code needs %s, "
                "which this CPU or its operating system lacks; compile it "
                "with another --target",
                model->target, missing);
  if (model->num_ops && !model->ops)
    return fail(error, error_size, "the descriptor has no table of its ops");
  for (uint32_t i = 0; i < model->num_ops; ++i)
    if (!model->ops[i].name || !model->ops[i].type || !model->ops[i].kernel ||
        model->ops[i].phase > BRISK_PHASE_POST)
      return fail(error, error_size,
                  "op %" PRIu32 " of the descriptor is incomplete", i);
  for (uint32_t i = 0; i < model->num_symbols; ++i)
    if (!model->symbols || !model->symbols[i])
      return fail(error, error_size,
                  "extent %" PRIu32 " of the descriptor has no name", i);
  return check_memory(model, error, error_size) ||
         check_tensors(model->inputs, model->num_inputs, "input",
                       model->num_symbols, error, error_size) ||
         check_tensors(model->outputs, model->num_outputs, "output",
                       model->num_symbols + model->num_out_dims, error,
                       error_size);
}

/* dlopen's messages begin with the path as dlopen saw it, which says nothing
   new after our own. */
static const char *without_path(const char *message, const char *path) {
  size_t length = strlen(path);
  if (strncmp(message, path, length) == 0 && message[length] == ':') {
    message += length + 1;
    while (*message == ' ')
      ++message;
  }
  return message;
}

/* Loads the copy under a path that the dynamic loader does not know yet: what
   it knows by name, it does not read again. The number of a descriptor may be
   that of an older copy, if somebody closed what was not theirs. */
static void *load_copy(struct brisk_library_copy *copy) {
  void *known;
  while ((known = dlopen(copy->path, RTLD_NOLOAD | RTLD_LAZY))) {
    dlclose(known);
    if (brisk_library_copy_rename(copy))
      return NULL;
  }
  (void)dlerror();
  return dlopen(copy->path, RTLD_NOW | RTLD_LOCAL);
}

/* Fills in library. Returns 0, or 1 and a message in error. */
static int open_library(brisk_library *library, const char *path, char *error,
                        size_t error_size) {
  if (brisk_library_copy_create(&library->copy, path, error, error_size))
    return 1;
  library->handle = load_copy(&library->copy);
  brisk_library_copy_unlink(&library->copy);
  if (!library->handle) {
    const char *reason = dlerror();
    return fail(error, error_size, "cannot load '%s': %s", path,
                reason ? without_path(reason, library->copy.path)
                       : "unknown reason");
  }
  union {
    void *object;
    brisk_model_get_fn function;
  } get = {dlsym(library->handle, BRISK_MODEL_GET_SYMBOL)};
  if (!get.object)
    return fail(error, error_size,
                "'%s' is no compiled model: it does not export %s; compile one "
                "with briskc --emit=shared",
                path, BRISK_MODEL_GET_SYMBOL);
  library->model = get.function();
  char reason[1024];
  if (brisk_model_check(library->model, reason, sizeof reason))
    return fail(error, error_size, "cannot use '%s': %s", path, reason);
  return 0;
}

brisk_library *brisk_library_open(const char *path, char *error,
                                  size_t error_size) {
  if (error && error_size)
    error[0] = 0;
  brisk_library *library = calloc(1, sizeof *library);
  if (!library) {
    fail(error, error_size, "cannot load '%s': out of memory", path);
    return NULL;
  }
  library->copy.file = -1;
  if (open_library(library, path, error, error_size)) {
    brisk_library_close(library);
    return NULL;
  }
  return library;
}

const brisk_model *brisk_library_model(const brisk_library *library) {
  return library->model;
}

void brisk_library_close(brisk_library *library) {
  if (!library)
    return;
  if (library->handle)
    dlclose(library->handle);
  brisk_library_copy_close(&library->copy);
  free(library);
}
