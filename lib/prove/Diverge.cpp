// Terms are computed with numbers, and numbers are chosen so that conditions
// hold.
#include "prove/Diverge.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <chrono>
#include <cmath>
#include <cstring>
#include <deque>
#include <random>

using namespace llvm;

namespace clrewrite::prove {
namespace {

uint64_t mixed(uint64_t A, uint64_t B) {
  A = (A ^ B) * 0x9e3779b97f4a7c15;
  return A ^ A >> 29;
}

/// X for which \p Coef * X is \p Want in \p Width bits; none where there is
/// none.
std::optional<uint64_t> quotient(uint64_t Coef, uint64_t Want, unsigned Width) {
  Coef = masked(Coef, Width);
  if (Coef == 0)
    return std::nullopt;
  unsigned Zeros = unsigned(countr_zero(Coef));
  if (masked(Want, Width) & ((uint64_t(1) << Zeros) - 1))
    return std::nullopt;
  uint64_t Odd = Coef >> Zeros, Inverse = Odd;
  for (int I = 0; I < 6; ++I)
    Inverse *= 2 - Odd * Inverse;
  return masked(Inverse * (masked(Want, Width) >> Zeros), Width - Zeros);
}

double realOf(uint64_t Bits, unsigned Width) {
  if (Width == 64)
    return bit_cast<double>(Bits);
  return Width == 32 ? double(bit_cast<float>(uint32_t(Bits))) : 0;
}

uint64_t bitsOf(double Value, unsigned Width) {
  return Width == 64 ? bit_cast<uint64_t>(Value)
                     : bit_cast<uint32_t>(float(Value));
}

/// A memory with one store more than the one before; null is memory as it was.
struct Bytes {
  const Bytes *Before = nullptr;
  uint64_t At = 0, Value = 0;
  unsigned Count = 0;
};

struct Number {
  uint64_t Bits = 0;
  const Bytes *Memory = nullptr; ///< of the Computer that computed it
};

/// What the kernel is given.
struct Given {
  std::map<std::string, uint64_t> Variables; ///< arguments by value
  std::map<uint64_t, uint8_t> Memory;        ///< what it holds at first
  /// What of that was asked for: by argument, bits and how many.
  std::map<unsigned, std::vector<std::pair<unsigned, uint64_t>>> Numbers;
  uint64_t Global[3], Local[3], Id[3];
};

/// Buffer N begins at (N + 1) << BaseShift.
constexpr unsigned BaseShift = 40;
/// Bytes around its begin that a buffer may have.
constexpr int64_t MostBytes = 1 << 20;

class Computer {
public:
  Computer(Given &With, uint64_t Seed) : With(With), Seed(Seed) {}

  uint64_t of(T A) { return number(A).Bits; }
  const Bytes *memory(T A) { return number(A).Memory; }
  /// Something else is given now, so nothing is known any more.
  void forget() {
    Closed.clear();
    Open.clear();
    Read.clear();
    Outside = false;
    enter();
  }
  /// From now on the variables of \p Loop, which stands in those that were
  /// pinned before, are those of iteration number \p Turn.
  void pin(T Loop, uint64_t Turn) {
    Pinned.push_back({Loop, Turn});
    forget();
  }
  bool isPinned(uint32_t Depths) const {
    for (auto [Loop, Turn] : Pinned)
      Depths &= ~(uint32_t(1) << Loop->Value);
    return !Depths;
  }
  /// The loop at \p Depth that was pinned, and its iteration.
  std::pair<T, uint64_t> *pinned(uint64_t Depth) {
    auto It = find_if(Pinned, [&](auto &P) { return P.first->Value == Depth; });
    return It == Pinned.end() ? nullptr : &*It;
  }
  /// What it was asked of memory, and nobody had chosen.
  const std::map<uint64_t, uint8_t> &read() const { return Read; }
  /// It can't be computed: too long, or outside of buffers.
  bool failed() const { return Outside || Steps > MostSteps; }
  uint8_t first(uint64_t At);

private:
  Given &With;
  uint64_t Seed;
  std::deque<Bytes> Stores;         ///< all that were computed
  DenseMap<T, Number> Closed, Open; ///< terms without and with bound variables
  std::map<std::pair<unsigned, std::string>, Number> Bound;
  std::vector<std::pair<T, uint64_t>> Pinned; ///< the outermost first
  std::map<uint64_t, uint8_t> Read;
  bool Outside = false;
  unsigned Steps = 0;
  static constexpr unsigned MostSteps = 2000000, MostTurns = 600;

