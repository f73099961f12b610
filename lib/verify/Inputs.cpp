// Launches are planned, and their buffers grown until the original kernel stays
// within them.
#include "verify/Inputs.h"
#include "verify/Images.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <set>

using namespace llvm;

namespace clrewrite::verify {

/// A buffer never grows beyond this.
static uint64_t mostBytes(const Recipe &R, const Fit &F) {
  bool Counts = R.Shape == Recipe::Wide || R.Shape == Recipe::Long;
  return uint64_t(R.isTimed()              ? 128
                  : F.Level == 4 || Counts ? 64
                  : R.isLarge()            ? 16
                                           : 4)
         << 20;
}
/// Bytes for all local arguments together.
static constexpr uint64_t LocalBytes = 16 << 10;

StringRef name(Contents C) {
  static constexpr const char *Names[] = {
      "small", "random", "specials", "zeros",    "iota",
      "text",  "wild",   "overlap",  "negative", "solved"};
  return Names[size_t(C)];
}

/// The entry of \p List for the argument \p Name; null where there is none.
template <typename T>
static const T *given(const std::vector<std::pair<std::string, T>> &List,
                      StringRef Name) {
  auto It = find_if(List, [&](const auto &Each) { return Each.first == Name; });
  return It == List.end() ? nullptr : &It->second;
}

static bool isBytes(const KernelArgument &A) {
  return A.Component == "uchar" || A.Component == "char";
}

std::vector<std::pair<size_t, size_t>> Inputs::overlaps() const {
  std::vector<std::pair<size_t, size_t>> Out;
  const auto &A = K.Arguments;
  auto mayShare = [&](size_t I) {
    const json::Value *V = given(Given.Values, A[I].Name);
    return A[I].What == KernelArgument::Buffer && A[I].MayAlias &&
           // What is given may be no buffer, or another argument's.
           (!V || V->getAsObject()->getObject("buffer"));
  };
  for (size_t I = 0; I < A.size(); ++I)
    for (size_t J = I + 1; J < A.size(); ++J)
      if (mayShare(I) && mayShare(J) &&
          (A[I].Component == A[J].Component || isBytes(A[I]) || isBytes(A[J])))
        Out.push_back({I, J});
  return Out;
}

bool Inputs::mayOverlap(bool MayOverlap) const {
  // More than one work-item would race where they share a buffer.
  return MayOverlap && Change.empty() &&
         all_of(K.RequiredLocal, [](uint64_t N) { return N == 1; }) &&
         !overlaps().empty();
}

std::vector<Recipe> Inputs::overlapPlan(bool MayOverlap) const {
  constexpr size_t MostSame = 12, MostParts = 24;
  std::vector<Recipe> Out;
  const auto Pairs = unsigned(mayOverlap(MayOverlap) ? overlaps().size() : 0);
  for (Recipe::Size Shape : {Recipe::Even, Recipe::Odd})
    for (unsigned I = 0; I < Pairs && Out.size() < MostSame; ++I)
      Out.push_back({Contents::Overlap, Shape, /*FenceBefore=*/true, I});
  const size_t Most = Out.size() + (K.PartAlign ? MostParts : 0);
  // The work-item's id is 0 but in one of them: what begins an element before
  // the other is met by a later id alone.
  for (auto [Part, Shape] :
       std::initializer_list<std::pair<unsigned, Recipe::Size>>{
           {1, Recipe::Even},
           {2, Recipe::Even},
           {1, Recipe::Odd},
           {3, Recipe::Even},
           {4, Recipe::Even},
           {5, Recipe::Even},
           {6, Recipe::Even}})
    for (bool IsFirst : {false, true})
      for (unsigned I = 0; I < Pairs && Out.size() < Most; ++I)
        Out.push_back({Contents::Overlap, Shape,
                       /*FenceBefore=*/Shape == Recipe::Odd, I, /*Draw=*/0,
                       /*Level=*/0, Part, IsFirst});
  return Out;
}

std::vector<Recipe> Inputs::plan(bool MayOverlap) const {
  Contents Other = mayOverlap(MayOverlap) ? Contents::Overlap : Contents::Small;
  Contents Negative = hasSigned() ? Contents::Negative : Contents::Small;
  Contents Text =
      K.Integers.empty() && K.Reals.empty() ? Contents::Random : Contents::Text;
  constexpr auto Small = Contents::Small, Random = Contents::Random,
                 Specials = Contents::Specials, Zeros = Contents::Zeros,
                 Iota = Contents::Iota, Wild = Contents::Wild;
  constexpr auto Even = Recipe::Even, Odd = Recipe::Odd;
  // Where somebody has given the sizes, there are no larger ones.
  auto Some = Given.Global.empty() ? Recipe::Some : Recipe::Even;
  auto Many = Given.Global.empty() ? Recipe::Many : Recipe::Even;
  // The large ones come when the small ones have told how long they take.
  return {{Small, Even},
          {Random, Even},
          {Specials, Even, true},
          {Other, Odd},
          {Small, Odd, true},
          {Random, Odd},
          {Zeros, Even},
          {Iota, Even, true},
          {Wild, Even},
          {Specials, Odd},
          {Other, Even, true, Recipe::AllPairs},
          {Small, Even, true},
          {Text, Even},
          {Text, Odd, true},
          {Random, Some},
          {Text, Some},
          {Specials, Some, true},
          {Random, Many},
          {Random, Even, true},
          {Text, Even, true},
          {Specials, Odd, true},
          {Negative, Odd},
          {Other, Odd, true, 1},
          {Random, Odd, true},
          {Text, Odd},
          {Specials, Even},
          {Iota, Odd},
          {Negative, Even},
          {Text, Some, true},
          {Small, Many, true},
          {Random, Even},
          {Text, Even}};
}

launch::NDRange Inputs::shape(const Recipe &R) const {
  // No work-group divides the odd sizes. The other rounds have the same groups,
  // since many drivers compile a kernel for each size of group.
  static const struct {
    std::vector<uint64_t> Global[3]; ///< by the number of dimensions
    /// The fewest work-items, in work-groups of a required size.
    uint64_t Least;
  } Shapes[] = {
      /* Even */ {{{64}, {16, 8}, {8, 4, 4}}, 0},
      /* Odd */ {{{37}, {13, 5}, {5, 3, 3}}, 0},
      /* Some */ {{{4096}, {128, 32}, {32, 16, 8}}, 4096},
      /* Many */ {{{65600}, {33024, 4}, {33024, 4, 2}}, 65537},
      /* Far */ {{{64}, {32, 4}, {32, 4, 2}}, 0},
      /* FarRows */ {{{64}, {8, 16}, {8, 16, 2}}, 0},
      /* Wide */ {{{65600}, {65600, 1}, {65600, 1, 1}}, 65537},
      /* Long */ {{{16}, {8, 4}, {4, 2, 2}}, 0},
      /* Million */ {{{1 << 20}, {1024, 1024}, {128, 128, 64}}, 1 << 20},
      /* Thousands */ {{{1 << 16}, {256, 256}, {64, 32, 32}}, 1 << 16},
      /* Hundreds */ {{{1 << 12}, {64, 64}, {32, 16, 8}}, 1 << 12},
      /* Few: four times Even, each way */
      {{{256}, {64, 32}, {32, 16, 16}}, 1 << 8}};
  static const std::vector<uint64_t> Groups[] = {{16}, {8, 4}, {4, 2, 2}};
  // Those of kernels with local memory are mostly squares.
  static const std::vector<uint64_t> Timed[] = {{128}, {32, 4}, {32, 4, 1}},
                                     Squares[] = {{256}, {16, 16}, {8, 8, 4}};
  bool Alone = R.Kind == Contents::Overlap;
  unsigned D = K.Dimensions - 1;
  // The dimension whose ids are large.
  unsigned FarIn = R.Shape == Recipe::FarRows && D ? 1 : 0;
  launch::NDRange Out;
  if (Alone) {
    Out.Global.assign(K.Dimensions, 1);
    Out.Local = Out.Global;
  } else if (!K.RequiredLocal.empty()) {
    Out.Global = Out.Local = K.RequiredLocal;
    for (unsigned I = 0;
         R.Shape == Recipe::Few && I < K.Dimensions && I < Out.Global.size();
         ++I)
      Out.Global[I] *= 4;
    Out.Global[FarIn] *= R.Shape == Recipe::Odd ? 3 : 2;
    for (size_t I = 0; Out.items() < Shapes[R.Shape].Least; ++I)
      Out.Global[R.Shape == Recipe::Wide ? 0 : I % K.Dimensions] *= 2;
  } else {
    Out.Global = Shapes[R.Shape].Global[D];
    if (R.isTimed())
      Out.Local = (K.UsesGroups ? Squares : Timed)[D];
    else if (!K.UsesGroups)
      // Any groups do, and drivers compile for these anyway (Alone).
      Out.Local.assign(K.Dimensions, 1);
    else if (R.Shape != Recipe::Odd)
      Out.Local = Groups[D];
    // A row of work-groups.
    for (size_t I = 0; I < Out.Local.size(); ++I)
      Out.Global[I] = alignTo(Out.Global[I], Out.Local[I]);
  }
  for (size_t I = 0; I < Out.Global.size(); ++I) {
    uint64_t Group = I < Change.Local.size() ? Change.Local[I] : 1;
    Out.Global[I] = alignTo(Out.Global[I], Group) * Change.factor(I);
  }
  if (!Given.Global.empty() && !Alone) {
    Out.Global = Given.Global;
    std::vector<uint64_t> Required = K.RequiredLocal;
    Required.resize(std::min(Required.size(), Out.Global.size()));
    Out.Local = Given.Local.empty() ? Required : Given.Local;
  }
  if (!Alone)
    Out.Offset = Given.Offset;
  else if (R.FenceBefore && !K.AsksForWhole && Given.Global.empty())
    // The work-item 0 may read its element in a loop's first turn, before its
    // own store.
    Out.Offset.assign(Out.Global.size(), R.Shape == Recipe::Odd ? 3 : 1);
  uint64_t Items = std::accumulate(Out.Local.begin(), Out.Local.end(),
                                   uint64_t(1), std::multiplies<uint64_t>());
  if (K.RequiredLocal.empty() && Given.Local.empty() && Items > K.MaxLocal)
    Out.Local.assign(Out.Global.size(), 1);
  if (R.isFar()) {
    // Whole groups, on both sides of a power of two.
    uint64_t Around = R.Shape == Recipe::FarRows && !D ? 1 << 15 : 1 << 16;
    Out.Offset.assign(Out.Global.size(), 0);
    Out.Offset[FarIn] =
        alignDown(Around - Out.Global[FarIn] / 2, Out.Local[FarIn]);
  }
  return Out;
}

/// The sizes of the smallest launch without an offset that \p Part is a part
/// of. A work-item that is alone is one of several, since a size of 1 has loops
/// end after a turn.
static std::vector<uint64_t> wholeOf(const launch::NDRange &Part,
                                     const Recipe &R) {
  std::vector<uint64_t> Out = Part.Global;
  for (size_t I = 0; I < Part.Offset.size() && I < Out.size(); ++I)
    Out[I] += Part.Offset[I];
  if (R.Kind == Contents::Overlap)
    for (uint64_t &Size : Out)
      Size = std::max<uint64_t>(Size, 8);
  return Out;
}

std::vector<Recipe> Inputs::farPlan() const {
  // A loop over one of so many integers is enough.
  constexpr uint64_t MostLong = 4;
  // No image is so large, and what changes a launch may forbid offsets.
  if (!Change.empty() || any_of(K.Arguments, [](const KernelArgument &A) {
        return A.What == KernelArgument::Image;
      }))
    return {};
  std::vector<Recipe> Out;
  if (Given.Global.empty() && !K.AsksForWhole)
    Out = {{Contents::Random, Recipe::Far},
           {Contents::Text, Recipe::FarRows},
           {Contents::Small, Recipe::FarRows, true},
           {Contents::Text, Recipe::Far, true}};
  else if (Given.Global.empty() && K.Dimensions > 1)
    Out = {{Contents::Random, Recipe::Wide}, {Contents::Text, Recipe::Wide}};
  uint64_t Integers = 0;
  for (const KernelArgument &A : K.Arguments)
    if (isDrawn(A))
      Integers += A.What == KernelArgument::Structure ? A.Size / 4 : A.Lanes;
  for (Contents Kind : {Contents::Random, Contents::Small})
    for (unsigned I = 1; I <= std::min(Integers, MostLong); ++I) {
      Recipe R{Kind, Recipe::Long};
      R.Large = I;
      Out.push_back(R);
    }
  return Out;
}

json::Object TrialLaunch::members() const {
  json::Object Out = NDRange::sizes();
  Out["args"] = json::Array(Args);
  return Out;
}

std::string TrialLaunch::text(const KernelShape &K) const {
  std::string Out = "global " + launch::sizesText(Global);
  if (any_of(Offset, [](uint64_t N) { return N != 0; }))
    Out += " from (" +
           join(map_range(Offset, [](uint64_t N) { return utostr(N); }), ", ") +
           ")";
  if (!Local.empty())
    Out += ", local " + launch::sizesText(Local);
  for (auto [Argument, Known] : zip(Args, K.Arguments)) {
    const json::Object &A = *Argument.getAsObject();
    if (const json::Object *Scalar = A.getObject("scalar"))
      if (const json::Value *V = Scalar->get("value"); !V->getAsArray())
        Out += formatv(", {0}={1}", Known.Name, *V).str();
    auto Of = A.getInteger("alias");
    if (!Of || size_t(*Of) >= K.Arguments.size())
      continue;
    Out += ", " + Known.Name + " is " + K.Arguments[size_t(*Of)].Name;
    if (auto At = A.getInteger("offset"))
      Out += " from byte " + std::to_string(*At);
  }
  return Out;
}

/// The lanes of \p A, an argument as a job has it, if they are integers.
static std::vector<int64_t> integersOf(const json::Value &A) {
  const json::Object *Scalar = A.getAsObject()->getObject("scalar");
  const json::Value *V = Scalar ? Scalar->get("value") : nullptr;
  if (!V)
    return {};
  const json::Array Lanes =
      V->getAsArray() ? *V->getAsArray() : json::Array{*V};
  std::vector<int64_t> Out;
  for (const json::Value &Each : Lanes)
    if (std::optional<int64_t> N = Each.getAsInteger())
      Out.push_back(*N);
  return Out.size() == Lanes.size() ? Out : std::vector<int64_t>();
}

template <typename List, typename Predicate>
static bool each(const List &A, const List &B, Predicate Holds) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(), Holds);
}

