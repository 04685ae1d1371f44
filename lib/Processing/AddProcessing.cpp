//===- AddProcessing.cpp - Joins stages to a model ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stage.h"
#include "brisk/Dialect/ModelAttrs.h"
#include "brisk/Dialect/NodeLocation.h"
#include "brisk/Processing/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace brisk {
#define GEN_PASS_DEF_ADDPROCESSING
#include "brisk/Processing/Passes.h.inc"
} // namespace brisk

using namespace mlir;
using namespace brisk;
using namespace brisk::processing;

namespace {
/// The paths of one description, which lead to inputs or start at outputs.
class Joiner {
public:
  Joiner(func::FuncOp function, Phase phase)
      : function(function), phase(phase), b(function.getContext()) {}

  LogicalResult join(StringRef file);

private:
  LogicalResult addPre(Fields &path);
  LogicalResult addPost(Fields &path);
  FailureOr<Values> makeStages(Fields &path, Values values, unsigned input,
                               StringRef inputName);
  FailureOr<Values> makeStage(const Node &node, ArrayRef<Value> values,
                              unsigned input, StringRef inputName);
  FailureOr<unsigned> findInput(Fields &path);
  FailureOr<SmallVector<unsigned>> findOutputs(Fields &path);
  Operation *getReturn() { return function.getBody().front().getTerminator(); }
  void updateType() {
    function.setFunctionType(b.getFunctionType(function.getArgumentTypes(),
                                               getReturn()->getOperandTypes()));
  }
  StringRef getOutputName(unsigned output) {
    auto name = function.getResultAttrOfType<StringAttr>(
        output, BriskDialect::nameAttrName);
    return name ? name.getValue() : StringRef();
  }

  func::FuncOp function;
  Phase phase;
  OpBuilder b;
};
} // namespace

static std::string quoteAll(ArrayRef<StringRef> names) {
  std::string text;
  for (StringRef name : names)
    text += (text.empty() ? "'" : ", '") + name.str() + "'";
  return text.empty() ? "none" : text;
}

/// The input that a path leads to: the one named, or the only one.
FailureOr<unsigned> Joiner::findInput(Fields &path) {
  SmallVector<StringRef> names;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    names.push_back(getInputName(function, i));
  if (!path.find("input") && names.size() == 1)
    return 0;
  FailureOr<std::string> name = path.getText("input");
  if (failed(name))
    return failure();
  auto *found = llvm::find(names, *name);
  if (found == names.end())
    return emitError(path.find("input")->loc)
           << "no input is named '" << *name
           << "'; the model's inputs: " << quoteAll(names);
  return found - names.begin();
}

/// The outputs that a path starts at: those named, or the only one.
FailureOr<SmallVector<unsigned>> Joiner::findOutputs(Fields &path) {
  SmallVector<StringRef> names;
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    names.push_back(getOutputName(i));
  if (!path.find("outputs") && names.size() == 1)
    return SmallVector<unsigned>{0};
  auto given = path.getTexts("outputs");
  if (failed(given))
    return failure();
  SmallVector<unsigned> result;
  for (const std::string &name : *given) {
    auto *found = llvm::find(names, name);
    if (found == names.end())
      return emitError(path.find("outputs")->loc)
             << "no output is named '" << name
             << "'; the model's outputs: " << quoteAll(names);
    unsigned place = found - names.begin();
    if (llvm::is_contained(result, place))
      return emitError(path.find("outputs")->loc)
             << "output '" << name << "' is named twice";
    result.push_back(place);
  }
  if (result.empty())
    return emitError(path.find("outputs")->loc) << "'outputs' names none";
  return result;
}

FailureOr<Values> Joiner::makeStage(const Node &node, ArrayRef<Value> values,
                                    unsigned input, StringRef inputName) {
  // A stage is a mapping of its name to its fields; one without fields may be
  // its name alone.
  bool isName = node.kind == Node::Kind::Scalar && !node.text.empty();
  if (!isName && (node.kind != Node::Kind::Mapping || node.names.size() != 1))
    return emitError(node.loc)
           << "a stage has to be one name with its fields, as 'resize: "
              "{height: 224, width: 224}'";
  const StageTable &table = StageTable::get(phase);
  StringRef kind = isName ? node.text : node.names.front();
  Handler handler = table.find(kind);
  if (!handler)
    return emitError(node.loc) << "there is no stage '" << kind << "' "
                               << (phase == Phase::Pre ? "before" : "after")
                               << " a model; choose from " << table.list();
  Node nothing(node.loc);
  const Node &given = isName ? nothing : node.items.front();
  auto fields = Fields::get(given, ("stage '" + kind + "'").str());
  if (failed(fields))
    return failure();
  std::string name = (stringifyPhase(phase) + "/" + kind).str();
  Stage stage(function, b, makeStageLocation(node.loc, phase, name, kind),
              node.loc, *fields, input, inputName);
  FailureOr<Values> results = handler(stage, values);
  if (failed(results) || failed(fields->finish()))
    return failure();
  return results;
}

