// Edits for one family's GPUs alone, on letters.
#include "Letters.h"
#include "measure/TargetFamily.h"
#include "source/Shelter.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace clrewrite;
using namespace clrewrite::select;
using llvm::StringRef;

namespace {

/// Each 'A' of the text that a GPU of AMD's reads is a wave more there, each
/// 'N' one for NVIDIA's, each 'B' for both, and an 'F' as well for AMD's. What
/// is another's costs time.
class Families : public measure::Meter {
public:
  /// The texts that were compiled, by target.
  std::map<std::string, std::set<std::string>> Compiled;

  std::vector<measure::Measurement>
  measure(llvm::ArrayRef<measure::MeasureRequest> Requests) override {
    std::vector<measure::Measurement> Out;
    for (const measure::MeasureRequest &R : Requests) {
      bool Amd = R.On.Name.substr(0, 3) == "gfx";
      Compiled[R.On.Name].insert(R.What.Text);
      StringRef Text = R.What.Text;
      measure::KernelUsage K;
      K.Kernel = "k";
      std::string For = measure::macroOf(R.On).str();
      K.CodeHash = readBy(Text, For);
      auto Count = [&](char C) {
        return unsigned(StringRef(K.CodeHash).count(C));
      };
      K.Figures.Occupancy =
          1 + Count(Amd ? 'A' : 'N') + Count('B') + (Amd ? Count('F') : 0);
      K.Figures.OccupancyMax = 20;
      if (Amd)
        K.Figures.Sgprs = 8;
      K.Figures.EstCycles = 100 + 20.0 * Count(Amd ? 'N' : 'A');
      Out.emplace_back().Kernels = {K};
    }
    return Out;
  }
};

/// A small letter may become a large one; 'f' is a fence, which compilers for
/// other GPUs than AMD's do not see.
llvm::Expected<rewrite::Findings> small(const Source &S) {
  rewrite::Findings F;
  F.Kernels = {{"k", 1, {}}};
  for (unsigned I = 0; I < S.Text.size(); ++I)
    if (StringRef("abnf").contains(S.Text[I])) {
      rewrite::Candidate C = candidateAt(I, "letter");
      rewrite::Alternative A;
      A.Label = {'t', 'o', '-', S.Text[I]};
      A.Changes = {{I, 1, {char(S.Text[I] - 32)}}};
      C.AmdOnly = S.Text[I] == 'f';
      C.Alternatives = {A};
      if (!isInShelter(A.Changes.front(), S.Text))
        F.Candidates.push_back(C);
    }
  return F;
}

SelectOptions variants(std::vector<const char *> Targets) {
  SelectOptions O;
  O.JudgedBy.Goal = Objective::Occupancy;
  O.Variants = true;
  for (const char *T : Targets)
    O.Targets.push_back(llvm::cantFail(measure::parseTarget(T)));
  return O;
}

/// A kernel of which \p Lines are some.
std::string kernel(const std::string &Lines) {
  return "(*p) {\n" + Lines + "1;\n2;\n3;\n4;\n5;\n6;\n}\n";
}

constexpr char Amd[] = "#ifdef __AMDGCN__ // clrewrite: ",
               Nvidia[] = "__NVPTX__";

std::string nvidia(const char *Directive) {
  return std::string(Directive) + " // clrewrite: ";
}

/// The outcome at the first of \p Letter in \p Text.
const Outcome &at(const Selection &S, const std::string &Text, char Letter) {
  auto O = llvm::find_if(S.Outcomes, [&](const Outcome &Each) {
    return Each.Offset == Text.find(Letter);
  });
  EXPECT_NE(O, S.Outcomes.end()) << Letter;
  return *O;
}

using Names = std::vector<std::string>;

} // namespace

TEST(OwnEdits, AreThoseThatDoNotSuitAll) {
  Families M;
  std::string Text = kernel("b;\na;\n7;\n8;\n9;\nn;\n");
  SelectOptions O = variants({"gfx906", "sm_90"});
  Selection S = run(Text, O, small, M);
  EXPECT_EQ(S.Result.Text,
            kernel("B;\n" + std::string(Amd) +
                   "2 -> 3 waves on gfx906\nA;\n#else\na;\n#endif\n"
                   "7;\n8;\n9;\n" +
                   nvidia("#ifdef __NVPTX__") +
                   "2 -> 3 warps on sm_90\nN;\n#else\nn;\n#endif\n"));
  EXPECT_EQ(at(S, Text, 'a').For, Names{"gfx906"});
  EXPECT_EQ(at(S, Text, 'n').For, Names{"sm_90"});
  EXPECT_EQ(at(S, Text, 'b').For, Names());
  for (char C : {'a', 'b', 'n'}) {
    EXPECT_TRUE(at(S, Text, C).Applied) << C;
    EXPECT_EQ(at(S, Text, C).Line,
              StringRef(Text).take_front(Text.find(C)).count('\n') + 1);
  }
  // The figures are those of what each target's compiler reads.
  ASSERT_EQ(S.After.size(), 2u);
  EXPECT_EQ(S.After[0].find("k")->Figures.Occupancy, 3u);
  EXPECT_EQ(S.After[1].find("k")->Figures.Occupancy, 3u);
  for (size_t T : {0, 1})
    EXPECT_EQ(S.After[T].find("k")->CodeHash,
              readBy(S.Result.Text, measure::macroOf(O.Targets[T])));
  // Without the option none is found but for the one that suits both.
  O.Variants = false;
  EXPECT_EQ(run(Text, O, small, M).Result.Text,
            kernel("B;\na;\n7;\n8;\n9;\nn;\n"));
}

