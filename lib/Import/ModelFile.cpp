//===- ModelFile.cpp - Reads model files ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelFile.h"
#include "brisk/System/InputFile.h"
#include "mlir/IR/Diagnostics.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/defs/parser.h>

#include <climits>

using namespace mlir;
using namespace brisk::onnximport;

/// The parser calls itself for what is in brackets.
static constexpr int maxNesting = 256;

static bool isNestedTooDeep(StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size() && depth <= maxNesting; ++i) {
    char c = text[i];
    if (c == '#')
      i = text.find('\n', i);
    else if (c == '"')
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
    if (i >= text.size())
      break;
    if (StringRef("([{").contains(c))
      ++depth;
    else if (StringRef(")]}").contains(c))
      --depth;
  }
  return depth > maxNesting;
}

static LogicalResult parseText(StringRef text, Location loc,
                               onnx::ModelProto &model) {
  if (isNestedTooDeep(text))
    return emitError(loc, "not an ONNX model in text form: brackets nest more "
                          "than ")
           << maxNesting << " deep";
  // The parser throws on numbers that are out of range.
  std::string source = text.str(), reason;
  try {
    onnx::OnnxParser parser(source.c_str());
    onnx::Common::Status status = parser.Parse(model);
    if (status.IsOK()) {
      if (parser.EndOfInput())
        return success();
      reason = "unexpected text after the model";
    } else {
      reason = status.ErrorMessage();
    }
  } catch (const std::exception &error) {
    reason = std::string("number out of range: ") + error.what();
  }
  return emitError(loc, "not an ONNX model in text form: ") << reason;
}

static LogicalResult parseBinary(StringRef bytes, Location loc,
                                 onnx::ModelProto &model) {
  namespace protobuf = google::protobuf;
  if (bytes.size() > INT_MAX)
    return emitError(loc, "model file has ")
           << bytes.size()
           << " bytes, and protobuf holds less than 2 GiB; save the weights as "
              "external data";
  // What protobuf would log, the diagnostic says.
  protobuf::LogHandler *old = protobuf::SetLogHandler(nullptr);
  protobuf::io::ArrayInputStream stream(bytes.data(),
                                        static_cast<int>(bytes.size()));
  protobuf::io::CodedInputStream coded(&stream);
  coded.SetTotalBytesLimit(INT_MAX);
  bool parsed =
      model.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
  protobuf::SetLogHandler(old);
  if (!parsed)
    return emitError(loc, "not an ONNX model, or a truncated one: the protobuf "
                          "does not parse (it may nest 100 messages)");
  return success();
}

LogicalResult brisk::onnximport::readModel(StringRef path, Location loc,
                                           onnx::ModelProto &model) {
  auto buffer = readInputFile(path);
  if (!buffer)
    return emitError(loc, "cannot read model: ")
           << llvm::toString(buffer.takeError());
  StringRef bytes = (*buffer)->getBuffer();
  if (bytes.empty())
    return emitError(loc, "model file is empty");
  if (failed(path.ends_with(".onnxtxt") ? parseText(bytes, loc, model)
                                        : parseBinary(bytes, loc, model)))
    return failure();
  if (!model.has_graph())
    return emitError(loc, "not an ONNX model: it has no graph");
  return success();
}