FailureOr<Values> Joiner::makeStages(Fields &path, Values values,
                                     unsigned input, StringRef inputName) {
  const Node *stages = path.find("stages");
  if (!stages || stages->kind != Node::Kind::List || stages->items.empty())
    return emitError(stages ? stages->loc : path.getLoc())
           << "'stages' has to be a list of stages";
  for (const Node &stage : stages->items) {
    FailureOr<Values> results = makeStage(stage, values, input, inputName);
    if (failed(results))
      return failure();
    values = std::move(*results);
  }
  return values;
}

LogicalResult Joiner::addPre(Fields &path) {
  FailureOr<unsigned> input = findInput(path);
  if (failed(input))
    return failure();
  std::string modelName = getInputName(function, *input).str();
  FailureOr<std::string> name = path.getText("name", modelName);
  if (failed(name))
    return failure();
  b.setInsertionPointToStart(&function.getBody().front());
  unsigned before = function.getNumArguments();
  FailureOr<Values> values = makeStages(path, {}, *input, *name);
  if (failed(values) || failed(path.finish()))
    return failure();
  if (function.getNumArguments() != before + 1)
    return emitError(path.getLoc())
           << "a path has to begin with one stage that reads, as frame or "
              "sound";
  BlockArgument replaced = function.getArgument(*input + 1);
  if (values->size() != 1 || values->front().getType() != replaced.getType())
    return emitError(path.getLoc())
           << "the stages give " << ValueRange(*values).getTypes()
           << ", and input '" << modelName << "' of the model is "
           << replaced.getType();
  replaced.replaceAllUsesWith(values->front());
  (void)function.eraseArgument(*input + 1);
  updateType();
  return success();
}

LogicalResult Joiner::addPost(Fields &path) {
  auto outputs = findOutputs(path);
  if (failed(outputs))
    return failure();
  Operation *end = getReturn();
  b.setInsertionPoint(end);
  Values values;
  for (unsigned output : *outputs)
    values.push_back(end->getOperand(output));
  FailureOr<Values> results = makeStages(path, values, 0, "");
  if (failed(results))
    return failure();
  std::vector<std::string> names;
  if (results->size() == outputs->size() && !path.find("names")) {
    for (unsigned output : *outputs)
      names.push_back(getOutputName(output).str());
  } else {
    auto given = path.getTexts("names");
    if (failed(given))
      return failure();
    names = std::move(*given);
    if (names.size() != results->size())
      return emitError(path.find("names")->loc)
             << "'names' has " << names.size() << " names, and the stages give "
             << results->size() << " outputs";
  }
  if (failed(path.finish()))
    return failure();
  // The results take the first output's place.
  SmallVector<Value> returned;
  SmallVector<DictionaryAttr> attributes;
  for (unsigned i = 0; i < end->getNumOperands(); ++i) {
    if (i == outputs->front())
      for (auto [name, value] : llvm::zip(names, *results)) {
        returned.push_back(value);
        attributes.push_back(b.getDictionaryAttr(
            b.getNamedAttr(BriskDialect::nameAttrName, b.getStringAttr(name))));
      }
    if (llvm::is_contained(*outputs, i))
      continue;
    returned.push_back(end->getOperand(i));
    attributes.push_back(function.getResultAttrDict(i));
  }
  end->setOperands(returned);
  updateType();
  function.setAllResultAttrs(attributes);
  return success();
}

LogicalResult Joiner::join(StringRef file) {
  FailureOr<Node> document = readDocument(function.getContext(), file);
  if (failed(document))
    return failure();
  StringRef key = stringifyPhase(phase),
            list = phase == Phase::Pre ? "inputs" : "outputs";
  auto fields = Fields::get(*document, "the file");
  if (failed(fields) || failed(fields->getInt(key, 1, 1)))
    return failure();
  const Node *paths = fields->find(list);
  if (failed(fields->finish()))
    return failure();
  if (!paths || paths->kind != Node::Kind::List || paths->items.empty())
    return emitError(paths ? paths->loc : document->loc)
           << "'" << list << "' has to be a list of paths";
  for (const Node &node : paths->items) {
    auto path = Fields::get(node, "a path");
    if (failed(path) ||
        failed(phase == Phase::Pre ? addPre(*path) : addPost(*path)))
      return failure();
  }
  return success();
}

namespace {
struct AddProcessing : brisk::impl::AddProcessingBase<AddProcessing> {
  using AddProcessingBase::AddProcessingBase;

  void runOnOperation() override {
    SmallVector<func::FuncOp> models;
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        models.push_back(function);
    if (models.size() != 1) {
      getOperation().emitError("has ")
          << models.size() << " models, expected one to join stages to";
      return signalPassFailure();
    }
    if (!pre.empty() && failed(Joiner(models.front(), Phase::Pre).join(pre)))
      return signalPassFailure();
    if (!post.empty() && failed(Joiner(models.front(), Phase::Post).join(post)))
      signalPassFailure();
  }
};
} // namespace
