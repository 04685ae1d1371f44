/*===- run_properties.c - What every run of a model promises --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked with one compiled model of the name "model". Checks that a run
// allocates nothing and takes no more of the stack than the header says, that
// instances on two threads at once give bitwise what one alone gives, and that
// the number of threads in a run does not matter.
//
//===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "brisk/host.h"
#include "model.h"
#include "stack_probe.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MODEL model_model
#define MAX_THREADS 4

/*--- The allocator, counted ------------------------------------------------*/

/* These definitions come before the C library's for the whole program. */
static atomic_int counting;
static atomic_uint allocations;

static void count(void) {
  if (atomic_load(&counting))
    atomic_fetch_add(&allocations, 1);
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
  count();
  __libc_free(memory);
}

void *mmap(void *address, size_t length, int protection, int flags, int file,
           off_t offset) {
  count();
  return (void *)syscall(SYS_mmap, address, length, protection, flags, file,
                         offset);
}

/*--- Instances -------------------------------------------------------------*/

typedef struct instance {
  const void **inputs;
  void **outputs;
  void *arena; /* for MAX_THREADS */
} instance;

static void *allocate(uint64_t bytes) {
  void *memory = brisk_aligned_alloc(bytes, 64);
  if (!memory) {
    fprintf(stderr, "error: no memory for %llu bytes\n",
            (unsigned long long)bytes);
    exit(1);
  }
  return memory;
}

/* The same for every instance: floats in [-1, 1), else zeros and ones, which
   are fit to be indices and masks. */
static void fill(const brisk_tensor *tensor, uint32_t seed, void *memory) {
  uint64_t size = tensor->bits / 8;
  memset(memory, 0, tensor->bytes);
  for (uint64_t i = 0; i < tensor->bytes / size; ++i) {
    seed = seed * 1664525u + 1013904223u;
    if (tensor->dtype == BRISK_F32)
      ((float *)memory)[i] = (float)(int32_t)seed / 2147483648.0f;
    else if (tensor->dtype == BRISK_F64)
      ((double *)memory)[i] = (double)(int32_t)seed / 2147483648.0;
    else if (tensor->dtype != BRISK_F16 && tensor->dtype != BRISK_BF16)
      ((unsigned char *)memory)[i * size] = seed >> 31;
  }
}

static instance make_instance(void) {
  instance made;
  made.inputs = allocate((MODEL.num_inputs + 1) * sizeof(void *));
  made.outputs = allocate((MODEL.num_outputs + 1) * sizeof(void *));
  for (uint32_t i = 0; i < MODEL.num_inputs; ++i) {
    void *memory = allocate(MODEL.inputs[i].bytes);
    fill(&MODEL.inputs[i], i + 1, memory);
    made.inputs[i] = memory;
  }
  for (uint32_t i = 0; i < MODEL.num_outputs; ++i)
    made.outputs[i] = allocate(MODEL.outputs[i].bytes);
  made.arena = brisk_memory_create(MODEL.memory, MAX_THREADS);
  if (!made.arena) {
    fprintf(stderr, "error: no memory for the arena\n");
    exit(1);
  }
  return made;
}

/* Runs in memory that held something else before; returns whether it could. */
static int run(const instance *on, int garbage, const brisk_hooks *hooks) {
  memset(on->arena, garbage, brisk_memory_bytes(MODEL.memory, MAX_THREADS));
  for (uint32_t i = 0; i < MODEL.num_outputs; ++i)
    memset(on->outputs[i], garbage, MODEL.outputs[i].bytes);
  return model_run(on->inputs, on->outputs, on->arena, hooks) == BRISK_OK;
}

static int same(const instance *a, const instance *b) {
  for (uint32_t i = 0; i < MODEL.num_outputs; ++i)
    if (memcmp(a->outputs[i], b->outputs[i], MODEL.outputs[i].bytes) != 0)
      return 0;
  return 1;
}

/*--- The checks ------------------------------------------------------------*/

static int failures;

static void check(int holds, const char *what) {
  printf("%-4s  %s\n", holds ? "ok" : "FAIL", what);
  failures += !holds;
}

static instance reference;

/* Without the place of its first input, of its last output, or of all. */
static int check_null(void) {
  instance lacking = make_instance();
  int last = (int)MODEL.num_outputs - 1;
  const void *input = lacking.inputs[0];
  lacking.inputs[0] = NULL;
  int refused = model_run(lacking.inputs, lacking.outputs, lacking.arena,
                          NULL) == BRISK_ERROR_NULL;
  lacking.inputs[0] = input;
  lacking.outputs[last] = NULL;
  refused &= model_run(lacking.inputs, lacking.outputs, lacking.arena, NULL) ==
             BRISK_ERROR_NULL;
  return refused && model_call(NULL) == BRISK_ERROR_NULL &&
         model_run(lacking.inputs, NULL, lacking.arena, NULL) ==
             BRISK_ERROR_NULL;
}

