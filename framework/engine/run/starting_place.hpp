// SPDX-License-Identifier: Apache-2.0
// The place where the runs of a command begin: the CPU, GPUs, or the CPU while GPUs are made ready. A run that has
// moved, or found that there are no GPUs, leaves it where later runs are to begin.
#pragma once

#include <memory>
#include <string>

#include "framework/engine/gpu_preparation.hpp"
#include "framework/host/host_table.hpp"

namespace qapfw::framework {

class StartingPlace {
  public:
    /// `preparation`: runs begin on the CPU and may move; null: they stay on `devices`. `host` outlives this.
    StartingPlace(Host& host, DeviceChoice devices, std::unique_ptr<GpuPreparation> preparation);
    StartingPlace(const StartingPlace&) = delete;
    StartingPlace& operator=(const StartingPlace&) = delete;

    /// The place of a solver that is made now.
    const DeviceChoice& devices() const { return *present_; }
    /// Null: runs stay where they begin.
    const GpuPreparation* preparation() const { return moves_ ? preparation_.get() : nullptr; }
    /// Runs go on, and later ones begin, on the prepared GPUs.
    void move_to_gpus();
    /// Notes that the runs stay on the CPU, for this reason.
    void stay_on_cpu(std::string reason);
    /// Notes that a run of this process alone is over. If there are no GPUs, the message is not repeated for later
    /// runs.
    void run_ended();

  private:
    void use(const DeviceChoice& devices);

    Host& host_;
    DeviceChoice own_;
    std::unique_ptr<GpuPreparation> preparation_;
    const DeviceChoice* present_ = &own_;
    bool moves_;
};

}  // namespace qapfw::framework