  uint64_t load(const Bytes *In, uint64_t At, unsigned Count);
  Number number(T A);
  Number computed(T A);
  Number afterLoop(T A);
  void iterate(T Loop, std::optional<uint64_t> To);
  void enter() {
    Bound.clear();
    for (auto [Loop, Turn] : Pinned)
      iterate(Loop, Turn);
  }
  uint64_t applied(T A);
  uint64_t queried(StringRef Of, uint64_t Dimension);
  uint64_t compared(StringRef Name, T A);
  void checkAddress(uint64_t At) {
    int64_t Offset = asSigned(At, BaseShift);
    Outside |= Offset < 0 || Offset > MostBytes;
  }
};

uint8_t Computer::first(uint64_t At) {
  auto It = With.Memory.find(At);
  if (It != With.Memory.end())
    return It->second;
  // Small integers, or floats between -8 and 8 where the seed is odd.
  uint64_t Hash = mixed(At / 4 + 1, Seed);
  uint32_t Word = Seed % 2 ? bit_cast<uint32_t>(float(int(Hash % 65) - 32) / 4)
                           : uint32_t(Hash % 33) - 16;
  return Read[At] = uint8_t(Word >> (8 * (At % 4)));
}

/// The \p Count bytes at \p At, each from the last store that wrote it.
uint64_t Computer::load(const Bytes *In, uint64_t At, unsigned Count) {
  uint64_t Out = 0;
  unsigned Missing = (1u << Count) - 1; // a bit for each byte
  for (; In && Missing; In = In->Before, ++Steps)
    for (unsigned I = 0; I < Count; ++I)
      if (uint64_t Of = At + I - In->At; Of < In->Count && Missing >> I & 1) {
        Out |= uint64_t(uint8_t(In->Value >> (8 * Of))) << (8 * I);
        Missing &= ~(1u << I);
      }
  for (unsigned I = 0; I < Count; ++I)
    if (Missing >> I & 1)
      Out |= uint64_t(first(At + I)) << (8 * I);
  return Out;
}

Number Computer::number(T A) {
  auto &Known = A->Depths ? Open : Closed;
  if (auto It = Known.find(A); It != Known.end())
    return It->second;
  if (++Steps > MostSteps)
    return {};
  Number Out = computed(A);
  Out.Bits = masked(Out.Bits, A->Width ? A->Width : 64);
  (A->Depths ? Open : Closed)[A] = Out;
  return Out;
}

/// Gives the variables of \p Loop the values that they have in iteration number
/// \p To, or in the last one.
void Computer::iterate(T Loop, std::optional<uint64_t> To) {
  auto Depth = unsigned(Loop->Value);
  auto set = [&](std::map<std::string, Number> Values, uint64_t Turn) {
    for (auto &[Name, Value] : Values)
      Bound[{Depth, Name}] = Value;
    Bound[{Depth, "count"}] = {Turn};
    Open.clear();
  };
  std::map<std::string, Number> Values;
  for (size_t I = 1; I + 2 < Loop->Kids.size(); I += 3)
    Values[Loop->Kids[I]->Name] = number(Loop->Kids[I + 1]);
  set(std::move(Values), 0);
  for (uint64_t Turn = 1; !To || Turn <= *To; ++Turn) {
    bool GoesOn = of(Loop->Kids[0]);
    if (!GoesOn && !To)
      break;
    if (!GoesOn || Turn > MostTurns || failed()) {
      Outside = true;
      break;
    }
    Values.clear();
    for (size_t I = 1; I + 2 < Loop->Kids.size(); I += 3)
      Values[Loop->Kids[I]->Name] = number(Loop->Kids[I + 2]);
    set(std::move(Values), Turn);
  }
}

/// The variable A->Kids[0] in the last iteration of the loop A->Kids[1].
Number Computer::afterLoop(T A) {
  auto Outer = Bound;
  auto OuterOpen = Open;
  iterate(A->Kids[1], std::nullopt);
  Number Out = Bound[{unsigned(A->Kids[1]->Value), A->Kids[0]->Name}];
  Bound = std::move(Outer);
  Open = std::move(OuterOpen);
  return Out;
}

uint64_t Computer::queried(StringRef Of, uint64_t Dimension) {
  if (Of.contains("get_work_dim"))
    return With.Global[2] > 1 ? 3 : With.Global[1] > 1 ? 2 : 1;
  bool Is = Dimension < 3;
  uint64_t Global = Is ? With.Global[Dimension] : 1,
           Local = Is ? With.Local[Dimension] : 1,
           Id = Is ? With.Id[Dimension] : 0;
  if (Of.contains("get_global_id"))
    return Id;
  if (Of.contains("get_local_id"))
    return Id % Local;
  if (Of.contains("get_group_id"))
    return Id / Local;
  if (Of.contains("get_num_groups"))
    return Global / Local;
  if (Of.contains("get_global_offset"))
    return 0;
  return Of.contains("local_size") ? Local : Global;
}

uint64_t Computer::applied(T A) {
  StringRef Name = A->Name;
  if (Name.starts_with("result ") && !A->Kids[0]->Kids.empty() &&
      StringRef(A->Kids[0]->Name).contains("get_") &&
      A->Kids[0]->Kids[0]->Width)
    return queried(A->Kids[0]->Name, of(A->Kids[0]->Kids[0]));
  SmallVector<uint64_t, 4> K;
  for (T Kid : A->Kids)
    if (Kid->Width || Kid->is(Op::Apply))
      K.push_back(of(Kid));
  unsigned In = A->Kids.empty() ? 0 : A->Kids[0]->Width;
  bool Floats = In == 32 || In == 64;
  StringRef Of = Name.split('.').first, Type = Name.rsplit('.').second;
  double X = Floats && !K.empty() ? realOf(K[0], In) : 0,
         Y = Floats && K.size() > 1 ? realOf(K[1], In) : 0;
  if (Floats && K.size() == 2) {
    if (Of == "foeq")
      return X == Y;
    if (Of == "folt")
      return X < Y;
    if (Of == "fole")
      return X <= Y;
    if (Of == "fone")
      return X < Y || X > Y;
    if (Of == "ford")
      return X == X && Y == Y;
    if (Of == "fadd")
      return bitsOf(In == 32 ? float(X) + float(Y) : X + Y, In);
    if (Of == "fsub")
      return bitsOf(In == 32 ? float(X) - float(Y) : X - Y, In);
    if (Of == "fmul")
      return bitsOf(In == 32 ? float(X) * float(Y) : X * Y, In);
    if (Of == "fdiv")
      return bitsOf(In == 32 ? float(X) / float(Y) : X / Y, In);
    if (Of == "fmin" && (Type == "f" || Type == "d"))
      return bitsOf(std::fmin(X, Y), In);
    if (Of == "fmax" && (Type == "f" || Type == "d"))
      return bitsOf(std::fmax(X, Y), In);
  }
  if (K.size() == 1 && (Of == "sitofp" || Of == "uitofp"))
    return bitsOf(Of == "sitofp" ? double(asSigned(K[0], In)) : double(K[0]),
                  A->Width);
  if (Floats && K.size() == 1) {
    if ((Of == "fpext" || Of == "fptrunc") && A->Width >= 32)
      return bitsOf(X, A->Width);
    if (Of == "fptosi" || Of == "fptoui")
      return std::fabs(X) < 9e18 ? uint64_t(int64_t(X)) : 0;
    if (Of == "fabs")
      return bitsOf(std::fabs(X), In);
    if (Of == "floor")
      return bitsOf(std::floor(X), In);
  }
  uint64_t Hash = mixed(hash_value(Name), Seed / 2);
  for (uint64_t Each : K)
    Hash = mixed(Hash, Each);
  // A number that a float may well have.
  if (A->Width == 32)
    return bit_cast<uint32_t>(float(int(Hash % 4096) - 2048) / 64);
  return Hash;
}

Number Computer::computed(T A) {
  auto kid = [&](size_t I) { return of(A->Kids[I]); };
  unsigned Width = A->Kids.empty() ? A->Width : A->Kids[0]->Width;
  switch (A->What) {
  case Op::Constant:
    return {A->Value};
  case Op::Variable: {
    if (!A->Width)
      return {};
    StringRef Name = A->Name;
    unsigned Number = 0;
    if (Name.consume_front("&argument ") && !Name.getAsInteger(10, Number))
      return {uint64_t(Number + 1) << BaseShift};
    if (A->Name[0] == '&')
      return {(mixed(hash_value(A->Name), 1) % 4096 + 4096) << BaseShift};
    auto It = With.Variables.find(A->Name);
    return {It != With.Variables.end() ? It->second : 0};
  }
  case Op::Bound: {
    auto It = Bound.find({unsigned(A->Value), A->Name});
    return It == Bound.end() ? Number() : It->second;
  }
  case Op::Sum: {
    uint64_t Out = A->Value;
    for (auto [Kid, Coef] : zip(A->Kids, A->Coefs))
      Out += Coef * of(Kid);
    return {Out};
  }
  case Op::Product: {
    uint64_t Out = 1;
    for (T Kid : A->Kids)
      Out *= of(Kid);
    return {Out};
  }
  case Op::UDiv:
    return {kid(1) ? kid(0) / kid(1) : 0};
  case Op::URem:
    return {kid(1) ? kid(0) % kid(1) : 0};
  case Op::SDiv:
  case Op::SRem: {
    int64_t X = asSigned(kid(0), Width), Y = asSigned(kid(1), Width);
    if (Y == 0 || Y == -1)
      return {Y && A->is(Op::SDiv) ? 0 - uint64_t(X) : 0};
    return {uint64_t(A->is(Op::SDiv) ? X / Y : X % Y)};
  }
  case Op::Shl:
    return {kid(1) < 64 ? kid(0) << kid(1) : 0};
  case Op::LShr:
    return {kid(1) < 64 ? kid(0) >> kid(1) : 0};
  case Op::AShr:
    return {
        uint64_t(asSigned(kid(0), Width) >> std::min<uint64_t>(kid(1), 63))};
  case Op::BitAnd:
    return {kid(0) & kid(1)};
  case Op::BitOr:
    return {kid(0) | kid(1)};
  case Op::BitXor:
    return {kid(0) ^ kid(1)};
  case Op::ZExt:
    return {kid(0)};
  case Op::SExt:
    return {uint64_t(asSigned(kid(0), Width))};
  case Op::Extract:
    return {kid(0) >> A->Value};
  case Op::Concat:
    return {kid(0) | kid(1) << Width};
  case Op::Equal:
    return {kid(0) == kid(1)};
  case Op::ULess:
    return {kid(0) < kid(1)};
  case Op::SLess:
    return {asSigned(kid(0), Width) < asSigned(kid(1), Width)};
  case Op::Not:
    return {!kid(0)};
  case Op::And:
    return {all_of(A->Kids, [&](T Kid) { return of(Kid) != 0; })};
  case Op::Select:
    return number(A->Kids[kid(0) ? 1 : 2]);
  case Op::Load: {
    const Bytes *In = memory(A->Kids[0]);
    uint64_t At = kid(1);
    checkAddress(At);
    return {load(In, At, A->Width / 8)};
  }
  case Op::Store: {
    const Bytes *Before = memory(A->Kids[0]);
    uint64_t At = kid(1);
    checkAddress(At);
    Stores.push_back({Before, At, kid(2), A->Kids[2]->Width / 8});
    return {0, &Stores.back()};
  }
  case Op::Apply:
    return A->Width || !StringRef(A->Name).starts_with("memory after")
               ? Number{applied(A)}
               : Number();
  case Op::Loop:
    return {};
  case Op::Last:
    return afterLoop(A);
  }
  return {};
}

/// Chooses what is given so that terms have the values that are wanted.
class Chooser {
public:
  Chooser(Given &With, Computer &Values, std::mt19937_64 &Random)
      : With(With), Values(Values), Random(Random) {}

