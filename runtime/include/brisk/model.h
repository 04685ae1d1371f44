/*===- brisk/model.h - What a compiled model is, seen from C --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one interface between the compiler and the runtime, used by both: the
// descriptor that every compiled model carries, the hooks through which it
// uses its platform, and the records that profiling writes. Freestanding C11.
//
//===----------------------------------------------------------------------===*/
#ifndef BRISK_MODEL_H
#define BRISK_MODEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever the layout or meaning of anything in this file changes. */
#define BRISK_ABI_VERSION 5u

/* Element types: BRISK_F32 = 1, BRISK_U8 = 2 and so on; brisk/elements.def
   lists them with their bits and names. */
typedef enum brisk_dtype {
#define BRISK_ELEMENT(name, number, bits, kind, numpy, type)                   \
  BRISK_##name = number,
#include "brisk/elements.def"
} brisk_dtype;

/* What NAME_call and NAME_run return. */
typedef enum brisk_status {
  BRISK_OK = 0,
  BRISK_ERROR_NULL = 1,      /* a required pointer is null */
  BRISK_ERROR_ALIGNMENT = 2, /* memory is not aligned as its block asks */
  BRISK_ERROR_INDEX = 3,     /* reserved: no model returns it; indices out of
                                range are clamped or left out */
  BRISK_ERROR_BRANCH = 4,    /* the data takes a branch that cannot work at the
                                shapes compiled for; outputs are unspecified */
  BRISK_ERROR_SIZE = 5       /* the size of the call or its hooks is not set, or
                                is of a smaller struct than the model knows */
} brisk_status;

/* What the integers of a quantized tensor stand for:
   scale * (integer - zero_point). */
typedef struct brisk_quant {
  const float *scales;        /* count entries */
  const int32_t *zero_points; /* count entries; null where all are 0 */
  uint32_t count;             /* 1, or dims[axis] */
  int32_t axis; /* the dimension along which they change; -1: one for all */
} brisk_quant;

/* An input or output. Its element at index i lies, counted in elements, at the
   sum of i[d] * strides[d]. Models are compiled for fixed shapes so far:
   symbols and quant of their tensors are null, and tensors are dense and
   row-major. */
typedef struct brisk_tensor {
  const char *name;       /* ONNX value name, UTF-8, zero-terminated */
  const int64_t *dims;    /* rank extents, the greatest that a call may have;
                             null where rank is 0 */
  const int64_t *strides; /* rank entries, in elements; null where rank is 0 */
  /* rank entries, or null where every extent is fixed: -1 for a fixed extent,
     else the number of the call's value: of brisk_call.dims, or, from
     num_symbols on, of brisk_call.out_dims. */
  const int32_t *symbols;
  const brisk_quant *quant; /* null: elements are what they say */
  uint32_t rank;
  uint32_t dtype; /* brisk_dtype */
  uint32_t bits;  /* of an element */
  uint64_t bytes; /* of the whole, at the greatest extents */
} brisk_tensor;

/* What of a compiled path an op belongs to. */
typedef enum brisk_phase {
  BRISK_PHASE_INFERENCE = 0, /* the model itself */
  BRISK_PHASE_PRE = 1,       /* what comes before the model */
  BRISK_PHASE_POST = 2       /* what comes after it */
} brisk_phase;

/* One group of the plan, in run order: the side table of the profile. */
typedef struct brisk_op {
  const char *name;   /* ONNX node names fused into the group, ';' between */
  const char *type;   /* the anchor's operation, e.g. "conv" */
  const char *kernel; /* kernel family, e.g. "gemm" */
  uint64_t flops;     /* floating point operations: a multiply-add is two */
  uint64_t bytes;     /* bytes read and written, each tensor once */
  uint32_t phase;     /* a brisk_phase */
  uint32_t reserved;
} brisk_op;

/* A share of a kernel's outer tile loop: iterations [begin, end). */
typedef struct brisk_work {
  int64_t begin;
  int64_t end;
  uint32_t worker; /* which worker runs it: below brisk_hooks.workers. No two
                      shares of one loop run on one worker at the same time. */
} brisk_work;

/* Runs a share of a kernel. */
typedef void (*brisk_task)(void *args, const brisk_work *work);

/* A profile record: ticks of the clock hook around one group. */
typedef struct brisk_record {
  uint32_t op; /* index into brisk_model.ops */
  uint32_t reserved;
  uint64_t start;
  uint64_t end;
} brisk_record;

/* A caller-owned trace buffer. When count reaches capacity, records are
   dropped and counted instead. */
typedef struct brisk_trace {
  brisk_record *records;
  uint32_t capacity;
  uint32_t count;
  uint64_t dropped;
} brisk_trace;

