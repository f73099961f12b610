// Definitions that two edits have, on letters.
#include "Letters.h"

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

class Meter : public LetterMeter {
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    // Both kernels need what is left of the file's.
    M.Kernels.front().CodeHash = R.What.Text.find('?') < 2 ? R.What.Text : "";
    M.Kernels.push_back(M.Kernels.front());
    M.Kernels.back().Kernel = "l";
  }
};

/// Every 'x' may become a call of a function that the line before it then
/// defines, and that is named by the letter behind it, with its arguments in
/// one column.
llvm::Expected<rewrite::Findings> calls(const Source &S) {
  rewrite::Findings F;
  F.Kernels = {{"k", 1, {}}, {"l", 1, {}}};
  for (unsigned I = 0; I + 1 < S.Text.size(); ++I)
    if (S.Text[I] == 'x') {
      rewrite::Candidate C = candidateAt(I, "letter");
      C.Kernels = {std::string(1, S.Text[I + 1])};
      const std::string Name = C.Kernels[0] == "k" ? "k_f" : "longer_f";
      auto Line = unsigned(S.Text.rfind('\n', I) + 1);
      rewrite::Alternative A;
      A.Label = "call";
      A.Changes = {
          {I, 1, Name + "(1,\n" + std::string(Name.size() + 1, ' ') + "2)"},
          {Line, 0, "// One.\nint " + Name + "(int a) {\n}\n\n"}};
      A.Changes[1].Defines = {Name};
      C.Alternatives = {A};
      F.Candidates.push_back(C);
    }
  return F;
}

std::string after(const std::string &Text) {
  Meter M;
  Selection S = run(Text, options(Objective::Registers), calls, M);
  Edits All;
  for (const Outcome &Each : S.Outcomes)
    if (Each.Applied && Each.Changes) {
      All.insert(All.end(), Each.Changes->begin(), Each.Changes->end());
      // An edit alone defines what it calls.
      std::string Alone =
          llvm::cantFail(applyEdits(llvm::StringRef(Text), *Each.Changes));
      EXPECT_EQ(llvm::StringRef(Alone).count("_f("), 2u) << Alone;
    }
  EXPECT_EQ(llvm::cantFail(applyEdits(llvm::StringRef(Text), All)),
            S.Result.Text);
  return S.Result.Text;
}

const std::string Definition = "// One.\nint k_f(int a) {\n}\n\n",
                  Call = "k_f(1,\n    2)";

} // namespace

TEST(SharedDefinitions, TheFirstServesAll) {
  EXPECT_EQ(after("\nxk\nxl\n"),
            "\n" + Definition + Call + "k\n" + Call + "l\n");
  EXPECT_EQ(after("\n#if A\n#endif\nxk\n#if A\nxl\n#endif\n"),
            "\n#if A\n#endif\n" + Definition + Call + "k\n#if A\n" + Call +
                "l\n#endif\n");
}

TEST(SharedDefinitions, NotOneThatIsMaybeNotCompiled) {
  for (std::string Between :
       {"#endif\n", "# endif /* A */\n", "#else\n", "#elif B\n",
        "#if B\n#endif\n#endif\n", "/*\n#if B\n*/\n#endif\n",
        "/* A */ #endif\n", "/* A\n*/ #endif\n", "%:endif\n", "?\?=endif\n",
        "# /* A */ endif\n", "#\\\nendif\n", "//\r#endif\n"}) {
    std::string Text = after("\n#if A\nxk\n" + Between + "xl\n");
    EXPECT_NE(Text.find("int longer_f("), std::string::npos) << Text;
  }
}

TEST(SharedDefinitions, NotWhereWordsMeanSomethingElse) {
  for (std::string Between :
       {"#define a 1\n", "#undef int\n", "/**/ #define a 1\n",
        "#include <a.h>\n", "#pragma push_macro(\"a\")\n",
        "#define /**/ a 1\n"}) {
    std::string Text = after("\nxk\n" + Between + "xl\n");
    EXPECT_NE(Text.find("int longer_f("), std::string::npos) << Text;
  }
}

TEST(SharedDefinitions, NotWhereTheCodeBecomesAnother) {
  std::string Text = after("?\nxk\nxl\n");
  EXPECT_NE(Text.find("int longer_f("), std::string::npos) << Text;
}
