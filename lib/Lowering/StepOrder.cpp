//===- StepOrder.cpp - An order of steps that takes less memory -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepMemory.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>

using namespace brisk;

/// The order 0, 1, 2… but for steps that wait for nothing, as those that fill
/// the border of a tensor: such a one goes right before the first that waits
/// for it, where all others that do wait for that one, too. It frees nothing,
/// so it is never better off earlier. `isGlued` is set for what has moved.
static std::vector<unsigned> moveSources(const StepGraph &graph,
                                         llvm::BitVector &isGlued) {
  size_t count = graph.steps.size();
  std::vector<std::vector<unsigned>> before(count), waiting(count);
  for (unsigned step = 0; step < count; ++step)
    for (unsigned other : graph.steps[step].after)
      waiting[other].push_back(step);
  for (unsigned step = 0; step < count; ++step) {
    if (!graph.steps[step].after.empty() || waiting[step].empty())
      continue;
    unsigned first = waiting[step].front();
    if (llvm::all_of(waiting[step], [&](unsigned other) {
          return other == first ||
                 llvm::is_contained(graph.steps[other].after, first);
        })) {
      before[first].push_back(step);
      isGlued.set(step);
    }
  }
  std::vector<unsigned> order;
  for (unsigned step = 0; step < count; ++step) {
    if (isGlued[step])
      continue;
    order.insert(order.end(), before[step].begin(), before[step].end());
    order.push_back(step);
  }
  return order;
}

/// The same steps, numbered by their place in `order`.
static StepGraph renumber(const StepGraph &graph,
                          const std::vector<unsigned> &order) {
  std::vector<unsigned> places(order.size());
  for (auto [place, step] : llvm::enumerate(order))
    places[step] = place;
  StepGraph renumbered = {{}, graph.bytes};
  for (unsigned step : order) {
    StepGraph::Step &added = renumbered.steps.emplace_back(graph.steps[step]);
    for (unsigned &other : added.after)
      other = places[other];
  }
  return renumbered;
}

namespace {
/// Steps that run one right after the other.
struct Unit {
  unsigned begin, end;
  std::vector<unsigned> after, waiting; // other units
};

/// Units that run before all behind them and after all before them.
struct Segment {
  unsigned begin, end;
  Live live; // the bytes before it, and the peak in it
};

/// A set of units of a segment that have run.
struct State {
  llvm::BitVector ran; // steps of the segment
  std::vector<unsigned> ready;
  Live live;
  unsigned parent = 0, unit = 0; // the state it comes from, and what ran last
};

/// Orders the units of each segment.
class Orderer {
public:
  /// `isGlued`: the next step is of the same unit.
  Orderer(const StepGraph &graph, const llvm::BitVector &isGlued);
  std::vector<unsigned> run();

private:
  struct Choice {
    unsigned unit;
    Live live;
  };
  using Layer = std::vector<State>;

  std::vector<Segment> findSegments() const;
  /// Asks about steps, of which a segment's have run as `ran` says.
  bool hasRun(const Segment &segment, const llvm::BitVector &ran,
              unsigned step) const;
  /// Runs a unit, and returns what is live then.
  Live runUnit(const Segment &segment, unsigned unit, Live live,
               llvm::BitVector &ran) const;
  /// What may run next, the most promising of many.
  std::vector<Choice> findChoices(const Segment &segment,
                                  const State &state) const;
  State makeNext(const Segment &segment, const State &state,
                 const Choice &choice) const;
  /// The states that those of `layer` lead to, the most promising of many.
  Layer advance(const Segment &segment, const Layer &layer, size_t most) const;
  /// An order of the segment's units with a smaller peak, which the segment
  /// gets; empty if none is found.
  std::vector<unsigned> improve(Segment &segment) const;

  StepMemory memory;
  std::vector<Unit> units;
  std::vector<unsigned> unitOf;
  /// What every order takes, or the one found takes elsewhere: taking less is
  /// of no use.
  int64_t floor = 0;
};
} // namespace

/// The bytes that are live while a step runs, in any order: what it touches,
/// less what may share a place.
static int64_t findLeast(const StepGraph &graph, const StepGraph::Step &step) {
  int64_t least = step.bytes;
  for (unsigned buffer : step.buffers)
    if (llvm::none_of(step.inPlace,
                      [&](auto pair) { return pair.second == buffer; }))
      least += graph.bytes[buffer];
  return least;
}

