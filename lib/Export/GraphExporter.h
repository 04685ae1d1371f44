//===- GraphExporter.h - A function becomes an ONNX graph -------*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What handlers export one op with. The dialect is channels-last where windows
// slide, with transposes around; ONNX is channels-first. So a value may be had
// in any order of its dimensions, a form: a handler asks for the one that it
// needs and says in which one its result is, transposes only rename, and a
// node for one is made where a form is asked for that nothing gave.
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_LIB_EXPORT_GRAPHEXPORTER_H
#define BRISK_LIB_EXPORT_GRAPHEXPORTER_H

#include "Onnx.h"
#include "brisk/Dialect/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

#include <optional>

namespace brisk::onnxexport {

/// Dimension i of a form is dimension `form[i]` of the value.
using Form = llvm::SmallVector<int64_t, 6>;

/// The form of a value as it is.
Form makePlain(int64_t rank);
/// The form N x C x spatial of a value N x spatial x C.
Form makeChannelsFirst(int64_t rank);

/// A node that is being made; attributes are added to it.
class NodeMaker {
public:
  explicit NodeMaker(onnx::NodeProto &node) : node(node) {}

  NodeMaker &set(llvm::StringRef name, int64_t value);
  NodeMaker &set(llvm::StringRef name, float value);
  NodeMaker &set(llvm::StringRef name, llvm::StringRef value);
  NodeMaker &set(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  NodeMaker &set(llvm::StringRef name, llvm::ArrayRef<float> values);
  NodeMaker &set(llvm::StringRef name, llvm::ArrayRef<std::string> values);
  /// An attribute to be filled.
  onnx::AttributeProto &add(llvm::StringRef name,
                            onnx::AttributeProto::AttributeType type);

private:
  onnx::NodeProto &node;
};

class GraphExporter {
public:
  GraphExporter(onnx::GraphProto &graph, mlir::MLIRContext *context)
      : context(context), main(graph), graph(&graph) {}

  void exportFunction(mlir::func::FuncOp function);

  /// Takes note of an op that cannot be exported, and why.
  void refuse(mlir::Operation *op, const llvm::Twine &reason);
  struct Refusal {
    mlir::Location loc;
    std::string reason;
  };
  llvm::ArrayRef<Refusal> getRefusals() const { return refusals; }

  //===--------------------------------------------------------------------===//
  // Operands
  //===--------------------------------------------------------------------===//

  /// The name of a value as it is; empty for none.
  std::string get(mlir::Value value);
  /// The name of a value in a form.
  std::string get(mlir::Value value, llvm::ArrayRef<int64_t> form);
  /// The same of an operand that broadcasts to as many dimensions as the form
  /// has.
  std::string getBroadcast(mlir::Value value, llvm::ArrayRef<int64_t> form);
  /// Integers that are a parameter, which ONNX has in 64 bits.
  std::string getInts(mlir::Value value);
  /// The same as a scalar.
  std::string getIntScalar(mlir::Value value);
  /// A constant.
  std::string getConstant(mlir::ElementsAttr value);
  std::string getConstant(llvm::ArrayRef<int64_t> values);
  /// A value in another shape of as many elements.
  std::string getReshaped(mlir::Operation *op, mlir::Value value,
                          llvm::ArrayRef<int64_t> shape);
  /// What a value is a transpose of, and in which form.
  static std::pair<mlir::Value, Form> resolve(mlir::Value value,
                                              llvm::ArrayRef<int64_t> form);
  /// The form that an op on elements is exported in: one in which its operands
  /// are there already, if there is one.
  Form chooseForm(mlir::Operation *op, mlir::ValueRange operands);

  //===--------------------------------------------------------------------===//
  // Nodes
  //===--------------------------------------------------------------------===//

  /// A node with a value's name for each of an op's results; the last names
  /// that are empty are left out.
  NodeMaker makeNode(mlir::Operation *op, llvm::StringRef type,
                     llvm::ArrayRef<std::string> inputs,
                     llvm::ArrayRef<std::string> outputs);
  /// A node whose outputs are the op's results as they are.
  NodeMaker makeNode(mlir::Operation *op, llvm::StringRef type,
                     llvm::ArrayRef<std::string> inputs);
  /// A node whose one output is the op's result in a form.
  NodeMaker makeNode(mlir::Operation *op, llvm::StringRef type,
                     llvm::ArrayRef<std::string> inputs,
                     llvm::ArrayRef<int64_t> form);
  /// The name of a new value that is a result in a form.
  std::string define(mlir::Value result, llvm::ArrayRef<int64_t> form);
  std::string define(mlir::Value result);
  /// A part of an op: a node with one output, whose name is returned.
  std::string makePart(
      mlir::Operation *op, llvm::StringRef type,
      llvm::ArrayRef<std::string> inputs,
      llvm::function_ref<void(NodeMaker)> setAttributes = [](NodeMaker) {});
  std::string makeCast(mlir::Operation *op, const std::string &input,
                       mlir::Type elementType);
  /// A region as a graph of its own, which sees the values around it.
  void exportRegion(mlir::Region &region, onnx::GraphProto &into);

private:
  std::string makeName(llvm::StringRef wanted);
  std::string nameAfter(mlir::Location loc, const llvm::Twine &suffix);
  void exportBlock(mlir::Block &block);
  void exportOp(mlir::Operation *op);
  void exportResults(mlir::func::FuncOp function);
  std::optional<std::string> find(mlir::Value root,
                                  llvm::ArrayRef<int64_t> form) const;
  bool isAtHand(mlir::Value value, llvm::ArrayRef<int64_t> form) const;
  std::string addInitializer(llvm::StringRef name, mlir::ElementsAttr value);

  struct Named {
    Form form;
    std::string name;
  };
  using Names = llvm::DenseMap<mlir::Value, llvm::SmallVector<Named, 1>>;

  mlir::MLIRContext *context;
  onnx::GraphProto &main;  ///< which has the constants
  onnx::GraphProto *graph; ///< which nodes are added to
  /// Names of values other than constants, and those of constants.
  Names values, constants;
  /// What a result of the function is to be called.
  Names wanted;
  llvm::DenseMap<mlir::Attribute, std::string> initializers;
  llvm::StringSet<> used;
  std::vector<Refusal> refusals;
  /// The form in which the op that is being exported is asked for.
  std::optional<Form> asked;
  uint64_t constantBytes = 0;
};

/// ONNX's number of an element type.
int32_t getDataType(mlir::Type elementType);
/// Sets type, shape and elements.
void fillTensor(mlir::ElementsAttr value, onnx::TensorProto &tensor);
int64_t getRank(mlir::Value value);
/// The first name in a location; empty if there is none.
llvm::StringRef getName(mlir::Location loc);
/// Whether an op is exported where its result is asked for, in the form that is
/// asked for: what dequantizes weights, and differences to a zero point, which
/// are operands of integer products.
bool isMadeOnDemand(mlir::Operation *op);
/// Bytes of constants that a file can hold: what protobuf can, less something
/// for the rest.
constexpr uint64_t maxFileBytes = (uint64_t(1) << 31) - (1 << 24);

} // namespace brisk::onnxexport

#endif // BRISK_LIB_EXPORT_GRAPHEXPORTER_H
