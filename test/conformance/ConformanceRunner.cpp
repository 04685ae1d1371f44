//===- ConformanceRunner.cpp - ONNX's backend tests -----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles and runs every case that generate.py wrote (or, for a machine that
// is not this one, only compiles), each in a process of its own, and holds the
// outcomes against the file of known refusals. Any other refusal, a refusal
// that is listed but did not happen, a wrong result, a crash and a hang fail
// the run.
//
//===----------------------------------------------------------------------===//
#include "Case.h"
#include "Isolation.h"

#include "brisk/Driver/Compile.h"
#include "brisk/host.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <tuple>

using namespace brisk::conformance;
namespace cl = llvm::cl;
namespace fs = std::filesystem;

namespace {
cl::OptionCategory category("Conformance options");
cl::opt<std::string> dataPath("data", cl::Required, cl::value_desc("folder"),
                              cl::desc("What generate.py wrote"),
                              cl::cat(category));
cl::opt<std::string> expectationsPath("expectations", cl::Required,
                                      cl::value_desc("file"),
                                      cl::desc("The known refusals"),
                                      cl::cat(category));
cl::opt<bool> update("update",
                     cl::desc("Rewrite the known refusals from this run"),
                     cl::cat(category));
cl::opt<std::string> filter("filter", cl::value_desc("regex"),
                            cl::desc("Run only the cases that match"),
                            cl::cat(category));
cl::opt<std::string> shard("shard", cl::init("0/1"), cl::value_desc("K/N"),
                           cl::desc("Run every N-th case, from the K-th on"),
                           cl::cat(category));
cl::opt<std::string> target("target", cl::init("host"),
                            cl::desc("Target to compile for"),
                            cl::cat(category));
cl::opt<bool> compileOnly("compile-only",
                          cl::desc("Run nothing: for other machines' code"),
                          cl::cat(category));
cl::opt<bool> verbose("v", cl::desc("Print the outcome of every case"),
                      cl::cat(category));
cl::opt<unsigned> jobs("j", cl::init(2), cl::desc("Cases at a time"),
                       cl::cat(category));
cl::opt<unsigned> timeLimit("time-limit", cl::init(60),
                            cl::value_desc("seconds"),
                            cl::desc("Time for one case"), cl::cat(category));
cl::opt<unsigned>
    memoryLimit("memory-limit", cl::init(8192), cl::value_desc("megabytes"),
                cl::desc("Address space for one case; 0: no limit"),
                cl::cat(category));
} // namespace

/// The first diagnostic in a log, without where it is and without the paths of
/// this machine.
static std::string firstDiagnostic(const std::string &log) {
  std::ifstream stream(log);
  std::string line;
  while (std::getline(stream, line)) {
    size_t at = line.find("error: ");
    if (at == std::string::npos)
      continue;
    std::string text = line.substr(at + strlen("error: "));
    for (size_t path; (path = text.find(dataPath)) != std::string::npos;)
      text.erase(path, dataPath.size() + 1);
    return llvm::StringRef(text).trim().str();
  }
  return "";
}

static Result runCase(const Case &c, const std::string &scratch) {
  brisk::CompileOptions options;
  options.input = c.folder + "/model.onnx";
  options.output = scratch + (compileOnly ? "/libmodel.a" : "/model.so");
  options.emit = compileOnly ? brisk::Emit::Lib : brisk::Emit::Shared;
  options.target = target;
  if (llvm::failed(brisk::compile(options))) {
    llvm::errs().flush();
    std::fflush(nullptr);
    std::string reason = firstDiagnostic(scratch + "/log");
    if (reason.empty())
      return {Outcome::Wrong, "refused without a diagnostic"};
    if (fs::exists(options.output))
      return {Outcome::Wrong, "refused, but the output is there: " + reason};
    return {Outcome::Refused, reason};
  }
  if (compileOnly)
    return {Outcome::Pass, ""};
  char error[512];
  brisk_library *library =
      brisk_library_open(options.output.c_str(), error, sizeof(error));
  if (!library)
    return {Outcome::Wrong, std::string("cannot be loaded: ") + error};
  Result result = runModel(c, *brisk_library_model(library));
  brisk_library_close(library);
  return result;
}

/// The kind of a case: the folder that ONNX ships it in, or "node".
static std::string kindOf(const std::string &name) {
  size_t slash = name.find('/');
  return slash == std::string::npos ? "node" : name.substr(0, slash);
}

namespace {
struct Counts {
  unsigned passed = 0, failed = 0, refused = 0;
};
} // namespace

static void printCounts(const std::string &kind, const Counts &counts) {
  llvm::outs() << llvm::formatv(
      "{0,-18} {1} passed, {2} failed, {3} refused as expected\n", kind + ':',
      counts.passed, counts.failed, counts.refused);
}

