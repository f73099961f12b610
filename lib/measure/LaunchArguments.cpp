// The arguments of --launch become the JSON of a device job, checked against
// the kernel's parameters.
#include "measure/LaunchArguments.h"
#include "measure/ImageArguments.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include <cstring>
#include <set>

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// A scalar or vector type of OpenCL C.
struct ElementType {
  unsigned Bytes, Components;
  bool Floating;
};

std::optional<ElementType> elementType(StringRef Name) {
  struct {
    StringRef Name;
    unsigned Bytes;
  } static constexpr Table[] = {{"char", 1},  {"short", 2}, {"int", 4},
                                {"long", 8},  {"half", 2},  {"float", 4},
                                {"double", 8}};
  StringRef Word = Name.rtrim("0123456789"), Digits = Name.substr(Word.size());
  bool Unsigned = Word.consume_front("unsigned ") ||
                  (Word != "u" && Word.consume_front("u"));
  unsigned Components = 1;
  if (!Digits.empty() && Digits.getAsInteger(10, Components))
    return std::nullopt;
  for (auto &Entry : Table)
    if (Word == Entry.Name) {
      bool Floating = Word == "half" || Word == "float" || Word == "double";
      if (Unsigned && Floating)
        return std::nullopt;
      // A vector of three takes the room of four.
      unsigned Room = Components == 3 ? 4 : Components;
      return ElementType{Entry.Bytes * Room, Components, Floating};
    }
  return std::nullopt;
}

/// One number as JSON; null where it is none.
json::Value number(StringRef Text, bool Floating) {
  double Real = 0;
  int64_t Signed = 0;
  uint64_t Unsigned = 0;
  if (!Floating && !Text.getAsInteger(0, Signed))
    return Signed;
  if (!Floating && !Text.getAsInteger(0, Unsigned))
    return Unsigned;
  Text.consume_back("f");
  if (Floating && !Text.getAsDouble(Real))
    return Real;
  return nullptr;
}

/// A struct's bytes from "int:1024/1024": fields of one type, one after
/// another.
Expected<json::Value> structBytes(StringRef Value) {
  auto [TypeName, List] = Value.split(':');
  auto Type = elementType(TypeName);
  SmallVector<StringRef> Fields;
  List.split(Fields, '/');
  std::string Bytes;
  for (StringRef Field : Fields) {
    json::Value N = Type ? number(Field, Type->Floating) : nullptr;
    if (!Type || Type->Components != 1 || N.kind() == json::Value::Null ||
        TypeName == "half")
      return createStringError("'" + Value +
                               "' is not TYPE:FIELD/FIELD..., e.g. int:8/8");
    char Raw[8] = {};
    if (!Type->Floating) {
      uint64_t Bits = N.getAsUINT64().value_or(0);
      if (auto S = N.getAsInteger())
        Bits = uint64_t(*S);
      std::memcpy(Raw, &Bits, sizeof Raw);
    } else if (Type->Bytes == 4) {
      float Single = float(*N.getAsNumber());
      std::memcpy(Raw, &Single, sizeof Single);
    } else {
      double Double = *N.getAsNumber();
      std::memcpy(Raw, &Double, sizeof Double);
    }
    Bytes.append(Raw, Type->Bytes);
  }
  return json::Object{{"bytes", encodeBase64(Bytes)}};
}

Expected<json::Value> byValue(StringRef TypeName, StringRef Value) {
  auto Type = elementType(TypeName);
  if (!Type && TypeName == "bool")
    Type = elementType("uchar");
  if (!Type && TypeName == "size_t")
    Type = elementType(TypeName = "ulong");
  if (!Type)
    return structBytes(Value);
  SmallVector<StringRef> Parts;
  Value.split(Parts, '/');
  json::Array Numbers;
  for (StringRef Part : Parts) {
    Numbers.push_back(number(Part, Type->Floating));
    if (Numbers.back().kind() == json::Value::Null)
      return createStringError("'" + Value + "' is no value of type " +
                               TypeName);
  }
  if (Numbers.size() != Type->Components)
    return createStringError("'" + Value + "' is no value of type " + TypeName);
  json::Value V = Type->Components == 1 ? std::move(Numbers.front())
                                        : json::Value(std::move(Numbers));
  return json::Object{{"scalar", json::Object{{"type", TypeName.str()},
                                              {"value", std::move(V)}}}};
}

} // namespace

json::Object bufferArgument(StringRef ElementName, uint64_t Bytes,
                            bool Written) {
  auto Type = elementType(ElementName);
  json::Object B{{"bytes", Bytes}, {"fill", "zeros"}};
  if (Type) {
    B["type"] = ElementName.str(); // the name may not outlive this
    B["fill"] = Type->Floating ? "floats:-1:1" : "ints:0:100";
  }
  return json::Object{{"buffer", std::move(B)},
                      {"access", Written ? "rw" : "r"}};
}

launch::LaunchBuffer launchBuffer(const launch::NDRange &Shape,
                                  StringRef TypeName,
                                  std::optional<uint64_t> Bytes) {
  auto Type = elementType(TypeName);
  launch::LaunchBuffer Out;
  Out.Bytes =
      Bytes ? *Bytes
            : Shape.items() * std::max(16u, Type ? Type->Bytes : 0u) + 65536;
  if (Type) {
    Out.ElementBytes =
        Type->Bytes / (Type->Components == 3 ? 4 : Type->Components);
    Out.Floating = Type->Floating;
  }
  return Out;
}

