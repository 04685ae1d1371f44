//===- BenchFlags.cpp - The flags of brisk-bench --------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "BenchFlags.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace brisk::tools {

const char *const BenchFlags::help = R"(
MODEL is an .onnx, .onnxtxt or .mlir file, which is compiled first, or a .so
that briskc --emit=shared made (with --profile, if that is asked for here).
Inputs not given are random: floating point numbers in [-1, 1), integers and
booleans of 0 and 1; a model whose data choose a branch may refuse them, and
wants those by --input. The run is over when both --duration-s and --iterations are
met. Percentiles are nearest-rank, and blank (null in JSON) where there are too
few runs to tell them from the maximum. Pin the process with taskset for steady
figures. With --profile, runs with and without the trace hook alternate: the
latency is of those without, the times of ops of those with it, and the
difference of their medians is what profiling costs.
JSON has the keys model, target, threads, iterations, latency_ms, load_ms,
first_ms, arena_bytes (for these threads), weights_bytes and ops; also compile_ms where the model was
compiled here, and profiling_cost_percent with --profile.
CSV has a row for the model and, with --profile, one for each op. The file "-" is
standard output; the tables go to standard error then.
With --load, requests come while others are run, --instances of them at once, each in memory of its own and on
--threads threads; others wait. Latency counts from when a request was to be sent. "simulated queue" is
the latency that a queue has whose requests come and take as long as these did: what is
beyond it, the machine adds. Requests after 10 ms without work are told apart. JSON has the keys model, target, threads,
load, latency_ms, service_ms, after_idle_ms and simulated_ms then. Exit code: 0 done, 1 the model, an input or a flag was refused,
with the reason on stderr.

EXAMPLES:
  brisk-bench mobilenet_v2.onnx --shape x=1x3x224x224
  taskset -c 0,1 brisk-bench resnet.so --threads 2 --duration-s 10
  brisk-bench bert.onnx --dim seq=128 --input ids=ids.npy --json bert.json
  brisk-bench resnet.onnx --profile --trace resnet.trace.json --csv ops.csv
  brisk-bench resnet.so --load=poisson --rate 50 --instances 2 --percentiles 50,99,99.9 --times t.csv
)";

BenchFlags::BenchFlags(cl::OptionCategory &category)
    : warmupMs("warmup-ms",
               cl::desc("Time to run before measuring (default 200)"),
               cl::value_desc("MS"), cl::init(200), cl::cat(category)),
      durationS("duration-s",
                cl::desc("Measure for at least this long (default 3)"),
                cl::value_desc("S"), cl::init(3), cl::cat(category)),
      iterations("iterations",
                 cl::desc("Measure at least this many runs (default 100)"),
                 cl::value_desc("N"), cl::init(100), cl::cat(category)),
      seed("seed", cl::desc("Seed of random inputs (default 0)"),
           cl::value_desc("N"), cl::init(0), cl::cat(category)),
      profile("profile", cl::desc("Tell where the time goes, op by op"),
              cl::cat(category)),
      json("json", cl::desc("Write the results as JSON"), cl::value_desc("F"),
           cl::cat(category)),
      csv("csv", cl::desc("Write the results as comma-separated values"),
          cl::value_desc("F"), cl::cat(category)),
      trace("trace",
            cl::desc("Write a Chrome trace of some runs (chrome://tracing, "
                     "ui.perfetto.dev); implies --profile"),
            cl::value_desc("F"), cl::cat(category)),
      load(category) {}

Expected<BenchOptions> BenchFlags::options(const ModelFlags &flags) const {
  if (Error error = flags.check())
    return std::move(error);
  if (Error error = checkRange("warmup-ms", warmupMs, 0, 1e7))
    return std::move(error);
  if (Error error = checkRange("duration-s", durationS, 0, 1e6))
    return std::move(error);
  if (iterations < 1 || iterations > maxRuns)
    return createStringError(formatv("--iterations={0}: expected 1 to {1}",
                                     iterations.getValue(), maxRuns)
                                 .str());
  auto request = load.request();
  if (!request)
    return request.takeError();
  if (*request && (profile || !trace.empty() || !csv.empty()))
    return createStringError("--load tells of requests, not of ops: it goes "
                             "with --json and --times, without --profile, "
                             "--trace and --csv");
  if (*request && iterations.getNumOccurrences())
    return createStringError("--iterations says nothing of a load, which ends "
                             "with --duration-s");
  BenchOptions options;
  if (*request) {
    LoadOptions &asked = (*request)->options;
    asked.durationS = durationS;
    asked.warmupMs = warmupMs;
    asked.seed = seed;
    options.load = std::move(*request);
  }
  options.model = flags.request(profile || !trace.empty());
  options.inputs.assign(flags.inputs.begin(), flags.inputs.end());
  options.threads = flags.threads;
  options.seed = seed;
  options.measure = {warmupMs, durationS, iterations};
  options.json = json;
  options.csv = csv;
  options.trace = trace;
  return options;
}

} // namespace brisk::tools
