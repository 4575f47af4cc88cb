// SPDX-License-Identifier: Apache-2.0
// Improver "fbs_local_search": a descent over the moves of a flexible bay structure, whose solutions are a permutation
// of departments and the bits that end bays. It works for any problem with this encoding. Costs come from the problem's
// own evaluation.
#pragma once

#include <vector>

#include "plugins/fbs_local_search/device_descent.hpp"
#include "plugins/fbs_local_search/fbs_parameters.hpp"
#include "plugins/fbs_local_search/neighbours.hpp"
#include "qapfw/sdk/improver.hpp"

namespace qapfw::fbs_local_search {

class FbsLocalSearch {
  public:
    static constexpr auto& kParameters = fbs_local_search::kParameters;

    /// Throws qapfw::Error if the problem's encoding is not n departments and n - 1 bits, if there are more than 30,000
    /// departments, or if all kinds of moves are off.
    FbsLocalSearch(const sdk::Host& host, const sdk::Parameters& parameters, const sdk::ProblemRef& problem);

    class Workspace {
      public:
        explicit Workspace(const FbsLocalSearch& improver) : search_(improver), neighbours_(improver.problem_) {}
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request);

      private:
        struct Budget;
        void descend(std::uint32_t individual, const qapfw_improve_request& request, Budget& budget);
        bool take_first(const kernels::FbsMoveRange& range, kernels::FbsCyclicOrder& order, Budget& budget);
        bool take_best(const kernels::FbsMoveRange& range, Budget& budget);
        std::uint64_t collect(const kernels::FbsMoveRange& range, kernels::FbsCyclicOrder& order,
                              std::uint64_t most_steps, Budget& budget);
        template <class Visit>
        bool visit_promising(const qapfw_cost& limit, std::size_t& width, Visit visit);

        const FbsLocalSearch& search_;
        Neighbours neighbours_;
        std::vector<kernels::FbsMove> moves_;          ///< possible moves that collect() found
        std::vector<kernels::FbsCyclicOrder> behind_;  ///< collect()'s `order` as it was after each move in moves_
        std::vector<std::size_t> promising_;           ///< indices in moves_ of the moves that are evaluated together
        std::vector<kernels::FbsMove> evaluated_;      ///< the moves at these indices
    };

    class DeviceWorkspace {
      public:
        DeviceWorkspace(const FbsLocalSearch& improver, const qapfw_device* device, std::uint64_t capacity)
            : improver_(improver), device_(device), descent_(*device, improver.problem_, capacity) {}
        void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, const qapfw_improve_request& request) {
            const std::uint64_t moves = request.iterations > 0 ? request.iterations : improver_.iterations_;
            DescentOptions options{improver_.improvement_, improver_.ranges_};
            options.moves = moves;
            options.evaluations = improver_.evaluations_;
            options.slice = neighbours_of_launch(batch.count, improver_.problem_.length(), device_->multiprocessors);
            descent_.enqueue(stream, batch, request, options);
        }
        std::uint64_t evaluations() const { return descent_.evaluations(); }
        static constexpr bool kCountsEach = true;
        static std::uint64_t capacity(const FbsLocalSearch&, const qapfw_device& device) {
            return kDescentsOfMultiprocessor * device.multiprocessors;
        }
        static void announce(const FbsLocalSearch&, const qapfw_device& device, std::uint64_t) {
            DeviceDescent::announce(device);
        }

      private:
        const FbsLocalSearch& improver_;
        const qapfw_device* device_;
        DeviceDescent descent_;
    };

  private:
    sdk::ProblemRef problem_;
    Improvement improvement_;
    std::uint64_t iterations_, evaluations_;     ///< limits; the largest number means no limit
    std::vector<kernels::FbsMoveRange> ranges_;  ///< ranges of moves, in the order of the search
};

}  // namespace qapfw::fbs_local_search
