// Reading and comparing distances of floating-point results.
#include "verify/Tolerance.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::verify {

template <typename T>
static void raise(std::optional<T> &Most, std::optional<T> Each) {
  if (!Each)
    Most.reset();
  else if (Most)
    Most = std::max(*Most, *Each);
}

void Distance::widen(const Distance &Other) {
  raise(Ulps, Other.Ulps);
  raise(Relative, Other.Relative);
}

Distance distanceIn(const json::Object &Difference) {
  Distance D;
  D.Ulps.reset();
  if (auto Ulps = Difference.getInteger("max_ulps"); Ulps && *Ulps >= 0)
    D.Ulps = uint64_t(*Ulps);
  // A device program of before this member gives none.
  D.Relative = Difference.getNumber("max_relative");
  return D;
}

bool Tolerance::allows(const Distance &D) const {
  if (Ulps)
    return D.Ulps && *D.Ulps <= *Ulps;
  return Relative && D.Relative && *D.Relative <= *Relative;
}

static std::string ulps(uint64_t N) {
  return formatv("{0} ulp{1}", N, N == 1 ? "" : "s");
}

static std::string relative(double R) {
  std::string Out;
  raw_string_ostream(Out) << format("%.3g relative", R);
  return Out;
}

std::string Tolerance::text() const {
  return Ulps ? ulps(*Ulps) : relative(Relative.value_or(0));
}

std::string Tolerance::text(const Distance &D) const {
  if (Ulps)
    return D.Ulps ? ulps(*D.Ulps) : "no number of ulps";
  if (!D.Relative)
    return "no relative distance";
  return relative(*D.Relative);
}

Expected<Tolerance> parseTolerance(StringRef Text) {
  Tolerance Out;
  StringRef Digits = Text;
  Digits.consume_back("s");
  bool Unit = Digits.consume_back("ulp");
  uint64_t N = 0;
  if ((Unit || Digits == Text) && !Digits.getAsInteger(10, N) && N > 0) {
    Out.Ulps = N;
    return Out;
  }
  double R = 0;
  if (!Text.getAsDouble(R) && R > 0 && R < 1) {
    Out.Relative = R;
    return Out;
  }
  return createStringError("tolerance '" + Text +
                           "' is neither a number of ulps (4, 4ulp) nor a "
                           "relative one above 0 and below 1 (1e-5)");
}

} // namespace clrewrite::verify
