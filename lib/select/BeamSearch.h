// The beam search: it goes from a variant of the text to a better one by trying
// edits.
//
// Each round tries every alternative of every site of the variants in the beam,
// and, where several pay, all of those together, and those together with others
// that lower registers at no cost. Where a site's edits are independent of each
// other, it also tries subsets of them (EditSubsets.cpp). The best trial that
// pays against the given source, and still pays against the best variant so
// far, becomes the best variant. Its text is parsed again, since one edit opens
// the next, and searched again. The beam also holds the most promising variants
// that do not pay (yet), because some edits pay only together. When a round
// finds nothing better, those variants are tried once more, and then the search
// ends.
//
// The search has phases. A phase tries the rewrites that name it
// (Rewrite::Phase), starting from two variants: the best that the earlier
// phases found, and the one that needs the fewest registers of those that lose
// nothing but do not reach a step of occupancy. So edits that cost nothing come
// before those that only bind the compiler. Where a later phase found
// something, the first one runs again. The first phase leaves half of the
// budget, or of the time, to the others.
//
// Where a clock ends the search, trials come in the order of what they promise
// (prospect()), and those that promise nothing beside other edits are left out.
//
// Every variant is judged against the given source, so that what a target may
// lose is lost once and not again in each round. The cost is one compilation
// per text and target, less where one target refuses a text.
#pragma once

#include "select/Evaluator.h"
#include <deque>
#include <set>

namespace clrewrite::select {

/// How many alternatives may still be tried.
struct Allowance {
  unsigned Left = ~0u;
  unsigned NotTried = 0;
};

class BeamSearch {
public:
  /// \p Whole holds the given source's figures. \p Undefined: kernels that
  /// read an uninitialised variable, and in which line.
  BeamSearch(Evaluator &Eval, const Finder &Find, const FiguresByTarget &Whole,
             const std::map<std::string, unsigned> &Undefined,
             std::vector<Outcome> &Rejected, std::vector<SearchNote> &Log)
      : Eval(Eval), Find(Find), Whole(Whole), Undefined(Undefined),
        Rejected(Rejected), Log(Log) {}

  /// The best variant of \p Kernels by the edits of which the estimate can tell
  /// whether they save time, of estimateTells() in Record.h: where they do on a
  /// target, they count as a gain. None is looked for under an objective that
  /// is not Auto, and where a clock decides.
  Variant runEstimated(Variant Start, const std::vector<std::string> &Kernels);

  /// The best variant of \p Kernels that is found from \p Start, which is
  /// given back where nothing pays.
  Variant run(Variant Start, const std::vector<std::string> &Kernels,
              Allowance &Budget);

  /// Searches on from a variant that a search of these kernels led to, and
  /// judges against its text as if that were the given one. Sites that were
  /// rejected before, and still exist, are reported anew.
  Variant runAgain(Variant Start, const std::vector<std::string> &Kernels,
                   Allowance &Budget);

  /// All kernels are searched together, and nothing else waits: the search may
  /// have all of the time but \p Kept.
  void setOnly(const Evaluator::Kept &Kept) { Later = Kept; }

  /// Where time decides, and the best variant of the last search asks the host
  /// for something: the best of its variants whose edits are all exact.
  const std::optional<Variant> &plainer() const { return Plainer; }

private:
  /// One alternative under trial, or several together.
  struct Trial {
    const Variant *From;
    std::vector<
        std::pair<const rewrite::Candidate *, const rewrite::Alternative *>>
        Alternatives;
    Source Text;
    /// Which of its site's alternatives, from 1; 0 for several together.
    size_t Choice = 0;
    /// What its alternative is called in any variant; empty for several.
    std::string Name = {};
    /// Figures by target; the list ends early where one refuses.
    FiguresByTarget Figures = {};
    /// Figures on the target that orders trials, where it was asked already,
    /// and how many times as fast it has the trial, at least ClearGain.
    std::optional<measure::Measurement> Guide = {};
    double Gain = 0;
    std::vector<Delta> Deltas = {}; ///< against the given source
    Verdict Judged = {};
    bool Tried = false;
  };

