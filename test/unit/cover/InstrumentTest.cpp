// The copy of a kernel that notes its branches.
#include "cover/Instrument.h"
#include "frontend/Parse.h"
#include <gtest/gtest.h>

using namespace clrewrite;

namespace {

verify::Instrumented instrumented(const std::string &Text,
                                  const std::string &Kernel = "k") {
  verify::Instrumented Out;
  Out.Problem = "it does not parse";
  auto parse = [](const std::string &Each,
                  llvm::function_ref<void(clang::ASTContext &)> Use) {
    frontend::Diagnosis D = frontend::parse(
        {"k.cl", Each, {"-cl-std=CL1.2"}}, {"amdgcn-amd-amdhsa", "gfx906"},
        false, [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
          Use(Context);
        });
    EXPECT_EQ(D.Text, "") << Each;
  };
  parse(Text, [&](clang::ASTContext &Context) {
    Out = cover::instrument(Context, Kernel);
  });
  // What comes out parses, and has the same lines.
  if (Out.Problem.empty()) {
    EXPECT_EQ(llvm::StringRef(Text).count('\n'),
              llvm::StringRef(Out.Text).count('\n'));
    parse(Out.Text, [](clang::ASTContext &) {});
    parse(Out.Plain, [](clang::ASTContext &) {});
  }
  return Out;
}

/// The text for "void k(HEAD) { BODY }", with R in the place of the buffer's
/// name, from its body on.
std::string body(const std::string &Body, const std::string &Before = "") {
  verify::Instrumented I = instrumented(
      Before + "kernel void k(global int *o, int n) {" + Body + "}");
  EXPECT_EQ(I.Problem, "");
  std::string Out = I.Text.substr(std::min(
      I.Text.size(), I.Text.find("{", I.Text.find("kernel void k")) + 1));
  Out.pop_back();
  for (size_t At; (At = Out.find("clrewrite_reached")) != std::string::npos;)
    Out.replace(At, 17, "R");
  return Out;
}

/// "5-6, 9+": the lines of the branches; + where the first one holds more.
std::string lines(const verify::Instrumented &I) {
  std::string Out;
  for (const verify::Branch &B : I.Branches)
    Out += (Out.empty() ? "" : ", ") + lineNumbers({B.Lines}) +
           (B.FirstInPart ? "+" : "");
  return Out;
}

} // namespace

TEST(Instrument, Arms) {
  EXPECT_EQ(body("if (n) { o[0] = 1; } else o[1] = 2;"),
            "if (n) {R[0] = 1; o[0] = 1; } else {R[1] = 1;o[1] = 2;}");
  EXPECT_EQ(body("if (n) if (o[0]) o[1] = 2; else if (o[2]) ;"),
            "if (n) {R[0] = 1;if (o[0]) {R[1] = 1;o[1] = 2;} else {R[2] = "
            "1;if (o[2]) {R[3] = 1;;} else {R[4] = 1;}}} else {R[5] = 1;}");
}

TEST(Instrument, AnElseThatIsMissing) {
  EXPECT_EQ(body("if (n) { o[0] = 1; } o[1] = 2;"),
            "if (n) {R[0] = 1; o[0] = 1; } else {R[1] = 1;} o[1] = 2;");
  EXPECT_EQ(body("if (n) if (o[0]) o[1] = 2; o[3] = 4;"),
            "if (n) {R[0] = 1;if (o[0]) {R[1] = 1;o[1] = 2;} else {R[2] = "
            "1;}} else {R[3] = 1;} o[3] = 4;");
  EXPECT_EQ(body("for (; n; --n) if (o[n]) { if (n > 3) break; o[n] = 2; }"),
            "for (; n; --n) {R[0] = 1;if (o[n]) {R[1] = 1; if (n > 3) {R[2] = "
            "1;break;}R[3] = 1; o[n] = 2; } else {R[4] = 1;}}");
  // It is no arm where the condition always holds, or never does.
  EXPECT_EQ(body("if (1) o[0] = 1; if (0) o[1] = 1;"),
            "if (1) {R[0] = 1;o[0] = 1;} if (0) o[1] = 1;");
  verify::Instrumented I =
      instrumented("kernel void k(global int *o, int n) {\n"
                   "  if (n > 3 &&\n"
                   "      n < 5)\n"
                   "    o[0] = 1;\n"
                   "}\n");
  EXPECT_EQ(lines(I), "3, 4, 2-3");
  EXPECT_TRUE(I.Branches[2].IsFalse);
  EXPECT_FALSE(I.Branches[1].IsFalse);
}