Orderer::Orderer(const StepGraph &graph, const llvm::BitVector &isGlued)
    : memory(graph), unitOf(graph.steps.size()) {
  for (unsigned step = 0, begin = 0; step < graph.steps.size(); ++step) {
    unitOf[step] = units.size();
    if (isGlued[step])
      continue;
    units.push_back({begin, step + 1, {}, {}});
    begin = step + 1;
  }
  for (auto [number, step] : llvm::enumerate(graph.steps))
    for (unsigned other : step.after)
      if (unitOf[other] != unitOf[number])
        units[unitOf[number]].after.push_back(unitOf[other]);
  for (auto [number, unit] : llvm::enumerate(units)) {
    llvm::sort(unit.after);
    unit.after.erase(llvm::unique(unit.after), unit.after.end());
    for (unsigned other : unit.after)
      units[other].waiting.push_back(number);
  }
  for (const StepGraph::Step &step : graph.steps)
    floor = std::max(floor, findLeast(graph, step));
}

bool Orderer::hasRun(const Segment &segment, const llvm::BitVector &ran,
                     unsigned step) const {
  unsigned begin = units[segment.begin].begin;
  return step < begin ||
         (step < units[segment.end - 1].end && ran[step - begin]);
}

Live Orderer::runUnit(const Segment &segment, unsigned unit, Live live,
                      llvm::BitVector &ran) const {
  for (unsigned step = units[unit].begin; step < units[unit].end; ++step) {
    Live at = memory.run(step, live.after, [&](unsigned other) {
      return hasRun(segment, ran, other);
    });
    live = {std::max(live.peak, at.peak), at.after};
    ran.set(step - units[segment.begin].begin);
  }
  return live;
}

std::vector<Segment> Orderer::findSegments() const {
  // A unit runs after all that stand before it if each of these has one that
  // waits for it, up to this one; and before all behind it if each of those
  // waits for one, from this one on.
  int64_t count = units.size();
  std::vector<int64_t> waitedFor(count + 1, count);
  for (int64_t unit = count; unit-- > 0;) {
    const std::vector<unsigned> &after = units[unit].after;
    waitedFor[unit] =
        after.empty() ? -1
                      : std::min<int64_t>(waitedFor[unit + 1], after.back());
  }
  std::vector<Segment> segments;
  Segment segment = {0, 0, {}};
  int64_t waiting = 0;
  for (int64_t unit = 0; unit < count; ++unit) {
    bool isBetween = waiting <= unit && waitedFor[unit + 1] >= unit;
    const std::vector<unsigned> &others = units[unit].waiting;
    waiting =
        others.empty() ? count : std::max<int64_t>(waiting, others.front());
    segment.end = unit + 1;
    if (!isBetween && segment.end != count)
      continue;
    llvm::BitVector ran(units[unit].end - units[segment.begin].begin);
    int64_t before = segment.live.after;
    Live live = {0, before};
    for (unsigned each = segment.begin; each < segment.end; ++each)
      live = runUnit(segment, each, live, ran);
    segment.live = {live.peak, before};
    segments.push_back(segment);
    segment = {segment.end, segment.end, {0, live.after}};
  }
  return segments;
}

std::vector<Orderer::Choice> Orderer::findChoices(const Segment &segment,
                                                  const State &state) const {
  std::vector<Choice> choices;
  for (unsigned unit : state.ready) {
    llvm::BitVector ran = state.ran;
    Live live = runUnit(segment, unit, state.live, ran);
    if (live.peak >= segment.live.peak)
      continue;
    // What raises nothing is best done at once.
    if (live.after <= state.live.after && live.peak <= state.live.peak)
      return {{unit, live}};
    choices.push_back({unit, live});
  }
  constexpr size_t most = 16;
  llvm::stable_sort(choices, [](const Choice &a, const Choice &b) {
    return a.live.after < b.live.after;
  });
  choices.resize(std::min(choices.size(), most));
  return choices;
}

