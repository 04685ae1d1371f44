//===- Report.cpp - What brisk-bench prints and writes --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report.h"

#include "brisk/System/OutputFiles.h"
#include "brisk/System/Text.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"

#include <cmath>

using namespace llvm;

namespace brisk::tools {

namespace {

/// All that there is to tell of runs one after the other.
struct Results {
  const BenchOptions &options;
  const LoadedModel &model;
  unsigned threads;
  uint64_t memoryBytes;
  Measurement measurement;
  Summary latency; ///< in nanoseconds
  std::optional<TraceReport> profile;
};

} // namespace

static std::optional<double> toMs(std::optional<double> ns) {
  return ns ? std::optional<double>(*ns * 1e-6) : std::nullopt;
}

static void printTensor(raw_ostream &out, StringRef what,
                        const brisk_tensor &tensor, const Twine &note) {
  out << left_justify(what, 10) << printable(tensor.name) << "  "
      << brisk_dtype_name(tensor.dtype) << ' '
      << formatShape(execution::dimsOf(tensor)) << note << '\n';
}

static void printConfiguration(raw_ostream &out, const BenchOptions &options,
                               const LoadedModel &model,
                               const execution::Instance &instance) {
  out << "model     " << printable(model->name) << "  ("
      << printable(options.model.path) << ")\n"
      << "target    " << printable(model->target) << '\n'
      << "threads   " << instance.threads() << '\n';
  for (unsigned i = 0; i < model->num_inputs; ++i)
    printTensor(out, "input", model->inputs[i],
                instance.isGiven(i)
                    ? Twine("  from a file")
                    : Twine("  random, seed ") + Twine(options.seed));
  for (const brisk_tensor &output :
       ArrayRef(model->outputs, model->num_outputs))
    printTensor(out, "output", output, "");
  out << formatv("arena     {0:n} bytes\nweights   {1:n} bytes\n",
                 instance.memoryBytes(), model->weights_bytes);
  if (model.compileMs)
    out << "compile   " << formatFixed(model.compileMs, 1) << " ms\n";
  out << "load      " << formatFixed(model.loadMs, 4) << " ms\n";
  out.flush();
}

/// Prints a table of summaries in milliseconds, each under the cells of its
/// row, which `columns` name.
static void
printSummaries(raw_ostream &out, std::vector<Table::Column> columns,
               ArrayRef<std::pair<std::vector<std::string>, Summary>> rows) {
  columns.push_back({"n"});
  for (const char *name : Summary::names) {
    std::string title = name;
    if (title.front() == 'p')
      title.front() = 'P';
    columns.push_back({title});
  }
  Table table(std::move(columns));
  for (const auto &[start, summary] : rows) {
    std::vector<std::string> cells = start;
    cells.push_back(std::to_string(summary.n));
    for (Summary::Figure figure : summary.figures())
      cells.push_back(formatFixed(toMs(figure), 4));
    table.addRow(std::move(cells));
  }
  table.print(out);
}

static void printLatency(raw_ostream &out, const Results &results) {
  const Measurement &measured = results.measurement;
  out << "first     " << formatFixed(measured.firstMs, 4) << " ms\n"
      << "warm-up   " << formatFixed(measured.warmupMs, 1) << " ms, "
      << measured.warmupRuns << " runs\n\nlatency in ms\n";
  printSummaries(out, {}, {{{}, results.latency}});
}

static void printPhases(raw_ostream &out, const TraceReport &profile) {
  std::vector<std::pair<std::vector<std::string>, Summary>> rows;
  for (const TraceReport::PhaseTimes &phase : profile.phases())
    rows.push_back({{phase.name}, phase.ns});
  if (rows.empty())
    return;
  out << "\nphases, latency in ms with the trace hook\n";
  printSummaries(out, {{"phase", Table::Align::Left}}, rows);
}

static void printProfile(raw_ostream &out, const Results &results) {
  const TraceReport &profile = *results.profile;
  printPhases(out, profile);
  out << "\nops in run order, medians\n";
  profile.inRunOrder().print(out);
  out << "\nops by type\n";
  profile.byType().print(out);
  const Measurement &measured = results.measurement;
  out << "\nprofiling costs " << formatFixed(measured.tracingCost(), 2)
      << " %: median " << formatFixed(toMs(median(measured.tracedLatencies)), 4)
      << " ms with the trace hook, "
      << formatFixed(toMs(median(measured.latencies)), 4)
      << " ms without, n = " << measured.latencies.size() << " each\n";
  if (profile.dropped())
    out << profile.dropped()
        << " records did not fit into the trace buffer; the times above lack "
           "them\n";
}

static void writeModel(json::OStream &j, const LoadedModel &model,
                       unsigned threads) {
  j.attribute("model", validUtf8(model->name));
  j.attribute("target", validUtf8(model->target));
  j.attribute("threads", threads);
}

static void writeSummary(json::OStream &j, const Summary &summary) {
  for (auto [name, figure] : zip_equal(Summary::names, summary.figures()))
    writeFigure(j, name, toMs(figure));
}

/// Writes what stages before and after the model took, if there are any.
static void writePhases(json::OStream &j, const TraceReport &profile) {
  std::vector<TraceReport::PhaseTimes> phases = profile.phases();
  if (phases.empty())
    return;
  j.attributeArray("phases", [&] {
    for (const TraceReport::PhaseTimes &phase : phases)
      j.object([&] {
        j.attribute("name", phase.name);
        j.attributeObject("latency_ms", [&] { writeSummary(j, phase.ns); });
      });
  });
}

static void writeJson(raw_ostream &out, const Results &results) {
  const LoadedModel &model = results.model;
  json::OStream j(out, /*IndentSize=*/2);
  j.object([&] {
    writeModel(j, model, results.threads);
    j.attribute("iterations", results.latency.n);
    j.attributeObject("latency_ms", [&] { writeSummary(j, results.latency); });
    if (model.compileMs)
      writeFigure(j, "compile_ms", model.compileMs);
    writeFigure(j, "load_ms", model.loadMs);
    writeFigure(j, "first_ms", results.measurement.firstMs);
    j.attribute("arena_bytes", results.memoryBytes);
    j.attribute("weights_bytes", model->weights_bytes);
    if (results.profile)
      writeFigure(j, "profiling_cost_percent",
                  results.measurement.tracingCost());
    if (results.profile)
      writePhases(j, *results.profile);
    j.attributeArray("ops", [&] {
      if (results.profile)
        results.profile->writeOps(j);
    });
  });
  out << '\n';
}

static void writeCsv(raw_ostream &out, const Results &results) {
  std::vector<Table::Column> columns = {
      {"kind"}, {"name"}, {"type"}, {"kernel"}, {"flops"}, {"bytes"}, {"n"}};
  for (const char *name : Summary::names)
    columns.push_back({std::string(name) + "_ms"});
  Table table(std::move(columns));
  auto addRow = [&](std::vector<std::string> cells, const Summary &summary) {
    cells.push_back(std::to_string(summary.n));
    for (Summary::Figure figure : summary.figures())
      cells.push_back(formatFixed(toMs(figure), 6));
    table.addRow(std::move(cells));
  };
  const LoadedModel &model = results.model;
  addRow({"model", model->name, "", "", "", ""}, results.latency);
  if (results.profile)
    for (const TraceReport::PhaseTimes &phase : results.profile->phases())
      addRow({"phase", phase.name, "", "", "", ""}, phase.ns);
  for (unsigned i = 0; results.profile && i < model->num_ops; ++i) {
    const brisk_op &op = model->ops[i];
    addRow({"op", op.name, op.type, op.kernel, std::to_string(op.flops),
            std::to_string(op.bytes)},
           results.profile->summary(i));
  }
  table.printCsv(out);
}

static Error writeFiles(const Results &results, OutputFiles &files) {
  auto write = [&](const std::string &path, auto print) -> Error {
    return path.empty() ? Error::success() : files.print(path, print);
  };
  const BenchOptions &options = results.options;
  if (Error error = write(options.json,
                          [&](raw_ostream &out) { writeJson(out, results); }))
    return error;
  if (Error error =
          write(options.csv, [&](raw_ostream &out) { writeCsv(out, results); }))
    return error;
  if (Error error = write(options.trace, [&](raw_ostream &out) {
        results.profile->writeChromeTrace(out);
      }))
    return error;
  return files.commit();
}

/// Measures the model under load, prints and writes what there is to tell.
static Error benchmarkLoad(raw_ostream &table, const BenchOptions &options,
                           const LoadedModel &model,
                           execution::Instance &instance, OutputFiles &files) {
  const LoadRequest &request = *options.load;
  auto result =
      runLoad(model.getLibrary(), instance, options.threads, request.options);
  if (!result)
    return result.takeError();
  printLoad(table, request, *result);
  if (Error error = finishStdout())
    return error;
  auto write = [&](const std::string &path, auto print) -> Error {
    return path.empty() ? Error::success() : files.print(path, print);
  };
  if (Error error = write(options.json, [&](raw_ostream &out) {
        json::OStream j(out, /*IndentSize=*/2);
        j.object([&] {
          writeModel(j, model, instance.threads());
          writeLoad(j, request, *result);
        });
        out << '\n';
      }))
    return error;
  if (Error error = write(request.times,
                          [&](raw_ostream &out) { writeTimes(out, *result); }))
    return error;
  return files.commit();
}

Error benchmark(const BenchOptions &options) {
  OutputFiles files;
  // What goes to standard output is alone there.
  raw_ostream *table = &outs();
  for (const std::string &path :
       {options.json, options.csv, options.trace,
        options.load ? options.load->times : std::string()}) {
    if (Error error = path.empty() ? Error::success() : files.check(path))
      return error;
    if (path == "-")
      table = &errs();
  }
  auto model = LoadedModel::open(options.model);
  if (!model)
    return model.takeError();
  auto instance = execution::Instance::create(**model, options.threads);
  if (!instance)
    return instance.takeError();
  if (Error error = instance->readInputs(options.inputs))
    return error;
  instance->fillOtherInputs(options.seed);
  printConfiguration(*table, options, *model, *instance);
  if (options.load)
    return benchmarkLoad(*table, options, *model, *instance, files);
  if (sys::Process::StandardErrIsDisplayed())
    errs() << formatv("measuring for at least {0} s and {1} runs ...\n",
                      options.measure.durationS, options.measure.iterations);

  std::optional<TraceReport> profile;
  if (options.model.profile)
    profile.emplace(**model);
  auto measured = measure(**model, *instance, options.measure,
                          profile ? &*profile : nullptr);
  if (!measured)
    return measured.takeError();
  Results results{options,
                  *model,
                  instance->threads(),
                  instance->memoryBytes(),
                  std::move(*measured),
                  Summary(),
                  std::move(profile)};
  results.latency = summarize(results.measurement.latencies);
  printLatency(*table, results);
  if (results.profile)
    printProfile(*table, results);
  if (Error error = finishStdout())
    return error;
  return writeFiles(results, files);
}

} // namespace brisk::tools
