// The normal forms of terms, and how equal ones are found again.
#include "prove/Terms.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>
#include <set>

using namespace llvm;

namespace clrewrite::prove {
namespace {

bool before(T A, T B) { return A->Id < B->Id; }

size_t hashOf(const Term &N) {
  return hash_combine(unsigned(N.What), N.Width, N.Value, N.Name,
                      hash_combine_range(N.Kids.begin(), N.Kids.end()),
                      hash_combine_range(N.Coefs.begin(), N.Coefs.end()));
}

bool same(const Term &A, const Term &B) {
  return A.What == B.What && A.Width == B.Width && A.Value == B.Value &&
         A.Unset == B.Unset && A.Name == B.Name && A.Kids == B.Kids &&
         A.Coefs == B.Coefs;
}

/// The conditions that must all hold for \p A to hold.
ArrayRef<T> conditionsOf(const T &A) {
  return A->is(Op::And) ? ArrayRef<T>(A->Kids) : ArrayRef<T>(A);
}

} // namespace

bool hasPart(ArrayRef<T> Roots, function_ref<bool(T)> Fits) {
  DenseSet<T> Seen;
  SmallVector<T, 32> Work(Roots.begin(), Roots.end());
  while (!Work.empty()) {
    T A = Work.pop_back_val();
    if (!A || !Seen.insert(A).second)
      continue;
    if (Fits(A))
      return true;
    append_range(Work, A->Kids);
  }
  return false;
}

T Graph::make(Term New) {
  for (T K : New.Kids) {
    New.Unset |= K->Unset;
    New.Depths |= K->Depths;
  }
  if (New.is(Op::Bound))
    New.Depths = 1u << New.Value;
  else if (New.is(Op::Loop))
    New.Depths &= ~(1u << New.Value);
  else if (New.is(Op::Last))
    New.Depths = New.Kids[1]->Depths;
  size_t Hash = hashOf(New);
  for (auto [It, End] = ByHash.equal_range(Hash); It != End; ++It)
    if (same(*It->second, New)) {
      T Value = Known.lookup(It->second);
      return Value ? Value : It->second;
    }
  New.Id = unsigned(All.size());
  All.push_back(std::move(New));
  ByHash.emplace(Hash, &All.back());
  return &All.back();
}

T Graph::constant(unsigned Width, uint64_t Value) {
  return make({Op::Constant, Width, masked(Value, Width)});
}

T Graph::variable(unsigned Width, StringRef Name, bool Unset) {
  Term New{Op::Variable, Width, 0, Name.str()};
  New.Unset = Unset;
  return make(std::move(New));
}

T Graph::bound(unsigned AtDepth, T First, unsigned Number) {
  Term New{Op::Bound, First->Width, AtDepth,
           utostr(First->Id) + "." + utostr(Number)};
  New.Unset = First->Unset;
  return make(std::move(New));
}

T Graph::count(unsigned AtDepth) {
  return make({Op::Bound, 64, AtDepth, "count"});
}

/// Floating-point operations whose operands may change places.
static bool commutes(StringRef Name) {
  return Name.starts_with("fadd.") || Name.starts_with("fmul.") ||
         Name.starts_with("foeq.") || Name.starts_with("fone.") ||
         Name.starts_with("ford.");
}

T Graph::apply(unsigned Width, StringRef Name, ArrayRef<T> Kids) {
  Term New{Op::Apply, Width, 0, Name.str(), Kids.vec()};
  if (commutes(Name))
    llvm::sort(New.Kids, before);
  return make(std::move(New));
}

// --- Integers ---------------------------------------------------------------

T Graph::sum(ArrayRef<std::pair<T, uint64_t>> Of, uint64_t Constant,
             unsigned Width) {
  std::map<unsigned, std::pair<T, uint64_t>> Atoms;
  auto Add = [&](T A, uint64_t Coef) {
    if (A->isConstant())
      Constant += A->Value * Coef;
    else
      Atoms.try_emplace(A->Id, A, 0).first->second.second += Coef;
  };
  for (auto [A, Coef] : Of) {
    if (!A->is(Op::Sum)) {
      Add(A, Coef);
      continue;
    }
    Constant += A->Value * Coef;
    for (auto [Kid, Own] : zip(A->Kids, A->Coefs))
      Add(Kid, Own * Coef);
  }
  Term New{Op::Sum, Width, masked(Constant, Width)};
  for (const auto &[Id, Part] : Atoms)
    if (uint64_t Coef = masked(Part.second, Width)) {
      New.Kids.push_back(Part.first);
      New.Coefs.push_back(Coef);
    }
  if (New.Kids.empty())
    return constant(Width, New.Value);
  if (New.Kids.size() == 1 && New.Coefs[0] == 1 && New.Value == 0)
    return New.Kids[0];
  return make(std::move(New));
}

T Graph::mul(T A, T B) {
  if (A->isConstant())
    std::swap(A, B);
  if (B->isConstant())
    return times(A, B->Value);
  // Products of sums are sums of products, while there are few.
  auto Terms = [](T S) { return S->is(Op::Sum) ? S->Kids.size() + 1 : 1; };
  if (Terms(A) * Terms(B) > 1 && Terms(A) * Terms(B) <= 24) {
    if (!A->is(Op::Sum))
      std::swap(A, B);
    T Out = times(B, A->Value);
    for (auto [Kid, Coef] : zip(A->Kids, A->Coefs))
      Out = add(Out, times(mul(Kid, B), Coef));
    return Out;
  }
  Term New{Op::Product, A->Width};
  for (T Each : {A, B})
    if (Each->is(Op::Product))
      append_range(New.Kids, Each->Kids);
    else
      New.Kids.push_back(Each);
  llvm::sort(New.Kids, before);
  return make(std::move(New));
}

/// The result where both operands are constants; nullopt for what is undefined.
static std::optional<uint64_t> folded(Op O, uint64_t A, uint64_t B,
                                      unsigned Width) {
  int64_t SA = asSigned(A, Width), SB = asSigned(B, Width);
  bool Overflows =
      SB == -1 && SA == asSigned(uint64_t(1) << (Width - 1), Width);
  switch (O) {
  case Op::UDiv:
    return B ? std::optional(A / B) : std::nullopt;
  case Op::URem:
    return B ? std::optional(A % B) : std::nullopt;
  case Op::SDiv:
    return B && !Overflows ? std::optional(uint64_t(SA / SB)) : std::nullopt;
  case Op::SRem:
    return B && !Overflows ? std::optional(uint64_t(SA % SB)) : std::nullopt;
  case Op::Shl:
    return B < Width ? std::optional(A << B) : std::nullopt;
  case Op::LShr:
    return B < Width ? std::optional(A >> B) : std::nullopt;
  case Op::AShr:
    return B < Width ? std::optional(uint64_t(SA >> B)) : std::nullopt;
  case Op::BitAnd:
    return A & B;
  case Op::BitOr:
    return A | B;
  case Op::BitXor:
    return A ^ B;
  default:
    return std::nullopt;
  }
}

T Graph::binary(Op O, T A, T B) {
  unsigned Width = A->Width;
  bool Bits = O == Op::BitAnd || O == Op::BitOr || O == Op::BitXor;
  if (Bits && Width == 1)
    return O == Op::BitAnd  ? both(A, B)
           : O == Op::BitOr ? either(A, B)
                            : negation(equal(A, B));
  if (A->isConstant() && B->isConstant())
    if (auto Value = folded(O, A->Value, B->Value, Width))
      return constant(Width, *Value);
  if (Bits && (A->isConstant() || (!B->isConstant() && before(B, A))))
    std::swap(A, B);
  if (Bits && A == B)
    return O == Op::BitXor ? constant(Width, 0) : A;
  if (B->isConstant()) {
    uint64_t C = B->Value, Ones = masked(~uint64_t(0), Width);
    switch (O) {
    case Op::Shl:
      if (C < Width)
        return times(A, uint64_t(1) << C);
      break;
    case Op::LShr:
    case Op::AShr:
      if (C == 0)
        return A;
      if (Interval I = interval(A);
          C < Width && I.Low >= 0 && I.High < __int128(1) << C)
        return constant(Width, 0);
      break;
    case Op::UDiv:
      if (isPowerOf2_64(C))
        return binary(Op::LShr, A, constant(Width, Log2_64(C)));
      break;
    case Op::URem:
      if (isPowerOf2_64(C))
        return binary(Op::BitAnd, A, constant(Width, C - 1));
      break;
    case Op::SDiv:
      if (C == 1)
        return A;
      break;
    case Op::BitAnd:
      if (C == 0 || C == Ones)
        return C ? A : B;
      if (A->is(Op::BitAnd) && A->Kids[1]->isConstant())
        return binary(O, A->Kids[0], constant(Width, A->Kids[1]->Value & C));
      // The low bits of a sum are those of its terms' low bits.
      if (A->is(Op::Sum) && isPowerOf2_64(C + 1)) {
        Parts Low;
        for (auto [Kid, Coef] : zip(A->Kids, A->Coefs))
          Low.push_back({Kid, Coef & C});
        if (T Reduced = sum(Low, A->Value & C, Width); Reduced != A)
          return binary(O, Reduced, B);
      }
      break;
    case Op::BitOr:
      if (C == 0 || C == Ones)
        return C ? B : A;
      break;
    case Op::BitXor:
      if (C == 0)
        return A;
      if (C == Ones)
        return sum({{A, Ones}}, Ones, Width);
      break;
    default:
      break;
    }
  }
  return make({O, Width, 0, "", {A, B}});
}

T Graph::zext(T A, unsigned Width) {
  if (A->Width == Width)
    return A;
  if (A->isConstant())
    return constant(Width, A->Value);
  if (A->Width == 1)
    return select(A, constant(Width, 1), constant(Width, 0));
  if (A->is(Op::ZExt))
    return zext(A->Kids[0], Width);
  if (A->is(Op::Select))
    return select(A->Kids[0], zext(A->Kids[1], Width), zext(A->Kids[2], Width));
  return make({Op::ZExt, Width, 0, "", {A}});
}

T Graph::sext(T A, unsigned Width) {
  if (A->Width == Width)
    return A;
  if (A->isConstant())
    return constant(Width, uint64_t(asSigned(A->Value, A->Width)));
  if (A->Width == 1)
    return select(A, constant(Width, ~uint64_t(0)), constant(Width, 0));
  if (A->is(Op::ZExt))
    return zext(A->Kids[0], Width);
  if (A->is(Op::SExt))
    return sext(A->Kids[0], Width);
  if (A->is(Op::Select))
    return select(A->Kids[0], sext(A->Kids[1], Width), sext(A->Kids[2], Width));
  return make({Op::SExt, Width, 0, "", {A}});
}

T Graph::extract(T A, unsigned From, unsigned Width) {
  if (From == 0 && Width == A->Width)
    return A;
  if (A->isConstant())
    return constant(Width, A->Value >> From);
  unsigned To = From + Width;
  switch (A->What) {
  case Op::Extract:
    return extract(A->Kids[0], From + unsigned(A->Value), Width);
  case Op::Concat: {
    unsigned Low = A->Kids[0]->Width;
    if (To <= Low)
      return extract(A->Kids[0], From, Width);
    if (From >= Low)
      return extract(A->Kids[1], From - Low, Width);
    return concat(extract(A->Kids[0], From, Low - From),
                  extract(A->Kids[1], 0, To - Low));
  }
  case Op::ZExt:
  case Op::SExt: {
    T Kid = A->Kids[0];
    if (To <= Kid->Width)
      return extract(Kid, From, Width);
    if (A->is(Op::ZExt) && From >= Kid->Width)
      return constant(Width, 0);
    if (From == 0)
      return A->is(Op::ZExt) ? zext(Kid, Width) : sext(Kid, Width);
    break;
  }
  case Op::Sum:
    if (From == 0) {
      Parts Out;
      for (auto [Kid, Coef] : zip(A->Kids, A->Coefs))
        Out.push_back({extract(Kid, 0, Width), Coef});
      return sum(Out, A->Value, Width);
    }
    break;
  case Op::Product:
    if (From == 0) {
      T Out = extract(A->Kids[0], 0, Width);
      for (T Kid : drop_begin(A->Kids))
        Out = mul(Out, extract(Kid, 0, Width));
      return Out;
    }
    break;
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor:
    return binary(A->What, extract(A->Kids[0], From, Width),
                  extract(A->Kids[1], From, Width));
  case Op::Select:
    return select(A->Kids[0], extract(A->Kids[1], From, Width),
                  extract(A->Kids[2], From, Width));
  default:
    break;
  }
  return make({Op::Extract, Width, From, "", {A}});
}

T Graph::concat(T Low, T High) {
  unsigned Width = Low->Width + High->Width;
  if (Low->isConstant() && High->isConstant())
    return constant(Width, Low->Value | High->Value << Low->Width);
  if (High->isConstant() && High->Value == 0)
    return zext(Low, Width);
  auto From = [](T A) { return A->is(Op::Extract) ? A->Value : 0; };
  auto Whole = [](T A) { return A->is(Op::Extract) ? A->Kids[0] : A; };
  if (High->is(Op::Extract) && Whole(Low) == High->Kids[0] &&
      From(Low) + Low->Width == High->Value)
    return extract(Whole(Low), unsigned(From(Low)), Width);
  return make({Op::Concat, Width, 0, "", {Low, High}});
}

// --- Conditions -------------------------------------------------------------

T Graph::equal(T A, T B) {
  if (A == B)
    return truth(true);
  if (A->Width == 0)
    return make({Op::Equal,
                 1,
                 0,
                 "",
                 {std::min(A, B, before), std::max(A, B, before)}});
  if (A->Width == 1) {
    if (A->isConstant())
      std::swap(A, B);
    if (B->isConstant())
      return B->Value ? A : negation(A);
    return either(both(A, B), both(negation(A), negation(B)));
  }
  if (A->isConstant())
    std::swap(A, B);
  if (B->isConstant() && A->is(Op::Select) &&
      (A->Kids[1]->isConstant() || A->Kids[2]->isConstant()))
    return select(A->Kids[0], equal(A->Kids[1], B), equal(A->Kids[2], B));
  if (B->isConstant() && A->is(Op::ZExt)) {
    T Kid = A->Kids[0];
    return B->Value == masked(B->Value, Kid->Width)
               ? equal(Kid, constant(Kid->Width, B->Value))
               : truth(false);
  }
  T D = sub(A, B);
  if (D->isConstant())
    return truth(D->Value == 0);
  // c * x + d == 0 says what x is, where that does not wrap.
  if (D->is(Op::Sum) && D->Kids.size() == 1) {
    T Kid = D->Kids[0];
    int64_t Factor = asSigned(D->Coefs[0], D->Width),
            Rest = asSigned(D->Value, D->Width);
    Interval I = sumOf(D, [&](T K) { return interval(K); });
    __int128 Limit = __int128(1) << (D->Width - 1);
    bool Extended = Kid->is(Op::SExt) || Kid->is(Op::ZExt);
    if (I.Low >= -Limit && I.High < Limit && Rest != INT64_MIN &&
        (Extended || (Factor != 1 && Factor != -1))) {
      if (Rest % Factor)
        return truth(false);
      int64_t Value = -(Rest / Factor);
      if (!Extended)
        return equal(Kid, constant(Kid->Width, uint64_t(Value)));
      T Inner = Kid->Kids[0];
      T Same = constant(Inner->Width, uint64_t(Value));
      T Back =
          Kid->is(Op::SExt) ? sext(Same, Kid->Width) : zext(Same, Kid->Width);
      return Back == constant(Kid->Width, uint64_t(Value)) ? equal(Inner, Same)
                                                           : truth(false);
    }
  }
  T Other = times(D, ~uint64_t(0));
  auto Lead = [](T S) { return S->is(Op::Sum) ? S->Coefs[0] : 1; };
  if (Lead(Other) < Lead(D))
    D = Other;
  if (Interval I = interval(D); I.Low > 0 || I.High < 0)
    return truth(false);
  return make({Op::Equal, 1, 0, "", {D, constant(D->Width, 0)}});
}

T Graph::less(bool Signed, T A, T B) {
  if (A == B)
    return truth(false);
  unsigned Width = A->Width;
  if (A->isConstant() && B->isConstant())
    return truth(Signed ? asSigned(A->Value, Width) < asSigned(B->Value, Width)
                        : A->Value < B->Value);
  if (!Signed && B->isConstant() && B->Value == 0)
    return truth(false);
  for (bool Left : {true, false}) {
    T S = Left ? A : B, C = Left ? B : A;
    if (C->isConstant() && S->is(Op::Select) &&
        (S->Kids[1]->isConstant() || S->Kids[2]->isConstant())) {
      auto Part = [&](T Kid) {
        return Left ? less(Signed, Kid, C) : less(Signed, C, Kid);
      };
      return select(S->Kids[0], Part(S->Kids[1]), Part(S->Kids[2]));
    }
  }
  Interval IA = interval(A), IB = interval(B);
  if (Signed || (IA.Low >= 0 && IB.Low >= 0)) {
    if (IA.High < IB.Low)
      return truth(true);
    if (IA.Low >= IB.High)
      return truth(false);
  }
  return make({Signed ? Op::SLess : Op::ULess, 1, 0, "", {A, B}});
}

T Graph::negation(T A) {
  if (A->isConstant())
    return truth(!A->Value);
  if (A->is(Op::Not))
    return A->Kids[0];
  return make({Op::Not, 1, 0, "", {A}});
}

/// The conditions of which one at least does not hold where \p A holds; none
/// where \p A says another thing.
static ArrayRef<T> notAllOf(T A) {
  if (A->is(Op::Not) && A->Kids[0]->is(Op::And))
    return A->Kids[0]->Kids;
  return {};
}

T Graph::conjunction(ArrayRef<T> Of) {
  auto ById = [](T A, T B) { return A->Id < B->Id; };
  std::set<T, decltype(ById)> Set(ById);
  SmallVector<T, 8> Work(Of.begin(), Of.end());
  auto contradicts = [&](T A) { return Set.count(negation(A)) != 0; };
  unsigned Steps = 0;
  while (true) {
    while (!Work.empty()) {
      T A = Work.pop_back_val();
      if (A->isFalse())
        return A;
      if (A->isTrue() || Set.count(A))
        continue;
      if (A->is(Op::And)) {
        append_range(Work, A->Kids);
        continue;
      }
      if (contradicts(A))
        return truth(false);
      Set.insert(A);
    }
    // Not all of a, b, c holds: where a does, not all of b, c.
    for (T A : SmallVector<T, 8>(Set.begin(), Set.end())) {
      ArrayRef<T> Not = notAllOf(A);
      if (Not.empty())
        continue;
      SmallVector<T, 8> Left;
      bool Holds = false;
      for (T Each : Not) {
        Holds |= contradicts(Each);
        if (!Set.count(Each))
          Left.push_back(Each);
      }
      if (Left.size() == Not.size() && !Holds)
        continue;
      Set.erase(A);
      if (!Holds)
        Work.push_back(negation(conjunction(Left)));
      break;
    }
    // Not all of a, b, and not all of a, not b: not a.
    if (Work.empty() && Set.size() <= 24) {
      SmallVector<T, 8> Nots;
      for (T A : Set)
        if (!notAllOf(A).empty())
          Nots.push_back(A);
      for (size_t I = 0; I < Nots.size() && Work.empty(); ++I)
        for (size_t J = I + 1; J < Nots.size() && Work.empty(); ++J) {
          ArrayRef<T> A = notAllOf(Nots[I]), B = notAllOf(Nots[J]);
          if (A.size() != B.size())
            continue;
          SmallVector<T, 8> Common;
          T OnlyA = nullptr, OnlyB = nullptr;
          bool Fits = true;
          for (T Each : A)
            if (is_contained(B, Each))
              Common.push_back(Each);
            else if (OnlyA)
              Fits = false;
            else
              OnlyA = Each;
          for (T Each : B)
            if (!is_contained(A, Each))
              OnlyB = Each;
          if (!Fits || !OnlyA || OnlyB != negation(OnlyA))
            continue;
          T First = Nots[I], Second = Nots[J];
          Set.erase(First);
          Set.erase(Second);
          Work.push_back(negation(conjunction(Common)));
        }
    }
    if (Work.empty() || ++Steps > 1000)
      break;
  }
  append_range(Work, Set);
  llvm::sort(Work, before);
  if (Work.empty())
    return truth(true);
  if (Work.size() == 1)
    return Work[0];
  return make({Op::And, 1, 0, "", {Work.begin(), Work.end()}});
}

T Graph::given(T A, T Fact) {
  if (Fact->isTrue())
    return A;
  ArrayRef<T> Facts = conditionsOf(Fact);
  auto holds = [&](T Each) { return is_contained(Facts, Each); };
  SmallVector<T, 8> Out;
  for (T Each : conditionsOf(A)) {
    if (holds(Each))
      continue;
    if (holds(negation(Each)))
      return truth(false);
    ArrayRef<T> Not = notAllOf(Each);
    if (any_of(Not, [&](T N) { return holds(negation(N)); }))
      continue;
    SmallVector<T, 8> Left;
    for (T N : Not)
      if (!holds(N))
        Left.push_back(N);
    Out.push_back(Not.empty() ? Each : negation(conjunction(Left)));
  }
  return conjunction(Out);
}

unsigned Graph::stores(T Memory) {
  if (!Memory->is(Op::Store))
    return 0;
  unsigned Count = 0;
  for (T M = Memory; M->is(Op::Store); M = M->Kids[0]) {
    if (auto It = Depth.find(M); It != Depth.end()) {
      Count += It->second;
      break;
    }
    ++Count;
  }
  return Depth[Memory] = Count;
}

/// A choice of two memories is one memory with stores of chosen values.
T Graph::peeled(T If, T Then, T Else) {
  unsigned A = stores(Then), B = stores(Else);
  if (!A && !B)
    return make({Op::Select, 0, 0, "", {If, Then, Else}});
  if (A < B)
    return peeled(negation(If), Else, Then);
  T Address = Then->Kids[1], Value = Then->Kids[2];
  if (A == B && Else->Kids[1] == Address &&
      Else->Kids[2]->Width == Value->Width)
    return store(select(If, Then->Kids[0], Else->Kids[0]), Address,
                 select(If, Value, Else->Kids[2]));
  T Below = select(If, Then->Kids[0], Else);
  return store(Below, Address,
               select(If, Value, load(Below, Address, Value->Width)));
}

/// \p A where \p Fact holds: choices within it that this decides are made.
T Graph::within(T A, T Fact, unsigned Levels, unsigned &Budget) {
  if (A->Kids.empty() || !Levels || !Budget || A->is(Op::Loop) ||
      A->is(Op::Last) || A->Width == 0)
    return A;
  --Budget;
  if (A->is(Op::Select)) {
    T If = given(A->Kids[0], Fact);
    if (If->isConstant())
      return within(A->Kids[If->Value ? 1 : 2], Fact, Levels, Budget);
  }
  SmallVector<T, 4> Kids;
  for (T K : A->Kids)
    Kids.push_back(within(K, Fact, Levels - 1, Budget));
  return ArrayRef<T>(Kids) == ArrayRef<T>(A->Kids) ? A : rebuilt(A, Kids);
}

T Graph::select(T If, T Then, T Else) {
  if (If->isConstant())
    return If->Value ? Then : Else;
  if (Then == Else)
    return Then;
  if (If->is(Op::Not)) {
    If = If->Kids[0];
    std::swap(Then, Else);
  }
  if (Then->Width == 1) {
    if (Then->isConstant())
      return Then->Value ? either(If, Else) : both(negation(If), Else);
    if (Else->isConstant())
      return Else->Value ? either(negation(If), Then) : both(If, Then);
    return either(both(If, Then), both(negation(If), Else));
  }
  // What If says of a choice within.
  if (Then->Width) {
    unsigned Budget = 60;
    Then = within(Then, If, 6, Budget);
    Budget = 60;
    Else = within(Else, negation(If), 6, Budget);
    if (Then == Else)
      return Then;
  }
  if (Then->is(Op::Select)) {
    if (Then->Kids[2] == Else)
      return select(both(If, Then->Kids[0]), Then->Kids[1], Else);
    if (Then->Kids[1] == Else)
      return select(both(If, negation(Then->Kids[0])), Then->Kids[2], Else);
  }
  if (Else->is(Op::Select)) {
    if (Else->Kids[1] == Then)
      return select(either(If, Else->Kids[0]), Then, Else->Kids[2]);
    if (Else->Kids[2] == Then)
      return select(either(If, negation(Else->Kids[0])), Then, Else->Kids[1]);
  }
  if (Then->Width == 0)
    return peeled(If, Then, Else);
  return make({Op::Select, Then->Width, 0, "", {If, Then, Else}});
}

// --- Memory -----------------------------------------------------------------

/// True where \p Size bytes at a distance of \p Apart from \p Stored ones are
/// others, whatever the variable terms are: their multiples leave a gap.
static bool areApart(T Apart, int64_t Size, int64_t Stored) {
  if (!Apart->is(Op::Sum))
    return false;
  uint64_t Step = 0; // the largest power of two that divides all of them
  for (uint64_t Coef : Apart->Coefs)
    Step |= Coef;
  Step &= 0 - Step;
  uint64_t Rest = Apart->Value & (Step - 1);
  return Rest >= uint64_t(Stored) && Rest + uint64_t(Size) <= Step;
}

/// True for a memory that one work-item alone has.
static bool isPrivate(T Memory) {
  while (Memory->is(Op::Store))
    Memory = Memory->Kids[0];
  return Memory->is(Op::Variable) &&
         StringRef(Memory->Name).starts_with("memory of private ");
}

T Graph::load(T Memory, T Address, unsigned Width) {
  if (!Memory->is(Op::Store) && !Memory->is(Op::Select))
    return make({Op::Load, Width, 0, "", {Memory, Address}});
  std::tuple Key{Memory, Address, Width};
  if (T Before = Loads.lookup(Key))
    return Before;
  T Out = loadThrough(Memory, Address, Width); // which adds to Loads, too
  return Loads[Key] = Out;
}

/// load() through the stores and choices that \p Memory is made of.
T Graph::loadThrough(T Memory, T Address, unsigned Width) {
  int64_t Size = Width / 8;
  while (Memory->is(Op::Store)) {
    T Value = Memory->Kids[2];
    std::optional<int64_t> D = difference(Address, Memory->Kids[1]);
    int64_t Stored = Value->Width / 8;
    if (!D) {
      T Apart = sub(Address, Memory->Kids[1]), Place = Memory->Kids[1];
      if (areApart(Apart, Size, Stored) ||
          isOutside(Place, uint64_t(Stored), Address, Address,
                    uint64_t(Size)) ||
          isOutside(Address, uint64_t(Size), Place, Place, uint64_t(Stored))) {
        Memory = Memory->Kids[0];
        continue;
      }
      // Multiples of the size apart, it is the same place or another one.
      auto IsMultiple = [&](uint64_t N) { return N % uint64_t(Size) == 0; };
      if (Stored != Size || !isPrivate(Memory) || !Apart->is(Op::Sum) ||
          !isPowerOf2_64(uint64_t(Size)) || !IsMultiple(Apart->Value) ||
          !all_of(Apart->Coefs, IsMultiple) || stores(Memory) > 16)
        break;
      T Same = equal(Apart, constant(64, 0));
      return select(Same, Value, load(Memory->Kids[0], Address, Width));
    }
    if (*D >= Stored || *D <= -Size) {
      Memory = Memory->Kids[0];
      continue;
    }
    if (*D >= 0 && *D + Size <= Stored)
      return extract(Value, unsigned(8 * *D), Width);
    if (Width % 16)
      break;
    return concat(load(Memory, Address, Width / 2),
                  load(Memory, plus(Address, uint64_t(Size / 2)), Width / 2));
  }
  if (Memory->is(Op::Select))
    return select(Memory->Kids[0], load(Memory->Kids[1], Address, Width),
                  load(Memory->Kids[2], Address, Width));
  return make({Op::Load, Width, 0, "", {Memory, Address}});
}

T Graph::store(T Memory, T Address, T Value) {
  if (load(Memory, Address, Value->Width) == Value)
    return Memory;
  return placed(Memory, Address, Value);
}

/// store() of a value that does not stand there already.
T Graph::placed(T Memory, T Address, T Value) {
  int64_t Size = Value->Width / 8;
  if (Memory->is(Op::Store)) {
    int64_t Top = Memory->Kids[2]->Width / 8;
    bool IsBelow = false;
    if (std::optional<int64_t> D = difference(Address, Memory->Kids[1])) {
      if (*D <= 0 && *D + Size >= Top) // it is overwritten
        return store(Memory->Kids[0], Address, Value);
      IsBelow = *D <= -Size;
    } else {
      auto Offset = [](T A) { return A->is(Op::Sum) ? int64_t(A->Value) : 0; };
      IsBelow = Offset(Address) < Offset(Memory->Kids[1]) &&
                areApart(sub(Address, Memory->Kids[1]), Size, Top);
    }
    // Stores apart stand in the order of their addresses.
    if (IsBelow)
      return make({Op::Store,
                   0,
                   0,
                   "",
                   {placed(Memory->Kids[0], Address, Value), Memory->Kids[1],
                    Memory->Kids[2]}});
  }
  return make({Op::Store, 0, 0, "", {Memory, Address, Value}});
}

// --- Loops ------------------------------------------------------------------

T Graph::loop(unsigned AtDepth, T GoesOn, ArrayRef<T> States) {
  Term New{Op::Loop, 0, AtDepth, "", {GoesOn}};
  append_range(New.Kids, States);
  return make(std::move(New));
}

T Graph::last(T Bound, T Loop) {
  return make({Op::Last, Bound->Width, 0, "", {Bound, Loop}});
}

T Graph::rebuilt(T A, ArrayRef<T> K) {
  switch (A->What) {
  case Op::Sum: {
    Parts Out;
    for (auto [Kid, Coef] : zip(K, A->Coefs))
      Out.push_back({Kid, Coef});
    return sum(Out, A->Value, A->Width);
  }
  case Op::Product: {
    T Out = K[0];
    for (T Kid : drop_begin(K))
      Out = mul(Out, Kid);
    return Out;
  }
  case Op::UDiv:
  case Op::SDiv:
  case Op::URem:
  case Op::SRem:
  case Op::Shl:
  case Op::LShr:
  case Op::AShr:
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor:
    return binary(A->What, K[0], K[1]);
  case Op::ZExt:
    return zext(K[0], A->Width);
  case Op::SExt:
    return sext(K[0], A->Width);
  case Op::Extract:
    return extract(K[0], unsigned(A->Value), A->Width);
  case Op::Concat:
    return concat(K[0], K[1]);
  case Op::Equal:
    return equal(K[0], K[1]);
  case Op::ULess:
  case Op::SLess:
    return less(A->is(Op::SLess), K[0], K[1]);
  case Op::Not:
    return negation(K[0]);
  case Op::And:
    return conjunction(K);
  case Op::Select:
    return select(K[0], K[1], K[2]);
  case Op::Load:
    return load(K[0], K[1], A->Width);
  case Op::Store:
    return store(K[0], K[1], K[2]);
  case Op::Apply:
    return apply(A->Width, A->Name, K);
  default: {
    Term New = *A;
    New.Kids = K.vec();
    New.Unset = false;
    New.Depths = 0;
    return make(std::move(New));
  }
  }
}

T Graph::substitute(T A, unsigned AtDepth, const std::map<T, T> &By,
                    std::map<T, T> &Done) {
  std::function<T(T)> walk = [&](T B) -> T {
    if (!B->isBoundIn(AtDepth) || isFull())
      return B;
    if (auto It = By.find(B); It != By.end())
      return It->second;
    if (auto It = Done.find(B); It != Done.end())
      return It->second;
    SmallVector<T, 4> Kids;
    for (T K : B->Kids)
      Kids.push_back(walk(K));
    return Done[B] = B->Kids.empty() ? B : rebuilt(B, Kids);
  };
  return walk(A);
}

// --- Assumptions ------------------------------------------------------------

/// \p Overlaps does not hold. It may be that one of two ranges of addresses
/// begins before the other ends, and the other way round. The lower of two
/// addresses is a choice by a comparison, and so is the higher one.
void Graph::separate(T Overlaps) {
  if (!Overlaps->is(Op::And) || Overlaps->Kids.size() != 2 ||
      !Overlaps->Kids[0]->is(Op::ULess) || !Overlaps->Kids[1]->is(Op::ULess))
    return;
  // None of them goes around the ends of memory, where buffers are:
  // addGlobal().
  auto fits = [](std::optional<int64_t> Bytes) {
    return Bytes && *Bytes > 0 && *Bytes <= 128;
  };
  for (int I : {0, 1}) {
    // Low < A + Size, and A < High + Width.
    T Low = Overlaps->Kids[I]->Kids[0], End = Overlaps->Kids[I]->Kids[1],
      A = Overlaps->Kids[1 - I]->Kids[0], Top = Overlaps->Kids[1 - I]->Kids[1];
    std::optional<int64_t> Size = difference(End, A);
    if (!fits(Size))
      continue;
    if (auto Width = difference(Top, Low); fits(Width))
      Separations.push_back({A, *Size, Low, Low, *Width});
    if (!Low->is(Op::Select) || !Low->Kids[0]->is(Op::ULess) ||
        Low->Kids[0]->Kids[0] != Low->Kids[1] ||
        Low->Kids[0]->Kids[1] != Low->Kids[2])
      continue;
    T High = select(Low->Kids[0], Low->Kids[2], Low->Kids[1]);
    if (auto Width = difference(Top, High); fits(Width))
      Separations.push_back({A, *Size, Low->Kids[1], Low->Kids[2], *Width});
  }
}

bool Graph::isGlobal(T Address) {
  return Globals.count(Address) ||
         (Address->is(Op::Sum) &&
          any_of(Address->Kids, [&](T Kid) { return Globals.count(Kid); }));
}

bool Graph::isOutside(T A, uint64_t Size, T First, T Last, uint64_t Width) {
  if (!all_of(ArrayRef<T>{A, First, Last},
              [&](T Each) { return isGlobal(Each); }))
    return false;
  return any_of(Separations, [&](const Separation &S) {
    auto isWithin = [](std::optional<int64_t> At, uint64_t Bytes, int64_t Of) {
      return At && *At >= 0 && Bytes <= uint64_t(Of) &&
             *At <= Of - int64_t(Bytes);
    };
    std::optional<int64_t> From = difference(First, S.First),
                           To = difference(Last, S.Last);
    if (!From || From != To) {
      From = difference(First, S.Last);
      To = difference(Last, S.First);
    }
    return isWithin(difference(A, S.A), Size, S.Size) && From == To &&
           isWithin(From, Width, S.Width);
  });
}

void Graph::assume(T Condition) {
  Loads.clear();
  for (T Each : SmallVector<T, 4>(conditionsOf(Condition))) {
    bool Holds = !Each->is(Op::Not);
    T Atom = Holds ? Each : Each->Kids[0];
    if (Atom->isConstant())
      continue;
    if (!Holds)
      separate(Atom);
    Assumed.push_back(Each);
    Known[Atom] = truth(Holds);
    if (!Holds || !Atom->is(Op::Equal) || Atom->Kids[0]->Width == 0)
      continue;
    // c * x + d == 0 says what x is, where c is 1 or -1.
    T D = Atom->Kids[0];
    if (!D->is(Op::Sum))
      Known[D] = constant(D->Width, 0);
    else if (D->Kids.size() == 1 && D->Coefs[0] == 1)
      Known[D->Kids[0]] = constant(D->Width, 0 - D->Value);
    else if (D->Kids.size() == 1 &&
             D->Coefs[0] == masked(~uint64_t(0), D->Width))
      Known[D->Kids[0]] = constant(D->Width, D->Value);
  }
}

T Graph::imported(T Other) {
  std::map<T, T> Done;
  std::function<T(T)> walk = [&](T B) -> T {
    if (auto It = Done.find(B); It != Done.end())
      return It->second;
    SmallVector<T, 4> Kids;
    for (T K : B->Kids)
      Kids.push_back(walk(K));
    return Done[B] = B->is(Op::Variable) ? variable(B->Width, B->Name, B->Unset)
                                         : rebuilt(B, Kids);
  };
  return walk(Other);
}

// --- Ranges -----------------------------------------------------------------

std::optional<int64_t> Graph::difference(T A, T B) {
  // Normal forms are a constant apart where their variable parts are the same.
  auto Variable = [](const T &S) -> ArrayRef<T> {
    return S->isConstant()  ? ArrayRef<T>()
           : S->is(Op::Sum) ? ArrayRef<T>(S->Kids)
                            : ArrayRef<T>(S);
  };
  auto Coef = [](T S, size_t I) {
    return S->is(Op::Sum) ? S->Coefs[I] : uint64_t(1);
  };
  auto Constant = [](T S) {
    return S->isConstant() || S->is(Op::Sum) ? S->Value : 0;
  };
  ArrayRef<T> Own = Variable(A);
  if (Own != Variable(B))
    return std::nullopt;
  for (size_t I = 0; I < Own.size(); ++I)
    if (Coef(A, I) != Coef(B, I))
      return std::nullopt;
  return asSigned(masked(Constant(A) - Constant(B), A->Width), A->Width);
}

/// The sum as an integer without limits; far beyond them where that is unknown.
Interval Graph::sumOf(T A, function_ref<Interval(T)> Of) {
  const __int128 One = 1;
  __int128 C = asSigned(A->Value, A->Width);
  Interval Out{C, C};
  for (auto [K, Coef] : zip(A->Kids, A->Coefs)) {
    Interval I = Of(K);
    __int128 F = asSigned(Coef, A->Width);
    if (F < -(One << 40) || F > One << 40)
      return {-(One << 126), One << 126};
    Out.Low += std::min(F * I.Low, F * I.High);
    Out.High += std::max(F * I.Low, F * I.High);
  }
  return Out;
}

Interval Graph::interval(T A, T Fact) {
  std::map<T, Interval> Told;
  auto of = [&](T K) {
    auto It = Told.find(K);
    return It == Told.end() ? interval(K) : It->second;
  };
  SmallVector<T, 8> Facts(Assumed.begin(), Assumed.end());
  append_range(Facts, conditionsOf(Fact));
  for (T Each : Facts) {
    bool Holds = !Each->is(Op::Not);
    T Less = Holds ? Each : Each->Kids[0];
    if (!Less->is(Op::SLess))
      continue;
    // Low < High, or Low <= High.
    T Low = Less->Kids[Holds ? 0 : 1], High = Less->Kids[Holds ? 1 : 0];
    Interval L = of(Low), H = of(High);
    L.High = std::min(L.High, H.High - Holds);
    H.Low = std::max(H.Low, L.Low + Holds);
    for (auto [K, I] : {std::pair(Low, L), std::pair(High, H)}) {
      Told[K] = I;
      if (K->Width < 64)
        Told[sext(K, 64)] = I;
    }
  }
  if (!A->is(Op::Sum) || A->Width < 64)
    return of(A);
  return sumOf(A, of);
}

Interval Graph::interval(T A) {
  if (auto It = Intervals.find(A); It != Intervals.end())
    return It->second;
  unsigned Width = std::max(A->Width, 1u);
  __int128 One = 1;
  const Interval Full{-(One << (Width - 1)), (One << (Width - 1)) - 1};
  Interval Out = Full;
  auto Kid = [&](unsigned I) { return interval(A->Kids[I]); };
  auto constantKid = [&]() -> std::optional<uint64_t> {
    return A->Kids[1]->isConstant() ? std::optional(A->Kids[1]->Value)
                                    : std::nullopt;
  };
  switch (A->What) {
  case Op::Constant:
    Out.Low = Out.High = asSigned(A->Value, Width);
    break;
  case Op::Bound:
    if (A->Name == "count")
      Out = {0, One << 52};
    break;
  case Op::Last:
    if (A->Kids[0]->Name == "count")
      Out = {0, One << 52};
    break;
  case Op::SExt:
    Out = Kid(0);
    break;
  case Op::ZExt:
    Out = Kid(0);
    if (Out.Low < 0)
      Out = {0, (One << A->Kids[0]->Width) - 1};
    break;
  case Op::Extract:
    if (A->Value == 0 && Kid(0).Low >= Full.Low && Kid(0).High <= Full.High)
      Out = Kid(0);
    break;
  case Op::BitAnd:
    if (auto C = constantKid(); C && asSigned(*C, Width) >= 0)
      Out = {0, __int128(*C)};
    break;
  case Op::LShr:
    if (auto C = constantKid(); C && *C > 0 && *C < Width)
      Out = {0, (One << (Width - *C)) - 1};
    break;
  case Op::UDiv:
    if (auto C = constantKid(); C && *C > 1)
      Out = {0, ((One << Width) - 1) / *C};
    break;
  case Op::URem:
    if (auto C = constantKid(); C && asSigned(*C, Width) > 0)
      Out = {0, __int128(*C) - 1};
    break;
  case Op::SRem:
    if (auto C = constantKid(); C && asSigned(*C, Width) > 0)
      Out = {Kid(0).Low >= 0 ? 0 : 1 - __int128(*C), __int128(*C) - 1};
    break;
  case Op::Apply: {
    // What an NDRange has is less than 2^40 of anything.
    StringRef Of = A->Kids.size() == 1 && A->Name == "result 0"
                       ? StringRef(A->Kids[0]->Name)
                       : "";
    if (Of.consume_front("_Z") &&
        Of.drop_while([](char C) { return isDigit(C); }).starts_with("get_")) {
      bool Counts = Of.contains("get_local_size") ||
                    Of.contains("get_global_size") ||
                    Of.contains("get_num_groups") ||
                    Of.contains("get_enqueued_local_size");
      if (Counts || Of.contains("get_global_id") ||
          Of.contains("get_local_id") || Of.contains("get_group_id"))
        Out = {Counts, One << 40};
      else if (Of.contains("get_work_dim"))
        Out = {1, 3};
    }
    break;
  }
  case Op::Select:
    Out = {std::min(Kid(1).Low, Kid(2).Low),
           std::max(Kid(1).High, Kid(2).High)};
    break;
  case Op::Sum: {
    Interval S = sumOf(A, [&](T K) { return interval(K); });
    if (S.Low >= Full.Low && S.High <= Full.High)
      Out = S;
    break;
  }
  case Op::Product:
    if (A->Kids.size() == 2) {
      Interval X = Kid(0), Y = Kid(1);
      __int128 P[] = {X.Low * Y.Low, X.Low * Y.High, X.High * Y.Low,
                      X.High * Y.High};
      Interval S{*std::min_element(P, P + 4), *std::max_element(P, P + 4)};
      if (S.Low >= Full.Low && S.High <= Full.High)
        Out = S;
    }
    break;
  default:
    break;
  }
  return Intervals[A] = Out;
}

} // namespace clrewrite::prove
