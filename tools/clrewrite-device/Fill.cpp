// Deterministic buffer contents; Fill.h documents the generator.
#include "Fill.h"
#include "Base64.h"
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace clrewrite::device {

uint64_t randomWord(uint64_t Seed, uint64_t Index) {
  uint64_t Z = Seed + (Index + 1) * 0x9e3779b97f4a7c15;
  Z = (Z ^ Z >> 30) * 0xbf58476d1ce4e5b9;
  Z = (Z ^ Z >> 27) * 0x94d049bb133111eb;
  return Z ^ Z >> 31;
}

static bool parseInt(const std::string &Text, int64_t &Value) {
  char *End = nullptr;
  errno = 0;
  Value = std::strtoll(Text.c_str(), &End, 0);
  return !Text.empty() && !*End && !errno;
}

static bool parseDouble(const std::string &Text, double &Value) {
  char *End = nullptr;
  Value = std::strtod(Text.c_str(), &End);
  return !Text.empty() && !*End && std::isfinite(Value);
}

/// Splits the "LO:HI" of a range.
static bool splitRange(std::string_view Text, std::string &Low,
                       std::string &High) {
  size_t Colon = Text.find(':');
  if (Colon == std::string_view::npos)
    return false;
  Low = Text.substr(0, Colon);
  High = Text.substr(Colon + 1);
  return true;
}

/// The bits of the numbers in \p Text, between colons, as elements of \p Type;
/// none where one is no number of that kind.
static std::vector<uint64_t> parsePatterns(std::string_view Text,
                                           const ScalarType &Type) {
  std::vector<uint64_t> Out;
  while (true) {
    size_t Colon = Text.find(':');
    std::string Word(Text.substr(0, Colon));
    int64_t Whole = 0;
    double Real = 0;
    if (Type.Class == ScalarType::Float ? !parseDouble(Word, Real)
                                        : !parseInt(Word, Whole))
      return {};
    Out.push_back(Type.Class == ScalarType::Float ? componentBits(Type, Real)
                                                  : uint64_t(Whole));
    if (Colon == std::string_view::npos)
      return Out;
    Text.remove_prefix(Colon + 1);
  }
}

/// The whole numbers in \p Text, between colons; none where one is none.
static std::vector<uint64_t> parseBits(std::string_view Text) {
  std::vector<uint64_t> Out;
  while (true) {
    size_t Colon = Text.find(':');
    std::string Word(Text.substr(0, Colon));
    char *End = nullptr;
    errno = 0;
    Out.push_back(std::strtoull(Word.c_str(), &End, 0));
    if (Word.empty() || *End || errno || Word.front() == '-')
      return {};
    if (Colon == std::string_view::npos)
      return Out;
    Text.remove_prefix(Colon + 1);
  }
}

static bool takePrefix(std::string_view &Text, std::string_view Prefix) {
  if (Text.substr(0, Prefix.size()) != Prefix)
    return false;
  Text.remove_prefix(Prefix.size());
  return true;
}

/// Bytes that are kept at most, beside those of one job.
static constexpr size_t MostKept = size_t(2) << 30;

void KeptContents::keep(const std::string &Name,
                        std::shared_ptr<const std::vector<uint8_t>> Bytes) {
  if (ByName.count(Name))
    return;
  Total += Bytes->size();
  if (Total > MostKept) {
    ByName.clear();
    Total = Bytes->size();
  }
  ByName[Name] = std::move(Bytes);
}

std::shared_ptr<const std::vector<uint8_t>>
KeptContents::find(const std::string &Name) const {
  auto It = ByName.find(Name);
  return It == ByName.end() ? nullptr : It->second;
}

Result<Fill> parseFill(std::string_view Text, const ScalarType &Type,
                       KeptContents *Kept) {
  Fill F;
  F.Type = Type;
  bool IsFloat = Type.Class == ScalarType::Float;
  std::string Whole(Text.substr(0, 80)), Low, High;
  if (Text == "random" || Text == "zeros" || Text == "iota" ||
      Text == "specials") {
    F.How = Text == "random"  ? Fill::Random
            : Text == "zeros" ? Fill::Zeros
            : Text == "iota"  ? Fill::Iota
                              : Fill::Specials;
    return F;
  }
  if (takePrefix(Text, "byte:")) {
    F.How = Fill::Byte;
    if (parseInt(std::string(Text), F.IntLow) && F.IntLow >= 0 &&
        F.IntLow <= 255)
      return F;
  } else if (takePrefix(Text, "ints:")) {
    F.How = Fill::Ints;
    if (!IsFloat && splitRange(Text, Low, High) && parseInt(Low, F.IntLow) &&
        parseInt(High, F.IntHigh) && F.IntLow <= F.IntHigh)
      return F;
  } else if (takePrefix(Text, "floats:")) {
    F.How = Fill::Floats;
    if (IsFloat && splitRange(Text, Low, High) && parseDouble(Low, F.Low) &&
        parseDouble(High, F.High) && F.Low <= F.High)
      return F;
  } else if (takePrefix(Text, "among:")) {
    F.How = Fill::Among;
    F.Patterns = parsePatterns(Text, Type);
    if (!F.Patterns.empty())
      return F;
  } else if (takePrefix(Text, "bits:")) {
    F.How = Fill::Among;
    F.Patterns = parseBits(Text);
    if (!F.Patterns.empty())
      return F;
  } else if (takePrefix(Text, "kept:")) {
    F.How = Fill::Exact;
    F.Bytes = Kept ? Kept->find(std::string(Text)) : nullptr;
    if (!F.Bytes)
      return refused("NOT_KEPT",
                     "nothing is kept as '" + Whole.substr(5) + "'");
    return F;
  } else {
    std::string Name;
    if (takePrefix(Text, "keep:")) {
      size_t End = std::min(Text.find(':'), Text.size());
      Name = Text.substr(0, End);
      Text.remove_prefix(std::min(End + 1, Text.size()));
    }
    F.How = Fill::Exact;
    if (takePrefix(Text, "base64:"))
      if (auto Bytes = decodeBase64(Text)) {
        F.Bytes =
            std::make_shared<const std::vector<uint8_t>>(std::move(*Bytes));
        if (Kept && !Name.empty())
          Kept->keep(Name, F.Bytes);
        return F;
      }
  }
  return badRequest("fill '" + Whole + "' is not one for this element type");
}

/// Bit patterns that naive code gets wrong, of a component type.
static std::vector<uint64_t> specialBits(const ScalarType &Type) {
  unsigned Width = 8 * Type.Size;
  uint64_t Ones = Width == 64 ? ~uint64_t(0) : (uint64_t(1) << Width) - 1;
  uint64_t Sign = uint64_t(1) << (Width - 1);
  if (Type.Class != ScalarType::Float)
    return {0, 1, 2, Ones, Ones - 1, Sign, Sign - 1, Sign + 1};
  unsigned Mantissa = Width == 16 ? 10 : Width == 32 ? 23 : 52;
  uint64_t Hidden = uint64_t(1) << Mantissa;
  uint64_t Infinity = (Sign - 1) & ~(Hidden - 1);
  uint64_t One = (Infinity >> 1) & ~(Hidden - 1);
  return {0,
          Sign,
          Infinity,
          Infinity | Sign,
          1,
          Hidden - 1,
          Sign | 1,
          Hidden,
          One,
          One | Sign,
          Infinity - 1,
          Infinity | Hidden >> 1,
          One + 1,
          (Infinity - 1) | Sign,
          One - Hidden,
          Sign | Infinity | Hidden >> 1};
}

/// Gives the remainder of \p Value by \p Span, which is not 0, and of which \p
/// Inverse is 2^64 - 1 over \p Span. The quotient is taken from the upper half
/// of a product, which is at most one too small; a division takes several times
/// as long.
static uint64_t remainder(uint64_t Value, uint64_t Span, uint64_t Inverse) {
  if (Span > UINT64_MAX / 2)
    return Value % Span;
  uint64_t Quotient = uint64_t((unsigned __int128)Value * Inverse >> 64);
  uint64_t Rest = Value - Quotient * Span;
  return Rest < Span ? Rest : Rest - Span;
}

/// Writes the elements, which are as large as T, as \p bits gives them from
/// their word and index, and zeros into what is left.
template <typename T, typename Bits>
[[gnu::always_inline]] static inline void
writeElements(uint64_t Seed, uint8_t *Data, size_t Size, Bits bits) {
  size_t Whole = Size / sizeof(T);
  for (size_t I = 0; I < Whole; ++I) {
    T Element = T(bits(randomWord(Seed, I), I));
    std::memcpy(Data + I * sizeof(T), &Element, sizeof(T));
  }
  std::memset(Data + Whole * sizeof(T), 0, Size - Whole * sizeof(T));
}

/// Fills with elements that are as large as T.
template <typename T>
[[gnu::always_inline]] static inline void
fillElements(const Fill &How, uint64_t Seed, uint8_t *Data, size_t Size) {
  auto write = [&](auto bits) __attribute__((always_inline)) {
    writeElements<T>(Seed, Data, Size, bits);
  };
  auto among = [](const std::vector<uint64_t> &Values) {
    return [&Values, Inverse = UINT64_MAX / Values.size()](uint64_t Word) {
      return Values[remainder(Word, Values.size(), Inverse)];
    };
  };
  switch (How.How) {
  case Fill::Ints: {
    uint64_t Low = uint64_t(How.IntLow), Span = uint64_t(How.IntHigh) - Low + 1;
    if (!Span)
      return write([&](uint64_t Word, size_t) { return Low + Word; });
    if (!(Span & (Span - 1))) // a loop that the compiler vectorises
      return write([Low, Mask = Span - 1](uint64_t Word, size_t) {
        return Low + (Word & Mask);
      });
    return write([&, Inverse = UINT64_MAX / Span](uint64_t Word, size_t) {
      return Low + remainder(Word, Span, Inverse);
    });
  }
  case Fill::Among:
    return write([pick = among(How.Patterns)](uint64_t Word, size_t) {
      return pick(Word);
    });
  case Fill::Specials: {
    std::vector<uint64_t> Specials = specialBits(How.Type);
    return write([pick = among(Specials)](uint64_t Word, size_t) {
      return Word % 4 ? randomWord(Word, 0) : pick(Word >> 2);
    });
  }
  case Fill::Iota:
    return write([&](uint64_t, size_t I) {
      return How.Type.Class == ScalarType::Float
                 ? componentBits(How.Type, double(I))
                 : I;
    });
  default:
    return write([&How, Low = How.Low,
                  Width = How.High - How.Low](uint64_t Word, size_t) {
      return componentBits(How.Type,
                           Low + Width * (double(Word >> 11) * 0x1p-53));
    });
  }
}

// All of it is inlined here, and compiled for the vectors that processors have.
#if defined(__x86_64__) && defined(__GLIBC__)
[[gnu::target_clones("default", "avx2", "arch=x86-64-v4")]]
#endif
void fillBytes(const Fill &How, uint64_t Seed, uint8_t *Data, size_t Size) {
  if (How.How == Fill::Zeros || How.How == Fill::Byte) {
    std::memset(Data, int(How.IntLow), Size);
    return;
  }
  if (How.How == Fill::Exact) {
    std::memset(Data, 0, Size);
    std::memcpy(Data, How.Bytes->data(), std::min(Size, How.Bytes->size()));
    return;
  }
  if (How.How == Fill::Random) {
    size_t Words = Size / 8;
    for (size_t I = 0; I < Words; ++I) {
      uint64_t Word = randomWord(Seed, I);
      std::memcpy(Data + 8 * I, &Word, 8);
    }
    uint64_t Last = randomWord(Seed, Words);
    std::memcpy(Data + 8 * Words, &Last, Size % 8);
    return;
  }
  switch (How.Type.Size) {
  case 1:
    return fillElements<uint8_t>(How, Seed, Data, Size);
  case 2:
    return fillElements<uint16_t>(How, Seed, Data, Size);
  case 4:
    return fillElements<uint32_t>(How, Seed, Data, Size);
  default:
    return fillElements<uint64_t>(How, Seed, Data, Size);
  }
}

} // namespace clrewrite::device
