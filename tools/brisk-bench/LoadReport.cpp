//===- LoadReport.cpp - What brisk-bench tells of load --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoadReport.h"

#include "Statistics.h"
#include "Table.h"
#include "TraceReport.h"
#include "brisk/flow.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace brisk::tools {

/// What counts as idle: caches are others' by then, and clocks slow.
static constexpr uint64_t idleNs = 10000000;

namespace {
/// Some of the times, and what they are.
struct Sample {
  const char *title, *key;
  std::vector<uint64_t> sorted;
};
} // namespace

static std::vector<Sample> takeSamples(const LoadRequest &request,
                                       const LoadResult &result) {
  std::vector<Sample> samples = {{"latency", "latency_ms", {}},
                                 {"of which running", "service_ms", {}},
                                 {"after 10 ms idle", "after_idle_ms", {}},
                                 {"simulated queue", "simulated_ms", {}}};
  for (const RequestRecord &each : result.requests)
    if (each.isAnswered()) {
      samples[0].sorted.push_back(each.getLatency());
      samples[1].sorted.push_back(each.getService());
    }
  for (size_t number : findAfterIdle(result.requests, idleNs))
    samples[2].sorted.push_back(result.requests[number].getLatency());
  if (request.options.arrivals != Arrivals::Closed)
    samples[3].sorted =
        simulateQueue(result.requests, request.options.instances);
  for (Sample &sample : samples)
    llvm::sort(sample.sorted);
  return samples;
}

/// A number as a user writes it: 50, 99.9.
static std::string shortest(double value) {
  std::string text;
  raw_string_ostream(text) << format("%g", value);
  return text;
}

/// The figures of a sample in ms, named.
static std::vector<std::pair<std::string, std::optional<double>>>
getFigures(const LoadRequest &request, ArrayRef<uint64_t> sorted) {
  Summary summary = summarize(sorted);
  std::vector<std::pair<std::string, std::optional<double>>> figures = {
      {"min", summary.min}, {"mean", summary.mean}};
  for (double percent : request.percentiles)
    figures.emplace_back("p" + shortest(percent), percentile(sorted, percent));
  figures.emplace_back("max", summary.max);
  for (auto &[name, figure] : figures)
    if (figure)
      *figure *= 1e-6;
  return figures;
}

void printLoad(raw_ostream &out, const LoadRequest &request,
               const LoadResult &result) {
  const LoadOptions &options = request.options;
  uint64_t answered = result.count(BRISK_OK);
  out << "load      " << getName(options.arrivals);
  if (options.arrivals != Arrivals::Closed)
    out << ", " << shortest(options.rate) << " requests a second";
  if (options.arrivals == Arrivals::Bursts)
    out << ", " << options.burst << " at once";
  out << ", " << options.instances
      << (options.instances == 1 ? " instance" : " instances");
  if (options.arrivals != Arrivals::Closed)
    out << ", " << options.queue << " may wait";
  out << "\nrequests  " << result.requests.size() << ", of which " << answered
      << " answered, " << result.count(flow::Overloaded) << " refused, "
      << result.count(flow::Late) << " late, " << result.countFailed()
      << " failed\nanswers   "
      << formatFixed(static_cast<double>(answered) / result.seconds, 1)
      << " a second\n\ntimes in ms\n";
  std::vector<Sample> samples = takeSamples(request, result);
  std::vector<Table::Column> columns = {{"", Table::Align::Left}, {"n"}};
  for (auto &[name, figure] : getFigures(request, {})) {
    std::string title = name;
    if (title.front() == 'p')
      title.front() = 'P';
    columns.push_back({title});
  }
  Table table(std::move(columns));
  for (const Sample &sample : samples) {
    if (sample.sorted.empty() && &sample != &samples.front())
      continue;
    std::vector<std::string> cells = {sample.title,
                                      std::to_string(sample.sorted.size())};
    for (auto &[name, figure] : getFigures(request, sample.sorted))
      cells.push_back(formatFixed(figure, 4));
    table.addRow(std::move(cells));
  }
  table.print(out);
}

void writeLoad(json::OStream &j, const LoadRequest &request,
               const LoadResult &result) {
  const LoadOptions &options = request.options;
  j.attributeObject("load", [&] {
    j.attribute("arrivals", getName(options.arrivals));
    if (options.arrivals != Arrivals::Closed) {
      writeFigure(j, "rate", options.rate);
      j.attribute("queue", options.queue);
    }
    if (options.arrivals == Arrivals::Bursts)
      j.attribute("burst", options.burst);
    j.attribute("instances", options.instances);
    writeFigure(j, "deadline_ms", options.deadlineMs);
    writeFigure(j, "seconds", result.seconds);
    j.attribute("requests", result.requests.size());
    j.attribute("answered", result.count(BRISK_OK));
    j.attribute("refused", result.count(flow::Overloaded));
    j.attribute("late", result.count(flow::Late));
    j.attribute("failed", result.countFailed());
  });
  for (const Sample &sample : takeSamples(request, result))
    j.attributeObject(sample.key, [&] {
      j.attribute("n", sample.sorted.size());
      for (auto &[name, figure] : getFigures(request, sample.sorted))
        writeFigure(j, name, figure);
    });
}

/// What became of a request, in a word.
static StringRef getOutcome(int code) {
  switch (code) {
  case BRISK_OK:
    return "answered";
  case flow::Overloaded:
    return "refused";
  case flow::Late:
    return "late";
  default:
    return "failed";
  }
}

void writeTimes(raw_ostream &out, const LoadResult &result) {
  out << "intended_us,started_us,finished_us,outcome\n";
  for (const RequestRecord &request : result.requests) {
    auto print = [&](uint64_t ns) {
      if (ns)
        out << formatFixed(static_cast<double>(ns) * 1e-3, 3);
      out << ',';
    };
    out << formatFixed(static_cast<double>(request.intended) * 1e-3, 3) << ',';
    print(request.started);
    print(request.finished);
    out << getOutcome(request.code) << '\n';
  }
}

} // namespace brisk::tools
