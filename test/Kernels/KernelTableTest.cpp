//===- KernelTableTest.cpp - The table of kernel families -----------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What selection relies on: names that find their family, and schedules that
// pass for written by hand and whose cost can be compared, on every target.
//
//===----------------------------------------------------------------------===//

#include "brisk/Kernels/Packing.h"
#include "brisk/Target/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace mlir;
using namespace brisk;

// A group for each family, whose first anchor is the family's.
const char *const groups = R"mlir(
func.func @groups(%image: tensor<1x8x8x16xf32>, %rows: tensor<4x16xf32>,
                  %table: tensor<64x16xf32>, %at: tensor<5xi64>,
                  %larger: tensor<1x16x16x16xf32>, %products: tensor<5x2x32xf32>,
                  %states: tensor<5x1x2x8xf32>, %state: tensor<1x2x8xf32>) {
  %filter = brisk.constant dense<1.0> : tensor<1x1x16x24xf32>
  %planes = brisk.constant dense<1.0> : tensor<3x3x1x16xf32>
  %features = tensor.empty() : tensor<1x8x8x24xf32>
  %0 = brisk.group ins(%image, %filter : tensor<1x8x8x16xf32>, tensor<1x1x16x24xf32>) outs(%features : tensor<1x8x8x24xf32>) -> tensor<1x8x8x24xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<1x1x16x24xf32>):
    %r = brisk.conv %a, %b : (tensor<1x8x8x16xf32>, tensor<1x1x16x24xf32>) -> tensor<1x8x8x24xf32>
    brisk.yield %r : tensor<1x8x8x24xf32>
  }
  %inner = tensor.empty() : tensor<1x6x6x16xf32>
  %1 = brisk.group ins(%image, %planes : tensor<1x8x8x16xf32>, tensor<3x3x1x16xf32>) outs(%inner : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<3x3x1x16xf32>):
    %r = brisk.conv %a, %b {group = 16 : i64} : (tensor<1x8x8x16xf32>, tensor<3x3x1x16xf32>) -> tensor<1x6x6x16xf32>
    brisk.yield %r : tensor<1x6x6x16xf32>
  }
  %parts = brisk.constant dense<1.0> : tensor<3x3x4x16xf32>
  %14 = brisk.group ins(%image, %parts : tensor<1x8x8x16xf32>, tensor<3x3x4x16xf32>) outs(%inner : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<3x3x4x16xf32>):
    %r = brisk.conv %a, %b {group = 4 : i64} : (tensor<1x8x8x16xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
    brisk.yield %r : tensor<1x6x6x16xf32>
  }
  %2 = brisk.group ins(%image : tensor<1x8x8x16xf32>) outs(%inner : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>):
    %r = brisk.max_pool %a {kernel_shape = array<i64: 3, 3>} : (tensor<1x8x8x16xf32>) -> tensor<1x6x6x16xf32>
    brisk.yield %r : tensor<1x6x6x16xf32>
  }
  %sums = tensor.empty() : tensor<4x1xf32>
  %3 = brisk.group ins(%rows : tensor<4x16xf32>) outs(%sums : tensor<4x1xf32>) -> tensor<4x1xf32> {
  ^bb0(%a: tensor<4x16xf32>):
    %axes = brisk.constant dense<1> : tensor<1xi64>
    %r = brisk.reduce sum %a, %axes {keepdims} : (tensor<4x16xf32>, tensor<1xi64>) -> tensor<4x1xf32>
    brisk.yield %r : tensor<4x1xf32>
  }
  %same = tensor.empty() : tensor<4x16xf32>
  %4 = brisk.group ins(%rows : tensor<4x16xf32>) outs(%same : tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%a: tensor<4x16xf32>):
    %r = brisk.softmax %a {axis = 1 : i64} : (tensor<4x16xf32>) -> tensor<4x16xf32>
    brisk.yield %r : tensor<4x16xf32>
  }
  %5 = brisk.group ins(%rows : tensor<4x16xf32>) outs(%same : tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%a: tensor<4x16xf32>):
    %r = brisk.layer_norm %a {axis = 1 : i64} : (tensor<4x16xf32>) -> tensor<4x16xf32>
    brisk.yield %r : tensor<4x16xf32>
  }
  %sameimage = tensor.empty() : tensor<1x8x8x16xf32>
  %13 = brisk.group ins(%image : tensor<1x8x8x16xf32>) outs(%sameimage : tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>):
    %r = brisk.lrn %a {size = 5 : i64} : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
    brisk.yield %r : tensor<1x8x8x16xf32>
  }
  %6 = brisk.group ins(%rows : tensor<4x16xf32>) outs(%same : tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%a: tensor<4x16xf32>):
    %r = brisk.tanh %a : (tensor<4x16xf32>) -> tensor<4x16xf32>
    brisk.yield %r : tensor<4x16xf32>
  }
  %picked = tensor.empty() : tensor<5x16xf32>
  %7 = brisk.group ins(%table, %at : tensor<64x16xf32>, tensor<5xi64>) outs(%picked : tensor<5x16xf32>) -> tensor<5x16xf32> {
  ^bb0(%a: tensor<64x16xf32>, %b: tensor<5xi64>):
    %r = brisk.gather %a, %b {axis = 0 : i64} : (tensor<64x16xf32>, tensor<5xi64>) -> tensor<5x16xf32>
    brisk.yield %r : tensor<5x16xf32>
  }
  %framed = tensor.empty() : tensor<6x16xf32>
  %8 = brisk.group outs(%framed : tensor<6x16xf32>) -> tensor<6x16xf32> {
    %r = brisk.border 0.000000e+00 : f32 low [1, 0] high [1, 0] -> tensor<6x16xf32>
    brisk.yield %r : tensor<6x16xf32>
  }
  %turned = tensor.empty() : tensor<16x4xf32>
  %9 = brisk.group ins(%rows : tensor<4x16xf32>) outs(%turned : tensor<16x4xf32>) -> tensor<16x4xf32> {
  ^bb0(%a: tensor<4x16xf32>):
    %r = brisk.transpose %a {permutation = array<i64: 1, 0>} : (tensor<4x16xf32>) -> tensor<16x4xf32>
    brisk.yield %r : tensor<16x4xf32>
  }
  %spread = brisk.constant dense<1.0> : tensor<2x2x16x8xf32>
  %doubled = tensor.empty() : tensor<1x16x16x8xf32>
  %10 = brisk.group ins(%image, %spread : tensor<1x8x8x16xf32>, tensor<2x2x16x8xf32>) outs(%doubled : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<2x2x16x8xf32>):
    %r = brisk.conv_transpose %a, %b {strides = array<i64: 2, 2>} : (tensor<1x8x8x16xf32>, tensor<2x2x16x8xf32>) -> tensor<1x16x16x8xf32>
    brisk.yield %r : tensor<1x16x16x8xf32>
  }
  %11 = brisk.group ins(%image : tensor<1x8x8x16xf32>) outs(%larger : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>):
    %s = brisk.constant dense<[1.0, 2.0, 2.0, 1.0]> : tensor<4xf32>
    %r = brisk.resize %a scales %s {coordinate_transformation_mode = #brisk<coordinate_mode asymmetric>, nearest_mode = #brisk<nearest_mode floor>} : (tensor<1x8x8x16xf32>, tensor<4xf32>) -> tensor<1x16x16x16xf32>
    brisk.yield %r : tensor<1x16x16x16xf32>
  }
  %recurrence = brisk.constant dense<0.25> : tensor<1x32x8xf32>
  %12:3 = brisk.group ins(%products, %recurrence : tensor<5x2x32xf32>, tensor<1x32x8xf32>)
      outs(%states, %state, %state : tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32> {
  ^bb0(%a: tensor<5x2x32xf32>, %b: tensor<1x32x8xf32>):
    %r:3 = brisk.lstm %a r %b {hidden_size = 8 : i64} : (tensor<5x2x32xf32>, tensor<1x32x8xf32>) -> (tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>)
    brisk.yield %r#0, %r#1, %r#2 : tensor<5x1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>
  }
  %gaps = brisk.constant dense<[[0.0, 1.0], [2.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0],
      [0.0, 0.0], [0.0, 3.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]> : tensor<16x2xf32>
  %few = tensor.empty() : tensor<4x2xf32>
  %15 = brisk.group ins(%rows, %gaps : tensor<4x16xf32>, tensor<16x2xf32>) outs(%few : tensor<4x2xf32>) -> tensor<4x2xf32> {
  ^bb0(%a: tensor<4x16xf32>, %b: tensor<16x2xf32>):
    %r = brisk.matmul %a, %b : (tensor<4x16xf32>, tensor<16x2xf32>) -> tensor<4x2xf32>
    brisk.yield %r : tensor<4x2xf32>
  }
  return
}
)mlir";

