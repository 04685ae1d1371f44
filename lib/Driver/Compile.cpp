//===- Compile.cpp - The compiler as a function ---------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Driver/Compile.h"
#include "Addresses.h"
#include "Budgets.h"
#include "Compression.h"
#include "Diagnostics.h"
#include "OutputNames.h"
#include "Package.h"
#include "Provenance.h"
#include "Report.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Driver/Registration.h"
#include "brisk/Driver/ShapeFlags.h"
#include "brisk/Driver/Version.h"
#include "brisk/Export/Export.h"
#include "brisk/Import/Import.h"
#include "brisk/Import/ModelName.h"
#include "brisk/Pipelines.h"
#include "brisk/System/InputFile.h"
#include "brisk/System/OutputFiles.h"
#include "brisk/System/Text.h"
#include "brisk/Target/Emission.h"
#include "brisk/Target/ModuleTarget.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace brisk;

namespace {
/// One compilation.
class Compilation {
public:
  explicit Compilation(const CompileOptions &options)
      : options(options), names(nameOutputs(options)), report(options.progress),
        context(makeRegistry(), MLIRContext::Threading::ENABLED),
        diagnostics(sources, context, options.input,
                    [this] {
                      explained = true;
                      report.end();
                    }),
        budgets(options) {}

  LogicalResult run();

private:
  static const DialectRegistry &makeRegistry() {
    static const DialectRegistry registry = [] {
      DialectRegistry result;
      registerAll(result);
      return result;
    }();
    return registry;
  }

  LogicalResult fail(const Twine &message) {
    report.end();
    llvm::errs() << printable(options.input) << ": error: " << message << '\n';
    return failure();
  }
  LogicalResult fail(llvm::Error error) {
    return fail(llvm::toString(std::move(error)));
  }

  /// Writes one of the outputs.
  LogicalResult write(StringRef path, function_ref<void(raw_ostream &)> print) {
    llvm::Error error = output.print(path, print);
    return error ? fail(std::move(error)) : success();
  }

  LogicalResult checkPaths();
  LogicalResult checkOverlap();
  LogicalResult load();
  LogicalResult rename();
  LogicalResult fixTarget();
  LogicalResult runStage(const Stage &stage);
  LogicalResult compress();
  LogicalResult runStages();
  LogicalResult inspect(StringRef stage);
  bool isLast(StringRef stage) const;
  bool emitsOnnx() const {
    return options.emit == Emit::Onnx && options.stopAfter.empty();
  }
  LogicalResult writeResult();
  LogicalResult printModule();
  LogicalResult writeOnnx();
  LogicalResult describe();
  LogicalResult package();
  LogicalResult writeReport(const PackageSizes *sizes);

  const CompileOptions &options;
  const Target *target = nullptr;
  const OutputNames names;
  Report report;
  bool explained = false; // an error was printed
  bool stopped = false;   // the module is printed as it is
  MLIRContext context;
  llvm::SourceMgr sources;
  DiagnosticPrinter diagnostics;
  OwningOpRef<ModuleOp> module;
  ModelInfo model;
  /// Files that the model consists of.
  std::vector<std::string> inputs;
  SourceHash sourceHash;
  OutputFiles output;
  Budgets budgets;
};
} // namespace

/// Finds out before the work what cannot be read or written after it.
LogicalResult Compilation::checkPaths() {
  if (llvm::Error error = checkRegularFile(options.input))
    return fail("cannot read the model: " + llvm::toString(std::move(error)));
  inputs.push_back(options.input);
  for (const std::string &path : {options.pre, options.post})
    if (!path.empty())
      inputs.push_back(path);
  for (StringRef path : {StringRef(names.artifact), StringRef(names.header),
                         StringRef(options.report), StringRef(options.depfile)})
    if (!path.empty())
      if (llvm::Error error = output.check(path))
        return fail(std::move(error));
  return checkOverlap();
}

/// Finds outputs that would replace what the model is read from.
LogicalResult Compilation::checkOverlap() {
  for (StringRef path : {StringRef(names.artifact), StringRef(names.header),
                         StringRef(options.report), StringRef(options.depfile)})
    for (StringRef input : inputs)
      if (llvm::sys::fs::equivalent(path, input))
        return fail("'" + input +
                    "' belongs to the model and is also an "
                    "output; give another path");
  return success();
}

