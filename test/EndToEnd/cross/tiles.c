/*===- tiles.c - AMX's tile instructions on CPUs without them -------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked into a program, or loaded before it (LD_PRELOAD), this makes code with
// tile instructions run on any x86-64 CPU that has what else the code uses: a
// CPU without them raises SIGILL, whose handler does what the instruction
// would. On a CPU that has them, it asks Linux to let the process use them.
//
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume
// 2, whose operation sections the functions below follow, with the conditions
// under which an instruction faults.
//
//===----------------------------------------------------------------------===*/
#define _GNU_SOURCE
#include <cpuid.h>
#include <immintrin.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { TILES = 8, MAX_ROWS = 16, ROW_BYTES = 64, CONFIG_BYTES = 64 };

typedef union {
  uint8_t u8[ROW_BYTES];
  int8_t s8[ROW_BYTES];
  uint16_t u16[ROW_BYTES / 2];
  int32_t i32[ROW_BYTES / 4];
  float f32[ROW_BYTES / 4];
} row_t;

typedef struct {
  int rows, colsb;
  row_t row[MAX_ROWS];
} tile_t;

/* Of a thread; its tiles have no rows while nothing is configured. */
static _Thread_local tile_t tiles[TILES];

static void stop(const char *why) {
  static const char name[] = "tile instruction: ";
  (void)!write(STDERR_FILENO, name, sizeof name - 1);
  (void)!write(STDERR_FILENO, why, strlen(why));
  (void)!write(STDERR_FILENO, "\n", 1);
  _exit(99);
}

static void require(int condition, const char *why) {
  if (!condition)
    stop(why);
}

/* LDTILECFG */
static void configure(const uint8_t *config) {
  require(config[0] <= 1, "an unknown palette");
  require(config[1] == 0, "begins in the middle of a tile");
  for (int i = 2; i < 16; ++i)
    require(config[i] == 0, "reserved bytes of the configuration are not 0");
  memset(tiles, 0, sizeof tiles);
  if (config[0] == 0)
    return;
  for (int i = 0; i < 16; ++i) {
    int colsb = config[16 + 2 * i] | config[17 + 2 * i] << 8;
    int rows = config[48 + i];
    require(i < TILES || (colsb == 0 && rows == 0), "configures a ninth tile");
    require(colsb <= ROW_BYTES && rows <= MAX_ROWS, "a tile is too large");
    require((colsb == 0) == (rows == 0), "a tile has rows of nothing");
    if (i < TILES) {
      tiles[i].colsb = colsb;
      tiles[i].rows = rows;
    }
  }
}

static tile_t *getTile(int number) {
  require(number < TILES, "there is no such tile");
  require(tiles[number].rows > 0, "a tile that is not configured");
  return &tiles[number];
}

/* TILELOADD: what is behind a row's bytes, and behind the last row, is 0. */
static void load(tile_t *tile, const char *from, int64_t stride) {
  memset(tile->row, 0, sizeof tile->row);
  for (int r = 0; r < tile->rows; ++r)
    memcpy(&tile->row[r], from + r * stride, (size_t)tile->colsb);
}

/* TILESTORED */
static void store(const tile_t *tile, char *to, int64_t stride) {
  for (int r = 0; r < tile->rows; ++r)
    memcpy(to + r * stride, &tile->row[r], (size_t)tile->colsb);
}

/* TDPBSSD and its kind: an element of four bytes of each side. */
__attribute__((target("avx2"))) static void
multiplyBytes(tile_t *c, const tile_t *a, const tile_t *b, int aSigned,
              int bSigned) {
  for (int m = 0; m < c->rows; ++m)
    for (int k = 0; k < a->colsb / 4; ++k)
      for (int n = 0; n < c->colsb / 4; ++n) {
        uint32_t sum = (uint32_t)c->row[m].i32[n];
        for (int i = 0; i < 4; ++i) {
          int x = aSigned ? a->row[m].s8[4 * k + i] : a->row[m].u8[4 * k + i];
          int y = bSigned ? b->row[k].s8[4 * n + i] : b->row[k].u8[4 * n + i];
          sum += (uint32_t)(x * y);
        }
        c->row[m].i32[n] = (int32_t)sum;
      }
}

