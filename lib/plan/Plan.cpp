// A plan is read strictly: a member that is not known might be a condition, and
// a launch that ignores it would be wrong.
#include "plan/Plan.h"
#include <nlohmann/json.hpp>

namespace clrewrite::plan {
namespace {

// What is read has its members in a tree: a list of them, in which the order of
// what is written stays, takes the square of their number.
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

// Bounds on what is read: a document of brackets alone would take hundreds of
// times its size.
constexpr size_t MostValues = size_t(1) << 20;
constexpr size_t MostDepth = 16;
constexpr uint64_t MostSize = uint64_t(1) << 32;
constexpr unsigned MostArguments = 4096;
constexpr size_t MostArgumentBytes = 4096;

/// Reads members, and keeps what is wrong first.
class Reader {
public:
  explicit Reader(std::string &Why) : Why(Why) {}

  bool good() const { return Why.empty(); }
  void fail(const std::string &Where, const std::string &Wanted) {
    if (good())
      Why = Where + ": " + Wanted;
  }

  /// The object's member; null where it has none.
  const Json *find(const Json &O, const char *Name) {
    auto It = O.find(Name);
    return It == O.end() ? nullptr : &*It;
  }

  /// Fails where \p V is no object, or has a member that is not one of these.
  bool object(const Json &V, const std::string &Where,
              std::initializer_list<std::string_view> Known) {
    if (!V.is_object()) {
      fail(Where, "must be an object");
      return false;
    }
    for (auto It = V.begin(); It != V.end(); ++It) {
      bool Found = false;
      for (std::string_view Name : Known)
        Found |= It.key() == Name;
      if (!Found)
        fail(Where, "has the unknown member '" + It.key() + "'");
    }
    return good();
  }

  std::string text(const Json &O, const std::string &Where, const char *Name) {
    const Json *V = find(O, Name);
    if (V && V->is_string())
      return V->get<std::string>();
    fail(Where + "." + Name, "must be a text");
    return "";
  }

  uint64_t number(const Json &V, const std::string &Where, uint64_t Least,
                  uint64_t Most) {
    if (V.is_number_unsigned() && V.get<uint64_t>() >= Least &&
        V.get<uint64_t>() <= Most)
      return V.get<uint64_t>();
    fail(Where, "must be an integer from " + std::to_string(Least) + " to " +
                    std::to_string(Most));
    return Least;
  }

  /// One to three numbers; empty where there is no such member.
  Sizes sizes(const Json &O, const std::string &Where, const char *Name) {
    const Json *V = find(O, Name);
    Sizes Out;
    if (!V)
      return Out;
    std::string Here = Where + "." + Name;
    if (!V->is_array() || V->empty() || V->size() > 3) {
      fail(Here, "must be a list of one to three numbers");
      return Out;
    }
    for (const Json &Each : *V)
      Out.push_back(number(Each, Here, 1, MostSize));
    return Out;
  }

