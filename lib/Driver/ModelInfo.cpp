//===- ModelInfo.cpp - What the package says of a model -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelInfo.h"
#include "brisk/Lowering/Plan.h"
#include "brisk/Lowering/Structs.h"
#include "brisk/System/Text.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/FormatVariadic.h"

using namespace brisk;

std::string brisk::getCleanName(mlir::StringAttr name) {
  std::string text;
  for (char c : validUtf8(name.getValue()))
    text += c ? std::string(1, c) : "\uFFFD";
  return text;
}

/// The interface's number of a phase.
static uint32_t getPhase(Phase phase) {
  switch (phase) {
  case Phase::Inference:
    return BRISK_PHASE_INFERENCE;
  case Phase::Pre:
    return BRISK_PHASE_PRE;
  case Phase::Post:
    return BRISK_PHASE_POST;
  }
  llvm_unreachable("all phases are listed");
}

uint64_t brisk::sumBytes(llvm::ArrayRef<PortAttr> tensors) {
  uint64_t sum = 0;
  for (PortAttr tensor : tensors)
    sum += getByteSize(tensor.getType());
  return sum;
}

ModelInfo brisk::readModelInfo(mlir::ModuleOp module, const Target &target,
                               bool profiled) {
  ModelInfo model;
  model.target = target.name;
  model.alignment = target.platform.alignment;
  model.profiled = profiled;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    model.name = function.getName();
    if (auto memory =
            function->getAttrOfType<MemoryAttr>(BriskDialect::memoryAttrName)) {
      model.workerBytes = memory.getBytesPerWorker();
      model.arenaBytes = memory.getBytes() + model.workerBytes;
    }
    if (auto interface = function->getAttrOfType<InterfaceAttr>(
            BriskDialect::interfaceAttrName)) {
      llvm::append_range(model.inputs,
                         interface.getInputs().getAsRange<PortAttr>());
      llvm::append_range(model.outputs,
                         interface.getOutputs().getAsRange<PortAttr>());
    }
  }
  model.weightsBytes = getWeightsBytes(module, model.alignment);
  if (auto ops =
          module->getAttrOfType<mlir::ArrayAttr>(BriskDialect::opsAttrName))
    llvm::append_range(model.ops, ops.getAsRange<OpInfoAttr>());
  return model;
}

namespace {
/// Builds the structs of brisk/model.h as constants.
class DescriptorBuilder {
public:
  DescriptorBuilder(llvm::Module &module)
      : module(module), context(module.getContext()),
        pointer(llvm::PointerType::get(context, 0)) {}

  /// A struct with some of its fields set, and 0 or null in the others.
  template <typename Struct> class Constant {
  public:
    explicit Constant(DescriptorBuilder &b) {
      for (FieldKind kind : getFieldKinds<Struct>())
        fields.push_back(llvm::Constant::getNullValue(
            kind == FieldKind::Pointer
                ? static_cast<llvm::Type *>(b.pointer)
                : llvm::IntegerType::get(b.context, static_cast<int>(kind))));
    }
    template <typename Field>
    Constant &set(Field Struct::*field, llvm::Constant *value) {
      fields[getFieldIndex(field)] = value;
      return *this;
    }
    template <typename Field>
    Constant &set(Field Struct::*field, uint64_t value) {
      llvm::Constant *&place = fields[getFieldIndex(field)];
      place = llvm::ConstantInt::get(place->getType(), value);
      return *this;
    }
    llvm::Constant *get() const {
      return llvm::ConstantStruct::getAnon(fields);
    }

  private:
    std::vector<llvm::Constant *> fields;
  };

