// RealClient: the conversation of setup.h.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/real_client.h"

#include <algorithm>
#include <utility>

namespace locklab::real {
namespace {

// Between two acts a program passes a few labels and waits.
constexpr int kGatesMost = 1000;
constexpr std::size_t kDeadlineOfSent = 6;  // Of the words of that gate.

Words with(Words words, const Readings& now) {
  words.push_back(word_of(record_bits(now.monotonic)));
  words.push_back(word_of(record_bits(now.wall)));
  return words;
}

}  // namespace

RealClient::RealClient(const ClientSetup& setup, Instant now, Duration delay_max, Chooser choose)
    : operations(setup.operations),
      progress(setup.progress),
      choose_(std::move(choose)),
      delay_max_(delay_max),
      probes_(setup.probes != 0),
      now_(now),
      program_fiber_(static_cast<std::uint32_t>(setup.fiber)) {
  auto [ours, theirs] = connected_pair();
  Command command;
  command.argv = {LOCKLAB_REAL_CLIENT};
  command.descriptor = theirs.get();
  child_ = Child(command);
  control_ = Stream(std::move(ours));
  control_.write(encode(setup.words()));
  await_gate(program_fiber_);
}

// --- Listening ----------------------------------------------------------------------------------

std::optional<Words> RealClient::listen() {
  Words words = words_of(decode(control_.read_value()));
  if (words[0] == "at") {
    stand(fibers_[static_cast<std::uint32_t>(number_of(words[1]))], words);
    return words;
  }
  if (words[0] == "ready") {
    wake(fibers_.at(static_cast<std::uint32_t>(number_of(words[1]))), now_);
  } else if (words[0] == "choose") {
    const Span span{static_cast<std::uint64_t>(number_of(words[1]))};
    const ActorId actor{static_cast<std::uint16_t>(number_of(words[2]))};
    const std::uint64_t value = choose_(span, actor, number_of(words[3]));
    control_.write(encode({"value", word_of(static_cast<std::int64_t>(value))}));
  } else if (words[0] == "watch") {
    watch = {HoldId{static_cast<std::uint32_t>(number_of(words[1]))}, words[2],
             local_from_bits(number_of(words[3]))};
  } else if (words[0] == "unwatch") {
    watch.reset();
  } else if (words[0] == "progress") {
    operations = number_of(words[1]);
    progress.clear();
    for (std::size_t i = 2; i < words.size(); ++i)
      progress.push_back(number_of(words[i]));
  } else {
    return words;
  }
  return std::nullopt;
}

Words RealClient::listen_for(std::string_view what) {
  for (;;) {
    const std::optional<Words> words = listen();
    if (!words) continue;
    if ((*words)[0] == what) return *words;
    if ((*words)[0] != "at")
      throw Trouble("a client says " + (*words)[0] + ", not " + std::string(what));
  }
}

void RealClient::await_gate(std::uint32_t fiber) {
  const std::string number = word_of(fiber);
  while (listen_for("at")[1] != number) {
  }
}

// --- Fibers -------------------------------------------------------------------------------------

void RealClient::stand(Fiber& fiber, const Words& words) {
  fiber.index = static_cast<std::uint32_t>(number_of(words[1]));
  fiber.span = Span{static_cast<std::uint64_t>(number_of(words[2]))};
  fiber.gate.assign(words.begin() + 3, words.end());
  fiber.woken = false;
  fiber.since = ++events_;
  fiber.from = now_;
  fiber.after_data = false;
  if (fiber.gate[0] == "begun") wake(fiber, now_);
  const bool calls =
      fiber.gate[0] == "label" || fiber.gate[0] == "sent" || fiber.gate[0] == "await";
  if (!calls) forget_awaited(fiber.index);
}

void RealClient::forget_awaited(std::uint32_t fiber) {
  std::erase_if(awaited_, [fiber](const auto& entry) { return entry.second.fiber == fiber; });
}

/// As the simulation schedules a fiber that has been woken: at once, or held by choice.
void RealClient::wake(Fiber& fiber, Instant at) {
  const std::uint64_t steps =
      choose_(fiber.span, ActorId{}, static_cast<std::int64_t>(ChoiceKind::hold_at_fiber));
  constexpr std::int64_t kSteps = 32;
  fiber.woken = true;
  fiber.since = ++events_;
  fiber.from = at + scale(delay_max_, static_cast<std::int64_t>(steps), kSteps);
}

/// How long the probe sleeps between two attempts is the simulation's to say.
bool RealClient::is_timeless(const Fiber& fiber) const {
  return probes_ && fiber.index == program_fiber_ && fiber.gate[0] == "sleep" &&
         local_from_bits(number_of(fiber.gate[1])) != LocalInstant::never();
}

bool RealClient::is_waiting(const Fiber& fiber) const {
  if (fiber.woken || is_timeless(fiber)) return false;
  return fiber.gate[0] == "await" || fiber.gate[0] == "sleep";
}

bool RealClient::has_an_act(const Fiber& fiber) const {
  return fiber.gate[0] == "record" || fiber.gate[0] == "sent" || fiber.gate[0] == "ended";
}

void RealClient::wake_sleepers(const LocalClock& monotonic, Instant now) {
  std::vector<std::pair<Instant, Fiber*>> over;
  for (auto& [index, fiber] : fibers_) {
    if (!is_waiting(fiber) || fiber.gate[0] != "sleep") continue;
    const Instant at = monotonic.when(local_from_bits(number_of(fiber.gate[1])));
    if (at <= now) over.emplace_back(std::max(at, now_), &fiber);
  }
  std::stable_sort(over.begin(), over.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [at, fiber] : over)
    wake(*fiber, at);
}

std::optional<RealClient::Next> RealClient::next(const LocalClock& monotonic) {
  std::optional<Next> next;
  for (const auto& [index, fiber] : fibers_) {
    if (has_an_act(fiber)) continue;
    Instant at = std::max(fiber.from, fiber.stalled_until);
    if (is_waiting(fiber)) {
      if (fiber.gate[0] == "await") continue;
      at = monotonic.when(local_from_bits(number_of(fiber.gate[1])));
    } else if (is_timeless(fiber)) {
      continue;
    }
    if (at != Instant::never() && (!next || at < next->at)) next = Next{index, at};
  }
  return next;
}

std::vector<std::uint32_t> RealClient::ready(const LocalClock& monotonic, Instant now) {
  wake_sleepers(monotonic, now);
  std::vector<std::uint32_t> ready;
  for (const auto& [index, fiber] : fibers_) {
    const bool held = std::max(fiber.from, fiber.stalled_until) > now;
    if (!is_waiting(fiber) && !held) ready.push_back(index);
  }
  std::sort(ready.begin(), ready.end(), [this](std::uint32_t a, std::uint32_t b) {
    return fibers_.at(a).since < fibers_.at(b).since;
  });
  return ready;
}

std::optional<LocalInstant> RealClient::deadline(std::uint32_t connection) const {
  const auto awaited = awaited_.find(connection);
  if (awaited == awaited_.end()) return std::nullopt;
  return awaited->second.deadline;
}

/// A deadline that passes during a pause counts when that ends, and one that passes while requests
/// of the same call are still to be written, when it stands waiting.
bool RealClient::is_overdue(const LocalClock& monotonic, Instant at) const {
  return std::any_of(awaited_.begin(), awaited_.end(), [&](const auto& entry) {
    const Fiber& fiber = fibers_.at(entry.second.fiber);
    if (fiber.gate[0] != "await" || fiber.woken) return false;
    return std::max({monotonic.when(entry.second.deadline), fiber.from, awake_since_}) < at;
  });
}

std::string RealClient::whereabouts() const {
  std::string text;
  for (const auto& [index, fiber] : fibers_) {
    text += (text.empty() ? "fiber " : "; fiber ") + word_of(index) + " stands at";
    for (const std::string& word : fiber.gate)
      text += " " + word;
    const Instant from = std::max(fiber.from, fiber.stalled_until);
    if (!is_waiting(fiber)) text += " and goes on from " + to_string(from);
  }
  return text;
}

void RealClient::go(std::uint32_t fiber, const Readings& now) {
  if (stands_at(fiber, "await")) forget_awaited(fiber);
  control_.write(encode(with({"go", word_of(fiber)}, now)));
  await_gate(fiber);
}

bool RealClient::advance(std::uint32_t index, const Readings& now, Label label) {
  const std::string number = word_of(static_cast<std::int64_t>(label));
  const Fiber& fiber = fibers_.at(index);
  for (int gates = 0; !has_an_act(fiber); ++gates) {
    if (gates == kGatesMost) throw Trouble("a client goes round in circles");
    if (label != Label::none && fiber.gate[0] == "label" && fiber.gate[1] == number) return true;
    if (is_waiting(fiber)) return false;
    go(index, now);
  }
  return true;
}

void RealClient::settle(const Readings& readings, Instant now) {
  for (auto& [index, fiber] : fibers_) {
    const bool held = fiber.after_data || std::max(fiber.from, fiber.stalled_until) > now;
    if (fiber.gate[0] == "label" && !held) advance(index, readings);
  }
}

void RealClient::resume(Instant now) {
  child_.resume();
  paused_ = false;
  set_time(now);
  awake_since_ = now;
  for (auto& [index, fiber] : fibers_) {
    fiber.from = std::max(fiber.from, now);
    fiber.after_data = fiber.gate[0] == "label";
  }
}

void RealClient::send_over(std::uint32_t fiber, std::uint32_t connection, const Readings& now) {
  awaited_[connection] = {fiber, local_from_bits(number_of(gate(fiber).at(kDeadlineOfSent)))};
  control_.write(encode(with({"send", word_of(fiber), word_of(connection)}, now)));
}

void RealClient::finish(std::uint32_t fiber, const Readings& now) {
  control_.write(encode(with({"go", word_of(fiber)}, now)));
  forget_awaited(fiber);
  fibers_.erase(fiber);
}

std::string RealClient::outcome(std::uint32_t connection, const std::string& what) {
  awaited_.erase(connection);
  control_.write(encode({"outcome", word_of(connection), what}));
  return listen_for("outcome")[2];
}

void RealClient::set_primary(ActorId primary) {
  control_.write(encode({"primary", word_of(primary.value)}));
}

void RealClient::strike(std::uint32_t fiber, const std::string& what, bool recovered) {
  control_.write(encode({"strike", word_of(fiber), what, recovered ? "recovered" : ""}));
  listen_for("struck");
}

}  // namespace locklab::real
