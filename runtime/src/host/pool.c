/*===- pool.c - A pool of threads for the parallel_for hook ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of parallel_for claims one of the pool's slots, cuts its iterations
// into a share for each thread, opens the slot to the workers, works through it
// itself and, once the iterations are handed out, closes it and waits for the
// workers still inside. Slots are part of the pool, so that a worker may look
// at one at any time; its fields are read only by those who have entered, and
// are not changed before all have left. With no slot free a call runs on its
// own thread, hence always makes progress; a waiting thread waits only for
// tasks that already run, hence never in a circle.
//
// A thread takes its own share from the front, half of what is left at a time,
// and then others' from the back: what a late thread has not begun does not
// wait for it. The same part of every call is thus mostly the same thread's,
// which finds in its own cache what it wrote there in the call before.
//
// A call that is worth less than all threads has shares for its first ones
// only: others neither enter nor are woken. Who is first is moved on by one
// from slot to slot, so that calls at the same time get different workers.
//
// A worker that spins on its caller's CPU keeps the caller from running. Where
// other programs take CPUs, the system puts the two together and leaves them
// so: a worker that finds itself there sleeps at once.
//
//===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include "brisk/host.h"
#include "cpus.h"
#include "share.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#define NUM_SLOTS 8u
#define MAX_THREADS 4096u /* fits into a slot's state twice */
/* The part of a share that is not worth parting further: the threads end as
   much apart at most. */
#define LEAST_PART 8u
/* Longer than the gap between two groups of a model, shorter than what it
   takes to sleep and be woken several times over. */
#define SPIN_NS 50000u

/* Slot states: the number of workers inside, that of shares, and two flags. */
#define OPEN (1u << 31)
#define WAITED_FOR (1u << 30)
#define ONE_SHARE (1u << 15)
#define INSIDE (ONE_SHARE - 1)
#define GET_SHARES(state) (((state) & (WAITED_FOR - 1)) / ONE_SHARE)

struct slot {
  _Alignas(CACHE_LINE) atomic_uint state;
  uint32_t num_shares;
  brisk_task task;
  void *args;
  uint64_t count;
  uint64_t step;  /* iterations that are handed out as one */
  uint32_t least; /* steps that are worth taking at a time */
};

struct worker {
  brisk_share shares[NUM_SLOTS]; /* of the calls that hold the slots */
  brisk_pool *pool;
  pthread_t thread;
  pthread_cond_t work; /* it waits for the epoch to move, asleep */
  atomic_uint asleep;
  uint32_t number;
};

struct brisk_pool {
  struct slot slots[NUM_SLOTS];
  _Alignas(CACHE_LINE) atomic_uint claimed; /* a bit per slot in use */
  _Alignas(CACHE_LINE) atomic_uint open;    /* a bit per slot to enter */
  atomic_uint epoch; /* moves whenever a slot opens or the pool ends */
  atomic_int cpu;    /* that the last call came from */
  atomic_uint ending;
  uint32_t num_threads;
  uint32_t spin_ns;
  _Alignas(CACHE_LINE) pthread_mutex_t lock;
  pthread_cond_t done;     /* callers wait for workers to leave */
  uint32_t started;        /* workers there are, the caller counted */
  struct worker workers[]; /* number 0, with no thread, is whoever calls */
};

