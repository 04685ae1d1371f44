//===- Isa.h - What kernels ask of an instruction set -----------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description of an instruction set, and of the caches behind it, that
// kernel families and the cost model ask. Families never name a CPU. Each field
// is data: a target fills it, and what it leaves out does not exist there.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_TARGET_ISA_H
#define BRISK_TARGET_ISA_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>

namespace brisk {

/// Types of elements that instructions work on; U8 has no sign.
enum class Scalar { I8, U8, I32, F16, BF16, F32, F64 };

/// Null for other types.
std::optional<Scalar> getScalar(mlir::Type type);

struct Isa {
  /// How a vector that is only partly wanted is loaded and stored.
  enum class Tails {
    Narrower, // not at all: by narrower vectors and scalars
    Masked    // under a mask, which costs about what the whole does
  };
  struct Registers {
    /// Width in bits; 0: the registers hold one float each.
    unsigned bits = 0;
    unsigned count = 16;
    Tails tails = Tails::Narrower;
    /// Registers of one integer each that sums can take where there are no
    /// vectors: those that addresses leave.
    unsigned integers = 8;
    /// Arithmetic takes one of its operands from a register of one element,
    /// for all lanes: there is no vector to keep of what is the same in each.
    bool takesScalars = false;
    /// Where a CPU may have wider registers than code is for, which then spills
    /// them whole: LLVM's `vscale` of the widest; else 0.
    unsigned mostScale = 0;
  };

  /// How a product takes its k elements of a row and of a column, which lie
  /// next to each other in memory.
  enum class Form {
    /// Each by itself, extended to the type of sums: no instruction for more.
    OneByOne,
    /// All at once, as they lie there: the intrinsic takes sums, lhs and rhs.
    Dot,
    /// Bytes extended to 16 bits, those at even places and then those at odd
    /// ones:
    /// the intrinsic takes lhs and rhs and adds neighbouring products up.
    Pairs,
    /// Bytes extended to 16 bits, one after the other: the intrinsic takes lhs
    /// and rhs and gives products of 32 bits.
    Singles,
    /// In words of four bytes, without vectors: the even ones, then the odd
    /// ones, extended to 16 bits. The first intrinsic takes two words of two
    /// numbers and a sum, and adds both products; the second extends signed
    /// bytes, the third unsigned ones.
    Words,
    /// In tile registers: m rows of the left side, and of the right one as many
    /// as hold k elements where those of 32 bits of a column lie side by side.
    /// The first intrinsic takes the registers' numbers: sums, lhs and rhs.
    Tiles,
    /// All at once, of m rows and n columns, each as it lies there, one behind
    /// the other: the intrinsic takes sums, those of a row behind each other,
    /// lhs and rhs.
    Blocks
  };

  /// Multiplies and adds up: each of m x n sums grows by k products.
  struct Product {
    Scalar lhs, rhs, sum;
    int64_t m, n, k;
    /// Started per cycle; whatever instructions it takes count as one.
    double perCycle;
    /// Cycles to the next one that depends on it.
    unsigned latency;
    /// Of floats, where k is 1: one instruction, rounded once; else a
    /// multiplication and an addition.
    bool fused = true;
    Form form = Form::OneByOne;
    /// LLVM's intrinsics: as the form says, else for vectors of 128, 256 and
    /// 512 bits of sums.
    std::array<llvm::StringRef, 3> intrinsics = {};

    /// In tile registers: elements of a column that lie side by side in one.
    int64_t getGroup() const { return k / n; }
    /// In tile registers: of how many elements steps are that come out even
    /// over `depth` elements, whole groups; the most that fit.
    int64_t getEvenStep(int64_t depth) const;
    /// Products of elements per cycle.
    double getRate() const { return perCycle * static_cast<double>(m * n * k); }
  };

  /// Registers of one matrix each, and LLVM's intrinsics for them. Their sizes
  /// are configured for all at once, which also makes them zeros. LLVM puts
  /// nothing into them by itself.
  struct TileRegisters {
    unsigned count = 0;
    llvm::StringRef configure, release, zero, load, store;
    /// Inline assembly by which a process asks Linux that its threads may use
    /// them, and what that overwrites.
    llvm::StringRef request, requestClobbers;
  };

