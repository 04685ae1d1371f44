//===- FixShapes.cpp - Gives inputs and dimensions their values -----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Dialect/ModelAttrs.h"
#include "brisk/System/Text.h"
#include "brisk/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace brisk {
#define GEN_PASS_DEF_FIXSHAPES
#include "brisk/Transforms/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;

namespace {
/// A model input: its name, its type so far and its dimensions' names.
struct Input {
  StringRef name;
  BlockArgument arg;
  SmallVector<StringRef> dims;

  StringRef getDim(unsigned i) const { return i < dims.size() ? dims[i] : ""; }
};
} // namespace

static std::string quoteAll(ArrayRef<StringRef> names) {
  if (names.empty())
    return "none";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(names, os,
                        [&](StringRef n) { os << '\'' << n << '\''; });
  return text;
}

static bool parseShape(StringRef text, SmallVectorImpl<int64_t> &shape) {
  if (text == "scalar")
    return true;
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t dim;
    if (part.getAsInteger(10, dim) || dim < 0)
      return false;
    shape.push_back(dim);
  }
  return true;
}

namespace {
struct FixShapes : brisk::impl::FixShapesBase<FixShapes> {
  using FixShapesBase::FixShapesBase;

  void runOnOperation() override {
    for (func::FuncOp func : getOperation().getOps<func::FuncOp>())
      if (func.isPublic() && !func.isExternal() && failed(fix(func)))
        return signalPassFailure();
  }

  LogicalResult fix(func::FuncOp func) {
    SmallVector<Input> inputs;
    for (BlockArgument arg : func.getArguments())
      inputs.push_back({getInputName(func, arg.getArgNumber()), arg,
                        getDimNames(func, arg.getArgNumber())});
    llvm::MapVector<StringRef, int64_t> values;
    if (failed(readDims(func, inputs, values)) ||
        failed(applyShapes(func, inputs, values)))
      return failure();
    for (Input &input : inputs)
      if (failed(applyDims(input, values)))
        return failure();
    // A result may be an input as it is.
    Block &block = func.getBody().front();
    func.setFunctionType(
        FunctionType::get(&getContext(), block.getArgumentTypes(),
                          block.getTerminator()->getOperandTypes()));
    return success();
  }

  /// The values that `dims` give, by symbolic name.
  LogicalResult readDims(func::FuncOp func, ArrayRef<Input> inputs,
                         llvm::MapVector<StringRef, int64_t> &values) {
    SmallVector<StringRef> known;
    for (const Input &input : inputs)
      for (StringRef dim : input.dims)
        if (!dim.empty() && !llvm::is_contained(known, dim))
          known.push_back(dim);
    for (StringRef text : dims) {
      auto [name, value] = text.rsplit('=');
      int64_t number;
      if (name.empty() || value.getAsInteger(10, number) || number < 0)
        return func.emitError("malformed dimension '")
               << text << "', expected NAME=N";
      if (!llvm::is_contained(known, name))
        return func.emitError("no dimension is named '")
               << name
               << "'; the model's symbolic dimensions: " << quoteAll(known);
      if (failed(bind(name, number, values, func.getLoc())))
        return failure();
    }
    return success();
  }

  LogicalResult applyShapes(func::FuncOp func, MutableArrayRef<Input> inputs,
                            llvm::MapVector<StringRef, int64_t> &values) {
    for (StringRef text : shapes) {
      auto [name, value] = text.rsplit('=');
      SmallVector<int64_t> shape;
      if (name.empty() || !parseShape(value, shape))
        return func.emitError("malformed shape '")
               << text << "', expected NAME=1x3x224x224 or NAME=scalar";
      auto *input = llvm::find_if(
          inputs, [&](const Input &input) { return input.name == name; });
      if (input == inputs.end()) {
        SmallVector<StringRef> known;
        for (const Input &each : inputs)
          known.push_back(each.name);
        return func.emitError("no input is named '")
               << name << "'; the model's inputs: " << quoteAll(known);
      }
      if (failed(applyShape(*input, shape, values)))
        return failure();
    }
    return success();
  }

  LogicalResult applyShape(Input &input, ArrayRef<int64_t> shape,
                           llvm::MapVector<StringRef, int64_t> &values) {
    auto type = dyn_cast<TensorType>(input.arg.getType());
    if (!type)
      return emitError(input.arg.getLoc(), "input '")
             << input.name << "' has type " << input.arg.getType()
             << ", expected a tensor, which alone can be given a shape";
    // Whoever gave it this shape before has warned.
    bool isNew = !type.hasStaticShape();
    if (type.hasRank()) {
      bool agrees = type.getRank() == static_cast<int64_t>(shape.size());
      for (unsigned i = 0; agrees && i < shape.size(); ++i)
        agrees = type.isDynamicDim(i) || type.getDimSize(i) == shape[i];
      if (!agrees)
        return emitError(input.arg.getLoc(), "shape ")
               << formatShape(shape) << " given to input '" << input.name
               << "' contradicts the model's " << formatShape(type.getShape());
    }
    if (!brisk::isAddressable(shape))
      return emitError(input.arg.getLoc(), "shape ")
             << formatShape(shape) << " given to input '" << input.name
             << "' is larger than any memory";
    for (auto [i, dim] : llvm::enumerate(shape))
      if (StringRef name = input.getDim(i); !name.empty())
        if (failed(bind(name, dim, values, input.arg.getLoc(), isNew)))
          return failure();
    input.arg.setType(RankedTensorType::get(shape, type.getElementType()));
    return success();
  }

  LogicalResult applyDims(Input &input,
                          const llvm::MapVector<StringRef, int64_t> &values) {
    auto type = dyn_cast<RankedTensorType>(input.arg.getType());
    if (!type || type.hasStaticShape())
      return success();
    SmallVector<int64_t> shape(type.getShape());
    for (auto [i, dim] : llvm::enumerate(shape)) {
      const auto *value = values.find(input.getDim(i));
      if (ShapedType::isDynamic(dim) && value != values.end())
        dim = value->second;
    }
    if (!brisk::isAddressable(shape))
      return emitError(input.arg.getLoc(), "input '")
             << input.name << "' of shape " << formatShape(shape)
             << " is larger than any memory";
    input.arg.setType(type.clone(shape));
    return success();
  }

  LogicalResult bind(StringRef name, int64_t value,
                     llvm::MapVector<StringRef, int64_t> &values, Location loc,
                     bool warns = true) {
    auto [known, inserted] = values.insert({name, value});
    if (inserted || known->second == value)
      return success();
    // Two shapes may differ, where a name stands for things that have nothing
    // to do with each other; what a dimension is said to be must hold.
    bool isFixed = llvm::any_of(
        dims, [&](StringRef text) { return text.rsplit('=').first == name; });
    auto say = [&](InFlightDiagnostic diag) {
      diag << "dimension '" << name << "' is given as " << known->second
           << " and as " << value;
    };
    if (isFixed)
      say(emitError(loc));
    else if (warns)
      say(emitWarning(loc));
    return success(!isFixed);
  }
};
} // namespace