TEST(Instrument, Loops) {
  EXPECT_EQ(body("for (int i = 0; i < n; ++i) o[i] = 1;"),
            "for (int i = 0; i < n; ++i) {R[0] = 1;o[i] = 1;}");
  EXPECT_EQ(body("while (n) { --n; } do ++n; while (n < 3);"),
            "while (n) {R[0] = 1; --n; } do {R[1] = 1;++n;} while (n < 3);");
}

TEST(Instrument, LabelsThatFallThrough) {
  EXPECT_EQ(
      body("switch (n) { case 1: ++n; case 2: case 3: break; default:; }"),
      "switch (n) { case 1:R[0] = 1; ++n; case 2:R[1] = 1; case 3:R[2] = "
      "1; break; default:R[3] = 1;; }");
}

TEST(Instrument, WhatFollowsAStatementThatMayLeave) {
  EXPECT_EQ(body("if (n) return; o[0] = 1;"),
            "if (n) {R[0] = 1;return;}R[1] = 1; o[0] = 1;");
  EXPECT_EQ(body("for (;;) { if (n) break; ++n; } o[0] = n;"),
            "for (;;) {R[0] = 1; if (n) {R[1] = 1;break;}R[2] = 1; ++n; } "
            "o[0] = n;");
  // Nothing follows it in its block.
  EXPECT_EQ(body("if (n) return;"), "if (n) {R[0] = 1;return;}");
}

TEST(Instrument, Expressions) {
  EXPECT_EQ(body("o[0] = n ? n : n + 1;"),
            "o[0] = n ? (R[0] = 1, n) : (R[1] = 1, n + 1);");
  EXPECT_EQ(body("o[0] = n && o[1] || o[2];"),
            "o[0] = n && (R[0] = 1, o[1]) || (R[1] = 1, o[2]);");
  // Both arms are evaluated, lane by lane.
  std::string Lanes = "int4 v = (int4)(n); o[0] = (v ? v : -v).x; v = v && v;";
  EXPECT_EQ(body(Lanes), Lanes);
}

TEST(Instrument, WhatConstantsRuleOutIsNoBranch) {
  EXPECT_EQ(body("if (0) o[0] = 1; else o[1] = 1;"),
            "if (0) o[0] = 1; else {R[0] = 1;o[1] = 1;}");
  EXPECT_EQ(body("o[0] = sizeof(int) == 4 ? n : -n;"),
            "o[0] = sizeof(int) == 4 ? (R[0] = 1, n) : -n;");
}

TEST(Instrument, WhatIsNotLookedAt) {
  auto count = [](const std::string &Body, const std::string &Before = "") {
    verify::Instrumented I = instrumented(
        Before + "kernel void k(global int *o, int n) {" + Body + "}");
    EXPECT_EQ(lines(I), "") << Body;
    return I.NotLookedAt;
  };
  EXPECT_EQ(count("SET(n)", "#define SET(x) if (x) o[0] = 1; else o[1] = 1;\n"),
            2u);
  EXPECT_EQ(
      count("o[0] = MAX(n, 3);", "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n"),
      2u);
  // A literal that is converted to the type of the other arm.
  EXPECT_EQ(count("float4 v = n ? (float4)(1) : 0;"), 2u);
  EXPECT_EQ(count("global int *p = n ? o : 0;"), 2u);
  EXPECT_EQ(count("o[0] = f(n);", "#define F int f(int x) { return x && x; }\n"
                                  "F\n"),
            1u);
}

