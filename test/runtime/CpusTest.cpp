//===- CpusTest.cpp - CPUs that this process may use ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cpus.h"

#include "brisk/host.h"

#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

class Cgroup : public testing::Test {
protected:
  void SetUp() override {
    root = fs::path(testing::TempDir()) /
           ("brisk-cgroup-" + std::to_string(getpid()));
    fs::create_directories(root);
  }
  void TearDown() override { fs::remove_all(root); }
  void write(const std::string &file, const std::string &text) {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }
  uint32_t cpus(const std::string &membership) {
    write("self", membership);
    return brisk_cgroup_cpus((root / "self").c_str(), root.c_str());
  }
  fs::path root;
};

TEST_F(Cgroup, NoQuota) {
  EXPECT_EQ(cpus(""), 0u);
  EXPECT_EQ(cpus("0::/\n"), 0u);
  write("a/cpu.max", "max 100000\n");
  EXPECT_EQ(cpus("0::/a\n"), 0u);
  write("cpu/a/cpu.cfs_quota_us", "-1\n");
  write("cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpus("3:cpu:/a\n"), 0u);
  EXPECT_EQ(brisk_cgroup_cpus("/nowhere", root.c_str()), 0u);
}

TEST_F(Cgroup, Version2TakesTheTightestUpToTheRoot) {
  write("cpu.max", "800000 100000\n");
  write("a/cpu.max", "350000 100000\n");
  write("a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(cpus("0::/a/b\n"), 3u) << "rounded down";
  EXPECT_EQ(cpus("0::/host/path/not/here\n"), 8u);
  write("a/b/cpu.max", "50000 100000\n");
  EXPECT_EQ(cpus("0::/a/b\n"), 1u) << "never below one";
}

TEST_F(Cgroup, Version1FindsTheController) {
  write("cpu,cpuacct/x/cpu.cfs_quota_us", "200000\n");
  write("cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpus("7:cpuset:/y\n4:cpu,cpuacct:/x\n1:name=systemd:/\n"), 2u);
}

TEST_F(Cgroup, MalformedFilesMeanNoQuota) {
  write("cpu.max", "garbage\n");
  EXPECT_EQ(cpus("0::/\n"), 0u);
  write("cpu.max", "100000 0\n");
  EXPECT_EQ(cpus("0::/\n"), 0u);
  EXPECT_EQ(cpus("no colons\n:one\n"), 0u);
}

TEST(Cpus, RespectsTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(brisk_affinity_cpus(), (uint32_t)CPU_COUNT(&before));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &before)) {
      CPU_SET(cpu, &one);
      break;
    }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(brisk_affinity_cpus(), 1u);
  EXPECT_EQ(brisk_default_threads(), 1u);
  sched_setaffinity(0, sizeof before, &before);
}

} // namespace
