//===- LoadFlags.cpp - How brisk-bench is told of load --------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoadFlags.h"

#include "llvm/Support/FormatVariadic.h"

#include <memory>
#include <tuple>

using namespace llvm;

namespace brisk::tools {

LoadFlags::LoadFlags(cl::OptionCategory &category)
    : load("load",
           cl::desc("Measure the model under load, instead of one run after "
                    "the other"),
           cl::values(
               clEnumValN(Arrivals::Closed, getName(Arrivals::Closed),
                          "each instance's next request comes when it has "
                          "answered one"),
               clEnumValN(Arrivals::Fixed, getName(Arrivals::Fixed),
                          "requests come in equal intervals"),
               clEnumValN(Arrivals::Poisson, getName(Arrivals::Poisson),
                          "requests come at random"),
               clEnumValN(Arrivals::Bursts, getName(Arrivals::Bursts),
                          "many requests come at once, and then none")),
           cl::cat(category)),
      rate("rate", cl::desc("Requests a second, on average"),
           cl::value_desc("N"), cl::init(0), cl::cat(category)),
      deadlineMs("deadline-ms",
                 cl::desc("Drop requests that have not begun so long after "
                          "they were to be sent"),
                 cl::value_desc("MS"), cl::init(0), cl::cat(category)),
      instances("instances", cl::desc("Requests run at once (default 1)"),
                cl::value_desc("N"), cl::init(1), cl::cat(category)),
      queue("queue",
            cl::desc("Requests that may wait; more are refused (default 100)"),
            cl::value_desc("N"), cl::init(100), cl::cat(category)),
      burst("burst", cl::desc("Requests of a burst (default 10)"),
            cl::value_desc("N"), cl::init(10), cl::cat(category)),
      percentiles(
          "percentiles", cl::desc("Percentiles to print (default 50,90,95,99)"),
          cl::value_desc("P,..."), cl::CommaSeparated, cl::cat(category)),
      times("times", cl::desc("Write the times of each request as CSV"),
            cl::value_desc("F"), cl::cat(category)) {}

Error checkRange(StringRef flag, double value, double low, double high) {
  // Not a number is in no range.
  if (value >= low && value <= high)
    return Error::success();
  return createStringError(
      formatv("--{0}={1}: expected {2} to {3}", flag, value, low, high).str());
}

Error LoadFlags::checkCombination() const {
  auto refuseGiven = [](ArrayRef<const cl::Option *> flags,
                        const Twine &reason) -> Error {
    for (const cl::Option *flag : flags)
      if (flag->getNumOccurrences())
        return createStringError("--" + flag->ArgStr + " " + reason);
    return Error::success();
  };
  if (load.getNumOccurrences() == 0)
    return refuseGiven({&rate, &deadlineMs, &instances, &queue, &burst,
                        std::addressof(percentiles), &times},
                       "goes with --load");
  if (load != Arrivals::Bursts && burst.getNumOccurrences())
    return createStringError("--burst goes with --load=bursts");
  if (load == Arrivals::Closed)
    return refuseGiven({&rate, &deadlineMs, &queue},
                       "goes with requests that do not wait for each other; "
                       "--load=closed has none");
  if (rate.getNumOccurrences() == 0)
    return createStringError("--load=" + getName(load) +
                             " wants --rate, the requests a second");
  return checkRange("rate", rate, 1e-3, 1e6);
}

Error LoadFlags::checkRanges() const {
  const std::tuple<StringRef, double, double, double> ranges[] = {
      {"deadline-ms", deadlineMs, 0, 1e7},
      {"instances", instances, 1, 1024},
      {"queue", queue, 0, 1e6},
      {"burst", burst, 1, 1e6}};
  for (auto [flag, value, low, high] : ranges)
    if (Error error = checkRange(flag, value, low, high))
      return error;
  for (double percent : percentiles)
    if (Error error = checkRange("percentiles", percent, 0, 100))
      return error;
  return Error::success();
}

Expected<std::optional<LoadRequest>> LoadFlags::request() const {
  if (Error error = checkCombination())
    return std::move(error);
  if (Error error = checkRanges())
    return std::move(error);
  if (load.getNumOccurrences() == 0)
    return std::nullopt;
  LoadRequest request;
  if (!percentiles.empty())
    request.percentiles.assign(percentiles.begin(), percentiles.end());
  request.times = times;
  LoadOptions &options = request.options;
  options.arrivals = load;
  options.rate = rate;
  options.burst = burst;
  options.instances = instances;
  options.queue = load == Arrivals::Closed ? 0 : queue.getValue();
  options.deadlineMs = deadlineMs;
  return request;
}

} // namespace brisk::tools
