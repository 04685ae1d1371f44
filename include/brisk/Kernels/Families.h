//===- Families.h - The rows of the kernel table --- -*- C++ -*-===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef BRISK_KERNELS_FAMILIES_H
#define BRISK_KERNELS_FAMILIES_H

namespace brisk {

class Kernel;

// One function a family, defined in the family's file.
const Kernel &getBorderKernel();
const Kernel &getConvTransposeKernel();
const Kernel &getDepthwiseKernel();
const Kernel &getElementwiseKernel();
const Kernel &getGatherKernel();
const Kernel &getGemmKernel();
const Kernel &getLayerNormKernel();
const Kernel &getLoopsKernel();
const Kernel &getPoolKernel();
const Kernel &getRecurrentKernel();
const Kernel &getReductionKernel();
const Kernel &getResizeKernel();
const Kernel &getSoftmaxKernel();
const Kernel &getTransposeKernel();

} // namespace brisk

#endif // BRISK_KERNELS_FAMILIES_H
