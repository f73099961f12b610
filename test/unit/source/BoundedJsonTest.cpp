// JSON within limits, and bytes that go through it.
#include "source/BoundedJson.h"
#include "source/Edit.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace llvm;

namespace {

std::string problem(StringRef Text, const JsonLimits &Limits = {}) {
  Expected<json::Value> V = parseJson(Text, Limits);
  return V ? "" : toString(V.takeError());
}

} // namespace

TEST(BoundedJson, DepthIsBounded) {
  EXPECT_EQ(problem(std::string(64, '[') + std::string(64, ']')), "");
  EXPECT_EQ(problem("[\n" + std::string(65, '{')),
            "[2:63, byte=65]: more than 64 lists and objects in one another");
  // Brackets in texts are none.
  EXPECT_EQ(problem("\"" + std::string(9000, '[') + "\\\"[[\""), "");
  EXPECT_EQ(problem("[[], [], {}]", {2, 100, 100}), "");
}

TEST(BoundedJson, SizeIsBounded) {
  EXPECT_EQ(problem("[1, 2, 3]", {9, 8, 9}),
            "[1:0, byte=0]: 9 bytes, more than the 8 that are read");
  EXPECT_EQ(problem("[1, 2, 3]", {9, 9, 3}),
            "[1:5, byte=5]: more than 3 values");
  EXPECT_NE(problem("[1, 2"), "");
}

TEST(BoundedJson, ReportsHaveABound) {
  std::string Many = "[0";
  for (int I = 0; I < 1 << 24; ++I)
    Many += ",0";
  EXPECT_NE(problem(Many + "]", JsonLimits::ofReports())
                .find("more than 16777216 values"),
            std::string::npos);
}

TEST(BoundedJson, BytesComeBack) {
  std::string All;
  for (int I = 0; I < 256; ++I)
    All += char(I);
  for (std::string Bytes :
       {std::string(), All,
        std::string("Gr\xf6\xdf"
                    "e"),
        std::string("Gr\u00f6\u00dfe"), textOfBytes(All),
        textOfBytes(textOfBytes(All)), std::string("\xF4\x8F\xB8"),
        std::string("\xE2\x82"), std::string("\xED\xA0\x80")}) {
    std::string Text = textOfBytes(Bytes);
    EXPECT_TRUE(json::isUTF8(Text));
    EXPECT_EQ(bytesOfText(Text), Bytes);
  }
  EXPECT_EQ(textOfBytes("Gr\u00f6\u00dfe"), "Gr\u00f6\u00dfe");
}

TEST(BoundedJson, IsWrittenAsItWouldBeAtOnce) {
  json::Object O{{"long", std::string(100000, 'x') + "\n\"\u00f6"},
                 {"list", json::Array{1, nullptr, "two"}}};
  EXPECT_EQ(jsonText(json::Object(O)),
            formatv("{0}", json::Value(json::Object(O))).str());
}

TEST(BoundedJson, AnEditComesBack) {
  Edit E{3, 4, "\xff\n\xf6\xdf\x80", true}, Back;
  json::Path::Root Root;
  Expected<json::Value> V = json::parse(formatv("{0}", toJSON(E)).str());
  ASSERT_TRUE(bool(V));
  ASSERT_TRUE(fromJSON(*V, Back, Root));
  EXPECT_EQ(Back, E);
}
