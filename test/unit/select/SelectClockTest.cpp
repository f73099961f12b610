// Searches by figures that a clock ends, on letters.
#include "Letters.h"
#include "llvm/ADT/StringExtras.h"
#include <set>
#include <thread>

using namespace clrewrite;
using namespace clrewrite::select;

namespace {

using Clock = std::chrono::steady_clock;

/// It has figures of the kernels "x" and "k", and takes five milliseconds, or
/// \p Slower times as many, for each text that is new.
class SlowMeter : public LetterMeter {
public:
  explicit SlowMeter(int Slower) : Slower(Slower) {}

protected:
  void change(const measure::MeasureRequest &R,
              measure::Measurement &M) override {
    if (Known.insert(R.What.Text).second)
      std::this_thread::sleep_for(std::chrono::milliseconds(5 * Slower));
    M.Kernels.push_back(M.Kernels.front());
    M.Kernels.back().Kernel = "x";
  }

private:
  int Slower;
  std::set<std::string> Known;
};

/// Whether \p Search finds something on one of several scales of time. On a
/// busy machine a short one may end too early; what has no time on any scale is
/// found on none.
bool onSomeScale(std::function<bool(int Slower)> Search) {
  return Search(1) || Search(4) || Search(16);
}

/// The letters, of which \p Change makes something else.
Finder lettersBut(std::function<void(rewrite::Candidate &)> Change) {
  return [=](const Source &S) {
    llvm::Expected<rewrite::Findings> F = letters(S);
    for (rewrite::Candidate &C : F->Candidates)
      Change(C);
    return F;
  };
}

bool isSlow(const rewrite::Candidate &C) {
  return C.Alternatives[0].Label == "slow";
}

SelectOptions until(Clock::duration In) {
  SelectOptions O = options(Objective::Registers);
  O.Jobs = 1;
  O.Latest = Clock::now() + In;
  return O;
}

} // namespace

TEST(Select, ByTheClockWhatUsuallyPaysComesFirst) {
  const std::string Text = std::string(20, 's') + "x";
  Finder Find = lettersBut([](rewrite::Candidate &C) {
    C.Rewrite = isSlow(C) ? "limit-unroll" : "reroll";
  });
  for (bool Clocked : {false, true}) {
    SelectOptions O = until(std::chrono::hours(1));
    if (!Clocked)
      O.Latest = Clock::time_point::max();
    LetterMeter M;
    O.Stop = [&] { return M.Calls > 1; }; // with the first trials
    EXPECT_EQ(run(Text, O, Find, M).changed(), Clocked);
  }
}

TEST(Select, ByTheClockWhatWasBegunIsMeasuredOnAllTargets) {
  struct LateMeter : LetterMeter {
    Clock::time_point End;
    void change(const measure::MeasureRequest &R,
                measure::Measurement &) override {
      if (R.What.Text == "o") // the trial's first target takes all of the time
        std::this_thread::sleep_until(End);
    }
  } M;
  SelectOptions O = until(std::chrono::seconds(1));
  O.Targets.push_back({"other", "other"});
  M.End = O.Latest;
  EXPECT_EQ(run("x", O, letters, M).Result.Text, "o");
}

TEST(Select, ByTheClockTheFirstPhaseLeavesTimeToTheOthers) {
  EXPECT_TRUE(onSomeScale([](int Slower) {
    SelectOptions O = until(std::chrono::milliseconds(800 * Slower));
    SlowMeter M(Slower);
    // The first phase alone would take two seconds.
    Selection S = run(
        std::string(400, 's') + "x", O,
        lettersBut([](rewrite::Candidate &C) { C.Phase = isSlow(C) ? 0 : 1; }),
        M);
    EXPECT_GT(S.NotTried, 0u);
    return S.Result.Text == std::string(400, 's') + "o";
  }));
}

TEST(Select, ByTheClockAKernelGetsTheTimeThatAnotherLeaves) {
  EXPECT_TRUE(onSomeScale([](int Slower) {
    SelectOptions O = until(std::chrono::milliseconds(1600 * Slower));
    SlowMeter M(Slower);
    // Kernel "x" has half of the time, and needs five eighths.
    Selection S = run(std::string(200, 's') + "xs", O,
                      lettersBut([](rewrite::Candidate &C) {
                        C.Kernels = {C.Offset == 201 ? "k" : "x"};
                      }),
                      M);
    return S.Result.Text == std::string(200, 's') + "os";
  }));
}

TEST(Select, ByTheClockWhatDoesNothingAloneIsNotTriedBesideOthers) {
  unsigned Calls[2];
  for (bool Clocked : {false, true}) {
    SelectOptions O = until(std::chrono::hours(1));
    if (!Clocked)
      O.Latest = Clock::time_point::max();
    LetterMeter M;
    Selection S = run("sssssxxx", O, letters, M);
    EXPECT_EQ(S.Result.Text, "sssssooo");
    EXPECT_EQ(S.NotTried, 0u);
    Calls[Clocked] = M.Calls;
    for (const Outcome &Each : S.Outcomes)
      EXPECT_FALSE(llvm::StringRef(Each.Reason).starts_with("not tried"));
  }
  EXPECT_LT(Calls[1] + 5, Calls[0]);
}

namespace {

/// Its compiler makes the same code of a digit and of another.
class DigitMeter : public LetterMeter {
  void change(const measure::MeasureRequest &,
              measure::Measurement &M) override {
    for (char &C : M.Kernels.front().CodeHash)
      if (llvm::isDigit(C))
        C = '0';
  }
};

/// A zero may become any other digit, and in the next phase an 'x' an 'o'.
llvm::Expected<rewrite::Findings> digits(const Source &S) {
  llvm::Expected<rewrite::Findings> F = letters(S);
  for (rewrite::Candidate &C : F->Candidates)
    C.Phase = 1;
  for (unsigned I = 0; I < S.Text.size(); ++I)
    if (S.Text[I] == '0') {
      rewrite::Candidate C = candidateAt(I, "digit");
      for (char To = '1'; To <= '9'; ++To) {
        C.Alternatives.emplace_back().Label = {'t', 'o', '-', To};
        C.Alternatives.back().Changes = {{I, 1, std::string(1, To)}};
      }
      F->Candidates.push_back(C);
    }
  return F;
}

} // namespace

TEST(Select, ByTheClockASiteThatMakesNoDifferenceWaits) {
  SelectOptions O = until(std::chrono::hours(1));
  DigitMeter M;
  O.Stop = [&] { return M.Calls > 5; }; // behind the first four digits
  EXPECT_EQ(run("0x", O, digits, M).Result.Text, "0o");
  O.Stop = {};
  Selection S = run("0x", O, digits, M);
  EXPECT_EQ(S.Result.Text, "0o");
  EXPECT_EQ(S.NotTried, 0u);
  for (const Outcome &Each : S.Outcomes)
    EXPECT_FALSE(llvm::StringRef(Each.Reason).starts_with("not tried"))
        << Each.Alternative << Each.Reason;
}
