//===- Node.h - An ONNX node as a handler sees it ---------------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a handler imports one node with: its inputs as values, its attributes,
// and ways to make ops whose types are inferred. Nothing here ends the program:
// a mistake is reported once at the node, after which making ops does nothing,
// so handlers compose freely and need not check.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_IMPORT_NODE_H
#define BRISK_LIB_IMPORT_NODE_H

#include "Onnx.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"

#include <optional>

namespace brisk::onnximport {

class GraphImporter;

/// What a handler returns: the node's outputs in order, or failure.
class Results {
public:
  Results(mlir::Value value) : values({value}) {}
  Results(mlir::ValueRange range) : values(range.begin(), range.end()) {}
  Results(llvm::SmallVector<mlir::Value> list) : values(std::move(list)) {}
  Results(std::initializer_list<mlir::Value> list) : values(list) {}
  /// An error, reported already.
  Results(mlir::InFlightDiagnostic &&) : failed(true) {}
  Results(llvm::LogicalResult result) : failed(llvm::failed(result)) {}

  llvm::SmallVector<mlir::Value> values;
  bool failed = false;
};

/// The attributes that a call gives to the nodes of a function's body.
using AttributeMap = llvm::StringMap<const onnx::AttributeProto *>;

class Node {
public:
  Node(GraphImporter &importer, const onnx::NodeProto &proto, int64_t opset,
       mlir::Location loc, mlir::OpBuilder &builder,
       llvm::ArrayRef<mlir::Value> inputs, const AttributeMap *callAttributes);

  GraphImporter &importer;
  const onnx::NodeProto &proto;
  /// Version of the operator set that the node is written for.
  const int64_t opset;
  const mlir::Location loc;
  mlir::OpBuilder &builder;

  //===--------------------------------------------------------------------===//
  // Errors
  //===--------------------------------------------------------------------===//

  /// Begins an error at the node, which its location names. What comes after
  /// the first follows from it, and is not reported.
  mlir::InFlightDiagnostic error();
  /// An error was reported.
  bool isBroken() const { return broken; }
  /// A value to go on with after an error.
  mlir::Value poison();

  //===--------------------------------------------------------------------===//
  // Inputs and outputs
  //===--------------------------------------------------------------------===//

  unsigned getNumInputs() const { return inputs.size(); }
  /// An input that must be there.
  mlir::Value in(unsigned i);
  /// An input that may be absent: null then.
  mlir::Value maybe(unsigned i);
  /// Runs a handler with 16-bit floats among the inputs widened; its results
  /// are rounded once, to the type of the first input.
  Results inF32(Results (*handler)(Node &));
  /// What the node would be, with its attributes, as `op` of ai.onnx in an
  /// operator set, on these inputs.
  Results call(llvm::StringRef op, int64_t version,
               llvm::ArrayRef<mlir::Value> operands);
  /// All inputs, at least `least`.
  llvm::SmallVector<mlir::Value> all(unsigned least = 1);
  unsigned getNumOutputs() const { return proto.output_size(); }
  bool hasOutput(unsigned i) const {
    return i < getNumOutputs() && !proto.output(i).empty();
  }

  //===--------------------------------------------------------------------===//
  // Attributes
  //===--------------------------------------------------------------------===//

  bool has(llvm::StringRef name);
  int64_t getInt(llvm::StringRef name, int64_t otherwise);
  bool getFlag(llvm::StringRef name, bool otherwise = false) {
    return getInt(name, otherwise) != 0;
  }
  double getFloat(llvm::StringRef name, double otherwise);
  std::string getString(llvm::StringRef name, llvm::StringRef otherwise);
  /// The enum's value that an attribute names; an error if it names none.
  template <typename Enum>
  Enum getEnum(llvm::StringRef name, llvm::StringRef otherwise,
               std::optional<Enum> (*symbolize)(llvm::StringRef)) {
    std::string text = getString(name, otherwise);
    std::optional<Enum> value = symbolize(text);
    if (value)
      return *value;
    mlir::InFlightDiagnostic diagnostic = error();
    diagnostic << name << " '" << text << "' is not known, expected one of";
    llvm::StringRef known;
    for (uint32_t i = 0; !(known = stringifyEnum(Enum(i))).empty(); ++i)
      diagnostic << (i ? ", " : " ") << known;
    return Enum();
  }
  std::optional<llvm::SmallVector<int64_t>> getInts(llvm::StringRef name);
  std::optional<llvm::SmallVector<float>> getFloats(llvm::StringRef name);
  std::optional<llvm::SmallVector<std::string>>
  getStrings(llvm::StringRef name);
  const onnx::GraphProto *getGraph(llvm::StringRef name);
  /// An attribute as it is, null if absent.
  const onnx::AttributeProto *
  getAttribute(llvm::StringRef name,
               std::optional<onnx::AttributeProto::AttributeType> type = {});
  /// The values of a tensor that belongs to the node.
  mlir::FailureOr<mlir::ElementsAttr>
  readTensor(const onnx::TensorProto &tensor);
  /// Takes note of attributes that do not matter.
  void ignore(std::initializer_list<llvm::StringRef> names);
  /// Reports an attribute, input or output that the handler did not look at.
  llvm::LogicalResult checkAllUsed(unsigned numResults);