  bool aim(T A, uint64_t Want, unsigned Levels = 60);

private:
  Given &With;
  Computer &Values;
  std::mt19937_64 &Random;
  std::set<std::string> Fixed;
  std::set<uint64_t> FixedBytes;
  /// Bytes may be chosen anew. What was chosen for another condition may then
  /// hold no more (a[i] == b[i] && b[i] == 5), or still (a[i] / 9 == 5 && a[i]
  /// % 9 == 2): both are tried.
  const bool Anew = Random() % 2;

  bool aimAtId(StringRef Of, uint64_t Dimension, uint64_t Want);
  bool aimAtTurn(T A, uint64_t Want, unsigned Levels);
  bool aimAtReal(T A, uint64_t Want, unsigned Levels);
  bool aimAtParts(T A, uint64_t Want, unsigned Levels);
  bool fix(const std::string &Name) { return Fixed.insert(Name).second; }
  uint64_t close(uint64_t To, unsigned Width);
};

bool Chooser::aimAtId(StringRef Of, uint64_t Dimension, uint64_t Want) {
  if (Dimension > 2)
    return false;
  uint64_t &Id = With.Id[Dimension], Local = With.Local[Dimension];
  std::string Which = utostr(Dimension);
  uint64_t New = Id;
  if (Of.contains("get_global_id")) {
    if (!fix("local" + Which) || !fix("group" + Which))
      return false;
    New = Want;
  } else if (Of.contains("get_local_id")) {
    if (Want >= Local || !fix("local" + Which))
      return false;
    New = Id / Local * Local + Want;
  } else if (Of.contains("get_group_id")) {
    if (!fix("group" + Which))
      return false;
    New = Want * Local + Id % Local;
  }
  if (New == Id || New >= With.Global[Dimension])
    return false;
  Id = New;
  return true;
}

/// A variable of a loop whose iteration was pinned: its first value, or which
/// iteration that is.
bool Chooser::aimAtTurn(T A, uint64_t Want, unsigned Levels) {
  std::pair<T, uint64_t> *Pin = Values.pinned(A->Value);
  if (!Pin)
    return false;
  auto [Loop, Turn] = *Pin;
  if (A->Name != "count") {
    for (size_t I = 1; I + 2 < Loop->Kids.size(); I += 3)
      if (Loop->Kids[I] == A && !Turn)
        return aim(Loop->Kids[I + 1], Want, Levels) && Values.of(A) == Want;
    return false;
  }
  if (!fix("turn" + utostr(A->Value)))
    return false;
  Pin->second = Want;
  Values.forget();
  if (!Values.failed() && Values.of(A) == Want)
    return true;
  Pin->second = Turn;
  Values.forget();
  return false;
}

/// A float that is \p To, or near it, or special.
uint64_t Chooser::close(uint64_t To, unsigned Width) {
  if (Width != 32 && Width != 64)
    return To;
  switch (Random() % 8) {
  case 0:
    return bitsOf(NAN, Width);
  case 1:
    return bitsOf(Random() % 2 ? INFINITY : -INFINITY, Width);
  case 2:
    return Random() % 2 ? 0 : uint64_t(1) << (Width - 1);
  case 3:
    return masked(To + 1, Width);
  case 4:
    return masked(To - 1, Width);
  default:
    return To;
  }
}

bool Chooser::aimAtReal(T A, uint64_t Want, unsigned Levels) {
  StringRef Of = StringRef(A->Name).split('.').first;
  T L = A->Kids[0];
  if (A->Kids.size() == 2 && (Of == "foeq" || Of == "folt" || Of == "fole" ||
                              Of == "fone" || Of == "ford")) {
    T R = A->Kids[1];
    if (Random() % 2)
      std::swap(L, R);
    for (int Try = 0; Try < 3; ++Try)
      if (aim(L, close(Values.of(R), L->Width), Levels) && Values.of(A) == Want)
        return true;
    return aim(R, close(Values.of(L), L->Width), Levels) &&
           Values.of(A) == Want;
  }
  if (A->Kids.size() == 1 && (Of == "fptosi" || Of == "fptoui"))
    return aim(L,
               bitsOf(Of == "fptosi" ? double(asSigned(Want, A->Width))
                                     : double(Want),
                      L->Width),
               Levels) &&
           Values.of(A) == Want;
  if (A->Width < 32)
    return false;
  double To = realOf(Want, A->Width);
  if (A->Kids.size() == 1) {
    if (Of == "sitofp" || Of == "uitofp")
      return aim(L, uint64_t(int64_t(To)), Levels) && Values.of(A) == Want;
    if (Of == "fpext" || Of == "fptrunc" || Of == "fabs")
      return aim(L, bitsOf(To, L->Width), Levels) && Values.of(A) == Want;
    return false;
  }
  if (A->Kids.size() != 2)
    return false;
  double X = realOf(Values.of(L), L->Width),
         Y = realOf(Values.of(A->Kids[1]), L->Width);
  double First = Of == "fadd"   ? To - Y
                 : Of == "fsub" ? To + Y
                 : Of == "fmul" ? To / Y
                 : Of == "fdiv" ? To * Y
                                : NAN;
  if (First == First && aim(L, bitsOf(First, L->Width), Levels) &&
      Values.of(A) == Want)
    return true;
  double Second = Of == "fadd"   ? To - X
                  : Of == "fsub" ? X - To
                  : Of == "fmul" ? To / X
                  : Of == "fdiv" ? X / To
                                 : NAN;
  return Second == Second &&
         aim(A->Kids[1], bitsOf(Second, L->Width), Levels) &&
         Values.of(A) == Want;
}

/// Any of the parts of a sum or a product is changed.
bool Chooser::aimAtParts(T A, uint64_t Want, unsigned Levels) {
  size_t Begin = Random() % A->Kids.size();
  for (size_t N = 0; N < A->Kids.size(); ++N) {
    size_t I = (Begin + N) % A->Kids.size();
    uint64_t Coef = 1, Rest = 0;
    if (A->is(Op::Sum)) {
      Coef = A->Coefs[I];
      Rest = Values.of(A) - Coef * Values.of(A->Kids[I]);
    } else {
      for (size_t J = 0; J < A->Kids.size(); ++J)
        if (J != I)
          Coef *= Values.of(A->Kids[J]);
    }
    std::optional<uint64_t> X = quotient(Coef, Want - Rest, A->Width);
    if (X && aim(A->Kids[I], *X, Levels) && Values.of(A) == Want)
      return true;
  }
  return false;
}

bool Chooser::aim(T A, uint64_t Want, unsigned Levels) {
  Want = masked(Want, A->Width);
  uint64_t Is = Values.of(A);
  if (Is == Want || !Levels-- || !Values.isPinned(A->Depths) || Values.failed())
    return Is == Want;
  auto value = [&](size_t I) { return Values.of(A->Kids[I]); };
  auto then = [&](size_t I, uint64_t X) {
    return aim(A->Kids[I], X, Levels) && Values.of(A) == Want;
  };
  unsigned Width = A->Kids.empty() ? A->Width : A->Kids[0]->Width;
  switch (A->What) {
  case Op::Variable:
    if (!StringRef(A->Name).starts_with("argument ") || !fix(A->Name))
      return false;
    With.Variables[A->Name] = Want;
    Values.forget();
    return true;
  case Op::Bound:
    return aimAtTurn(A, Want, Levels);
  case Op::Apply:
    if (StringRef(A->Name).starts_with("result ") &&
        !A->Kids[0]->Kids.empty() && A->Kids[0]->Kids[0]->Width) {
      if (!StringRef(A->Kids[0]->Name).contains("get_") ||
          !aimAtId(A->Kids[0]->Name, Values.of(A->Kids[0]->Kids[0]), Want))
        return false;
      Values.forget();
      return Values.of(A) == Want;
    }
    return !A->Kids.empty() && A->Kids[0]->Width >= 8 &&
           aimAtReal(A, Want, Levels);
  case Op::Load: {
    uint64_t At = value(1);
    if (At >> BaseShift == 0 || At >> BaseShift > 4096)
      return false;
    for (unsigned I = 0; I < A->Width / 8; ++I)
      if (!FixedBytes.insert(At + I).second && !Anew)
        return false;
    for (unsigned I = 0; I < A->Width / 8; ++I)
      With.Memory[At + I] = uint8_t(Want >> (8 * I));
    With.Numbers[unsigned(At >> BaseShift) - 1].push_back({A->Width, Want});
    Values.forget();
    return Values.of(A) == Want; // else something is stored there
  }
  case Op::Sum:
  case Op::Product:
    return aimAtParts(A, Want, Levels);
  case Op::UDiv:
    return then(0, Want * value(1) + (value(1) ? value(0) % value(1) : 0)) ||
           then(0, Want * value(1));
  case Op::SDiv:
    return then(0, Want * value(1));
  case Op::URem:
  case Op::SRem:
    return (value(1) && A->is(Op::URem) &&
            then(0, value(0) - value(0) % value(1) + Want)) ||
           then(0, Want) || then(0, Want + value(1));
  case Op::Shl:
    return then(0, Want >> std::min<uint64_t>(value(1), 63));
  case Op::LShr:
  case Op::AShr: {
    uint64_t By = std::min<uint64_t>(value(1), 63);
    return then(0, Want << By | (value(0) & ((uint64_t(1) << By) - 1)));
  }
  case Op::BitAnd:
    return then(0, Want | (value(0) & ~value(1))) ||
           then(1, Want | (value(1) & ~value(0)));
  case Op::BitOr:
    return then(0, Want & ~value(1)) || then(1, Want & ~value(0)) ||
           then(0, Want);
  case Op::BitXor:
    return then(0, Want ^ value(1)) || then(1, Want ^ value(0));
  case Op::ZExt:
  case Op::SExt:
    return then(0, Want);
  case Op::Extract: {
    uint64_t Mask = masked(~uint64_t(0), A->Width) << A->Value;
    return then(0, (value(0) & ~Mask) | Want << A->Value);
  }
  case Op::Concat:
    return aim(A->Kids[0], Want, Levels) &&
           aim(A->Kids[1], Want >> Width, Levels) && Values.of(A) == Want;
  case Op::Equal:
    if (!Want)
      return then(0, value(1) + 1) || then(1, value(0) + 1);
    return then(0, value(1)) || then(1, value(0));
  case Op::ULess:
  case Op::SLess:
    if (Want)
      return then(0, value(1) - 1) || then(1, value(0) + 1) ||
             then(0, Random() % std::max<uint64_t>(value(1), 1));
    return then(0, value(1)) || then(1, value(0)) || then(0, value(1) + 1);
  case Op::Not:
    return then(0, !Want);
  case Op::And:
    if (Want)
      return all_of(A->Kids, [&](T Kid) { return aim(Kid, 1, Levels); }) &&
             Values.of(A) == Want;
    return then(Random() % A->Kids.size(), 0);
  case Op::Select:
    return then(value(0) ? 1 : 2, Want) ||
           (aim(A->Kids[0], !value(0), Levels) && then(value(0) ? 1 : 2, Want));
  default:
    return false;
  }
}

/// The conditions in which the two differ come first and count most; those that
/// a loop's variables are part of can't be chosen.
std::vector<T> conditionsOf(const Behaviour &Before, const Behaviour &After) {
  auto in = [](const Behaviour &Of) {
    std::vector<T> Out;
    SmallVector<T, 8> Memories;
    for (const auto &[Name, Memory] : Of.End.Memory)
      Memories.push_back(Memory);
    hasPart(Memories, [&](T A) {
      if (A->Width == 1 && !A->isConstant() && !A->Depths && !A->Unset)
        Out.push_back(A);
      return false;
    });
    return Out;
  };
  std::vector<T> Old = in(Before), New = in(After), Out;
  DenseSet<T> InOld(Old.begin(), Old.end()), InNew(New.begin(), New.end());
  for (T Each : Old)
    if (!InNew.count(Each))
      Out.push_back(Each);
  for (T Each : New)
    if (!InOld.count(Each))
      Out.push_back(Each);
  size_t Own = Out.size();
  for (T Each : Old)
    if (InNew.count(Each))
      Out.push_back(Each);
  auto byId = [](T A, T B) { return A->Id < B->Id; };
  std::sort(Out.begin(), Out.begin() + long(Own), byId);
  std::sort(Out.begin() + long(Own), Out.end(), byId);
  return Out;
}

/// The bytes that stores have written, as the last of them left each.
std::map<uint64_t, uint8_t> written(const Bytes *In) {
  std::map<uint64_t, uint8_t> Out;
  for (; In; In = In->Before)
    for (unsigned I = 0; I < In->Count; ++I)
      Out.try_emplace(In->At + I, uint8_t(In->Value >> (8 * I)));
  return Out;
}

/// Both leave other bytes in a buffer.
bool part(const Behaviour &Before, const Behaviour &After, Computer &Values) {
  bool Parts = false;
  std::set<std::string> Names;
  for (const Behaviour *B : {&Before, &After})
    for (const auto &[Name, Memory] : B->End.Memory)
      if (!StringRef(Name).starts_with("private ") &&
          !StringRef(Name).starts_with("local ") &&
          !StringRef(Name).starts_with("constant "))
        Names.insert(Name);
  for (const std::string &Name : Names) {
    auto left = [&](const Behaviour &B) {
      auto It = B.End.Memory.find(Name);
      return It == B.End.Memory.end() || !It->second
                 ? nullptr
                 : Values.memory(It->second);
    };
    std::map<uint64_t, uint8_t> Old = written(left(Before)),
                                New = written(left(After));
    for (const auto &[Mine, Other] : {std::pair(&Old, &New), {&New, &Old}})
      for (auto [At, Value] : *Mine) {
        auto It = Other->find(At);
        Parts |= Value != (It == Other->end() ? Values.first(At) : It->second);
      }
  }
  return Parts && !Values.failed();
}

/// What it does is defined, as far as that is known without going through
/// loops.
bool isDefined(const Behaviour &Of, Computer &Values) {
  return none_of(Of.Records, [&](const Record &R) {
    if (!R.Loops.empty() || !R.When || R.When->Depths || R.What->Depths ||
        !Values.of(R.When))
      return false;
    if (R.Sort == Record::Fits) {
      int64_t Value = asSigned(Values.of(R.What), R.What->Width),
              Limit = int64_t(1) << (8 * R.Bytes - 1);
      return Value < -Limit || Value >= Limit;
    }
    if (R.Sort == Record::Aligned)
      return Values.of(R.What) % R.Bytes != 0;
    StringRef Name = R.What->Name;
    return R.Sort == Record::Operation && R.What->Kids.size() == 2 &&
           (Name.contains("div ") || Name.contains("rem ")) &&
           Values.of(R.What->Kids[1]) == 0;
  });
}

Suspect suspectOf(const Given &With) {
  Suspect Out;
  for (size_t I = 0; I < 3; ++I) {
    Out.Global[I] = With.Global[I];
    Out.Local[I] = With.Local[I];
  }
  for (const auto &[Name, Value] : With.Variables) {
    unsigned Argument = 0, Lane = 0;
    auto [Which, Part] = StringRef(Name).substr(strlen("argument ")).split('.');
    if (!Which.getAsInteger(10, Argument) && !Part.getAsInteger(10, Lane))
      Out.Values[{Argument, Lane}] = Value;
  }
  Out.Numbers = With.Numbers;
  return Out;
}

/// The arguments by value that \p Roots depend on.
std::set<std::string> scalarsIn(ArrayRef<T> Roots) {
  std::set<std::string> Out;
  hasPart(Roots, [&](T A) {
    if (A->is(Op::Variable) && StringRef(A->Name).starts_with("argument "))
      Out.insert(A->Name);
    return false;
  });
  return Out;
}

/// A launch of one of three sizes, one of its work-items, and \p Scalars that
/// are mostly sizes.
Given anyLaunch(unsigned Try, const std::set<std::string> &Scalars,
                std::mt19937_64 &Random) {
  Given With{{}, {}, {}, {64, 1, 1}, {16, 1, 1}, {}};
  if (Try % 3 == 1)
    With = {{}, {}, {}, {64, 8, 1}, {8, 4, 1}, {}};
  else if (Try % 3 == 2)
    With = {{}, {}, {}, {4096, 1, 1}, {16, 1, 1}, {}};
  for (size_t I = 0; I < 3; ++I)
    With.Id[I] = Random() % With.Global[I];
  const uint64_t Sizes[] = {
      With.Global[0], With.Global[1], With.Global[0] / 2, 4, 3, 1};
  for (const std::string &Name : Scalars)
    With.Variables[Name] = Sizes[Random() % std::size(Sizes)];
  return With;
}

/// The first bytes of the buffers of \p With, with what \p Read says of those
/// that nobody chose. None where they are more than \p Most.
std::optional<std::map<unsigned, std::string>>
contentsOf(const Given &With, const std::map<uint64_t, uint8_t> &Read,
           uint64_t Most) {
  constexpr uint64_t MostArguments = 4096;
  std::map<unsigned, std::string> Out;
  for (const auto *Part : {&Read, &With.Memory})
    for (auto [At, Value] : *Part) {
      uint64_t Buffer = At >> BaseShift, Offset = masked(At, BaseShift);
      if (!Buffer || Buffer >= MostArguments)
        continue; // memory that is not the host's
      if (Offset >= Most)
        return std::nullopt;
      std::string &Bytes = Out[unsigned(Buffer) - 1];
      Bytes.resize(std::max<size_t>(Bytes.size(), Offset + 1));
      Bytes[Offset] = char(Value);
    }
  return Out;
}

/// Chooses \p With so that \p R happens, in some iteration of the loops that it
/// stands in.
bool aimAtRecord(const Record &R, Given &With, Computer &Values,
                 std::mt19937_64 &Random) {
  Chooser Choose(With, Values, Random);
  for (auto [Loop, Entered] : reverse(R.Loops)) {
    if (!Choose.aim(Entered, 1))
      return false;
    Values.pin(Loop, Random() % 2 ? 0 : Random() % 4);
  }
  // What is chosen later may undo what was chosen before.
  return Choose.aim(R.When, 1) && !Values.failed() &&
         all_of(R.Loops, [&](auto &L) { return Values.of(L.second) != 0; });
}

} // namespace

std::vector<Suspect> suspects(const Behaviour &Before, const Behaviour &After,
                              double Seconds) {
  using Clock = std::chrono::steady_clock;
  auto Until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(Seconds));
  std::vector<Suspect> Out;
  std::vector<T> Conditions = conditionsOf(Before, After);
  constexpr size_t Most = 6;
  constexpr unsigned MostTries = 4000;
  std::mt19937_64 Random(1);
  SmallVector<T, 8> Memories;
  for (const Behaviour *B : {&Before, &After})
    for (const auto &[Name, Memory] : B->End.Memory)
      Memories.push_back(Memory);
  const std::set<std::string> Scalars = scalarsIn(Memories);
  std::set<std::vector<T>> Done; // the conditions that told them apart
  for (unsigned Try = 0;
       Try < MostTries && Out.size() < Most && Clock::now() < Until; ++Try) {
    Given With = anyLaunch(Try, Scalars, Random);
    Computer Values(With, Random());
    Chooser Choose(With, Values, Random);
    std::vector<T> Aimed;
    for (size_t N = Conditions.empty() ? 0 : 1 + Random() % 4; N--;) {
      // Those that only one of them has are at the beginning.
      size_t Of = Random() % 2 ? Conditions.size()
                               : std::min<size_t>(Conditions.size(), 8);
      T Each = Conditions[Random() % Of];
      if (Choose.aim(Each, Random() % 2))
        Aimed.push_back(Each);
    }
    if (Values.failed() || !part(Before, After, Values) ||
        !isDefined(Before, Values))
      continue;
    if (Aimed.empty() || Done.insert(Aimed).second)
      Out.push_back(suspectOf(With));
  }
  return Out;
}

