// SPDX-License-Identifier: Apache-2.0
// The mistakes of a configuration, reported together.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "qapfw/error.hpp"

namespace qapfw::framework {

/// One or several mistakes, each with a message. what() returns the first message, followed by the number of mistakes
/// if there are several.
class Mistakes : public Error {
  public:
    /// `sentences`: the messages of the mistakes, at least one.
    Mistakes(ErrorKind kind, std::vector<std::string> sentences)
        : Error(kind, sentences.size() == 1
                          ? sentences.front()
                          : sentences.front() + " (the first of " + std::to_string(sentences.size()) + " mistakes)"),
          sentences_(std::move(sentences)) {}
    const std::vector<std::string>& sentences() const { return sentences_; }  ///< one per mistake, in the order found

  private:
    std::vector<std::string> sentences_;
};

/// Collects the mistakes that several checks find.
class MistakeList {
  public:
    /// Runs `check` and keeps the Error that it throws, so that the next check can follow.
    template <class Check>
    void note(Check&& check) {
        try {
            std::forward<Check>(check)();
        } catch (const Mistakes& several) {
            kind_ = several.kind();
            sentences_.insert(sentences_.end(), several.sentences().begin(), several.sentences().end());
        } catch (const Error& error) {
            kind_ = error.kind();
            sentences_.emplace_back(error.what());
        }
    }
    /// Throws Mistakes with all noted mistakes. Does nothing if none was noted.
    void tell() const {
        if (!sentences_.empty()) throw Mistakes(kind_, sentences_);
    }

  private:
    ErrorKind kind_ = ErrorKind::kUsage;
    std::vector<std::string> sentences_;
};

}  // namespace qapfw::framework
