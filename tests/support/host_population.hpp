// SPDX-License-Identifier: Apache-2.0
// A solver with its population in host memory. Tests call its steps one by one.
#pragma once

#include "qapfw/sdk/population_solver.hpp"
#include "tests/support/test_host.hpp"

namespace qapfw::test {

template <class Algorithm>
class HostPopulation {
  public:
    HostPopulation(const qapfw_host* host, const qapfw_problem_ref* problem, const Given& given,
                   const qapfw_run& services, const qapfw_improver_ref* improver = nullptr)
        : values_(Values::of<Algorithm>(given, sdk::ProblemRef(problem).n())),
          algorithm(sdk::SolverContext{
              sdk::Host(host),
              sdk::Parameters(sdk::parameter_table<Algorithm>(), sdk::parameter_count<Algorithm>(), values_.get()),
              sdk::ProblemRef(problem), improver}),
          run(&services),
          settings{sdk::Host(host), sdk::ProblemRef(problem), improver, algorithm.shape(), {}, true} {
        algorithm.declare(fields, run);
        all = std::make_unique<sdk::PopulationOnHost<typename Algorithm::View>>(algorithm, settings, fields, run);
    }
    typename Algorithm::View& view() { return all->steps().view(); }
    sdk::HostSteps<typename Algorithm::View>& steps() { return all->steps(); }

  private:
    Values values_;

  public:
    Algorithm algorithm;
    sdk::Run run;
    sdk::PopulationSettings settings;
    sdk::Fields<typename Algorithm::View> fields;
    std::unique_ptr<sdk::PopulationOnHost<typename Algorithm::View>> all;
};

}  // namespace qapfw::test
