//===- Compile.cpp - The compiler as a function --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Driver/Compile.h"
#include "Diagnostics.h"
#include "Package.h"
#include "Report.h"
#include "StagedOutput.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Driver/Registration.h"
#include "brisk/Import/Import.h"
#include "brisk/Pipelines.h"
#include "brisk/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
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
      : options(options), report(options.progress),
        context(makeRegistry(), MLIRContext::Threading::ENABLED),
        diagnostics(sources, context, options.input, [this] {
          explained = true;
          report.end();
        }) {}

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
    llvm::errs() << options.input << ": error: " << message << '\n';
    return failure();
  }
  LogicalResult fail(llvm::Error error) {
    return fail(llvm::toString(std::move(error)));
  }

  LogicalResult checkOptions();
  LogicalResult load();
  LogicalResult rename();
  LogicalResult runStage(const Stage &stage);
  LogicalResult printModule();
  LogicalResult checkBudgets(const PackageSizes *sizes);
  LogicalResult package();
  LogicalResult writeReport(const PackageSizes *sizes);

  const CompileOptions &options;
  const Target *target = nullptr;
  Report report;
  bool explained = false; // an error was printed
  MLIRContext context;
  llvm::SourceMgr sources;
  DiagnosticPrinter diagnostics;
  OwningOpRef<ModuleOp> module;
  ModelInfo model;
  StagedOutput output;
};
} // namespace

