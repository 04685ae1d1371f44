//===- ArithmeticMatchers.cpp - Arithmetic as exporters spell it ----------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArithmeticMatchers.h"
#include "brisk/Dialect/Builders.h"
#include "brisk/Dialect/Elements.h"

#include <cmath>

using namespace mlir;
using namespace brisk;

std::optional<double> brisk::getNumber(Value value) {
  ElementsAttr attr = getConstant(value);
  if (!attr || !isa<FloatType>(attr.getElementType()))
    return std::nullopt;
  ElementsAttr one = getSplatElement(attr);
  return one ? std::optional(getAsDoubles(one).front()) : std::nullopt;
}

bool brisk::isNear(std::optional<double> number, double expected) {
  return number && std::abs(*number - expected) <= 1e-5 * std::abs(expected);
}

Value brisk::lookThroughOnes(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    auto isOne = [](int64_t dim) { return dim == 1; };
    SmallVector<int64_t> from(getShape(reshape.getInput()));
    SmallVector<int64_t> to(getShape(value));
    llvm::erase_if(from, isOne);
    llvm::erase_if(to, isOne);
    if (from != to)
      break;
    value = reshape.getInput();
  }
  return value;
}

/// Takes `value` apart into `product`.
static void addFactors(Value value, bool isRoot, Product &product) {
  if (auto number = getNumber(value)) {
    product.number *= *number;
    return;
  }
  Operation *op = value.getDefiningOp();
  if (op && (isRoot || value.hasOneUse())) {
    if (auto mul = dyn_cast<MulOp>(op)) {
      addFactors(mul.getLhs(), false, product);
      addFactors(mul.getRhs(), false, product);
      return;
    }
    auto div = dyn_cast<DivOp>(op);
    if (auto number = div ? getNumber(div.getRhs()) : std::nullopt) {
      product.number /= *number;
      addFactors(div.getLhs(), false, product);
      return;
    }
    auto pow = dyn_cast<PowOp>(op);
    if (pow && getNumber(pow.getRhs()) == 3) {
      product.values.append(3, pow.getLhs());
      return;
    }
  }
  product.values.push_back(value);
}

Product brisk::getProduct(Value value) {
  Product product;
  addFactors(value, true, product);
  return product;
}

Value brisk::matchOnePlus(Value value) {
  auto add = value.getDefiningOp<AddOp>();
  if (!add)
    return {};
  if (getNumber(add.getLhs()) == 1)
    return add.getRhs();
  return getNumber(add.getRhs()) == 1 ? add.getLhs() : Value();
}

Value brisk::matchScaled(Value value, double number) {
  Product product = getProduct(value);
  return product.values.size() == 1 && isNear(product.number, number)
             ? product.values.front()
             : Value();
}

Value brisk::matchSquare(Value value) {
  if (auto mul = value.getDefiningOp<MulOp>())
    return mul.getLhs() == mul.getRhs() ? mul.getLhs() : Value();
  auto pow = value.getDefiningOp<PowOp>();
  return pow && getNumber(pow.getRhs()) == 2 ? pow.getLhs() : Value();
}

Value brisk::matchSqrt(Value value) {
  if (auto sqrt = value.getDefiningOp<SqrtOp>())
    return sqrt.getInput();
  auto pow = value.getDefiningOp<PowOp>();
  return pow && getNumber(pow.getRhs()) == 0.5 ? pow.getLhs() : Value();
}

SmallVector<std::pair<Value, Value>> brisk::matchQuotient(Operation *op) {
  if (auto div = dyn_cast<DivOp>(op))
    return {{div.getLhs(), div.getRhs()}};
  SmallVector<std::pair<Value, Value>> found;
  auto add = [&](Value x, Value y) {
    if (auto reciprocal = y.getDefiningOp<ReciprocalOp>())
      found.push_back({x, reciprocal.getInput()});
    auto div = y.getDefiningOp<DivOp>();
    if (div && getNumber(div.getLhs()) == 1)
      found.push_back({x, div.getRhs()});
  };
  if (auto mul = dyn_cast<MulOp>(op)) {
    add(mul.getLhs(), mul.getRhs());
    add(mul.getRhs(), mul.getLhs());
  }
  return found;
}

std::optional<Reduction> brisk::matchReduction(Value value, ReduceKind kind) {
  auto reduce = lookThroughOnes(value).getDefiningOp<ReduceOp>();
  if (!reduce || reduce.getKind() != kind)
    return std::nullopt;
  auto axes = reduce.getReducedAxes();
  if (!axes || axes->empty())
    return std::nullopt;
  // As it broadcasts against the input.
  SmallVector<int64_t> kept(getShape(reduce.getInput()));
  for (int64_t axis : *axes)
    kept[axis] = 1;
  if (getShape(value) != ArrayRef(kept))
    return std::nullopt;
  return Reduction{reduce.getInput(), *axes};
}

std::optional<RootMean> brisk::matchRootMean(Value value) {
  Value variance = matchSqrt(lookThroughOnes(value));
  auto add = variance ? variance.getDefiningOp<AddOp>() : AddOp();
  if (!add)
    return std::nullopt;
  for (auto [squares, number] : {std::pair(add.getLhs(), add.getRhs()),
                                 std::pair(add.getRhs(), add.getLhs())}) {
    std::optional<double> epsilon = getNumber(number);
    auto mean = matchReduction(squares, ReduceKind::Mean);
    // The op holds it as f32.
    if (!epsilon || !mean || static_cast<float>(*epsilon) != *epsilon ||
        getShape(value) != getShape(squares))
      continue;
    int64_t rank = getShape(mean->input).size();
    if (mean->axes.front() == rank - static_cast<int64_t>(mean->axes.size()))
      return RootMean{*mean, static_cast<float>(*epsilon)};
  }
  return std::nullopt;
}
