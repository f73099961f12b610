// Requests to compile as JSON, and answering them.
#include "measure/CompileRequest.h"
#include "measure/Backend.h"
#include "source/BoundedJson.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::measure {

json::Array toJSON(const launch::FactsByKernel &Launches) {
  json::Array Out;
  for (const auto &[Kernel, Facts] : Launches) {
    json::Array Scalars;
    for (auto [Index, Value] : Facts.Scalars)
      Scalars.push_back(json::Array{Index, Value});
    json::Object Each = Facts.sizes();
    Each["kernel"] = textOfBytes(Kernel);
    Each["scalars"] = std::move(Scalars);
    json::Array Values, Words, Buffers;
    for (const auto &[Index, Bytes] : Facts.Values)
      Values.push_back(json::Array{Index, encodeBase64(Bytes)});
    for (const auto &[Index, Text] : Facts.Words)
      Words.push_back(json::Array{Index, encodeBase64(Text)});
    for (const auto &[Index, B] : Facts.Buffers)
      Buffers.push_back(
          json::Array{Index, B.Bytes, B.ElementBytes, int(B.Floating)});
    Each["values"] = std::move(Values);
    Each["words"] = std::move(Words);
    Each["buffers"] = std::move(Buffers);
    Each["made_up"] = json::Array(Facts.MadeUp);
    Out.push_back(std::move(Each));
  }
  return Out;
}

/// Reads pairs of an index and bytes.
static bool textsFromJSON(const json::Array *List,
                          std::map<unsigned, std::string> &Out) {
  for (size_t I = 0; List && I < List->size(); ++I) {
    const json::Array *Pair = (*List)[I].getAsArray();
    auto Index =
        Pair && Pair->size() == 2 ? (*Pair)[0].getAsInteger() : std::nullopt;
    auto Text = Index ? (*Pair)[1].getAsString() : std::nullopt;
    std::vector<char> Raw;
    if (!Text || errorToBool(decodeBase64(*Text, Raw)))
      return false;
    Out[unsigned(*Index)].assign(Raw.begin(), Raw.end());
  }
  return List;
}

static bool fromJSON(const json::Value &V, launch::FactsByKernel &Out,
                     json::Path P) {
  const json::Array *List = V.getAsArray();
  for (size_t I = 0; List && I < List->size(); ++I) {
    json::ObjectMapper O((*List)[I], P.index(I));
    std::string Kernel;
    launch::LaunchFacts Facts;
    std::vector<std::vector<int64_t>> Scalars;
    if (!O || !mapBytes(O, "kernel", Kernel) ||
        !fromJSON((*List)[I], static_cast<launch::NDRange &>(Facts),
                  P.index(I)) ||
        !O.map("scalars", Scalars) || !O.map("made_up", Facts.MadeUp))
      return false;
    for (const std::vector<int64_t> &Each : Scalars) {
      if (Each.size() != 2)
        return false;
      Facts.Scalars[unsigned(Each[0])] = Each[1];
    }
    std::vector<std::vector<uint64_t>> Buffers;
    const json::Object &Members = *(*List)[I].getAsObject();
    if (!textsFromJSON(Members.getArray("values"), Facts.Values) ||
        !textsFromJSON(Members.getArray("words"), Facts.Words) ||
        !O.map("buffers", Buffers))
      return false;
    for (const std::vector<uint64_t> &Each : Buffers) {
      if (Each.size() != 4)
        return false;
      Facts.Buffers[unsigned(Each[0])] = {Each[1], unsigned(Each[2]),
                                          Each[3] != 0};
    }
    Out[bytesOfText(Kernel)] = std::move(Facts);
  }
  return List;
}

json::Value toJSON(const CompileRequest &R) {
  return json::Object{{"wanted", int(R.Wanted)},
                      {"source", toJSON(R.What.What)},
                      {"target", textOfBytes(R.What.On.Name)},
                      {"cpu", textOfBytes(R.What.On.Cpu)},
                      {"kernels", textsOfBytes(R.What.Kernels)},
                      {"launches", toJSON(R.What.Launches)},
                      {"estimate_only", R.What.EstimateOnly},
                      {"alone", R.What.Alone}};
}

std::string packed(const CompileRequest &R) {
  return formatv("{0}", toJSON(R));
}

bool fromJSON(const json::Value &V, CompileRequest &R, json::Path P) {
  int Wanted = 0;
  json::ObjectMapper O(V, P);
  const json::Object *Members = V.getAsObject();
  if (!O || !O.map("wanted", Wanted) || !O.map("source", R.What.What) ||
      !mapBytes(O, "target", R.What.On.Name) ||
      !mapBytes(O, "cpu", R.What.On.Cpu) ||
      !mapBytes(O, "kernels", R.What.Kernels) ||
      !O.map("estimate_only", R.What.EstimateOnly) ||
      !O.map("alone", R.What.Alone) || !Members->get("launches") ||
      !fromJSON(*Members->get("launches"), R.What.Launches, P))
    return false;
  R.Wanted = CompileRequest::Sort(Wanted);
  return true;
}

std::string answer(const Backend &With, StringRef Request) {
  auto R = valueOf<CompileRequest>(Request, LargeJson);
  if (!R)
    return "";
  R->What.On.Family = &With.family();
  switch (R->Wanted) {
  case CompileRequest::Figures:
    return formatv("{0}", toJSON(With.compile(R->What)));
  case CompileRequest::Pressure:
    return formatv("{0}", toJSON(With.pressure(R->What)));
  case CompileRequest::Work:
    return formatv("{0}", toJSON(With.work(R->What)));
  }
  return "";
}

} // namespace clrewrite::measure
