// Byte codec: known values, and only one spelling of each.
// SPDX-License-Identifier: Apache-2.0

#include "search/byte_codec.h"

#include <string>

#include <gtest/gtest.h>

namespace locklab {
namespace {

TEST(Base64url, IsThatOfTheStandard) {
  // RFC 4648 section 10, without padding; then the two characters that differ from base64.
  EXPECT_EQ(base64url({}), "");
  EXPECT_EQ(base64url({'f'}), "Zg");
  EXPECT_EQ(base64url({'f', 'o'}), "Zm8");
  EXPECT_EQ(base64url({'f', 'o', 'o'}), "Zm9v");
  EXPECT_EQ(base64url({'f', 'o', 'o', 'b', 'a', 'r'}), "Zm9vYmFy");
  EXPECT_EQ(base64url({0xfb, 0xff}), "-_8");
}

TEST(Base64url, RefusesASecondSpelling) {
  EXPECT_EQ(from_base64url("Zg"), Bytes{'f'});
  EXPECT_EQ(from_base64url("Zh"), std::nullopt);  // Bits beyond the last byte.
  EXPECT_EQ(from_base64url("Z"), std::nullopt);
  EXPECT_EQ(from_base64url("Zg=="), std::nullopt);
  EXPECT_EQ(from_base64url("+/8"), std::nullopt);
}

TEST(Crc16, IsCcittFalse) {
  // The check value of the catalogue of parametrised CRC algorithms.
  EXPECT_EQ(crc16("123456789", {}, 0), 0x29b1);
  EXPECT_EQ(crc16("1234", {'5', '6', '7', '8', '9', 'x'}, 5), 0x29b1);
}

TEST(Varint, TakesAsFewBytesAsItCan) {
  Bytes bytes;
  put_varint(bytes, 0);
  put_varint(bytes, 127);
  put_varint(bytes, 300);
  put_varint(bytes, ~std::uint64_t{0});
  ByteReader in(bytes, bytes.size());

  EXPECT_EQ(bytes.size(), 14U);
  EXPECT_EQ(in.varint(), 0U);
  EXPECT_EQ(in.varint(), 127U);
  EXPECT_EQ(in.varint(), 300U);
  EXPECT_EQ(in.varint(), ~std::uint64_t{0});
  EXPECT_TRUE(in.at_end());
  EXPECT_FALSE(in.failed());
}

TEST(Varint, RefusesMoreThan64BitsAndLeadingZeros) {
  for (const Bytes& bytes :
       {Bytes{0x80, 0x00}, Bytes{0x80},
        Bytes{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},
        Bytes{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0x01}}) {
    ByteReader in(bytes, bytes.size());
    in.varint();
    EXPECT_TRUE(in.failed());
  }
}

TEST(Hex, HasLowerCaseAndAFixedLength) {
  EXPECT_EQ(hex(0xabc, 8), "00000abc");
  EXPECT_EQ(from_hex("00000abc", 8), 0xabcU);
  EXPECT_EQ(from_hex("0000ABC0", 8), std::nullopt);
  EXPECT_EQ(from_hex("abc", 8), std::nullopt);
  EXPECT_EQ(from_hex(hex(~std::uint64_t{0}, 16), 16), ~std::uint64_t{0});
}

}  // namespace
}  // namespace locklab
