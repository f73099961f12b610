// Requests to compile as JSON, and answering them.
#include "measure/CompileRequest.h"
#include "measure/Backend.h"
#include "source/BoundedJson.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::measure {

/// A text to compile may be as large as a file that is read.
static constexpr JsonLimits Large{64, size_t(1) << 30, size_t(16) << 20};

static json::Array toJSON(const ScalarArguments &Arguments) {
  json::Array Out;
  for (const auto &[Kernel, Values] : Arguments)
    for (auto [Index, Value] : Values)
      Out.push_back(json::Array{textOfBytes(Kernel), Index, Value});
  return Out;
}

static bool fromJSON(const json::Value &V, ScalarArguments &Out, json::Path) {
  const json::Array *List = V.getAsArray();
  for (size_t I = 0; List && I < List->size(); ++I) {
    const json::Array *Each = (*List)[I].getAsArray();
    if (!Each || Each->size() != 3)
      return false;
    std::optional<StringRef> Kernel = (*Each)[0].getAsString();
    std::optional<int64_t> Index = (*Each)[1].getAsInteger(),
                           Value = (*Each)[2].getAsInteger();
    if (!Kernel || !Index || !Value)
      return false;
    Out[bytesOfText(*Kernel)][unsigned(*Index)] = *Value;
  }
  return List;
}

std::string packed(const CompileRequest &R) {
  json::Object O{{"wanted", int(R.Wanted)},
                 {"source", toJSON(R.What.What)},
                 {"target", textOfBytes(R.What.On.Name)},
                 {"cpu", textOfBytes(R.What.On.Cpu)},
                 {"kernels", textsOfBytes(R.What.Kernels)},
                 {"arguments", toJSON(R.Arguments)},
                 {"wave_size", R.WaveSize}};
  return formatv("{0}", json::Value(std::move(O)));
}

static std::optional<CompileRequest> unpacked(StringRef Text) {
  Expected<json::Value> V = parseJson(Text, Large);
  if (!V) {
    consumeError(V.takeError());
    return std::nullopt;
  }
  CompileRequest R;
  int Wanted = 0;
  json::Path::Root Root;
  json::ObjectMapper O(*V, Root);
  const json::Object *Members = V->getAsObject();
  if (!O || !O.map("wanted", Wanted) || !O.map("source", R.What.What) ||
      !mapBytes(O, "target", R.What.On.Name) ||
      !mapBytes(O, "cpu", R.What.On.Cpu) ||
      !mapBytes(O, "kernels", R.What.Kernels) ||
      !O.map("wave_size", R.WaveSize) || !Members->get("arguments") ||
      !fromJSON(*Members->get("arguments"), R.Arguments, Root))
    return std::nullopt;
  R.Wanted = CompileRequest::Sort(Wanted);
  return R;
}

std::string answer(const Backend &With, StringRef Request) {
  std::optional<CompileRequest> R = unpacked(Request);
  if (!R)
    return "";
  R->What.On.Family = &With.family();
  switch (R->Wanted) {
  case CompileRequest::Figures:
    return formatv("{0}", toJSON(With.compile(R->What)));
  case CompileRequest::Pressure:
    return formatv("{0}", toJSON(With.pressure(R->What)));
  case CompileRequest::Work:
    return formatv("{0}", toJSON(With.work(R->What, R->Arguments)));
  case CompileRequest::Steps:
    return formatv("{0}", toJSON(With.steps(R->What.On.Cpu, R->WaveSize)));
  }
  return "";
}

} // namespace clrewrite::measure
