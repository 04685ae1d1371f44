//===- HostTest.cpp - What machines are found to be -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Target/Host.h"
#include "brisk/Target/Target.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <fstream>

using namespace brisk;

static Isa describe(const char *triple, const char *cpu,
                    std::initializer_list<llvm::StringRef> features) {
  llvm::StringMap<bool> map;
  for (llvm::StringRef feature : features)
    map[feature] = true;
  return describeCpu(llvm::Triple(triple), cpu, map);
}

TEST(HostTest, WidthOfVectors) {
  const char *triple = "x86_64-pc-linux-gnu";
  EXPECT_EQ(describe(triple, "nehalem", {"sse4.2"}).vectors.bits, 128u);
  EXPECT_EQ(describe(triple, "haswell", {"avx2", "fma", "f16c"}).vectors.bits,
            256u);
  // A hypervisor may hide instructions of a CPU.
  EXPECT_EQ(describe(triple, "znver4", {"avx2", "fma", "f16c", "avx512f"})
                .vectors.bits,
            256u);
  Isa neon = describe("aarch64-unknown-linux-gnu", "neoverse-n1", {"neon"});
  EXPECT_EQ(neon.vectors.bits, 128u);
  EXPECT_EQ(neon.vectors.count, 32u);
  EXPECT_FALSE(neon.hasMasks());
  const char *riscv = "riscv64-unknown-linux-gnu";
  EXPECT_EQ(describe(riscv, "generic-rv64", {}).vectors.bits, 0u);
  // Groups of registers.
  Isa rvv = describe(riscv, "generic-rv64", {"v"});
  EXPECT_EQ(rvv.vectors.bits * rvv.vectors.count, 32u * 128);
  EXPECT_TRUE(rvv.hasMasks());
}

TEST(HostTest, RateOfWideUnits) {
  mlir::MLIRContext context;
  auto rate = [&](const char *cpu) {
    return describe("x86_64-pc-linux-gnu", cpu,
                    {"avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq",
                     "avx512vl"})
        .findProduct(mlir::Float32Type::get(&context))
        ->perCycle;
  };
  EXPECT_EQ(rate("znver4"), 1);
  EXPECT_EQ(rate("tigerlake"), 1);
  EXPECT_EQ(rate("znver5"), 2);
  EXPECT_EQ(rate("sapphirerapids"), 2);
}

TEST(HostTest, ProductsOfBytes) {
  using Form = Isa::Form;
  mlir::MLIRContext context;
  auto i8 = mlir::IntegerType::get(&context, 8),
       u8 = mlir::IntegerType::get(&context, 8, mlir::IntegerType::Unsigned),
       i32 = mlir::IntegerType::get(&context, 32);
  // That of unsigned and that of signed bytes by signed ones; -1: none.
  auto forms = [&](const char *triple,
                   std::initializer_list<llvm::StringRef> features) {
    Isa isa = describe(triple, "generic", features);
    auto form = [&](mlir::Type lhs) {
      const Isa::Product *product = isa.findProduct(lhs, i8, i32);
      return product ? static_cast<int>(product->form) : -1;
    };
    return std::pair(form(u8), form(i8));
  };
  auto both = [](Form form) {
    return std::pair(static_cast<int>(form), static_cast<int>(form));
  };
  const char *x86 = "x86_64-pc-linux-gnu", *arm = "aarch64-unknown-linux-gnu";
  constexpr int dot = static_cast<int>(Form::Dot);
  EXPECT_EQ(forms(x86, {"sse4.1"}), both(Form::Pairs));
  EXPECT_EQ(forms(x86, {"avx2", "fma", "f16c"}), both(Form::Pairs));
  EXPECT_EQ(forms(x86, {"avx2", "fma", "f16c", "avxvnni"}), std::pair(dot, -1));
  EXPECT_EQ(forms(x86, {"avx2", "fma", "f16c", "avx512f", "avx512bw",
                        "avx512dq", "avx512vl", "avx512vnni"}),
            std::pair(dot, -1));
  EXPECT_EQ(forms(arm, {"neon"}), both(Form::Singles));
  EXPECT_EQ(forms(arm, {"neon", "dotprod"}), std::pair(-1, dot));
  EXPECT_EQ(forms(arm, {"neon", "dotprod", "i8mm"}), both(Form::Dot));
  EXPECT_EQ(forms("riscv64-unknown-linux-gnu", {}), both(Form::OneByOne));
  EXPECT_EQ(forms("riscv64-unknown-linux-gnu", {"v"}), both(Form::OneByOne));
  // Of two rows, beside those of one.
  auto blocks = [&](std::initializer_list<llvm::StringRef> features,
                    mlir::Type lhs, mlir::Type rhs) {
    Isa isa = describe(arm, "generic", features);
    const Isa::Product *product = isa.findProduct(lhs, rhs, i32, Form::Blocks);
    return product ? product->intrinsics.front() : "";
  };
  EXPECT_EQ(blocks({"neon", "dotprod"}, u8, i8), "");
  EXPECT_EQ(blocks({"neon", "dotprod", "i8mm"}, u8, i8),
            "llvm.aarch64.neon.usmmla.v4i32.v16i8");
  EXPECT_EQ(blocks({"neon", "dotprod", "i8mm"}, i8, i8),
            "llvm.aarch64.neon.smmla.v4i32.v16i8");
  EXPECT_EQ(blocks({"neon", "dotprod", "i8mm"}, u8, u8),
            "llvm.aarch64.neon.ummla.v4i32.v16i8");
}