  //===--------------------------------------------------------------------===//
  // Types
  //===--------------------------------------------------------------------===//

  static mlir::Type getElementType(mlir::Value value);
  static bool isFloat(mlir::Value value);
  /// The rank if known, else -1 and no error.
  static int64_t getRank(mlir::Value value);
  /// The rank; an error if it is not known, and -1, or less than `least`.
  int64_t needRank(mlir::Value value, int64_t least = 0);
  /// The dimensions from `first` to `end`.
  static llvm::SmallVector<int64_t> getAxes(int64_t first, int64_t end);
  /// The static size of a dimension, else kDynamic.
  static int64_t getDim(mlir::Value value, int64_t dim);
  /// A possibly negative axis of a tensor of that rank; an error if it is out
  /// of range, and 0.
  int64_t normalizeAxis(int64_t axis, int64_t rank);
  mlir::Type typeOf(int64_t dataType);

  //===--------------------------------------------------------------------===//
  // Making ops
  //===--------------------------------------------------------------------===//

  /// An op with its types inferred; its first result. `OpTy::build`'s
  /// arguments follow.
  template <typename OpTy, typename... Args> mlir::Value make(Args &&...args) {
    return makeMany<OpTy>(1, std::forward<Args>(args)...)[0];
  }
  /// An op with `count` results.
  template <typename OpTy, typename... Args>
  llvm::SmallVector<mlir::Value> makeMany(unsigned count, Args &&...args) {
    if (broken)
      return llvm::SmallVector<mlir::Value>(count, poison());
    llvm::SmallVector<mlir::Type> types(count, getPlaceholderType());
    mlir::Operation *op = OpTy::create(builder, loc, mlir::TypeRange(types),
                                       std::forward<Args>(args)...);
    return finish(op);
  }
  mlir::Value constant(mlir::ElementsAttr value);
  /// A rank-0 tensor of the element type.
  mlir::Value scalar(double value, mlir::Type elementType);
  /// The same, of `like`'s element type.
  mlir::Value scalarLike(double value, mlir::Value like);
  /// A one-dimensional tensor of i64.
  mlir::Value ints(llvm::ArrayRef<int64_t> values);
  /// The value of an i64 scalar.
  mlir::Value intScalar(int64_t value);

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value unsqueeze(mlir::Value value, llvm::ArrayRef<int64_t> axes);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  mlir::Value reshapeLike(mlir::Value value, mlir::Value like);
  /// The dimensions from `start` to `end`, one-dimensional.
  mlir::Value shapeOf(mlir::Value value, int64_t start = 0,
                      std::optional<int64_t> end = {});
  /// One dimension as an i64 scalar.
  mlir::Value dimOf(mlir::Value value, int64_t dim);
  mlir::Value concat(mlir::ValueRange values, int64_t axis);
  /// 16-bit floats as f32, other values as they are.
  mlir::Value widen(mlir::Value value);
  /// A reduction over these axes, none if the list is empty.
  mlir::Value reduce(ReduceKind kind, mlir::Value value,
                     llvm::ArrayRef<int64_t> axes, bool keepdims);
  /// N x C x spatial to N x spatial x C, and back. Ranks are known to be >= 2.
  mlir::Value toChannelsLast(mlir::Value value);
  /// The same for a value whose rank follows from elsewhere.
  mlir::Value toChannelsLast(mlir::Value value, int64_t rank);
  mlir::Value toChannelsFirst(mlir::Value value);
  /// An error unless `value`, which the spec calls `name`, has this shape as
  /// far as both are known.
  void checkShape(mlir::Value value, llvm::StringRef name,
                  llvm::ArrayRef<int64_t> expected);
  /// The same of its element type, which is to be that of `like`.
  void checkElementType(mlir::Value value, llvm::StringRef name,
                        mlir::Value like);
  /// `value` unless broadcasting the input `name` made its shape another than
  /// that of `like`; an error then.
  mlir::Value keepShape(mlir::Value value, llvm::StringRef name,
                        mlir::Value like);
  /// An error unless a value is a vector with an element for each index of that
  /// axis of `like`.
  void checkVector(mlir::Value vector, int64_t axis, mlir::Value like);
  /// Such a vector, shaped to broadcast along the axis.
  mlir::Value alongAxis(mlir::Value vector, int64_t axis, mlir::Value like);

  /// The integers of a constant, folding what computes it.
  std::optional<llvm::SmallVector<int64_t>> getConstant(mlir::Value value);

private:
  llvm::SmallVector<mlir::Value> finish(mlir::Operation *op);
  mlir::Type getPlaceholderType();

  llvm::ArrayRef<mlir::Value> inputs;
  const AttributeMap *callAttributes;
  llvm::StringSet<> seen;
  unsigned inputsSeen = 0;
  bool broken = false;
  bool widens = false;
};

/// How diagnostics name a node: `node 'conv1' (Conv)`.
std::string describe(const onnx::NodeProto &proto);

/// A constant in place of `value`'s op, which has no uses yet, if that gives
/// integers as few as a shape has and they are known: the types of what they
/// are parameters of depend on it. Else `value`.
mlir::Value foldSmall(mlir::OpBuilder &builder, mlir::Value value);

} // namespace brisk::onnximport

#endif // BRISK_LIB_IMPORT_NODE_H
