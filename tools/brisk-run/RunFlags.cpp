//===- RunFlags.cpp - Flags of brisk-run ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RunFlags.h"

#include <cmath>

using namespace llvm;

namespace brisk::tools {

const char *const RunFlags::help = R"(
MODEL is an .onnx, .onnxtxt or .mlir file, which is compiled first, or a .so
that briskc --emit=shared made. Every input must be given, with the type and the
shape that the model has. F.npz alone gives the value of every input that an
array in it is named like. outputs.json gives the index, name, dtype, shape and
file of every output.
With --samples every input has one more dimension in front, of as many samples
(or that in the place of a first dimension of 1). The model runs on each, and
outputs have the samples in front, too.
--compare prints for each output the signal-to-quantization-noise ratio, the
largest difference and where it is, how many elements are equal, and for scores
of classes (floats in one or two dimensions, or what --class-axis says) how often
the largest is at the same place. The reference is a folder that brisk-run wrote,
one with 0.npy, 1.npy, ..., or F.npz with the outputs by name.
Exit code: 0 done, 1 the model, an input or a flag was refused, with the reason
on stderr and nothing written, or a ratio is lower than --min-sqnr.

EXAMPLES:
  brisk-run resnet.onnx --input x=cat.npy --output-dir out
  brisk-run bert.onnx --shape ids=1x128 --input ids=ids.npy --output-dir out
  brisk-run resnet.so --input x=input_0.pb --output-dir out --output-format pb
  brisk-run resnet_int8.onnx --samples --input x=256_images.npy --compare out --min-sqnr 30
)";

RunFlags::RunFlags(cl::OptionCategory &category)
    : outputDir("output-dir", cl::value_desc("D"), cl::cat(category),
                cl::desc("Directory for D/0.npy, D/1.npy, ... and "
                         "D/outputs.json; made if there is none")),
      format("output-format", cl::desc("Format of the outputs (default npy)"),
             cl::values(clEnumValN(OutputFormat::Npy, "npy", "NumPy arrays"),
                        clEnumValN(OutputFormat::Pb, "pb", "ONNX TensorProto")),
             cl::init(OutputFormat::Npy), cl::cat(category)),
      samples("samples", cl::cat(category),
              cl::desc("Run on every sample that the inputs have along a "
                       "dimension in front")),
      compare("compare", cl::value_desc("D|F.npz"), cl::cat(category),
              cl::desc("Print how far the outputs are from a reference")),
      json("json", cl::value_desc("F"), cl::cat(category),
           cl::desc("Write the figures of --compare as JSON")),
      minSqnr("min-sqnr", cl::value_desc("DB"), cl::cat(category),
              cl::desc("Fail if an output of floats has a lower "
                       "signal-to-quantization-noise ratio")),
      classAxis("class-axis", cl::value_desc("N"), cl::cat(category),
                cl::desc("Dimension of every output along which scores of "
                         "classes lie, without that of samples")) {}

Expected<RunOptions> RunFlags::options(const ModelFlags &flags) const {
  if (Error error = flags.check())
    return std::move(error);
  if (outputDir.empty() && compare.empty())
    return createStringError(
        "nothing to do with the outputs; give --output-dir or "
        "--compare");
  for (const cl::Option *flag : {static_cast<const cl::Option *>(&json),
                                 static_cast<const cl::Option *>(&minSqnr),
                                 static_cast<const cl::Option *>(&classAxis)})
    if (flag->getNumOccurrences() && compare.empty())
      return createStringError("--" + flag->ArgStr + " goes with --compare");
  if (!std::isfinite(minSqnr))
    return createStringError("--min-sqnr: expected a number of dB");
  RunOptions options;
  options.model = flags.request();
  options.inputs.assign(flags.inputs.begin(), flags.inputs.end());
  options.samples = samples;
  options.threads = flags.threads;
  options.outputDir = outputDir;
  options.format = format;
  options.reference = compare;
  options.json = json;
  if (minSqnr.getNumOccurrences())
    options.minSqnr = minSqnr;
  if (classAxis.getNumOccurrences())
    options.classAxis = classAxis;
  return options;
}

} // namespace brisk::tools
