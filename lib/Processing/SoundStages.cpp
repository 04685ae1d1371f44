//===- SoundStages.cpp - Stages of sound ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From samples to what a model of sounds takes. Windows, bands of the mel scale
// and cosine transforms are constants, in the definitions of TensorFlow
// (tf.signal) or librosa.
//
//===----------------------------------------------------------------------===//

#include "Stage.h"
#include "brisk/Dialect/Builders.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace brisk;
using namespace brisk::processing;

static constexpr int64_t maxSamples = int64_t(1) << 28, maxLength = 1 << 16;
static constexpr double pi = std::numbers::pi;

/// The one value of rows of floats that a stage takes.
static FailureOr<Value> takeRows(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> value = takeOne(stage, values);
  if (succeeded(value) && (getShape(*value).size() != 2 ||
                           !getElementTypeOrSelf(value->getType()).isF32()))
    return stage.fail() << "the tensor is " << value->getType()
                        << ", expected frames x numbers in f32";
  return value;
}

/// `sound: {format, samples}`: PCM of one channel, as floats from -1 to 1.
static FailureOr<Values> readSound(Stage &stage, ArrayRef<Value> values) {
  if (!values.empty())
    return stage.fail() << "sound is the first stage of a path";
  auto format = stage.fields.getChoice("format", {"s16", "f32", "u8"}, 0);
  auto samples = stage.fields.getInt("samples", 1, maxSamples);
  if (failed(format) || failed(samples))
    return failure();
  MLIRContext *context = stage.b.getContext();
  Type f32 = stage.b.getF32Type();
  Type elements[] = {stage.b.getI16Type(), f32,
                     IntegerType::get(context, 8, IntegerType::Unsigned)};
  Value input =
      stage.addInput(RankedTensorType::get({*samples}, elements[*format]));
  Value x = stage.cast(input, f32);
  if (*format == 2) // the middle is 128
    x = stage.make<SubOp>(x, stage.number(128, x));
  constexpr double largest[] = {32768, 1, 128};
  if (*format != 1)
    x = stage.make<MulOp>(x, stage.number(1 / largest[*format], x));
  return Values{x};
}

/// The weights of a window, of which one more would be the first again.
static std::vector<double> makeWindow(size_t kind, int64_t length) {
  // In the order of the choices: none, hann, hamming.
  constexpr double constant[] = {1, 0.5, 0.54}, wave[] = {0, 0.5, 0.46};
  std::vector<double> weights;
  for (int64_t i = 0; i < length; ++i) {
    double turn = 2 * pi * static_cast<double>(i) / static_cast<double>(length);
    weights.push_back(constant[kind] - wave[kind] * std::cos(turn));
  }
  return weights;
}

/// `frames: {length, hop, window}`: windows of `length` samples, `hop` apart,
/// as many as are whole.
static FailureOr<Values> cutFrames(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> sound = takeOne(stage, values);
  if (failed(sound))
    return failure();
  ArrayRef<int64_t> shape = getShape(*sound);
  if (shape.size() != 1 || !getElementTypeOrSelf(sound->getType()).isF32())
    return stage.fail() << "the tensor is " << sound->getType()
                        << ", expected sound";
  int64_t samples = shape.front();
  auto length = stage.fields.getInt("length", 1, std::min(samples, maxLength));
  auto hop = stage.fields.getInt("hop", 1, maxSamples);
  auto kind = stage.fields.getChoice("window", {"none", "hann", "hamming"}, 1);
  if (failed(length) || failed(hop) || failed(kind))
    return failure();
  int64_t count = (samples - *length) / *hop + 1;
  // Column by column of blocks of `hop` samples: each is a view of the sound.
  int64_t blocks = llvm::divideCeil(*length, *hop);
  int64_t needed = (count + blocks - 1) * *hop;
  Value x = *sound;
  if (samples < needed)
    x = stage.make<PadOp>(x, stage.ints({0, needed - samples}), Value(),
                          Value(), PadMode::Constant);
  SmallVector<Value> parts;
  for (int64_t block = 0; block < blocks; ++block) {
    int64_t start = block * *hop;
    Value part = stage.make<SliceOp>(x, stage.ints({start}),
                                     stage.ints({start + count * *hop}),
                                     stage.ints({0}), Value());
    part = makeReshape(stage.b, stage.loc, part, {count, *hop});
    int64_t columns = std::min(*hop, *length - start);
    if (columns < *hop)
      part = stage.make<SliceOp>(part, stage.ints({0}), stage.ints({columns}),
                                 stage.ints({1}), Value());
    parts.push_back(part);
  }
  Value frames = parts.size() == 1
                     ? parts.front()
                     : stage.make<ConcatOp>(ValueRange(parts),
                                            stage.b.getI64IntegerAttr(1));
  if (*kind != 0)
    frames = stage.make<MulOp>(frames,
                               stage.floats(makeWindow(*kind, *length),
                                            {*length}, stage.b.getF32Type()));
  return Values{frames};
}