/// The argument \p Large is \p A, or has integers as large as those of \p A or
/// larger, or both are buffers.
static bool isAsLarge(const json::Value &A, const json::Value &Large) {
  const json::Object &Own = *A.getAsObject(), &Other = *Large.getAsObject();
  if (A == Large || (Own.get("buffer") && Other.get("buffer")))
    return true;
  std::vector<int64_t> Integers = integersOf(A);
  return !Integers.empty() &&
         each(Integers, integersOf(Large), [](int64_t Is, int64_t May) {
           return Is == May || (0 <= Is && Is < May);
         });
}

bool TrialLaunch::isWithin(const TrialLaunch &Larger) const {
  return each(Global, Larger.Global, std::less_equal<uint64_t>()) &&
         each(Offset, Larger.Offset, std::less_equal<uint64_t>()) &&
         each(Args, Larger.Args, isAsLarge);
}

Fit Inputs::tightest(const Recipe &R) const {
  std::vector<uint64_t> Whole = wholeOf(shape(R), R);
  uint64_t Items = std::accumulate(Whole.begin(), Whole.end(), uint64_t(1),
                                   std::multiplies<uint64_t>());
  Fit F;
  F.Level = R.Level;
  for (const KernelArgument &A : K.Arguments) {
    uint64_t Elements = A.What == KernelArgument::Buffer ? Items : 0;
    if (const uint64_t *Bytes = given(Given.Bytes, A.Name); Bytes && Elements)
      Elements = std::max<uint64_t>(1, *Bytes / A.Size);
    F.Elements.push_back(Elements);
  }
  return F;
}