/// True for what C takes as an identifier.
static bool isIdentifier(StringRef text) {
  return !text.empty() && !llvm::isDigit(text.front()) &&
         llvm::all_of(text,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

LogicalResult Compilation::checkOptions() {
  target = findTarget(options.target);
  if (!target) {
    auto names = llvm::map_range(
        getTargets(), [](const Target *known) { return known->getName(); });
    return fail("unknown target '" + options.target + "'; known are " +
                llvm::join(names, ", "));
  }
  const CodegenInfo info = target->getCodegenInfo();
  if (!info.hosted &&
      (options.emit == Emit::Shared || options.emit == Emit::Exe))
    return fail("target '" + options.target +
                "' has no operating system to load programs; emit lib or obj");
  if (!options.stopAfter.empty()) {
    auto names = llvm::map_range(getStages(),
                                 [](const Stage &stage) { return stage.name; });
    if (!llvm::is_contained(names, options.stopAfter))
      return fail("unknown stage '" + options.stopAfter + "'; known are " +
                  llvm::join(names, ", "));
  }
  if (!options.name.empty() && !isIdentifier(options.name))
    return fail("--name=" + options.name + ": not a C identifier");
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(options.input, status))
    return fail(error == std::errc::no_such_file_or_directory
                    ? "no such file"
                    : error.message());
  switch (status.type()) {
  case llvm::sys::fs::file_type::directory_file:
    return fail("is a directory, not a model");
  case llvm::sys::fs::file_type::character_file:
  case llvm::sys::fs::file_type::block_file:
    return fail("is a device, not a model"); // which may have no end
  default:
    break;
  }
  if (llvm::sys::fs::equivalent(options.input, options.output))
    return fail("is also the output; give another path with -o");
  return success();
}

LogicalResult Compilation::load() {
  if (StringRef(options.input).ends_with(".mlir")) {
    module = parseSourceFile<ModuleOp>(options.input, sources, &context);
    return module ? rename() : failure();
  }
  ImportOptions import;
  import.name = options.name;
  import.shapes = options.shapes;
  import.dims = options.dims;
  module = importModel(options.input, context, import);
  return success(static_cast<bool>(module));
}

/// Gives the function of a module that was read the name asked for, or checks
/// the one that it has.
LogicalResult Compilation::rename() {
  auto functions = llvm::to_vector(module->getOps<func::FuncOp>());
  if (options.name.empty()) {
    for (func::FuncOp function : functions)
      if (!isIdentifier(function.getName()))
        return fail("function '" + function.getName() +
                    "' is named by no C identifier; give one with --name");
    return success();
  }
  auto named = llvm::find_if(functions, [&](func::FuncOp function) {
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

LogicalResult Compilation::runStage(const Stage &stage) {
  PassManager passes(&context);
  StageOptions stageOptions;
  stageOptions.target = options.target;
  stageOptions.profile = options.profile;
  for (const auto &shape : options.shapes) {
    std::string text = (shape.getKey() + "=").str();
    if (shape.getValue().empty())
      text += "scalar";
    for (auto [i, dim] : llvm::enumerate(shape.getValue()))
      text += (i ? "x" : "") + std::to_string(dim);
    stageOptions.shapes.push_back(text);
  }
  for (const auto &dim : options.dims)
    stageOptions.dims.push_back(
        (dim.getKey() + "=" + std::to_string(dim.getValue())).str());
  llvm::sort(stageOptions.shapes);
  llvm::sort(stageOptions.dims);
  stage.build(passes, stageOptions);
  if (succeeded(passes.run(*module)))
    return success();
  // Patterns that never come to an end say nothing.
  return explained ? failure()
                   : fail("the stage '" + stage.name +
                          "' came to no end; this is a fault of briskc");
}

LogicalResult Compilation::printModule() {
  report.begin("print");
  // Files can be compiled on; what is shown is to be read.
  bool shown = options.output == "-" || options.output.empty();
  OpPrintingFlags flags;
  if (shown)
    flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
  auto print = [&](raw_ostream &os) {
    module->print(os, flags);
    os << '\n';
    return llvm::Error::success();
  };
  if (shown) {
    (void)bool(print(llvm::outs()));
    return success();
  }
  if (llvm::Error error = output.write(options.output, print))
    return fail(std::move(error));
  return success();
}

LogicalResult Compilation::checkBudgets(const PackageSizes *sizes) {
  if (options.ramBudget && model.arenaBytes > *options.ramBudget)
    return fail(llvm::formatv("needs {0} bytes of RAM for its arena, over the "
                              "budget of {1} by {2}; use smaller input shapes "
                              "or raise --ram-budget",
                              model.arenaBytes, *options.ramBudget,
                              model.arenaBytes - *options.ramBudget)
                    .str());
  if (options.flashBudget && sizes) {
    uint64_t flash = model.weightsBytes + sizes->codeBytes + sizes->dataBytes;
    if (flash > *options.flashBudget)
      return fail(
          llvm::formatv("needs {0} bytes of flash ({1} weights, {2} code, {3} "
                        "data), over the budget of {4} by {5}; use a smaller "
                        "model or raise --flash-budget",
                        flash, model.weightsBytes, sizes->codeBytes,
                        sizes->dataBytes, *options.flashBudget,
                        flash - *options.flashBudget)
              .str());
  }
  return success();
}

/// Where the archive and the header go for `-o path`.
static std::pair<std::string, std::string> getLibraryPaths(StringRef path,
                                                           StringRef name) {
  llvm::SmallString<128> folder(llvm::sys::path::parent_path(path));
  std::string stem = llvm::sys::path::filename(path).str();
  if (llvm::sys::fs::is_directory(path) || path.ends_with("/")) {
    folder = path;
    stem = name.str();
  }
  if (StringRef(stem).ends_with(".a"))
    stem.resize(stem.size() - 2);
  if (StringRef(stem).starts_with("lib"))
    stem = stem.substr(3);
  llvm::SmallString<128> archive(folder), header(folder);
  llvm::sys::path::append(archive, "lib" + stem + ".a");
  llvm::sys::path::append(header, stem + ".h");
  return {archive.str().str(), header.str().str()};
}

LogicalResult Compilation::package() {
  report.begin("package");
  Packager packager(*module, model, *target);
  if (options.emit == Emit::Llvm || options.emit == Emit::Asm) {
    llvm::SmallVector<char, 0> text;
    llvm::raw_svector_ostream os(text);
    if (llvm::Error error = packager.writeText(options.emit, os))
      return fail(std::move(error));
    auto write = [&](raw_ostream &file) {
      file << StringRef(text.data(), text.size());
      return llvm::Error::success();
    };
    if (options.output == "-" || options.output.empty()) {
      (void)bool(write(llvm::outs()));
      return writeReport(nullptr);
    }
    if (llvm::Error error = output.write(options.output, write))
      return fail(std::move(error));
    return writeReport(nullptr);
  }

  ScratchFolder folder;
  if (llvm::Error error = folder.create())
    return fail(std::move(error));
  bool withGetter = options.emit == Emit::Shared || options.emit == Emit::Exe;
  if (llvm::Error error = packager.compile(folder, withGetter))
    return fail(std::move(error));
  if (llvm::Error error = packager.checkSymbols())
    return fail(std::move(error));
  llvm::Expected<PackageSizes> sizes = packager.measure();
  if (!sizes)
    return fail(sizes.takeError());
  if (failed(checkBudgets(&*sizes)))
    return failure();
  std::string path = options.output, header;
  if (options.emit == Emit::Lib)
    std::tie(path, header) = getLibraryPaths(options.output, model.name);
  auto place = output.reserve(path);
  if (!place)
    return fail(place.takeError());
  if (llvm::Error error = packager.link(options.emit, *place))
    return fail(std::move(error));
  if (!header.empty())
    if (llvm::Error error = output.write(header, [&](raw_ostream &os) {
          writeHeader(model, sizes->stackBytes, os);
          return llvm::Error::success();
        }))
      return fail(std::move(error));
  return writeReport(&*sizes);
}

LogicalResult Compilation::writeReport(const PackageSizes *sizes) {
  report.end();
  if (options.report.empty())
    return success();
  if (llvm::Error error = output.write(options.report, [&](raw_ostream &os) {
        os << llvm::formatv("{0:2}", report.toJson(model, sizes)) << '\n';
        return llvm::Error::success();
      }))
    return fail(std::move(error));
  return success();
}

LogicalResult Compilation::run() {
  if (failed(checkOptions()))
    return failure();
  report.begin("import");
  if (failed(load()))
    return failure();
  auto isLast = [&](StringRef stage) {
    return options.stopAfter == stage ||
           (options.emit == Emit::Import && stage == "import") ||
           (options.emit == Emit::Graph && stage == "graph") ||
           (options.emit == Emit::Plan && stage == "plan") ||
           (options.emit == Emit::Kernels && stage == "kernels");
  };
  bool stopped = isLast("import");
  for (const Stage &stage : getStages()) {
    if (stopped || !stage.build)
      continue;
    report.begin(stage.name);
    if (failed(runStage(stage)))
      return failure();
    if (stage.name == "kernels") {
      report.end();
      model = readModelInfo(*module, *target, options.profile);
      if (failed(checkBudgets(nullptr)))
        return failure();
    }
    stopped = isLast(stage.name);
  }
  if (stopped) {
    if (failed(printModule()) || failed(writeReport(nullptr)))
      return failure();
  } else if (failed(package())) {
    return failure();
  }
  if (llvm::Error error = output.commit())
    return fail(std::move(error));
  return success();
}

LogicalResult brisk::compile(const CompileOptions &options) {
  return Compilation(options).run();
}
