// Two tables that benches print. The shares of paying trials are the lines
// `record` of bench/real.py, of 50 files of five public projects, for gfx906
// and sm_90, with 10 seconds a file. That was before hoist-invariant, whose row
// is of nine sites on public code: those in hashcat's m14100_a3-pure,
// m21200_a0-pure and m19300_a0-pure before its maintainers moved the code
// (bench/rediscover.csv), in m03710_a1-pure, and in a volume renderer of FAST;
// and before split-array, whose row is of 343 files of 15 projects.
// Which rewrites are often slower is the table of `bench/device.py record`, of
// the corpus on an H200, 60 seconds a kernel (docs/targets.md).
#include "select/Record.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::select {
namespace {

struct Row {
  StringLiteral Rewrite;
  unsigned Paying, Tried;
};

constexpr Row Table[] = {
    {"branch-to-select", 2, 10},
    {"guard-to-bounds", 0, 1},
    {"hoist-invariant", 2, 9},
    {"limit-unroll", 11, 210},
    {"occupancy-cap", 5, 71},
    {"opaque-guard", 37, 289},
    {"reload", 0, 1},
    {"reroll", 2, 13},
    {"schedule-cut", 67, 339},
    {"serialise-loads", 0, 4},
    {"split-array", 4, 4},
};

/// What a rewrite is taken for that was not tried there, and what each row is
/// mixed with, so that a few trials say little.
constexpr Row Other = {"", 1, 10};

/// Of at least 20 versions that were timed, 10 % took 5 % more time or longer,
/// and fewer than twice as many were faster by 2 %; or half took it of 5 or
/// more. Of rewrites with fewer versions nothing is known.
constexpr StringLiteral Slower[] = {
    "bump-pointer", "limit-unroll",    "opaque-guard", "reroll",
    "roll-terms",   "serialise-loads", "split-vector",
};

/// Single edits of the corpus, timed on an H200 and estimated for sm_90, gfx906
/// and gfx1100 (docs/estimate.md): of 23 of these rewrites' that have 5 % fewer
/// cycles somewhere and more nowhere, 20 were faster by 5 % and none slower by
/// more than 3 %. Of limit-unroll's 28 such versions five were slower by 5 %,
/// and of other rewrites there were fewer than 6. The corpus has no site of
/// promote-element or pad-rows; of the loops of bench/loops, timed on an H100,
/// the 10 such were faster by 5 %, and of bench/rows, on an H200, 8 of 9, the
/// ninth by 4 %; of bench/turned 13 of 14, the other by nothing; of
/// bench/literals 5 of 6, the sixth by nothing.
constexpr StringLiteral KnownToHold[] = {
    "align-access", "narrow-double", "pad-rows",        "promote-element",
    "share-window", "transpose-ids", "vectorise-loads", "vectorise-stores"};

} // namespace

double usualShare(StringRef Rewrite) {
  for (const Row &R : Table)
    if (R.Rewrite == Rewrite)
      return double(R.Paying + Other.Paying) / (R.Tried + Other.Tried);
  return double(Other.Paying) / Other.Tried;
}

bool oftenSlower(StringRef Rewrite) { return is_contained(Slower, Rewrite); }

bool estimateTells(StringRef Rewrite) {
  return is_contained(KnownToHold, Rewrite);
}

} // namespace clrewrite::select