bool Inputs::grow(Fit &F, const Recipe &R, size_t Index, int64_t Offset,
                  int64_t Reach) const {
  if (Index >= F.Elements.size() || !F.Elements[Index] || Offset < 0 ||
      given(Given.Values, K.Arguments[Index].Name))
    return false;
  uint64_t Size = K.Arguments[Index].Size, Most = mostBytes(R, F);
  if (const uint64_t *Bytes = given(Given.Bytes, K.Arguments[Index].Name))
    Most = std::max(Most, *Bytes);
  // What was read out there may have led further than real contents do.
  uint64_t Needed =
      std::max(uint64_t(Offset), std::min(uint64_t(Reach), Most - Size));
  F.Elements[Index] =
      std::max(Needed / Size + 1, std::min(2 * F.Elements[Index], Most / Size));
  return F.Elements[Index] * Size <= Most;
}

std::optional<Fit> Inputs::expected(const Recipe &R, const Growth &Of,
                                    double MostOver) const {
  // A buffer is as large as whole pages. The smaller one has more to spare by
  // that, so that the two seem to grow less than what the kernel needs.
  static constexpr double Margin = 1.25;
  const auto &[Small, Larger] = Of;
  auto itemsOf = [&](const Recipe &Each) {
    return double(shape(Each).items());
  };
  const double Step = std::log(itemsOf(Larger.R) / itemsOf(Small.R)),
               Factor = itemsOf(R) / itemsOf(Larger.R);
  Fit F = tightest(R);
  F.Level = Larger.Fitting.Level;
  const Fit Tight = tightest(Larger.R);
  for (size_t I = 0; I < F.Elements.size(); ++I) {
    const StringRef Name = K.Arguments[I].Name;
    if (!F.Elements[I] || given(Given.Bytes, Name) || given(Given.Values, Name))
      continue;
    const auto Few = double(Small.Fitting.Elements[I]),
               More = double(Larger.Fitting.Elements[I]),
               Most = double(mostBytes(R, F) / K.Arguments[I].Size);
    const double Power =
                     Step > 0 ? std::max(0.0, std::log(More / Few) / Step) : 1,
                 Wanted = Margin * More * std::pow(Factor, Power);
    if (Wanted > Most * MostOver)
      return std::nullopt;
    // An element a work-item is what it begins with.
    if (Larger.Fitting.Elements[I] > Tight.Elements[I])
      F.Elements[I] =
          std::max(F.Elements[I], uint64_t(std::ceil(std::min(Wanted, Most))));
  }
  return F;
}

