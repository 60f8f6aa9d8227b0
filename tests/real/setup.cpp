// Setup: to words and back, both in one order.
// SPDX-License-Identifier: Apache-2.0
#include "tests/real/setup.h"

namespace locklab::real {
namespace {

class Writer {
 public:
  void number(std::int64_t value) { words.push_back(word_of(value)); }
  void text(const std::string& value) { words.push_back(value); }
  template <class T>
  void size(const std::vector<T>& values) {
    number(static_cast<std::int64_t>(values.size()));
  }
  Words words;
};

class Reader {
 public:
  explicit Reader(const Words& words) : words_(words) {}
  void number(std::int64_t& value) { value = number_of(next()); }
  void text(std::string& value) { value = next(); }
  template <class T>
  void size(std::vector<T>& values) {
    values.resize(static_cast<std::size_t>(number_of(next())));
  }

 private:
  const std::string& next() { return words_.at(at_++); }
  const Words& words_;
  std::size_t at_ = 0;
};

template <class Setup, class Visitor>
void visit(Setup& setup, Visitor& visitor) {
  for (auto* field : {&setup.probes,
                      &setup.actor,
                      &setup.fiber,
                      &setup.operations,
                      &setup.rounds,
                      &setup.attempts,
                      &setup.work,
                      &setup.think,
                      &setup.poll,
                      &setup.effects,
                      &setup.resource_timeout,
                      &setup.read_only,
                      &setup.unlock,
                      &setup.nested,
                      &setup.nested_ttl,
                      &setup.nested_effects,
                      &setup.chains,
                      &setup.objects,
                      &setup.fence_least,
                      &setup.fence_most,
                      &setup.orchestrated,
                      &setup.primary,
                      &setup.resource,
                      &setup.counter}) {
    visitor.number(*field);
  }
  visitor.size(setup.progress);
  for (auto& number : setup.progress)
    visitor.number(number);
  visitor.size(setup.nodes);
  for (auto& node : setup.nodes)
    visitor.number(node);
  visitor.size(setup.ports);
  for (auto& port : setup.ports)
    visitor.number(port);
  visitor.size(setup.seats);
  for (auto& seat : setup.seats) {
    visitor.text(seat.algorithm);
    visitor.text(seat.key);
    for (auto* field : {&seat.ttl, &seat.margin, &seat.timeout, &seat.retries, &seat.pool})
      visitor.number(*field);
  }
}

}  // namespace

Words ClientSetup::words() const {
  Writer writer;
  visit(*this, writer);
  return writer.words;
}

ClientSetup ClientSetup::of(const Words& words) {
  ClientSetup setup;
  Reader reader(words);
  visit(setup, reader);
  return setup;
}

}  // namespace locklab::real
