//===- Structs.h - The structs of brisk/model.h, as code sees them --------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C header is the one description of the interface between models and
// their callers. Here are its structs again as lists of their members, from
// whose C++ types code generation takes how each field lies in memory, and by
// which it names the fields that it reads and writes. A list that lacks a
// member does not compile; a test holds the offsets on every target's machine
// against those of a C compiler.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LOWERING_STRUCTS_H
#define BRISK_LOWERING_STRUCTS_H

#include "brisk/model.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <vector>

namespace brisk {

/// How a field lies in memory: as a number of so many bits, or as an address of
/// the target's.
enum class FieldKind { I32 = 32, I64 = 64, Pointer = 0 };

/// The members of a struct, in order, and the text that lists them.
template <typename Struct> struct Members;

#define BRISK_STRUCT(STRUCT, ...)                                              \
  template <> struct Members<STRUCT> {                                         \
    static constexpr llvm::StringLiteral text = #__VA_ARGS__;                  \
    static constexpr auto get() {                                              \
      using Struct = STRUCT;                                                   \
      return std::make_tuple(__VA_ARGS__);                                     \
    }                                                                          \
  }
BRISK_STRUCT(brisk_quant, &Struct::scales, &Struct::zero_points, &Struct::count,
             &Struct::axis);
BRISK_STRUCT(brisk_tensor, &Struct::name, &Struct::dims, &Struct::strides,
             &Struct::symbols, &Struct::quant, &Struct::rank, &Struct::dtype,
             &Struct::bits, &Struct::bytes);
BRISK_STRUCT(brisk_op, &Struct::name, &Struct::type, &Struct::kernel,
             &Struct::flops, &Struct::bytes, &Struct::phase, &Struct::reserved);
BRISK_STRUCT(brisk_work, &Struct::begin, &Struct::end, &Struct::worker);
BRISK_STRUCT(brisk_record, &Struct::op, &Struct::reserved, &Struct::start,
             &Struct::end);
BRISK_STRUCT(brisk_trace, &Struct::records, &Struct::capacity, &Struct::count,
             &Struct::dropped);
BRISK_STRUCT(brisk_hooks, &Struct::size, &Struct::workers, &Struct::context,
             &Struct::clock, &Struct::parallel_for, &Struct::trace);
BRISK_STRUCT(brisk_memory, &Struct::kind, &Struct::alignment, &Struct::bytes,
             &Struct::bytes_per_worker);
BRISK_STRUCT(brisk_call, &Struct::size, &Struct::inputs, &Struct::outputs,
             &Struct::dims, &Struct::out_dims, &Struct::memory, &Struct::hooks);
BRISK_STRUCT(brisk_model, &Struct::abi_version, &Struct::profiled,
             &Struct::name, &Struct::target, &Struct::inputs, &Struct::outputs,
             &Struct::memory, &Struct::symbols, &Struct::ops,
             &Struct::num_inputs, &Struct::num_outputs, &Struct::num_memory,
             &Struct::num_symbols, &Struct::num_out_dims, &Struct::num_ops,
             &Struct::weights_bytes, &Struct::call, &Struct::cpu_features,
             &Struct::compiler, &Struct::source_sha256, &Struct::flags);
#undef BRISK_STRUCT

/// Calls `visit` with each member of a struct, in order.
template <typename Struct, typename Visit>
constexpr void forEachMember(Visit visit) {
  std::apply([&](auto... member) { (visit(member), ...); },
             Members<Struct>::get());
}

/// True if the members listed fill the struct.
template <typename Struct> constexpr bool isComplete() {
  size_t end = 0;
  forEachMember<Struct>([&]<typename Field>(Field Struct::*) {
    end = llvm::alignTo(end, alignof(Field)) + sizeof(Field);
  });
  return llvm::alignTo(end, alignof(Struct)) == sizeof(Struct);
}

template <typename Field> constexpr FieldKind getFieldKind() {
  if constexpr (std::is_pointer_v<Field>)
    return FieldKind::Pointer;
  static_assert(sizeof(Field) == 4 || sizeof(Field) == 8);
  return sizeof(Field) == 4 ? FieldKind::I32 : FieldKind::I64;
}

/// How the fields of a struct lie in memory, in order.
template <typename Struct> std::vector<FieldKind> getFieldKinds() {
  static_assert(isComplete<Struct>());
  std::vector<FieldKind> kinds;
  forEachMember<Struct>([&]<typename Field>(Field Struct::*) {
    kinds.push_back(getFieldKind<Field>());
  });
  return kinds;
}

/// What C's sizeof gives where addresses have so many bytes.
template <typename Struct> uint64_t getSizeOf(unsigned addressBytes) {
  uint64_t end = 0, alignment = 1;
  for (FieldKind kind : getFieldKinds<Struct>()) {
    uint64_t bytes =
        kind == FieldKind::Pointer ? addressBytes : static_cast<int>(kind) / 8;
    end = llvm::alignTo(end, bytes) + bytes;
    alignment = std::max(alignment, bytes);
  }
  return llvm::alignTo(end, alignment);
}

/// The place of a field among those of its struct.
template <typename Struct, typename Field>
constexpr unsigned getFieldIndex(Field Struct::*field) {
  static_assert(isComplete<Struct>());
  unsigned index = 0, found = 0;
  forEachMember<Struct>([&]<typename Other>(Other Struct::*other) {
    if constexpr (std::is_same_v<Other, Field>)
      found = other == field ? index : found;
    ++index;
  });
  return found;
}

} // namespace brisk

#endif // BRISK_LOWERING_STRUCTS_H
