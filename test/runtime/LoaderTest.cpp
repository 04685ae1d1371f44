//===- LoaderTest.cpp - Models from shared libraries ----------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "brisk/host.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cerrno>
#include <cstdlib>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool hasMemoryFiles = true;

/// What the loader calls in place of the C library's.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int memfd_create(const char *name, unsigned flags) noexcept {
  if (hasMemoryFiles)
    return static_cast<int>(syscall(SYS_memfd_create, name, flags));
  errno = ENOSYS;
  return -1;
}

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

static std::string path(const char *name) {
  return std::string(FAKE_MODELS) + "/" + name + ".so";
}

static std::string refusal(const std::string &file) {
  char error[512] = "";
  brisk_library *library =
      brisk_library_open(file.c_str(), error, sizeof error);
  EXPECT_EQ(library, nullptr);
  brisk_library_close(library);
  return error;
}

namespace {
/// An open library.
struct Opened {
  explicit Opened(const fs::path &file) {
    char error[512];
    library = brisk_library_open(file.c_str(), error, sizeof error);
    EXPECT_NE(library, nullptr) << error;
  }
  Opened(const Opened &) = delete;
  ~Opened() { brisk_library_close(library); }

  /// The model's y for x = scale = 1: its factor.
  float answer() const {
    if (!library)
      return -1;
    alignas(64) char arena[64];
    float x[6] = {1, 1, 1, 1, 1, 1}, scale = 1, y[6] = {};
    bool flags[8] = {};
    int64_t n[2];
    const void *inputs[] = {x, &scale, flags};
    void *outputs[] = {y, n};
    EXPECT_EQ(brisk_run(brisk_library_model(library)->call, inputs, outputs,
                        arena, nullptr),
              BRISK_OK);
    return y[0];
  }

  brisk_library *library;
};

/// A folder that goes away.
struct Folder {
  Folder() : path(testing::TempDir() + "brisk-XXXXXX") {
    EXPECT_NE(mkdtemp(path.data()), nullptr);
  }
  Folder(const Folder &) = delete;
  ~Folder() { fs::remove_all(path); }
  fs::path operator/(const char *name) const { return fs::path(path) / name; }
  std::string path;
};
} // namespace

/// Opens a model, puts another in its place and opens that.
static void expectSwaps(bool rename) {
  Folder folder;
  fs::path file = folder / "model.so", next = folder / "next.so";
  fs::copy_file(path("fake"), file);
  Opened old(file);
  fs::copy_file(path("tenfold"), next);
  if (rename)
    fs::rename(next, file);
  else
    fs::copy_file(next, file, fs::copy_options::overwrite_existing);
  Opened swapped(file);
  EXPECT_EQ(old.answer(), 1);
  EXPECT_EQ(swapped.answer(), 10);
  fs::resize_file(file, 0);
  EXPECT_EQ(old.answer(), 1);
  EXPECT_EQ(swapped.answer(), 10);
}

TEST(Loader, OpensWhatReplacedAModel) { expectSwaps(/*rename=*/true); }

TEST(Loader, KeepsAModelWhoseFileIsWrittenTo) { expectSwaps(/*rename=*/false); }

TEST(Loader, CopiesToAFileWhereThereAreNoMemoryFiles) {
  Folder folder;
  fs::create_directory(folder / "tmp");
  setenv("TMPDIR", (folder / "tmp").c_str(), 1);
  hasMemoryFiles = false;
  expectSwaps(/*rename=*/true);
  EXPECT_TRUE(fs::is_empty(folder / "tmp"));
  setenv("TMPDIR", (folder / "absent").c_str(), 1);
  EXPECT_THAT(refusal(path("fake")), HasSubstr("set TMPDIR"));
  hasMemoryFiles = true;
  unsetenv("TMPDIR");
}

TEST(Loader, OpensAnotherModelWhereDescriptorsWereClosed) {
  Opened old(path("fake"));
  // As programs do that become a service.
  for (int file = 3; file < 64; ++file)
    close(file);
  Opened other(path("tenfold"));
  EXPECT_EQ(other.answer(), 10);
  EXPECT_EQ(old.answer(), 1);
}

