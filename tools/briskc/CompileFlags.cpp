//===- CompileFlags.cpp - Flags of briskc ---------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CompileFlags.h"

#include "brisk/Driver/ShapeFlags.h"
#include "brisk/Import/ModelName.h"
#include "brisk/Pipelines.h"
#include "brisk/System/Progress.h"
#include "brisk/System/Text.h"
#include "brisk/Target/Target.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"

#include <cmath>

using namespace llvm;

namespace brisk::tools {

/// What --help says beyond the flags.
static const char *makeHelp() {
  static const std::string text = [] {
    std::string result;
    raw_string_ostream os(result);
    os << "\nTARGETS:\n";
    for (const Target *target : getTargets())
      os << format("  %-12s", target->name.c_str()) << target->description
         << '\n';
    os << "\nSTAGES, in order:\n";
    for (const Stage &stage : getStages())
      os << format("  %-12s", stage.name.str().c_str()) << stage.description
         << '\n';
    os << R"(
MODEL is an .onnx or .onnxtxt file, or .mlir of the brisk dialect. With
--emit=lib, PATH names the archive (libX.a or X.a, with its header X.h beside
it) or a folder for both. Outputs appear whole or not at all; "-" is standard
output. Sizes are numbers of bytes, or like 64K, 64KB, 64KiB (65536), 0.5M and
1G. Exit code: 0 done, 1 the model or a flag was refused, with the reason on
stderr.

EXAMPLES:
  briskc mobilenet_v2.onnx -o libmobilenet_v2.a
  briskc bert.onnx -o bert.so --emit=shared --dim batch=1 --dim seq=128
  briskc kws.onnx -o libkws.a --target=cortex-m4 --ram-budget 64K --flash-budget 512K
  briskc resnet.onnx --emit=plan -o -
)";
    return result;
  }();
  return text.c_str();
}