TEST(OwnEdits, OfOneFamilyAreCompiledForNoOther) {
  Families M;
  SelectOptions O = variants({"gfx906", "sm_90"});
  run(kernel("aa;\n7;\n8;\n9;\nnn;\n"), O, small, M);
  // What both may have was refused by the first that it costs time.
  for (const std::string &Text : M.Compiled["sm_90"])
    EXPECT_LE(StringRef(Text).count('A'), 1u) << Text;
  for (const std::string &Text : M.Compiled["gfx906"])
    EXPECT_LE(StringRef(Text).count('N'), 1u) << Text;
}

TEST(OwnEdits, OfTwoFamiliesMayBeOnTheSameLine) {
  Families M;
  Selection S = run(kernel("an;\n"), variants({"sm_90", "gfx906"}), small, M);
  EXPECT_EQ(S.Result.Text,
            kernel(std::string(Amd) + "1 -> 2 waves on gfx906\nAn;\n" +
                   nvidia("#elif defined(__NVPTX__)") +
                   "1 -> 2 warps on sm_90\naN;\n#else\nan;\n#endif\n"));
}

TEST(OwnEdits, AreForAllTargetsAndBystandersOfTheFamily) {
  Families M;
  std::string Text = kernel("a;\n");
  Selection S = run(Text, variants({"gfx906", "gfx1100", "sm_90"}), small, M);
  EXPECT_EQ(at(S, Text, 'a').For, (Names{"gfx906", "gfx1100"}));
  // A bystander of another family has nothing against them, and is not asked.
  SelectOptions O = variants({"gfx906"});
  O.Bystanders = variants({"sm_90"}).Targets;
  EXPECT_TRUE(run(Text, O, small, M).changed());
  class Slow : public Families {
    std::vector<measure::Measurement>
    measure(llvm::ArrayRef<measure::MeasureRequest> Requests) override {
      auto Out = Families::measure(Requests);
      for (size_t I = 0; I < Out.size(); ++I)
        if (Requests[I].On.Name == "gfx1100")
          *Out[I].Kernels.front().Figures.EstCycles +=
              20.0 * double(StringRef(Requests[I].What.Text).count('A'));
      return Out;
    }
  } Other;
  O.Bystanders = variants({"gfx1100"}).Targets;
  EXPECT_FALSE(run(Text, O, small, Other).changed());
}

TEST(OwnEdits, StandBesideThoseThatOthersDoNotSee) {
  Families M;
  std::string Text = kernel("a;\n7;\n8;\n9;\nf;\n");
  Selection S = run(Text, variants({"gfx906", "sm_90"}), small, M);
  EXPECT_EQ(readBy(S.Result.Text, "__AMDGCN__"),
            kernel("A;\n7;\n8;\n9;\nF;\n"));
  EXPECT_EQ(readBy(S.Result.Text, ""), kernel("a;\n7;\n8;\n9;\nF;\n"));
  EXPECT_EQ(at(S, Text, 'f').For, Names());
  EXPECT_EQ(at(S, Text, 'a').For, Names{"gfx906"});
  // NVIDIA's search goes on from there.
  Text = kernel("a;\n7;\n8;\n9;\nf;\n7;\n8;\n9;\nn;\n");
  S = run(Text, variants({"gfx906", "sm_90"}), small, M);
  EXPECT_EQ(readBy(S.Result.Text, Nvidia),
            kernel("a;\n7;\n8;\n9;\nF;\n7;\n8;\n9;\nN;\n"));
  EXPECT_EQ(readBy(S.Result.Text, ""),
            kernel("a;\n7;\n8;\n9;\nF;\n7;\n8;\n9;\nn;\n"));
  EXPECT_EQ(at(S, Text, 'n').Line, 10u);
}

