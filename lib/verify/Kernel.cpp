// A kernel's arguments are read from the answer of clrewrite-device, and joined
// with what the front end knows of them.
#include "verify/Kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace clrewrite::verify {

bool KernelArgument::isFloat() const {
  return Component == "float" || Component == "double" || Component == "half";
}

bool KernelArgument::isSigned() const {
  return !isFloat() && StringRef(Component).find("u") != 0;
}

/// Bytes of a scalar type; 0 for any other.
static unsigned scalarSize(StringRef Name) {
  return StringSwitch<unsigned>(Name)
      .Case("char", 1)
      .Case("uchar", 1)
      .Case("short", 2)
      .Case("ushort", 2)
      .Case("half", 2)
      .Case("int", 4)
      .Case("uint", 4)
      .Case("float", 4)
      .Case("long", 8)
      .Case("ulong", 8)
      .Case("double", 8)
      .Default(0);
}

/// The type as OpenCL C's short names have it: "unsigned int" is "uint".
static std::string shortName(StringRef Type) {
  while (Type.consume_back("*") || Type.consume_back(" "))
    ;
  if (Type.consume_front("unsigned "))
    return ("u" + Type).str();
  return StringSwitch<StringRef>(Type)
      .Case("size_t", "ulong")
      .Case("uintptr_t", "ulong")
      .Case("ptrdiff_t", "long")
      .Case("intptr_t", "long")
      .Default(Type)
      .str();
}

/// Fills in the type called \p Type, of \p Bytes bytes where that is not 0.
/// False where neither tells how large it is.
static bool setType(KernelArgument &A, StringRef Type, unsigned Bytes) {
  StringRef Component = Type.rtrim("0123456789");
  unsigned Lanes = 1;
  if (Component != Type &&
      Type.drop_front(Component.size()).getAsInteger(10, Lanes))
    return false;
  if (unsigned Size = scalarSize(Component)) {
    A.Component = Component.str();
    A.Lanes = Lanes;
    A.Size = Size * (Lanes == 3 ? 4 : Lanes);
    return true;
  }
  A.Size = Bytes;
  return Bytes != 0;
}

/// The rest of an image argument of the type \p Declared, such as
/// "image2d_array_t"; some drivers write "__read_only" before it.
static void readImage(KernelArgument &A, StringRef Declared, StringRef Access,
                      std::string &Problem) {
  StringRef Word = Declared.substr(Declared.find("image"));
  A.What = KernelArgument::Image;
  A.Access = Access == "write_only" ? "w" : Access == "read_write" ? "rw" : "r";
  StringRef Type = Word;
  if (Type.consume_front("image") && Type.consume_back("_t"))
    for (StringRef Known :
         {"1d", "1d_buffer", "1d_array", "2d", "2d_array", "3d"})
      if (Type == Known)
        A.ImageType = Type.str();
  if (A.ImageType.empty())
    Problem = ("an image of type " + Word).str();
}

/// Reads one argument; the reason why it can't be given goes to \p Problem.
static KernelArgument readArgument(const json::Object &Built,
                                   const rewrite::KernelArg *Known,
                                   std::string &Problem) {
  KernelArgument A;
  StringRef Declared = Built.getString("type").value_or("");
  StringRef Address = Built.getString("address").value_or("private");
  A.Name = Built.getString("name").value_or("").str();
  if (Known) {
    A.Channels = Known->Channels;
    A.Sampled = Known->Sampled;
    A.FloatCoords = Known->FloatCoords;
    A.OnlyCounts = Known->OnlyCounts;
  }
  StringRef Access = Built.getString("access").value_or("");
  if (Declared.contains("image") && Declared.ends_with("_t") &&
      !Access.empty()) {
    readImage(A, Declared, Access, Problem);
    return A;
  }
  if (Declared == "sampler_t") {
    A.What = KernelArgument::Sampler;
    return A;
  }
  if (!Access.empty())
    Problem = "a pipe";
  for (StringRef Other : {"queue_t", "event_t", "pipe"})
    if (Declared.starts_with(Other))
      Problem = ("a " + Other).str();
  std::string Type =
      Known && !Known->Type.empty() ? Known->Type : shortName(Declared);
  bool Sized = setType(A, Type, Known ? Known->Bytes : 0);
  if (Address == "private") {
    A.What =
        A.Component.empty() ? KernelArgument::Structure : KernelArgument::Value;
    if (!Sized && Problem.empty())
      Problem = "a structure of unknown size";
    return A;
  }
  A.What = Address == "local" ? KernelArgument::Local : KernelArgument::Buffer;
  if (!Sized)
    A.Size = 16;
  A.MayAlias = Address == "global";
  if (const json::Array *Qualifiers = Built.getArray("qualifiers"))
    for (const json::Value &Q : *Qualifiers)
      A.MayAlias &= Q.getAsString() != "restrict";
  return A;
}

KernelShape describeKernel(const json::Object &Built,
                           const rewrite::KernelInfo *Known) {
  KernelShape K;
  K.Name = Built.getString("name").value_or("").str();
  if (const json::Object *Usage = Built.getObject("usage")) {
    K.MaxLocal =
        uint64_t(Usage->getInteger("work_group_size_max").value_or(256));
    if (const json::Array *R = Usage->getArray("compile_work_group_size"))
      for (const json::Value &V : *R)
        K.RequiredLocal.push_back(uint64_t(V.getAsInteger().value_or(1)));
  }
  if (Known) {
    K.Dimensions = std::max(1u, std::min(3u, Known->Dimensions));
    K.UsesGroups = Known->UsesGroups;
    K.OriginalUsesGroups = Known->UsesGroups;
    K.AsksForWhole = Known->AsksForWhole;
    K.Integers = Known->Integers;
    K.Reals = Known->Reals;
  }
  const json::Array *Arguments = Built.getArray("args");
  for (size_t I = 0; Arguments && I < Arguments->size(); ++I) {
    const json::Object *A = (*Arguments)[I].getAsObject();
    const rewrite::KernelArg *Info =
        Known && I < Known->Args.size() ? &Known->Args[I] : nullptr;
    std::string Problem;
    K.Arguments.push_back(readArgument(A ? *A : json::Object(), Info, Problem));
    if (!Problem.empty() && K.Problem.empty())
      K.Problem = "argument " + std::to_string(I) + " '" +
                  K.Arguments.back().Name + "' is " + Problem;
  }
  return K;
}

bool sameArguments(const KernelShape &A, const KernelShape &B) {
  if (A.Arguments.size() != B.Arguments.size())
    return false;
  return all_of(zip(A.Arguments, B.Arguments), [](auto Pair) {
    const auto &[X, Y] = Pair;
    return X.What == Y.What && X.Component == Y.Component &&
           X.Lanes == Y.Lanes && X.Size == Y.Size &&
           X.ImageType == Y.ImageType && X.Access == Y.Access;
  });
}

} // namespace clrewrite::verify
