//===- Import.cpp - ONNX models as brisk IR -------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Import/Import.h"
#include "GraphImporter.h"
#include "ModelFile.h"
#include "brisk/Dialect/Ops.h"
#include "brisk/Import/ModelName.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

namespace {
/// The newest opset of ai.onnx that the import table was written for.
constexpr int64_t newestOpset = 28;

class ModelImporter {
public:
  ModelImporter(StringRef path, MLIRContext &context, Location fileLoc,
                const ImportOptions &options)
      : context(context), fileLoc(fileLoc), options(options), builder(&context),
        tensors(&context, path, options.onRead) {}

  OwningOpRef<ModuleOp> run(StringRef path, StringRef name) {
    if (failed(readModel(path, fileLoc, model)) || failed(readOpsets()))
      return nullptr;
    GraphImporter graph(&context, model, fileLoc, tensors);
    if (failed(graph.checkExpansion()))
      return nullptr;
    graph.findUnsupported(opsets);
    OwningOpRef<ModuleOp> module = ModuleOp::create(fileLoc);
    builder.setInsertionPointToEnd(module->getBody());
    auto func = func::FuncOp::create(builder, fileLoc, name,
                                     builder.getFunctionType({}, {}));
    builder.setInsertionPointToEnd(func.addEntryBlock());
    Scope scope;
    if (failed(addInputs(func, scope, graph)))
      return nullptr;
    LogicalResult imported = graph.importGraph(
        model.graph(), Body{&opsets, nullptr, ""}, scope, builder);
    if (failed(graph.reportUnsupported()) || failed(imported) ||
        failed(addOutputs(func, scope, graph)) || failed(verify(*module)))
      return nullptr;
    return module;
  }

private:
  LogicalResult readOpsets() {
    for (const auto &opset : model.opset_import()) {
      StringRef domain = normalizeDomain(opset.domain());
      auto [known, inserted] = opsets.insert({domain, opset.version()});
      if (inserted || known->second == opset.version())
        continue;
      emitWarning(fileLoc, "model imports opset ")
          << known->second << " and opset " << opset.version() << " of domain '"
          << (domain.empty() ? "ai.onnx" : domain)
          << "'; the last is taken, as ONNX Runtime does";
      known->second = opset.version();
    }
    // Models before IR version 3 are written for the first one.
    if (opsets.empty() && model.ir_version() < 3)
      opsets[""] = 1;
    if (opsets.empty())
      return emitError(fileLoc, "model does not say which opset it uses "
                                "(opset_import is missing)");
    auto known = opsets.find("");
    if (known == opsets.end() ||
        (known->second >= 1 && known->second <= newestOpset))
      return success();
    return emitError(fileLoc, "model uses opset ")
           << known->second << "; 1 to " << newestOpset
           << " are supported: convert it with onnx.version_converter";
  }

  /// The tensor type that a value info declares; `dims` gets the names of its
  /// dimensions.
  FailureOr<TensorType> readType(const onnx::ValueInfoProto &info,
                                 StringRef what,
                                 SmallVectorImpl<Attribute> &dims) {
    Location loc = NameLoc::get(builder.getStringAttr(info.name()), fileLoc);
    if (!info.has_type() || !info.type().has_tensor_type())
      return emitError(loc) << what << " '" << info.name()
                            << "' is not declared as a tensor; only tensors "
                               "are supported";
    const auto &proto = info.type().tensor_type();
    Type element = onnximport::getElementType(&context, proto.elem_type());
    if (!element)
      return emitError(loc)
             << what << " '" << info.name() << "' has unsupported element type "
             << getDataTypeName(proto.elem_type());
    if (!proto.has_shape())
      return TensorType(UnrankedTensorType::get(element));
    SmallVector<int64_t> shape;
    for (const auto &dim : proto.shape().dim()) {
      bool known = dim.has_dim_value() && dim.dim_value() >= 0;
      shape.push_back(known ? dim.dim_value() : ShapedType::kDynamic);
      // Some exporters write "?" for dimensions that have nothing in common.
      bool named = !known && dim.dim_param() != "?";
      dims.push_back(builder.getStringAttr(named ? dim.dim_param() : ""));
    }
    if (!isAddressable(shape))
      return emitError(loc)
             << what << " '" << info.name() << "' is larger than any memory";
    return TensorType(RankedTensorType::get(shape, element));
  }

  /// An input's type with what the options say of it, where that fits.
  TensorType applyOptions(TensorType type, StringRef name,
                          ArrayRef<Attribute> dims) {
    auto given = options.shapes.find(name);
    bool isGiven = given != options.shapes.end();
    if (!type.hasRank())
      return isGiven && isAddressable(given->second)
                 ? type.cloneWith(ArrayRef(given->second),
                                  type.getElementType())
                 : type;
    SmallVector<int64_t> shape(type.getShape());
    if (isGiven && given->second.size() != shape.size())
      return type;
    for (auto [i, dim] : llvm::enumerate(shape)) {
      if (!ShapedType::isDynamic(dim))
        continue;
      auto symbol = options.dims.find(cast<StringAttr>(dims[i]).getValue());
      if (isGiven)
        dim = given->second[i];
      else if (symbol != options.dims.end())
        dim = symbol->second;
    }
    return isAddressable(shape) ? type.cloneWith(shape, type.getElementType())
                                : type;
  }

  /// Refuses a shape and a dimension that contradict each other, before inner
  /// nodes fail for it.
  LogicalResult checkOptions(StringRef name, ArrayRef<Attribute> dims) {
    auto given = options.shapes.find(name);
    if (given == options.shapes.end())
      return success();
    for (auto [dim, size] : llvm::zip(dims, given->second)) {
      auto symbol = options.dims.find(cast<StringAttr>(dim).getValue());
      if (symbol != options.dims.end() && symbol->second != size)
        return emitError(fileLoc, "dimension '")
               << symbol->getKey() << "' of input '" << name << "' is " << size
               << " by --shape and " << symbol->second << " by --dim";
    }
    return success();
  }