namespace {
// One test a family, with its name, so that other tests can ask for the list.
class FamilyTest : public testing::TestWithParam<std::string> {};
} // namespace

TEST_P(FamilyTest, IsFoundByName) {
  const Kernel *kernel = findKernel(GetParam());
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->name, GetParam());
}

static std::vector<std::string> listNames() {
  std::vector<std::string> names;
  for (const Kernel &kernel : getKernels())
    names.push_back(kernel.name.str());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Table, FamilyTest, testing::ValuesIn(listNames()),
                         [](const auto &family) { return family.param; });

TEST(KernelTableTest, NoOtherNameIsFound) {
  EXPECT_EQ(findKernel("no such family"), nullptr);
}

/// What a match says of itself, whatever the schedule.
static void check(KernelMatch &match, GroupView &view, StringRef kernel,
                  Search search) {
  SmallVector<ScheduleAttr> schedules;
  match.getSchedules(search, schedules);
  ASSERT_FALSE(schedules.empty()) << kernel.str();
  EXPECT_GT(match.getTraffic(), 0u) << kernel.str();
  for (ScheduleAttr schedule : schedules) {
    EXPECT_EQ(schedule.getKernelName(), kernel);
    EXPECT_TRUE(succeeded(match.verify(schedule)));
    double cycles = match.getCycles(schedule);
    EXPECT_TRUE(std::isfinite(cycles) && cycles > 0)
        << kernel.str() << ": " << cycles;
    EXPECT_GE(match.getWork(schedule).getTasks(), 1) << kernel.str();
    EXPECT_TRUE(canPack(view.getGroup(), match.getPacking(schedule)))
        << kernel.str();
  }
}

TEST(KernelTableTest, EveryScheduleHasACost) {
  MLIRContext context;
  context.loadDialect<BriskDialect, func::FuncDialect, tensor::TensorDialect>();
  auto module = parseSourceString<ModuleOp>(groups, &context);
  ASSERT_TRUE(module);
  for (const Target *target : getTargets()) {
    const Isa &isa = target->isa;
    std::set<StringRef> fitting;
    module->walk([&](GroupOp group) {
      for (const Kernel &kernel : getKernels()) {
        GroupView view(group, isa);
        std::unique_ptr<KernelMatch> match = kernel.match(view);
        if (!match) {
          EXPECT_FALSE(view.getReason().empty()) << kernel.name.str();
          continue;
        }
        for (Search search : {Search::Default, Search::All})
          check(*match, view, kernel.name, search);
        fitting.insert(kernel.name);
      }
    });
    for (const Kernel &kernel : getKernels())
      EXPECT_TRUE(fitting.contains(kernel.name))
          << "no group here suits " << kernel.name.str();
  }
}
