// Workers: threads that take numbers in ascending order, so that a prefix is always complete.
// SPDX-License-Identifier: Apache-2.0
#include "search/workers.h"

#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace locklab {
namespace {

struct Outcome {
  std::unique_ptr<Piece> piece;
  std::exception_ptr failure;
};

class Crew {
 public:
  Crew(std::uint64_t count, const std::function<PieceMaker()>& make_work,
       const std::function<bool(Piece&)>& take)
      : count_(count), make_work_(make_work), take_(take) {}

  void work() {
    PieceMaker own;
    std::uint64_t number = 0;
    while (next(number)) {
      Outcome outcome;
      try {
        if (!own) own = make_work_();
        outcome.piece = own(number);
      } catch (const std::exception&) {
        outcome.failure = std::current_exception();
      }
      hand_in(number, std::move(outcome));
    }
  }

  void rethrow() {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  bool next(std::uint64_t& number) {
    const std::lock_guard lock(mutex_);
    if (stopped_ || begun_ == count_) return false;
    number = begun_++;
    return true;
  }

  void hand_in(std::uint64_t number, Outcome outcome) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(number, std::move(outcome));
    while (!stopped_ && !waiting_.empty() && waiting_.begin()->first == taken_) {
      Outcome first = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      ++taken_;
      failure_ = first.failure;
      stopped_ = failure_ != nullptr || !take_(*first.piece);
    }
  }

  const std::uint64_t count_;
  const std::function<PieceMaker()>& make_work_;
  const std::function<bool(Piece&)>& take_;
  std::mutex mutex_;
  std::uint64_t begun_ = 0;
  std::uint64_t taken_ = 0;
  std::map<std::uint64_t, Outcome> waiting_;  // Finished before an earlier one.
  bool stopped_ = false;
  std::exception_ptr failure_;
};

}  // namespace

void side_by_side(unsigned jobs, std::uint64_t count, const std::function<PieceMaker()>& make_work,
                  const std::function<bool(Piece& piece)>& take) {
  Crew crew(count, make_work, take);
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < jobs; ++i)
    threads.emplace_back([&crew] { crew.work(); });
  crew.work();
  for (std::thread& thread : threads)
    thread.join();
  crew.rethrow();
}

}  // namespace locklab
