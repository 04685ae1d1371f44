#
# Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantized models for compare.py, as ONNX Runtime's quantizer makes them: bytes for
activations and weights, a scale for each channel of weights, QDQ nodes; of
transformers the products alone, with ranges found while they run."""

import logging
import warnings

import onnx
from onnxruntime.quantization import (CalibrationDataReader, QuantFormat, QuantType, quantize_dynamic,
                                      quantize_static)
from onnxruntime.quantization.shape_inference import quant_pre_process

import inputs as model_inputs

STATIC = ("mobilenet_v2", "mobilenet_v3_large", "efficientnet_lite0", "resnet18", "resnet50",
          "tiny_resnet8", "tiny_dscnn_kws", "tiny_mobilenet_vww", "tiny_autoencoder")
DYNAMIC = ("minilm_l6",)
MODELS = STATIC + DYNAMIC
SAMPLES = 8


class _Samples(CalibrationDataReader):
    def __init__(self, path, entry):
        self._samples = (model_inputs.make_inputs(path, entry, seed) for seed in range(1, SAMPLES + 1))

    def get_next(self):
        return next(self._samples, None)


def quantize(models, name, entry):
    """The path of a model's quantized form, which is made once."""
    path = models / "int8" / f"{name}.onnx"
    if path.exists():
        return path
    path.parent.mkdir(exist_ok=True)
    source, made = models / f"{name}.onnx", path.with_suffix(".new")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.WARNING)
        try:
            if name in DYNAMIC:
                quantize_dynamic(str(source), str(made), per_channel=True, weight_type=QuantType.QInt8)
            else:
                prepared = path.with_suffix(".prepared")
                quant_pre_process(str(source), str(prepared), skip_symbolic_shape=True)
                quantize_static(str(prepared), str(made), _Samples(source, entry), quant_format=QuantFormat.QDQ,
                                per_channel=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8)
                prepared.unlink()
        finally:
            logging.disable(logging.NOTSET)
    onnx.checker.check_model(str(made))
    made.rename(path)
    return path
