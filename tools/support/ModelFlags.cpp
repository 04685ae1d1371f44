//===- ModelFlags.cpp - Flags that tools which run models share -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelFlags.h"

using namespace llvm;

namespace brisk::tools {

ModelFlags::ModelFlags(cl::OptionCategory &category)
    : model(cl::Positional, cl::Required, cl::desc("MODEL"),
            cl::value_desc("MODEL"), cl::cat(category)),
      shapes("shape",
             cl::desc("Shape of a model input; repeatable, source models only"),
             cl::value_desc("NAME=1x3x224x224|NAME=scalar"), cl::cat(category)),
      dims("dim",
           cl::desc("Value of a symbolic dimension; repeatable, source models "
                    "only"),
           cl::value_desc("NAME=N"), cl::cat(category)),
      inputs("input",
             cl::desc("Value of a model input, from a NumPy file or an ONNX "
                      "TensorProto file, or those of several from one .npz "
                      "archive; repeatable"),
             cl::value_desc("NAME=F.(npy|npz|pb)|F.npz"), cl::cat(category)),
      threads(
          "threads",
          cl::desc("Threads to run on (default 1); 0 for all that this process "
                   "may use"),
          cl::value_desc("N"), cl::init(1), cl::cat(category)) {}

ModelRequest ModelFlags::request(bool profile) const {
  ModelRequest request;
  request.path = model;
  request.shapes.assign(shapes.begin(), shapes.end());
  request.dims.assign(dims.begin(), dims.end());
  request.profile = profile;
  return request;
}

Error ModelFlags::check() const {
  if (model.empty())
    return createStringError(emptyModel);
  if (threads > 1024)
    return createStringError("--threads=" + Twine(threads) +
                             ": expected 0 to 1024");
  return Error::success();
}

} // namespace brisk::tools
