//===- CompileFlags.cpp - Flags of briskc ---------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CompileFlags.h"

#include "brisk/Driver/ShapeFlags.h"
#include "brisk/Pipelines.h"
#include "brisk/Target/Target.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace brisk::tools {

/// What --help says beyond the flags.
static const char *makeHelp() {
  static const std::string text = [] {
    std::string result;
    raw_string_ostream os(result);
    os << "\nTARGETS:\n";
    for (const Target *target : getTargets())
      os << format("  %-12s", target->getName().str().c_str())
         << target->getDescription() << '\n';
    os << "\nSTAGES, in order:\n";
    for (const Stage &stage : getStages())
      os << format("  %-12s", stage.name.str().c_str()) << stage.description
         << '\n';
    os << R"(
MODEL is an .onnx or .onnxtxt file, or .mlir of the brisk dialect. With
--emit=lib, PATH names the archive (libX.a, with its header X.h beside it) or a
folder for both. Outputs appear whole or not at all. Sizes take the suffixes K
and M (1024 and 1048576 bytes). Exit code: 0 done, 1 the model or a flag was
refused, with the reason on stderr.

EXAMPLES:
  briskc mobilenet_v2.onnx -o libmobilenet_v2.a
  briskc bert.onnx -o bert.so --emit=shared --dim batch=1 --dim seq=128
  briskc kws.onnx -o kws --target=cortex-m4 --ram-budget 64K --flash-budget 512K
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
      target("target", cl::desc("Machine to compile for (default host)"),
             cl::value_desc("NAME"), cl::init("host"), cl::cat(category)),
      name("name",
           cl::desc("C identifier that prefixes the model's symbols (default: "
                    "from the file's name)"),
           cl::value_desc("IDENT"), cl::cat(category)),
      stopAfter("stop-after",
                cl::desc("Stop after this stage and write the IR as text"),
                cl::value_desc("STAGE"), cl::cat(category)),
      report("report",
             cl::desc("Write where time, memory and bytes went, as JSON"),
             cl::value_desc("FILE.json"), cl::cat(category)),
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
               clEnumValN(Emit::Exe, "exe", "program that benchmarks itself")),
           cl::cat(category)),
      shapes("shape", cl::desc("Shape of a model input; repeatable"),
             cl::value_desc("NAME=1x3x224x224|NAME=scalar"), cl::cat(category)),
      dims("dim", cl::desc("Value of a symbolic dimension; repeatable"),
           cl::value_desc("NAME=N"), cl::cat(category)),
      profile("profile", cl::desc("Write trace records at run time"),
              cl::cat(category)),
      quiet("quiet", cl::desc("Show no progress"), cl::cat(category)),
      ramBudget("ram-budget", cl::desc("Fail if the arena is larger"),
                cl::value_desc("BYTES"), cl::cat(category)),
      flashBudget("flash-budget",
                  cl::desc("Fail if weights, code and data are larger"),
                  cl::value_desc("BYTES"), cl::cat(category)),
      help(makeHelp()) {}

/// Parses a size with an optional suffix K or M.
static Error parseSize(StringRef flag, StringRef text,
                       std::optional<uint64_t> &size) {
  if (text.empty())
    return Error::success();
  uint64_t unit = 1, value;
  StringRef digits = text;
  if (digits.consume_back("K"))
    unit = 1024;
  else if (digits.consume_back("M"))
    unit = 1024 * 1024;
  if (digits.getAsInteger(10, value) || value > UINT64_MAX / unit)
    return createStringError("--%s=%s: expected a number of bytes, like 65536, "
                             "64K or 2M",
                             flag.str().c_str(), text.str().c_str());
  size = value * unit;
  return Error::success();
}

Error CompileFlags::resolve(CompileOptions &options) const {
  options.input = model;
  options.output = output;
  options.emit = emit;
  options.target = target;
  options.name = name;
  options.stopAfter = stopAfter;
  options.report = report;
  options.profile = profile;
  options.progress = !quiet && sys::Process::StandardErrIsDisplayed();
  bool text = emit <= Emit::Asm || !stopAfter.empty();
  if (output == "-" && !text)
    return createStringError("-o -: only text goes to standard output");
  std::string message;
  for (const std::string &shape : shapes)
    if (!parseShapeFlag(shape, options.shapes, message))
      return createStringError("--shape: %s", message.c_str());
  for (const std::string &dim : dims)
    if (!parseDimFlag(dim, options.dims, message))
      return createStringError("--dim: %s", message.c_str());
  if (Error error = parseSize("ram-budget", ramBudget, options.ramBudget))
    return error;
  return parseSize("flash-budget", flashBudget, options.flashBudget);
}

} // namespace brisk::tools
