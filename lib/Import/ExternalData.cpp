//===- ExternalData.cpp - Tensors in files beside the model ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorReader.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/System/InputFile.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

FailureOr<std::shared_ptr<llvm::MemoryBuffer>>
TensorReader::open(StringRef location, StringRef what, Location loc) {
  auto &file = files[location];
  if (file)
    return file;
  auto refuse = [&](const Twine &why) {
    return emitError(loc) << what << " has external data '" << location << "', "
                          << why;
  };
  if (location.empty())
    return refuse("which is not a file name");
  bool leaves =
      path::is_absolute(location) ||
      llvm::is_contained(
          llvm::make_range(path::begin(location), path::end(location)), "..");
  if (leaves)
    return refuse("which leaves the model's folder; it must be a relative path "
                  "inside it");
  SmallString<256> joined(folder), real, home;
  path::append(joined, location);
  if (std::error_code error = fs::real_path(joined, real))
    return refuse("which cannot be read: " + error.message());
  // Links count as what they lead to.
  if (std::error_code error = fs::real_path(folder, home))
    return refuse("whose folder cannot be read: " + error.message());
  auto inside = std::mismatch(path::begin(home.str()), path::end(home.str()),
                              path::begin(real.str()), path::end(real.str()));
  if (inside.first != path::end(home.str()))
    return refuse("a link that leaves the model's folder; copy the file there");
  auto buffer = readInputFile(real);
  if (!buffer)
    return refuse("which cannot be read: " +
                  llvm::toString(buffer.takeError()));
  path::remove_dots(joined);
  if (onRead)
    onRead(joined);
  file = std::move(*buffer);
  return file;
}

FailureOr<ElementsAttr>
TensorReader::readExternal(const onnx::TensorProto &tensor,
                           RankedTensorType type, uint64_t bytes,
                           Location loc) {
  std::string what = "tensor '" + tensor.name() + "'";
  StringRef location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
  for (const auto &entry : tensor.external_data()) {
    StringRef key = entry.key(), value = entry.value();
    uint64_t number = 0;
    if (key == "location") {
      location = value;
      continue;
    }
    if (key != "offset" && key != "length")
      continue;
    if (value.getAsInteger(10, number))
      return emitError(loc) << what << " has external data with " << key << " '"
                            << value << "', which is not a number";
    if (key == "offset")
      offset = number;
    else
      length = number;
  }
  if (length && *length != bytes)
    return emitError(loc) << what << " of type " << type << " needs " << bytes
                          << " bytes of external data and its length is "
                          << *length;
  auto file = open(location, what, loc);
  if (failed(file))
    return failure();
  uint64_t size = (*file)->getBufferSize();
  if (offset > size || bytes > size - offset)
    return emitError(loc) << what << " needs " << bytes << " bytes at offset "
                          << offset << " of '" << location
                          << "', which has only " << size;
  ArrayRef<char> data((*file)->getBufferStart() + offset, bytes);
  size_t width = getElementBytes(type.getElementType());
  if (mustCopy(type, bytes) || reinterpret_cast<uintptr_t>(data.data()) % width)
    return copyElements(type, data);
  AsmResourceBlob blob(
      data, width,
      [keep = *file](void *, size_t, size_t) mutable { keep.reset(); },
      /*dataIsMutable=*/false);
  return makeResource(type, getResourceName(tensor), std::move(blob));
}
