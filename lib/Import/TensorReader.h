//===- TensorReader.h - ONNX tensors as constants ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types and tensors of ONNX as types and attributes, from any field or file
// that holds their values.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_IMPORT_TENSORREADER_H
#define BRISK_LIB_IMPORT_TENSORREADER_H

#include "Onnx.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace brisk::onnximport {

/// The element type of an ONNX data type; null if the dialect has none.
mlir::Type getElementType(mlir::MLIRContext *context, int32_t dataType);

/// ONNX's name of a data type, for diagnostics.
std::string getDataTypeName(int32_t dataType);

/// Integers of less than a byte, some of which are packed into each.
struct PartOfByte {
  int64_t bits;
  bool isSigned;
};
/// The same of an ONNX data type; nothing for other types.
std::optional<PartOfByte> getPartOfByte(int32_t dataType);

/// What the resource with a tensor's values is called.
llvm::StringRef getResourceName(const onnx::TensorProto &tensor);

class TensorReader {
public:
  /// External data is looked for in the folder of the model at `modelPath`.
  /// `onRead`, if it is set, gets the path of each file that is read.
  TensorReader(mlir::MLIRContext *context, llvm::StringRef modelPath,
               std::function<void(llvm::StringRef)> onRead = {});

  /// The values of a tensor. Large ones move out of the message, or stay in the
  /// mapped file, and are not copied: the message must not be read by others.
  mlir::FailureOr<mlir::ElementsAttr> read(const onnx::TensorProto &tensor,
                                           mlir::Location loc);
  /// The same of integers of less than a byte: the bytes that hold them.
  mlir::FailureOr<mlir::ElementsAttr> readBytes(const onnx::TensorProto &tensor,
                                                mlir::Location loc);
  /// The dense form of a sparse tensor.
  mlir::FailureOr<mlir::ElementsAttr>
  read(const onnx::SparseTensorProto &tensor, mlir::Location loc);

private:
  mlir::FailureOr<mlir::ElementsAttr> convert(onnx::TensorProto &tensor,
                                              mlir::Location loc);
  mlir::FailureOr<mlir::ElementsAttr>
  readExternal(const onnx::TensorProto &tensor, mlir::RankedTensorType type,
               uint64_t bytes, mlir::Location loc);
  mlir::FailureOr<std::shared_ptr<llvm::MemoryBuffer>>
  open(llvm::StringRef location, llvm::StringRef what, mlir::Location loc);

  mlir::MLIRContext *context;
  std::string folder;
  std::function<void(llvm::StringRef)> onRead;
  llvm::StringMap<std::shared_ptr<llvm::MemoryBuffer>> files;
  llvm::DenseMap<const onnx::TensorProto *, mlir::ElementsAttr> done;
};

/// Whether values in memory are no constant as they lie there: booleans, whose
/// bytes may be any, and few of others.
bool mustCopy(mlir::RankedTensorType type, uint64_t bytes);

/// A constant of its own with these row-major bytes.
mlir::ElementsAttr copyElements(mlir::RankedTensorType type,
                                llvm::ArrayRef<char> data);

/// The shape that `dims` give, or an error if a dimension is negative or the
/// tensor would not fit an address space.
mlir::FailureOr<llvm::SmallVector<int64_t>>
readShape(const google::protobuf::RepeatedField<int64_t> &dims,
          llvm::StringRef what, mlir::Location loc);

} // namespace brisk::onnximport

#endif // BRISK_LIB_IMPORT_TENSORREADER_H
