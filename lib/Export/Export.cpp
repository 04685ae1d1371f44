//===- Export.cpp - The dialect to ONNX -----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Export/Export.h"
#include "GraphExporter.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnxexport;

// The first that has quantization in blocks and of 16-bit integers.
static constexpr int64_t opset = 21, irVersion = 10;

/// Puts the parts of attention in its place, which older opsets have.
static void decomposeAttention(func::FuncOp function) {
  SmallVector<AttentionOp> ops;
  function.walk([&](AttentionOp op) { ops.push_back(op); });
  for (AttentionOp op : ops) {
    OpBuilder builder(op);
    op->replaceAllUsesWith(op.decompose(builder));
    op->erase();
  }
}

FailureOr<std::string> brisk::exportModel(ModuleOp module,
                                          StringRef producerVersion) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  if (functions.size() != 1 || functions.front().isDeclaration() ||
      !functions.front().getBody().hasOneBlock())
    return module.emitError("has ")
           << functions.size()
           << " functions; expected one, of a single block, to write as ONNX";
  func::FuncOp function = functions.front();
  decomposeAttention(function);
  onnx::ModelProto model;
  model.set_ir_version(irVersion);
  model.set_producer_name("brisk");
  model.set_producer_version(producerVersion.str());
  onnx::OperatorSetIdProto &imported = *model.add_opset_import();
  imported.set_domain("");
  imported.set_version(opset);
  GraphExporter exporter(*model.mutable_graph(), module.getContext());
  exporter.exportFunction(function);
  if (auto refusals = exporter.getRefusals(); !refusals.empty()) {
    InFlightDiagnostic diagnostic = module.emitError("model has ")
                                    << refusals.size()
                                    << (refusals.size() == 1 ? " op" : " ops")
                                    << " that cannot be written as ONNX";
    for (const GraphExporter::Refusal &refusal : refusals)
      diagnostic.attachNote(refusal.loc) << refusal.reason;
    return diagnostic;
  }
  std::string text;
  if (!model.SerializeToString(&text))
    return module.emitError("is larger than an .onnx file can be, 2 GiB");
  return text;
}
