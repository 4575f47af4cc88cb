// SPDX-License-Identifier: Apache-2.0
// Includes the laboratory, which is a layer above the engine. check_framework_layers.sh must notice it.
#pragma once

#include "framework/laboratory/study/study_file.hpp"
