// Base64: RFC 4648's examples, and what must be refused.
#include "Base64.h"
#include <gtest/gtest.h>

using namespace clrewrite::device;

static std::string encode(std::string_view Text) {
  return encodeBase64(reinterpret_cast<const uint8_t *>(Text.data()),
                      Text.size());
}

TEST(Base64, EncodesTheStandardsExamples) {
  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encode("\xff\xfe\xfd"), "//79");
}

TEST(Base64, RoundTripsEveryLength) {
  std::vector<uint8_t> Bytes;
  for (int I = 0; I < 300; ++I) {
    auto Back = decodeBase64(encodeBase64(Bytes.data(), Bytes.size()));
    ASSERT_TRUE(Back);
    EXPECT_EQ(*Back, Bytes);
    Bytes.push_back(uint8_t(I * 37));
  }
}

TEST(Base64, RefusesWhatIsNotBase64) {
  for (const char *Text : {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====",
                           "Zg==Zg==", "Zm9v\n", "Zm 9"})
    EXPECT_FALSE(decodeBase64(Text)) << Text;
}
