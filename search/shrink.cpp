// Shrink: passes over a current best, each a series of candidates, repeated until none succeeds.
// SPDX-License-Identifier: Apache-2.0
#include "search/shrink.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "search/token.h"
#include "sim/contract.h"
#include "sim/sources.h"

namespace locklab {
namespace {

enum class Part : std::uint8_t { fault, order, free_dimension };

Part part_of(const Deviation& deviation) {
  if (is_free_dimension(deviation.address.kind())) return Part::free_dimension;
  return deviation.address.kind() == ChoiceKind::fault_at_label ? Part::fault : Part::order;
}

bool is_free(const Deviation& deviation) {
  return part_of(deviation) == Part::free_dimension;
}

/// All pairs are tried only below this: beyond it they would eat the budget.
constexpr std::size_t kPairsMost = 24;

std::vector<Property> only(std::string_view name, const Laboratory& laboratory) {
  for (const Property& property : laboratory.properties) {
    if (property.name == name) return {property};
  }
  SIM_UNREACHABLE("the property to shrink for is not in the laboratory");
}

class Shrinker {
 public:
  Shrinker(const Scenario& scenario, std::string_view property, const ShrinkOptions& options,
           const Laboratory& laboratory)
      : scenario_(scenario),
        options_(options),
        runner_(laboratory.find, laboratory.scripts),
        judge_(only(property, laboratory)) {}

  ShrinkResult run(std::span<const Deviation> choices) {
    std::vector<Deviation> given(choices.begin(), choices.end());
    result_.deviations_before = static_cast<std::uint32_t>(size_of(given).deviations);
    if (!execute(given)) return result_;
    result_.reproduced = true;
    result_.signature = seen_;
    keep();
    while (round()) {
    }
    result_.minimal = !spent();
    verify();
    result_.deviations_after = static_cast<std::uint32_t>(size_of(current_).deviations);
    result_.choices = current_;
    return std::move(result_);
  }

 private:
  // --- One candidate

  bool spent() {
    if (!stopped_ && options_.cancelled && options_.cancelled()) stopped_ = true;
    return stopped_ || result_.executions >= options_.budget;
  }

  /// Runs the set. true: the property is violated; seen_ says how.
  bool execute(std::span<const Deviation> candidate) {
    source_.load(candidate);
    execution_ = &runner_.run(scenario_, source_);
    ++result_.executions;
    if (options_.progress) {
      options_.progress({result_.executions, options_.budget,
                         static_cast<std::uint32_t>(size_of(current_).deviations)});
    }
    const NamedFinding& named = judge_.judge(*execution_->history)[0];
    if (named.finding.verdict != Verdict::violated) return false;
    seen_ = signature_of(*execution_->history, judge_.lanes(), named);
    return true;
  }

  /// The last execution becomes the current best: what was consumed, not what was asked for.
  void keep() {
    current_.assign(execution_->choices.begin(), execution_->choices.end());
    result_.digest = execution_->digest;
    result_.signature = seen_;
    result_.finding = judge_.findings()[0].finding;
  }

  /// true: the candidate fails in the same way and is smaller; it is the current best now.
  bool attempt(const std::vector<Deviation>& candidate) {
    if (spent()) return false;
    // What was refused once stays refused: the best only gets smaller.
    if (!refused_.insert(normalised(candidate)).second) return false;
    if (!execute(candidate) || !seen_.same_failure(result_.signature)) return false;
    if (size_of(execution_->choices) >= size_of(current_)) return false;
    keep();
    return true;
  }

  // --- Deletions

  /// Whatever was met after the failure was complete plays no part: the shortest prefix that fails.
  bool truncate() {
    bool any = false;
    std::size_t low = 0;
    std::size_t high = current_.size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      const auto end = current_.begin() + static_cast<std::ptrdiff_t>(middle);
      if (attempt({current_.begin(), end})) {
        any = true;
        high = std::min(middle, current_.size());
      } else {
        low = middle + 1;
      }
    }
    return any;
  }