std::optional<std::string> bytesOfArgument(const json::Value &Entry) {
  const json::Object *O = Entry.getAsObject();
  if (!O)
    return std::nullopt;
  if (std::optional<StringRef> Text = O->getString("bytes")) {
    std::vector<char> Raw;
    if (errorToBool(decodeBase64(*Text, Raw)))
      return std::nullopt;
    return std::string(Raw.begin(), Raw.end());
  }
  const json::Object *Scalar = O->getObject("scalar");
  std::optional<StringRef> Name =
      Scalar ? Scalar->getString("type") : std::nullopt;
  auto Type = Name ? elementType(*Name) : std::nullopt;
  if (!Type || !Scalar->get("value"))
    return std::nullopt;
  const json::Value &Value = *Scalar->get("value");
  json::Array One{Value};
  const json::Array &Numbers = Value.getAsArray() ? *Value.getAsArray() : One;
  size_t Size = launchBuffer({}, *Name, 0).ElementBytes;
  std::string Out;
  for (const json::Value &N : Numbers) {
    uint64_t Bits = N.getAsUINT64().value_or(0);
    if (auto Signed = N.getAsInteger())
      Bits = uint64_t(*Signed);
    double Real = N.getAsNumber().value_or(0);
    if (Type->Floating) {
      APFloat V(Real);
      bool Inexact = false;
      V.convert(Size == 2   ? APFloat::IEEEhalf()
                : Size == 4 ? APFloat::IEEEsingle()
                            : APFloat::IEEEdouble(),
                APFloat::rmNearestTiesToEven, &Inexact);
      Bits = V.bitcastToAPInt().getZExtValue();
    }
    char Raw[8];
    std::memcpy(Raw, &Bits, sizeof Raw);
    Out.append(Raw, Size);
  }
  Out.resize(Type->Bytes);
  return Out;
}

Expected<json::Value> launchValue(StringRef TypeName, StringRef Text) {
  return byValue(TypeName, Text);
}

/// One parameter as \p Given describes it; \p Given is empty where the launch
/// does not name it.
static Expected<json::Value> argument(const launch::Launch &Shape,
                                      const json::Object &Parameter,
                                      size_t Index, StringRef Given) {
  StringRef Type = Parameter.getString("type").value_or("");
  StringRef Address = Parameter.getString("address").value_or("private");
  if (Type == "sampler_t")
    return samplerArgument(Given);
  if (auto Access = Parameter.getString("access");
      Access && Type.contains("image")) {
    auto Known = Shape.Channels.find(Index);
    return imageArgument(
        {Type.substr(Type.find("image")), *Access,
         Known == Shape.Channels.end() ? "" : StringRef(Known->second)},
        Shape.Global, Given);
  }
  if (auto Known = Shape.Types.find(Index); Known != Shape.Types.end())
    Type = Known->second;
  if (Address == "private") {
    if (Given.empty())
      return createStringError("needs a value in --launch (type " + Type + ")");
    return byValue(Type, Given);
  }
  StringRef Element = Type;
  Element.consume_back("*");
  uint64_t Bytes = launchBuffer(Shape, Element.trim(), std::nullopt).Bytes;
  if (!Given.empty()) {
    Expected<uint64_t> Size = launch::parseBytes(Given);
    if (!Size)
      return Size.takeError();
    Bytes = *Size;
  } else if (Address == "local") {
    return createStringError("needs its bytes in --launch (local memory)");
  }
  if (Address == "local")
    return json::Object{{"local", Bytes}};
  const json::Array *Qualifiers = Parameter.getArray("qualifiers");
  bool Const = Address == "constant" ||
               (Qualifiers && any_of(*Qualifiers, [](const json::Value &Q) {
                  return Q.getAsString() == StringRef("const");
                }));
  return bufferArgument(Element.trim(), Bytes, !Const);
}

Expected<json::Array> launchArguments(const launch::Launch &Shape,
                                      const json::Array &Parameters) {
  json::Array Out;
  std::set<std::string> Used;
  for (size_t I = 0; I < Parameters.size(); ++I) {
    const json::Object *P = Parameters[I].getAsObject();
    if (!P)
      return createStringError("the driver's list of parameters is garbled");
    std::string Name = P->getString("name").value_or("").str(), Given;
    for (const std::string &Key : {Name, utostr(I)})
      if (auto It = Shape.Arguments.find(Key); It != Shape.Arguments.end()) {
        Given = It->second;
        Used.insert(Key);
      }
    Expected<json::Value> A = argument(Shape, *P, I, Given);
    if (!A)
      return createStringError("argument " + Twine(I) + " '" + Name + "' " +
                               toString(A.takeError()));
    Out.push_back(std::move(*A));
  }
  for (const auto &[Name, Value] : Shape.Arguments)
    if (!Used.count(Name))
      return createStringError("kernel " + Shape.Kernel +
                               " has no parameter '" + Name + "'");
  return Out;
}

} // namespace clrewrite::measure
