// Kernels whose figures depend on what they are measured with.
#include "Letters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

/// Kernels a and b; a has all the letters. \p Figures gives those of a kernel
/// in a text, measured with the other one or alone.
class TwoKernels : public measure::Meter {
public:
  using Teller = std::function<measure::Usage(
      llvm::StringRef Kernel, llvm::StringRef Text, bool Whole)>;
  explicit TwoKernels(Teller Figures) : Figures(std::move(Figures)) {}

  std::vector<measure::Measurement>
  measure(llvm::ArrayRef<measure::MeasureRequest> Requests) override {
    std::vector<measure::Measurement> Out;
    for (const measure::MeasureRequest &R : Requests) {
      measure::Measurement &M = Out.emplace_back();
      for (const std::string &Name : R.Kernels) {
        measure::KernelUsage &K = M.Kernels.emplace_back();
        K.Kernel = Name;
        K.CodeHash = R.What.Text + ":" + llvm::join(R.Kernels, ",");
        K.Figures = Figures(Name, R.What.Text, R.Kernels.size() == 2);
      }
    }
    return Out;
  }

private:
  Teller Figures;
};

llvm::Expected<rewrite::Findings> lettersOfA(const Source &S) {
  llvm::Expected<rewrite::Findings> F = letters(S);
  F->Kernels = {{"a", 1, {}}, {"b", 2, {}}};
  for (rewrite::Candidate &C : F->Candidates)
    C.Kernels = {"a"};
  return F;
}

measure::Usage needs(size_t Vgprs, unsigned Occupancy = 3,
                     unsigned Scratch = 0) {
  measure::Usage U;
  U.Vgprs = unsigned(Vgprs);
  U.Occupancy = Occupancy;
  U.OccupancyMax = 3;
  U.ScratchBytes = Scratch;
  return U;
}

Selection runTwo(const std::string &Text, Objective Goal,
                 TwoKernels::Teller Figures) {
  TwoKernels M(std::move(Figures));
  return run(Text, options(Goal), lettersOfA, M);
}

const Outcome &only(const Selection &S, bool Applied) {
  auto It = llvm::find_if(
      S.Outcomes, [&](const Outcome &O) { return O.Applied == Applied; });
  EXPECT_NE(It, S.Outcomes.end());
  return *It;
}

} // namespace

TEST(FinalCheck, TheFiguresOfTheResultAreThoseOfTheWholeFile) {
  // Three of the four edits are taken out again.
  Selection S = runTwo("xxxx", Objective::Occupancy,
                       [](llvm::StringRef Kernel, llvm::StringRef Text, bool) {
                         return Kernel == "b"
                                    ? needs(1)
                                    : needs(1 + Text.count('x'),
                                            Text.count('x') == 4 ? 2 : 3);
                       });
  EXPECT_EQ(llvm::StringRef(S.Result.Text).count('x'), 3u);
  for (const char *Kernel : {"a", "b"})
    EXPECT_EQ(S.After[0].find(Kernel)->CodeHash, S.Result.Text + ":a,b");
}

TEST(FinalCheck, NothingIsMeasuredTwiceAndNoKernelThatNoEditReaches) {
  std::vector<std::string> Asked;
  TwoKernels M([&](llvm::StringRef Kernel, llvm::StringRef Text, bool Whole) {
    Asked.push_back((Kernel + " of " + Text + (Whole ? "" : " alone")).str());
    return needs(Kernel == "a" ? 10 + Text.count('x') : 5);
  });
  // The 's' ties both kernels.
  Finder Tied = [](const Source &S) {
    llvm::Expected<rewrite::Findings> F = lettersOfA(S);
    for (rewrite::Candidate &C : F->Candidates)
      if (S.Text[C.Offset] == 's')
        C.Kernels = {"a", "b"};
    return F;
  };
  Selection S = run("sx", options(Objective::Registers), Tied, M);
  EXPECT_EQ(S.Result.Text, "so");
  llvm::sort(Asked);
  EXPECT_EQ(llvm::join(Asked, ", "),
            "a of !o, a of !x, a of so, a of so alone, a of sx, "
            "b of !o, b of !x, b of so, b of sx");
}

TEST(FinalCheck, WhatPaysAloneOnlyIsTakenBack) {
  Selection S = runTwo("xx", Objective::Registers,
                       [](llvm::StringRef, llvm::StringRef Text, bool Whole) {
                         return needs(Whole ? 20 : 10 + Text.count('x'));
                       });
  EXPECT_EQ(S.Result.Text, "xx");
  EXPECT_FALSE(S.changed());
  EXPECT_EQ(only(S, false).Reason, "pays where only its kernels are measured, "
                                   "but not in the whole file");
  EXPECT_EQ(S.After[0].find("a")->CodeHash, "xx:a,b");
}

TEST(FinalCheck, StepsThatMakeAnotherKernelWorseAreTakenBack) {
  // The other kernel spills once both letters are done.
  Selection S = runTwo("xx", Objective::Registers,
                       [](llvm::StringRef Kernel, llvm::StringRef Text, bool) {
                         return Kernel == "a"
                                    ? needs(10 + Text.count('x'))
                                    : needs(5, 3, Text.count('x') ? 0 : 8);
                       });
  EXPECT_EQ(S.Result.Text, "ox");
  EXPECT_EQ(only(S, false).Reason,
            "in the whole file kernel b gets worse: gpu: scratch rises from 0 "
            "to 8 bytes");
  EXPECT_EQ(S.After[0].find("b")->Figures.ScratchBytes, 0u);
}