/* Structs of an older interface, and memory that is not aligned. */
static int check_faults(void) {
  void *memory[] = {reference.arena};
  brisk_hooks hooks = brisk_pool_hooks(NULL);
  brisk_call call = {sizeof call,
                     (const void *const *)reference.inputs,
                     reference.outputs,
                     NULL,
                     NULL,
                     memory,
                     &hooks};
  int agrees = MODEL.call(&call) == BRISK_OK;
  call.size = sizeof call - 1;
  agrees &= MODEL.call(&call) == BRISK_ERROR_SIZE;
  call.size = sizeof call + 8; /* of a newer one */
  agrees &= MODEL.call(&call) == BRISK_OK;
  hooks.size = 0;
  agrees &= MODEL.call(&call) == BRISK_ERROR_SIZE;
  call.hooks = NULL;
  if (MODEL.memory->bytes == 0)
    return agrees && MODEL.call(&call) == BRISK_OK;
  memory[0] = (char *)reference.arena + 1;
  agrees &= MODEL.call(&call) == BRISK_ERROR_ALIGNMENT;
  call.memory = NULL;
  return agrees && MODEL.call(&call) == BRISK_ERROR_NULL;
}

static int check_allocations(const instance *on, const brisk_hooks *hooks) {
  atomic_store(&allocations, 0);
  atomic_store(&counting, 1);
  int ran = run(on, 0xff, hooks);
  atomic_store(&counting, 0);
  return ran && atomic_load(&allocations) == 0;
}

static int check_stack(const instance *on) {
  int status = 0;
  uint64_t bytes =
      stack_probe_run(&MODEL, on->inputs, on->outputs, on->arena, &status);
  printf("      %llu bytes of stack, at most %u\n", (unsigned long long)bytes,
         MODEL_STACK_BYTES);
  return status == BRISK_OK && bytes > 0 && bytes <= MODEL_STACK_BYTES;
}

/* That the counters count: else the check above would say nothing. */
static int check_counters(void) {
  atomic_store(&allocations, 0);
  atomic_store(&counting, 1);
  void *volatile memory = malloc(1);
  free(memory);
  atomic_store(&counting, 0);
  return atomic_load(&allocations) == 2;
}

typedef struct worker {
  instance on;
  pthread_barrier_t *start;
  int agrees;
} worker;

static void *work(void *argument) {
  worker *self = argument;
  pthread_barrier_wait(self->start);
  self->agrees = 1;
  for (int i = 0; i < 10; ++i)
    self->agrees &= run(&self->on, i, NULL) && same(&self->on, &reference);
  return NULL;
}

static int check_two_instances(void) {
  pthread_barrier_t start;
  pthread_barrier_init(&start, NULL, 2);
  worker workers[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    workers[i] = (worker){make_instance(), &start, 0};
    if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
      return 0;
  }
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  return workers[0].agrees && workers[1].agrees;
}

static int check_threads(uint32_t threads) {
  brisk_pool *pool = brisk_pool_create(threads);
  if (!pool)
    return 0;
  brisk_hooks hooks = brisk_pool_hooks(pool);
  hooks.clock = brisk_clock_ns;
  instance on = make_instance();
  int agrees = 1;
  for (int i = 0; i < 5; ++i)
    agrees &= run(&on, i, &hooks) && same(&on, &reference);
  agrees &= check_allocations(&on, &hooks);
  brisk_pool_destroy(pool);
  return agrees;
}

int main(void) {
  char error[256];
  if (brisk_model_check(&MODEL, error, sizeof error)) {
    fprintf(stderr, "error: %s\n", error);
    return 1;
  }
  printf("%s for %s: %llu bytes of arena\n", MODEL.name, MODEL.target,
         (unsigned long long)MODEL.memory->bytes);
  reference = make_instance();
  check(check_counters(), "the interposed allocator counts");
  check(check_null(), "a run refuses null pointers");
  check(check_faults(), "a run refuses smaller structs and odd memory");
  check(check_allocations(&reference, NULL), "a run allocates nothing");
  check(check_stack(&reference), "a run keeps to its stack");
  check(check_two_instances(), "two instances at once agree with one");
  check(check_threads(1),
        "1 thread through the hook agrees, allocates nothing");
  check(check_threads(2), "2 threads agree, allocate nothing");
  check(check_threads(MAX_THREADS), "4 threads agree, allocate nothing");
  return failures != 0;
}