static inline void pause_cpu(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static brisk_share *get_share(brisk_pool *pool, const struct slot *slot,
                              uint32_t index) {
  return &pool->workers[index].shares[slot - pool->slots];
}

/* The share of a slot that a worker has, if there are so many: the first is the
   caller's, who is number 0. */
static uint32_t get_share_index(const brisk_pool *pool, const struct slot *slot,
                                uint32_t number) {
  uint32_t others = pool->num_threads - 1;
  uint32_t first = (uint32_t)(slot - pool->slots) % others;
  return number ? 1 + (number - 1 + others - first) % others : 0;
}

/* The worker whose share that is, if it is not the caller's. */
static struct worker *get_worker(brisk_pool *pool, const struct slot *slot,
                                 uint32_t index) {
  uint32_t others = pool->num_threads - 1;
  uint32_t first = (uint32_t)(slot - pool->slots) % others;
  return &pool->workers[1 + (index - 1 + first) % others];
}

/* Runs what is left of a slot, as one of its workers. */
static void drain(brisk_pool *pool, struct slot *slot, uint32_t number) {
  uint32_t index = get_share_index(pool, slot, number);
  for (uint32_t i = 0; i < slot->num_shares; ++i) {
    brisk_share *share = get_share(pool, slot, index);
    uint32_t first, steps;
    while ((steps =
                brisk_share_take(share, slot->least, /*own=*/i == 0, &first))) {
      uint64_t begin = first * slot->step, end = begin + steps * slot->step;
      const brisk_work work = {(int64_t)begin,
                               (int64_t)(end < slot->count ? end : slot->count),
                               number};
      slot->task(slot->args, &work);
    }
    index = index + 1 == slot->num_shares ? 0 : index + 1;
  }
}

/* Enters a slot if it is open and has a share for the worker, helps, leaves.
   Returns whether it entered. */
static int help(const struct worker *self, struct slot *slot) {
  uint32_t index = get_share_index(self->pool, slot, self->number);
  unsigned state = atomic_load_explicit(&slot->state, memory_order_relaxed);
  do {
    if (!(state & OPEN) || index >= GET_SHARES(state))
      return 0;
  } while (!atomic_compare_exchange_weak_explicit(
      &slot->state, &state, state + 1, memory_order_acquire,
      memory_order_relaxed));
  drain(self->pool, slot, self->number);
  /* Nothing is left to hand out, so keep others (and this worker) out. */
  atomic_fetch_and_explicit(&slot->state, ~OPEN, memory_order_relaxed);
  state = atomic_fetch_sub_explicit(&slot->state, 1, memory_order_release);
  if ((state & INSIDE) == 1 && (state & WAITED_FOR)) {
    pthread_mutex_lock(&self->pool->lock);
    pthread_cond_broadcast(&self->pool->done);
    pthread_mutex_unlock(&self->pool->lock);
  }
  return 1;
}

/* Helps wherever it is wanted; returns whether it was. */
static int help_all(const struct worker *self) {
  brisk_pool *pool = self->pool;
  int helped = 0;
  unsigned open = atomic_load_explicit(&pool->open, memory_order_acquire);
  while (open) {
    unsigned index = (unsigned)__builtin_ctz(open);
    open &= open - 1;
    helped |= help(self, &pool->slots[index]);
  }
  return helped;
}

/* Whether a worker that spins takes the CPU from whoever calls. */
static int is_in_the_way(const brisk_pool *pool) {
  int cpu = atomic_load_explicit(&pool->cpu, memory_order_relaxed);
  return cpu >= 0 && cpu == sched_getcpu();
}

/* Waits until the epoch is no longer seen: spins for a while, then sleeps, from
   which it is woken when it is wanted. */
static void await_epoch(struct worker *self, unsigned seen) {
  brisk_pool *pool = self->pool;
  if (pool->spin_ns && !is_in_the_way(pool)) {
    uint64_t until = brisk_clock_ns(NULL) + pool->spin_ns;
    do {
      for (int i = 0; i < 32; ++i) {
        if (atomic_load_explicit(&pool->epoch, memory_order_acquire) != seen)
          return;
        pause_cpu();
      }
    } while (brisk_clock_ns(NULL) < until && !is_in_the_way(pool));
  }
  pthread_mutex_lock(&pool->lock);
  atomic_store(&self->asleep, 1);
  /* Either this sees the new epoch or its writer sees the sleeper: both sides
     write one and then read the other, in sequentially consistent order. */
  while (atomic_load(&pool->epoch) == seen)
    pthread_cond_wait(&self->work, &pool->lock);
  atomic_store(&self->asleep, 0);
  pthread_mutex_unlock(&pool->lock);
}

/* Tells the workers with the first shares of a slot that there is something to
   do. */
static void move_epoch(brisk_pool *pool, const struct slot *slot,
                       uint32_t num_shares) {
  atomic_fetch_add(&pool->epoch, 1);
  for (uint32_t index = 1; index < num_shares; ++index) {
    struct worker *worker = get_worker(pool, slot, index);
    if (!atomic_load(&worker->asleep))
      continue;
    /* Whoever is about to wait has looked at the epoch or sees it now. */
    pthread_mutex_lock(&pool->lock);
    pthread_mutex_unlock(&pool->lock);
    pthread_cond_signal(&worker->work);
  }
}

static void *work_on(void *argument) {
  struct worker *self = argument;
  brisk_pool *pool = self->pool;
  for (;;) {
    unsigned seen = atomic_load_explicit(&pool->epoch, memory_order_acquire);
    if (atomic_load_explicit(&pool->ending, memory_order_acquire))
      return NULL;
    if (!help_all(self))
      await_epoch(self, seen);
  }
}

/* Waits until the last worker has left a slot that its owner has closed. */
static void await_empty(brisk_pool *pool, struct slot *slot) {
  uint64_t start = 0;
  for (unsigned i = 0;; ++i) {
    if (!(atomic_load_explicit(&slot->state, memory_order_acquire) & INSIDE))
      return;
    pause_cpu();
    if (i % 32 != 31)
      continue;
    uint64_t now = brisk_clock_ns(NULL);
    if (!start)
      start = now;
    if (now - start >= pool->spin_ns)
      break;
  }
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_or(&slot->state, WAITED_FOR);
  while (atomic_load(&slot->state) & INSIDE)
    pthread_cond_wait(&pool->done, &pool->lock);
  pthread_mutex_unlock(&pool->lock);
}

/* Takes a free slot; null where there is none. */
static struct slot *claim(brisk_pool *pool, unsigned *bit) {
  unsigned claimed = atomic_load_explicit(&pool->claimed, memory_order_relaxed);
  do {
    if (claimed == (1u << NUM_SLOTS) - 1)
      return NULL;
    *bit = ~claimed & (claimed + 1);
  } while (!atomic_compare_exchange_weak_explicit(
      &pool->claimed, &claimed, claimed | *bit, memory_order_acquire,
      memory_order_relaxed));
  return &pool->slots[__builtin_ctz(*bit)];
}

/* Cuts the iterations into shares, as many as the call is worth and there are
   threads, as far as they go. */
static void share_out(brisk_pool *pool, struct slot *slot, uint32_t worth) {
  slot->step = slot->count / UINT32_MAX + 1;
  uint64_t steps = (slot->count - 1) / slot->step + 1;
  if (worth > pool->num_threads)
    worth = pool->num_threads;
  slot->num_shares = worth < steps ? worth : (uint32_t)steps;
  slot->least = (uint32_t)(steps / slot->num_shares / LEAST_PART);
  if (slot->least == 0)
    slot->least = 1;
  uint64_t begin = 0;
  for (uint32_t i = 0; i < slot->num_shares; ++i) {
    uint64_t end = steps * (i + 1) / slot->num_shares;
    atomic_store_explicit(&get_share(pool, slot, i)->left, end << 32 | begin,
                          memory_order_relaxed);
    begin = end;
  }
}

void brisk_pool_parallel_for(void *context, brisk_task task, void *args,
                             int64_t count, uint32_t worth) {
  brisk_pool *pool = context;
  if (count <= 0)
    return;
  unsigned bit = 0;
  struct slot *slot = count > 1 && worth > 1 && pool->num_threads > 1
                          ? claim(pool, &bit)
                          : NULL;
  if (!slot) {
    const brisk_work whole = {0, count, 0};
    task(args, &whole);
    return;
  }
  slot->task = task;
  slot->args = args;
  slot->count = (uint64_t)count;
  share_out(pool, slot, worth);
  atomic_store_explicit(&slot->state, OPEN | slot->num_shares * ONE_SHARE,
                        memory_order_release);
  atomic_fetch_or_explicit(&pool->open, bit, memory_order_release);
  atomic_store_explicit(&pool->cpu, sched_getcpu(), memory_order_relaxed);
  move_epoch(pool, slot, slot->num_shares);

  drain(pool, slot, 0);

  atomic_fetch_and_explicit(&pool->open, ~bit, memory_order_relaxed);
  atomic_fetch_and_explicit(&slot->state, ~OPEN, memory_order_relaxed);
  await_empty(pool, slot);
  atomic_fetch_and_explicit(&pool->claimed, ~bit, memory_order_release);
}

brisk_pool *brisk_pool_create(uint32_t threads) {
  if (threads == 0)
    threads = brisk_default_threads();
  if (threads > MAX_THREADS)
    return NULL;
  size_t bytes = sizeof(brisk_pool) + threads * sizeof(struct worker);
  brisk_pool *pool = brisk_aligned_alloc(bytes, CACHE_LINE);
  if (!pool)
    return NULL;
  for (unsigned i = 0; i < NUM_SLOTS; ++i)
    atomic_init(&pool->slots[i].state, 0);
  for (uint32_t i = 0; i < threads; ++i) {
    for (unsigned k = 0; k < NUM_SLOTS; ++k)
      atomic_init(&pool->workers[i].shares[k].left, 0);
    pool->workers[i].pool = pool;
    pool->workers[i].number = i;
    pthread_cond_init(&pool->workers[i].work, NULL);
    atomic_init(&pool->workers[i].asleep, 0);
  }
  atomic_init(&pool->claimed, 0);
  atomic_init(&pool->open, 0);
  atomic_init(&pool->epoch, 0);
  atomic_init(&pool->cpu, -1);
  atomic_init(&pool->ending, 0);
  pool->num_threads = threads;
  /* With more threads than CPUs, spinning keeps others from working. */
  pool->spin_ns = threads <= brisk_affinity_cpus() ? SPIN_NS : 0;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->done, NULL);

  /* Signals are the program's own threads' affair. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (pool->started = 1; pool->started < threads; ++pool->started) {
    struct worker *self = &pool->workers[pool->started];
    if (pthread_create(&self->thread, NULL, work_on, self) != 0)
      break;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (pool->started < threads) {
    brisk_pool_destroy(pool);
    return NULL;
  }
  return pool;
}

void brisk_pool_destroy(brisk_pool *pool) {
  if (!pool)
    return;
  atomic_store(&pool->ending, 1);
  move_epoch(pool, pool->slots, pool->num_threads);
  for (uint32_t i = 1; i < pool->started; ++i)
    pthread_join(pool->workers[i].thread, NULL);
  for (uint32_t i = 0; i < pool->num_threads; ++i)
    pthread_cond_destroy(&pool->workers[i].work);
  pthread_cond_destroy(&pool->done);
  pthread_mutex_destroy(&pool->lock);
  brisk_aligned_free(pool);
}

uint32_t brisk_pool_threads(const brisk_pool *pool) {
  return pool->num_threads;
}

brisk_hooks brisk_pool_hooks(brisk_pool *pool) {
  brisk_hooks hooks = {.size = sizeof hooks, .workers = 1};
  if (pool) {
    hooks.workers = pool->num_threads;
    hooks.context = pool;
    hooks.parallel_for = brisk_pool_parallel_for;
  }
  return hooks;
}
