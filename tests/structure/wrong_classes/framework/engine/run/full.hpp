// SPDX-License-Identifier: Apache-2.0
// A class in framework/engine/run that breaks two rules: it has one field too many, and a null pointer that means a
// single process. check_classes.sh must notice both.
#pragma once

class Full {
  public:
    bool alone() const { return processes_ == nullptr; }

  private:
    struct Record {
        int a, b, c;
    };
    Processes* const processes_;
    std::function<void(int)> call_;
    int a_ = 0, b_ = 0, c_{}, d_[2], e_, f_, g_, h_, i_, j_, k_, l_;
    std::atomic<long> m_{Limits<long>::max()};
};
