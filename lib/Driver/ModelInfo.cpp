//===- ModelInfo.cpp - What the package says of a model --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelInfo.h"
#include "brisk/Dialect/Elements.h"
#include "brisk/Lowering/Plan.h"
#include "brisk/System/Text.h"
#include "brisk/model.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace brisk;

/// The number of an element type in ONNX's TensorProto.DataType.
static unsigned getDtype(mlir::Type type) {
  if (type.isF16())
    return BRISK_F16;
  if (type.isBF16())
    return BRISK_BF16;
  if (type.isF64())
    return BRISK_F64;
  if (type.isF32())
    return BRISK_F32;
  bool isUnsigned = type.isUnsignedInteger();
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return BRISK_BOOL;
  case 8:
    return isUnsigned ? BRISK_U8 : BRISK_I8;
  case 16:
    return isUnsigned ? BRISK_U16 : BRISK_I16;
  case 32:
    return isUnsigned ? BRISK_U32 : BRISK_I32;
  default:
    return isUnsigned ? BRISK_U64 : BRISK_I64;
  }
}

/// A name that is text and, in C, as long as it is here.
static std::string getName(mlir::StringAttr name) {
  std::string text;
  for (char c : validUtf8(name.getValue()))
    text += c ? std::string(1, c) : "\uFFFD";
  return text;
}

ModelInfo brisk::readModelInfo(mlir::ModuleOp module, const Target &target,
                               bool profiled) {
  ModelInfo model;
  model.target = target.getName();
  model.alignment = target.getCodegenInfo().alignment;
  model.profiled = profiled;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!function.isPublic())
      continue;
    model.name = function.getName();
    auto integer = [&](llvm::StringRef attr) {
      return function->getAttrOfType<mlir::IntegerAttr>(attr).getInt();
    };
    model.arenaBytes = integer(arenaBytesAttrName);
    model.weightsBytes = integer(weightsBytesAttrName);
    auto read = [&](llvm::StringRef types, llvm::StringRef names,
                    std::vector<ModelInfo::Tensor> &tensors) {
      for (auto [type, name] :
           llvm::zip_equal(function->getAttrOfType<mlir::ArrayAttr>(types),
                           function->getAttrOfType<mlir::ArrayAttr>(names))) {
        auto tensor = mlir::cast<mlir::RankedTensorType>(
            mlir::cast<mlir::TypeAttr>(type).getValue());
        tensors.push_back({getName(mlir::cast<mlir::StringAttr>(name)),
                           tensor.getShape().vec(),
                           getDtype(tensor.getElementType()),
                           static_cast<uint64_t>(tensor.getNumElements()) *
                               getElementBytes(tensor.getElementType())});
      }
    };
    read(inputTypesAttrName, inputNamesAttrName, model.inputs);
    read(outputTypesAttrName, outputNamesAttrName, model.outputs);
  }
  if (auto ops = module->getAttrOfType<mlir::ArrayAttr>(opsAttrName))
    for (auto op : ops.getAsRange<mlir::DictionaryAttr>()) {
      auto text = [&](llvm::StringRef key) {
        return getName(op.getAs<mlir::StringAttr>(key));
      };
      auto number = [&](llvm::StringRef key) -> uint64_t {
        return op.getAs<mlir::IntegerAttr>(key).getInt();
      };
      model.ops.push_back({text("name"), text("type"), text("kernel"),
                           number("flops"), number("bytes")});
    }
  return model;
}

namespace {
/// Builds the structs of brisk/model.h as constants.
class DescriptorBuilder {
public:
  DescriptorBuilder(llvm::Module &module)
      : module(module), context(module.getContext()),
        pointer(llvm::PointerType::get(context, 0)),
        i32(llvm::Type::getInt32Ty(context)),
        i64(llvm::Type::getInt64Ty(context)) {}