/// `spectrum: {size, power}`: of each frame, filled up with zeros to `size`
/// samples, how strong each frequency up to half of the rate is.
static FailureOr<Values> makeSpectrum(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> frames = takeRows(stage, values);
  if (failed(frames))
    return failure();
  int64_t count = getShape(*frames)[0], length = getShape(*frames)[1];
  auto size = stage.fields.getInt("size", length, maxLength, length);
  auto power = stage.fields.getInt("power", 1, 2, 2);
  if (failed(size) || failed(power))
    return failure();
  Value x = makeReshape(stage.b, stage.loc, *frames, {count, length, 1});
  Value parts =
      stage.make<DftOp>(x, /*axis=*/1, stage.b.getI64IntegerAttr(*size),
                        /*inverse=*/false, /*onesided=*/true);
  Value squares = stage.make<MulOp>(parts, parts);
  Value sum = stage.make<ReduceOp>(squares, stage.ints({2}), ReduceKind::Sum,
                                   /*keepdims=*/false,
                                   /*noop_with_empty_axes=*/true);
  if (*power == 1)
    sum = stage.make<SqrtOp>(sum);
  return Values{sum};
}

/// Frequencies as mel: by HTK's formula, or Slaney's, which is linear up to
/// 1000 Hz.
static double toMel(double hertz, bool slaney) {
  if (!slaney)
    return 1127.0 * std::log1p(hertz / 700.0);
  constexpr double linear = 200.0 / 3, knee = 1000.0;
  if (hertz < knee)
    return hertz / linear;
  return knee / linear + std::log(hertz / knee) * 27.0 / std::log(6.4);
}

static double fromMel(double mel, bool slaney) {
  if (!slaney)
    return 700.0 * std::expm1(mel / 1127.0);
  constexpr double linear = 200.0 / 3, knee = 1000.0;
  if (mel < knee / linear)
    return mel * linear;
  return knee * std::exp((mel - knee / linear) * std::log(6.4) / 27.0);
}

namespace {
/// Triangles that overlap by half, each a band.
struct MelBands {
  int64_t bins, bands;
  double rate, low, high;
  bool ofLibrosa;

  /// How much of bin `k` is in each band: bins x bands.
  std::vector<double> get() const {
    double first = toMel(low, ofLibrosa), last = toMel(high, ofLibrosa);
    std::vector<double> edges, weights;
    for (int64_t i = 0; i < bands + 2; ++i)
      edges.push_back(first + (last - first) * static_cast<double>(i) /
                                  static_cast<double>(bands + 1));
    // TensorFlow's triangles are straight along mel, librosa's along hertz, and
    // of one area.
    if (ofLibrosa)
      for (double &edge : edges)
        edge = fromMel(edge, true);
    for (int64_t k = 0; k < bins; ++k) {
      double hertz =
          rate / 2 * static_cast<double>(k) / static_cast<double>(bins - 1);
      double at = ofLibrosa ? hertz : toMel(hertz, false);
      for (int64_t band = 0; band < bands; ++band) {
        double from = edges[band], peak = edges[band + 1], to = edges[band + 2];
        double weight = std::max(0.0, std::min((at - from) / (peak - from),
                                               (to - at) / (to - peak)));
        // TensorFlow leaves the constant part out.
        if (!ofLibrosa && k == 0)
          weight = 0;
        weights.push_back(ofLibrosa ? weight * 2 / (to - from) : weight);
      }
    }
    return weights;
  }
};
} // namespace

