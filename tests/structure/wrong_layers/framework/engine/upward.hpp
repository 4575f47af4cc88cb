// SPDX-License-Identifier: Apache-2.0
// The header that record/upward.hpp includes.
#pragma once
