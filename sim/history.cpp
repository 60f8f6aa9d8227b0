// History: appends, interns and digests.
// SPDX-License-Identifier: Apache-2.0
#include "sim/history.h"

#include <array>
#include <bit>
#include <type_traits>

#include <xxhash.h>

#include "sim/contract.h"

namespace locklab {

static_assert(std::endian::native == std::endian::little, "the digest reads little-endian bytes");
static_assert(std::has_unique_object_representations_v<Record>, "padding would enter the digest");

void Digest::begin(std::uint32_t format, std::uint32_t model_epoch, std::uint64_t scenario_hash) {
  const std::array<std::uint64_t, 2> header = {
      static_cast<std::uint64_t>(format) << 32 | model_epoch, scenario_hash};
  h_ = XXH3_64bits(header.data(), sizeof(header));
}
void Digest::absorb(const Record& record) {
  h_ = XXH3_64bits_withSeed(&record, sizeof(record), h_);
}
void Digest::absorb(std::string_view text) {
  h_ = XXH3_64bits_withSeed(text.data(), text.size(), h_);
}

void History::begin(std::uint64_t scenario_hash) {
  records_.clear();
  checkpoints_.clear();
  digest_.begin(kFormat, kModelEpoch, scenario_hash);
  if (texts_.empty()) texts_.emplace_back();
  if (text_slots_.empty()) text_slots_.resize(256);
  std::fill(text_slots_.begin(), text_slots_.end(), 0);
  text_count_ = 1;
}

std::uint32_t History::append(Record record) {
  record.seq = static_cast<std::uint32_t>(records_.size() + 1);
  records_.push_back(record);
  digest_.absorb(record);
  if (record.seq % kCheckpointEvery == 0) checkpoints_.push_back(digest_.value());
  return record.seq;
}

TextId History::intern(std::string_view text) {
  if (text.empty()) return TextId{};
  if (std::size_t{text_count_} * 2 >= text_slots_.size()) {
    std::vector<std::uint32_t> larger(text_slots_.size() * 2);
    for (std::uint32_t id = 1; id < text_count_; ++id) {
      std::size_t slot = XXH3_64bits(texts_[id].data(), texts_[id].size()) & (larger.size() - 1);
      while (larger[slot] != 0)
        slot = (slot + 1) & (larger.size() - 1);
      larger[slot] = id;
    }
    text_slots_.swap(larger);
  }
  std::size_t slot = XXH3_64bits(text.data(), text.size()) & (text_slots_.size() - 1);
  while (text_slots_[slot] != 0) {
    if (texts_[text_slots_[slot]] == text) return TextId{text_slots_[slot]};
    slot = (slot + 1) & (text_slots_.size() - 1);
  }
  text_slots_[slot] = text_count_;
  if (text_count_ == texts_.size()) texts_.emplace_back();
  texts_[text_count_] = text;
  digest_.absorb(text);
  return TextId{text_count_++};
}

}  // namespace locklab