LogicalResult Compilation::load() {
  if (StringRef(options.input).ends_with(".mlir")) {
    module = parseSourceFile<ModuleOp>(options.input, sources, &context);
    return module ? rename() : failure();
  }
  ImportOptions import;
  import.name = names.model;
  import.onRead = [&](StringRef path) { inputs.push_back(path.str()); };
  import.shapes = options.shapes;
  import.dims = options.dims;
  module = importModel(options.input, context, import);
  return success(module && succeeded(checkOverlap()));
}

/// Gives the function of a module that was read the name asked for, or checks
/// the one that it has.
LogicalResult Compilation::rename() {
  auto functions = llvm::to_vector(module->getOps<func::FuncOp>());
  if (options.name.empty()) {
    for (func::FuncOp function : functions)
      if (std::string fault = findNameFault(function.getName());
          function.isPublic() && !fault.empty())
        return fail("function '" + function.getName() + "': " + fault);
    return success();
  }
  auto *named = llvm::find_if(functions, [&](func::FuncOp function) {
    return function.isPublic() && function.getName() == options.name;
  });
  if (named != functions.end())
    return success();
  if (functions.size() != 1)
    return fail("holds kernels, which carry the model's name already; give "
                "--name where the model is imported");
  functions.front().setName(options.name);
  return success();
}

/// Says in the module which machine it is compiled for.
LogicalResult Compilation::fixTarget() {
  // An IR file without ops of the dialect has not loaded it.
  context.loadDialect<BriskDialect>();
  target = setTarget(*module, options.target);
  if (!target)
    return failure();
  std::string fault = findEmitFault(*target, options.emit);
  return fault.empty() ? success() : fail(fault);
}

LogicalResult Compilation::runStage(const Stage &stage) {
  PassManager passes(&context);
  stage.build(passes, {formatShapeFlags(options.shapes),
                       formatDimFlags(options.dims), options.productType,
                       options.pre, options.post, options.profile});
  if (succeeded(passes.run(*module)))
    return success();
  // Patterns that never come to an end say nothing.
  return explained ? failure()
                   : fail("the stage '" + stage.name +
                          "' came to no end, which is a fault of briskc; "
                          "please report it with the model");
}

LogicalResult Compilation::compress() {
  auto files = brisk::compress(
      *module, {options, report, [&] { return runStage(getPreparation()); },
                [&](llvm::Error error) { return fail(std::move(error)); }});
  if (failed(files))
    return failure();
  llvm::append_range(inputs, *files);
  return checkOverlap();
}

LogicalResult Compilation::printModule() {
  report.begin("print");
  // Files can be compiled on; what is shown is to be read.
  OpPrintingFlags flags;
  if (names.artifact == "-")
    flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
  if (failed(write(names.artifact, [&](raw_ostream &os) {
        module->print(os, flags);
        os << '\n';
      })))
    return failure();
  return writeReport(nullptr);
}

/// Writes the model as it came in, and was quantized since.
LogicalResult Compilation::writeOnnx() {
  report.begin("export");
  FailureOr<std::string> file = exportModel(*module, getVersion());
  if (failed(file) ||
      failed(write(names.artifact, [&](raw_ostream &os) { os << *file; })))
    return failure();
  return writeReport(nullptr);
}

/// Completes what the artifacts say of the model.
LogicalResult Compilation::describe() {
  llvm::Expected<std::string> features = listCpuFeatures(*target);
  if (!features)
    return fail(features.takeError());
  llvm::Expected<std::string> hash = sourceHash.get();
  if (!hash)
    return fail(hash.takeError());
  model.cpuFeatures = *features;
  model.compiler = describeCompiler();
  model.sourceSha256 = *hash;
  model.flags = validUtf8(describeFlags(options, target->name));
  return success();
}

