// SPDX-License-Identifier: Apache-2.0
// What record/upward.hpp includes.
#pragma once