State Orderer::makeNext(const Segment &segment, const State &state,
                        const Choice &choice) const {
  State next = {state.ran, {}, choice.live, 0, choice.unit};
  unsigned begin = units[segment.begin].begin;
  const Unit &ran = units[choice.unit];
  next.ran.set(ran.begin - begin, ran.end - begin);
  llvm::copy_if(state.ready, std::back_inserter(next.ready),
                [&](unsigned unit) { return unit != choice.unit; });
  for (unsigned unit : ran.waiting)
    if (unit < segment.end && llvm::all_of(
                                  units[unit].after,
                                  [&](unsigned other) {
                                    return hasRun(segment, next.ran,
                                                  units[other].begin);
                                  }))
      next.ready.push_back(unit);
  llvm::sort(next.ready);
  return next;
}

Orderer::Layer Orderer::advance(const Segment &segment, const Layer &layer,
                                size_t most) const {
  Layer next;
  llvm::DenseMap<llvm::BitVector, size_t> found;
  for (auto [parent, state] : llvm::enumerate(layer))
    for (const Choice &choice : findChoices(segment, state)) {
      State reached = makeNext(segment, state, choice);
      reached.live.peak = std::max(reached.live.peak, floor);
      reached.parent = parent;
      auto [it, isNew] = found.try_emplace(reached.ran, next.size());
      if (isNew)
        next.push_back(std::move(reached));
      else if (reached.live.peak < next[it->second].live.peak)
        next[it->second] = std::move(reached);
    }
  llvm::stable_sort(next, [](const State &a, const State &b) {
    return std::tie(a.live.peak, a.live.after) <
           std::tie(b.live.peak, b.live.after);
  });
  next.resize(std::min(next.size(), most));
  return next;
}

std::vector<unsigned> Orderer::improve(Segment &segment) const {
  size_t count = segment.end - segment.begin;
  // So many states that thousands of units take about a second.
  size_t most = std::clamp<size_t>(100'000 / count, 16, 4096);
  State start;
  start.ran.resize(units[segment.end - 1].end - units[segment.begin].begin);
  start.live = {floor, segment.live.after};
  for (unsigned unit = segment.begin; unit < segment.end; ++unit)
    if (units[unit].after.empty() || units[unit].after.back() < segment.begin)
      start.ready.push_back(unit);
  Layer layer = {std::move(start)};
  std::vector<std::vector<std::pair<unsigned, unsigned>>> steps;
  for (size_t size = 0; size < count; ++size) {
    layer = advance(segment, layer, most);
    if (layer.empty())
      return {};
    auto &step = steps.emplace_back();
    for (const State &state : layer)
      step.push_back({state.parent, state.unit});
  }
  segment.live.peak = layer.front().live.peak;
  std::vector<unsigned> order;
  unsigned at = 0;
  for (const auto &step : llvm::reverse(steps)) {
    auto [parent, unit] = step[at];
    order.push_back(unit);
    at = parent;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<unsigned> Orderer::run() {
  std::vector<Segment> segments = findSegments();
  llvm::stable_sort(segments, [](const Segment &a, const Segment &b) {
    return a.live.peak > b.live.peak;
  });
  std::vector<unsigned> order(units.size());
  std::iota(order.begin(), order.end(), 0);
  for (Segment &segment : segments) {
    if (segment.live.peak <= floor)
      break;
    llvm::copy(improve(segment), order.begin() + segment.begin);
    floor = std::max(floor, segment.live.peak);
  }
  std::vector<unsigned> steps;
  for (unsigned unit : order)
    for (unsigned step = units[unit].begin; step < units[unit].end; ++step)
      steps.push_back(step);
  return steps;
}

std::vector<unsigned> brisk::orderSteps(const StepGraph &graph) {
  std::vector<unsigned> asGiven(graph.steps.size());
  std::iota(asGiven.begin(), asGiven.end(), 0);
  llvm::BitVector isGlued(graph.steps.size());
  std::vector<unsigned> order = moveSources(graph, isGlued);
  StepGraph moved = renumber(graph, order);
  llvm::BitVector isGluedThere(order.size());
  for (auto [place, step] : llvm::enumerate(order))
    isGluedThere[place] = isGlued[step];
  std::vector<unsigned> better;
  for (unsigned place : Orderer(moved, isGluedThere).run())
    better.push_back(order[place]);
  return findPeak(graph, better) < findPeak(graph, asGiven) ? better : asGiven;
}