  /// Calls \p Read for each entry of the list, with its place.
  template <class F>
  void list(const Json &O, const std::string &Where, const char *Name, F Read) {
    const Json *V = find(O, Name);
    std::string Here = Where.empty() ? Name : Where + "." + Name;
    if (!V || !V->is_array())
      return fail(Here, "must be a list");
    for (size_t I = 0; good() && I < V->size(); ++I)
      Read((*V)[I], Here + "[" + std::to_string(I) + "]");
  }

private:
  std::string &Why;
};

int hexDigit(char C) {
  return C >= '0' && C <= '9'   ? C - '0'
         : C >= 'a' && C <= 'f' ? C - 'a' + 10
                                : -1;
}

/// The bytes of an even number of lower-case hex digits.
std::optional<std::string> bytesOfHex(std::string_view Text) {
  if (Text.size() % 2)
    return std::nullopt;
  std::string Out;
  for (size_t I = 0; I < Text.size(); I += 2) {
    int High = hexDigit(Text[I]), Low = hexDigit(Text[I + 1]);
    if (High < 0 || Low < 0)
      return std::nullopt;
    Out += char(High << 4 | Low);
  }
  return Out;
}

std::string hexOf(const std::string &Bytes) {
  static const char Digits[] = "0123456789abcdef";
  std::string Out;
  for (unsigned char C : Bytes)
    (Out += Digits[C >> 4]) += Digits[C & 15];
  return Out;
}

Conditions readConditions(Reader &R, const Json &V, const std::string &Where) {
  Conditions Out;
  if (!R.object(V, Where, {"arguments", "apart", "multiple", "local"}))
    return Out;
  if (V.contains("arguments"))
    R.list(V, Where, "arguments", [&](const Json &A, const std::string &Here) {
      if (!R.object(A, Here, {"index", "hex"}))
        return;
      const Json *Index = R.find(A, "index");
      auto Bytes = bytesOfHex(R.text(A, Here, "hex"));
      if (!Bytes || Bytes->empty() || Bytes->size() > MostArgumentBytes)
        R.fail(Here + ".hex", "must be the argument's bytes, two hex digits "
                              "each, and at most 4096 of them");
      else if (!Index)
        R.fail(Here + ".index", "is missing");
      else
        Out.Arguments.push_back(
            {unsigned(R.number(*Index, Here + ".index", 0, MostArguments - 1)),
             *Bytes});
    });
  if (V.contains("apart"))
    R.list(V, Where, "apart", [&](const Json &A, const std::string &Here) {
      if (!A.is_array() || A.size() != 2)
        return R.fail(Here, "must be a list of two arguments");
      auto index = [&](const Json &I) {
        return unsigned(R.number(I, Here, 0, MostArguments - 1));
      };
      Out.Apart.push_back({index(A[0]), index(A[1])});
    });
  Out.Multiple = R.sizes(V, Where, "multiple");
  if (const Json *Local = R.find(V, "local"))
    Out.Local = Local->is_null() ? Sizes() : R.sizes(V, Where, "local");
  return Out;
}

Kernel readKernel(Reader &R, const Json &V, const std::string &Where) {
  Kernel Out;
  if (!R.object(V, Where, {"name", "as", "launch", "when"}))
    return Out;
  Out.Name = R.text(V, Where, "name");
  Out.As = V.contains("as") ? R.text(V, Where, "as") : Out.Name;
  if (const Json *L = R.find(V, "launch");
      L && R.object(*L, Where + ".launch", {"divide", "local"})) {
    Out.Divide = R.sizes(*L, Where + ".launch", "divide");
    Out.Local = R.sizes(*L, Where + ".launch", "local");
  }
  if (const Json *W = R.find(V, "when"))
    Out.When = readConditions(R, *W, Where + ".when");
  return Out;
}

Program readProgram(Reader &R, const Json &V, const std::string &Where) {
  Program Out;
  if (!R.object(
          V, Where,
          {"hash", "options", "device", "driver", "text", "build", "kernels"}))
    return Out;
  Out.Hash = R.text(V, Where, "hash");
  if (bytesOfHex(Out.Hash).value_or("").size() != 16)
    R.fail(Where + ".hash", "must be 32 hex digits");
  Out.Options = R.text(V, Where, "options");
  Out.Device = R.text(V, Where, "device");
  Out.Driver = R.text(V, Where, "driver");
  Out.Text = R.text(V, Where, "text");
  Out.Build = R.text(V, Where, "build");
  R.list(V, Where, "kernels", [&](const Json &K, const std::string &Here) {
    Out.Kernels.push_back(readKernel(R, K, Here));
  });
  return Out;
}

/// Whether the parser may see the text: it has no bounds of its own.
bool isWithinBounds(std::string_view Text) {
  size_t Values = 0, Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (C == '"')
      for (++I; I < Text.size() && Text[I] != '"'; ++I)
        I += Text[I] == '\\';
    Depth += C == '[' || C == '{';
    Depth -= (C == ']' || C == '}') && Depth;
    Values += C == '[' || C == '{' || C == ',' || C == ':';
    if (Depth > MostDepth || Values > MostValues)
      return false;
  }
  return true;
}

void writeSizes(OrderedJson &O, const char *Name, const Sizes &S) {
  if (!S.empty())
    O[Name] = S;
}

OrderedJson jsonOf(const Kernel &K) {
  OrderedJson Out = {{"name", K.Name}};
  if (K.As != K.Name)
    Out["as"] = K.As;
  OrderedJson Launch = OrderedJson::object(), When = OrderedJson::object();
  writeSizes(Launch, "divide", K.Divide);
  writeSizes(Launch, "local", K.Local);
  for (const Conditions::Argument &A : K.When.Arguments)
    When["arguments"].push_back({{"index", A.Index}, {"hex", hexOf(A.Bytes)}});
  if (!K.When.Apart.empty())
    When["apart"] = K.When.Apart;
  writeSizes(When, "multiple", K.When.Multiple);
  if (K.When.Local)
    When["local"] = K.When.Local->empty() ? OrderedJson(nullptr)
                                          : OrderedJson(*K.When.Local);
  if (!Launch.empty())
    Out["launch"] = std::move(Launch);
  if (!When.empty())
    Out["when"] = std::move(When);
  return Out;
}

} // namespace