/// `mel: {bands, rate, low, high, like}`
static FailureOr<Values> makeMel(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> spectrum = takeRows(stage, values);
  auto bands = stage.fields.getInt("bands", 1, 1024);
  auto rate = stage.fields.getNumber("rate"),
       low = stage.fields.getNumber("low", 0);
  if (failed(spectrum) || failed(bands) || failed(rate) || failed(low))
    return failure();
  auto high = stage.fields.getNumber("high", *rate / 2);
  auto like = stage.fields.getChoice("like", {"tensorflow", "librosa"}, 0);
  if (failed(high) || failed(like))
    return failure();
  int64_t bins = getShape(*spectrum)[1];
  if (!(*rate > 0 && *low >= 0 && *low < *high && *high <= *rate / 2))
    return stage.fail() << "bands from " << *low << " to " << *high
                        << " Hz have to lie between 0 and half of the rate, "
                        << *rate / 2 << " Hz";
  if (bins < 2)
    return stage.fail() << "the spectrum has no frequencies";
  MelBands shape{bins, *bands, *rate, *low, *high, *like == 1};
  Value weights =
      stage.floats(shape.get(), {bins, *bands}, stage.b.getF32Type());
  return Values{stage.make<MatmulOp>(*spectrum, weights)};
}

/// `log: {floor, offset}`: the natural logarithm of what is at least `floor`,
/// plus `offset`.
static FailureOr<Values> takeLog(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeRows(stage, values);
  auto floor = stage.fields.getNumber("floor", 0),
       offset = stage.fields.getNumber("offset", 0);
  if (failed(input) || failed(floor) || failed(offset))
    return failure();
  if (*floor < 0 || *offset < 0 || *floor + *offset == 0)
    return stage.fail() << "floor or offset has to be larger than 0, so that "
                           "silence has a logarithm";
  Value x = *input;
  if (*floor > 0)
    x = stage.make<MaxOp>(x, stage.number(*floor, x));
  if (*offset > 0)
    x = stage.make<AddOp>(x, stage.number(*offset, x));
  return Values{stage.make<LogOp>(x)};
}

/// `dct: {coefficients, norm}`: the first coefficients of the cosine transform
/// (DCT-II), orthonormal or in TensorFlow's scale.
static FailureOr<Values> makeDct(Stage &stage, ArrayRef<Value> values) {
  FailureOr<Value> input = takeRows(stage, values);
  if (failed(input))
    return failure();
  int64_t size = getShape(*input)[1];
  auto count = stage.fields.getInt("coefficients", 1, size);
  auto norm = stage.fields.getChoice("norm", {"tensorflow", "ortho"}, 0);
  if (failed(count) || failed(norm))
    return failure();
  auto n = static_cast<double>(size);
  std::vector<double> weights;
  for (int64_t i = 0; i < size; ++i)
    for (int64_t k = 0; k < *count; ++k) {
      double angle =
          pi / n * (static_cast<double>(i) + 0.5) * static_cast<double>(k);
      double scale = std::sqrt(2 / n);
      if (*norm == 1 && k == 0)
        scale = std::sqrt(1 / n);
      weights.push_back(scale * std::cos(angle));
    }
  return Values{stage.make<MatmulOp>(
      *input, stage.floats(weights, {size, *count}, stage.b.getF32Type()))};
}

void brisk::processing::addSoundStages(StageTable &pre) {
  pre.on("sound", readSound);
  pre.on("frames", cutFrames);
  pre.on("spectrum", makeSpectrum);
  pre.on("mel", makeMel);
  pre.on("log", takeLog);
  pre.on("dct", makeDct);
}
