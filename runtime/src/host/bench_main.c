/*===- bench_main.c - A program that benchmarks itself --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What briskc --emit=exe links a model with: it runs the model on seeded
// inputs and prints its latency table and, for a model compiled with
// --profile, where the time went.
//
//===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "brisk/histogram.h"
#include "brisk/host.h"
#include "brisk/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const brisk_model *brisk_model_get(void);

/* 1/256 of a value is finer than such timings repeat. */
#define PRECISION 8
#define VALUE_BITS 44 /* about five hours of nanoseconds */
#define SLOTS BRISK_HISTOGRAM_SLOTS(PRECISION, VALUE_BITS)

enum { THREADS, WARMUP_MS, DURATION_S, ITERATIONS, NUM_FLAGS };

static const struct flag {
  const char *name;
  double low, high;
  int whole; /* only whole numbers */
  double fallback;
} flags[NUM_FLAGS] = {
    [THREADS] = {"--threads", 0, 1024, 1, 1},
    [WARMUP_MS] = {"--warmup-ms", 0, 1e9, 0, 200},
    [DURATION_S] = {"--duration-s", 0, 1e9, 0, 3},
    [ITERATIONS] = {"--iterations", 1, 1e9, 1, 100},
};

struct instance {
  const brisk_model *model;
  void **inputs;
  void **outputs;
  void *arena;
  brisk_hooks hooks;
  brisk_trace trace;
};

static const char usage[] =
    "usage: %s [--threads N] [--warmup-ms MS] [--duration-s S] "
    "[--iterations N]\n"
    "\n"
    "Benchmarks the model in this program on seeded random inputs.\n"
    "  --threads N      threads to run on (default 1); 0 for all that this "
    "process may use\n"
    "  --warmup-ms MS   time to run before measuring (default 200)\n"
    "  --duration-s S   measure for at least S seconds (default 3)\n"
    "  --iterations N   measure at least N runs (default 100)\n";

static const struct flag *find_flag(const char *name, size_t length) {
  for (const struct flag *flag = flags; flag != flags + NUM_FLAGS; ++flag)
    if (strlen(flag->name) == length && memcmp(flag->name, name, length) == 0)
      return flag;
  return NULL;
}

static int parse_value(const struct flag *flag, const char *text,
                       double *value) {
  char *end;
  errno = 0;
  double number = strtod(text, &end);
  if (end == text || *end || errno ||
      !(number >= flag->low && number <= flag->high) ||
      (flag->whole && number != (double)(uint64_t)number)) {
    fprintf(stderr, "error: %s wants a number from %g to %g, not '%s'\n",
            flag->name, flag->low, flag->high, text);
    return 1;
  }
  *value = number;
  return 0;
}

/* Fills the value of every flag. Returns 0, 1 after an error, or -1 where only
   help was asked for. */
static int parse_flags(int argc, char **argv, double *values) {
  for (int i = 0; i < NUM_FLAGS; ++i)
    values[i] = flags[i].fallback;
  for (int i = 1; i < argc; ++i) {
    const char *argument = argv[i];
    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
      printf(usage, argv[0]);
      return -1;
    }
    size_t length = strcspn(argument, "=");
    const struct flag *flag = find_flag(argument, length);
    if (!flag) {
      fprintf(stderr, "error: unknown argument '%s'; see --help\n", argument);
      return 1;
    }
    const char *text = argument[length] ? argument + length + 1
                       : i + 1 < argc   ? argv[++i]
                                        : "";
    if (parse_value(flag, text, &values[flag - flags]))
      return 1;
  }
  return 0;
}

/* Storage for every tensor of a table; null where memory is short. */
static void **allocate(const brisk_tensor *tensors, uint32_t count) {
  void **pointers = calloc(count ? count : 1, sizeof *pointers);
  for (uint32_t i = 0; pointers && i < count; ++i) {
    pointers[i] = brisk_aligned_alloc(tensors[i].bytes, 64);
    if (!pointers[i])
      return NULL;
    memset(pointers[i], 0, tensors[i].bytes);
  }
  return pointers;
}

/* One run; ends the program if the model refuses. Returns nanoseconds. */
static uint64_t run(struct instance *instance) {
  uint64_t start = brisk_clock_ns(NULL);
  int status =
      brisk_run(instance->model->call, (const void *const *)instance->inputs,
                instance->outputs, instance->arena, &instance->hooks);
  uint64_t ns = brisk_clock_ns(NULL) - start;
  if (status != BRISK_OK) {
    fprintf(stderr, "error: the model did not run: %s\n",
            brisk_status_text(status));
    if (status == BRISK_ERROR_BRANCH)
      fprintf(stderr, "its inputs are random; measure it by brisk-bench "
                      "--input NAME=FILE\n");
    exit(1);
  }
  return ns;
}

