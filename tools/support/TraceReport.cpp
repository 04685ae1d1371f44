//===- TraceReport.cpp - Where the time of a model goes -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TraceReport.h"

#include "brisk/System/Text.h"
#include "brisk/host.h"
#include "brisk/trace.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <numeric>

using namespace llvm;

namespace brisk::tools {

static constexpr size_t maxRuns = 10000;
static constexpr size_t maxTraces = 8;

void writeFigure(json::OStream &j, StringRef key, std::optional<double> value) {
  std::string text = formatFixed(value, 6);
  j.attributeBegin(key);
  j.rawValue(text.empty() ? "null" : text);
  j.attributeEnd();
}

void TraceReport::addRun(const brisk_trace &trace, uint64_t nanoseconds) {
  droppedRecords += trace.dropped;
  if (times.back().size() >= maxRuns)
    return;
  std::vector<uint64_t> ticks(model.num_ops, 0);
  brisk_trace_sum(&trace, ticks.data(), nullptr, model.num_ops);
  uint64_t inside = std::accumulate(ticks.begin(), ticks.end(), uint64_t(0));
  ticks.push_back(nanoseconds > inside ? nanoseconds - inside : 0);
  for (auto [samples, tick] : zip_equal(times, ticks))
    samples.push_back(tick);
  if (records.size() < maxTraces)
    records.emplace_back(trace.records, trace.records + trace.count);
}

std::vector<double> TraceReport::medians() const {
  std::vector<double> result;
  for (const std::vector<uint64_t> &samples : times)
    result.push_back(median(samples).value_or(0));
  return result;
}

std::vector<TraceReport::PhaseTimes> TraceReport::phases() const {
  ArrayRef<brisk_op> ops(model.ops, model.num_ops);
  if (all_of(ops, [](const brisk_op &op) {
        return op.phase == BRISK_PHASE_INFERENCE;
      }))
    return {};
  size_t runs = times.back().size();
  std::vector<uint64_t> whole = times.back();
  std::vector<PhaseTimes> result;
  for (uint32_t phase :
       {BRISK_PHASE_PRE, BRISK_PHASE_INFERENCE, BRISK_PHASE_POST}) {
    std::vector<uint64_t> sums(runs);
    bool occurs = false;
    for (auto [op, samples] : zip(ops, times)) {
      if (op.phase != phase)
        continue;
      occurs = true;
      for (auto [run, ns] : enumerate(samples)) {
        sums[run] += ns;
        whole[run] += ns;
      }
    }
    if (occurs)
      result.push_back({brisk_phase_name(phase), summarize(sums)});
  }
  result.push_back({"end to end", summarize(whole)});
  return result;
}

/// The columns ms, share, GFLOP/s and GB/s of a row.
static std::vector<std::string> timeCells(double ns, double total,
                                          uint64_t flops, uint64_t bytes) {
  auto rate = [&](uint64_t amount) {
    return amount && ns > 0 ? formatFixed(static_cast<double>(amount) / ns, 2)
                            : std::string();
  };
  return {formatFixed(ns * 1e-6, 4),
          total > 0 ? formatFixed(100 * ns / total, 1) + "%" : "", rate(flops),
          rate(bytes)};
}

Table TraceReport::inRunOrder() const {
  using enum Table::Align;
  Table table({{"#"},
               {"ms"},
               {"share"},
               {"GFLOP/s"},
               {"GB/s"},
               {"type", Left},
               {"kernel", Left},
               {"name", Left}});
  std::vector<double> ns = medians();
  double total = std::accumulate(ns.begin(), ns.end(), 0.0);
  for (unsigned i = 0; i < model.num_ops; ++i) {
    const brisk_op &op = model.ops[i];
    std::vector<std::string> cells = {std::to_string(i)};
    append_range(cells, timeCells(ns[i], total, op.flops, op.bytes));
    cells.insert(cells.end(), {op.type, op.kernel, op.name});
    table.addRow(std::move(cells));
  }
  std::vector<std::string> cells = {""};
  append_range(cells, timeCells(ns.back(), total, 0, 0));
  cells.insert(cells.end(), {"", "", "(outside of ops)"});
  table.addRow(std::move(cells));
  return table;
}

Table TraceReport::byType() const {
  struct Group {
    unsigned count = 0;
    double ns = 0;
    uint64_t flops = 0, bytes = 0;
    SmallVector<StringRef> kernels;
  };
  MapVector<StringRef, Group> groups;
  std::vector<double> ns = medians();
  double total = std::accumulate(ns.begin(), ns.end(), 0.0);
  for (unsigned i = 0; i < model.num_ops; ++i) {
    const brisk_op &op = model.ops[i];
    Group &group = groups[op.type];
    ++group.count;
    group.ns += ns[i];
    group.flops += op.flops;
    group.bytes += op.bytes;
    if (!is_contained(group.kernels, op.kernel))
      group.kernels.push_back(op.kernel);
  }
  auto sorted = groups.takeVector();
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return std::tie(b.second.ns, a.first) < std::tie(a.second.ns, b.first);
  });
  using enum Table::Align;
  Table table({{"ops"},
               {"ms"},
               {"share"},
               {"GFLOP/s"},
               {"GB/s"},
               {"type", Left},
               {"kernels", Left}});
  for (const auto &[type, group] : sorted) {
    std::vector<std::string> cells = {std::to_string(group.count)};
    append_range(cells, timeCells(group.ns, total, group.flops, group.bytes));
    cells.push_back(type.str());
    cells.push_back(join(group.kernels, ", "));
    table.addRow(std::move(cells));
  }
  return table;
}

