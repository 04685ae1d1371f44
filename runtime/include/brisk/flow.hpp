//===- brisk/flow.hpp - Models and functions on threads of their own ------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Requests that are answered later, and chains of stages that work at the same
// time on different requests. C++17; library brisk_flow.
//
// A pipeline owns a fixed number of items. An item has the buffers of one
// request, from its input to its answer, and passes through the stages; what is
// in the buffers is never copied. Who wants an answer acquires an item that is
// free, fills in its input, submits it and waits, polls or is called back; the
// item is free again when both are through with it. Nothing is allocated after
// the pipeline is made, and nothing grows: where no item is free, there is an
// answer at once that says so.
//
//   auto executor = brisk::flow::Executor::create(library);
//   auto request = executor->acquire();
//   fill(*executor->input<float>(*request, 0));
//   brisk::flow::Future future = executor->submit(*std::move(request));
//   …                                // the next request, meanwhile
//   if (brisk::Status status = future.wait(); !status)
//     return complain(status.message());
//   auto scores = executor->output<float>(future, 0);
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_FLOW_HPP
#define BRISK_FLOW_HPP

#include "brisk/brisk.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <new>

// C++ has C++'s names.
// NOLINTBEGIN(readability-identifier-naming)

namespace brisk {
inline namespace v1 {
namespace flow {

/// Status::code() of requests that were not run to their end, beside the
/// brisk_status of a model and -1 for whatever else a stage says.
enum Refusal : int {
  Overloaded = -2, ///< all items are taken
  Late = -3,       ///< the deadline had passed before a stage began
  Closed = -4,     ///< the pipeline takes no more requests
  Died = -5,       ///< the threads of a stage have ended
};

class Future;
class Item;
class Pipeline;

namespace detail {
struct Line;

/// A function object that takes the answer, in memory of the item's.
class Callback {
public:
  static constexpr size_t room = 48;

  Callback() = default;
  Callback(Callback &&other) noexcept
      : invoke(std::exchange(other.invoke, nullptr)),
        move(std::exchange(other.move, nullptr)) {
    if (move)
      move(other.memory.data(), memory.data());
  }
  ~Callback() { clear(); }

  template <typename F> void set(F function) {
    static_assert(sizeof(F) <= room && alignof(F) <= alignof(std::max_align_t),
                  "a callback holds at most 48 bytes; let it hold a pointer");
    clear();
    new (memory.data()) F(std::move(function));
    invoke = [](void *at, Future &&future) {
      (*static_cast<F *>(at))(std::move(future));
    };
    move = [](void *from, void *to) {
      F *function = static_cast<F *>(from);
      if (to)
        new (to) F(std::move(*function));
      function->~F();
    };
  }
  void clear() {
    if (move)
      move(memory.data(), nullptr);
    invoke = nullptr;
    move = nullptr;
  }
  explicit operator bool() const { return invoke; }
  void operator()(Future &&future) { invoke(memory.data(), std::move(future)); }

private:
  alignas(std::max_align_t) std::array<unsigned char, room> memory;
  void (*invoke)(void *, Future &&) = nullptr;
  void (*move)(void *from, void *to) = nullptr; ///< to null: destroys it
};
} // namespace detail

/// Nanoseconds of brisk_clock_ns.
struct Times {
  uint64_t submitted = 0;
  uint64_t started = 0; ///< when the first stage began; 0 if none did
  uint64_t finished = 0;
};

/// One request on its way: its buffers, and what became of it.
class Item {
public:
  Item() = default;
  Item(const Item &) = delete;

  size_t numBuffers() const { return buffers.size(); }
  void *buffer(size_t index) const {
    assert(index < buffers.size());
    return buffers[index];
  }
  /// Puts memory of somebody else's in a buffer's place until the item is free
  /// again; null is the item's own.
  void bind(size_t index, void *data) {
    assert(index < buffers.size());
    buffers[index] = data ? data : own[index].data();
  }
  /// Where it waits, those with a higher number come first, and of one number
  /// who came first. 0 if nothing is said.
  void setPriority(int value) { priority = value; }
  /// A time of brisk_clock_ns after which no stage begins with it; 0: none.
  void setDeadline(uint64_t ns) { deadline = ns; }
  const Times &times() const { return timed; }

private:
  friend struct detail::Line;
  friend class Future;
  friend class Pipeline;
  friend class Queue;

  std::vector<Buffer> own;
  std::vector<void *> buffers;
  int priority = 0;
  uint64_t deadline = 0;
  uint64_t number = 0; ///< in the order of arrival
  Times timed;
  Status status;
  detail::Callback callback;

  /// While it is on its way the pipeline has it. Once it is done it is the
  /// future's, unless that has left it to the pipeline before.
  enum State { OnItsWay, Done, Left };
  std::atomic<State> state{OnItsWay};
  std::atomic<bool> isAwaited{false};
  std::mutex mutex;
  std::condition_variable done;
};

/// An item that is being filled in. It is free again if it is not submitted.
class Request {
public:
  Request(Request &&other) noexcept
      : line(std::move(other.line)), item(std::exchange(other.item, nullptr)) {}
  Request &operator=(Request &&other) noexcept {
    std::swap(line, other.line);
    std::swap(item, other.item);
    return *this;
  }
  ~Request();

  Item &operator*() const { return *item; }
  Item *operator->() const { return item; }

private:
  friend class Pipeline;
  Request(std::shared_ptr<detail::Line> line, Item *item)
      : line(std::move(line)), item(item) {}

  std::shared_ptr<detail::Line> line;
  Item *item;
};

/// An answer that comes. The item is free when this ends, and the request has
/// come to its end. It may outlive its pipeline.
class Future {
public:
  Future(Future &&other) noexcept
      : line(std::move(other.line)), item(std::exchange(other.item, nullptr)) {}
  Future &operator=(Future &&other) noexcept {
    std::swap(line, other.line);
    std::swap(item, other.item);
    return *this;
  }
  ~Future();

  bool isReady() const {
    return item->state.load(std::memory_order_acquire) == Item::Done;
  }
  /// Waits for the answer, first spinning. Says what became of the request.
  Status wait();
  /// The same for so many nanoseconds at most; nothing if that was too short.
  std::optional<Status> waitFor(uint64_t ns);

  Item &operator*() const { return *item; }
  Item *operator->() const { return item; }

private:
  friend struct detail::Line;
  friend class Pipeline;
  Future(std::shared_ptr<detail::Line> line, Item *item)
      : line(std::move(line)), item(item) {}

  std::shared_ptr<detail::Line> line;
  Item *item;
};

/// One step of a pipeline.
struct Stage {
  std::string name;
  /// Does its work on the item's buffers; on any of the stage's threads, and on
  /// several items at once where it has several. What it throws, or a failure
  /// that it returns, is what becomes of the request; other requests go on.
  std::function<Status(Item &)> run;
  /// Threads of its own; with 0 it runs on the thread that brings the item:
  /// that of the stage before, or whoever submits.
  unsigned workers = 1;
  /// Items that wait for it at most; with more, the stage before waits. The
  /// first stage's queue has room for all.
  size_t queue = 2;
};

/// A buffer that every item has.
struct BufferSpec {
  uint64_t bytes = 0;
  uint64_t alignment = 64;
};

struct PipelineOptions {
  /// How many requests there are at once: being filled in, waiting, on their
  /// way, and answered but not let go.
  size_t items = 4;
  std::vector<BufferSpec> buffers;
  /// How long threads spin for work, or for an answer, before they sleep. By
  /// default, 20 us where there are CPUs for all threads, else not at all.
  std::optional<uint64_t> spinNs;
};

/// What a stage has done, and is doing.
struct StageReport {
  std::string name;
  size_t waiting = 0;     ///< items in its queue
  uint64_t finished = 0;  ///< items that it has run, whatever it said
  uint64_t failed = 0;    ///< of these, those that it failed or threw on
  uint64_t late = 0;      ///< items that it dropped for their deadline
  unsigned dead = 0;      ///< threads that have ended on their own
  uint64_t longestNs = 0; ///< how long the item has been running that runs the
                          ///< longest: a stage that hangs shows here
};

/// Stages one behind the other. Copies are the same pipeline, which ends with
/// the last: it then answers what it has accepted, and takes nothing new.
class Pipeline {
public:
  static Result<Pipeline> create(std::vector<Stage> stages,
                                 const PipelineOptions &options);

  /// An item that is free; Overloaded at once if there is none, or when none
  /// has become free for so many nanoseconds.
  Result<Request> acquire(uint64_t waitNs = 0);

  Future submit(Request request);
  /// Calls back with the future, which is ready: on the thread that ran the
  /// last stage, so that a callback that takes long holds that stage up. What
  /// it throws is counted, and lost.
  template <typename F> void submit(Request request, F callback) {
    request->callback.set(std::move(callback));
    send(std::move(request));
  }

  /// Refuses new requests, and waits until those accepted are answered.
  void close();
  std::vector<StageReport> report() const;
  uint64_t failedCallbacks() const;

private:
  explicit Pipeline(std::shared_ptr<detail::Line> line);
  void send(Request request);

  struct Closer;
  std::shared_ptr<detail::Line> line;
  std::shared_ptr<Closer> closer;
};

struct ModelStageOptions {
  std::string name = "inference";
  unsigned workers = 1;
  size_t queue = 2;
  /// The threads that every run uses together; none: one.
  std::optional<Pool> pool;
  /// Which of an item's buffers are the model's inputs, and its outputs; by
  /// default the first ones, and those behind them.
  std::vector<size_t> inputs, outputs;
};

/// Runs a model on a new instance, whose inputs and outputs are its own, and
/// says whether the model is fit for use.
using SelfTest = std::function<Status(Instance &)>;

/// What runs a model in a stage, and may change to another build of it while
/// requests go on. Copies are the same.
class ModelRunner {
public:
  static Result<ModelRunner>
  create(const Library &library,
         ModelStageOptions options = ModelStageOptions());

  /// As many runs as it has workers are possible at once, each in memory of its
  /// own.
  Stage stage() const;

  /// Runs requests that begin from now on by another library, if its inputs and
  /// outputs are the same and it passes the test; else says why not, and
  /// nothing changes. What is running ends by the old library, which is closed
  /// then: every answer is of one library alone. May be called from any thread.
  Status reload(const Library &library, const SelfTest &test = nullptr);

private:
  struct State;
  explicit ModelRunner(std::shared_ptr<State> state)
      : state(std::move(state)) {}

  std::shared_ptr<State> state;
};

/// The stage of a model that stays.
Result<Stage> modelStage(const Library &library,
                         ModelStageOptions options = ModelStageOptions());
/// Buffers for a model's inputs, and for its outputs behind them.
std::vector<BufferSpec> buffersOf(const Model &model);

struct ExecutorOptions {
  /// Threads, each of which runs a request at a time; with 0, submit runs it.
  unsigned workers = 1;
  size_t items = 4;
  std::optional<Pool> pool;
  std::optional<uint64_t> spinNs;
};

/// A pipeline of one model.
class Executor {
public:
  static Result<Executor>
  create(const Library &library,
         const ExecutorOptions &options = ExecutorOptions());

  Result<Request> acquire(uint64_t waitNs = 0) { return line.acquire(waitNs); }
  Future submit(Request request) { return line.submit(std::move(request)); }
  template <typename F> void submit(Request request, F callback) {
    line.submit(std::move(request), std::move(callback));
  }

  /// The memory of an input in a request; fails where the model has none of
  /// that number and type.
  template <typename T>
  Result<TensorView<T>> input(Request &request, size_t index) const {
    return view<T>(*request, "input", index, index, library.model().c().inputs,
                   library.model().numInputs());
  }
  /// The memory of an output in an answer.
  template <typename T>
  Result<TensorView<const T>> output(const Future &future, size_t index) const {
    return view<const T>(
        *future, "output", index, library.model().numInputs() + index,
        library.model().c().outputs, library.model().numOutputs());
  }
  /// See ModelRunner::reload. The model that says what inputs and outputs are
  /// stays the first one, whose library is closed with the executor.
  Status reload(const Library &other, const SelfTest &test = nullptr) {
    return runner.reload(other, test);
  }
  Model model() const { return library.model(); }
  Pipeline &pipeline() { return line; }

private:
  Executor(Library library, ModelRunner runner, Pipeline line)
      : library(std::move(library)), runner(std::move(runner)),
        line(std::move(line)) {}

  template <typename T>
  static Result<TensorView<T>> view(const Item &item, const char *kind,
                                    size_t index, size_t buffer,
                                    const brisk_tensor *tensors, size_t count) {
    if (Status status = checkTensor<T>(kind, index, tensors, count); !status)
      return status;
    return TensorView<T>(TensorInfo(tensors[index]),
                         static_cast<T *>(item.buffer(buffer)));
  }

  Library library;
  ModelRunner runner;
  Pipeline line;
};

} // namespace flow
} // namespace v1
} // namespace brisk

// NOLINTEND(readability-identifier-naming)

#endif // BRISK_FLOW_HPP