std::optional<Plan> readPlan(std::string_view Text, std::string &Why) {
  Why.clear();
  Reader R(Why);
  if (Text.size() > MostBytes) {
    R.fail("the plan", "is larger than 64 MiB");
    return std::nullopt;
  }
  if (!isWithinBounds(Text)) {
    R.fail("the plan", "has more values, or deeper ones, than any plan");
    return std::nullopt;
  }
  Json Root = Json::parse(Text, nullptr, /*allow_exceptions=*/false);
  if (Root.is_discarded())
    R.fail("the plan", "is not JSON");
  if (!R.good() || !R.object(Root, "the plan", {"version", "tool", "programs"}))
    return std::nullopt;
  if (const Json *Version = R.find(Root, "version");
      !Version || !Version->is_number_unsigned() ||
      Version->get<uint64_t>() != 1) {
    R.fail("the plan", "is not of version 1, which this clrewrite reads");
    return std::nullopt;
  }
  Plan Out;
  R.list(Root, "", "programs", [&](const Json &V, const std::string &Here) {
    Out.Programs.push_back(readProgram(R, V, Here));
  });
  if (!R.good())
    return std::nullopt;
  return Out;
}

std::string writePlan(const Plan &P, std::string_view Tool) {
  OrderedJson Programs = OrderedJson::array();
  for (const Program &Each : P.Programs) {
    OrderedJson Kernels = OrderedJson::array();
    for (const Kernel &K : Each.Kernels)
      Kernels.push_back(jsonOf(K));
    Programs.push_back({{"hash", Each.Hash},
                        {"options", Each.Options},
                        {"device", Each.Device},
                        {"driver", Each.Driver},
                        {"text", Each.Text},
                        {"build", Each.Build},
                        {"kernels", std::move(Kernels)}});
  }
  OrderedJson Root = {
      {"version", 1}, {"tool", Tool}, {"programs", std::move(Programs)}};
  return Root.dump(1, ' ', /*ensure_ascii=*/false,
                   OrderedJson::error_handler_t::replace) +
         "\n";
}

bool isUtf8(std::string_view Text) {
  std::string Back = Json(Text).dump(-1, ' ', /*ensure_ascii=*/false,
                                     Json::error_handler_t::replace);
  Json Again = Json::parse(Back, nullptr, /*allow_exceptions=*/false);
  return Again.is_string() && Again.get_ref<const std::string &>() == Text;
}

} // namespace clrewrite::plan
