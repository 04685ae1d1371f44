//===- SoundStages.cpp - Stages of sound ----------------------------------===//
//
// Part of the Brisk project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stage.h"

using namespace brisk::processing;

void brisk::processing::addSoundStages(StageTable &pre) { (void)pre; }