bool Inputs::growAll(Fit &F, const Recipe &R) const {
  bool Grown = false;
  for (size_t I = 0; I < F.Elements.size(); ++I)
    if (K.Arguments[I].What == KernelArgument::Buffer) {
      uint64_t Now = F.Elements[I] * K.Arguments[I].Size;
      uint64_t Room = mostBytes(R, F);
      if (Now < Room)
        Grown |=
            grow(F, R, I,
                 int64_t(std::min(uint64_t(GrowthOfAll) * Now, Room - 1)), 0);
    }
  return Grown;
}

bool Inputs::calm(Fit &F, const Recipe &R) const {
  unsigned Level = F.Level + 1;
  F = tightest(R);
  F.Level = Level;
  return Level < Fit::Levels && R.Kind != Contents::Wild;
}

bool Inputs::hasSigned() const {
  return any_of(K.Arguments, [&](const KernelArgument &A) {
    return A.What == KernelArgument::Value && A.isSigned() &&
           !given(Given.Scalars, A.Name) && !given(Given.Values, A.Name);
  });
}

bool Inputs::isDrawn(const KernelArgument &A) const {
  bool Integers = (A.What == KernelArgument::Value && !A.isFloat()) ||
                  A.What == KernelArgument::Structure;
  return Integers && !given(Given.Scalars, A.Name) &&
         !given(Given.Values, A.Name);
}

