// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/run/starting_place.hpp"

#include <vector>

namespace qapfw::framework {

StartingPlace::StartingPlace(Host& host, DeviceChoice devices, std::unique_ptr<GpuPreparation> preparation)
    : host_(host), own_(std::move(devices)), preparation_(std::move(preparation)), moves_(preparation_ != nullptr) {
    use(own_);
}

void StartingPlace::move_to_gpus() {
    moves_ = false;
    use(preparation_->devices());
}

void StartingPlace::stay_on_cpu(std::string reason) {
    moves_ = false;
    own_ = {{}, "cpu", std::move(reason)};
    use(own_);
}

void StartingPlace::run_ended() {
    const GpuPreparation* const gpus = preparation();
    if (gpus == nullptr || !gpus->is_finished() || gpus->why_none().empty() || gpus->is_required()) return;
    stay_on_cpu(gpus->why_none());
}

void StartingPlace::use(const DeviceChoice& devices) {
    std::vector<const qapfw_device*> tables;
    for (const auto& device : devices.devices) tables.push_back(device->table());
    host_.set_devices(std::move(tables));
    present_ = &devices;
}

}  // namespace qapfw::framework
