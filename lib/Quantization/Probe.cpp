//===- Probe.cpp - A compiled model that is looked into -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Probe.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Dialect/ModelAttrs.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace brisk;

func::FuncOp brisk::getModelFunction(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic())
      return function;
  return nullptr;
}

llvm::Expected<CalibrationData> brisk::readSamples(func::FuncOp function,
                                                   StringRef path) {
  SmallVector<InputType> inputs;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    auto type = cast<RankedTensorType>(function.getArgument(i).getType());
    inputs.push_back({getInputName(function, i).str(),
                      findElementType(type.getElementType())->dtype,
                      SmallVector<int64_t>(type.getShape())});
  }
  return CalibrationData::read(path, inputs);
}

/// What callers see is called by its place.
static DictionaryAttr makeName(Builder b, StringRef kind, unsigned number) {
  return b.getDictionaryAttr(
      b.getNamedAttr(BriskDialect::nameAttrName,
                     b.getStringAttr("brisk." + kind + "." + Twine(number))));
}

void brisk::addResults(func::FuncOp function, ValueRange values) {
  Operation *end = function.getBody().front().getTerminator();
  for (Value value : values) {
    unsigned number = function.getNumResults();
    (void)function.insertResult(
        number, value.getType(),
        makeName(Builder(function.getContext()), "probe", number));
    end->insertOperands(end->getNumOperands(), value);
  }
}

Value brisk::addSwitch(func::FuncOp function) {
  Builder b(function.getContext());
  unsigned number = function.getNumArguments();
  auto type = RankedTensorType::get({}, b.getI1Type());
  (void)function.insertArgument(number, type, makeName(b, "switch", number),
                                function.getLoc());
  return function.getArgument(number);
}

/// Gives the module constants of its own: those of copies are shared, and
/// compiling frees what it has packed.
static void copyConstants(ModuleOp module) {
  module.walk([](ConstantOp constant) {
    ElementsAttr value = constant.getValue();
    if (!isa<DenseResourceElementsAttr>(value))
      return;
    constant.setValueAttr(makeElements(cast<RankedTensorType>(value.getType()),
                                       ElementBytes(value).bytes()));
  });
}

llvm::Expected<Probe> Probe::create(ModuleOp module,
                                    const CalibrationData &data,
                                    CompileFunction compile) {
  copyConstants(module);
  auto library = compile(module);
  if (!library)
    return library.takeError();
  Probe probe(std::move(*library), data);
  auto instance = execution::Instance::create(**probe.library, /*threads=*/0);
  if (!instance)
    return instance.takeError();
  probe.instance.emplace(std::move(*instance));
  probe.inputs = data.countInputs();
  return probe;
}

void Probe::set(unsigned number, bool value) {
  char byte = value;
  instance->setInput(inputs + number, ArrayRef(byte));
}

llvm::Error Probe::run(uint64_t sample) {
  for (unsigned i = 0; i < inputs; ++i)
    instance->setInput(i, data->get(sample, i));
  return instance->run().takeError();
}

ArrayRef<float> Probe::floats(unsigned index) const {
  ArrayRef<char> bytes = instance->output(index).data;
  return {reinterpret_cast<const float *>(bytes.data()),
          bytes.size() / sizeof(float)};
}
