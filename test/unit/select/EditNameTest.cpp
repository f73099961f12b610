// Names of edits.
#include "select/EditName.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

bool covers(llvm::StringRef Name, llvm::StringRef Rewrite,
            rewrite::Safety Class) {
  llvm::Expected<EditName> N = parseEditName(Name);
  if (!N) {
    ADD_FAILURE() << llvm::toString(N.takeError());
    return false;
  }
  EXPECT_EQ(N->text(), Name);
  return N->covers(Rewrite, {"halves", Class, "", {}});
}

TEST(EditName, CoversAllThatItDoesNotRuleOut) {
  EXPECT_TRUE(covers("split-vector", "split-vector", rewrite::Safety::Assumes));
  EXPECT_FALSE(covers("split-vector", "reload", rewrite::Safety::Assumes));
  EXPECT_TRUE(
      covers("split-vector/halves", "split-vector", rewrite::Safety::Assumes));
  EXPECT_FALSE(covers("split-vector/quarters", "split-vector",
                      rewrite::Safety::Assumes));
  EXPECT_TRUE(
      covers("split-vector:assumes", "split-vector", rewrite::Safety::Assumes));
  EXPECT_FALSE(covers("split-vector:assumes", "split-vector",
                      rewrite::Safety::Approximate));
  EXPECT_TRUE(covers("split-vector/halves:approximate", "split-vector",
                     rewrite::Safety::Approximate));
}

TEST(EditName, WhatIsNoNameIsSaid) {
  for (llvm::StringRef Bad : {"", "reload/", "reload:", "reload:safe", ":exact",
                              "/x", "reload/x:assume"}) {
    llvm::Expected<EditName> N = parseEditName(Bad);
    ASSERT_FALSE(bool(N)) << Bad.str();
    std::string Why = llvm::toString(N.takeError());
    EXPECT_NE(Why.find("'" + Bad.str() + "' is not REWRITE[/ALTERNATIVE]"),
              std::string::npos)
        << Why;
  }
}

} // namespace