LogicalResult Compilation::package() {
  report.begin("package");
  if (failed(describe()))
    return failure();
  Packager packager(*module, model, *target);
  if (options.emit == Emit::Llvm || options.emit == Emit::Asm) {
    llvm::SmallVector<char, 0> text;
    llvm::raw_svector_ostream os(text);
    if (llvm::Error error = packager.writeText(options.emit, os))
      return fail(std::move(error));
    if (failed(write(names.artifact, [&](raw_ostream &file) {
          file << StringRef(text.data(), text.size());
        })))
      return failure();
    return writeReport(nullptr);
  }

  llvm::Expected<ScratchFolder> folder = ScratchFolder::create();
  if (!folder)
    return fail(folder.takeError());
  bool withGetter = options.emit == Emit::Shared || options.emit == Emit::Exe;
  if (llvm::Error error = packager.compile(*folder, withGetter))
    return fail(std::move(error));
  if (llvm::Error error = packager.checkSymbols())
    return fail(std::move(error));
  llvm::Expected<PackageSizes> sizes = packager.measure();
  if (!sizes)
    return fail(sizes.takeError());
  report.end();
  if (failed(budgets.check(model, &*sizes, /*codeFollows=*/false)))
    return failure();
  auto pack = [&]() -> llvm::Error {
    if (options.emit == Emit::Lib)
      return output.write(names.artifact, [&](raw_ostream &os) {
        return packager.writeArchive(os);
      });
    return output.make(names.artifact, [&](const std::string &path) {
      return packager.link(options.emit, path,
                           llvm::sys::path::filename(names.artifact), *folder);
    });
  };
  if (llvm::Error error = pack())
    return fail(std::move(error));
  if (!names.header.empty() && failed(write(names.header, [&](raw_ostream &os) {
        writeHeader(model, sizes->stackBytes, os);
      })))
    return failure();
  return writeReport(&*sizes);
}

LogicalResult Compilation::writeReport(const PackageSizes *sizes) {
  report.end();
  if (options.report.empty())
    return success();
  return write(options.report, [&](raw_ostream &os) {
    os << llvm::formatv("{0:2}", report.toJson(model, sizes)) << '\n';
  });
}

/// True for the stage after which the module is printed.
bool Compilation::isLast(StringRef stage) const {
  return options.stopAfter == stage ||
         (options.emit == Emit::Import && stage == "import") ||
         (options.emit == Emit::Onnx && stage == "shapes") ||
         (options.emit == Emit::Graph && stage == "graph") ||
         (options.emit == Emit::Plan && stage == "plan") ||
         (options.emit == Emit::Kernels && stage == "kernels");
}

/// Runs the stages of passes, up to the last that is asked for.
LogicalResult Compilation::runStages() {
  for (const Stage &stage : getStages()) {
    stopped = isLast(stage.name);
    if (stage.build) {
      report.begin(stage.name);
      if (failed(runStage(stage)) || failed(inspect(stage.name)))
        return failure();
    }
    if (stopped)
      break;
  }
  return success();
}

/// Goes on from what a stage made of the module.
LogicalResult Compilation::inspect(StringRef stage) {
  if (stage == "shapes") {
    diagnostics.acceptModel();
    return stopped && !emitsOnnx() ? success() : compress();
  }
  if (stage == "plan")
    budgets.readPlan(*module);
  if (stage != "kernels")
    return success();
  report.end();
  model = readModelInfo(*module, *target, options.profile);
  bool codeFollows = !stopped && options.emit >= Emit::Obj;
  if (llvm::Error error = checkAddresses(model, *target, options.input))
    return fail(std::move(error));
  return budgets.check(model, nullptr, codeFollows);
}

LogicalResult Compilation::writeResult() {
  if (emitsOnnx())
    return writeOnnx();
  return stopped ? printModule() : package();
}

LogicalResult Compilation::run() {
  if (failed(checkPaths()))
    return failure();
  report.begin("import");
  if (failed(load()) || failed(fixTarget()))
    return failure();
  if (options.emit > Emit::Kernels && options.stopAfter.empty() &&
      !emitsOnnx()) {
    llvm::sort(inputs.begin() + 1, inputs.end());
    sourceHash.start(inputs);
  }
  if (failed(runStages()) || failed(writeResult()))
    return failure();
  if (!options.depfile.empty() &&
      failed(write(options.depfile,
                   [&](raw_ostream &os) { writeDepfile(names, inputs, os); })))
    return failure();
  if (llvm::Error error = output.commit())
    return fail(std::move(error));
  return success();
}

LogicalResult brisk::compile(const CompileOptions &options) {
  return Compilation(options).run();
}