std::vector<Suspect> reaching(const Behaviour &Of, unsigned Argument,
                              const std::vector<unsigned> &Words,
                              double Seconds) {
  using Clock = std::chrono::steady_clock;
  auto Until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(Seconds));
  constexpr size_t Most = 12;
  constexpr unsigned MostTries = 300; // for a word
  const std::string Buffer = "&argument " + utostr(Argument);
  std::map<unsigned, std::vector<const Record *>> Wanted;
  SmallVector<T, 32> Roots;
  for (const Record &R : Of.Records) {
    Roots.push_back(R.When);
    for (auto [Loop, Entered] : R.Loops)
      Roots.append({Loop, Entered});
    bool First = R.What->Name == Buffer,
         Later = R.What->is(Op::Sum) && R.What->Kids.size() == 1 &&
                 R.What->Kids[0]->Name == Buffer;
    auto Word = unsigned(First ? 0 : R.What->Value / 4);
    if (R.Sort == Record::Write && (First || Later) &&
        is_contained(Words, Word))
      Wanted[Word].push_back(&R);
  }
  const std::set<std::string> Scalars = scalarsIn(Roots);
  std::mt19937_64 Random(1);
  std::vector<Suspect> Out;
  for (unsigned Try = 0; Try < MostTries && !Wanted.empty(); ++Try)
    for (auto It = Wanted.begin(); It != Wanted.end();) {
      if (Out.size() == Most || Clock::now() >= Until)
        return Out;
      const Record &R = *It->second[Random() % It->second.size()];
      Given With = anyLaunch(Try, Scalars, Random);
      Computer Values(With, Random());
      std::optional<std::map<unsigned, std::string>> Contents;
      if (aimAtRecord(R, With, Values, Random) && isDefined(Of, Values) &&
          !Values.failed())
        Contents = contentsOf(With, Values.read(),
                              Try < MostTries / 2 ? 1 << 10 : 1 << 16);
      if (!Contents) {
        ++It;
        continue;
      }
      Out.push_back(suspectOf(With));
      Out.back().Numbers.clear();
      Out.back().Contents = std::move(*Contents);
      It = Wanted.erase(It);
    }
  return Out;
}

} // namespace clrewrite::prove