static float widenBf16(uint16_t bf16) {
  uint32_t bits = (uint32_t)bf16 << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

__attribute__((target("f16c"))) static float widenF16(uint16_t f16) {
  return _cvtsh_ss(f16);
}

/* TDPBF16PS and TDPFP16PS: elements at even and at odd places add up by
   themselves, fused, rounded to the nearest, and what is below the normal
   numbers of f32 counts as 0, which no f16 is. */
__attribute__((target("avx2,fma"))) static void
multiplyFloats(tile_t *c, const tile_t *a, const tile_t *b,
               float (*widen)(uint16_t)) {
  unsigned before = _mm_getcsr();
  _mm_setcsr(0x9fc0); /* flush to zero, zeros for denormals, nothing trapped */
  for (int m = 0; m < c->rows; ++m) {
    float sums[ROW_BYTES / 2] = {0};
    for (int k = 0; k < a->colsb / 4; ++k)
      for (int n = 0; n < c->colsb / 4; ++n)
        for (int i = 0; i < 2; ++i)
          sums[2 * n + i] =
              __builtin_fmaf(widen(a->row[m].u16[2 * k + i]),
                             widen(b->row[k].u16[2 * n + i]), sums[2 * n + i]);
    for (int n = 0; n < c->colsb / 4; ++n)
      c->row[m].f32[n] += sums[2 * n] + sums[2 * n + 1];
  }
  _mm_setcsr(before);
}

static const int gprs[16] = {
    REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

/* An instruction with a prefix of three bytes, which all of these have. */
typedef struct {
  int opcode, prefix, reg, rm, vvvv, isMemory;
  char *address;  /* without an index */
  int64_t stride; /* the index, scaled */
  const uint8_t *next;
} instruction;

/* Returns 0 if it is none of the kind. */
static int decode(const uint8_t *code, const greg_t *registers,
                  instruction *out) {
  enum { map = 2 };
  if (code[0] != 0xc4 || (code[1] & 0x1f) != map || code[2] & 0x84)
    return 0; /* W and L are 0 */
  int r = ~code[1] >> 7 & 1, x = ~code[1] >> 6 & 1, b = ~code[1] >> 5 & 1;
  out->vvvv = ~code[2] >> 3 & 15;
  out->prefix = code[2] & 3;
  out->opcode = code[3];
  int mod = code[4] >> 6, rm = code[4] & 7;
  out->reg = (code[4] >> 3 & 7) | r << 3;
  out->rm = rm | b << 3;
  out->isMemory = mod != 3;
  out->next = code + 5;
  if (!out->isMemory)
    return 1;
  int64_t base = 0;
  int hasBase = 1, rip = 0;
  out->stride = 0;
  if (rm == 4) {
    int sib = *out->next++;
    int index = (sib >> 3 & 7) | x << 3;
    if (index != 4)
      out->stride = (int64_t)((uint64_t)registers[gprs[index]] << (sib >> 6));
    hasBase = (sib & 7) != 5 || mod != 0;
    if (hasBase)
      base = registers[gprs[(sib & 7) | b << 3]];
  } else if (rm == 5 && mod == 0) {
    rip = 1;
    hasBase = 0;
  } else {
    base = registers[gprs[out->rm]];
  }
  int64_t displacement = 0;
  if (mod == 1) {
    displacement = (int8_t)*out->next++;
  } else if (mod == 2 || !hasBase) {
    int32_t bits;
    memcpy(&bits, out->next, sizeof bits);
    out->next += sizeof bits;
    displacement = bits;
  }
  if (rip)
    base = (int64_t)(intptr_t)out->next;
  out->address = (char *)(intptr_t)(base + displacement);
  return 1;
}

/* The prefixes that instructions have: none, 66, F3 or F2. */
enum { none, x66, xf3, xf2 };

static void multiply(const instruction *in) {
  tile_t *c = getTile(in->reg);
  const tile_t *a = getTile(in->rm), *b = getTile(in->vvvv);
  require(c != a && c != b && a != b, "multiplies a tile by itself");
  require(a->colsb % 4 == 0 && b->colsb % 4 == 0 && c->colsb % 4 == 0,
          "rows that end within four bytes");
  require(a->rows == c->rows && a->colsb / 4 == b->rows && b->colsb == c->colsb,
          "tiles that do not fit each other");
  if (in->opcode == 0x5c)
    multiplyFloats(c, a, b, in->prefix == xf3 ? widenBf16 : widenF16);
  else
    multiplyBytes(c, a, b, in->prefix >= xf3, in->prefix % 2 == 1);
}

/* Returns 0 if it is none of these instructions. */
static int execute(const instruction *in) {
  if (in->opcode == 0x49 && in->isMemory && in->prefix == none)
    configure((const uint8_t *)in->address);
  else if (in->opcode == 0x49 && !in->isMemory && in->prefix == none)
    memset(tiles, 0, sizeof tiles); /* TILERELEASE */
  else if (in->opcode == 0x49 && !in->isMemory && in->prefix == xf2)
    memset(getTile(in->reg)->row, 0, sizeof tiles[0].row); /* TILEZERO */
  else if (in->opcode == 0x4b && in->isMemory && in->prefix != none)
    (in->prefix == xf3 ? store(getTile(in->reg), in->address, in->stride)
                       : load(getTile(in->reg), in->address, in->stride));
  else if (!in->isMemory &&
           (in->opcode == 0x5e || (in->opcode == 0x5c && in->prefix >= xf3)))
    multiply(in);
  else
    return 0;
  return 1;
}

static void handle(int signalNumber, siginfo_t *info, void *context) {
  (void)info;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const uint8_t *code = (const uint8_t *)(intptr_t)registers[REG_RIP];
  instruction in = {0};
  if (!decode(code, registers, &in) || !execute(&in)) {
    signal(signalNumber, SIG_DFL); /* again, and to the end */
    return;
  }
  registers[REG_RIP] = (greg_t)(intptr_t)in.next;
}

__attribute__((constructor)) static void begin(void) {
  enum { leaf = 7, has_tiles = 1 << 24, request = 0x1023, tile_data = 18 };
  unsigned eax, ebx, ecx, edx = 0;
  __get_cpuid_count(leaf, 0, &eax, &ebx, &ecx, &edx);
  if (edx & has_tiles) {
    require(syscall(SYS_arch_prctl, request, tile_data) == 0,
            "Linux does not let this process use tiles");
    return;
  }
  /* What a run takes of the stack is measured. */
  static char stack[1 << 16];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  struct sigaction action = {.sa_sigaction = handle,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigaction(SIGILL, &action, NULL);
}