bool Inputs::hasDraws() const {
  return any_of(K.Arguments,
                [&](const KernelArgument &A) { return isDrawn(A); });
}

/// The size of a buffer that must hold \p Bytes. A CPU device lays it at a
/// multiple of 128 bytes, so that any other size leaves bytes between its end
/// and the fence, where a read goes unseen: the original would be taken for
/// valid although it isn't. Whole pages have a fence at both ends, and are for
/// the rounds that begin at one.
static int64_t roundedBytes(const Recipe &R, uint64_t Bytes) {
  return int64_t(alignTo(Bytes, R.FenceBefore ? 4096 : 128));
}

namespace {

/// The arguments of one round.
class Maker {
  const KernelShape &K;
  const LaunchShape &Given;
  Recipe R;
  const Fit &F;
  ArrayRef<uint64_t> Global;
  // Their sequences are the same everywhere. Scalars has that of the draw.
  std::mt19937_64 Random, Scalars;
  uint64_t Seed;
  std::vector<int64_t> Drawn; // integers by value so far
  unsigned SignedSoFar = 0;
  bool First;
  ImageSizes Sizes; // of the images that are not only sampled

public:
  Maker(const KernelShape &K, const LaunchShape &Given, const Recipe &R,
        const Fit &F, ArrayRef<uint64_t> Global, uint64_t Seed, bool First)
      : K(K), Given(Given), R(R), F(F), Global(Global), Random(Seed),
        Scalars(R.Draw ? R.Draw : Seed), Seed(Seed), First(First),
        Sizes(!F.Level && Seed % 3 == 2 ? ImageSizes::Larger
                                        : ImageSizes::Exact) {}