  std::vector<std::size_t> places_of(Part part) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < current_.size(); ++i) {
      if (part_of(current_[i]) == part) places.push_back(i);
    }
    return places;
  }

  std::vector<Deviation> without(std::span<const std::size_t> places) const {
    std::vector<Deviation> rest;
    for (std::size_t i = 0; i < current_.size(); ++i) {
      if (std::find(places.begin(), places.end(), i) == places.end()) rest.push_back(current_[i]);
    }
    return rest;
  }

  /// All of a part at once, halves, quarters, …, single ones; each from the end.
  bool delete_runs_of(Part part) {
    bool any = false;
    for (std::size_t length = places_of(part).size(); length > 0; length /= 2) {
      std::size_t end = places_of(part).size();
      while (end > 0) {
        const std::vector<std::size_t> places = places_of(part);
        end = std::min(end, places.size());
        if (end == 0) break;
        const std::size_t begin = end > length ? end - length : 0;
        if (attempt(without(std::span(places).subspan(begin, end - begin)))) any = true;
        end = begin;
      }
    }
    return any;
  }

  /// Two that only together can go: a fault and what answered it.
  bool delete_pairs() {
    for (std::size_t i = current_.size(); i-- > 1;) {
      for (std::size_t j = i; j-- > 0;) {
        if (size_of(current_).deviations > kPairsMost) return false;
        if (is_free(current_[i]) || is_free(current_[j])) continue;
        const std::size_t pair[] = {j, i};
        if (attempt(without(pair))) return true;
      }
    }
    return false;
  }

  // --- Lower values

  Deviation* find(const Address& address) {
    const auto found = std::find_if(current_.begin(), current_.end(),
                                    [&](const Deviation& d) { return d.address == address; });
    return found == current_.end() ? nullptr : &*found;
  }

  /// The current best with another value at that address; the witness may change with it.
  bool attempt_value(const Address& address, std::uint64_t value) {
    std::vector<Deviation> candidate = current_;
    for (Deviation& deviation : candidate) {
      if (deviation.address == address) deviation = {address, value, kAnyWitness};
    }
    return attempt(candidate);
  }

  /// The smallest value that fails, if failing is monotone in it; else some smaller one.
  template <class Set>
  bool bisect(std::uint64_t low, std::uint64_t high, Set set) {
    bool any = false;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (set(middle)) {
        any = true;
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return any;
  }

  bool lower_value(const Address& address) {
    const Deviation* const deviation = find(address);
    if (deviation == nullptr || deviation->value <= 1) return false;
    return bisect(1, deviation->value,
                  [&](std::uint64_t value) { return attempt_value(address, value); });
  }

  /// Tries 0, 1, … below the field's value, the simplest first.
  template <class Field>
  bool lower_field(const Address& address, std::uint64_t below, Field field) {
    for (std::uint64_t value = 0; value < below; ++value) {
      const Deviation* const deviation = find(address);
      if (deviation == nullptr) return true;
      FaultValue fault = FaultValue::unpack(deviation->value);
      if (!field(fault, value)) continue;
      if (attempt_value(address, fault.pack())) return true;
    }
    return false;
  }

  bool lower_fault(const Address& address) {
    const auto now = [&] {
      const Deviation* const deviation = find(address);
      return FaultValue::unpack(deviation == nullptr ? 0 : deviation->value);
    };
    const FaultKinds allowed = scenario_.world.search.of;
    // Whom a number names differs by kind, and a weaker one may have to last longer: a pause does
    // what a freeze does once the work is in front of it.
    bool any = lower_field(address, 4 * static_cast<std::uint64_t>(now().kind),
                           [&](FaultValue& fault, std::uint64_t value) {
                             fault.kind = static_cast<FaultKind>(value / 4);
                             if ((value & 1U) == 0) fault.target = 0;
                             if ((value & 2U) != 0)
                               fault.length = Bucket{Bucket::constant_count - 1};
                             return fault.kind != FaultKind::none && allowed.has(fault.kind);
                           });
    any |= lower_field(address, now().target, [](FaultValue& fault, std::uint64_t value) {
      fault.target = static_cast<std::uint8_t>(value);
      return true;
    });
    any |= lower_length(address, now().length);
    any |= lower_field(address, now().second, [](FaultValue& fault, std::uint64_t value) {
      fault.second = static_cast<std::uint16_t>(value);
      return true;
    });
    any |= bisect(0, now().fine, [&](std::uint64_t value) {
      FaultValue fault = now();
      fault.fine = static_cast<std::uint8_t>(value);
      return fault.kind != FaultKind::none && attempt_value(address, fault.pack());
    });
    return any;
  }

  /// A shorter constant; beside a deadline, a constant at all, then before it rather than after.
  bool lower_length(const Address& address, Bucket length) {
    const std::uint64_t constants = std::min<std::uint64_t>(length.bits, Bucket::constant_count);
    if (lower_field(address, constants, [](FaultValue& fault, std::uint64_t value) {
          fault.length = Bucket{static_cast<std::uint16_t>(value)};
          return true;
        })) {
      return true;
    }
    if (!length.is_deadline() || length.side() == Bucket::Side::before) return false;
    return lower_field(address, 1, [&](FaultValue& fault, std::uint64_t) {
      fault.length =
          Bucket::at(length.deadline(), length.owner(), length.ordinal(), Bucket::Side::before);
      return true;
    });
  }

  bool lower_all(Part part) {
    std::vector<Address> addresses;
    for (const std::size_t place : places_of(part))
      addresses.push_back(current_[place].address);
    bool any = false;
    for (const Address& address : addresses) {
      any |= part == Part::fault ? lower_fault(address) : lower_value(address);
    }
    return any;
  }

  // --- The whole

  /// true: something became smaller.
  bool round() {
    bool any = truncate();
    any |= delete_runs_of(Part::order);
    any |= delete_runs_of(Part::fault);
    any |= delete_pairs();
    any |= delete_runs_of(Part::free_dimension);
    any |= lower_all(Part::fault);
    any |= lower_all(Part::order);
    any |= lower_all(Part::free_dimension);
    return any && !spent();
  }

  /// Not part of the budget: a result that was not checked is none.
  void verify() {
    const std::vector<Deviation> best = current_;
    bool same = true;
    for (int i = 0; i < 2; ++i) {
      same = same && execute(best) && seen_ == result_.signature &&
             execution_->digest == result_.digest &&
             std::equal(best.begin(), best.end(), execution_->choices.begin(),
                        execution_->choices.end());
    }
    result_.verified = same;
  }

  const Scenario& scenario_;
  const ShrinkOptions& options_;
  Runner runner_;
  Judge judge_;
  ReplaySource source_;
  const Execution* execution_ = nullptr;
  Signature seen_;
  std::vector<Deviation> current_;
  std::set<std::vector<Deviation>> refused_;
  bool stopped_ = false;
  ShrinkResult result_;
};

}  // namespace

Size size_of(std::span<const Deviation> choices) {
  Size size;
  for (const Deviation& deviation : choices) {
    switch (part_of(deviation)) {
      case Part::free_dimension:
        ++size.free_dimensions;
        size.free_values += deviation.value;
        break;
      case Part::order:
        ++size.deviations;
        size.values += deviation.value;
        break;
      case Part::fault: {
        const FaultValue fault = FaultValue::unpack(deviation.value);
        ++size.deviations;
        size.fault_kinds += static_cast<std::uint64_t>(fault.kind);
        size.targets += fault.target;
        size.lengths += fault.length.bits;
        size.seconds += fault.second;
        size.fines += fault.fine;
        break;
      }
    }
  }
  return size;
}

ShrinkResult shrink(const Scenario& scenario, std::span<const Deviation> choices,
                    std::string_view property, const ShrinkOptions& options,
                    const Laboratory& laboratory) {
  return Shrinker(scenario, property, options, laboratory).run(choices);
}

}  // namespace locklab
