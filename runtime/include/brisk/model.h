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
#define BRISK_ABI_VERSION 2u

/* Element types. The numbers are those of ONNX's TensorProto.DataType. */
typedef enum brisk_dtype {
  BRISK_F32 = 1,
  BRISK_U8 = 2,
  BRISK_I8 = 3,
  BRISK_U16 = 4,
  BRISK_I16 = 5,
  BRISK_I32 = 6,
  BRISK_I64 = 7,
  BRISK_BOOL = 9, /* one byte, 0 or 1 */
  BRISK_F16 = 10,
  BRISK_F64 = 11,
  BRISK_U32 = 12,
  BRISK_U64 = 13,
  BRISK_BF16 = 16
} brisk_dtype;

/* What NAME_run returns. */
typedef enum brisk_status {
  BRISK_OK = 0,
  BRISK_ERROR_NULL = 1,      /* a required pointer is null */
  BRISK_ERROR_ALIGNMENT = 2, /* the arena is not aligned to arena_alignment */
  BRISK_ERROR_INDEX = 3,     /* reserved: no model returns it; indices out of
                                range are clamped or left out */
  BRISK_ERROR_BRANCH = 4     /* the data takes a branch that cannot work at the
                                shapes compiled for; outputs are unspecified */
} brisk_status;

/* An input or output: dense, row-major in the order of dims. */
typedef struct brisk_tensor {
  const char *name;    /* ONNX value name, UTF-8, zero-terminated */
  const int64_t *dims; /* rank entries; null where rank is 0 */
  uint32_t rank;
  uint32_t dtype; /* brisk_dtype */
  uint64_t bytes;
} brisk_tensor;

/* One group of the plan, in run order: the side table of the profile. */
typedef struct brisk_op {
  const char *name;   /* ONNX node names fused into the group, ';' between */
  const char *type;   /* the anchor's operation, e.g. "conv" */
  const char *kernel; /* kernel family, e.g. "gemm" */
  uint64_t flops;     /* floating point operations: a multiply-add is two */
  uint64_t bytes;     /* bytes read and written, each tensor once */
} brisk_op;

/* Runs iterations [begin, end) of a kernel's outer tile loop. */
typedef void (*brisk_task)(void *args, int64_t begin, int64_t end);

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

/* What the platform provides. Every member may be null, and so may the
   pointer to the hooks itself. */
typedef struct brisk_hooks {
  void *context; /* first argument of the functions below */
  /* Monotonic ticks. Only called by models compiled with --profile. */
  uint64_t (*clock)(void *context);
  /* Runs task over [0, count), in pieces on any threads, each iteration
     exactly once, and returns when all are done. */
  void (*parallel_for)(void *context, brisk_task task, void *args,
                       int64_t count);
  /* Where a model compiled with --profile writes records; needs clock. */
  brisk_trace *trace;
} brisk_hooks;

/* Runs a model once. inputs and outputs hold one pointer each per tensor, in
   the descriptor's order; a tensor of 0 bytes may have any pointer. arena is
   arena_bytes large and aligned to arena_alignment; its content before the
   call does not matter. inputs, outputs and arena do not overlap. Reentrant:
   calls with different arenas and outputs may run at the same time. */
typedef int (*brisk_run)(const void *const *inputs, void *const *outputs,
                         void *arena, const brisk_hooks *hooks);

/* The descriptor: the constant NAME_model in every compiled model, and what
   brisk_model_get() of a shared library returns. */
typedef struct brisk_model {
  uint32_t abi_version; /* BRISK_ABI_VERSION of the compiler */
  uint32_t profiled;    /* 1: compiled with --profile */
  const char *name;
  const char *target; /* the --target it was compiled for */
  const brisk_tensor *inputs;
  const brisk_tensor *outputs;
  const brisk_op *ops;
  uint32_t num_inputs;
  uint32_t num_outputs;
  uint32_t num_ops;
  uint32_t arena_alignment;
  uint64_t arena_bytes;
  uint64_t weights_bytes;
  brisk_run run;
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
