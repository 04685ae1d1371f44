//===- Shape.cpp - Shapes and the movement of data ------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "TensorReader.h"
#include "brisk/Dialect/Elements.h"

using namespace mlir;
using namespace brisk;
using namespace brisk::onnximport;

/// A list that is an attribute in old opsets; an absent one is null.
static Value attributeAsInput(Node &n, StringRef name) {
  auto values = n.getInts(name);
  return values ? n.ints(*values) : Value();
}

/// The same, where the op needs it.
static Value requiredAttribute(Node &n, StringRef name) {
  if (Value value = attributeAsInput(n, name))
    return value;
  n.error() << "attribute '" << name << "' is missing";
  return n.poison();
}

static Results reshapeByAttribute(Node &n) {
  n.ignore({"consumed_inputs"});
  return n.make<ReshapeOp>(n.in(0), requiredAttribute(n, "shape"));
}

static Results reshape(Node &n) {
  return n.make<ReshapeOp>(n.in(0), n.in(1), n.getFlag("allowzero"));
}

static Results squeezeByAttribute(Node &n) {
  return n.make<SqueezeOp>(n.in(0), attributeAsInput(n, "axes"));
}

static Results squeeze(Node &n) {
  return n.make<SqueezeOp>(n.in(0), n.maybe(1));
}

static Results unsqueezeByAttribute(Node &n) {
  return n.make<UnsqueezeOp>(n.in(0), requiredAttribute(n, "axes"));
}

static Results flatten(Node &n) {
  return n.make<FlattenOp>(n.in(0), n.getInt("axis", 1));
}

static Results transpose(Node &n) {
  Value x = n.in(0);
  if (auto permutation = n.getInts("perm"))
    return n.transpose(x, *permutation);
  SmallVector<int64_t> reversed = Node::getAxes(0, n.needRank(x));
  std::reverse(reversed.begin(), reversed.end());
  return n.transpose(x, reversed);
}

static Results concat(Node &n) {
  if (n.opset >= 4 && !n.has("axis"))
    return n.error() << "attribute 'axis' is missing";
  SmallVector<Value> values = n.all();
  int64_t axis = n.getInt("axis", 1);
  return n.make<ConcatOp>(ValueRange(values),
                          n.builder.getI64IntegerAttr(axis));
}

static Results splitInto(Node &n, Value x, Value sizes) {
  unsigned count = n.getNumOutputs();
  if (count == 0)
    return n.error() << "it has no outputs";
  return n.makeMany<SplitOp>(count, x, sizes, n.getInt("axis", 0),
                             static_cast<int64_t>(count));
}

static Results splitByAttribute(Node &n) {
  Value x = n.in(0), sizes = n.opset < 2 ? n.maybe(1) : Value();
  if (Value attribute = attributeAsInput(n, "split"))
    sizes = attribute;
  return splitInto(n, x, sizes);
}

static Results split(Node &n) {
  Value x = n.in(0), sizes = n.maybe(1);
  int64_t count = n.getInt("num_outputs", n.getNumOutputs());
  if (count != n.getNumOutputs())
    return n.error() << "num_outputs is " << count << " and it has "
                     << n.getNumOutputs() << " outputs";
  return splitInto(n, x, sizes);
}

static Results sliceByAttribute(Node &n) {
  return n.make<SliceOp>(n.in(0), requiredAttribute(n, "starts"),
                         requiredAttribute(n, "ends"),
                         attributeAsInput(n, "axes"), Value());
}

static Results slice(Node &n) {
  Value x = n.in(0), starts = n.in(1), ends = n.in(2);
  return n.make<SliceOp>(x, starts, ends, n.maybe(3), n.maybe(4));
}

static Results makePad(Node &n, Value x, Value pads, Value value, Value axes) {
  auto mode = n.getEnum<PadMode>("mode", "constant", symbolizePadMode);
  return n.make<PadOp>(x, pads, mode == PadMode::Constant ? value : Value(),
                       axes, mode);
}

static Results padByAttribute(Node &n) {
  Value x = n.in(0);
  Value pads = requiredAttribute(n, n.opset < 2 ? "paddings" : "pads");
  return makePad(n, x, pads, n.scalarLike(n.getFloat("value", 0), x), Value());
}

static Results pad(Node &n) {
  Value x = n.in(0), pads = n.in(1), value = n.maybe(2);
  return makePad(n, x, pads, value, n.maybe(3));
}

/// The first opset repeats along one axis, both of them scalars of the input's
/// type.
static Results tileAlongAxis(Node &n) {
  Value x = n.in(0), tiles = n.in(1);
  Type i64 = n.builder.getI64Type();
  auto axis = n.getConstant(n.cast(n.in(2), i64)),
       count = n.getConstant(n.cast(tiles, i64));
  int64_t rank = n.needRank(x);
  if (n.isBroken())
    return failure();
  if (!axis || !count || axis->size() != 1 || count->size() != 1)
    return n.error() << "tiles and axis must be constant scalars";
  SmallVector<int64_t> repeats(rank, 1);
  if (rank > 0)
    repeats[n.normalizeAxis((*axis)[0], rank)] = (*count)[0];
  return n.make<TileOp>(x, n.ints(repeats));
}

