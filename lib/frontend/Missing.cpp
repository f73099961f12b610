// Names are sorted by how they are used, and guesses follow what they say.
#include "frontend/Missing.h"
#include "frontend/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

/// A vector with more lanes than OpenCL C has, as some vendors' compilers know.
static bool isLongVector(StringRef Type) {
  StringRef Scalar = Type.rtrim("0123456789");
  return Scalar != Type &&
         is_contained({"char", "uchar", "short", "ushort", "int", "uint",
                       "long", "ulong", "half", "float", "double"},
                      Scalar);
}

/// "float4" of FLOAT4 and DATA_TYPE4, "int" of INDEX_TYPE: many kernels take
/// any type of numbers.
static std::string guessedType(StringRef Name) {
  StringRef Lanes = lanesOf(Name);
  std::string Lower = Name.drop_back(Lanes.size()).lower();
  for (StringRef Each : {"uchar", "ushort", "uint", "ulong", "char", "short",
                         "long", "double", "float", "int"})
    if (StringRef(Lower).contains(Each))
      return (Each + Lanes).str();
  bool IsIndex = StringRef(Lower).contains("idx") ||
                 StringRef(Lower).contains("index") ||
                 StringRef(Lower).ends_with("_i");
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

std::vector<std::string> Missing::names() const {
  std::vector<std::string> Out;
  for (const MissingName &N : Names)
    Out.push_back(N.Name);
  return Out;
}

Missing missingIn(const Diagnosis &D) {
  Missing Out;
  Out.Headers = D.MissingHeaders;
  // What is put together of a macro stands for that.
  auto rootOf = [&](const std::string &Name) {
    std::string Part = D.Macros.partOf(Name);
    return Part.empty() ? Name : Part;
  };
  std::vector<std::string> Roots;
  for (const auto *List : {&D.UnknownTypes, &D.UnknownNames})
    for (const std::string &Name : *List)
      Roots.push_back(rootOf(Name));
  if (std::optional<Switch> S = D.Macros.giving(Roots)) {
    Out.Switches = std::move(S->Macros);
    for (std::string &Name : S->Names)
      if (!is_contained(Out.Switched, Name))
        Out.Switched.push_back(std::move(Name));
  }
  auto add = [&](const std::string &Name, std::string Guess) {
    if (!is_contained(Out.Switched, Name) && !is_contained(Out.names(), Name))
      Out.Names.push_back({Name, std::move(Guess)});
  };
  for (const auto &[Name, Guess] : D.Demanded)
    add(Name, Guess);
  for (const std::string &Type : D.UnknownTypes)
    if (!isHalfVector(Type))
      add(rootOf(Type), isLongVector(Type) ? "" : guessedType(rootOf(Type)));
    else if (Out.HalfVector.empty())
      Out.HalfVector = Type;
  // Macros are upper case by custom. A lower-case name is more often the
  // variable whose declaration failed before, unless there is nothing else.
  bool AnyUpper = !D.UnknownTypes.empty() || any_of(D.UnknownNames, isUpper);
  for (const std::string &Name : D.UnknownNames) {
    const std::string Root = rootOf(Name);
    if (Root != Name)
      add(Root, StringRef(Name).contains("_image") ? "f" : guessedType(Root));
    else if (is_contained(D.CalledNames, Name))
      add(Name, isUpper(Name) ? guessedFunction(Name) : "");
    else if (isUpper(Name) || (!AnyUpper && !D.Macros.declares(Name)))
      add(Name, "16");
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
