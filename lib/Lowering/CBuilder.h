//===- CBuilder.h - Functions over the structs of brisk/model.h -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes functions of the LLVM dialect in the manner of C.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_LOWERING_CBUILDER_H
#define BRISK_LIB_LOWERING_CBUILDER_H

#include "brisk/Lowering/Structs.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace brisk {

class CBuilder : public mlir::ImplicitLocOpBuilder {
public:
  CBuilder(mlir::Location loc, mlir::OpBuilder builder)
      : ImplicitLocOpBuilder(loc, builder),
        pointer(mlir::LLVM::LLVMPointerType::get(getContext())),
        i32(getI32Type()), i64(getI64Type()) {}

  const mlir::Type pointer, i32, i64;

  /// Begins a function behind the one that the builder stands in, and goes into
  /// its body. Without a result it returns nothing.
  mlir::LLVM::LLVMFuncOp
  function(llvm::StringRef name, llvm::ArrayRef<mlir::Type> parameters,
           mlir::Type result = {},
           mlir::LLVM::Linkage linkage = mlir::LLVM::Linkage::Internal);

  mlir::Value number(mlir::Type type, int64_t value) {
    return mlir::LLVM::ConstantOp::create(*this, type,
                                          getIntegerAttr(type, value));
  }
  mlir::Value null() { return mlir::LLVM::ZeroOp::create(*this, pointer); }
  mlir::Value compare(mlir::LLVM::ICmpPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) {
    return mlir::LLVM::ICmpOp::create(*this, predicate, lhs, rhs);
  }
  mlir::Value isNull(mlir::Value address) {
    return compare(mlir::LLVM::ICmpPredicate::eq, address, null());
  }
  mlir::Value isSet(mlir::Value address) {
    return compare(mlir::LLVM::ICmpPredicate::ne, address, null());
  }

  /// Room on the stack for so many values.
  mlir::Value room(mlir::Type type, int64_t count = 1) {
    return mlir::LLVM::AllocaOp::create(*this, pointer, type,
                                        number(i32, count));
  }
  mlir::Value load(mlir::Type type, mlir::Value address) {
    return mlir::LLVM::LoadOp::create(*this, type, address);
  }
  /// The address of an element of an array.
  mlir::Value at(mlir::Type type, mlir::Value array, mlir::LLVM::GEPArg index) {
    return mlir::LLVM::GEPOp::create(*this, pointer, type, array,
                                     llvm::ArrayRef(index));
  }

  /// A struct's type in memory.
  template <typename Struct> mlir::Type getStruct() {
    return mlir::LLVM::LLVMStructType::getLiteral(
        getContext(),
        llvm::map_to_vector(getFieldKinds<Struct>(), [&](FieldKind kind) {
          return getFieldType(kind);
        }));
  }
  template <typename Struct, typename Field>
  mlir::Value get(mlir::Value object, Field Struct::*field) {
    return load(getFieldType(getFieldKind<Field>()), slot(object, field));
  }
  template <typename Struct, typename Field>
  void set(mlir::Value object, Field Struct::*field, mlir::Value value) {
    mlir::LLVM::StoreOp::create(*this, value, slot(object, field));
  }

  /// Calls a function of the module, or one through its address.
  mlir::Value call(llvm::StringRef name, mlir::ValueRange arguments,
                   mlir::Type result = {});
  mlir::Value callThrough(mlir::Value function, mlir::ValueRange arguments,
                          mlir::Type result = {});
  void ret(mlir::ValueRange results = {}) {
    mlir::LLVM::ReturnOp::create(*this, results);
  }

  /// `if (condition) body`; the builder goes on behind it.
  void when(mlir::Value condition, llvm::function_ref<void()> body,
            bool unlikely = false);

private:
  mlir::Type getFieldType(FieldKind kind) {
    return kind == FieldKind::Pointer ? pointer
                                      : getIntegerType(static_cast<int>(kind));
  }
  mlir::TypeRange getResults(const mlir::Type &result) {
    return result ? mlir::TypeRange(result) : mlir::TypeRange();
  }
  template <typename Struct, typename Field>
  mlir::Value slot(mlir::Value object, Field Struct::*field) {
    return mlir::LLVM::GEPOp::create(
        *this, pointer, getStruct<Struct>(), object,
        llvm::ArrayRef<mlir::LLVM::GEPArg>{
            0, static_cast<int32_t>(getFieldIndex(field))},
        mlir::LLVM::GEPNoWrapFlags::inbounds);
  }
};

} // namespace brisk

#endif // BRISK_LIB_LOWERING_CBUILDER_H