  llvm::Constant *number32(uint64_t value) {
    return llvm::ConstantInt::get(i32, value);
  }
  llvm::Constant *number64(uint64_t value) {
    return llvm::ConstantInt::get(i64, value);
  }
  llvm::Constant *null() { return llvm::ConstantPointerNull::get(pointer); }

  llvm::Constant *string(llvm::StringRef text) {
    return hold(llvm::ConstantDataArray::getString(context, text));
  }
  llvm::Constant *dims(llvm::ArrayRef<int64_t> values) {
    if (values.empty())
      return null();
    std::vector<uint64_t> bits(values.begin(), values.end());
    return hold(llvm::ConstantDataArray::get(context, bits));
  }
  llvm::Constant *structure(llvm::ArrayRef<llvm::Constant *> fields) {
    return llvm::ConstantStruct::getAnon(context, fields);
  }
  /// An array of structs of one type; null for none.
  llvm::Constant *array(llvm::ArrayRef<llvm::Constant *> items) {
    if (items.empty())
      return null();
    return hold(llvm::ConstantArray::get(
        llvm::ArrayType::get(items.front()->getType(), items.size()), items));
  }
  llvm::Constant *tensors(llvm::ArrayRef<ModelInfo::Tensor> list) {
    std::vector<llvm::Constant *> items;
    for (const ModelInfo::Tensor &tensor : list)
      items.push_back(structure(
          {string(tensor.name), dims(tensor.dims), number32(tensor.dims.size()),
           number32(tensor.dtype), number64(tensor.bytes)}));
    return array(items);
  }

  llvm::PointerType *getPointer() { return pointer; }

private:
  llvm::Constant *hold(llvm::Constant *value) {
    auto *global =
        new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                 llvm::GlobalValue::PrivateLinkage, value);
    return global;
  }

  llvm::Module &module;
  llvm::LLVMContext &context;
  llvm::PointerType *pointer;
  llvm::Type *i32, *i64;
};
} // namespace

std::unique_ptr<llvm::Module>
brisk::buildDescriptor(const ModelInfo &model, const llvm::DataLayout &layout,
                       llvm::LLVMContext &context, bool withGetter) {
  auto module = std::make_unique<llvm::Module>(model.name, context);
  module->setDataLayout(layout);
  DescriptorBuilder b(*module);
  auto *run = llvm::Function::Create(
      llvm::FunctionType::get(
          llvm::Type::getInt32Ty(context),
          {b.getPointer(), b.getPointer(), b.getPointer(), b.getPointer()},
          false),
      llvm::GlobalValue::ExternalLinkage, model.name + "_run", *module);
  // Names cost flash: only models that are profiled carry them.
  std::vector<llvm::Constant *> ops;
  if (model.profiled)
    for (const ModelInfo::Op &op : model.ops)
      ops.push_back(b.structure({b.string(op.name), b.string(op.type),
                                 b.string(op.kernel), b.number64(op.flops),
                                 b.number64(op.bytes)}));
  llvm::Constant *descriptor = b.structure(
      {b.number32(BRISK_ABI_VERSION), b.number32(model.profiled),
       b.string(model.name), b.string(model.target), b.tensors(model.inputs),
       b.tensors(model.outputs), b.array(ops), b.number32(model.inputs.size()),
       b.number32(model.outputs.size()), b.number32(ops.size()),
       b.number32(model.alignment), b.number64(model.arenaBytes),
       b.number64(model.weightsBytes), run, b.string(model.cpuFeatures),
       b.string(model.compiler), b.string(model.sourceSha256),
       b.string(model.flags)});
  auto *global = new llvm::GlobalVariable(
      *module, descriptor->getType(), /*isConstant=*/true,
      llvm::GlobalValue::ExternalLinkage, descriptor, model.name + "_model");
  if (withGetter) {
    auto *getter = llvm::Function::Create(
        llvm::FunctionType::get(b.getPointer(), false),
        llvm::GlobalValue::ExternalLinkage, BRISK_MODEL_GET_SYMBOL, *module);
    llvm::IRBuilder<> builder(
        llvm::BasicBlock::Create(context, "entry", getter));
    builder.CreateRet(global);
  }
  return module;
}

