/*===- brisk/host.h - Running compiled models on a hosted system ----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program on an operating system wants around brisk/model.h: loading
// models from shared libraries, arenas, a clock and a thread pool for the
// hooks. Optional: a model runs without any of it. Library brisk_host.
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_HOST_H
#define BRISK_HOST_H

#include "brisk/model.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*--- Loading --------------------------------------------------------------*/

/* A shared library with a compiled model in it. */
typedef struct brisk_library brisk_library;

/* Loads a private copy of a model: what happens to the file afterwards does not
   touch it, and who opens the path again gets what lies there by then. path is
   taken as a file's path, never searched for. Null on failure; then error, if
   not null, holds a message of at most error_size bytes, zero-terminated. */
brisk_library *brisk_library_open(const char *path, char *error,
                                  size_t error_size);

/* The model's descriptor, valid until the library is closed. */
const brisk_model *brisk_library_model(const brisk_library *library);

/* Unloads the model. Null is allowed. */
void brisk_library_close(brisk_library *library);

/* Checks that a descriptor is one this runtime understands, is consistent in
   itself, and that this CPU has what the code needs. Returns 0, or 1 and a
   message in error. brisk_library_open has done so. */
int brisk_model_check(const brisk_model *model, char *error, size_t error_size);

/* Bits of one element in memory, 0 for an unknown type. */
uint32_t brisk_dtype_bits(uint32_t dtype);

/* NumPy's name of a type ("float32", "bool", …, and "bfloat16"); null for an
   unknown type. */
const char *brisk_dtype_name(uint32_t dtype);

/* The name of a brisk_phase: "inference", "pre" or "post"; "?" for any other
   number. */
const char *brisk_phase_name(uint32_t phase);

/* What a status that a run returns means. */
const char *brisk_status_text(int status);

/*--- Memory ---------------------------------------------------------------*/

/* Memory of at least bytes bytes, aligned to alignment (a power of two) and to
   64; on huge pages where it is large and the system has them. Never null for
   0 bytes, null where memory is short. Content is unspecified. */
void *brisk_aligned_alloc(size_t bytes, size_t alignment);
void brisk_aligned_free(void *memory);

/* A block of a model's memory, for calls whose hooks have at most so many
   workers (brisk_pool_threads of a pool; 0 counts as 1): a call with more would
   write behind it. Null where memory is short. Free it with
   brisk_aligned_free. */
void *brisk_memory_create(const brisk_memory *block, uint32_t workers);

/* Fills a tensor's data with what suits its type: floating point numbers spread
   evenly over [-1, 1), integers and booleans of 0 and 1. The values follow from
   *state alone, which moves on; any seed will do. */
void brisk_fill_random(const brisk_tensor *tensor, void *data, uint64_t *state);

/*--- Time -----------------------------------------------------------------*/

/* The clock hook: nanoseconds of CLOCK_MONOTONIC. context is not used. */
uint64_t brisk_clock_ns(void *context);

/*--- Threads --------------------------------------------------------------*/

/* A pool of threads for the parallel_for hook. */
typedef struct brisk_pool brisk_pool;

/* How many threads this process can run at once: the CPUs of its affinity
   mask, but no more than whole CPUs in its cgroup's quota; at least 1. */
uint32_t brisk_default_threads(void);

/* Starts a pool that runs on threads threads, the calling one among them (so
   threads - 1 are started); 0 means brisk_default_threads(). Null where memory
   or threads are short. Idle workers spin for some tens of microseconds, then
   sleep. */
brisk_pool *brisk_pool_create(uint32_t threads);

/* Ends the pool. No call may be running on it. Null is allowed. */
void brisk_pool_destroy(brisk_pool *pool);

/* The number of threads, the caller's included. */
uint32_t brisk_pool_threads(const brisk_pool *pool);

/* The parallel_for hook; context is the pool. May be called from several
   threads at once and from inside a task: each call makes progress on its own
   thread whatever the workers do. Workers have numbers below
   brisk_pool_threads, which is what hooks have to say; the calling thread is
   worker 0 of its call. A call runs on no more workers than it is worth. */
void brisk_pool_parallel_for(void *context, brisk_task task, void *args,
                             int64_t count, uint32_t worth);

/* Hooks that run on a pool, and measure nothing. Without a pool (null), on the
   calling thread. */
brisk_hooks brisk_pool_hooks(brisk_pool *pool);

#ifdef __cplusplus
}
#endif

#endif /* BRISK_HOST_H */