TEST(Loader, LoadsAndRuns) {
  char error[512];
  brisk_library *library =
      brisk_library_open(path("fake").c_str(), error, sizeof error);
  ASSERT_NE(library, nullptr) << error;
  const brisk_model *model = brisk_library_model(library);
  EXPECT_STREQ(model->name, "fake");
  void *arena = brisk_memory_create(model->memory, 1);
  ASSERT_NE(arena, nullptr);
  float x[6] = {1, 2, 3, 4, 5, 6}, scale = 2, y[6];
  bool flags[8] = {true, false, false, true, true, true, true, true};
  int64_t n[2];
  const void *inputs[] = {x, &scale, flags};
  void *outputs[] = {y, n};
  EXPECT_EQ(brisk_run(model->call, inputs, outputs, arena, nullptr), BRISK_OK);
  EXPECT_EQ(y[5], 12);
  EXPECT_EQ(n[0], 2);
  EXPECT_EQ(n[1], 4);
  brisk_aligned_free(arena);
  brisk_library_close(library);
}

TEST(Loader, SaysWhatIsWrong) {
  EXPECT_THAT(refusal(path("absent")), HasSubstr("No such file"));
  EXPECT_THAT(refusal(path("old")),
              HasSubstr("interface version 2, this runtime has 5; compile it "
                        "again"));
  EXPECT_THAT(refusal(path("short")), HasSubstr("'x' claims 20 bytes"));
  EXPECT_THAT(refusal(path("foreign")), HasSubstr("brisk_model_get"));
  EXPECT_THAT(refusal(path("needing")),
              HasSubstr("target 'host', whose code needs sse2000, avx9, which "
                        "this CPU or its operating system lacks"));
}

namespace {
/// A descriptor in which everything that may be wrong can be made so.
struct Described {
  const int64_t dims[2] = {2, 3}, strides[2] = {3, 1};
  int32_t symbols[2] = {-1, 0};
  float scales[3] = {1, 2, 3};
  brisk_quant quant = {scales, nullptr, 3, 1};
  const char *names[1] = {"n"};
  brisk_tensor tensor = {"x", dims,      strides, symbols, &quant,
                         2,   BRISK_F32, 32,      24};
  brisk_memory memory = {BRISK_MEMORY_ARENA, 64, 128, 0};
  brisk_model model = {};

  Described() {
    model.abi_version = BRISK_ABI_VERSION;
    model.name = model.target = "x";
    model.cpu_features = model.compiler = model.source_sha256 = model.flags =
        "";
    model.call = [](const brisk_call *) -> int { return BRISK_OK; };
    model.inputs = &tensor;
    model.num_inputs = 1;
    model.memory = &memory;
    model.num_memory = 1;
    model.symbols = names;
    model.num_symbols = 1;
  }
  std::string fault() const {
    char error[512] = "";
    EXPECT_EQ(brisk_model_check(&model, error, sizeof error), *error != 0);
    return error;
  }
};
} // namespace

TEST(Loader, ChecksEveryFieldOfTheDescriptor) {
  EXPECT_EQ(Described().fault(), "");
  auto check = [](const char *part, auto spoil) {
    Described described;
    spoil(described);
    EXPECT_THAT(described.fault(), HasSubstr(part));
  };
  check("incomplete", [](Described &d) { d.model.call = nullptr; });
  check("input 0 of the descriptor is incomplete",
        [](Described &d) { d.tensor.strides = nullptr; });
  check("claims elements of 16 bits, but those of float32 have 32",
        [](Described &d) { d.tensor.bits = 16; });
  check("claims 20 bytes, but its shape has 24",
        [](Described &d) { d.tensor.bytes = 20; });
  const int64_t apart[] = {4, 1}, backwards[] = {-3, 1};
  check("its shape has 28", [&](Described &d) { d.tensor.strides = apart; });
  check("strides that no memory holds",
        [&](Described &d) { d.tensor.strides = backwards; });
  const int64_t vast[] = {INT64_MAX, INT64_MAX};
  check("dimensions or strides that no memory holds",
        [&](Described &d) { d.tensor.dims = d.tensor.strides = vast; });
  check("an extent that no call gives", [](Described &d) { d.symbols[1] = 1; });
  check("an extent that no call gives",
        [](Described &d) { d.symbols[0] = -2; });
  check("extent 0 of the descriptor has no name",
        [](Described &d) { d.names[0] = nullptr; });
  check("lacks scales", [](Described &d) { d.quant.count = 2; });
  check("lacks scales", [](Described &d) { d.quant.axis = 2; });
  check("lacks scales", [](Described &d) { d.quant.scales = nullptr; });
  check("no table of its memory",
        [](Described &d) { d.model.memory = nullptr; });
  check("memory block 0 is of an unknown kind, 7",
        [](Described &d) { d.memory.kind = 7; });
  check("the alignment of memory block 0, 24, is no power of two",
        [](Described &d) { d.memory.alignment = 24; });
  check("memory block 0 has sizes that no memory holds",
        [](Described &d) { d.memory.bytes = UINT64_MAX; });
  check("memory block 0 has sizes that no memory holds",
        [](Described &d) { d.memory.bytes_per_worker = uint64_t(1) << 32; });
}

