// What the front end finds in a program of a test.
#pragma once

#include "frontend/Parse.h"
#include "rewrite/Find.h"
#include <gtest/gtest.h>

namespace clrewrite::rewrite {

/// In \p Text, which must parse.
inline Findings findingsIn(const std::string &Text,
                           std::vector<std::string> Options = {}) {
  Findings Out;
  frontend::Diagnosis D = frontend::parse(
      Source{"k.cl", Text, std::move(Options)}, {"amdgcn-amd-amdhsa", "gfx906"},
      /*Colour=*/false,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &Seen) {
        Out = find(Context, {}, Seen);
      });
  EXPECT_EQ(D.Errors, 0u) << D.Text;
  return Out;
}

} // namespace clrewrite::rewrite
