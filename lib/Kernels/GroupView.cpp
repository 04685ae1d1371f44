//===- GroupView.cpp - A group as kernel families look at it --------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/Kernel.h"

using namespace mlir;
using namespace brisk;

/// What a kernel gets for an operand of `type`.
static MemRefType getBufferType(ShapedType type) {
  Type element = getStorageType(type.getElementType());
  ArrayRef<int64_t> shape = type.getShape();
  SmallVector<int64_t> dense(shape.size(), 1), strides;
  for (int64_t d = shape.size() - 2; d >= 0; --d)
    dense[d] = dense[d + 1] * std::max<int64_t>(shape[d + 1], 1);
  // Strides of the identity count as unknown where there are no elements.
  bool isEmpty = type.getNumElements() == 0;
  auto memref = dyn_cast<MemRefType>(type);
  int64_t offset;
  if (isEmpty || !memref || memref.getLayout().isIdentity() ||
      failed(memref.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamicShape(strides))
    strides = dense;
  // A dimension of one element is never stepped along.
  for (int64_t d = shape.size() - 1, size = 1; d >= 0; --d) {
    if (shape[d] == 1)
      strides[d] = size;
    size = strides[d] * std::max<int64_t>(shape[d], 1);
  }
  if (strides == dense && !isEmpty)
    return MemRefType::get(shape, element);
  return MemRefType::get(shape, element,
                         StridedLayoutAttr::get(type.getContext(), 0, strides));
}

GroupView::GroupView(GroupOp group, const Isa &isa)
    : group(group), isa(isa), anchor(group.getAnchor()) {
  for (Type type : group->getOperandTypes())
    buffers.push_back(getBufferType(cast<ShapedType>(type)));
}

SmallVector<int64_t> GroupView::getInStrides(unsigned number) const {
  return buffers[number].getStridesAndOffset().first;
}

SmallVector<int64_t> GroupView::getOutStrides(unsigned number) const {
  return buffers[GroupOp(group).getIns().size() + number]
      .getStridesAndOffset()
      .first;
}

std::nullptr_t GroupView::refuse(const Twine &why) {
  reason = why.str();
  return nullptr;
}
