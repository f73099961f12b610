// What ends a turn of a loop, or the loop, before its head does.
#include "FunctionK.h"
#include "rewrite/affine/GuardedLoop.h"
#include "rewrite/text/Text.h"
#include "clang/AST/Stmt.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::rewrite;

namespace {

/// What the loop `for (...) { Body }` may end a turn by, and be left by.
std::pair<std::string, std::string> ends(const std::string &Body) {
  std::pair<std::string, std::string> Out{"not parsed", "not parsed"};
  std::string Text = "void k(int n, global int *p) {\n"
                     "  for (int i = 0; i < n; i++) { " +
                     Body + " }\n  out: ;\n}";
  eachK(Text, [&](const clang::FunctionDecl &F, clang::ASTContext &Context) {
    const auto *Loop = llvm::cast<clang::ForStmt>(
        *llvm::cast<clang::CompoundStmt>(F.getBody())->body_begin());
    auto textOf = [&](const clang::Stmt *S) {
      return S ? text(S->getSourceRange(), Context).value_or("?").str() : "";
    };
    Out = {textOf(mayEndTurn(Loop->getBody())),
           textOf(mayLeave(Loop->getBody()))};
  });
  return Out;
}

using Ends = std::pair<std::string, std::string>;

} // namespace

TEST(LoopEnds, AreItsOwn) {
  EXPECT_EQ(ends("p[i] = 1;"), Ends("", ""));
  EXPECT_EQ(ends("if (p[i]) break; p[i] = 1;"), Ends("break", "break"));
  EXPECT_EQ(ends("if (p[i]) continue; p[i] = 1;"), Ends("continue", ""));
  EXPECT_EQ(ends("if (p[i]) return; p[i] = 1;"), Ends("return", "return"));
  EXPECT_EQ(ends("if (p[i]) goto out; p[i] = 1;"),
            Ends("goto out", "goto out"));
}

TEST(LoopEnds, OfLoopsWithinAreTheirs) {
  for (const char *Head : {"for (int j = 0; j < n; j++)", "while (p[i]--)"}) {
    std::string Inner = Head;
    EXPECT_EQ(ends(Inner + " { if (p[i] > 2) break; p[i]++; }"), Ends("", ""));
    EXPECT_EQ(ends(Inner + " { if (p[i] > 2) continue; p[i]++; }"),
              Ends("", ""));
    EXPECT_EQ(ends(Inner + " if (p[i] > 2) return;"), Ends("return", "return"));
    EXPECT_EQ(ends(Inner + " if (p[i] > 2) goto out;"),
              Ends("goto out", "goto out"));
    EXPECT_EQ(ends(Inner + " { break; } if (p[i]) break;"),
              Ends("break", "break"));
  }
  EXPECT_EQ(ends("do { if (p[i] > 2) break; } while (p[i]--);"), Ends("", ""));
}

TEST(LoopEnds, ABreakOfASwitchIsNoneAndAContinueIs) {
  EXPECT_EQ(ends("switch (p[i]) { case 1: p[i] = 2; break; default: ; }"),
            Ends("", ""));
  EXPECT_EQ(ends("switch (p[i]) { case 1: continue; }"), Ends("continue", ""));
  EXPECT_EQ(ends("for (;;) { switch (p[i]) { case 1: break; } break; }"),
            Ends("", ""));
}