/// Prints what comes from outside, which must neither end nor begin a comment.
static void printInComment(llvm::StringRef text, llvm::raw_ostream &os) {
  for (char c : printable(text))
    os << (c == '*' ? '?' : c);
}

void brisk::writeHeader(const ModelInfo &model, uint64_t stackBytes,
                        llvm::raw_ostream &os) {
  std::string upper = llvm::StringRef(model.name).upper();
  os << "/* The compiled model '" << model.name << "', made by "
     << model.compiler << "\n   with ";
  printInComment(model.flags, os);
  os << "\n   from a source of SHA-256 " << model.sourceSha256 << ". */\n"
     << "#ifndef " << model.name << "_MODEL_H\n#define " << model.name
     << "_MODEL_H\n\n"
     << "#include \"brisk/model.h\"\n\n"
     << "#ifdef " << upper << "_ARENA_BYTES\n#error \"another model has the "
     << "name '" << model.name << "' but for its case; give one another --name"
     << "\"\n#endif\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "#define " << upper << "_ARENA_BYTES " << model.arenaBytes << "u\n"
     << "#define " << upper << "_ARENA_ALIGNMENT " << model.alignment << "u\n"
     << "#define " << upper << "_WEIGHTS_BYTES " << model.weightsBytes << "u\n"
     << "/* Of the caller's stack, without what hooks, memcpy and helper "
        "routines take. */\n"
     << "#define " << upper << "_STACK_BYTES " << stackBytes << "u\n"
     << "#define " << upper << "_NUM_INPUTS " << model.inputs.size() << "u\n"
     << "#define " << upper << "_NUM_OUTPUTS " << model.outputs.size() << "u\n";
  if (model.profiled)
    os << "#define " << upper << "_NUM_OPS " << model.ops.size() << "u\n";
  static const std::pair<unsigned, const char *> types[] = {
      {BRISK_F32, "float"},    {BRISK_F64, "double"},
      {BRISK_F16, "uint16_t"}, {BRISK_BF16, "uint16_t"},
      {BRISK_BOOL, "uint8_t"}, {BRISK_U8, "uint8_t"},
      {BRISK_I8, "int8_t"},    {BRISK_U16, "uint16_t"},
      {BRISK_I16, "int16_t"},  {BRISK_U32, "uint32_t"},
      {BRISK_I32, "int32_t"},  {BRISK_U64, "uint64_t"},
      {BRISK_I64, "int64_t"}};
  auto list = [&](llvm::StringRef kind,
                  llvm::ArrayRef<ModelInfo::Tensor> tensors) {
    for (auto [i, tensor] : llvm::enumerate(tensors)) {
      std::string prefix = (upper + "_" + kind + "_" + llvm::Twine(i)).str();
      os << "\n/* ";
      printInComment(tensor.name, os);
      os << ": ";
      for (auto [d, dim] : llvm::enumerate(tensor.dims))
        os << (d ? "x" : "") << dim;
      if (tensor.dims.empty())
        os << "scalar";
      os << " */\n";
      for (auto [dtype, type] : types)
        if (dtype == tensor.dtype)
          os << "typedef " << type << " " << model.name << "_" << kind.lower()
             << "_" << i << "_t;\n";
      uint64_t elements = 1;
      for (int64_t dim : tensor.dims)
        elements *= dim;
      os << "#define " << prefix << "_BYTES " << tensor.bytes << "u\n"
         << "#define " << prefix << "_ELEMENTS " << elements << "u\n";
    }
  };
  list("INPUT", model.inputs);
  list("OUTPUT", model.outputs);
  os << "\nextern const brisk_model " << model.name << "_model;\n\n"
     << "/* See brisk_run in brisk/model.h. */\n"
     << "int " << model.name
     << "_run(const void *const *inputs, void *const *outputs,\n"
     << "    void *arena, const brisk_hooks *hooks);\n\n"
     << "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
}
