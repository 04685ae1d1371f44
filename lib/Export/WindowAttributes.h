//===- WindowAttributes.h - Attributes of sliding windows -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_EXPORT_WINDOWATTRIBUTES_H
#define BRISK_LIB_EXPORT_WINDOWATTRIBUTES_H

#include "GraphExporter.h"

namespace brisk::onnxexport {

/// Sets strides, dilations and pads of an op that slides windows.
template <typename OpTy> void setWindow(NodeMaker node, OpTy op) {
  for (auto [name, values] : {std::pair("strides", op.getStrides()),
                              std::pair("dilations", op.getDilations())})
    if (!values.empty())
      node.set(name, values);
  if (op.getAutoPad() != AutoPad::Notset)
    node.set("auto_pad",
             llvm::StringRef(stringifyEnum(op.getAutoPad()).upper()));
  else if (!op.getPads().empty())
    node.set("pads", op.getPads());
}

} // namespace brisk::onnxexport

#endif // BRISK_LIB_EXPORT_WINDOWATTRIBUTES_H
