/*===- worker_scratch.c - Runs worker-scratch.mlir on four workers --------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/
#include "brisk/model.h"

enum { WORKERS = 4, COUNT = 64, SHARED_BYTES = 128, WORKER_BYTES = 64 };

int model_call(const brisk_call *call);

static void run_shares(void *context, brisk_task task, void *args,
                       int64_t count, uint32_t worth) {
  *(uint32_t *)context = worth;
  for (uint32_t worker = 0; worker < WORKERS; ++worker) {
    const brisk_work work = {count * worker / WORKERS,
                             count * (worker + 1) / WORKERS, worker};
    task(args, &work);
  }
}

int main(void) {
  static _Alignas(64) char arena[SHARED_BYTES + WORKERS * WORKER_BYTES];
  float x[COUNT], y[COUNT];
  for (int i = 0; i < COUNT; ++i)
    x[i] = (float)i;
  const void *inputs[] = {x};
  void *outputs[] = {y};
  uint32_t worth = 0;
  const brisk_hooks hooks = {sizeof hooks, WORKERS, &worth, 0, run_shares, 0};
  if (brisk_run(model_call, inputs, outputs, arena, &hooks) != BRISK_OK)
    return 1;
  if (worth != 2) /* as the launch says, whatever run_shares makes of it */
    return 5;
  for (int i = 0; i < COUNT; ++i)
    if (y[i] != 4 * x[i])
      return 2;
  /* What the last task of each worker has left, and nothing in what they
     share. */
  for (int worker = 0; worker < WORKERS; ++worker) {
    const char *own = arena + SHARED_BYTES + worker * WORKER_BYTES;
    int last = COUNT * (worker + 1) / WORKERS - 1;
    if (*(const float *)own != 2 * x[last])
      return 3;
  }
  for (int i = 0; i < SHARED_BYTES; ++i)
    if (arena[i] != 0)
      return 4;
  return 0;
}