  template <typename Struct> Constant<Struct> make() {
    return Constant<Struct>(*this);
  }
  llvm::Constant *string(llvm::StringRef text) {
    return hold(llvm::ConstantDataArray::getString(context, text));
  }
  /// An array of numbers; null for none.
  llvm::Constant *numbers(llvm::ArrayRef<int64_t> values) {
    if (values.empty())
      return llvm::ConstantPointerNull::get(pointer);
    std::vector<uint64_t> bits(values.begin(), values.end());
    return hold(llvm::ConstantDataArray::get(context, bits));
  }
  /// An array of a struct for each item; null for none.
  template <typename Items, typename Make>
  llvm::Constant *array(const Items &items, Make makeItem) {
    std::vector<llvm::Constant *> constants;
    for (const auto &item : items)
      constants.push_back(makeItem(item).get());
    if (constants.empty())
      return llvm::ConstantPointerNull::get(pointer);
    return hold(llvm::ConstantArray::get(
        llvm::ArrayType::get(constants.front()->getType(), constants.size()),
        constants));
  }
  llvm::Constant *tensors(llvm::ArrayRef<PortAttr> ports) {
    return array(ports, [&](PortAttr port) {
      llvm::ArrayRef<int64_t> dims = port.getType().getShape();
      std::vector<int64_t> strides(dims.size(), 1);
      for (size_t d = strides.size(); d-- > 1;)
        strides[d - 1] = strides[d] * dims[d];
      const ElementType *element =
          findElementType(port.getType().getElementType());
      return make<brisk_tensor>()
          .set(&brisk_tensor::name, string(getCleanName(port.getName())))
          .set(&brisk_tensor::dims, numbers(dims))
          .set(&brisk_tensor::strides, numbers(strides))
          .set(&brisk_tensor::rank, dims.size())
          .set(&brisk_tensor::dtype, element->dtype)
          .set(&brisk_tensor::bits, element->bits)
          .set(&brisk_tensor::bytes, getByteSize(port.getType()));
    });
  }

  llvm::PointerType *getPointer() { return pointer; }

private:
  llvm::Constant *hold(llvm::Constant *value) {
    return new llvm::GlobalVariable(module, value->getType(),
                                    /*isConstant=*/true,
                                    llvm::GlobalValue::PrivateLinkage, value);
  }

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::PointerType *pointer;
};
} // namespace

void brisk::addDescriptor(llvm::Module &module, const ModelInfo &model,
                          bool withGetter) {
  DescriptorBuilder b(module);
  ModelSymbols symbols(model.name);
  llvm::Constant *call = module.getFunction(symbols.call());
  assert(call && "the descriptor goes with the model's function");
  // Names cost flash: only models that are profiled carry them.
  llvm::ArrayRef<OpInfoAttr> ops;
  if (model.profiled)
    ops = model.ops;
  llvm::Constant *opTable = b.array(ops, [&](OpInfoAttr op) {
    return b.make<brisk_op>()
        .set(&brisk_op::name, b.string(getCleanName(op.getName())))
        .set(&brisk_op::type, b.string(op.getType().getValue()))
        .set(&brisk_op::kernel, b.string(op.getKernel().getValue()))
        .set(&brisk_op::flops, op.getFlops())
        .set(&brisk_op::bytes, op.getBytes())
        .set(&brisk_op::phase, getPhase(op.getPhase()));
  });
  auto arena =
      b.make<brisk_memory>()
          .set(&brisk_memory::kind, BRISK_MEMORY_ARENA)
          .set(&brisk_memory::alignment, model.alignment)
          .set(&brisk_memory::bytes, model.arenaBytes - model.workerBytes)
          .set(&brisk_memory::bytes_per_worker, model.workerBytes);
  llvm::Constant *descriptor =
      b.make<brisk_model>()
          .set(&brisk_model::abi_version, BRISK_ABI_VERSION)
          .set(&brisk_model::profiled, model.profiled)
          .set(&brisk_model::name, b.string(model.name))
          .set(&brisk_model::target, b.string(model.target))
          .set(&brisk_model::inputs, b.tensors(model.inputs))
          .set(&brisk_model::outputs, b.tensors(model.outputs))
          .set(&brisk_model::memory, b.array(llvm::ArrayRef(arena),
                                             [](auto &block) { return block; }))
          .set(&brisk_model::ops, opTable)
          .set(&brisk_model::num_inputs, model.inputs.size())
          .set(&brisk_model::num_outputs, model.outputs.size())
          .set(&brisk_model::num_memory, 1)
          .set(&brisk_model::num_ops, ops.size())
          .set(&brisk_model::weights_bytes, model.weightsBytes)
          .set(&brisk_model::call, call)
          .set(&brisk_model::cpu_features, b.string(model.cpuFeatures))
          .set(&brisk_model::compiler, b.string(model.compiler))
          .set(&brisk_model::source_sha256, b.string(model.sourceSha256))
          .set(&brisk_model::flags, b.string(model.flags))
          .get();
  auto *global = new llvm::GlobalVariable(
      module, descriptor->getType(), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, descriptor, symbols.descriptor());
  if (!withGetter)
    return;
  auto *getter = llvm::Function::Create(
      llvm::FunctionType::get(b.getPointer(), false),
      llvm::GlobalValue::ExternalLinkage, BRISK_MODEL_GET_SYMBOL, module);
  llvm::IRBuilder<> builder(
      llvm::BasicBlock::Create(module.getContext(), "entry", getter));
  builder.CreateRet(global);
}

