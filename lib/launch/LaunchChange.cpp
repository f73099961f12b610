// New sizes are computed from old ones, or a sentence says why there are none.
#include "launch/LaunchChange.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace clrewrite::launch {

static bool isOne(uint64_t N) { return N == 1; }

Expected<NDRange> LaunchChange::of(const NDRange &Old) const {
  NDRange New = Old;
  size_t Dimensions = Old.Global.size();
  auto fits = [&](const std::vector<uint64_t> &List) {
    return List.size() <= Dimensions ||
           all_of(drop_begin(List, Dimensions), isOne);
  };
  if (!fits(Factors) || !fits(Local))
    return createStringError(
        formatv("it has {0} dimension{1}, fewer than the new version needs",
                Dimensions, Dimensions == 1 ? "" : "s"));
  if (!Local.empty()) {
    New.Local = Local;
    New.Local.resize(Dimensions, 1);
  }
  for (size_t D = 0; D < Dimensions; ++D) {
    uint64_t Factor = factor(D), &Global = New.Global[D];
    bool Rounds = RoundUp && Factor != 1;
    if (Factor != 1 && D < Old.Offset.size() && Old.Offset[D])
      return createStringError(
          formatv("its global ids begin at {0} in dimension {1}, and must "
                  "begin at 0",
                  Old.Offset[D], D));
    if (Global % Factor && !Rounds)
      return createStringError(
          formatv("its global size in dimension {0}, {1}, is not a multiple "
                  "of {2}",
                  D, Global, Factor));
    Global = divideCeil(Global, Factor);
    if (New.Local.empty() || Global % New.Local[D] == 0)
      continue;
    if (!Rounds)
      return createStringError(
          formatv("its local size in dimension {0}, {1}, does not divide the "
                  "new global size, {2}",
                  D, New.Local[D], Global));
    Global = alignTo(Global, New.Local[D]);
  }
  return New;
}

Error LaunchChange::addTo(json::Object &Version, const NDRange &Old) const {
  if (empty())
    return Error::success();
  Expected<NDRange> New = of(Old);
  if (!New)
    return New.takeError();
  for (auto &[Name, Value] : New->sizes())
    Version[Name] = std::move(Value);
  return Error::success();
}

static std::string part(uint64_t Factor) {
  switch (Factor) {
  case 2:
    return "half";
  case 4:
    return "a quarter";
  case 8:
    return "an eighth";
  default:
    return "1/" + utostr(Factor);
  }
}

std::string LaunchChange::sentence(StringRef Kernel) const {
  std::vector<std::string> With;
  for (size_t D = 0; D < Factors.size(); ++D)
    if (Factors[D] != 1)
      With.push_back(formatv(
          "{0} of its global size in dimension {1}, {2}", part(Factors[D]), D,
          RoundUp ? "rounded up to whole work-groups"
                  : "which must be a multiple of " + utostr(Factors[D])));
  if (!Local.empty())
    With.push_back("the local size " + sizesText(Local));
  return ("launch " + Kernel + " with " + join(With, ", and with ")).str();
}

std::string LaunchChange::text() const {
  std::string Out = Factors.empty() ? "1" : sizesText(Factors);
  if (!Local.empty())
    Out += ":" + sizesText(Local);
  return Out + (RoundUp ? ":round-up" : "");
}

Expected<LaunchChange> parseLaunchChange(StringRef Text) {
  auto read = [](StringRef List, std::vector<uint64_t> &Into) {
    SmallVector<StringRef> Parts;
    List.split(Parts, 'x');
    for (StringRef Part : Parts)
      if (Part.getAsInteger(10, Into.emplace_back()) || Into.back() == 0 ||
          Into.back() > UINT32_MAX)
        return false;
    return Parts.size() <= 3;
  };
  LaunchChange Out;
  StringRef Sizes = Text;
  Out.RoundUp = Sizes.consume_back(":round-up");
  auto [Factors, Local] = Sizes.split(':');
  if (!read(Factors, Out.Factors) ||
      (Sizes.contains(':') && !read(Local, Out.Local)))
    return createStringError("'" + Text +
                             "' is not FACTORS[:LOCAL][:round-up], e.g. "
                             "1x4:32x4");
  if (all_of(Out.Factors, isOne))
    Out.Factors.clear();
  return Out;
}

std::optional<LaunchChange> both(const LaunchChange &A, const LaunchChange &B) {
  if (!A.Local.empty() && !B.Local.empty() && A.Local != B.Local)
    return std::nullopt;
  LaunchChange Out;
  Out.Local = A.Local.empty() ? B.Local : A.Local;
  for (size_t D = 0; D < std::max(A.Factors.size(), B.Factors.size()); ++D)
    Out.Factors.push_back(A.factor(D) * B.factor(D));
  Out.RoundUp = (A.RoundUp || A.Factors.empty()) &&
                (B.RoundUp || B.Factors.empty()) && !Out.Factors.empty();
  return Out;
}

json::Value toJSON(const LaunchChange &C) {
  auto list = [](const std::vector<uint64_t> &Sizes) {
    return Sizes.empty() ? json::Value(nullptr)
                         : json::Value(json::Array(Sizes));
  };
  return json::Object{{"factors", list(C.Factors)},
                      {"local", list(C.Local)},
                      {"round_up", C.RoundUp}};
}

bool fromJSON(const json::Value &V, LaunchChange &C, json::Path P) {
  json::ObjectMapper O(V, P);
  std::optional<std::vector<uint64_t>> Factors, Local;
  if (!O || !O.map("factors", Factors) || !O.map("local", Local) ||
      !O.map("round_up", C.RoundUp))
    return false;
  C.Factors = Factors.value_or(std::vector<uint64_t>());
  C.Local = Local.value_or(std::vector<uint64_t>());
  if (is_contained(C.Factors, 0u) || is_contained(C.Local, 0u)) {
    P.report("sizes and factors must be above 0");
    return false;
  }
  return true;
}

} // namespace clrewrite::launch