TEST(OwnEdits, MayHoldFencesWhoseDefinitionStandsForAll) {
  // A fence needs a definition above. An 'a' becomes a line for one.
  Finder Fences = [](const Source &S) {
    auto F = small(S);
    rewrite::Candidate Fence;
    llvm::erase_if(F->Candidates, [&](const rewrite::Candidate &C) {
      if (C.AmdOnly)
        Fence = C;
      return C.AmdOnly;
    });
    for (rewrite::Candidate &C : F->Candidates)
      C.Alternatives.front().Changes.front().Text = "A;\nf;\nf";
    if (Fence.Alternatives.empty())
      return F;
    Fence.Separable = true;
    Edits &All = Fence.Alternatives.front().Changes;
    All = {{0, 0, "#define F\n", /*Shared=*/true}};
    for (unsigned I = 0; I < S.Text.size(); ++I)
      if (S.Text[I] == 'f')
        All.push_back({I, 1, "F"});
    if (S.Text.find("#define") == std::string::npos)
      F->Candidates.push_back(Fence);
    return F;
  };
  Families M;
  std::string Text = kernel("7;\na;\n7;\n8;\n9;\n");
  Selection S = run(Text, variants({"gfx906", "sm_90"}), Fences, M);
  EXPECT_EQ(readBy(S.Result.Text, "__AMDGCN__"),
            "#define F\n" + kernel("7;\nA;\nF;\nF;\n7;\n8;\n9;\n"));
  EXPECT_EQ(readBy(S.Result.Text, ""), "#define F\n" + Text);
  Text = kernel("7;\na;\n7;\n8;\n9;\nf;\n");
  S = run(Text, variants({"gfx906", "sm_90"}), Fences, M);
  EXPECT_EQ(readBy(S.Result.Text, "__AMDGCN__"),
            "#define F\n" + kernel("7;\nA;\nF;\nF;\n7;\n8;\n9;\nF;\n"));
  EXPECT_EQ(readBy(S.Result.Text, ""),
            "#define F\n" + kernel("7;\na;\n7;\n8;\n9;\nF;\n"));
}

TEST(OwnEdits, HaveTheirPlaceInTheGivenText) {
  // What suits all has a fence above the others' places, and so has what AMD's
  // search finds.
  Finder Longer = [](const Source &S) {
    auto F = small(S);
    for (rewrite::Candidate &C : F->Candidates)
      if (C.AmdOnly)
        C.Alternatives.front().Changes.front().Text = "F fence";
    return F;
  };
  Families M;
  std::string Text = kernel("f;\n7;\n8;\n9;\na;\n7;\n8;\n9;\nn;\n");
  Selection S = run(Text, variants({"gfx906", "sm_90"}), Longer, M);
  for (char C : {'f', 'a', 'n'})
    EXPECT_TRUE(at(S, Text, C).Applied) << C;
  EXPECT_EQ(at(S, Text, 'a').Line, 6u);
  EXPECT_EQ(at(S, Text, 'n').Line, 10u);
}

TEST(OwnEdits, ThatCannotBeKeptFromOthersSayWhy) {
  Families M;
  // All of the body would be doubled.
  std::string Text = "(*p) {\na;\n}\n";
  Selection S = run(Text, variants({"gfx906", "sm_90"}), small, M);
  EXPECT_FALSE(S.changed());
  EXPECT_EQ(
      at(S, Text, 'a').Reason,
      "can't be kept for __AMDGCN__ alone: 1 of the 1 lines of a function "
      "would stand there twice, and no more than four fifths may");
  Finder Contract = [](const Source &Each) {
    auto F = small(Each);
    for (rewrite::Candidate &C : F->Candidates)
      C.Alternatives.front().Class = rewrite::Safety::Contract;
    return F;
  };
  SelectOptions O = variants({"gfx906", "sm_90"});
  O.Unsafe = true;
  Text = kernel("a;\n");
  S = run(Text, O, Contract, M);
  EXPECT_FALSE(S.changed());
  EXPECT_EQ(at(S, Text, 'a').Reason,
            "can't be kept for __AMDGCN__ alone: the host would have to launch "
            "it otherwise for these GPUs");
}

TEST(OwnEdits, ThatFitAloneButNotTogetherAreTakenBack) {
  Families M;
  // Each line may be doubled, five of six may not.
  std::string Text = "(*p) {\na;\na;\na;\na;\na;\n1;\n}\n";
  Selection S = run(Text, variants({"gfx906", "sm_90"}), small, M);
  EXPECT_EQ(StringRef(S.Result.Text).count('A'),
            StringRef("#ifdef __AMDGCN__").count('A') + 4);
  EXPECT_TRUE(llvm::any_of(S.Outcomes, [](const Outcome &O) {
    return !O.Applied &&
           StringRef(O.Reason).starts_with(
               "can't be kept for __AMDGCN__ alone beside the other edits: ");
  }));
  EXPECT_EQ(S.After[0].find("k")->Figures.Occupancy, 5u);
}

TEST(OwnEdits, OfAResultAreNotMadeAgain) {
  Families M;
  SelectOptions O = variants({"gfx906", "sm_90"});
  std::string Text = kernel("b;\na;\n7;\n8;\nf;\n9;\nn;\n");
  Selection S = run(Text, O, small, M);
  ASSERT_TRUE(S.changed());
  Selection Again = run(S.Result.Text, O, small, M);
  EXPECT_FALSE(Again.changed());
  EXPECT_EQ(Again.Result.Text, S.Result.Text);
}
