// Measured times of two versions of a kernel, and when they differ.
//
// The two take turns on the device, A B A B ..., so that what disturbs one
// (clocks, other users, heat) disturbs its neighbour as well, and each round
// gives a ratio. Of the rounds' ratios the median counts, with the confidence
// interval of the sign test: between the k-th smallest and the k-th largest
// lies the true median with a probability of at least 95 %, whatever the
// distribution of the noise. For 20 rounds k is 6. Nothing is assumed about
// the noise but that rounds are independent, no random numbers are drawn, and
// a single outlier moves nothing.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace clrewrite::measure {

struct PairedTime {
  double BeforeNs = 0, AfterNs = 0; ///< medians of all rounds
  /// Median of the rounds' before / after (above 1: faster), and its 95 %
  /// confidence interval.
  double Ratio = 1, RatioLow = 1, RatioHigh = 1;

  /// Faster beyond the noise: the interval's lower end is above 1.01. The one
  /// per cent is for what stays the same from round to round, such as where
  /// the code happens to lie.
  bool faster() const { return RatioLow > 1 + Resolution; }
  /// Slower beyond the noise, by more than \p Allowed (0.05 is 5 %).
  bool slower(double Allowed = 0) const {
    return RatioHigh * (1 + Resolution) * (1 + Allowed) < 1;
  }

  static constexpr double Resolution = 0.01;
};

/// What timing a pair gave.
struct Timing {
  std::optional<PairedTime> Time;
  /// Why there is none.
  std::string Problem;
  /// A kernel was launched for it.
  bool Ran = false;
};

/// The median of \p Ratios and its interval, in \p Out; with fewer than 6
/// rounds, which give no 95 % interval, false.
bool summarise(llvm::ArrayRef<double> Ratios, PairedTime &Out);

llvm::json::Value toJSON(const PairedTime &T);

/// "638.0 -> 113.2 us (5.64x, 5.61 to 5.66)".
std::string describe(const PairedTime &T);

} // namespace clrewrite::measure
