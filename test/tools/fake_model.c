/*===- fake_model.c - A compiled model written by hand --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model as the compiler would emit it, for testing loader and tools alone:
//   y[2,3] f32 = x[2,3] f32 * scale f32, n[2] i64 = count of "flags"[2,4] bool
// FAKE_ABI, FAKE_PROFILED, FAKE_BYTES, FAKE_FEATURES, FAKE_SYMBOLS, FAKE_STATUS
// and FAKE_NO_GETTER make broken variants, FAKE_FACTOR, FAKE_PHASE and
FAKE_COUNTS
// (which is not run) other models.
//
//===----------------------------------------------------------------------===*/
#include "brisk/model.h"

#ifndef FAKE_ABI
#define FAKE_ABI BRISK_ABI_VERSION
#endif
#ifndef FAKE_PROFILED
#define FAKE_PROFILED 0
#endif
#ifndef FAKE_BYTES
#define FAKE_BYTES 24
#endif
#ifndef FAKE_FEATURES
#define FAKE_FEATURES ""
#endif
#ifndef FAKE_SYMBOLS
#define FAKE_SYMBOLS 0
#endif
#ifndef FAKE_STATUS
#define FAKE_STATUS BRISK_OK
#endif

#ifndef FAKE_PHASE
#define FAKE_PHASE BRISK_PHASE_INFERENCE
#endif

#ifndef FAKE_COUNTS
#define FAKE_COUNTS BRISK_I64
#define FAKE_COUNT_BITS 64
#endif

// C has C's names, and a loader looks for the getter.
// NOLINTBEGIN(readability-identifier-naming,misc-use-internal-linkage)

static const int64_t dims_x[] = {2, 3};
static const int64_t dims_flags[] = {2, 4};
static const int64_t dims_n[] = {2};

static const int64_t strides_x[] = {3, 1};
static const int64_t strides_flags[] = {4, 1};
static const int64_t strides_n[] = {1};

static const brisk_tensor inputs[] = {
    {"x", dims_x, strides_x, 0, 0, 2, BRISK_F32, 32, FAKE_BYTES},
    {"scale", 0, 0, 0, 0, 0, BRISK_F32, 32, 4},
    {"flags", dims_flags, strides_flags, 0, 0, 2, BRISK_BOOL, 8, 8},
};
static const brisk_tensor outputs[] = {
    {"y", dims_x, strides_x, 0, 0, 2, BRISK_F32, 32, 24},
    {"n", dims_n, strides_n, 0, 0, 1, FAKE_COUNTS, FAKE_COUNT_BITS,
     FAKE_COUNT_BITS / 4},
};
static const brisk_memory memory[] = {{BRISK_MEMORY_ARENA, 64, 64, 0}};
static const char *const symbols[] = {"batch"};
static const brisk_op ops[] = {
    {"Mul_0", "elementwise", "elementwise", 6, 52, FAKE_PHASE, 0},
    {"Count_1;Cast_2", "reduce", "reduction", 8, 24, 0, 0},
    {"Copy_3", "elementwise", "copy", 0, 48, 0, 0},
};

#ifndef FAKE_FACTOR
#define FAKE_FACTOR 1
#endif

struct scaling {
  const float *x;
  float scale;
  float *y;
};

static void scale_rows(void *args, const brisk_work *work) {
  struct scaling *scaling = args;
  for (int64_t i = work->begin * 3; i < work->end * 3; ++i)
    scaling->y[i] = scaling->x[i] * scaling->scale * FAKE_FACTOR;
}

static uint64_t now(const brisk_hooks *hooks) {
  return hooks && hooks->trace && hooks->clock ? hooks->clock(hooks->context)
                                               : 0;
}

static void mark(const brisk_hooks *hooks, uint32_t op, uint64_t start) {
  if (!hooks || !hooks->trace || !hooks->clock)
    return;
  brisk_trace *trace = hooks->trace;
  if (trace->count >= trace->capacity) {
    ++trace->dropped;
    return;
  }
  brisk_record record = {op, 0, start, hooks->clock(hooks->context)};
  trace->records[trace->count++] = record;
}

static int call(const brisk_call *call) {
  const void *const *in = call->inputs;
  void *const *out = call->outputs;
  const brisk_hooks *hooks = call->hooks;
  if (!in || !out || !call->memory || !call->memory[0])
    return BRISK_ERROR_NULL;
  void *arena = call->memory[0];
  if ((uintptr_t)arena % 64)
    return BRISK_ERROR_ALIGNMENT;
  if (FAKE_STATUS != BRISK_OK)
    return FAKE_STATUS;
  uint64_t start = FAKE_PROFILED ? now(hooks) : 0;
  struct scaling scaling = {in[0], *(const float *)in[1], arena};
  if (hooks && hooks->parallel_for)
    hooks->parallel_for(hooks->context, scale_rows, &scaling, 2, 2);
  else
    scale_rows(&scaling, &(brisk_work){0, 2, 0});
  if (FAKE_PROFILED)
    mark(hooks, 0, start);
  start = FAKE_PROFILED ? now(hooks) : 0;
  for (int row = 0; row < 2; ++row) {
    int64_t count = 0;
    for (int i = 0; i < 4; ++i)
      count += ((const uint8_t *)in[2])[row * 4 + i];
    ((int64_t *)out[1])[row] = count;
  }
  if (FAKE_PROFILED)
    mark(hooks, 1, start);
  start = FAKE_PROFILED ? now(hooks) : 0;
  for (int i = 0; i < 6; ++i)
    ((float *)out[0])[i] = scaling.y[i];
  if (FAKE_PROFILED)
    mark(hooks, 2, start);
  return BRISK_OK;
}

static const brisk_model model = {
    .abi_version = FAKE_ABI,
    .profiled = FAKE_PROFILED,
    .name = "fake",
    .target = "host",
    .inputs = inputs,
    .outputs = outputs,
    .memory = memory,
    .symbols = symbols,
    .ops = ops,
    .num_inputs = 3,
    .num_outputs = 2,
    .num_memory = 1,
    .num_symbols = FAKE_SYMBOLS,
    .num_ops = 3,
    .weights_bytes = 0,
    .call = call,
    .cpu_features = FAKE_FEATURES,
    .compiler = "Brisk by hand",
    .source_sha256 = "",
    .flags = "",
};

#ifdef FAKE_NO_GETTER
const brisk_model *something_else(void);
const brisk_model *something_else(void) { return &model; }
#else
const brisk_model *brisk_model_get(void);
const brisk_model *brisk_model_get(void) { return &model; }
#endif

// NOLINTEND(readability-identifier-naming,misc-use-internal-linkage)
