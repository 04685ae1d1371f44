/*===- loader.c - Models from shared libraries --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "brisk/host.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct brisk_library {
  void *handle;
  const brisk_model *model;
};

__attribute__((format(printf, 3, 4))) static int
fail(char *error, size_t error_size, const char *format, ...) {
  if (error && error_size) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error, error_size, format, arguments);
    va_end(arguments);
  }
  return 1;
}

static int check_tensors(const brisk_tensor *tensors, uint32_t count,
                         const char *kind, char *error, size_t error_size) {
  if (count && !tensors)
    return fail(error, error_size,
                "the descriptor has no table of its %" PRIu32 " %ss", count,
                kind);
  for (uint32_t i = 0; i < count; ++i) {
    const brisk_tensor *tensor = &tensors[i];
    if (!tensor->name || (tensor->rank && !tensor->dims))
      return fail(error, error_size,
                  "%s %" PRIu32 " of the descriptor is incomplete", kind, i);
    uint64_t bytes = brisk_dtype_size(tensor->dtype);
    if (bytes == 0)
      return fail(error, error_size,
                  "%s '%s' has an unknown element type, %" PRIu32, kind,
                  tensor->name, tensor->dtype);
    for (uint32_t d = 0; d < tensor->rank; ++d)
      if (tensor->dims[d] < 0 ||
          __builtin_mul_overflow(bytes, (uint64_t)tensor->dims[d], &bytes))
        return fail(error, error_size, "%s '%s' has a dimension of %" PRId64,
                    kind, tensor->name, tensor->dims[d]);
    if (bytes != tensor->bytes)
      return fail(error, error_size,
                  "%s '%s' claims %" PRIu64
                  " bytes, but its shape has %" PRIu64,
                  kind, tensor->name, tensor->bytes, bytes);
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
  if (!model->name || !model->target || !model->run)
    return fail(error, error_size, "the descriptor is incomplete");
  if (model->arena_alignment == 0 ||
      (model->arena_alignment & (model->arena_alignment - 1)))
    return fail(error, error_size,
                "the arena's alignment, %" PRIu32 ", is no power of two",
                model->arena_alignment);
  if (model->num_ops && !model->ops)
    return fail(error, error_size, "the descriptor has no table of its ops");
  for (uint32_t i = 0; i < model->num_ops; ++i)
    if (!model->ops[i].name || !model->ops[i].type || !model->ops[i].kernel)
      return fail(error, error_size,
                  "op %" PRIu32 " of the descriptor is incomplete", i);
  if (check_tensors(model->inputs, model->num_inputs, "input", error,
                    error_size))
    return 1;
  return check_tensors(model->outputs, model->num_outputs, "output", error,
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

brisk_library *brisk_library_open(const char *path, char *error,
                                  size_t error_size) {
  if (error && error_size)
    error[0] = 0;
  /* An absolute path keeps dlopen from searching the library path. */
  char *absolute = realpath(path, NULL);
  if (!absolute) {
    fail(error, error_size, "cannot open '%s': %s", path, strerror(errno));
    return NULL;
  }
  void *handle = dlopen(absolute, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    fail(error, error_size, "cannot load '%s': %s", path,
         reason ? without_path(reason, absolute) : "unknown reason");
    free(absolute);
    return NULL;
  }
  free(absolute);
  union {
    void *object;
    brisk_model_get_fn function;
  } get = {dlsym(handle, BRISK_MODEL_GET_SYMBOL)};
  if (!get.object) {
    fail(error, error_size,
         "'%s' is no compiled model: it does not export %s; compile one with "
         "briskc --emit=shared",
         path, BRISK_MODEL_GET_SYMBOL);
    dlclose(handle);
    return NULL;
  }
  const brisk_model *model = get.function();
  char reason[256];
  if (brisk_model_check(model, reason, sizeof reason)) {
    fail(error, error_size, "cannot use '%s': %s", path, reason);
    dlclose(handle);
    return NULL;
  }
  brisk_library *library = malloc(sizeof *library);
  if (!library) {
    fail(error, error_size, "cannot load '%s': out of memory", path);
    dlclose(handle);
    return NULL;
  }
  library->handle = handle;
  library->model = model;
  return library;
}

const brisk_model *brisk_library_model(const brisk_library *library) {
  return library->model;
}

void brisk_library_close(brisk_library *library) {
  if (!library)
    return;
  dlclose(library->handle);
  free(library);
}
