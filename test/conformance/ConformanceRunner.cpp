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
#include "Compare.h"
#include "Isolation.h"
#include "TensorFile.h"

#include "brisk/Driver/Compile.h"
#include "brisk/host.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

using namespace brisk::conformance;
using brisk::tools::dimsOf;
using brisk::tools::Tensor;
using brisk::tools::TensorView;
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

/// A line of the manifest.
struct Case {
  std::string name;
  double rtol, atol;
  int opset, numInputs, numOutputs;
  bool tensors;
};

bool readManifest(std::vector<Case> &cases) {
  std::ifstream stream(dataPath + "/manifest.txt");
  std::string line, kind;
  while (std::getline(stream, line)) {
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream words(line);
    Case c;
    if (!(words >> c.name >> c.rtol >> c.atol >> c.opset >> c.numInputs >>
          c.numOutputs >> kind))
      return false;
    c.tensors = kind == "tensors";
    cases.push_back(std::move(c));
  }
  return !cases.empty();
}

/// The first diagnostic in a log, without where it is and without the paths of
/// this machine.
std::string firstDiagnostic(const std::string &log) {
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

/// Memory for one value of a model, with a fence behind it.
class Buffer {
public:
  Buffer(uint64_t bytes, size_t alignment, char fill)
      : bytes(bytes), data(static_cast<char *>(
                          brisk_aligned_alloc(bytes + fenceBytes, alignment))) {
    std::memset(data, fill, bytes);
    std::memset(data + bytes, fence, fenceBytes);
  }
  Buffer(Buffer &&other) : bytes(other.bytes), data(other.data) {
    other.data = nullptr;
  }
  ~Buffer() { brisk_aligned_free(data); }
  bool fenceHolds() const {
    for (size_t i = 0; i != fenceBytes; ++i)
      if (data[bytes + i] != fence)
        return false;
    return true;
  }
  char *get() const { return data; }

private:
  static constexpr size_t fenceBytes = 256;
  static constexpr char fence = 0x5a;
  uint64_t bytes;
  char *data;
};

Result wrong(std::string detail) { return {Outcome::Wrong, std::move(detail)}; }

/// What one run wrote, by output.
using Outputs = std::vector<std::vector<char>>;

/// Runs the model once into `outputs`; memory holds `fill` before.
std::optional<std::string> runOnce(const brisk_model &model,
                                   const std::vector<Tensor> &inputs, char fill,
                                   Outputs &outputs) {
  std::vector<Buffer> buffers;
  std::vector<const void *> inputPointers;
  std::vector<void *> outputPointers;
  for (const Tensor &input : inputs) {
    Buffer &buffer = buffers.emplace_back(input.data.size(), 64, fill);
    std::memcpy(buffer.get(), input.data.data(), input.data.size());
    inputPointers.push_back(buffer.get());
  }
  for (uint32_t i = 0; i != model.num_outputs; ++i)
    outputPointers.push_back(
        buffers.emplace_back(model.outputs[i].bytes, 64, fill).get());
  Buffer &arena =
      buffers.emplace_back(brisk_memory_bytes(model.memory, 1),
                           std::max(model.memory->alignment, 64u), fill);
  int status = brisk_run(model.call, inputPointers.data(),
                         outputPointers.data(), arena.get(), nullptr);
  if (status != BRISK_OK)
    return std::string("the model returned: ") + brisk_status_text(status);
  for (const Buffer &buffer : buffers)
    if (!buffer.fenceHolds())
      return "the model wrote past the end of its memory";
  for (size_t i = 0; i != inputs.size(); ++i)
    if (std::memcmp(inputPointers[i], inputs[i].data.data(),
                    inputs[i].data.size()))
      return llvm::formatv("the model wrote to its input {0}", i).str();
  outputs.clear();
  for (uint32_t i = 0; i != model.num_outputs; ++i) {
    const char *data = static_cast<const char *>(outputPointers[i]);
    outputs.emplace_back(data, data + model.outputs[i].bytes);
  }
  return std::nullopt;
}

/// The case's tensors with a prefix, which are in the order of the graph's.
llvm::Expected<std::vector<Tensor>> readTensors(const Case &c,
                                                const char *prefix, int count) {
  std::vector<Tensor> tensors;
  for (int i = 0; i != count; ++i) {
    auto tensor = brisk::tools::readTensorFile(
        llvm::formatv("{0}/{1}/{2}_{3}.pb", dataPath, c.name, prefix, i).str());
    if (!tensor)
      return tensor.takeError();
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// True if an output is within the case's limits of what double precision
/// gives, where the case has that.
bool isRightInDouble(const Case &c, uint32_t output, const TensorView &actual) {
  std::string path =
      llvm::formatv("{0}/{1}/double_{2}.pb", dataPath, c.name, output).str();
  if (!fs::exists(path))
    return false;
  auto exact = brisk::tools::readTensorFile(path);
  if (!exact) {
    llvm::consumeError(exact.takeError());
    return false;
  }
  return isNearDouble(
      actual,
      {exact->dtype, exact->dims, {exact->data.data(), exact->data.size()}},
      c.rtol, c.atol);
}

Result runModel(const Case &c, const brisk_model &model) {
  if (!c.tensors)
    return wrong("compiled, but its values are not tensors");
  auto inputs = readTensors(c, "input", c.numInputs);
  if (!inputs)
    return wrong(llvm::toString(inputs.takeError()));
  auto expected = readTensors(c, "output", c.numOutputs);
  if (!expected)
    return wrong(llvm::toString(expected.takeError()));
  if (model.num_inputs != inputs->size() ||
      model.num_outputs != expected->size())
    return wrong(llvm::formatv(
        "has {0} inputs and {1} outputs, expected {2} and {3}",
        model.num_inputs, model.num_outputs, inputs->size(), expected->size()));
  for (uint32_t i = 0; i != model.num_inputs; ++i) {
    const Tensor &input = (*inputs)[i];
    if (model.inputs[i].dtype != input.dtype ||
        dimsOf(model.inputs[i]) != llvm::ArrayRef<int64_t>(input.dims))
      return wrong(
          llvm::formatv("input '{0}' has another type or shape than the data",
                        model.inputs[i].name));
  }
  // Twice, in memory that held something else: nothing may depend on that.
  Outputs first, second;
  if (auto fault = runOnce(model, *inputs, '\xff', first))
    return wrong(*fault);
  for (uint32_t i = 0; i != model.num_outputs; ++i) {
    const brisk_tensor &output = model.outputs[i];
    const Tensor &wanted = (*expected)[i];
    TensorView actual = {output.dtype, dimsOf(output), first[i]};
    TensorView reference = {
        wanted.dtype, wanted.dims, {wanted.data.data(), wanted.data.size()}};
    auto difference = findDifference(actual, reference, c.rtol, c.atol);
    if (difference && !isRightInDouble(c, i, actual))
      return wrong(
          llvm::formatv("output '{0}': {1}", output.name, *difference));
  }
  if (auto fault = runOnce(model, *inputs, '\x3c', second))
    return wrong(*fault);
  if (first != second)
    return wrong("outputs differ between two runs");
  return {Outcome::Pass, ""};
}

Result runCase(const Case &c, const std::string &scratch) {
  brisk::CompileOptions options;
  options.input = dataPath + "/" + c.name + "/model.onnx";
  options.output = scratch + (compileOnly ? "/libmodel.a" : "/model.so");
  options.emit = compileOnly ? brisk::Emit::Lib : brisk::Emit::Shared;
  options.target = target;
  if (llvm::failed(brisk::compile(options))) {
    llvm::errs().flush();
    std::fflush(nullptr);
    std::string reason = firstDiagnostic(scratch + "/log");
    if (reason.empty())
      return wrong("refused without a diagnostic");
    if (fs::exists(options.output))
      return wrong("refused, but the output is there: " + reason);
    return {Outcome::Refused, reason};
  }
  if (compileOnly)
    return {Outcome::Pass, ""};
  char error[512];
  brisk_library *library =
      brisk_library_open(options.output.c_str(), error, sizeof(error));
  if (!library)
    return wrong(std::string("cannot be loaded: ") + error);
  Result result = runModel(c, *brisk_library_model(library));
  brisk_library_close(library);
  return result;
}

/// The kind of a case: the folder that ONNX ships it in, or "node".
std::string kindOf(const std::string &name) {
  size_t slash = name.find('/');
  return slash == std::string::npos ? "node" : name.substr(0, slash);
}

struct Counts {
  unsigned passed = 0, failed = 0, refused = 0;
};

void printCounts(const std::string &kind, const Counts &counts) {
  llvm::outs() << llvm::formatv(
      "{0,-18} {1} passed, {2} failed, {3} refused as expected\n", kind + ':',
      counts.passed, counts.failed, counts.refused);
}

/// Counts of equal reasons, most frequent first.
void printReasons(const std::vector<Result> &results) {
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

} // namespace

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Runs ONNX's backend tests\n");
  auto refuse = [](const std::string &text) {
    llvm::errs() << "error: " << text << '\n';
    return 1;
  };
  std::vector<Case> cases;
  if (!readManifest(cases))
    return refuse(dataPath + "/manifest.txt is missing or damaged; "
                             "run generate.py");
  std::string error;
  auto expectations = readExpectations(expectationsPath, error);
  if (!expectations)
    return refuse(error);
  for (const auto &[name, reason] : *expectations)
    if (llvm::none_of(cases, [&](const Case &c) { return c.name == name; }))
      return refuse(expectationsPath + ": there is no case " + name);
  llvm::Regex pattern(filter);
  if (!filter.empty()) {
    if (!pattern.isValid(error))
      return refuse("--filter: " + error);
    llvm::erase_if(cases,
                   [&](const Case &c) { return !pattern.match(c.name); });
    if (cases.empty())
      return refuse("--filter: no case matches");
  }

  auto [first, step] = llvm::StringRef(shard).split('/');
  size_t offset, stride;
  if (first.getAsInteger(10, offset) || step.getAsInteger(10, stride) ||
      offset >= stride)
    return refuse("--shard=" + shard + ": expected K/N, with K less than N");
  std::vector<Case> chosen;
  for (size_t i = offset; i < cases.size(); i += stride)
    chosen.push_back(std::move(cases[i]));
  cases = std::move(chosen);

  auto start = std::chrono::steady_clock::now();
  std::vector<Result> results(cases.size());
  std::map<std::string, Counts> kinds;
  Counts total;
  unsigned ended = 0, stale = 0;
  Limits limits = {std::max(1u, jobs.getValue()), timeLimit, memoryLimit};
  runIsolated(
      cases.size(), limits,
      [&](size_t i, const std::string &scratch) {
        return runCase(cases[i], scratch);
      },
      [&](size_t i, Result result) {
        const std::string &name = cases[i].name;
        if (update && result.outcome == Outcome::Refused)
          (*expectations)[name] = result.detail;
        else if (update)
          expectations->erase(name);
        auto fault = findFault(*expectations, name, result);
        if (fault)
          llvm::outs() << "FAIL " << name << ": " << *fault << '\n';
        else if (verbose)
          llvm::outs() << outcomeName(result.outcome) << ' ' << name << '\n';
        for (Counts *counts : {&kinds[kindOf(name)], &total})
          (fault                             ? counts->failed
           : result.outcome == Outcome::Pass ? counts->passed
                                             : counts->refused)++;
        stale += !fault && result.outcome == Outcome::Refused &&
                 result.detail != (*expectations)[name];
        results[i] = std::move(result);
        if (++ended % 200 == 0 || ended == cases.size()) {
          std::chrono::duration<double> time =
              std::chrono::steady_clock::now() - start;
          llvm::outs() << llvm::formatv("{0}/{1} cases, {2:f1} s\n", ended,
                                        cases.size(), time.count());
        }
        llvm::outs().flush();
      });
  if (update && !writeExpectations(expectationsPath, *expectations))
    return refuse("cannot write " + expectationsPath);

  printReasons(results);
  if (stale)
    llvm::outs() << llvm::formatv(
        "{0} known refusals have another reason by now; run with --update\n",
        stale);
  for (const auto &[kind, counts] : kinds)
    printCounts(kind, counts);
  printCounts("all", total);
  return total.failed ? 1 : 0;
}
