// How far apart floating-point results may be, and are.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace clrewrite::verify {

/// The largest distance of two results, over all elements that differ.
struct Distance {
  /// Units in the last place, and the difference over the larger magnitude.
  /// None: not to be said, as of integers, or of a NaN on one side.
  std::optional<uint64_t> Ulps = 0;
  std::optional<double> Relative = 0;

  /// Makes room for \p Other.
  void widen(const Distance &Other);
};

/// The distance in one entry of "differences" of a job's answer.
Distance distanceIn(const llvm::json::Object &Difference);

/// The difference that is allowed; none at first. At most one of the two is
/// set.
struct Tolerance {
  std::optional<uint64_t> Ulps;
  std::optional<double> Relative;

  /// Nothing is allowed.
  bool isExact() const { return !Ulps && !Relative; }
  bool allows(const Distance &D) const;
  /// \p D can be told in the unit of this.
  bool measures(const Distance &D) const {
    return (Ulps && D.Ulps) || (Relative && D.Relative);
  }
  /// "4 ulps", "1e-05 relative".
  std::string text() const;
  /// \p D in the unit of this.
  std::string text(const Distance &D) const;
};

/// Reads "4", "4ulp" or "4ulps", above 0; or a relative one, above 0 and below
/// 1, written with a point or an exponent: "1e-5".
llvm::Expected<Tolerance> parseTolerance(llvm::StringRef Text);

} // namespace clrewrite::verify
