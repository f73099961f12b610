// Names are sorted by how they are used, and guesses follow what they say.
#include "frontend/Missing.h"
#include "frontend/Parse.h"
#include "source/JsonMembers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace clrewrite::frontend {

static bool isUpper(StringRef Name) {
  return none_of(Name, [](char C) { return isLower(C); });
}

/// The number of lanes at the end of a vector type's name; empty for none.
static StringRef lanesOf(StringRef Name) {
  StringRef Lanes = Name.substr(Name.find_last_not_of("0123456789") + 1);
  return is_contained({"2", "3", "4", "8", "16"}, Lanes) ? Lanes : "";
}

/// A type of an extension that the target's compiler lacks: no host program
/// defines it.
static bool isHalfVector(StringRef Type) {
  return Type.consume_front("half") && !Type.empty() && lanesOf(Type) == Type;
}

bool isLongVector(StringRef Type) {
  StringRef Scalar = Type.rtrim("0123456789");
  return Scalar != Type &&
         is_contained({"char", "uchar", "short", "ushort", "int", "uint",
                       "long", "ulong", "half", "float", "double"},
                      Scalar);
}

/// "long" of int64_t; empty for other names.
static std::string ofWidth(StringRef Name) {
  const bool IsUnsigned = Name.consume_front("u");
  if (!Name.consume_front("int") || !Name.consume_back("_t"))
    return "";
  for (auto [Bits, Type] : {std::pair<StringRef, StringRef>{"8", "char"},
                            {"16", "short"},
                            {"32", "int"},
                            {"64", "long"}})
    if (Name == Bits)
      return (IsUnsigned ? "u" : "") + Type.str();
  return "";
}

/// "__kernel" of KERNEL: hosts of several languages spell qualifiers so.
static std::string qualifier(StringRef Name) {
  std::string Word = Name.trim('_').lower();
  if (is_contained({"kernel", "global", "local", "constant", "private"}, Word))
    return "__" + Word;
  return is_contained({"const", "inline", "restrict", "volatile"}, Word) ? Word
                                                                         : "";
}

/// "float4" of FLOAT4 and DATA_TYPE4, "int" of INDEX_TYPE: many kernels take
/// any type of numbers.
static std::string guessedType(StringRef Name) {
  for (std::string Known : {ofWidth(Name), qualifier(Name)})
    if (!Known.empty())
      return Known;
  StringRef Lanes = lanesOf(Name);
  std::string Lower = Name.drop_back(Lanes.size()).lower();
  auto says = [&](StringRef Word) { return StringRef(Lower).contains(Word); };
  for (StringRef Each : {"uchar", "ushort", "uint", "ulong", "char", "short",
                         "long", "double", "float", "int"})
    if (says(Each) && !(Each == "int" && (says("point") || says("print"))))
      return (Each + Lanes).str();
  bool IsIndex =
      says("idx") || says("index") || StringRef(Lower).ends_with("_i");
  return ((IsIndex ? "int" : "float") + Lanes).str();
}

/// For a macro that is called: hosts choose among the functions of a type.
static std::string guessedFunction(StringRef Name) {
  std::string Lower = Name.lower();
  if (StringRef(Lower).contains("convert"))
    return "convert_" + guessedType(Name);
  bool Integers = guessedType(Name).find("float") == std::string::npos;
  for (StringRef Each : {"read_image", "write_image"})
    if (StringRef(Lower).contains(Each))
      return (Each + (Integers ? "i" : "f")).str();
  return "";
}

template <typename Io> static bool mapMembers(Io &O, MissingName &N) {
  return mapBytes(O, "name", N.Name) && mapBytes(O, "guess", N.Guess) &&
         O.map("number", N.IsNumber);
}

template <typename Io> static bool mapMembers(Io &O, Switch &S) {
  return mapBytes(O, "macros", S.Macros) && mapBytes(O, "names", S.Names);
}

json::Value toJSON(const MissingName &N) { return written(N); }

bool fromJSON(const json::Value &V, MissingName &N, json::Path P) {
  return readInto(N, V, P);
}

json::Value toJSON(const Switch &S) { return written(S); }

bool fromJSON(const json::Value &V, Switch &S, json::Path P) {
  return readInto(S, V, P);
}

std::vector<std::string> Missing::names() const {
  std::vector<std::string> Out;
  for (const MissingName &N : Names)
    Out.push_back(N.Name);
  return Out;
}

/// Clang declares \p Name where this macro of OpenCL C's says that a device has
/// the feature.
static constexpr char DotFeature[] =
    "__opencl_c_integer_dot_product_input_4x8bit_packed";
static bool isPackedDot(StringRef Name) {
  return Name.starts_with("dot_") && Name.contains("4x8packed_");
}

Missing missingIn(const Diagnosis &D) {
  Missing Out;
  Out.Headers = D.MissingHeaders;
  // A macro stands for the name that was put together of it.
  std::map<std::string, std::string> RootOf;
  std::vector<std::string> Roots;
  for (const auto *List : {&D.UnknownTypes, &D.UnknownNames})
    for (const std::string &Name : *List) {
      std::string Part = D.Macros.partOf(Name);
      Roots.push_back(RootOf[Name] = Part.empty() ? Name : Part);
    }
  Out.Switches = D.Macros.giving(Roots);
  Switch Dots{{DotFeature}, {}};
  copy_if(Roots, std::back_inserter(Dots.Names), isPackedDot);
  if (!Dots.Names.empty())
    Out.Switches.insert(Out.Switches.begin(), std::move(Dots));
  auto add = [&](const std::string &Name, std::string Guess,
                 bool IsNumber = false) {
    // A shell reads a dollar as its own.
    if (!StringRef(Name).contains('$') &&
        none_of(Out.Switches,
                [&](const Switch &S) { return is_contained(S.Names, Name); }) &&
        !is_contained(Out.names(), Name))
      Out.Names.push_back({Name, std::move(Guess), IsNumber});
  };
  for (const auto &[Name, Guess] : D.Demanded)
    add(Name, Guess, /*IsNumber=*/true);
  for (const std::string &Type : D.UnknownTypes) {
    const std::string &Root = RootOf[Type];
    if (!isHalfVector(Type))
      add(Root, isLongVector(Type) ? "" : guessedType(Root));
    else if (Out.HalfVector.empty())
      Out.HalfVector = Type;
  }
  // Macros are upper case by custom. A lower-case name is more often the
  // variable whose declaration failed before, unless there is nothing else.
  bool AnyUpper = !D.UnknownTypes.empty() || any_of(D.UnknownNames, isUpper);
  for (const std::string &Name : D.UnknownNames) {
    const std::string &Root = RootOf[Name];
    if (Root != Name)
      add(Root, StringRef(Name).contains("_image") ? "f" : guessedType(Root));
    else if (is_contained(D.CalledNames, Name))
      add(Name, isUpper(Name) ? guessedFunction(Name) : "");
    else if ((isUpper(Name) || !AnyUpper) && !D.Macros.declares(Name) &&
             !is_contained(D.AssignedNames, Name))
      add(Name, "16", /*IsNumber=*/true);
  }
  return Out;
}

std::string suggestion(ArrayRef<std::string> Names,
                       ArrayRef<std::string> Options) {
  if (Names.empty())
    return "";
  return "not defined here, perhaps by the host program: " + join(Names, ", ") +
         "; pass them as it does, for example: -- " + join(Options, " ") +
         "; or in .clrewrite.yaml, of which clrewrite init writes a first one";
}

} // namespace clrewrite::frontend
