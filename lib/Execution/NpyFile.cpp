//===- NpyFile.cpp - NumPy's .npy files -----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/NpyFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

#include <cstring>

using namespace llvm;

namespace brisk::execution {

static constexpr StringLiteral magic("\x93NUMPY");

namespace {

/// What the header's dictionary says.
struct Header {
  std::string descr;
  bool fortranOrder = false;
  SmallVector<int64_t, 6> shape;
  bool hasDescr = false, hasOrder = false, hasShape = false;
};

/// The part of Python's literals that NumPy writes: a dictionary of strings,
/// booleans and tuples of integers.
class HeaderParser {
public:
  explicit HeaderParser(StringRef text) : rest(text) {}

  Error parse(Header &header) {
    if (!consume("{"))
      return malformed("a dictionary");
    while (!consume("}")) {
      std::string key;
      if (!parseString(key) || !consume(":"))
        return malformed("a key");
      if (Error error = parseValue(key, header))
        return error;
      if (!consume(",") && !peek("}"))
        return malformed("',' or '}'");
    }
    rest = rest.ltrim();
    if (!rest.empty())
      return malformed("its end");
    if (!header.hasDescr || !header.hasOrder || !header.hasShape)
      return createStringError(
          "its header lacks 'descr', 'fortran_order' or 'shape'");
    return Error::success();
  }

private:
  Error malformed(const Twine &expected) {
    return createStringError("its header is malformed: expected " + expected +
                             ", found '" + rest.take_front(16) + "'");
  }
  bool peek(StringRef token) {
    rest = rest.ltrim();
    return rest.starts_with(token);
  }
  bool consume(StringRef token) {
    return peek(token) && rest.consume_front(token);
  }
  bool parseString(std::string &value) {
    if (!peek("'") && !peek("\""))
      return false;
    char quote = rest.front();
    size_t end = rest.find(quote, 1);
    if (end == StringRef::npos)
      return false;
    value = rest.slice(1, end).str();
    rest = rest.drop_front(end + 1);
    return true;
  }
  Error parseValue(StringRef key, Header &header) {
    if (key == "descr") {
      if (peek("["))
        return createStringError(
            "it holds structured elements; expected one number each");
      header.hasDescr = true;
      return parseString(header.descr) ? Error::success()
                                       : malformed("a type's name");
    }
    if (key == "fortran_order") {
      header.hasOrder = true;
      header.fortranOrder = consume("True");
      return header.fortranOrder || consume("False")
                 ? Error::success()
                 : malformed("True or False");
    }
    if (key != "shape")
      return createStringError("its header has an unknown key, '" + key + "'");
    header.hasShape = true;
    header.shape.clear();
    if (!consume("("))
      return malformed("a tuple");
    while (!consume(")")) {
      int64_t dim;
      rest = rest.ltrim();
      if (rest.consumeInteger(10, dim) || dim < 0)
        return malformed("a dimension");
      consume("L"); // of Python 2
      header.shape.push_back(dim);
      if (!consume(",") && !peek(")"))
        return malformed("',' or ')'");
    }
    return Error::success();
  }