  /// What there may be instructions for, beside products.
  enum class Operation {
    Arithmetic, // sums, products, quotients, square roots, comparisons
    Rounding,   // to integral values
    Extremes,   // the smaller and the larger of two
    Conversion  // to and from f32
  };
  struct Support {
    Operation operation;
    llvm::SmallVector<Scalar, 3> types;
  };

  /// A data cache, whole where cores share it.
  struct Cache {
    int64_t bytes, ways = 8, lineBytes = 64;
    /// Sustained, to the core.
    double bytesPerCycle;
  };

  /// The largest tile of sums worth holding in registers: code for more rows
  /// has no registers left for their addresses, and wider rows only make it
  /// longer.
  struct Tile {
    int64_t rows = 14, vectors = 8;
  };

  Registers vectors;
  llvm::SmallVector<Product, 2> products;
  TileRegisters tiles;
  llvm::SmallVector<Support, 4> operations;
  /// Starts one instruction at a time: cycles of loads and arithmetic add up.
  bool singleIssue = false;
  /// Largest offset from a register that a load of a float takes; 0: any.
  int64_t loadOffset = 0;
  /// Arithmetic on a register, and loads of one, started per cycle.
  double operationsPerCycle = 1;
  double loadsPerCycle = 1;
  Tile largestTile;
  /// LLVM's intrinsic that looks 64 bytes up by their lower seven bits, in two
  /// registers around them; empty where there is none.
  llvm::StringRef byteLookup;
  /// LLVM's intrinsic, if there is an instruction, that rounds an f32 to the
  /// nearest 32-bit integer, halves to the even one: what is beyond becomes the
  /// nearest of those, NaN 0. The result comes as the bits of an f32.
  llvm::StringRef roundToInteger;
  /// A vector is loaded from places of its own for each lane, one after the
  /// other, by an instruction.
  bool gathers = false;
  /// From the nearest to the core.
  llvm::SmallVector<Cache, 2> caches;
  /// Sustained bytes per cycle from beyond the caches.
  double memoryBytesPerCycle = 8;
  /// What it takes to hand a part of a loop to another core that waits for it,
  /// and to learn that it is done. Source: two threads of the hosted runtime's
  /// pool on Zen 4, 2,500 where the cores are near each other and some 14,000
  /// where they are not.
  double handOverCycles = 5000;

  bool hasMasks() const { return vectors.tails == Tails::Masked; }
  /// Elements of `type` in a vector register, at least 1.
  int64_t getLanes(mlir::Type type) const;

  /// The product of elements of those types that adds up in the third, which
  /// takes one row at a time; null if there is none.
  const Product *findProduct(mlir::Type lhs, mlir::Type rhs,
                             mlir::Type sum) const;
  /// That of several rows in that form.
  const Product *findProduct(mlir::Type lhs, mlir::Type rhs, mlir::Type sum,
                             Form form) const;
  const Product *findProduct(mlir::Type type) const {
    return findProduct(type, type, type);
  }
  /// Whether a * b + c of `type` is one instruction, rounded once.
  bool isFused(mlir::Type type) const;
  /// Elements of `type` that arithmetic takes per cycle.
  double getElementsPerCycle(mlir::Type type) const {
    return static_cast<double>(getLanes(type)) * operationsPerCycle;
  }

  /// Whether there are instructions for `operation` on (elements of) `type`.
  bool has(Operation operation, mlir::Type type) const;

  /// The cache of that level, counted from 1; null if there is none.
  const Cache *findCache(size_t level) const {
    return level <= caches.size() ? &caches[level - 1] : nullptr;
  }
  /// Bytes per cycle into the first cache from what is behind it.
  double getRefillRate() const {
    return caches.size() > 1 ? caches[1].bytesPerCycle : memoryBytesPerCycle;
  }
  /// Bytes per cycle from where so many bytes stay that are walked again and
  /// again: the first cache holds them beside as many others, or the next one
  /// does.
  double getReuseRate(double bytes) const;
};

} // namespace brisk

#endif // BRISK_TARGET_ISA_H
