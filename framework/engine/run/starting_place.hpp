// SPDX-License-Identifier: Apache-2.0
// The place where the runs of a command begin: CPU, GPUs, or the CPU while GPUs are made ready. A run that has
// moved, or found no GPUs, sets the place for the later runs.
#pragma once

#include <memory>
#include <string>

#include "framework/engine/gpu_preparation.hpp"
#include "framework/host/host_table.hpp"

namespace qapfw::framework {

class StartingPlace {
  public:
    /// With a `preparation`, runs begin on the CPU and may move to GPUs; with null, they stay on `devices`. `host` must
    /// outlive this object.
    StartingPlace(Host& host, DeviceChoice devices, std::unique_ptr<GpuPreparation> preparation);
    StartingPlace(const StartingPlace&) = delete;
    StartingPlace& operator=(const StartingPlace&) = delete;

    /// The devices on which the next run begins.
    const DeviceChoice& devices() const { return *present_; }
    /// The preparation of the GPUs to which a run may move. Null: runs stay where they begin.
    const GpuPreparation* preparation() const { return moves_ ? preparation_.get() : nullptr; }
    /// Makes the present run continue on the prepared GPUs. Later runs begin there.
    void move_to_gpus();
    /// Notes that the runs stay on the CPU, for this reason.
    void stay_on_cpu(std::string reason);
    /// Call it after a run that this process did not share with others. If GPUs are not demanded and none was found,
    /// later runs stay on the CPU, without a further message about GPUs.
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