/// Counts of equal reasons, most frequent first.
static void printReasons(const std::vector<Result> &results) {
  std::map<std::string, unsigned> counts;
  for (const Result &result : results)
    if (result.outcome == Outcome::Refused)
      ++counts[result.detail];
  if (counts.empty())
    return;
  std::vector<std::pair<unsigned, std::string>> rows;
  for (const auto &[reason, count] : counts)
    rows.emplace_back(count, reason);
  llvm::sort(rows, [](auto &a, auto &b) {
    return std::tie(b.first, a.second) < std::tie(a.first, b.second);
  });
  llvm::outs() << "refusals by reason:\n";
  constexpr size_t shown = 40;
  for (size_t i = 0; i != std::min(rows.size(), shown); ++i)
    llvm::outs() << llvm::formatv("{0,6}  {1}\n", rows[i].first,
                                  rows[i].second);
  if (rows.size() > shown)
    llvm::outs() << llvm::formatv("        and {0} more reasons\n",
                                  rows.size() - shown);
}

/// Leaves the cases that --filter and --shard choose.
static bool chooseCases(std::vector<Case> &cases, std::string &error) {
  llvm::Regex pattern(filter);
  if (!filter.empty()) {
    if (!pattern.isValid(error)) {
      error = "--filter: " + error;
      return false;
    }
    llvm::erase_if(cases,
                   [&](const Case &c) { return !pattern.match(c.name); });
    if (cases.empty()) {
      error = "--filter: no case matches";
      return false;
    }
  }
  auto [first, step] = llvm::StringRef(shard).split('/');
  size_t offset, stride;
  if (first.getAsInteger(10, offset) || step.getAsInteger(10, stride) ||
      offset >= stride) {
    error = "--shard=" + shard + ": expected K/N, with K less than N";
    return false;
  }
  std::vector<Case> chosen;
  for (size_t i = offset; i < cases.size(); i += stride)
    chosen.push_back(std::move(cases[i]));
  cases = std::move(chosen);
  return true;
}

namespace {
/// Outcomes as they come, held against what is expected.
class Tally {
public:
  Tally(const std::vector<Case> &cases, Expectations &expectations)
      : cases(cases), expectations(expectations), results(cases.size()) {}

  void add(size_t index, Result result);
  void print() const;
  bool hasFailed() const { return total.failed; }

private:
  const std::vector<Case> &cases;
  Expectations &expectations;
  std::vector<Result> results;
  std::map<std::string, Counts> kinds;
  Counts total;
  unsigned ended = 0, stale = 0;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};
} // namespace

void Tally::add(size_t index, Result result) {
  const std::string &name = cases[index].name;
  bool isRefused = result.outcome == Outcome::Refused;
  if (update && isRefused)
    expectations[name] = result.detail;
  else if (update)
    expectations.erase(name);
  auto fault = findFault(expectations, name, result);
  if (fault)
    llvm::outs() << "FAIL " << name << ": " << *fault << '\n';
  else if (verbose)
    llvm::outs() << outcomeName(result.outcome) << ' ' << name << '\n';
  for (Counts *counts : {&kinds[kindOf(name)], &total})
    (fault                             ? counts->failed
     : result.outcome == Outcome::Pass ? counts->passed
                                       : counts->refused)++;
  stale += !fault && isRefused && result.detail != expectations[name];
  results[index] = std::move(result);
  if (++ended % 200 == 0 || ended == cases.size()) {
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    llvm::outs() << llvm::formatv("{0}/{1} cases, {2:f1} s\n", ended,
                                  cases.size(), time.count());
  }
  llvm::outs().flush();
}

void Tally::print() const {
  printReasons(results);
  if (stale)
    llvm::outs() << llvm::formatv(
        "{0} known refusals have another reason by now; run with --update\n",
        stale);
  for (const auto &[kind, counts] : kinds)
    printCounts(kind, counts);
  printCounts("all", total);
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Runs ONNX's backend tests\n");
  auto refuse = [](const std::string &text) {
    llvm::errs() << "error: " << text << '\n';
    return 1;
  };
  std::vector<Case> cases;
  if (!readManifest(dataPath, cases))
    return refuse(dataPath + "/manifest.txt is missing or damaged; "
                             "run generate.py");
  std::string error;
  auto expectations = readExpectations(expectationsPath, error);
  if (!expectations)
    return refuse(error);
  for (const auto &[name, reason] : *expectations)
    if (llvm::none_of(cases, [&](const Case &c) { return c.name == name; }))
      return refuse(expectationsPath + ": there is no case " + name);
  if (!chooseCases(cases, error))
    return refuse(error);

  Tally tally(cases, *expectations);
  Limits limits = {std::max(1u, jobs.getValue()), timeLimit, memoryLimit};
  runIsolated(
      cases.size(), limits,
      [&](size_t i, const std::string &scratch) {
        return runCase(cases[i], scratch);
      },
      [&](size_t i, Result result) { tally.add(i, std::move(result)); });
  if (update && !writeExpectations(expectationsPath, *expectations))
    return refuse("cannot write " + expectationsPath);

  tally.print();
  return tally.hasFailed() ? 1 : 0;
}
