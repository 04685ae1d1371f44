//===- Reference.cpp - What a model's outputs should be -------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Reference.h"

#include "Table.h"
#include "brisk/Execution/InputFlags.h"
#include "brisk/Execution/TensorFile.h"
#include "brisk/System/InputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace brisk::execution;

namespace brisk::tools {

/// The files of outputs by name that the outputs.json of a folder lists.
static Expected<std::vector<std::pair<std::string, std::string>>>
readIndex(StringRef path) {
  auto file = readInputFile(path);
  if (!file)
    return createStringError("cannot read '" + path +
                             "': " + toString(file.takeError()));
  auto malformed = [&](const Twine &reason) {
    return createStringError("'" + path +
                             "' is not as brisk-run writes it: " + reason);
  };
  auto value = json::parse((*file)->getBuffer());
  if (!value)
    return malformed(toString(value.takeError()));
  const json::Object *root = value->getAsObject();
  const json::Array *list = root ? root->getArray("outputs") : nullptr;
  if (!list)
    return malformed("it has no list 'outputs'");
  std::vector<std::pair<std::string, std::string>> files;
  for (const json::Value &each : *list) {
    const json::Object *entry = each.getAsObject();
    auto name = entry ? entry->getString("name") : std::nullopt;
    auto output = entry ? entry->getString("file") : std::nullopt;
    if (!name || !output)
      return malformed("an output lacks its 'name' or 'file'");
    files.emplace_back(name->str(), output->str());
  }
  return files;
}

/// The file of an output in a folder.
static Expected<std::string> findFile(StringRef folder, StringRef name,
                                      unsigned number) {
  auto in = [&](const Twine &file) {
    SmallString<256> path(folder);
    sys::path::append(path, file);
    return path.str().str();
  };
  std::string index = in("outputs.json");
  if (!sys::fs::exists(index)) {
    for (StringRef extension : {".npy", ".pb"})
      if (std::string path = in(Twine(number) + extension);
          sys::fs::exists(path))
        return path;
    return createStringError("'" + folder + "' has no file " + Twine(number) +
                             ".npy or " + Twine(number) + ".pb for output '" +
                             name + "'");
  }
  auto files = readIndex(index);
  if (!files)
    return files.takeError();
  std::string names;
  ListSeparator comma;
  for (const auto &[listed, file] : *files) {
    if (listed == validUtf8(name))
      return in(file);
    names += (Twine(StringRef(comma)) + "'" + listed + "'").str();
  }
  return createStringError("'" + index + "' lists no output '" + name + "'" +
                           (names.empty() ? "" : "; it has " + names));
}

/// Whether a reference has the shape of an output; one for samples may have
/// them in the place of a first dimension of 1.
static bool fits(ArrayRef<int64_t> reference, ArrayRef<int64_t> output,
                 bool samples) {
  if (reference == output)
    return true;
  return samples && output.size() > 1 && output[1] == 1 && !reference.empty() &&
         reference[0] == output[0] &&
         reference.drop_front() == output.drop_front(2);
}

Error Reference::add(const RunOptions &options, StringRef name,
                     const Tensor &output, Tensor &&reference) {
  bool areFloats = isFloat(output.dtype) && isFloat(reference.dtype);
  if ((output.dtype != reference.dtype && !areFloats) ||
      !fits(reference.dims, output.dims, options.samples))
    return createStringError("output '" + name + "' is " +
                             describeTensor(output.dtype, output.dims) +
                             ", but its reference " +
                             describeTensor(reference.dtype, reference.dims));
  unsigned lead = options.samples;
  ArrayRef<int64_t> own = ArrayRef(output.dims).drop_front(lead);
  std::optional<unsigned> axis =
      options.classAxis ? options.classAxis : findClasses(output.dtype, own);
  if (axis && *axis >= own.size())
    return createStringError("--class-axis=" + Twine(*axis) + ": output '" +
                             name + "' has " + Twine(own.size()) +
                             " dimensions");
  if (axis)
    *axis += lead;
  entries.push_back({name.str(), output.dtype, output.dims, axis,
                     std::move(reference), Comparison()});
  return Error::success();
}

Expected<Reference> Reference::read(const RunOptions &options,
                                    const brisk_model &model,
                                    ArrayRef<Tensor> outputs) {
  Reference result;
  result.minSqnr = options.minSqnr;
  StringRef path = options.reference;
  bool isArchive = path.ends_with(".npz");
  if (!isArchive && !sys::fs::is_directory(path))
    return createStringError("--compare=" + path +
                             ": expected a folder or a .npz file");
  for (auto [i, output] : enumerate(outputs)) {
    StringRef name = model.outputs[i].name;
    std::string file = path.str();
    if (!isArchive)
      if (Error error = findFile(path, name, i).moveInto(file))
        return std::move(error);
    auto tensor = readTensorFile(file, name);
    if (!tensor)
      return createStringError("output '" + name +
                               "': " + toString(tensor.takeError()));
    if (Error error = result.add(options, name, output, std::move(*tensor)))
      return std::move(error);
  }
  if (result.minSqnr && none_of(result.entries, [](const Output &output) {
        return isFloat(output.dtype);
      }))
    return createStringError(
        "--min-sqnr holds for outputs of floats, and the model has "
        "none");
  return result;
}

static std::string formatFigure(const char *pattern, double value) {
  if (std::isnan(value))
    return "nan"; // which printf may give a sign
  std::string text;
  raw_string_ostream(text) << format(pattern, value);
  return text;
}

/// The indices of an element, by its place in memory.
static SmallVector<int64_t> indicesOf(uint64_t place, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> indices(dims.size());
  for (size_t i = dims.size(); i-- > 0; place /= dims[i])
    indices[i] = static_cast<int64_t>(place % dims[i]);
  return indices;
}

static double shareOf(uint64_t part, uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : 1;
}

Error Reference::compare(ArrayRef<Tensor> outputs, raw_ostream &out) {
  using Align = Table::Align;
  Table table({{"output", Align::Left},
               {"type", Align::Left},
               {"shape", Align::Left},
               {"SQNR/dB"},
               {"max error"},
               {"at"},
               {"found"},
               {"expected"},
               {"equal"},
               {"top-1"}});
  for (auto [entry, output] : zip_equal(entries, outputs)) {
    Comparison &comparison = entry.comparison;
    comparison = compareTensors(output.view(), entry.reference.view(),
                                entry.dims, entry.classAxis);
    const Deviation &deviation = comparison.deviation;
    bool isOff = deviation.getMaxError() > 0;
    auto figure = [&](const char *pattern, double value) {
      return isOff ? formatFigure(pattern, value) : "";
    };
    std::string top1;
    if (comparison.top1)
      top1 = formatFigure("%.2f%%", 100 * shareOf(comparison.top1->agreeing,
                                                  comparison.top1->rows)) +
             " of " + std::to_string(comparison.top1->rows);
    table.addRow(
        {entry.name, brisk_dtype_name(entry.dtype), formatShape(entry.dims),
         formatFigure("%.2f", deviation.getSqnr()),
         formatFigure("%.3g", deviation.getMaxError()),
         isOff ? formatShape(indicesOf(deviation.getMaxErrorAt(), entry.dims))
               : "",
         figure("%.6g", comparison.found), figure("%.6g", comparison.expected),
         formatFigure("%.2f%%", 100 * shareOf(deviation.getEqual(),
                                              deviation.getCount())),
         top1});
  }
  table.print(out);
  return checkSqnr();
}

Error Reference::checkSqnr() const {
  Error errors = Error::success();
  for (const Output &entry : entries) {
    double sqnr = entry.comparison.deviation.getSqnr();
    if (minSqnr && isFloat(entry.dtype) && !(sqnr >= *minSqnr))
      errors = joinErrors(
          std::move(errors),
          createStringError(
              "output '" + entry.name + "' has an SQNR of " +
              formatFigure("%.2f", sqnr) +
              " dB, lower than --min-sqnr=" + formatFigure("%g", *minSqnr)));
  }
  return errors;
}

/// JSON has no infinities and no NaN: they are text, which C's strtod and
/// Python's float read.
static json::Value toJson(double value) {
  if (std::isfinite(value))
    return value;
  return formatFigure("%f", value);
}

void Reference::writeJson(raw_ostream &out) const {
  json::Array list;
  for (const Output &entry : entries) {
    const Comparison &comparison = entry.comparison;
    const Deviation &deviation = comparison.deviation;
    bool isOff = deviation.getMaxError() > 0;
    json::Object object{
        {"name", validUtf8(entry.name)},
        {"dtype", brisk_dtype_name(entry.dtype)},
        {"shape", json::Array(entry.dims)},
        {"sqnr_db", toJson(deviation.getSqnr())},
        {"max_error", toJson(deviation.getMaxError())},
        {"max_error_at", nullptr},
        {"found", nullptr},
        {"expected", nullptr},
        {"equal", shareOf(deviation.getEqual(), deviation.getCount())},
        {"top1", nullptr}};
    if (isOff) {
      object["max_error_at"] =
          json::Array(indicesOf(deviation.getMaxErrorAt(), entry.dims));
      object["found"] = toJson(comparison.found);
      object["expected"] = toJson(comparison.expected);
    }
    if (comparison.top1)
      object["top1"] =
          shareOf(comparison.top1->agreeing, comparison.top1->rows);
    list.push_back(std::move(object));
  }
  out << formatv("{0:2}",
                 json::Value(json::Object{{"outputs", std::move(list)}}))
      << '\n';
}

} // namespace brisk::tools
