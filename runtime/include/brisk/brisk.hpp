//===- brisk/brisk.hpp - Compiled models in C++ -----------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// brisk/model.h and brisk/host.h with owners and types, C++17. What can fail
// returns a Status or a Result; nothing here throws, and it compiles with
// -fno-exceptions. A run allocates nothing. Libraries: brisk_host, brisk_core.
//
//   auto library = brisk::Library::open("model.so");
//   if (!library)
//     return complain(library.status().message());
//   auto instance = brisk::Instance::create(*library);
//   …
//   auto image = instance->input<float>("image");
//   fill(image->data(), image->size());
//   if (brisk::Status status = instance->run(); !status)
//     return complain(status.message());
//   auto scores = instance->output<float>(0);
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_BRISK_HPP
#define BRISK_BRISK_HPP

#include "brisk/host.h"
#include "brisk/trace.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// C++ has C++'s names.
// NOLINTBEGIN(readability-identifier-naming)

namespace brisk {
// So that a program may be linked with other versions of this header.
inline namespace v1 {

/// Elements of somebody else's that lie one behind the other.
template <typename T> class ArrayView {
public:
  using value_type = std::remove_cv_t<T>;
  using iterator = T *;
  using const_iterator = T *;

  ArrayView() = default;
  ArrayView(T *data, size_t size) : first(data), count(size) {}

  T *data() const { return first; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  T *begin() const { return first; }
  T *end() const { return first + count; }
  T &operator[](size_t at) const {
    assert(at < count);
    return first[at];
  }

private:
  T *first = nullptr;
  size_t count = 0;
};

/// Whether something worked and, if it did not, why. One that says that all is
/// well allocates nothing.
class [[nodiscard]] Status {
public:
  /// It worked.
  Status() = default;
  /// It did not, for a reason that a user can read.
  static Status failure(std::string message, int code = -1) {
    assert(code != BRISK_OK);
    Status status;
    status.number = code;
    status.text = std::move(message);
    return status;
  }
  /// What a model's call returned.
  static Status of(int code) {
    return code == BRISK_OK ? Status() : failure(brisk_status_text(code), code);
  }

  bool ok() const { return number == BRISK_OK; }
  explicit operator bool() const { return ok(); }
  /// The brisk_status of a run; -1 for what failed outside of a model.
  int code() const { return number; }
  /// Empty where it worked.
  const std::string &message() const { return text; }

private:
  int number = BRISK_OK;
  std::string text;
};

/// A value, or the reason why there is none.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : held(std::move(value)) {}
  Result(Status status) : reason(std::move(status)) { assert(!reason.ok()); }

  bool ok() const { return held.has_value(); }
  explicit operator bool() const { return ok(); }
  /// Says that all is well where there is a value.
  const Status &status() const { return reason; }

  /// The value, which there must be. That of a temporary is one by itself, so
  /// that `for (float &x : *instance.input<float>(0))` is right.
  T &operator*() & { return *checked(); }
  const T &operator*() const & { return *checked(); }
  T operator*() && { return std::move(*checked()); }
  T *operator->() { return &*checked(); }
  const T *operator->() const { return &*checked(); }

private:
  std::optional<T> &checked() {
    assert(held && "the status was not looked at");
    return held;
  }
  const std::optional<T> &checked() const {
    assert(held && "the status was not looked at");
    return held;
  }

  std::optional<T> held;
  Status reason;
};

/// Whether elements of a type of the model's are held by T: by the C type that
/// brisk/elements.def names, half precision by its bits (uint16_t), and
/// booleans by bool as well.
template <typename T> bool holds(uint32_t dtype) {
  using Element = std::remove_cv_t<T>;
  static_assert(sizeof(bool) == 1, "models' booleans are bytes");
  if (dtype == BRISK_BOOL && std::is_same_v<Element, bool>)
    return true;
  switch (dtype) {
#define BRISK_ELEMENT(name, number, bits, kind, numpy, type)                   \
  case number:                                                                 \
    return std::is_same_v<Element, type>;
#include "brisk/elements.def"
  }
  return false;
}

/// What a model says of an input or output.
class TensorInfo {
public:
  explicit TensorInfo(const brisk_tensor &tensor) : raw(&tensor) {}

  /// ONNX's name of the value, UTF-8.
  std::string_view name() const { return raw->name; }
  uint32_t dtype() const { return raw->dtype; } ///< a brisk_dtype
  /// NumPy's name of the type.
  std::string_view dtypeName() const { return brisk_dtype_name(raw->dtype); }
  ArrayView<const int64_t> dims() const { return {raw->dims, raw->rank}; }
  /// In elements.
  ArrayView<const int64_t> strides() const { return {raw->strides, raw->rank}; }
  uint64_t bytes() const { return raw->bytes; }
  uint64_t elements() const {
    uint64_t product = 1;
    for (int64_t dim : dims())
      product *= static_cast<uint64_t>(dim);
    return product;
  }
  /// Whether elements lie one behind the other in the order of the dimensions.
  bool isRowMajor() const {
    int64_t stride = 1;
    for (uint32_t d = raw->rank; d-- > 0; stride *= raw->dims[d])
      if (raw->strides[d] != stride && raw->dims[d] != 1)
        return raw->bytes == 0;
    return true;
  }
  /// "float32 of shape 1x3", for messages.
  std::string describe() const {
    std::string text(dtypeName());
    text += raw->rank ? " of shape " : " scalar";
    for (uint32_t d = 0; d < raw->rank; ++d)
      text += (d ? "x" : "") + std::to_string(raw->dims[d]);
    return text;
  }

  const brisk_tensor &c() const { return *raw; }

private:
  const brisk_tensor *raw;
};

/// Whether there is a tensor of that number, and T holds its elements.
template <typename T>
Status checkTensor(const char *kind, size_t index, const brisk_tensor *tensors,
                   size_t count) {
  if (index >= count)
    return Status::failure("there is no " + std::string(kind) + " " +
                           std::to_string(index) + ": the model has " +
                           std::to_string(count));
  if (!holds<T>(tensors[index].dtype))
    return Status::failure(std::string(kind) + " '" + tensors[index].name +
                           "' is " + TensorInfo(tensors[index]).describe() +
                           ", whose elements are of another type in C++ than "
                           "the one asked for");
  return Status();
}

/// A tensor in memory, by its elements' C type. Valid as long as that memory
/// and the model are.
template <typename T> class TensorView {
public:
  TensorView(const TensorInfo &info, T *data) : tensor(info), first(data) {}

  const TensorInfo &info() const { return tensor; }
  T *data() const { return first; }
  size_t size() const { return tensor.elements(); }
  /// All elements of a row-major tensor.
  ArrayView<T> elements() const {
    assert(tensor.isRowMajor());
    return {first, size()};
  }
  T *begin() const { return elements().begin(); }
  T *end() const { return elements().end(); }
  /// By its place in memory.
  T &operator[](size_t at) const { return elements()[at]; }
  /// By an index for each dimension, none of which is checked in a build
  /// without assertions.
  template <typename... Index> T &operator()(Index... index) const {
    assert(sizeof...(index) == tensor.dims().size());
    size_t d = 0, at = 0;
    ((assert(index >= 0 && index < tensor.dims()[d]),
      at +=
      static_cast<size_t>(index) * static_cast<size_t>(tensor.strides()[d++])),
     ...);
    return first[at];
  }

private:
  TensorInfo tensor;
  T *first;
};

/// A model's description. It is the library's or the program's that the model
/// is in; copies are as good as the first.
class Model {
public:
  explicit Model(const brisk_model &model) : raw(&model) {}

  std::string_view name() const { return raw->name; }
  std::string_view target() const { return raw->target; }
  /// Whether it was compiled with --profile.
  bool isProfiled() const { return raw->profiled != 0; }
  uint64_t weightsBytes() const { return raw->weights_bytes; }
  size_t numInputs() const { return raw->num_inputs; }
  size_t numOutputs() const { return raw->num_outputs; }
  TensorInfo input(size_t index) const {
    assert(index < numInputs());
    return TensorInfo(raw->inputs[index]);
  }
  TensorInfo output(size_t index) const {
    assert(index < numOutputs());
    return TensorInfo(raw->outputs[index]);
  }
  std::optional<size_t> findInput(std::string_view name) const {
    return find(raw->inputs, raw->num_inputs, name);
  }
  std::optional<size_t> findOutput(std::string_view name) const {
    return find(raw->outputs, raw->num_outputs, name);
  }
  /// In the order in which they run; empty without --profile.
  ArrayView<const brisk_op> ops() const { return {raw->ops, raw->num_ops}; }

  const brisk_model &c() const { return *raw; }

private:
  static std::optional<size_t> find(const brisk_tensor *tensors, uint32_t count,
                                    std::string_view name) {
    for (uint32_t i = 0; i < count; ++i)
      if (name == tensors[i].name)
        return i;
    return std::nullopt;
  }

  const brisk_model *raw;
};

/// A shared library with a model in it: a private copy of the file, which may
/// be replaced. Copies are the same library, which is closed with the last.
class Library {
public:
  /// The path is a file's, and never searched for.
  static Result<Library> open(const std::string &path) {
    char error[2048];
    brisk_library *opened =
        brisk_library_open(path.c_str(), error, sizeof error);
    if (!opened)
      return Status::failure(error);
    Library library;
    library.shared.reset(opened, brisk_library_close);
    return library;
  }

  Model model() const { return Model(*brisk_library_model(shared.get())); }

private:
  friend class Instance;
  Library() = default;
  std::shared_ptr<brisk_library> shared;
};

/// Threads that run models together. Copies are the same pool, which ends with
/// the last. Several threads may run instances on one pool at once.
class Pool {
public:
  /// The calling thread counts as one of them; 0 is as many as this process may
  /// use.
  static Result<Pool> create(unsigned threads = 0) {
    brisk_pool *created = brisk_pool_create(threads);
    if (!created)
      return Status::failure("cannot start the threads of a pool: memory or "
                             "threads are short");
    Pool pool;
    pool.shared.reset(created, brisk_pool_destroy);
    return pool;
  }

  unsigned threads() const { return brisk_pool_threads(shared.get()); }

private:
  friend class Instance;
  Pool() = default;
  std::shared_ptr<brisk_pool> shared;
};

/// Memory of the runtime's allocator, which is aligned to at least 64 bytes.
class Buffer {
public:
  Buffer() = default;
  /// Zeros.
  static Result<Buffer> create(uint64_t bytes, uint64_t alignment = 64) {
    Buffer buffer;
    buffer.memory.reset(
        bytes <= SIZE_MAX
            ? static_cast<char *>(brisk_aligned_alloc(
                  static_cast<size_t>(bytes), static_cast<size_t>(alignment)))
            : nullptr);
    if (!buffer.memory)
      return Status::failure("out of memory: cannot allocate " +
                             std::to_string(bytes) + " bytes");
    buffer.bytes = bytes;
    std::memset(buffer.memory.get(), 0, static_cast<size_t>(bytes));
    return buffer;
  }

  char *data() const { return memory.get(); }
  uint64_t size() const { return bytes; }

private:
  struct Free {
    void operator()(char *memory) const { brisk_aligned_free(memory); }
  };
  std::unique_ptr<char, Free> memory;
  uint64_t bytes = 0;
};

/// What an instance has of its own.
struct InstanceOptions {
  /// The threads that it runs on; none: the calling thread alone.
  std::optional<Pool> pool;
  /// Whether it has buffers for its inputs and outputs. One that has none is
  /// given memory by bindInput and bindOutput before it runs.
  bool ownsInputs = true;
  bool ownsOutputs = true;
  /// How many records of a profiled model it keeps, each of an op's run; with
  /// 0 nothing is measured.
  uint32_t traceRecords = 0;
};

/// A model with all that a run needs. Instances share nothing but the model and
/// their pool: each may run on a thread of its own. One instance is for one
/// thread at a time.
class Instance {
public:
  using Options = InstanceOptions;

  /// The library stays open as long as the instance is there.
  static Result<Instance> create(const Library &library,
                                 Options options = Options()) {
    return create(library.model().c(), library.shared, std::move(options));
  }
  /// Of a model that is linked into the program: NAME_model of its header.
  static Result<Instance> create(const brisk_model &model,
                                 Options options = Options()) {
    char error[2048];
    if (brisk_model_check(&model, error, sizeof error))
      return Status::failure(std::string("cannot use the model: ") + error);
    return create(model, nullptr, std::move(options));
  }

  Model model() const { return Model(*raw); }

  /// The instance's own memory of an input, which runs read unless other memory
  /// is bound. Fails where there is no such input, none of that type, or no
  /// memory of its own.
  template <typename T> Result<TensorView<T>> input(size_t index) {
    if (Status status =
            checkTensor<T>("input", index, raw->inputs, raw->num_inputs);
        !status)
      return status;
    if (!ownInputs[index])
      return unbound("input", raw->inputs[index]);
    return TensorView<T>(TensorInfo(raw->inputs[index]),
                         static_cast<T *>(ownInputs[index]));
  }
  template <typename T> Result<TensorView<T>> input(std::string_view name) {
    std::optional<size_t> index = model().findInput(name);
    return index ? input<T>(*index)
                 : Result<TensorView<T>>(
                       noSuch("input", name, raw->inputs, raw->num_inputs));
  }

  /// The memory that runs write an output to.
  template <typename T> Result<TensorView<const T>> output(size_t index) const {
    if (Status status =
            checkTensor<T>("output", index, raw->outputs, raw->num_outputs);
        !status)
      return status;
    if (!outputs[index])
      return unbound("output", raw->outputs[index]);
    return TensorView<const T>(TensorInfo(raw->outputs[index]),
                               static_cast<const T *>(outputs[index]));
  }
  template <typename T>
  Result<TensorView<const T>> output(std::string_view name) const {
    std::optional<size_t> index = model().findOutput(name);
    return index ? output<T>(*index)
                 : Result<TensorView<const T>>(
                       noSuch("output", name, raw->outputs, raw->num_outputs));
  }

  /// The instance's own memory of an input or output, whatever its type; null
  /// where it has none.
  void *inputMemory(size_t index) { return ownInputs[index]; }
  const void *outputMemory(size_t index) const { return ownOutputs[index]; }

  /// Makes runs read an input from memory of the caller's, or write an output
  /// there, until something else is bound: the tensor's bytes, in its layout.
  /// Null is the instance's own memory again. Inputs and outputs do not
  /// overlap.
  void bindInput(size_t index, const void *data) {
    assert(index < raw->num_inputs);
    inputs[index] = data ? data : ownInputs[index];
  }
  void bindOutput(size_t index, void *data) {
    assert(index < raw->num_outputs);
    outputs[index] = data ? data : ownOutputs[index];
  }

  /// Runs the model once on what its inputs hold. A failure is what the model
  /// says, or names what has no memory.
  Status run() { return run(records.empty() ? nullptr : &recorded); }
  /// The same with a trace of the caller's, to which a profiled model appends;
  /// null: nothing is measured.
  Status run(brisk_trace *trace) {
    for (uint32_t i = 0; i < raw->num_inputs; ++i)
      if (!inputs[i])
        return unbound("input", raw->inputs[i]);
    for (uint32_t i = 0; i < raw->num_outputs; ++i)
      if (!outputs[i])
        return unbound("output", raw->outputs[i]);
    brisk_hooks hooks = brisk_pool_hooks(pool.get());
    if (trace) {
      hooks.clock = brisk_clock_ns;
      hooks.trace = trace;
    }
    brisk_call call = {};
    call.size = sizeof call;
    call.inputs = inputs.data();
    call.outputs = outputs.data();
    call.memory = blocks.data();
    call.hooks = &hooks;
    return Status::of(raw->call(&call));
  }

  unsigned threads() const { return pool ? brisk_pool_threads(pool.get()) : 1; }
  /// Of all blocks that a run works in, inputs and outputs apart.
  uint64_t memoryBytes() const {
    uint64_t bytes = 0;
    for (const Buffer &block : memory)
      bytes += block.size();
    return bytes;
  }

  /// What runs have recorded since the last clearTrace, in nanoseconds of
  /// brisk_clock_ns; what found no room is counted.
  ArrayView<const brisk_record> trace() const {
    return {recorded.records, recorded.count};
  }
  uint64_t droppedRecords() const { return recorded.dropped; }
  void clearTrace() { brisk_trace_reset(&recorded); }

private:
  Instance() = default;

  static Result<Instance> create(const brisk_model &model,
                                 std::shared_ptr<brisk_library> library,
                                 Options options) {
    if (model.num_symbols || model.num_out_dims)
      return Status::failure(
          std::string("model '") + model.name +
          "' has extents that every call gives; call it through brisk_call");
    if (options.traceRecords && !model.profiled)
      return Status::failure(std::string("model '") + model.name +
                             "' records nothing; compile it with --profile");
    Instance instance;
    instance.raw = &model;
    instance.library = std::move(library);
    if (options.pool)
      instance.pool = options.pool->shared;
    Status status = instance.allocate(options);
    if (!status)
      return status;
    return instance;
  }

  Status allocate(const Options &options) {
    ownInputs.assign(raw->num_inputs, nullptr);
    ownOutputs.assign(raw->num_outputs, nullptr);
    for (uint32_t i = 0; i < raw->num_inputs && options.ownsInputs; ++i)
      if (Status status = add(raw->inputs[i].bytes, 64, own, ownInputs[i]);
          !status)
        return status;
    for (uint32_t i = 0; i < raw->num_outputs && options.ownsOutputs; ++i)
      if (Status status = add(raw->outputs[i].bytes, 64, own, ownOutputs[i]);
          !status)
        return status;
    inputs.assign(ownInputs.begin(), ownInputs.end());
    outputs = ownOutputs;
    blocks.assign(raw->num_memory, nullptr);
    for (uint32_t i = 0; i < raw->num_memory; ++i)
      if (Status status = add(brisk_memory_bytes(&raw->memory[i], threads()),
                              raw->memory[i].alignment, memory, blocks[i]);
          !status)
        return status;
    records.resize(options.traceRecords);
    brisk_trace_init(&recorded, records.data(), options.traceRecords);
    return Status();
  }

  static Status add(uint64_t bytes, uint64_t alignment,
                    std::vector<Buffer> &list, void *&pointer) {
    Result<Buffer> buffer = Buffer::create(bytes, alignment);
    if (!buffer)
      return buffer.status();
    pointer = buffer->data();
    list.push_back(*std::move(buffer));
    return Status();
  }

  static Status unbound(const char *kind, const brisk_tensor &tensor) {
    return Status::failure(std::string(kind) + " '" + tensor.name +
                           "' has no memory; bind some");
  }
  static Status noSuch(const char *kind, std::string_view name,
                       const brisk_tensor *tensors, uint32_t count) {
    std::string text = "there is no " + std::string(kind) + " '" +
                       std::string(name) + "'; the model has";
    for (uint32_t i = 0; i < count; ++i)
      text += std::string(i ? ", '" : " '") + tensors[i].name + "'";
    return Status::failure(count ? text : text + " none");
  }

  const brisk_model *raw = nullptr;
  std::shared_ptr<brisk_library> library;
  std::shared_ptr<brisk_pool> pool;
  std::vector<Buffer> own, memory;
  std::vector<void *> ownInputs, ownOutputs, blocks;
  std::vector<const void *> inputs; ///< own or bound
  std::vector<void *> outputs;
  std::vector<brisk_record> records;
  brisk_trace recorded = {};
};

} // namespace v1
} // namespace brisk

// NOLINTEND(readability-identifier-naming)

#endif // BRISK_BRISK_HPP
