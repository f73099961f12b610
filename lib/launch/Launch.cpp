// The text of --launch is read: the kernel, its global and local size, and its
// arguments.
#include "launch/Launch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace clrewrite::launch {

uint64_t NDRange::items() const {
  uint64_t Items = 1;
  for (uint64_t N : Global)
    Items *= N;
  return Items;
}

std::optional<uint64_t> NDRange::groupSize(unsigned Dimension) const {
  if (Local.empty())
    return std::nullopt;
  return Dimension < Local.size() ? Local[Dimension] : 1;
}

std::optional<uint64_t> NDRange::groups(unsigned Dimension) const {
  std::optional<uint64_t> Size = groupSize(Dimension);
  if (!Size || Global.empty())
    return std::nullopt;
  uint64_t Items = Dimension < Global.size() ? Global[Dimension] : 1;
  return divideCeil(Items, *Size);
}

std::optional<uint64_t> NDRange::groupItems() const {
  if (Local.empty())
    return std::nullopt;
  uint64_t Items = 1;
  for (uint64_t N : Local)
    Items *= N;
  return Items;
}

uint64_t NDRange::waves(unsigned Lanes) const {
  std::optional<uint64_t> Items = groupItems();
  if (!Items)
    return divideCeil(items(), Lanes);
  uint64_t Groups = 1;
  for (unsigned D = 0; D < Global.size(); ++D)
    Groups *= *groups(D);
  return Groups * divideCeil(*Items, Lanes);
}

json::Object NDRange::sizes() const {
  auto Sizes = [](const std::vector<uint64_t> &List) {
    return List.empty() ? json::Value(nullptr) : json::Value(json::Array(List));
  };
  return json::Object{{"global", json::Array(Global)},
                      {"local", Sizes(Local)},
                      {"offset", Sizes(Offset)}};
}

bool fromJSON(const json::Value &V, NDRange &R, json::Path P) {
  json::ObjectMapper O(V, P);
  std::optional<std::vector<uint64_t>> Local, Offset;
  if (!O || !O.map("global", R.Global) || !O.map("local", Local) ||
      !O.map("offset", Offset))
    return false;
  R.Local = Local.value_or(std::vector<uint64_t>());
  R.Offset = Offset.value_or(std::vector<uint64_t>());
  return true;
}

const Launch *launchOf(ArrayRef<Launch> List, StringRef Kernel) {
  auto It = find_if(List, [&](const Launch &L) { return L.Kernel == Kernel; });
  return It == List.end() ? nullptr : &*It;
}

static Error wrong(StringRef Text, const Twine &Why) {
  return createStringError("launch '" + Text + "': " + Why +
                           " (KERNEL:GLOBAL[:LOCAL][,ARGUMENT=VALUE...], e.g. "
                           "f:1024x1024:64x4,n=1024)");
}

/// "64x4" as numbers above 0; empty where it is something else.
static std::vector<uint64_t> range(StringRef Text) {
  std::vector<uint64_t> Out;
  SmallVector<StringRef> Parts;
  Text.split(Parts, 'x');
  for (StringRef Part : Parts) {
    uint64_t N = 0;
    if (Part.getAsInteger(10, N) || N == 0 || N > UINT32_MAX)
      return {};
    Out.push_back(N);
  }
  return Out.size() <= 3 ? Out : std::vector<uint64_t>();
}

/// Reads both sizes into \p Out. Says what is wrong with them, or nothing.
static StringRef readSizes(Launch &Out, StringRef Global,
                           std::optional<StringRef> Local) {
  Out.Global = range(Global);
  if (Out.Global.empty())
    return "the global size is not 1 to 3 numbers joined by x";
  if (!Local)
    return "";
  Out.Local = range(*Local);
  if (Out.Local.size() != Out.Global.size())
    return "the local size has other dimensions than the global";
  for (size_t I = 0; I < Out.Local.size(); ++I)
    if (Out.Global[I] % Out.Local[I])
      return "the local size does not divide the global one";
  return "";
}

Expected<Launch> parseLaunch(StringRef Text) {
  Launch Out;
  SmallVector<StringRef> Words, Shape;
  Text.split(Words, ',');
  Words.front().split(Shape, ':');
  if (Shape.size() < 2 || Shape.size() > 3 || Shape.front().empty())
    return wrong(Text, "the kernel and its global size are missing");
  Out.Kernel = Shape[0].str();
  std::optional<StringRef> Local;
  if (Shape.size() == 3)
    Local = Shape[2];
  if (StringRef Why = readSizes(Out, Shape[1], Local); !Why.empty())
    return wrong(Text, Why);
  for (StringRef Word : ArrayRef(Words).drop_front()) {
    auto [Name, Value] = Word.split('=');
    if (Name.trim().empty() || Value.trim().empty())
      return wrong(Text, "'" + Word + "' is not ARGUMENT=VALUE");
    Out.Arguments[Name.trim().str()] = Value.trim().str();
  }
  return Out;
}

Expected<Launch> parseLaunchComment(StringRef Kernel, StringRef Words) {
  Launch Out;
  Out.Kernel = Kernel.str();
  SmallVector<StringRef> List;
  SplitString(Words, List, " \t\r\n,*");
  for (StringRef Word : List) {
    auto [Name, Value] = Word.split('=');
    if (Name.empty() || Value.empty())
      return createStringError("'" + Word + "' is not NAME=VALUE");
    if (!Out.Arguments.insert({Name.str(), Value.str()}).second)
      return createStringError("'" + Name + "' is given twice");
  }
  // No parameter has these names: they are address spaces.
  auto Global = Out.Arguments.extract("global");
  auto Local = Out.Arguments.extract("local");
  if (!Global)
    return createStringError("global=SIZE is missing");
  std::optional<StringRef> LocalSize;
  if (Local)
    LocalSize = Local.mapped();
  StringRef Why = readSizes(Out, Global.mapped(), LocalSize);
  if (!Why.empty())
    return createStringError(Why);
  return Out;
}

Expected<uint64_t> parseBytes(StringRef Text) {
  StringRef Digits = Text;
  unsigned Shift = 0;
  for (auto [Unit, By] : {std::pair("K", 10u), {"M", 20u}, {"G", 30u}})
    if (Digits.consume_back_insensitive(Unit)) {
      Shift = By;
      break;
    }
  uint64_t N = 0;
  if (Digits.getAsInteger(10, N) || N == 0 || N > (UINT64_MAX >> Shift))
    return createStringError("'" + Text + "' is not a number of bytes");
  return N << Shift;
}

std::string bytesText(uint64_t Bytes) {
  for (auto [Shift, Unit] : {std::pair(30, "G"), {20, "M"}, {10, "K"}})
    if (Bytes && !(Bytes & ((uint64_t(1) << Shift) - 1)))
      return utostr(Bytes >> Shift) + Unit;
  return utostr(Bytes);
}

std::string sizesText(ArrayRef<uint64_t> Sizes) {
  return join(map_range(Sizes, [](uint64_t N) { return utostr(N); }), "x");
}

} // namespace clrewrite::launch
