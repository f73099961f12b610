// A meter and a finder that need no compiler: a kernel needs a VGPR, and one
// more for each 'x' of its text, which may become an 'o'.
#pragma once

#include "select/Select.h"
#include <gtest/gtest.h>

namespace clrewrite::select {

class LetterMeter : public measure::Meter {
public:
  unsigned Calls = 0;
  std::vector<measure::Measurement>
  measure(llvm::ArrayRef<measure::MeasureRequest> Requests) override {
    std::vector<measure::Measurement> Out;
    for (const measure::MeasureRequest &R : Requests) {
      ++Calls;
      llvm::StringRef Text = R.What.Text;
      measure::KernelUsage K;
      K.Kernel = "k";
      K.CodeHash = R.What.Text;
      unsigned Count = unsigned(Text.count('x'));
      K.Figures.Vgprs = 1 + Count;
      K.Figures.Occupancy = Count >= 4 ? 1 : Count >= 2 ? 2 : 3;
      K.Figures.OccupancyMax = 3;
      K.Figures.EstCycles = 10 + 50.0 * double(Text.count('!'));
      measure::Measurement &M = Out.emplace_back();
      M.Kernels = {K};
      change(R, M);
    }
    return Out;
  }

protected:
  /// Makes other figures of those of \p R.
  virtual void change(const measure::MeasureRequest &, measure::Measurement &) {
  }
};

/// A site of \p Rewrite at \p Offset, in the first line, of kernel "k".
inline rewrite::Candidate candidateAt(unsigned Offset, const char *Rewrite) {
  rewrite::Candidate C;
  C.Rewrite = Rewrite;
  C.Function = "k";
  C.Kernels = {"k"};
  C.Line = 1;
  C.Offset = Offset;
  return C;
}

/// Every 'x' may become an 'o'; every 's' an "!", which is slow.
inline llvm::Expected<rewrite::Findings> letters(const Source &S) {
  rewrite::Findings F;
  F.Kernels = {{"k", 1, {}}};
  for (unsigned I = 0; I < S.Text.size(); ++I)
    if (S.Text[I] == 'x' || S.Text[I] == 's') {
      rewrite::Candidate C = candidateAt(I, "letter");
      rewrite::Alternative A;
      A.Label = S.Text[I] == 'x' ? "to-o" : "slow";
      A.Changes = {{I, 1, S.Text[I] == 'x' ? "o" : "!"}};
      C.Alternatives = {A};
      F.Candidates.push_back(C);
    }
  return F;
}

inline SelectOptions options(Objective Goal) {
  SelectOptions O;
  O.Targets = {{"gpu", "gpu"}};
  O.JudgedBy.Goal = Goal;
  return O;
}

inline Selection run(const std::string &Text, const SelectOptions &O,
                     const Finder &Find, measure::Meter &M) {
  Source S{"/k.cl", Text, {}};
  auto First = Find(S);
  auto R = select(S, *First, Find, M, O);
  EXPECT_TRUE(bool(R));
  return std::move(*R);
}

inline Selection run(const std::string &Text, const SelectOptions &O) {
  LetterMeter M;
  return run(Text, O, letters, M);
}

/// Only the first \p Count letters are sites.
inline Finder firstLetters(unsigned Count) {
  return [Count](const Source &S) {
    llvm::Expected<rewrite::Findings> F = letters(S);
    llvm::erase_if(F->Candidates, [&](const rewrite::Candidate &C) {
      return C.Offset >= Count;
    });
    return F;
  };
}

} // namespace clrewrite::select
