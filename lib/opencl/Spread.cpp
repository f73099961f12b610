// Numbers of a spread become a verdict, and words.
#include "opencl/Spread.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace clrewrite::opencl {

/// Runs of each version, at first and where these do not agree.
static constexpr int64_t FewRuns = 16, ManyRuns = 64;
/// Of so many elements that vary or are outside, one may lie on one side of all
/// that the original left.
static constexpr uint64_t OfThese = 20;
/// Where nothing varied, two units in the last place are the unit, which is no
/// measure of how far sums in another order are apart; this many are.
static constexpr double MostUnitsUnmeasured = 1000;

static std::string number(double N) {
  std::string Out;
  raw_string_ostream(Out) << format("%.3g", N);
  return Out;
}

std::string SpreadVerdict::spread() const {
  if (!Varying)
    return "its own runs left the same bytes";
  std::string By =
      !Absolute ? ", some of them by 2^63 or more or to what is not finite"
                : " by up to " + number(*Absolute);
  if (Relative)
    By += " (" + number(*Relative) + " of the larger value)";
  return formatv("{0} of {1} elements vary{2}", Varying, Elements, By);
}

/// The larger of two differences, of which none is larger than any.
static std::optional<double> larger(std::optional<double> A,
                                    std::optional<double> B) {
  return A && B ? std::optional(std::max(*A, *B)) : std::nullopt;
}

void SpreadVerdict::widen(const SpreadVerdict &By) {
  Runs = std::min(Runs, By.Runs);
  if (By.Varying >= Varying) {
    Varying = By.Varying;
    Elements = By.Elements;
  }
  Absolute = larger(Absolute, By.Absolute);
  Relative = larger(Relative, By.Relative);
  Excess = std::max(Excess, By.Excess);
}

/// "2.5", "1.25 to 1.5".
static std::string range(const json::Array *Values) {
  if (!Values || Values->size() != 2)
    return "?";
  StringRef From = (*Values)[0].getAsString().value_or("?"),
            To = (*Values)[1].getAsString().value_or("?");
  return From == To ? From.str() : (From + " to " + To).str();
}

static uint64_t countIn(const json::Object &O, StringRef Name) {
  return uint64_t(O.getInteger(Name).value_or(0));
}

/// What one buffer says; the worst counts for the launch.
static SpreadVerdict::Kind kindOf(const json::Object &B) {
  uint64_t Varying = countIn(B, "varying"), Outside = countIn(B, "outside"),
           Apart = countIn(B, "apart");
  if (B.getBoolean("permuted").value_or(false))
    return SpreadVerdict::Permuted;
  if (!Outside)
    return SpreadVerdict::Agrees;
  double Excess = B.getNumber("excess").value_or(INFINITY),
         ApartExcess =
             Apart ? B.getNumber("apart_excess").value_or(INFINITY) : 0;
  if (ApartExcess > (Varying ? MostUnits : MostUnitsUnmeasured))
    return SpreadVerdict::Differs;
  uint64_t Of = std::max(Varying, Outside);
  if (!Varying || Excess > MostUnits || Apart * OfThese > Of)
    return SpreadVerdict::Beyond;
  return SpreadVerdict::Agrees;
}

/// How bad it is.
static unsigned rank(SpreadVerdict::Kind K) {
  return K == SpreadVerdict::Agrees     ? 0
         : K == SpreadVerdict::Permuted ? 1
         : K == SpreadVerdict::Beyond   ? 2
                                        : 3;
}

static void describe(SpreadVerdict &V, const json::Object &B) {
  V.Argument = size_t(countIn(B, "arg"));
  V.Element.reset();
  V.What = formatv("argument {0}", *V.Argument);
  if (V.Is == SpreadVerdict::Permuted) {
    V.What += ": the original leaves the same values in other places from run "
              "to run, as where an atomic counter hands out slots";
    return;
  }
  const json::Object *E = B.getObject("element");
  if (!E)
    return;
  V.Element = size_t(countIn(*E, "index"));
  V.What += formatv(", element {0}: {1} in {2} runs, where {2} runs of the "
                    "original leave {3}",
                    *V.Element, range(E->getArray("new")), V.Runs,
                    range(E->getArray("old")));
}

SpreadVerdict judgeSpread(const DeviceAnswer &A) {
  SpreadVerdict V;
  const json::Object *Spread = A.Body.getObject("spread");
  const json::Array *List = Spread ? Spread->getArray("buffers") : nullptr;
  if (!A.ok() || !List) {
    V.What = !A.ok() ? reasonOf(A)
                     : "the device program is older, and can't run versions "
                       "often to compare what they leave";
    return V;
  }
  V.Runs = unsigned(countIn(*Spread, "runs"));
  if (const json::Array *Outside = A.Body.getArray("out_of_bounds"))
    for (const json::Value &Each : *Outside) {
      V.Is = SpreadVerdict::Differs;
      V.What = "a launch touches memory outside its buffers";
      if (const json::Object *O = Each.getAsObject())
        V.Argument = size_t(countIn(*O, "arg"));
      return V;
    }
  V.Is = SpreadVerdict::Agrees;
  for (const json::Value &Each : *List) {
    const json::Object &B = *Each.getAsObject();
    if (uint64_t Varying = countIn(B, "varying")) {
      V.Varying += Varying;
      V.Elements += countIn(B, "elements");
      V.Absolute = larger(V.Absolute, B.getNumber("max_absolute"));
      V.Relative = larger(V.Relative, B.getNumber("max_relative"));
    }
    V.Excess = std::max(V.Excess, B.getNumber("excess").value_or(INFINITY));
    SpreadVerdict::Kind K = kindOf(B);
    if (rank(K) <= rank(V.Is))
      continue;
    V.Is = K;
    describe(V, B);
  }
  return V;
}

SpreadVerdict compareSpread(json::Object Job,
                            function_ref<DeviceAnswer(json::Object)> Call) {
  SpreadVerdict V;
  for (int64_t Runs : {FewRuns, ManyRuns}) {
    json::Object Each(Job);
    Each["spread"] = Runs;
    V = judgeSpread(Call(std::move(Each)));
    if (V.Is == SpreadVerdict::Agrees || V.Is == SpreadVerdict::Permuted ||
        V.Is == SpreadVerdict::Failed)
      break;
  }
  return V;
}

} // namespace clrewrite::opencl