CompileFlags::CompileFlags(cl::OptionCategory &category)
    : model(cl::Positional, cl::Required, cl::desc("MODEL"),
            cl::value_desc("MODEL"), cl::cat(category)),
      output("o", cl::desc("Where to write; - for standard output (text only)"),
             cl::value_desc("PATH"), cl::Required, cl::cat(category)),
      header("header",
             cl::desc("Where to write the C header (default: beside a library, "
                      "else nowhere)"),
             cl::value_desc("FILE.h"), cl::cat(category)),
      target("target",
             cl::desc("Machine to compile for (default: that which an "
                      ".mlir file names, else host)"),
             cl::value_desc("NAME"), cl::cat(category)),
      name("name",
           cl::desc("C identifier that prefixes the model's symbols (default: "
                    "from the library's name, else from the model's file)"),
           cl::value_desc("IDENT"), cl::cat(category)),
      stopAfter("stop-after",
                cl::desc("Stop after this stage and write the IR as text"),
                cl::value_desc("STAGE"), cl::cat(category)),
      report("report",
             cl::desc("Write where time, memory and bytes went, as JSON"),
             cl::value_desc("FILE.json"), cl::cat(category)),
      depfile("depfile",
              cl::desc("Write a rule of make that names the files read"),
              cl::value_desc("FILE.d"), cl::cat(category)),
      prune("prune",
            cl::desc("Make weights of a trained model zero, as many as "
                     "--min-sqnr (default 30) or --max-drop permit, by "
                     "--calibration: whole channels, which go; two of every "
                     "four; or a part of each layer's, like 0.8"),
            cl::value_desc("channels|2:4|FRACTION"), cl::cat(category)),
      quantize(
          "quantize",
          cl::desc("Compute a trained model of floats by smaller numbers"),
          cl::init(Quantize::Off),
          cl::values(
              clEnumValN(Quantize::Int8, "int8", "bytes, by --calibration"),
              clEnumValN(Quantize::Dynamic, "dynamic",
                         "matrix products of bytes, by ranges found in each "
                         "run"),
              clEnumValN(Quantize::BF16, "bf16",
                         "products of bf16 that are summed up in f32; "
                         "weights alone where the target has no "
                         "instruction for them"),
              clEnumValN(Quantize::F16, "f16", "the same of f16"),
              clEnumValN(Quantize::Weights8, "weights8",
                         "floats, but weights of matrix products are "
                         "bytes"),
              clEnumValN(Quantize::Weights4, "weights4",
                         "the same with integers of 4 bits, in blocks "
                         "of 32")),
          cl::cat(category)),
      calibration("calibration",
                  cl::desc("Samples of the inputs for --quantize=int8 and "
                           "--prune: an .npz file of arrays with an axis of "
                           "samples in front, "
                           "or a folder of .npz files, one a sample"),
                  cl::value_desc("FILE|DIR"), cl::cat(category)),
      calibrator(
          "calibrator",
          cl::desc(
              "How ranges of values are found (default: mse or minmax, for "
              "each value whichever changes the outputs less)"),
          cl::init(Calibrator::Mse),
          cl::values(clEnumValN(Calibrator::MinMax, getName(Calibrator::MinMax),
                                "all values"),
                     clEnumValN(Calibrator::Percentile,
                                getName(Calibrator::Percentile),
                                "all but 0.01 % of the outermost"),
                     clEnumValN(Calibrator::Entropy,
                                getName(Calibrator::Entropy),
                                "where least information is lost"),
                     clEnumValN(Calibrator::Mse, getName(Calibrator::Mse),
                                "where squares of errors are least")),
          cl::cat(category)),
      mixedPrecision(
          "mixed-precision",
          cl::desc("Which layers --quantize=int8 leaves in f32 (default auto)"),
          cl::init(MixedPrecision::Auto),
          cl::values(
              clEnumValN(MixedPrecision::Auto, "auto",
                         "those that cost much accuracy, up to half of "
                         "the multiply-adds, and those that int8 makes no "
                         "faster"),
              clEnumValN(MixedPrecision::Off, "off", "none that can be int8")),
          cl::cat(category)),
      minSqnr("min-sqnr",
              cl::desc("Leave as many layers in f32, or unpruned, as it takes "
                       "for every output to have this signal-to-noise ratio"),
              cl::value_desc("DB"), cl::cat(category)),
      maxDrop(
          "max-drop",
          cl::desc("Instead: leave as many layers as they are as it takes for "
                   "no more than this part of the samples to be classified "
                   "wrong that is right in f32; goes with --labels"),
          cl::value_desc("PERCENT"), cl::cat(category)),
      labels("labels",
             cl::desc("The class of each sample, integers in one dimension"),
             cl::value_desc("FILE.npy"), cl::cat(category)),
      emit("emit", cl::desc("What to write (default lib)"), cl::init(Emit::Lib),
           cl::values(
               clEnumValN(Emit::Import, "import", "the imported model, as IR"),
               clEnumValN(Emit::Graph, "graph", "IR after the graph stage"),
               clEnumValN(Emit::Plan, "plan", "IR with kernels and memory"),
               clEnumValN(Emit::Kernels, "kernels", "IR of the kernels' loops"),
               clEnumValN(Emit::Llvm, "llvm", "LLVM IR, optimised"),
               clEnumValN(Emit::Asm, "asm", "assembly"),
               clEnumValN(Emit::Obj, "obj", "one object"),
               clEnumValN(Emit::Lib, "lib", "static library and C header"),
               clEnumValN(Emit::Shared, "shared", "shared library"),
               clEnumValN(Emit::Exe, "exe", "program that benchmarks itself"),
               clEnumValN(Emit::Onnx, "onnx",
                          "the model as ONNX, quantized "
                          "values as Q/DQ nodes")),
           cl::cat(category)),
      shapes("shape", cl::desc("Shape of a model input; repeatable"),
             cl::value_desc("NAME=1x3x224x224|NAME=scalar"), cl::cat(category)),
      dims("dim", cl::desc("Value of a symbolic dimension; repeatable"),
           cl::value_desc("NAME=N"), cl::cat(category)),
      pre("pre",
          cl::desc("What becomes of the inputs before the model takes them"),
          cl::value_desc("FILE.yaml"), cl::cat(category)),
      post("post", cl::desc("What becomes of the model's outputs"),
           cl::value_desc("FILE.yaml"), cl::cat(category)),
      profile("profile", cl::desc("Write trace records at run time"),
              cl::cat(category)),
      quiet("quiet", cl::desc("Show no progress"), cl::cat(category)),
      ramBudget("ram-budget",
                cl::desc("Fail if arena, inputs, outputs and stack are larger"),
                cl::value_desc("BYTES"), cl::cat(category)),
      flashBudget("flash-budget",
                  cl::desc("Fail if weights, code and data are larger"),
                  cl::value_desc("BYTES"), cl::cat(category)),
      help(makeHelp()) {}

