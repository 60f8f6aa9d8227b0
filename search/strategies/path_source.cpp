// PathSource: counts draws, and on the rest of the run notes what it could have done.
// SPDX-License-Identifier: Apache-2.0
#include "search/strategies/path_source.h"

#include <algorithm>

#include "search/strategies/alternatives.h"

namespace locklab {

void PathSource::list_into(std::vector<PathStep>* out) {
  out_ = out;
  if (out == nullptr) return;
  const auto is_fault = [](const PathStep& step) { return step.fault; };
  const auto faults =
      static_cast<std::uint32_t>(std::count_if(path_.begin(), path_.end(), is_fault));
  const auto orders = static_cast<std::uint32_t>(path_.size()) - faults;
  const bool full = path_.size() >= bound_.deviations;
  lists_faults_ = !full && faults < bound_.faults;
  lists_orders_ = !full && orders < bound_.orders;
}

void PathSource::begin() {
  draws_ = 0;
  met_ = 0;
  clients_.clear();
}

std::uint64_t PathSource::phase(const Address& address, std::uint64_t bound) {
  const auto known = std::find(clients_.begin(), clients_.end(), address.actor());
  const auto client = static_cast<std::size_t>(known - clients_.begin());
  if (known == clients_.end()) clients_.push_back(address.actor());
  return cell_.value(address.kind(), client, bound);
}

bool PathSource::on_path(std::uint64_t& value) {
  const std::uint32_t draw = draws_++;
  if (met_ == path_.size() || path_[met_].draw != draw) return false;
  value = path_[met_++].value;
  return true;
}

void PathSource::list(std::uint32_t draw, bool fault) {
  for (const std::uint64_t value : values_)
    out_->push_back({draw, fault, value});
}

std::uint64_t PathSource::draw(const Address& address, std::uint64_t bound, Witness) {
  if (is_free_dimension(address.kind())) return phase(address, bound);
  std::uint64_t value = 0;
  if (on_path(value)) return value;
  if (out_ == nullptr || !lists_orders_ || met_ != path_.size()) return 0;
  values_.clear();
  append_order_values(bound_, bound, values_);
  list(draws_ - 1, false);
  return 0;
}

std::uint64_t PathSource::draw_fault(const Address&, const FaultMenu& menu) {
  std::uint64_t value = 0;
  if (on_path(value)) return value;
  if (out_ == nullptr || !lists_faults_ || met_ != path_.size()) return 0;
  values_.clear();
  append_fault_values(bound_, menu, values_);
  list(draws_ - 1, true);
  return 0;
}

}  // namespace locklab