  json::Value argument(size_t Index);

private:
  int64_t pick(ArrayRef<int64_t> From) { return From[Scalars() % From.size()]; }
  int64_t integer(bool Signed, bool OnlyCounts = false) {
    // Counters of 16 bits have fewer turns.
    constexpr int64_t MostTurns = 1 << 16;
    int64_t New = newInteger(Signed);
    if (R.Large == Drawn.size() + 1)
      New = 66000; // a multiple of 16, as widths often have to be
    if (R.IsShort && OnlyCounts)
      New = std::min(New, MostTurns);
    bool Negates = R.Kind == Contents::Negative && Signed &&
                   (R.Shape == Recipe::Even || SignedSoFar++ % 2 == 0);
    Drawn.push_back(Negates ? -New : New);
    return Drawn.back();
  }
  int64_t newInteger(bool Signed);
  double real();
  json::Value component(const KernelArgument &A);
  std::string fill(const KernelArgument &A);
  std::string likeText(const KernelArgument &A);
  json::Value buffer(size_t Index);
  json::Value value(const KernelArgument &A);
  json::Value structure(const KernelArgument &A);
  json::Value image(const KernelArgument &A);
};

int64_t Maker::newInteger(bool Signed) {
  if (R.Kind == Contents::Wild) {
    int64_t V = pick({0, -1, 1, 255, 65535, INT32_MAX, INT32_MIN, 1000, -77});
    return V < 0 && !Signed ? -(V + 1) : V;
  }
  if (F.Level == 3)
    return int64_t(Scalars() % 2);
  if (F.Level == 2)
    return int64_t(Scalars() % 5);
  auto Size = int64_t(Global[Scalars() % Global.size()]);
  switch (R.Draw) {
  case 1: // a width, a height, ...
    return int64_t(Global[Drawn.size() % Global.size()]);
  case 2:
    return int64_t(Global[0]);
  case 3: // as for work-items that work on four elements each
    return int64_t(Global[0]) * 4;
  case 4:
    return int64_t(Global[0]) * 16;
  default:
    break;
  }
  // Sizes, halves of sizes, and counts. An odd one now and then.
  std::vector<int64_t> From{Size, Size, Size / 2, Size - 1, 1, 2, 3, 5};
  if (R.Draw)
    From.insert(From.end(), {Size * 2, Size * 4, Size * 8, Size + 1});
  if (!K.Integers.empty()) {
    int64_t Near = K.Integers[Scalars() % K.Integers.size()];
    From.push_back(
        std::clamp<int64_t>(Near + int64_t(Scalars() % 3) - 1, 0, INT32_MAX));
  }
  // A size of 0 often leads to what lies before a buffer, or makes a counter
  // wrap around. Wild rounds have it.
  return std::max<int64_t>(1, pick(From));
}

double Maker::real() {
  double Unit = double(Random() >> 11) / double(uint64_t(1) << 53);
  // What counts to a large size may end before, as soon as a number is large.
  if (R.exceeds16Bits() && R.Kind == Contents::Small)
    return 0;
  switch (R.Kind) {
  case Contents::Random:
  case Contents::Wild:
    return std::ldexp(2 * Unit - 1, int(Random() % 60) - 30);
  case Contents::Zeros:
    return 0;
  case Contents::Text:
    if (!K.Reals.empty() && Random() % 2)
      return K.Reals[Random() % K.Reals.size()];
    [[fallthrough]];
  default:
    return std::array<double, 4>{1.5, -2.25, 8 * Unit - 4, 0.5}[Random() % 4];
  }
}

json::Value Maker::component(const KernelArgument &A) {
  if (!A.isFloat())
    return integer(A.isSigned(), A.OnlyCounts);
  if (R.Kind == Contents::Specials && Random() % 2)
    return std::array<const char *, 3>{"nan", "inf", "-inf"}[Random() % 3];
  return real();
}

json::Value Maker::value(const KernelArgument &A) {
  std::string Type = A.Component;
  if (const int64_t *N = given(Given.Scalars, A.Name); N && A.Lanes == 1)
    return json::Object{
        {"scalar", json::Object{{"type", Type}, {"value", *N}}}};
  if (A.Lanes == 1)
    return json::Object{
        {"scalar", json::Object{{"type", Type}, {"value", component(A)}}}};
  json::Array Lanes;
  for (unsigned I = 0; I < A.Lanes; ++I)
    Lanes.push_back(component(A));
  return json::Object{
      {"scalar", json::Object{{"type", Type + std::to_string(A.Lanes)},
                              {"value", std::move(Lanes)}}}};
}

/// Words of four bytes: all ints, or floats between in every other round whose
/// integers are not those of a draw. What a float's bits lead to as an index is
/// so far off that the device program dies; then there are none.
json::Value Maker::structure(const KernelArgument &A) {
  bool Mixed = Random() % 2 && F.Level == 0 && !R.Draw;
  std::string Bytes;
  while (Bytes.size() < A.Size) {
    uint32_t Word = uint32_t(integer(true));
    if (Mixed && Random() % 2) {
      float Real = float(real());
      std::memcpy(&Word, &Real, sizeof Word);
    }
    for (unsigned Shift = 0; Shift < 32; Shift += 8)
      Bytes += char(Word >> Shift);
  }
  Bytes.resize(A.Size);
  return json::Object{{"bytes", encodeBase64(Bytes)}};
}

/// Numbers of the kernel's text, their neighbours, those that the integer
/// arguments have, and a few others.
std::string Maker::likeText(const KernelArgument &A) {
  std::vector<std::string> Words;
  auto add = [&](double V) {
    if (std::isfinite(V))
      Words.push_back(formatv("{0:e17}", V));
  };
  if (A.isFloat()) {
    for (double V : K.Reals)
      for (double Each : {V, -V}) {
        auto Single = float(Each);
        add(Each);
        add(A.Size == 8 ? std::nextafter(Each, INFINITY)
                        : double(std::nextafterf(Single, INFINITY)));
        add(A.Size == 8 ? std::nextafter(Each, -INFINITY)
                        : double(std::nextafterf(Single, -INFINITY)));
      }
    for (int64_t V : K.Integers)
      add(double(V));
    while (Words.size() < 8)
      add(real());
  } else {
    bool Small = F.Level > 0;
    // What is compared with an argument is compared with equals too.
    for (int64_t V : Drawn)
      if (!Small || (V >= 0 && V <= 16))
        Words.push_back(itostr(V));
    for (int64_t V : K.Integers)
      for (int64_t Each : {V - 1, V, V + 1})
        if (!Small || (Each >= 0 && Each <= 16))
          Words.push_back(itostr(Each));
    for (int I = 0; I < 8; ++I)
      Words.push_back(itostr(int64_t(Random() % 17)));
    // (x >> 8) == 77, x - 5 == 77, ...
    for (int I = 0; I < 8 && !Small && !K.Integers.empty(); ++I) {
      auto any = [&] {
        return uint64_t(K.Integers[Random() % K.Integers.size()]);
      };
      uint64_t V = any(), With = any();
      for (uint64_t Each : {V << With % 32, V * With, V + With, V - With})
        Words.push_back(itostr(int64_t(Each)));
    }
  }
  constexpr size_t Most = 48;
  std::vector<std::string> Taken;
  while (Words.size() > Most && Taken.size() < Most)
    Taken.push_back(Words[Random() % Words.size()]);
  return "among:" + join(Taken.empty() ? Words : Taken, ":");
}

std::string Maker::fill(const KernelArgument &A) {
  // Integers may index a buffer.
  bool Tame = !A.isFloat() && F.Level != 0 && F.Level != 2;
  switch (R.Kind) {
  case Contents::Zeros:
    return "zeros";
  case Contents::Iota:
    return Tame ? "zeros" : "iota";
  case Contents::Overlap:
    // The upper bytes of small integers hardly change.
    if (!Tame && !A.isFloat() && (R.Shape == Recipe::Odd || R.Part > 1))
      return "random";
    break;
  case Contents::Small:
  case Contents::Negative:
  case Contents::Solved:
    break;
  case Contents::Text:
    if (A.isFloat() || F.Level != 3)
      return likeText(A);
    break;
  case Contents::Specials:
    if (!Tame)
      return "specials";
    break;
  default:
    if (!Tame)
      return "random";
  }
  if (A.isFloat())
    return "floats:-8:8";
  return F.Level == 3                   ? "ints:0:3"
         : F.Level == 0 && A.isSigned() ? "ints:-16:16"
         : F.Level == 0                 ? "ints:0:100"
                                        : "ints:0:16";
}

json::Value Maker::buffer(size_t Index) {
  const KernelArgument &A = K.Arguments[Index];
  json::Object B{{"bytes", roundedBytes(R, F.Elements[Index] * A.Size)},
                 {"seed", int64_t(Random() >> 1)}};
  // The members of a structure are not known: ints at most, bytes else.
  KernelArgument As = A;
  if (As.Component.empty() && R.Kind == Contents::Random && F.Level != 3)
    As.Component = "uchar";
  else if (As.Component.empty())
    As.Component = A.Size % 4 ? "uchar" : "int";
  B["fill"] = fill(As);
  B["type"] = As.Component;
  if (const auto *Fill = given(Given.Fills, A.Name)) {
    B["fill"] = Fill->first;
    if (!Fill->second.empty())
      B["type"] = Fill->second;
  }
  return json::Object{{"buffer", std::move(B)}};
}

/// The first round, and those that were calmed or can't be, have the plainest
/// image.
json::Value Maker::image(const KernelArgument &A) {
  uint64_t Choice = Random() >> 8;
  bool Plain = First || F.Level || R.Kind == Contents::Wild;
  ImageSizes How = Sizes;
  // Never larger than the others: its size may bound writes to them.
  if (uint64_t Small = Random() % 4; A.Sampled && !Plain && Small > 1)
    How = Small == 2 ? ImageSizes::Half : ImageSizes::Tiny;
  json::Object I = imageSizes(A, Global, How);
  ImageFormat Format = imageFormat(A, Plain ? 0 : Choice);
  KernelArgument As = A;
  As.Component = Format.Component.str();
  std::string Fill = fill(As);
  // Small integers would all stand for almost 0.
  if (Format.Normalised && StringRef(Fill).starts_with("ints"))
    Fill = "random";
  I["channel_type"] = Format.Type;
  I["channel_order"] = "RGBA";
  I["fill"] = Fill;
  I["seed"] = int64_t(Random() >> 1);
  return json::Object{{"image", std::move(I)}, {"access", A.Access}};
}

json::Value Maker::argument(size_t Index) {
  const KernelArgument &A = K.Arguments[Index];
  if (const json::Value *V = given(Given.Values, A.Name))
    return *V;
  switch (A.What) {
  case KernelArgument::Buffer:
    return buffer(Index);
  case KernelArgument::Local: {
    if (const uint64_t *Bytes = given(Given.Bytes, A.Name))
      return json::Object{{"local", int64_t(*Bytes)}};
    uint64_t Count = count_if(K.Arguments, [](const KernelArgument &Each) {
      return Each.What == KernelArgument::Local;
    });
    uint64_t Share = LocalBytes / Count;
    return json::Object{{"local", int64_t(Share - Share % A.Size)}};
  }
  case KernelArgument::Value:
    return value(A);
  case KernelArgument::Image:
    return image(A);
  case KernelArgument::Sampler:
    return sampler(A, Seed + 5 * Index);
  case KernelArgument::Structure:
    break;
  }
  return structure(A);
}

} // namespace

