// Tolerances: how they are written, and what they allow.
#include "verify/Tolerance.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::verify;
using namespace llvm;

TEST(Tolerance, IsUlpsOrRelative) {
  for (const char *Text : {"4", "4ulp", "4ulps"}) {
    Tolerance T = cantFail(parseTolerance(Text));
    EXPECT_EQ(T.Ulps, 4u);
    EXPECT_EQ(T.text(), "4 ulps");
    EXPECT_FALSE(T.isExact());
  }
  Tolerance T = cantFail(parseTolerance("1e-5"));
  EXPECT_EQ(T.Relative, 1e-5);
  EXPECT_EQ(T.text(), "1e-05 relative");
  for (const char *Bad : {"", "0", "-1", "4s", "ulp", "1.5", "1", "nan", "x",
                          "0.0", "4ulpss", "1e-5ulp"}) {
    auto Read = parseTolerance(Bad);
    EXPECT_EQ(bool(Read), StringRef(Bad) == "1") << Bad;
    if (!Read)
      EXPECT_NE(toString(Read.takeError()).find("is neither a number of ulps"),
                std::string::npos);
  }
}

TEST(Tolerance, AllowsNothingThatHasNoDistance) {
  Distance D = distanceIn(json::Object{{"max_ulps", 3}, {"max_relative", 0.1}});
  Tolerance Three{3, std::nullopt}, Tenth{std::nullopt, 0.1};
  EXPECT_TRUE(Three.allows(D));
  EXPECT_TRUE(Tenth.allows(D));
  EXPECT_FALSE(Tolerance().allows(Distance()));
  D.widen(distanceIn(json::Object{{"max_ulps", 4}, {"max_relative", 0.2}}));
  EXPECT_FALSE(Three.allows(D));
  EXPECT_FALSE(Tenth.allows(D));
  D.widen(distanceIn(json::Object{{"max_ulps", nullptr}}));
  EXPECT_FALSE((Tolerance{UINT64_MAX, std::nullopt}.allows(D)));
  EXPECT_FALSE((Tolerance{std::nullopt, 0.9}.allows(D)));
}
