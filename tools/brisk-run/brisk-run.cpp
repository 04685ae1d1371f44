//===- brisk-run.cpp - Run a model once on files --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ModelFlags.h"
#include "RunOnce.h"

using namespace llvm;
using namespace brisk::tools;

int main(int argc, char **argv) {
  Tool tool(argc, argv);
  cl::OptionCategory category("brisk-run options");
  ModelFlags flags(category);
  TextFlag outputDir(
      "output-dir", cl::Required, cl::value_desc("D"), cl::cat(category),
      cl::desc("Directory for D/0.npy, D/1.npy, ... and D/outputs.json; made "
               "if there is none"));
  ChoiceFlag<OutputFormat> format(
      "output-format", cl::desc("Format of the outputs (default npy)"),
      cl::values(clEnumValN(OutputFormat::Npy, "npy", "NumPy arrays"),
                 clEnumValN(OutputFormat::Pb, "pb", "ONNX TensorProto")),
      cl::init(OutputFormat::Npy), cl::cat(category));
  cl::extrahelp examples(R"(
MODEL is an .onnx, .onnxtxt or .mlir file, which is compiled first, or a .so
that briskc --emit=shared made. Every input must be given, with the type and the
shape that the model has. outputs.json gives the index, name, dtype, shape and
file of every output. Exit code: 0 done, 1 the model, an input or a flag was
refused, with the reason on stderr and nothing written.

EXAMPLES:
  brisk-run resnet.onnx --input x=cat.npy --output-dir out
  brisk-run bert.onnx --shape ids=1x128 --input ids=ids.npy --output-dir out
  brisk-run resnet.so --input x=input_0.pb --output-dir out --output-format pb
)");
  tool.parseCommandLine(category, "Runs a model once.\n");
  if (Error error = flags.check())
    return exitCode(std::move(error), "brisk-run");
  RunOptions options;
  options.model = flags.request();
  options.inputs.assign(flags.inputs.begin(), flags.inputs.end());
  options.threads = flags.threads;
  options.outputDir = outputDir;
  options.format = format;
  return exitCode(runOnce(options), "brisk-run");
}