  StringRef rest;
};

/// How NumPy writes an element type: its kind and the bytes of an element.
struct TypeCode {
  char code[2]; ///< without the byte order
  uint32_t dtype;
  StringRef text() const { return {code, sizeof code}; }
};

} // namespace

static constexpr TypeCode typeCodes[] = {
#define BRISK_ELEMENT(name, number, bits, kind, numpy, type)                   \
  {{kind, '0' + bits / 8}, number},
#include "brisk/elements.def"
};

/// Copies column-major elements into row-major order.
static void copyFortranOrder(const char *from, Tensor &to) {
  size_t size = elementBytes(to.dtype);
  size_t rank = to.dims.size();
  SmallVector<uint64_t, 6> strides(rank), index(rank, 0);
  uint64_t stride = size;
  for (size_t d = 0; d < rank; ++d) {
    strides[d] = stride;
    stride *= to.dims[d];
  }
  uint64_t offset = 0;
  for (uint64_t at = 0; at < to.data.size(); at += size) {
    std::memcpy(to.data.data() + at, from + offset, size);
    for (size_t d = rank; d-- > 0;) {
      offset += strides[d];
      if (++index[d] < static_cast<uint64_t>(to.dims[d]))
        break;
      offset -= strides[d] * index[d];
      index[d] = 0;
    }
  }
}

static void swapBytes(Tensor &tensor) {
  size_t size = elementBytes(tensor.dtype);
  char *data = tensor.data.data();
  for (uint64_t at = 0; at < tensor.data.size(); at += size)
    std::reverse(data + at, data + at + size);
}

Expected<Tensor> parseNpy(StringRef content) {
  StringRef rest = content;
  if (!rest.consume_front(magic) || rest.size() < 4)
    return createStringError("it is no NumPy array file");
  unsigned major = static_cast<unsigned char>(rest[0]);
  unsigned minor = static_cast<unsigned char>(rest[1]);
  if (major < 1 || major > 3 || minor != 0)
    return createStringError("its format version is " + Twine(major) + "." +
                             Twine(minor) + "; expected 1.0, 2.0 or 3.0");
  rest = rest.drop_front(2);
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (rest.size() < lengthBytes)
    return createStringError("it is truncated in its header");
  uint64_t length = major == 1 ? support::endian::read16le(rest.data())
                               : support::endian::read32le(rest.data());
  rest = rest.drop_front(lengthBytes);
  if (rest.size() < length)
    return createStringError("it is truncated in its header");

  Header header;
  if (Error error = HeaderParser(rest.take_front(length)).parse(header))
    return std::move(error);
  rest = rest.drop_front(length);

  StringRef code = header.descr;
  char order = code.empty() ? ' ' : code.front();
  if (StringRef("<>|=").contains(order))
    code = code.drop_front();
  const TypeCode *type =
      find_if(typeCodes, [&](const TypeCode &t) { return t.text() == code; });
  if (type == std::end(typeCodes))
    return createStringError("its elements are of type '" + header.descr +
                             "', which no model takes");

  // Before memory is taken for what a header promises.
  auto bytes = countBytes(type->dtype, header.shape);
  if (!bytes)
    return bytes.takeError();
  if (rest.size() < *bytes)
    return createStringError("it is truncated: its header promises " +
                             Twine(*bytes) + " bytes of data, found " +
                             Twine(rest.size()));
  if (rest.size() > *bytes)
    return createStringError("it has " + Twine(rest.size() - *bytes) +
                             " bytes after its array");
  auto tensor = Tensor::create(type->dtype, header.shape);
  if (!tensor)
    return tensor.takeError();
  if (header.fortranOrder && header.shape.size() > 1)
    copyFortranOrder(rest.data(), *tensor);
  else
    std::memcpy(tensor->data.data(), rest.data(), *bytes);
  bool bigEndian = order == '>' || (order == '=' && sys::IsBigEndianHost);
  if (bigEndian != sys::IsBigEndianHost)
    swapBytes(*tensor);
  return tensor;
}

void writeNpy(raw_ostream &out, const TensorView &tensor) {
  const TypeCode *type = find_if(
      typeCodes, [&](const TypeCode &t) { return t.dtype == tensor.dtype; });
  size_t size = elementBytes(tensor.dtype);
  std::string header;
  raw_string_ostream text(header);
  text << "{'descr': '" << (size == 1 ? '|' : '<') << type->text()
       << "', 'fortran_order': False, 'shape': (";
  ListSeparator comma;
  for (int64_t dim : tensor.dims)
    text << comma << dim;
  text << (tensor.dims.size() == 1 ? ",), }" : "), }");
  // Data starts at a multiple of 64, after a newline.
  size_t prefix = magic.size() + 4;
  size_t padded = alignTo(prefix + header.size() + 1, 64) - prefix;
  header.append(padded - header.size() - 1, ' ');
  header += '\n';
  out << magic << '\x01' << '\x00';
  char length[2];
  support::endian::write16le(length, header.size());
  out.write(length, 2);
  out << header;
  out.write(tensor.data.data(), tensor.data.size());
}

} // namespace brisk::execution
