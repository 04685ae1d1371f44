//===- StructsTest.cpp - The C structs, as the compiler sees them ---------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Lowering/Structs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <fstream>

using namespace brisk;

/// Says in C where the compiler takes each field of a struct to be.
template <typename Struct>
static void assertOffsets(llvm::StringRef name, llvm::LLVMContext &context,
                          const llvm::DataLayout &layout, std::ofstream &out) {
  std::vector<llvm::Type *> types;
  for (FieldKind kind : getFieldKinds<Struct>())
    types.push_back(kind == FieldKind::Pointer
                        ? (llvm::Type *)llvm::PointerType::get(context, 0)
                        : llvm::IntegerType::get(context, (int)kind));
  const llvm::StructLayout *fields =
      layout.getStructLayout(llvm::StructType::get(context, types));
  unsigned i = 0;
  for (llvm::StringRef member : llvm::split(Members<Struct>::text, ',')) {
    std::string field = member.rsplit(':').second.str();
    out << "_Static_assert(offsetof(" << name.str() << ", " << field
        << ") == " << fields->getElementOffset(i++).getFixedValue() << ", \""
        << name.str() << "." << field << "\");\n";
  }
  ASSERT_EQ(i, types.size());
  out << "_Static_assert(sizeof(" << name.str()
      << ") == " << getSizeOf<Struct>(layout.getPointerSize()) << ", \"size of "
      << name.str() << "\");\n";
}

// A C compiler finds every field where generated code looks for it, on every
// machine that there is a target for.
TEST(StructsTest, OffsetsAreThoseOfC) {
  for (const char *triple : {"x86_64-linux-gnu", "aarch64-linux-gnu",
                             "aarch64-none-elf", "thumbv7em-none-eabihf"}) {
    llvm::LLVMContext context;
    llvm::DataLayout layout(llvm::Triple(triple).computeDataLayout());
    std::string path = testing::TempDir() + "brisk-structs-" + triple + ".c";
    std::ofstream out(path);
    out << "#include \"brisk/model.h\"\n#include <stddef.h>\n";
    assertOffsets<brisk_quant>("brisk_quant", context, layout, out);
    assertOffsets<brisk_tensor>("brisk_tensor", context, layout, out);
    assertOffsets<brisk_op>("brisk_op", context, layout, out);
    assertOffsets<brisk_work>("brisk_work", context, layout, out);
    assertOffsets<brisk_record>("brisk_record", context, layout, out);
    assertOffsets<brisk_trace>("brisk_trace", context, layout, out);
    assertOffsets<brisk_hooks>("brisk_hooks", context, layout, out);
    assertOffsets<brisk_memory>("brisk_memory", context, layout, out);
    assertOffsets<brisk_call>("brisk_call", context, layout, out);
    assertOffsets<brisk_model>("brisk_model", context, layout, out);
    out.close();
    std::string command = std::string(BRISK_CLANG) + " --target=" + triple +
                          " -ffreestanding -fsyntax-only -std=c11 -I " +
                          BRISK_RUNTIME_INCLUDE + " " + path;
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::remove(path.c_str());
  }
}
