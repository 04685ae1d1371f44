//===- TraceReportTest.cpp - Where the time of a model goes ---------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TraceReport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace brisk::tools;

namespace {

const brisk_op ops[] = {
    {"Conv_0", "conv", "gemm", 2000, 500, 0, 0},
    {"Relu \"1\"", "elementwise", "elementwise", 0, 100, 0, 0},
    {"Conv_2", "conv", "direct", 4000, 100, 0, 0},
};

class TraceReportTest : public testing::Test {
protected:
  TraceReportTest() {
    model.name = "test";
    model.ops = ops;
    model.num_ops = 3;
  }
  /// A run from its origin whose ops take some nanoseconds, plus 10.
  void addRun(TraceReport &report, uint64_t origin,
              std::vector<uint64_t> spans) {
    std::vector<brisk_record> records;
    uint64_t now = origin;
    for (uint32_t op = 0; op < spans.size(); ++op) {
      records.push_back({op, 0, now, now + spans[op]});
      now += spans[op];
    }
    brisk_trace trace = {records.data(), uint32_t(records.size()),
                         uint32_t(records.size()), 0};
    report.addRun(trace, now - origin + 10);
  }
  template <typename F> std::string text(F print) {
    std::string result;
    llvm::raw_string_ostream out(result);
    print(out);
    return result;
  }
  brisk_model model = {};
};

TEST_F(TraceReportTest, TakesMediansInRunOrder) {
  TraceReport report(model);
  addRun(report, 0, {1000, 490, 500});
  addRun(report, 0, {1000, 490, 500});
  addRun(report, 0, {9000, 490, 500});
  EXPECT_EQ(text([&](auto &out) { report.inRunOrder().printCsv(out); }),
            "#,ms,share,GFLOP/s,GB/s,type,kernel,name\n"
            "0,0.0010,50.0%,2.00,0.50,conv,gemm,Conv_0\n"
            "1,0.0005,24.5%,,0.20,elementwise,elementwise,\"Relu \"\"1\"\"\"\n"
            "2,0.0005,25.0%,8.00,0.20,conv,direct,Conv_2\n"
            ",0.0000,0.5%,,,,,(outside of ops)\n");
  EXPECT_EQ(report.summary(0).max, 9000);
  EXPECT_EQ(report.summary(0).n, 3u);
}

TEST_F(TraceReportTest, SumsPhasesOfEachRun) {
  TraceReport plain(model);
  addRun(plain, 0, {1000, 490, 500});
  EXPECT_TRUE(plain.phases().empty());

  brisk_op joined[] = {ops[0], ops[1], ops[2]};
  joined[0].phase = BRISK_PHASE_PRE;
  model.ops = joined;
  TraceReport report(model);
  // What is small in one run is large in the other: percentiles of sums are no
  // sums of percentiles.
  addRun(report, 0, {1000, 400, 600});
  addRun(report, 0, {2000, 700, 300});
  addRun(report, 0, {9000, 500, 500});
  auto phases = report.phases();
  ASSERT_EQ(phases.size(), 3u);
  EXPECT_STREQ(phases[0].name, "pre");
  EXPECT_EQ(phases[0].ns.p50, 2000);
  EXPECT_STREQ(phases[1].name, "inference");
  EXPECT_EQ(phases[1].ns.min, 1000);
  EXPECT_EQ(phases[1].ns.max, 1000);
  EXPECT_STREQ(phases[2].name, "end to end");
  EXPECT_EQ(phases[2].ns.p50, 3010);
  EXPECT_EQ(phases[2].ns.n, 3u);
}

TEST_F(TraceReportTest, GroupsByType) {
  TraceReport report(model);
  addRun(report, 0, {1000, 490, 500});
  EXPECT_EQ(text([&](auto &out) { report.byType().printCsv(out); }),
            "ops,ms,share,GFLOP/s,GB/s,type,kernels\n"
            "2,0.0015,75.0%,4.00,0.40,conv,\"gemm, direct\"\n"
            "1,0.0005,24.5%,,0.20,elementwise,elementwise\n");
}

TEST_F(TraceReportTest, WritesChromeTraces) {
  TraceReport report(model);
  addRun(report, 5000000, {1001, 490, 500});
  addRun(report, 6000000, {1000, 490, 500});
  auto parsed =
      llvm::json::parse(text([&](auto &out) { report.writeChromeTrace(out); }));
  ASSERT_TRUE(bool(parsed));
  const llvm::json::Array *events =
      parsed->getAsObject()->getArray("traceEvents");
  ASSERT_EQ(events->size(), 2u + 6u);
  const llvm::json::Object *event = (*events)[3].getAsObject();
  EXPECT_EQ(event->getString("name"), "Relu \"1\"");
  EXPECT_EQ(event->getString("ph"), "X");
  EXPECT_EQ(event->getNumber("ts"), 1.001);
  EXPECT_EQ(event->getNumber("dur"), 0.49);
  EXPECT_EQ(event->getObject("args")->getInteger("run"), 0);
  EXPECT_EQ((*events)[5].getAsObject()->getNumber("ts"), 1000.0);
}

TEST_F(TraceReportTest, AnOpThatRunsOftenIsSummed) {
  TraceReport report(model);
  brisk_record records[] = {{0, 0, 0, 10}, {0, 0, 20, 35}, {7, 0, 40, 50}};
  brisk_trace trace = {records, 3, 3, 2};
  report.addRun(trace, 100);
  EXPECT_EQ(report.summary(0).max, 25);
  EXPECT_EQ(report.dropped(), 2u);
}

} // namespace