/// The size that a flag gives: a number with an optional unit. Nothing if the
/// flag is not given.
static Expected<std::optional<uint64_t>> parseSize(const TextFlag &flag) {
  if (flag.empty())
    return std::nullopt;
  StringRef text = flag, number = text;
  // K, KB and KiB are the same, as linker scripts have it.
  bool isBytes = number.consume_back_insensitive("b");
  bool isBinary = isBytes && number.consume_back_insensitive("i");
  unsigned shift = number.consume_back_insensitive("k")   ? 10
                   : number.consume_back_insensitive("m") ? 20
                   : number.consume_back_insensitive("g") ? 30
                                                          : 0;
  auto [whole, fraction] = number.split('.');
  uint64_t value = 0, part = 0, tenths = 1;
  bool good = !whole.getAsInteger(10, value) &&
              value <= (UINT64_MAX >> shift) && (shift || !isBinary);
  if (number.contains('.')) {
    good &= shift && fraction.size() <= 9 && !fraction.getAsInteger(10, part);
    for (size_t i = 0; i < fraction.size(); ++i)
      tenths *= 10;
  }
  if (!good || !all_of(whole, isDigit) || !all_of(fraction, isDigit))
    return createStringError("--" + flag.ArgStr + "=" + text +
                             ": expected a number of bytes, like 65536, 64K, "
                             "64KB, 0.5M or 1G");
  return (value << shift) + (part << shift) / tenths;
}

/// An error for flags that are wrong whatever the model is.
Error CompileFlags::check() const {
  auto refuse = [](const cl::Option &flag, StringRef value,
                   const Twine &reason) {
    return createStringError((flag.ArgStr.size() == 1 ? "-" : "--") +
                             flag.ArgStr + "=" + value + ": " + reason);
  };
  if (model.empty())
    return createStringError(emptyModel);
  if (!target.empty()) {
    auto known = findTarget(target);
    if (!known)
      return refuse(target, target, toString(known.takeError()));
    if (std::string fault = findEmitFault(**known, emit); !fault.empty())
      return refuse(target, target, fault);
  }
  if (!stopAfter.empty()) {
    auto names =
        map_range(getStages(), [](const Stage &stage) { return stage.name; });
    if (!is_contained(names, stopAfter))
      return refuse(stopAfter, stopAfter,
                    "there is no such stage; choose from " + join(names, ", "));
  }
  if (std::string fault = findNameFault(name); !name.empty() && !fault.empty())
    return refuse(name, name, fault);
  bool text = emit <= Emit::Asm || !stopAfter.empty();
  if (output == "-" && !text)
    return createStringError("-o -: only text goes to standard output");
  if (emit == Emit::Onnx &&
      (quantize == Quantize::BF16 || quantize == Quantize::F16))
    return refuse(emit, "onnx",
                  "the model is written as it is before its products become "
                  "16-bit floats; leave out --quantize");
  if (!header.empty() && (text || emit == Emit::Onnx))
    return refuse(header, header,
                  "it goes with code to link or load; emit lib, obj, shared or "
                  "exe");
  return Error::success();
}

/// The number that a flag gives; nothing if it is not given.
static Expected<std::optional<double>> parseNumber(const TextFlag &flag,
                                                   StringRef expected) {
  if (flag.empty())
    return std::nullopt;
  double value;
  if (StringRef(flag).getAsDouble(value) || !std::isfinite(value))
    return createStringError("--" + flag.ArgStr + "=" + Twine(flag) +
                             ": expected " + expected);
  return value;
}

