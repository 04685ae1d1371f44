/*===- main.c - A C program with a compiled model in it -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs mobilenet_v2, compiled with
//   briskc mobilenet_v2.onnx -o libmobilenet_v2.a --profile
// on one thread, and prints how long a run takes and where the time goes. The
// model needs nothing but the arrays below: all memory is known beforehand.
//
//===----------------------------------------------------------------------===*/
#include "mobilenet_v2.h"

#include "brisk/histogram.h"
#include "brisk/host.h"
#include "brisk/trace.h"

#include <stdio.h>
#include <stdlib.h>

enum { WARMUP_RUNS = 20, RUNS = 200, TOP_ROWS = 12, MAX_OPS = 512 };

/* Everything that a run reads and writes. */
static _Alignas(64) float input[MOBILENET_V2_INPUT_0_BYTES / sizeof(float)];
static _Alignas(64) float output[MOBILENET_V2_OUTPUT_0_BYTES / sizeof(float)];
static _Alignas(
    MOBILENET_V2_ARENA_ALIGNMENT) unsigned char arena[MOBILENET_V2_ARENA_BYTES +
                                                      1];

/* Latencies in nanoseconds, 1/256 exact, up to some minutes. */
static uint32_t counts[BRISK_HISTOGRAM_SLOTS(8, 40)];

static brisk_record records[MAX_OPS];
static uint64_t op_ns[MAX_OPS];

/* Runs the model once; returns how long it took, in nanoseconds. */
static uint64_t run_once(const brisk_hooks *hooks) {
  const void *inputs[MOBILENET_V2_NUM_INPUTS] = {input};
  void *outputs[MOBILENET_V2_NUM_OUTPUTS] = {output};
  uint64_t start = brisk_clock_ns(NULL);
  int status = mobilenet_v2_run(inputs, outputs, arena, hooks);
  uint64_t ns = brisk_clock_ns(NULL) - start;
  if (status != BRISK_OK) {
    fprintf(stderr, "error: %s\n", brisk_status_text(status));
    exit(1);
  }
  return ns;
}

static void print_latency(const brisk_histogram *latency) {
  static const struct {
    const char *name;
    uint32_t per_10000;
  } rows[] = {{"min", 0},    {"P50", 5000}, {"P90", 9000},
              {"P95", 9500}, {"P99", 9900}, {"max", 10000}};
  printf("latency of %llu runs\n", (unsigned long long)latency->count);
  printf("  mean %8.3f ms\n", (double)brisk_histogram_mean(latency) * 1e-6);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    uint64_t ns;
    if (brisk_histogram_percentile(latency, rows[i].per_10000, &ns))
      printf("  %-4s %8.3f ms\n", rows[i].name, (double)ns * 1e-6);
  }
}

static int by_time(const void *a, const void *b) {
  uint64_t first = op_ns[*(const uint32_t *)a];
  uint64_t second = op_ns[*(const uint32_t *)b];
  return (first < second) - (first > second);
}

/* Where the time of RUNS more runs went, the largest parts first. */
static void print_profile(void) {
  const brisk_model *model = &mobilenet_v2_model;
  if (!model->profiled || model->num_ops > MAX_OPS)
    return;
  brisk_trace trace;
  brisk_hooks hooks = {
      .size = sizeof hooks, .clock = brisk_clock_ns, .trace = &trace};
  brisk_trace_init(&trace, records, MAX_OPS);
  uint64_t total = 0;
  for (int i = 0; i < RUNS; ++i) {
    brisk_trace_reset(&trace);
    total += run_once(&hooks);
    brisk_trace_sum(&trace, op_ns, NULL, model->num_ops);
  }

  static uint32_t order[MAX_OPS];
  for (uint32_t i = 0; i < model->num_ops; ++i)
    order[i] = i;
  qsort(order, model->num_ops, sizeof order[0], by_time);
  printf("\nslowest of %u ops\n", model->num_ops);
  printf("  %9s %6s %8s  %-12s %-12s %s\n", "ms", "share", "GFLOP/s", "type",
         "kernel", "name");
  for (uint32_t i = 0; i < model->num_ops && i < TOP_ROWS; ++i) {
    const brisk_op *op = &model->ops[order[i]];
    double ns = (double)op_ns[order[i]] / RUNS;
    printf("  %9.4f %5.1f%% %8.1f  %-12s %-12s %.40s\n", ns * 1e-6,
           100.0 * ns * RUNS / (double)total,
           ns > 0 ? (double)op->flops / ns : 0.0, op->type, op->kernel,
           op->name);
  }
}

int main(void) {
  for (size_t i = 0; i < sizeof input / sizeof input[0]; ++i)
    input[i] = (float)((i * 2654435761u >> 8) & 0xffff) / 32768.0f - 1.0f;
  printf("%s for %s: %.1f MB of weights, %.1f MB of arena\n\n",
         mobilenet_v2_model.name, mobilenet_v2_model.target,
         (double)MOBILENET_V2_WEIGHTS_BYTES * 1e-6,
         (double)MOBILENET_V2_ARENA_BYTES * 1e-6);

  for (int i = 0; i < WARMUP_RUNS; ++i)
    run_once(NULL);
  brisk_histogram latency;
  brisk_histogram_init(&latency, counts, 8, 40);
  for (int i = 0; i < RUNS; ++i)
    brisk_histogram_record(&latency, run_once(NULL));
  print_latency(&latency);
  print_profile();

  size_t best = 0;
  for (size_t i = 1; i < sizeof output / sizeof output[0]; ++i)
    if (output[i] > output[best])
      best = i;
  printf("\nhighest of %zu outputs: number %zu\n",
         sizeof output / sizeof output[0], best);
  return 0;
}