  Evaluator &Eval;
  const Finder &Find;
  const FiguresByTarget &Whole;
  const std::map<std::string, unsigned> &Undefined;
  std::vector<Outcome> &Rejected;
  std::vector<SearchNote> &Log;
  std::vector<std::string> Kernels;
  FiguresByTarget Before; ///< which trials are judged against
  Source BeforeText;
  std::optional<measure::Measurement>
      GuideBefore; ///< the guide's figures, once it is asked
  /// How many trials of a rewrite were measured so far, and how many of them
  /// pay.
  struct Record {
    unsigned Tried = 0, Paying = 0;
    /// The share to expect of the next ones, which is \p Usual before the
    /// first.
    double share(double Usual) const {
      return (Paying + 3 * Usual) / (Tried + 3.0);
    }
  };
  std::map<std::string, Record> Records; ///< by rewrite
  /// What alternatives did when they were tried first, by Trial::Name: how many
  /// times as fast they were on a device, or else a number that says as much of
  /// what they may do beside others.
  std::map<std::string, double> FirstGains;
  /// Sites of which the first alternative made the same code, by siteOf().
  std::set<std::string> Unseen;
  /// Nothing of these kernels was searched before.
  bool FirstSearch = true;
  /// The search is runEstimated's.
  bool Estimated = false;
  std::optional<Evaluator::Kept> Later; ///< as of setOnly()
  std::optional<Variant> Plainer;       ///< as of plainer()
  std::set<uint64_t> Seen;              ///< texts, by hash
  unsigned Rounds = 0;                  ///< of all phases
  std::deque<rewrite::Alternative>
      Made; ///< alternatives of trials that no site has

  WhyNot whyNot(const Variant &N, const rewrite::Candidate &C,
                const rewrite::Alternative &A) const;
  WhyNot whyNotLimit(const Variant &N, const rewrite::Candidate &C,
                     unsigned Limit) const;
  WhyNot whyNotWaves(const Variant &N, const rewrite::Candidate &C,
                     unsigned Goal) const;
  std::string whyNotApart(const Source &Old, const Source &New,
                          const rewrite::Candidate &C,
                          const rewrite::Alternative &A) const;
  bool nothingLeft(const Variant &N) const;
  Variant runPhases(Variant Start, Allowance &Budget);
  std::vector<Variant> searchPhase(std::vector<Variant> Beam, unsigned Phase,
                                   Allowance &Budget, bool Report);
  class EditSubsets;
  std::vector<Trial> refined(llvm::ArrayRef<Trial> List, Allowance &Budget);
  void keepAside(llvm::ArrayRef<Trial> List,
                 std::optional<Variant> &Side) const;
  double registersSaved(const Variant &N) const;
  Criterion criterion() const;
  bool isTimed(llvm::ArrayRef<std::string> Names) const;
  bool timeDecides(llvm::ArrayRef<std::string> Names) const;
  unsigned phaseOf(const rewrite::Candidate &C) const;
  std::vector<Trial> trials(llvm::ArrayRef<Variant> Beam, unsigned Phase,
                            bool First);
  bool helps(const Trial &T) const;
  unsigned places(const Trial &T, bool FencesAlone = false) const;
  std::vector<Trial> together(llvm::ArrayRef<Trial> List);
  std::optional<Trial> allOf(const Variant &From,
                             std::vector<const Trial *> List);
  static Version versionOf(const Trial &T);
  static std::vector<std::string> reachedBy(const Trial &T);
  static bool invisible(const Trial &T, const measure::Target &On);
  void measure(std::vector<Trial> &List, Allowance &Budget);
  const measure::Target *guide() const;
  double estimatedGain(const Trial &T) const;
  void orderForTime(llvm::MutableArrayRef<Trial *> List);
  double prospect(const Trial &T,
                  const std::map<std::string, Record> &Known) const;
  static std::string siteOf(const Trial &T);
  bool isHopeless(const Trial &T) const;
  bool isPutOff(const Trial &T) const;
  size_t atOnce() const;
  void takeNext(llvm::MutableArrayRef<Trial *> List, size_t Count) const;
  void remember(const Trial &T);
  void measureOn(size_t T, llvm::ArrayRef<Trial *> List);
  Verdict judgedByTime(Trial &T, const Criterion &By);
  void measureSome(llvm::MutableArrayRef<Trial *> List);
  bool promises(const Trial &T) const;
  std::vector<const Trial *> ranked(llvm::ArrayRef<Trial> Combined,
                                    llvm::ArrayRef<Trial> Alone) const;
  bool better(const Trial &T, const Variant &Than) const;
  std::optional<Variant> follow(const Trial &T) const;
  void note(const Trial &T);
  bool goesOn() const;
  const Trial *improved(Variant &Best,
                        llvm::ArrayRef<const Trial *> Order) const;
  static std::vector<const Trial *>
  exactOnes(llvm::ArrayRef<const Trial *> Order);
  void rejectRest(llvm::ArrayRef<Trial> First, llvm::ArrayRef<Variant> Beam,
                  const Variant &Best);
};

} // namespace clrewrite::select