static void print_percentile(const char *name, uint32_t per_10000,
                             const brisk_histogram *histogram) {
  uint64_t ns;
  if (brisk_histogram_percentile(histogram, per_10000, &ns))
    printf("  %-5s %12.4f\n", name, (double)ns * 1e-6);
  else
    printf("  %-5s\n", name); /* too few runs to tell */
}

static void print_latency(const brisk_histogram *histogram) {
  printf("latency in ms, n = %" PRIu64 "\n", histogram->count);
  print_percentile("min", 0, histogram);
  printf("  %-5s %12.4f\n", "mean",
         (double)brisk_histogram_mean(histogram) * 1e-6);
  print_percentile("P50", 5000, histogram);
  print_percentile("P90", 9000, histogram);
  print_percentile("P95", 9500, histogram);
  print_percentile("P99", 9900, histogram);
  print_percentile("max", 10000, histogram);
}

/* A name on a line, without what could steer a terminal. */
static void print_name(const char *name) {
  for (; *name; ++name) {
    unsigned char c = (unsigned char)*name;
    putchar(c < 32 || c == 127 ? '?' : c);
  }
  putchar('\n');
}

/* What stages before the model, the model, stages after it and whole runs took.
 */
enum { NUM_PHASES = BRISK_PHASE_POST + 1, END_TO_END = NUM_PHASES };

struct phases {
  const brisk_model *model;
  brisk_histogram times[NUM_PHASES + 1];
  uint32_t *counts; /* null for a model without other stages */
};

static int has_stages(const brisk_model *model) {
  for (uint32_t i = 0; i < model->num_ops; ++i)
    if (model->ops[i].phase != BRISK_PHASE_INFERENCE)
      return 1;
  return 0;
}

/* Returns 0 if there is no memory. */
static int init_phases(struct phases *phases, const brisk_model *model) {
  phases->model = model;
  phases->counts = NULL;
  if (!has_stages(model))
    return 1;
  phases->counts = malloc((NUM_PHASES + 1) * SLOTS * sizeof *phases->counts);
  if (!phases->counts)
    return 0;
  for (int i = 0; i <= END_TO_END; ++i)
    brisk_histogram_init(&phases->times[i], phases->counts + i * SLOTS,
                         PRECISION, VALUE_BITS);
  return 1;
}

static void record_phases(struct phases *phases, const brisk_trace *trace,
                          uint64_t ns) {
  if (!phases->counts)
    return;
  uint64_t sums[NUM_PHASES] = {0};
  for (uint32_t i = 0; i < trace->count; ++i) {
    const brisk_record *record = &trace->records[i];
    if (record->op < phases->model->num_ops)
      sums[phases->model->ops[record->op].phase] += record->end - record->start;
  }
  for (int i = 0; i < NUM_PHASES; ++i)
    brisk_histogram_record(&phases->times[i], sums[i]);
  brisk_histogram_record(&phases->times[END_TO_END], ns);
}

static void print_phases(const struct phases *phases) {
  static const int order[] = {BRISK_PHASE_PRE, BRISK_PHASE_INFERENCE,
                              BRISK_PHASE_POST, END_TO_END};
  if (!phases->counts)
    return;
  for (size_t i = 0; i < sizeof order / sizeof *order; ++i) {
    const char *name = order[i] == END_TO_END
                           ? "end to end"
                           : brisk_phase_name((uint32_t)order[i]);
    const brisk_histogram *times = &phases->times[order[i]];
    if (times->max == 0)
      continue; /* there is no such stage */
    printf("\n%s, with the trace hook: ", name);
    print_latency(times);
  }
}