TEST(HostTest, LooksBytesUpInRegisters) {
  auto lookup = [&](std::initializer_list<llvm::StringRef> features) {
    return describe("x86_64-pc-linux-gnu", "generic", features).byteLookup;
  };
  EXPECT_EQ(lookup({"avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq",
                    "avx512vl"}),
            "");
  EXPECT_EQ(lookup({"avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq",
                    "avx512vl", "avx512vbmi"}),
            "llvm.x86.avx512.vpermi2var.qi.512");
}

TEST(HostTest, ProductsInTiles) {
  mlir::MLIRContext context;
  mlir::Builder b(&context);
  mlir::Type byte = b.getI8Type(), ubyte = b.getIntegerType(8, false),
             i32 = b.getI32Type(), bf16 = b.getBF16Type(), f16 = b.getF16Type(),
             f32 = b.getF32Type();
  auto rates = [&](llvm::ArrayRef<llvm::StringRef> tiles) {
    llvm::StringMap<bool> features;
    for (llvm::StringRef name : {"avx2", "fma", "f16c", "avx512f", "avx512bw",
                                 "avx512dq", "avx512vl", "avx512vnni"})
      features[name] = true;
    for (llvm::StringRef name : tiles)
      features[name] = true;
    Isa isa = describeCpu(llvm::Triple("x86_64-pc-linux-gnu"), "sapphirerapids",
                          features);
    auto rate = [&](mlir::Type lhs, mlir::Type rhs, mlir::Type sum) {
      const Isa::Product *product =
          isa.findProduct(lhs, rhs, sum, Isa::Form::Tiles);
      return product ? product->getRate() : 0;
    };
    // Vectors have theirs beside them, in two units.
    EXPECT_EQ(isa.findProduct(ubyte, byte, i32)->getRate(), 128);
    return std::vector<double>{rate(ubyte, byte, i32), rate(byte, byte, i32),
                               rate(bf16, bf16, f32), rate(f16, f16, f32)};
  };
  using Rates = std::vector<double>;
  EXPECT_EQ(rates({}), Rates({0, 0, 0, 0}));
  EXPECT_EQ(rates({"amx-tile", "amx-int8"}), Rates({1024, 1024, 0, 0}));
  EXPECT_EQ(rates({"amx-tile", "amx-int8", "amx-bf16"}),
            Rates({1024, 1024, 512, 0}));
  EXPECT_EQ(rates({"amx-tile", "amx-int8", "amx-bf16", "amx-fp16"}),
            Rates({1024, 1024, 512, 512}));
}

TEST(HostTest, ProductsOfPairs) {
  mlir::MLIRContext context;
  mlir::Type pair = mlir::BFloat16Type::get(&context),
             sum = mlir::Float32Type::get(&context);
  auto rate = [&](const char *triple, const char *cpu,
                  std::initializer_list<llvm::StringRef> features) {
    Isa isa = describe(triple, cpu, features);
    const Isa::Product *product = isa.findProduct(pair, pair, sum);
    return product ? product->getRate() : 0;
  };
  const char *x86 = "x86_64-pc-linux-gnu", *arm = "aarch64-unknown-linux-gnu";
  EXPECT_EQ(rate(x86, "cascadelake",
                 {"avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq",
                  "avx512vl"}),
            0);
  EXPECT_EQ(rate(x86, "znver4",
                 {"avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq",
                  "avx512vl", "avx512bf16"}),
            32);
  EXPECT_EQ(rate(arm, "neoverse-n1", {"neon"}), 0);
  EXPECT_EQ(rate(arm, "neoverse-v1", {"neon", "bf16"}), 16);
}