/// The byte of \p Whole's buffer at which \p Part's begins. Where a loop goes
/// over as many elements as an integer says, the last of them, and what is
/// behind them, may be told wrongly.
uint64_t Inputs::partAt(const Recipe &R, const KernelArgument &Whole,
                        const KernelArgument &Part,
                        const json::Array &Args) const {
  constexpr int64_t Most = 1 << 20;
  const auto Unit = int64_t(std::lcm<uint64_t>(Part.Size, K.PartAlign));
  const int64_t Size = Whole.Size;
  std::vector<int64_t> Drawn, Written;
  auto add = [](std::vector<int64_t> &To, int64_t N) {
    if (N > 0 && N <= Most && !is_contained(To, N))
      To.push_back(N);
  };
  for (const json::Value &Each : Args)
    if (const json::Object *Scalar = Each.getAsObject()->getObject("scalar"))
      if (const json::Value *V = Scalar->get("value"))
        add(Drawn, V->getAsInteger().value_or(0));
  for (int64_t N : K.Integers)
    if (N > 1)
      add(Written, N);
  // What is far off would need a large buffer.
  std::set<int64_t> Taken{Unit};
  auto place = [&](int64_t Byte) {
    Byte = Byte > Most ? Unit : std::max(Byte - Byte % Unit, Unit);
    while (!Taken.insert(Byte).second)
      Byte += Unit;
    return Byte;
  };
  auto placesOf = [&](ArrayRef<int64_t> Counts, int64_t Before) {
    std::vector<int64_t> Out;
    for (int64_t N : Counts)
      Out.push_back(place(N * Size - Before));
    return Out;
  };
  // The text's are chosen first: a number that is drawn may be 1, or one of
  // these, and gets another place then.
  const std::vector<int64_t> WrittenLast = placesOf(Written, Part.Size),
                             WrittenEnd = placesOf(Written, 0),
                             DrawnLast = placesOf(Drawn, Part.Size),
                             DrawnEnd = placesOf(Drawn, 0);
  std::vector<int64_t> Places{Unit};
  for (const auto *Each : {&DrawnLast, &WrittenLast, &DrawnEnd, &WrittenEnd})
    append_range(Places, *Each);
  for (int64_t Elements : {2, 3})
    Places.push_back(place(Elements * Unit));
  return uint64_t(Places[(R.Part - 1) % Places.size()]);
}