/* What the platform provides. Every pointer may be null, and so may the pointer
   to the hooks itself. */
typedef struct brisk_hooks {
  uint32_t size; /* sizeof(brisk_hooks) */
  /* Workers of parallel_for, the calling thread included. With 0 or 1 it is not
     called, and the model runs on the calling thread, as worker 0. */
  uint32_t workers;
  void *context; /* first argument of the functions below */
  /* Monotonic ticks. Only called by models compiled with --profile. */
  uint64_t (*clock)(void *context);
  /* Runs task over [0, count), in shares on any workers, each iteration exactly
     once, and returns when all are done. worth, which is at least 1, is advice:
     how many workers the loop is worth. One more would take longer to wake up
     to it than it saves. */
  void (*parallel_for)(void *context, brisk_task task, void *args,
                       int64_t count, uint32_t worth);
  /* Where a model compiled with --profile writes records; needs clock. */
  brisk_trace *trace;
} brisk_hooks;

/* What a block of memory is for. */
typedef enum brisk_memory_kind {
  BRISK_MEMORY_ARENA = 0 /* intermediate results and kernels' scratch: content
                            does not matter before a call, nor after it */
} brisk_memory_kind;

/* A block of memory that a call needs: bytes that all workers share and, behind
   them, some more for each worker (see brisk_memory_bytes). */
typedef struct brisk_memory {
  uint32_t kind; /* brisk_memory_kind */
  uint32_t alignment;
  uint64_t bytes;
  uint64_t bytes_per_worker;
} brisk_memory;

/* How large a block has to be for calls with so many workers. */
static inline uint64_t brisk_memory_bytes(const brisk_memory *memory,
                                          uint32_t workers) {
  return memory->bytes + memory->bytes_per_worker * (workers ? workers : 1);
}

/* One run of a model, in the order of the descriptor's tables. inputs, outputs
   and memory do not overlap. */
typedef struct brisk_call {
  uint32_t size;             /* sizeof(brisk_call) */
  const void *const *inputs; /* a pointer each; any for tensors of 0 bytes */
  void *const *outputs;
  const int64_t *dims; /* num_symbols extents, which inputs have this time; any
                          pointer where there are none */
  int64_t *out_dims;   /* gets num_out_dims extents, which outputs have; any
                          pointer where there are none */
  void *const *memory; /* a pointer for each block; any for blocks of 0 bytes */
  const brisk_hooks *hooks;
} brisk_call;

/* NAME_call: runs a model once; returns a brisk_status. Reentrant: calls with
   different memory and outputs may run at the same time. */
typedef int (*brisk_entry)(const brisk_call *call);

/* Calls a model of fixed shapes, whose only block of memory is the arena. */
static inline int brisk_run(brisk_entry entry, const void *const *inputs,
                            void *const *outputs, void *arena,
                            const brisk_hooks *hooks) {
  void *const memory[] = {arena};
  const brisk_call call = {
      sizeof(brisk_call), inputs, outputs, 0, 0, memory, hooks};
  return entry(&call);
}

/* The descriptor: the constant NAME_model in every compiled model, and what
   brisk_model_get() of a shared library returns. */
typedef struct brisk_model {
  uint32_t abi_version; /* BRISK_ABI_VERSION of the compiler */
  uint32_t profiled;    /* 1: compiled with --profile */
  const char *name;
  const char *target; /* the --target it was compiled for */
  const brisk_tensor *inputs;
  const brisk_tensor *outputs;
  const brisk_memory *memory;
  const char *const *symbols; /* the names of num_symbols extents that calls
                                 give; null and 0 so far, as num_out_dims is */
  const brisk_op *ops;
  uint32_t num_inputs;
  uint32_t num_outputs;
  uint32_t num_memory;
  uint32_t num_symbols;
  uint32_t num_out_dims; /* extents of outputs that only the run tells */
  uint32_t num_ops;
  uint64_t weights_bytes;
  brisk_entry call;
  /* What the code may use of the CPU beyond what every CPU of its kind has:
     names of brisk/cpu_features.def, separated by commas. */
  const char *cpu_features;
  /* Where the model comes from. None of these is null. */
  const char *compiler;      /* "Brisk VERSION" */
  const char *source_sha256; /* of the model's file with all files of weights
                                behind it, by name; 64 hexadecimal digits */
  const char *flags;         /* of briskc, as far as they decide the code */
} brisk_model;

/* Exported by shared libraries only, under this very name. */
typedef const brisk_model *(*brisk_model_get_fn)(void);
#define BRISK_MODEL_GET_SYMBOL "brisk_model_get"

#ifdef __cplusplus
}
#endif

#endif /* BRISK_MODEL_H */