namespace {
/// A folder like Linux's of a CPU's caches.
class CacheFolder {
public:
  CacheFolder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("caches", path));
  }
  ~CacheFolder() { llvm::sys::fs::remove_directories(path); }

  void add(const char *index, const char *level, const char *type,
           const char *size, const char *ways, const char *line) {
    std::string folder = (path + "/" + index).str();
    EXPECT_FALSE(llvm::sys::fs::create_directory(folder));
    std::ofstream(folder + "/level") << level << '\n';
    std::ofstream(folder + "/type") << type << '\n';
    std::ofstream(folder + "/size") << size << '\n';
    std::ofstream(folder + "/ways_of_associativity") << ways << '\n';
    std::ofstream(folder + "/coherency_line_size") << line << '\n';
  }

  llvm::SmallString<64> path;
};
} // namespace

TEST(HostTest, CachesOfTheMachine) {
  CacheFolder folder;
  folder.add("index0", "1", "Data", "48K", "12", "64");
  folder.add("index1", "1", "Instruction", "32K", "8", "64");
  folder.add("index2", "2", "Unified", "2048K", "16", "128");
  folder.add("index3", "3", "Unified", "105M", "15", "64");
  Isa isa = llvm::cantFail(findTarget("x86-64-v4"))->isa;
  readCaches(folder.path, isa);
  ASSERT_EQ(isa.caches.size(), 2u);
  EXPECT_EQ(isa.caches[0].bytes, 48 << 10);
  EXPECT_EQ(isa.caches[0].ways, 12);
  EXPECT_EQ(isa.caches[1].bytes, 2 << 20);
  EXPECT_EQ(isa.caches[1].lineBytes, 128);
  // Half of the first, all of the second, then memory.
  EXPECT_EQ(isa.getReuseRate(24 << 10), isa.caches[0].bytesPerCycle);
  EXPECT_EQ(isa.getReuseRate((24 << 10) + 1), isa.caches[1].bytesPerCycle);
  EXPECT_EQ(isa.getReuseRate((2 << 20) + 1), isa.memoryBytesPerCycle);
}

// Files of /sys are shorter than it says.
TEST(HostTest, CachesOfThisMachine) {
  for (const Isa::Cache &cache :
       llvm::cantFail(findTarget("host"))->isa.caches) {
    EXPECT_GE(cache.bytes, 4 << 10);
    EXPECT_LE(cache.ways, 64);
    EXPECT_GE(cache.lineBytes, 16);
  }
}

TEST(HostTest, CachesUnknown) {
  CacheFolder folder;
  folder.add("index0", "1", "Data", "", "0", "none");
  folder.add("index1", "1", "Data", "32", "8", "64");
  Isa isa = llvm::cantFail(findTarget("aarch64"))->isa;
  for (llvm::StringRef path : {folder.path.str(), llvm::StringRef("nowhere")}) {
    readCaches(path, isa);
    EXPECT_EQ(isa.caches[0].bytes, 32 << 10);
    EXPECT_EQ(isa.caches[0].ways, 8);
    EXPECT_EQ(isa.caches[0].lineBytes, 64);
  }
}

TEST(HostTest, OperationsOnTypes) {
  mlir::MLIRContext context;
  mlir::Type f16 = mlir::Float16Type::get(&context),
             f32 = mlir::Float32Type::get(&context),
             f64 = mlir::Float64Type::get(&context);
  const Isa &m4 = llvm::cantFail(findTarget("cortex-m4"))->isa;
  EXPECT_TRUE(m4.isFused(f32));
  EXPECT_EQ(m4.findProduct(f64), nullptr);
  EXPECT_FALSE(m4.has(Isa::Operation::Arithmetic, f64));
  EXPECT_TRUE(m4.has(Isa::Operation::Conversion, f16));
  EXPECT_FALSE(m4.has(Isa::Operation::Rounding, f32));
  EXPECT_EQ(m4.findCache(1), nullptr);
  const Isa &v2 = llvm::cantFail(findTarget("x86-64-v2"))->isa;
  EXPECT_FALSE(v2.isFused(f32));
  EXPECT_NE(v2.findProduct(f64), nullptr);
  EXPECT_TRUE(v2.has(Isa::Operation::Rounding, mlir::VectorType::get(4, f32)));
  EXPECT_FALSE(v2.has(Isa::Operation::Conversion, f16));
  EXPECT_FALSE(
      v2.has(Isa::Operation::Arithmetic, mlir::IntegerType::get(&context, 8)));
}