  /// Warns of dimensions of one name to which shapes give two sizes. The model
  /// may still be right: exporters use a name again for what has nothing to do
  /// with it.
  void warnOfOtherSizes(RankedTensorType type, ArrayRef<Attribute> dims,
                        Location loc) {
    for (auto [dim, size] : llvm::zip(dims, type.getShape())) {
      StringRef name = cast<StringAttr>(dim).getValue();
      if (name.empty())
        continue;
      auto [known, inserted] = sizes.insert({name, size});
      if (!inserted && known->second != size)
        emitWarning(loc, "dimension '")
            << name << "' is given as " << known->second << " and as " << size;
    }
  }

  LogicalResult addInputs(func::FuncOp func, Scope &scope,
                          GraphImporter &graph) {
    // What has an initializer is a constant, whether or not it could be given.
    llvm::StringSet<> initialized;
    for (const auto &tensor : model.graph().initializer())
      initialized.insert(tensor.name());
    for (const auto &tensor : model.graph().sparse_initializer())
      initialized.insert(tensor.values().name());
    llvm::StringSet<> names;
    Block &entry = func.getBody().front();
    // Given to the function at once: there may be thousands.
    SmallVector<DictionaryAttr> attributes;
    for (const auto &input : model.graph().input()) {
      if (input.name().empty())
        return emitError(fileLoc, "a graph input has no name");
      if (!names.insert(input.name()).second)
        return emitError(fileLoc, "graph has two inputs '")
               << input.name() << "'";
      if (initialized.contains(input.name()))
        continue;
      SmallVector<Attribute> dims;
      auto type = readType(input, "input", dims);
      if (failed(type) || failed(checkOptions(input.name(), dims)))
        return failure();
      *type = applyOptions(*type, input.name(), dims);
      if (auto ranked = dyn_cast<RankedTensorType>(*type);
          ranked && options.shapes.contains(input.name()))
        warnOfOtherSizes(ranked, dims, graph.getNamedLoc(input.name()));
      attributes.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr(BriskDialect::nameAttrName,
                                builder.getStringAttr(input.name())),
           builder.getNamedAttr(BriskDialect::dimsAttrName,
                                builder.getArrayAttr(dims))}));
      scope.define(input.name(),
                   entry.addArgument(*type, graph.getNamedLoc(input.name())));
    }
    func.setFunctionType(builder.getFunctionType(entry.getArgumentTypes(), {}));
    func.setAllArgAttrs(attributes);
    return success();
  }

  LogicalResult addOutputs(func::FuncOp func, Scope &scope,
                           GraphImporter &graph) {
    SmallVector<Value> results;
    SmallVector<DictionaryAttr> attributes;
    llvm::StringSet<> names;
    if (model.graph().output().empty())
      return emitError(fileLoc, "graph has no outputs");
    for (const auto &output : model.graph().output()) {
      Location loc = graph.getNamedLoc(output.name());
      std::optional<Value> value = scope.lookup(output.name());
      if (!value)
        return emitError(loc, "output '")
               << output.name()
               << "' is no graph input, initializer or output of a node";
      if (!names.insert(output.name()).second)
        return emitError(loc, "graph has two outputs '")
               << output.name() << "'";
      if (failed(checkOutput(*value, output)))
        return failure();
      results.push_back(*value);
      attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
          BriskDialect::nameAttrName, builder.getStringAttr(output.name()))));
    }
    func::ReturnOp::create(builder, fileLoc, results);
    func.setFunctionType(
        builder.getFunctionType(func.getArgumentTypes(), ValueRange(results)));
    func.setAllResultAttrs(attributes);
    return success();
  }

  /// Holds a result's type against what the model declares. Its shape is the
  /// inferred one whatever that says: ONNX Runtime, too, runs such models.
  LogicalResult checkOutput(Value value, const onnx::ValueInfoProto &output) {
    // A model may leave the types of its outputs to be inferred.
    if (!output.has_type())
      return success();
    SmallVector<Attribute> dims;
    auto declared = readType(output, "output", dims);
    if (failed(declared))
      return failure();
    auto type = cast<TensorType>(value.getType());
    // Whoever declared another type relies on one that no run can give.
    if (declared->getElementType() != type.getElementType())
      return emitError(value.getLoc(), "output '")
             << output.name() << "' is declared with element type "
             << declared->getElementType() << " and computed as "
             << type.getElementType();
    if (failed(verifyCompatibleShape(*declared, type)))
      emitWarning(value.getLoc(), "output '")
          << output.name() << "' is declared as " << *declared
          << " and computed as " << type << ", which it is taken to be";
    return success();
  }

  MLIRContext &context;
  Location fileLoc;
  const ImportOptions &options;
  OpBuilder builder;
  TensorReader tensors;
  onnx::ModelProto model;
  OpsetMap opsets;
  /// Sizes of named dimensions, by the shapes that are given.
  llvm::StringMap<int64_t> sizes;
};
} // namespace

OwningOpRef<ModuleOp> brisk::importModel(StringRef path, MLIRContext &context,
                                         const ImportOptions &options) {
  context.loadDialect<BriskDialect, func::FuncDialect>();
  Location fileLoc = FileLineColLoc::get(&context, path, 0, 0);
  std::string name = options.name.empty()
                         ? makeModelName(llvm::sys::path::stem(path))
                         : options.name;
  return ModelImporter(path, context, fileLoc, options).run(path, name);
}
