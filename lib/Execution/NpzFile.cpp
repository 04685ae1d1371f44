//===- NpzFile.cpp - NumPy's .npz archives --------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/Execution/NpzFile.h"

#include "brisk/Execution/NpyFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"

#include <zlib.h>

using namespace llvm;
using support::endian::read16le;
using support::endian::read32le;
using support::endian::read64le;

namespace brisk::execution {

namespace {
/// Where the directory of an archive lies.
struct Directory {
  uint64_t offset = 0, entries = 0;
};

/// What the directory says of a member.
struct Member {
  StringRef name;
  uint16_t flags = 0, method = 0;
  uint32_t crc = 0;
  uint64_t packedBytes = 0, bytes = 0, offset = 0;
};
} // namespace

static Error damaged(const Twine &what) {
  return createStringError("it is a damaged ZIP archive: " + what);
}

/// `size` bytes at `offset`; nothing where they end behind the file.
static const char *bytesAt(StringRef content, uint64_t offset, uint64_t size) {
  if (offset > content.size() || size > content.size() - offset)
    return nullptr;
  return content.data() + offset;
}

static Expected<Directory> findDirectory(StringRef content) {
  constexpr StringRef endMark = "PK\5\6", bigMark = "PK\6\6";
  constexpr uint64_t endBytes = 22, locatorBytes = 20, bigBytes = 56;
  // A comment of at most 64 KiB may follow.
  StringRef tail = content.take_back(endBytes + UINT16_MAX);
  size_t found = tail.rfind(endMark);
  if (found == StringRef::npos)
    return createStringError("it is no ZIP archive, as .npz files are");
  uint64_t at = content.size() - tail.size() + found;
  const char *end = bytesAt(content, at, endBytes);
  if (!end)
    return damaged("its end is cut off");
  if (read16le(end + 4) || read16le(end + 6))
    return createStringError("it is one part of an archive of several");
  Directory directory{read32le(end + 16), read16le(end + 10)};
  if (directory.offset != UINT32_MAX && directory.entries != UINT16_MAX)
    return directory;
  const char *locator = at < locatorBytes
                            ? nullptr
                            : bytesAt(content, at - locatorBytes, locatorBytes);
  const char *big =
      locator ? bytesAt(content, read64le(locator + 8), bigBytes) : nullptr;
  if (!big || StringRef(big, 4) != bigMark)
    return damaged("the directory of its members is missing");
  return Directory{read64le(big + 48), read64le(big + 32)};
}

/// Sizes and offset that do not fit into 32 bits stand in an extra field.
static bool readLargeFields(StringRef extra, Member &member) {
  while (extra.size() >= 4) {
    uint16_t id = read16le(extra.data()), size = read16le(extra.data() + 2);
    StringRef field = extra.drop_front(4).take_front(size);
    extra = extra.drop_front(std::min<size_t>(extra.size(), 4 + size));
    if (id != 1)
      continue;
    for (uint64_t *value : {&member.bytes, &member.packedBytes, &member.offset})
      if (*value == UINT32_MAX) {
        if (field.size() < 8)
          return false;
        *value = read64le(field.data());
        field = field.drop_front(8);
      }
    return true;
  }
  return member.bytes != UINT32_MAX && member.packedBytes != UINT32_MAX &&
         member.offset != UINT32_MAX;
}

/// Reads the entry at `offset` of the directory, and moves on behind it.
static Expected<Member> readEntry(StringRef content, uint64_t &offset) {
  constexpr uint64_t entryBytes = 46;
  const char *entry = bytesAt(content, offset, entryBytes);
  if (!entry || StringRef(entry, 4) != "PK\1\2")
    return damaged("an entry of its directory is missing");
  uint64_t nameBytes = read16le(entry + 28), extraBytes = read16le(entry + 30),
           commentBytes = read16le(entry + 32);
  const char *name =
      bytesAt(content, offset + entryBytes, nameBytes + extraBytes);
  if (!name)
    return damaged("an entry of its directory is cut off");
  offset += entryBytes + nameBytes + extraBytes + commentBytes;
  Member member;
  member.name = StringRef(name, nameBytes);
  member.flags = read16le(entry + 8);
  member.method = read16le(entry + 10);
  member.crc = read32le(entry + 16);
  member.packedBytes = read32le(entry + 20);
  member.bytes = read32le(entry + 24);
  member.offset = read32le(entry + 42);
  if (!readLargeFields(StringRef(name + nameBytes, extraBytes), member))
    return damaged("an entry of its directory has no size");
  return member;
}

/// The packed bytes of a member.
static Expected<StringRef> findData(StringRef content, const Member &member) {
  constexpr uint64_t headerBytes = 30;
  const char *header = bytesAt(content, member.offset, headerBytes);
  if (!header || StringRef(header, 4) != "PK\3\4")
    return damaged("the member is missing");
  uint64_t begin = member.offset + headerBytes + read16le(header + 26) +
                   read16le(header + 28);
  const char *data = bytesAt(content, begin, member.packedBytes);
  if (!data)
    return damaged("the member is cut off");
  return StringRef(data, member.packedBytes);
}

static Expected<std::string> inflate(StringRef packed, uint64_t bytes) {
  // Deflate packs no more than 1032 bytes into one.
  if (bytes / 1040 > packed.size())
    return damaged("the member is too short for what it is said to hold");
  std::string result(bytes, '\0');
  z_stream stream = {};
  // Without a header of zlib's own.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return createStringError("out of memory");
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  stream.next_out = reinterpret_cast<Bytef *>(result.data());
  uint64_t in = packed.size(), out = bytes;
  int status = Z_OK;
  while (status == Z_OK) {
    // zlib counts in 32 bits.
    constexpr uint64_t most = 1 << 30;
    stream.avail_in = static_cast<uInt>(std::min(in, most));
    stream.avail_out = static_cast<uInt>(std::min(out, most));
    in -= stream.avail_in;
    out -= stream.avail_out;
    status = ::inflate(&stream, Z_NO_FLUSH);
    in += stream.avail_in;
    out += stream.avail_out;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || out)
    return damaged("the member cannot be unpacked");
  return result;
}

static Expected<Tensor> readMember(StringRef content, const Member &member) {
  constexpr uint16_t encrypted = 1;
  if (member.flags & encrypted)
    return createStringError("it is encrypted");
  auto data = findData(content, member);
  if (!data)
    return data.takeError();
  constexpr uint16_t stored = 0, deflated = 8;
  std::string unpacked;
  if (member.method == deflated) {
    auto result = inflate(*data, member.bytes);
    if (!result)
      return result.takeError();
    unpacked = std::move(*result);
    data = StringRef(unpacked);
  } else if (member.method != stored) {
    return createStringError("it is packed by method " + Twine(member.method) +
                             "; expected stored or deflated, as NumPy writes");
  }
  if (data->size() != member.bytes ||
      llvm::crc32(arrayRefFromStringRef(*data)) != member.crc)
    return damaged("the member's checksum is wrong");
  return parseNpy(*data);
}

Expected<std::vector<NamedTensor>> parseNpz(StringRef content) {
  auto directory = findDirectory(content);
  if (!directory)
    return directory.takeError();
  std::vector<NamedTensor> result;
  StringSet<> names;
  uint64_t offset = directory->offset;
  for (uint64_t i = 0; i != directory->entries; ++i) {
    auto member = readEntry(content, offset);
    if (!member)
      return member.takeError();
    StringRef name = member->name;
    if (!name.consume_back(".npy"))
      return createStringError("its member '" + name +
                               "' is no array; expected a name that ends in "
                               ".npy");
    if (!names.insert(name).second)
      return createStringError("it has two arrays '" + name + "'");
    auto tensor = readMember(content, *member);
    if (!tensor)
      return createStringError("array '" + name +
                               "': " + toString(tensor.takeError()));
    result.push_back({name.str(), std::move(*tensor)});
  }
  return result;
}

} // namespace brisk::execution