Error CompileFlags::resolveQuantization(CompileOptions &options) const {
  if (quantize == Quantize::Int8)
    return resolvePostTraining(options.postTraining.emplace());
  for (const cl::Option *flag :
       std::initializer_list<const cl::Option *>{&calibrator, &mixedPrecision})
    if (flag->getNumOccurrences())
      return createStringError("--" + flag->ArgStr +
                               " goes with --quantize=int8");
  for (const TextFlag *flag : {&calibration, &minSqnr, &maxDrop, &labels})
    if (flag->getNumOccurrences() && prune.empty())
      return createStringError("--" + flag->ArgStr +
                               " goes with --quantize=int8 and --prune");
  options.quantizesDynamically = quantize == Quantize::Dynamic;
  if (quantize == Quantize::BF16)
    options.productType = ProductType::BF16;
  else if (quantize == Quantize::F16)
    options.productType = ProductType::F16;
  else if (quantize == Quantize::Weights8)
    options.weightBits = WeightBits::Eight;
  else if (quantize == Quantize::Weights4)
    options.weightBits = WeightBits::Four;
  return Error::success();
}

Error CompileFlags::resolvePostTraining(PostTrainingOptions &result) const {
  if (calibration.empty())
    return createStringError("--quantize=int8 takes samples of the inputs to "
                             "find ranges by; give --calibration");
  result.calibration = calibration;
  if (calibrator.getNumOccurrences())
    result.calibrator = calibrator;
  result.mixedPrecision = mixedPrecision;
  result.labels = labels;
  return resolveGoal(result.minSqnr, result.maxDrop);
}

Error CompileFlags::resolveGoal(std::optional<double> &leastSqnr,
                                std::optional<double> &mostDrop) const {
  if (Error error = parseNumber(minSqnr, "a number of decibels, like 40")
                        .moveInto(leastSqnr))
    return error;
  if (Error error =
          parseNumber(maxDrop, "a percentage, like 0.5").moveInto(mostDrop))
    return error;
  if (mostDrop && (*mostDrop < 0 || *mostDrop > 100))
    return createStringError("--max-drop=" + Twine(maxDrop) +
                             ": expected a percentage, like 0.5");
  if (mostDrop.has_value() == labels.empty())
    return createStringError("--max-drop and --labels go with each other");
  if (mostDrop && leastSqnr)
    return createStringError("--max-drop and --min-sqnr are two goals; give "
                             "one of them");
  return Error::success();
}

Error CompileFlags::resolvePruning(CompileOptions &options) const {
  if (prune.empty())
    return Error::success();
  PruningOptions &result = options.pruning.emplace();
  if (prune == "2:4") {
    result.pattern = PruningPattern::TwoOfFour;
  } else if (prune != "channels") {
    result.pattern = PruningPattern::Fraction;
    if (StringRef(prune).getAsDouble(result.fraction) ||
        !(result.fraction > 0 && result.fraction < 1))
      return createStringError("--prune=" + Twine(prune) +
                               ": expected channels, 2:4, or a part of the "
                               "weights between 0 and 1, like 0.8");
  }
  if (calibration.empty())
    return createStringError("--prune takes samples of the inputs to see what "
                             "matters; give --calibration");
  result.calibration = calibration;
  result.labels = labels;
  return resolveGoal(result.minSqnr, result.maxDrop);
}

Error CompileFlags::checkStages() const {
  for (const TextFlag *flag : {&pre, &post})
    if (!flag->empty() && emit == Emit::Onnx)
      return createStringError("--" + flag->ArgStr +
                               ": ONNX has no words for these stages; leave it "
                               "out with --emit=onnx");
  return Error::success();
}

Error CompileFlags::resolve(CompileOptions &options) const {
  if (Error error = check())
    return error;
  if (Error error = checkStages())
    return error;
  options.input = model;
  options.output = output;
  options.header = header;
  options.emit = emit;
  options.target = target;
  options.name = name;
  options.stopAfter = stopAfter;
  options.report = report;
  options.depfile = depfile;
  options.pre = pre;
  options.post = post;
  options.profile = profile;
  options.progress = !quiet && sys::Process::StandardErrIsDisplayed();
  if (quiet)
    Progress::silence();
  if (Error error = resolvePruning(options))
    return error;
  if (Error error = resolveQuantization(options))
    return error;
  std::string message;
  for (const std::string &shape : shapes)
    if (!parseShapeFlag(shape, options.shapes, message))
      return createStringError("--shape: " + message);
  for (const std::string &dim : dims)
    if (!parseDimFlag(dim, options.dims, message))
      return createStringError("--dim: " + message);
  if (Error error = parseSize(ramBudget).moveInto(options.ramBudget))
    return error;
  return parseSize(flashBudget).moveInto(options.flashBudget);
}

} // namespace brisk::tools