/// What comes from outside, which must neither end nor begin a comment.
static std::string inComment(llvm::StringRef text) {
  std::string shown = printable(text);
  llvm::replace(shown, '*', '?');
  return shown;
}

void brisk::writeHeader(const ModelInfo &model, uint64_t stackBytes,
                        llvm::raw_ostream &os) {
  ModelSymbols symbols(model.name);
  std::string upper = llvm::StringRef(model.name).upper();
  os << llvm::formatv(R"(/* The compiled model '{0}', made by {2}
   with {3}
   from a source of SHA-256 {4}. */
#ifndef {0}_MODEL_H
#define {0}_MODEL_H

#include "brisk/model.h"

#ifdef {1}_ARENA_BYTES
#error "another model has the name '{0}' but for its case; give one another --name"
#endif

#ifdef __cplusplus
extern "C" {{
#endif

/* For one worker; each more of brisk_hooks.workers takes WORKER_BYTES more. */
#define {1}_ARENA_BYTES {5}u
#define {1}_WORKER_BYTES {6}u
#define {1}_ARENA_ALIGNMENT {7}u
#define {1}_WEIGHTS_BYTES {8}u
/* Of the caller's stack, without what hooks, memcpy and helper routines take. */
#define {1}_STACK_BYTES {9}u
#define {1}_NUM_INPUTS {10}u
#define {1}_NUM_OUTPUTS {11}u
)",
                      model.name, upper, model.compiler, inComment(model.flags),
                      model.sourceSha256, model.arenaBytes, model.workerBytes,
                      model.alignment, model.weightsBytes, stackBytes,
                      model.inputs.size(), model.outputs.size());
  if (model.profiled)
    os << "#define " << upper << "_NUM_OPS " << model.ops.size() << "u\n";
  auto list = [&](llvm::StringRef kind, llvm::ArrayRef<PortAttr> ports) {
    for (auto [i, port] : llvm::enumerate(ports)) {
      mlir::RankedTensorType type = port.getType();
      os << llvm::formatv(
          R"(
/* {0}: {1} */
typedef {2} {3}_{4}_{5}_t;
#define {6}_{7}_{5}_BYTES {8}u
#define {6}_{7}_{5}_ELEMENTS {9}u
)",
          inComment(getCleanName(port.getName())), formatShape(type.getShape()),
          findElementType(type.getElementType())->cType, model.name, kind, i,
          upper, kind.upper(), getByteSize(type), type.getNumElements());
    }
  };
  list("input", model.inputs);
  list("output", model.outputs);
  os << llvm::formatv(R"(
extern const brisk_model {0};

/* See brisk_call in brisk/model.h. */
int {1}(const brisk_call *call);

/* See brisk_run in brisk/model.h. */
static inline int {2}_run(const void *const *inputs, void *const *outputs,
                          void *arena, const brisk_hooks *hooks) {{
  return brisk_run({1}, inputs, outputs, arena, hooks);
}

#ifdef __cplusplus
}
#endif

#endif
)",
                      symbols.descriptor(), symbols.call(), model.name);
}
