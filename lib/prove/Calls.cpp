// Names of built-in functions.
#include "prove/Calls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace clrewrite::prove {

std::optional<Builtin> demangle(StringRef Mangled) {
  unsigned Length = 0;
  if (!Mangled.consume_front("_Z") || Mangled.consumeInteger(10, Length) ||
      Mangled.size() < Length)
    return std::nullopt;
  return Builtin{Mangled.take_front(Length).str(),
                 Mangled.drop_front(Length).str()};
}

unsigned lanesOf(const Builtin &B, StringRef Prefix) {
  StringRef Name = B.Name;
  unsigned N = 0;
  if (!Name.consume_front(Prefix) || Name.getAsInteger(10, N))
    return 0;
  return N;
}

/// The types without the lengths of vectors and repetitions: "f" for
/// "Dv4_fS_"; empty where they are not all the same.
static std::string elementType(StringRef Types) {
  std::string Out;
  while (!Types.empty()) {
    if (Types.consume_front("Dv")) {
      unsigned N;
      if (Types.consumeInteger(10, N) || !Types.consume_front("_"))
        return "";
      continue;
    }
    if (Types.consume_front("S")) {
      while (!Types.empty() && Types.front() != '_')
        Types = Types.drop_front();
      if (!Types.consume_front("_"))
        return "";
      continue;
    }
    StringRef One = Types.take_front(Types.starts_with("D") ? 2 : 1);
    Types = Types.drop_front(One.size());
    if (!Out.empty() && Out != One)
      return "";
    Out = One.str();
  }
  return Out;
}

/// Functions whose results are specified to the bit, so that a vector's lane is
/// what the scalar gives.
static constexpr StringRef ByLane[] = {
    "abs",   "abs_diff", "add_sat", "sub_sat", "hadd",   "rhadd", "mad24",
    "mul24", "mad_hi",   "mul_hi",  "mad_sat", "rotate", "clz",   "popcount",
    "min",   "max",      "clamp",   "fmin",    "fmax",   "fabs",  "fma",
    "floor", "ceil",     "trunc",   "rint",    "round",  "sign",  "copysign"};

std::string laneName(const Builtin &B) {
  StringRef Name = B.Name;
  if (Name.starts_with("convert_")) {
    // convert_uchar4_sat has the name convert_uchar_sat.
    std::string Out = "convert_";
    StringRef Rest = Name.drop_front(strlen("convert_"));
    StringRef Type = Rest.take_while([](char C) { return isAlpha(C); });
    Rest = Rest.drop_front(Type.size()).drop_while([](char C) {
      return isDigit(C);
    });
    std::string From = elementType(B.Types);
    return From.empty() ? "" : Out + Type.str() + Rest.str() + "." + From;
  }
  std::string Type = elementType(B.Types);
  return is_contained(ByLane, Name) && !Type.empty() ? Name.str() + "." + Type
                                                     : "";
}

bool isFunctionOfArguments(const Function &F, const Builtin &B) {
  StringRef Name = B.Name;
  // What the work-items of a group do together is no function of arguments.
  if (Name.contains("_group_") && !Name.starts_with("get_"))
    return false;
  if (Name.starts_with("read_image") || Name.starts_with("get_image"))
    return !StringRef(B.Types).contains("_rw") &&
           !StringRef(B.Types).contains("_wo");
  return F.doesNotAccessMemory();
}

} // namespace clrewrite::prove