static Results shape(Node &n) {
  Value x = n.in(0);
  std::optional<int64_t> end;
  if (n.has("end"))
    end = n.getInt("end", 0);
  return n.shapeOf(x, n.getInt("start", 0), end);
}

static Results range(Node &n) {
  n.ignore({"stash_type"});
  return n.make<RangeOp>(n.in(0), n.in(1), n.in(2));
}

static Results constantOfShape(Node &n) {
  Value shape = n.in(0);
  auto element = RankedTensorType::get({}, n.builder.getF32Type());
  ElementsAttr value = DenseElementsAttr::get(element, 0.0f);
  if (const auto *attr =
          n.getAttribute("value", onnx::AttributeProto::TENSOR)) {
    auto read = n.readTensor(attr->t());
    if (failed(read))
      return failure();
    if (read->getNumElements() != 1)
      return n.error() << "value has " << read->getNumElements()
                       << " elements, expected 1";
    value = makeElements(RankedTensorType::get({}, read->getElementType()),
                         ElementBytes(*read).bytes());
  }
  return n.make<FillOp>(shape, value);
}

static Results eyeLike(Node &n) {
  Value x = n.in(0);
  Type element =
      n.has("dtype") ? n.typeOf(n.getInt("dtype", 0)) : Node::getElementType(x);
  Value zero = n.intScalar(0), one = n.intScalar(1);
  if (n.needRank(x) != 2)
    return n.error() << "its input has rank " << Node::getRank(x)
                     << ", expected 2";
  Value row = n.make<RangeOp>(zero, n.dimOf(x, 0), one);
  Value column = n.make<RangeOp>(zero, n.dimOf(x, 1), one);
  Value diagonal = n.add(n.unsqueeze(row, {1}), n.intScalar(n.getInt("k", 0)));
  return n.cast(n.make<EqualOp>(diagonal, column), element);
}

/// The attributes of the two ops that follow, whose inputs are images.
static std::pair<int64_t, DepthToSpaceMode> readDepthBlock(Node &n) {
  if (n.needRank(n.in(0)) != 4)
    n.error() << "its input must have rank 4";
  bool isFixed = n.opset < 28 && n.proto.op_type() == "SpaceToDepth";
  auto mode =
      isFixed ? DepthToSpaceMode::DCR
              : n.getEnum<DepthToSpaceMode>("mode", "DCR", [](StringRef name) {
                  return symbolizeDepthToSpaceMode(name.lower());
                });
  return {n.getInt("blocksize", 0), mode};
}

static Results depthToSpace(Node &n) {
  auto [block, mode] = readDepthBlock(n);
  return n.toChannelsFirst(
      n.make<DepthToSpaceOp>(n.toChannelsLast(n.in(0)), block, mode));
}

static Results spaceToDepth(Node &n) {
  Value x = n.in(0);
  auto [block, mode] = readDepthBlock(n);
  Value y = n.make<SpaceToDepthOp>(n.toChannelsLast(x), block);
  if (mode == DepthToSpaceMode::CRD) {
    // The op gives (block row, block column, depth); depth comes first here.
    if (n.isBroken())
      return failure();
    if (ShapedType::isDynamic(Node::getDim(x, 1)))
      return n.error() << "mode CRD needs a number of channels that is known";
    Value shape = n.shapeOf(y);
    Value split = n.make<ReshapeOp>(
        y, n.concat({n.shapeOf(y, 0, 3),
                     n.ints({block * block, Node::getDim(x, 1)})},
                    0));
    y = n.make<ReshapeOp>(n.transpose(split, {0, 1, 2, 4, 3}), shape);
  }
  return n.toChannelsFirst(y);
}

void onnximport::addShapeRows(OpTable &table) {
  table.on("Concat", 1, concat);
  table.on("ConstantOfShape", 9, constantOfShape);
  table.on("DepthToSpace", 1, depthToSpace);
  table.on("Expand", 8, binary<ExpandOp>);
  table.on("EyeLike", 9, eyeLike);
  table.on("Flatten", 1, flatten);
  table.on("Pad", 1, padByAttribute);
  table.on("Pad", 11, pad);
  table.on("Range", 11, range);
  table.on("Reshape", 1, reshapeByAttribute);
  table.on("Reshape", 5, reshape);
  table.on("Shape", 1, shape);
  table.on("Size", 1, unary<SizeOp>);
  table.on("Slice", 1, sliceByAttribute);
  table.on("Slice", 10, slice);
  table.on("SpaceToDepth", 1, spaceToDepth);
  table.on("Split", 1, splitByAttribute);
  table.on("Split", 13, split);
  table.on("Squeeze", 1, squeezeByAttribute);
  table.on("Squeeze", 13, squeeze);
  table.on("Tile", 1, tileAlongAxis);
  table.on("Tile", 6, binary<TileOp>);
  table.on("Transpose", 1, transpose);
  table.on("Unsqueeze", 1, unsqueezeByAttribute);
  table.on("Unsqueeze", 13, binary<UnsqueezeOp>);
}