TEST(Instrument, MacrosThatAreWholeStatements) {
  EXPECT_EQ(body("if (n) SET(1); else DONE;", "#define SET(x) o[x] = 1\n"
                                              "#define DONE return\n"),
            "if (n) {R[0] = 1;SET(1);} else {R[1] = 1;DONE;}");
  EXPECT_EQ(instrumented("#define TWO o[0] = 1; o[1] = 1;\n"
                         "kernel void k(global int *o, int n) { if (n) TWO }")
                .NotLookedAt,
            2u); // with what is false then
}

TEST(Instrument, PragmasStayWithTheirLoops) {
  EXPECT_EQ(body("if (n)\n#pragma unroll\nfor (int i = 0; i < 4; ++i) o[i] = "
                 "1;\nelse o[1] = 2;"),
            "if (n)\n#pragma unroll\nfor (int i = 0; i < 4; ++i) {R[0] = "
            "1;o[i] = 1;}\nelse {R[1] = 1;o[1] = 2;}");
}

TEST(Instrument, FunctionsGetTheBuffer) {
  verify::Instrumented I =
      instrumented("int f(int x);\n"
                   "int g(void) { return f(2); }\n"
                   "int f(int x) { return x ? x : 3; }\n"
                   "int h() { return g() + f(f(1)); }\n"
                   "kernel void k(global int *o)\n"
                   "__attribute__((reqd_work_group_size(1, 1, 1))) {\n"
                   "  o[0] = h();\n"
                   "}\n"
                   "kernel void other(global int *o) { o[0] = f(1); }\n");
  std::string Text = I.Text;
  for (size_t At;
       (At = Text.find("__global unsigned int *clrewrite_reached")) !=
       std::string::npos;)
    Text.replace(At, 40, "PARAMETER");
  EXPECT_EQ(Text,
            "int f(int x, PARAMETER);\n"
            "int g(PARAMETER) {clrewrite_reached[1] = 1; return f(2, "
            "clrewrite_reached); }\n"
            "int f(int x, PARAMETER) {clrewrite_reached[2] = 1; return x ? "
            "(clrewrite_reached[3] = 1, x) : (clrewrite_reached[4] = 1, 3); }\n"
            "int h(PARAMETER) {clrewrite_reached[0] = 1; return "
            "g(clrewrite_reached) + f(f(1, clrewrite_reached), "
            "clrewrite_reached); }\n"
            "kernel void k(global int *o, PARAMETER)\n"
            "__attribute__((reqd_work_group_size(1, 1, 1))) {\n"
            "  o[0] = h(clrewrite_reached);\n"
            "}\n"
            "kernel void other(global int *o) { o[0] = f(1, 0); }\n");
}

TEST(Instrument, Lines) {
  EXPECT_EQ(lines(instrumented("kernel void k(global int *o, int n) {\n"
                               "  if (n) {\n"
                               "    o[0] = 1;\n"
                               "    o[1] = 1;\n"
                               "  } else o[2] = 1;\n"
                               "  if (n > 3) return;\n"
                               "  for (int i = 0; i < n; ++i)\n"
                               "    o[i] = n == 2\n"
                               "      ? n : 5;\n"
                               "}\n")),
            "3-4, 5, 6+, 7-9, 8-9, 9, 9+");
}

TEST(Instrument, NamesDoNotClash) {
  EXPECT_NE(instrumented("kernel void k(global int *clrewrite_reached) {}")
                .Text.find("int *clrewrite_reached2)"),
            std::string::npos);
}

TEST(Instrument, Problems) {
  EXPECT_EQ(instrumented("kernel void k(global int *o) {}", "j").Problem,
            "no kernel of that name is seen");
  EXPECT_EQ(
      instrumented("#define K kernel void k(global int *o) {}\nK").Problem,
      "the kernel's head or body comes from a macro or an included file");
  EXPECT_EQ(instrumented("kernel void k(global int *o) {}\n"
                         "kernel void j(global int *o) { k(o); }")
                .Problem,
            "a function calls the kernel");
}