TrialLaunch Inputs::make(const Recipe &R, const Fit &F, unsigned Round) const {
  TrialLaunch L{shape(R), {}};
  // Arguments that are sizes, and images, are for the whole launch.
  std::vector<uint64_t> Whole = wholeOf(L, R);
  Maker M(K, Given, R, F, Whole, Seed * 1000003 + Round, Round == 0);
  // Scalars come first, since contents are made from them.
  std::vector<json::Value> Made(K.Arguments.size(), nullptr);
  for (bool Scalars : {true, false})
    for (size_t I = 0; I < K.Arguments.size(); ++I)
      if (K.Arguments[I].isByValue() == Scalars)
        Made[I] = M.argument(I);
  for (json::Value &Each : Made)
    L.Args.push_back(std::move(Each));
  if (R.Kind != Contents::Overlap)
    return L;
  auto Pairs = overlaps();
  size_t To, Other;
  std::tie(To, Other) =
      Pairs[R.Pair == Recipe::AllPairs ? 0 : R.Pair % Pairs.size()];
  if (R.IsFirstPart)
    std::swap(To, Other);
  // The shared buffer must do for all that share it.
  auto bufferOf = [&](size_t I) -> json::Object & {
    return *L.Args[I].getAsObject()->getObject("buffer");
  };
  auto bytesTo = [&](size_t I, uint64_t At) {
    return roundedBytes(R, At + uint64_t(*bufferOf(I).getInteger("bytes")));
  };
  int64_t Bytes = bytesTo(To, 0);
  auto share = [&](size_t I, uint64_t At) {
    Bytes = std::max(Bytes, bytesTo(I, At));
    json::Object Shared{{"alias", int64_t(To)}};
    if (At)
      Shared["offset"] = int64_t(At);
    L.Args[I] = std::move(Shared);
  };
  if (R.Part)
    share(Other, partAt(R, K.Arguments[To], K.Arguments[Other], L.Args));
  else
    for (auto [First, From] : Pairs)
      if (First == To && (From == Other || R.Pair == Recipe::AllPairs))
        share(From, 0);
  bufferOf(To)["bytes"] = Bytes;
  return L;
}

} // namespace clrewrite::verify