void TraceReport::writeOps(json::OStream &j) const {
  std::vector<double> ns = medians();
  for (unsigned i = 0; i < model.num_ops; ++i) {
    const brisk_op &op = model.ops[i];
    j.object([&] {
      j.attribute("name", validUtf8(op.name));
      j.attribute("type", validUtf8(op.type));
      j.attribute("kernel", validUtf8(op.kernel));
      j.attribute("phase", brisk_phase_name(op.phase));
      writeFigure(j, "ms", ns[i] * 1e-6);
      j.attribute("flops", op.flops);
      j.attribute("bytes", op.bytes);
    });
  }
}

void TraceReport::writeChromeTrace(raw_ostream &out) const {
  uint64_t origin = UINT64_MAX;
  for (const auto &run : records)
    for (const brisk_record &record : run)
      origin = std::min(origin, record.start);
  json::OStream j(out);
  auto microseconds = [&](StringRef key, uint64_t ns) {
    j.attributeBegin(key);
    j.rawValue(formatFixed(static_cast<double>(ns) * 1e-3, 3));
    j.attributeEnd();
  };
  auto nameEvent = [&](StringRef event, StringRef name) {
    j.object([&] {
      j.attribute("ph", "M");
      j.attribute("pid", 1);
      j.attribute("tid", 1);
      j.attribute("name", event);
      j.attributeObject("args", [&] { j.attribute("name", validUtf8(name)); });
    });
  };
  j.object([&] {
    j.attribute("displayTimeUnit", "ns");
    j.attributeArray("traceEvents", [&] {
      nameEvent("process_name", model.name);
      nameEvent("thread_name", "run");
      for (const auto &[index, run] : enumerate(records))
        for (const brisk_record &record : run) {
          if (record.op >= model.num_ops)
            continue;
          const brisk_op &op = model.ops[record.op];
          j.object([&] {
            j.attribute("ph", "X");
            j.attribute("pid", 1);
            j.attribute("tid", 1);
            j.attribute("name", validUtf8(op.name));
            j.attribute("cat", validUtf8(op.type));
            microseconds("ts", record.start - origin);
            microseconds("dur", record.end - record.start);
            j.attributeObject("args", [&] {
              j.attribute("kernel", validUtf8(op.kernel));
              j.attribute("phase", brisk_phase_name(op.phase));
              j.attribute("flops", op.flops);
              j.attribute("bytes", op.bytes);
              j.attribute("op", record.op);
              j.attribute("run", static_cast<int64_t>(index));
            });
          });
        }
    });
  });
  out << '\n';
}

} // namespace brisk::tools
