// SPDX-License-Identifier: Apache-2.0
// Uses the last part of a path as a key. check_base_names.sh must notice it.
void Planner::leave_out(const std::string& instance) {
    missing_.insert(instance.substr(instance.rfind('/') + 1));
}