TEST(Loader, SaysWhyAFileIsNoLibraryForHere) {
  Folder folder;
  std::string file = folder / "model.so",
              start = "cannot load '" + file + "': ";
  auto write = [&](const std::string &content) {
    std::ofstream(file, std::ios::binary) << content;
    return refusal(file);
  };
  std::string whole;
  {
    std::ifstream in(path("fake"), std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(in), {});
  }
  auto patched = [&](size_t at, char value) {
    std::string content = whole;
    content[at] = value;
    return write(content);
  };
  EXPECT_THAT(write(""), start + "the file is empty");
  EXPECT_THAT(write("not a library"), HasSubstr(start + "it is no shared"));
  EXPECT_THAT(write("!<arch>\n"), HasSubstr("it is a static library"));
  EXPECT_THAT(write(whole.substr(0, 10)), start + "it is truncated");
  for (size_t size : {40ul, 64ul, 100ul, whole.size() / 4})
    EXPECT_THAT(write(whole.substr(0, size)),
                HasSubstr(start + "it is truncated: "));
  size_t machine = offsetof(Elf64_Ehdr, e_machine);
  EXPECT_THAT(patched(machine, static_cast<char>(EM_68K)),
              HasSubstr("it is for another machine, and this program is for"));
#if defined(__x86_64__)
  EXPECT_THAT(patched(machine, static_cast<char>(EM_AARCH64)),
              start + "it is for AArch64, and this program is for x86-64");
  EXPECT_THAT(patched(machine, EM_ARM), HasSubstr("it is for 32-bit Arm, and"));
#endif
  EXPECT_THAT(patched(EI_CLASS, ELFCLASS32), HasSubstr("it has 32 bits"));
  EXPECT_THAT(patched(EI_DATA, ELFDATA2MSB), HasSubstr("order of bytes"));
  size_t type = offsetof(Elf64_Ehdr, e_type);
  EXPECT_THAT(patched(type, ET_REL), HasSubstr("it is an object"));
  EXPECT_THAT(patched(type, ET_EXEC), HasSubstr("but no shared library"));
  EXPECT_THAT(patched(offsetof(Elf64_Ehdr, e_phentsize), 1),
              start + "its program headers are damaged");
  // The end of the first program header wraps around.
  std::string wrapping = whole;
  wrapping.replace(offsetof(Elf64_Ehdr, e_phoff), 8, 8, '\xff');
  EXPECT_THAT(write(wrapping), HasSubstr(start + "it is truncated: "));
  fs::remove(file);
  EXPECT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_THAT(refusal(file), start + "it is a pipe, not a file");
  EXPECT_THAT(refusal(folder.path), HasSubstr("it is a directory"));
  EXPECT_THAT(refusal("/dev/zero"), HasSubstr("it is a device, not a file"));
  EXPECT_THAT(refusal(path("absent")), Not(HasSubstr("/proc/")));
}

TEST(Loader, NeverSearchesForAModel) {
  // The C library would be found by name.
  EXPECT_THAT(refusal("libc.so.6"), HasSubstr("No such file"));
}

TEST(Loader, CutsMessagesToTheBuffer) {
  char error[8];
  EXPECT_EQ(brisk_library_open("/nowhere", error, sizeof error), nullptr);
  EXPECT_STREQ(error, "cannot ");
  EXPECT_EQ(brisk_library_open("/nowhere", nullptr, 0), nullptr);
}