/* Runs with the trace hook and prints the mean of every op. */
static int print_profile(struct instance *instance, uint64_t ns) {
  const brisk_model *model = instance->model;
  uint32_t capacity = model->num_ops > 4096 ? 4 * model->num_ops : 16384;
  brisk_record *records = malloc(capacity * sizeof *records);
  uint64_t *ticks = calloc(model->num_ops + 1, sizeof *ticks);
  struct phases phases;
  if (!records || !ticks || !init_phases(&phases, model)) {
    fprintf(stderr, "error: out of memory for the profile\n");
    free(records);
    free(ticks);
    return 1;
  }
  brisk_trace_init(&instance->trace, records, capacity);
  instance->hooks.clock = brisk_clock_ns;
  instance->hooks.trace = &instance->trace;
  uint64_t total = 0, runs = 0, dropped = 0;
  while (runs < 1 || (total < ns && runs < 10000)) {
    brisk_trace_reset(&instance->trace);
    uint64_t elapsed = run(instance);
    total += elapsed;
    record_phases(&phases, &instance->trace, elapsed);
    brisk_trace_sum(&instance->trace, ticks, NULL, model->num_ops);
    dropped += instance->trace.dropped;
    ++runs;
  }
  print_phases(&phases);
  printf("\nops in run order, mean of %" PRIu64 " runs\n", runs);
  printf("%12s %7s %9s %9s  %-14s %-14s %s\n", "ms", "share", "GFLOP/s", "GB/s",
         "type", "kernel", "name");
  for (uint32_t i = 0; i < model->num_ops; ++i) {
    const brisk_op *op = &model->ops[i];
    double mean = (double)ticks[i] / (double)runs;
    double rate = mean > 0 ? 1 / mean : 0;
    printf("%12.4f %6.1f%% %9.2f %9.2f  %-14s %-14s ", mean * 1e-6,
           total ? 100.0 * (double)ticks[i] / (double)total : 0,
           (double)op->flops * rate, (double)op->bytes * rate, op->type,
           op->kernel);
    print_name(op->name);
  }
  if (dropped)
    printf("%" PRIu64 " records did not fit into the trace buffer\n", dropped);
  instance->hooks.trace = NULL;
  free(phases.counts);
  free(records);
  free(ticks);
  return 0;
}

int main(int argc, char **argv) {
  double values[NUM_FLAGS];
  int parsed = parse_flags(argc, argv, values);
  if (parsed)
    return parsed < 0 ? 0 : 1;

  struct instance instance = {.model = brisk_model_get()};
  const brisk_model *model = instance.model;
  char error[1024];
  if (brisk_model_check(model, error, sizeof error)) {
    fprintf(stderr, "error: %s\n", error);
    return 1;
  }
  if (model->num_symbols || model->num_out_dims || model->num_memory != 1) {
    fprintf(stderr, "error: the model's shapes are not fixed, or it needs "
                    "other memory than an arena\n");
    return 1;
  }
  uint64_t start = brisk_clock_ns(NULL);
  uint32_t threads = (uint32_t)values[THREADS];
  if (threads == 0)
    threads = brisk_default_threads();
  instance.inputs = allocate(model->inputs, model->num_inputs);
  instance.outputs = allocate(model->outputs, model->num_outputs);
  instance.arena = brisk_memory_create(model->memory, threads);
  uint32_t *counts = malloc(SLOTS * sizeof *counts);
  if (!instance.inputs || !instance.outputs || !instance.arena || !counts) {
    fprintf(stderr, "error: out of memory\n");
    return 1;
  }
  brisk_pool *pool = NULL;
  if (threads > 1) {
    pool = brisk_pool_create(threads);
    if (!pool) {
      fprintf(stderr, "error: cannot start %" PRIu32 " threads\n", threads);
      return 1;
    }
  }
  instance.hooks = brisk_pool_hooks(pool);
  double load_ms = (double)(brisk_clock_ns(NULL) - start) * 1e-6;
  uint64_t state = 0;
  for (uint32_t i = 0; i < model->num_inputs; ++i)
    brisk_fill_random(&model->inputs[i], instance.inputs[i], &state);

  printf("model    %s\ntarget   %s\nthreads  %" PRIu32 "\narena    %" PRIu64
         " bytes\nweights  %" PRIu64 " bytes\n",
         model->name, model->target, threads,
         brisk_memory_bytes(model->memory, threads), model->weights_bytes);
  printf("load     %.4f ms\n", load_ms);
  printf("first    %.4f ms\n", (double)run(&instance) * 1e-6);
  uint64_t warmups = 0;
  start = brisk_clock_ns(NULL);
  while ((double)(brisk_clock_ns(NULL) - start) < values[WARMUP_MS] * 1e6) {
    run(&instance);
    ++warmups;
  }
  printf("warm-up  %.1f ms, %" PRIu64 " runs\n\n",
         (double)(brisk_clock_ns(NULL) - start) * 1e-6, warmups);
  fflush(stdout);

  brisk_histogram histogram;
  brisk_histogram_init(&histogram, counts, PRECISION, VALUE_BITS);
  double duration_ns = values[DURATION_S] * 1e9;
  start = brisk_clock_ns(NULL);
  while (histogram.count < (uint64_t)values[ITERATIONS] ||
         (double)(brisk_clock_ns(NULL) - start) < duration_ns)
    brisk_histogram_record(&histogram, run(&instance));
  print_latency(&histogram);

  if (model->profiled && model->num_ops &&
      print_profile(&instance, (uint64_t)(duration_ns / 4)))
    return 1;
  /* Memory goes back with the process; only the threads are ended. */
  brisk_pool_destroy(pool);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "error: cannot write: %s\n", strerror(errno));
    return 1;
  }
  return 0;
}
