// Live registers, counted in children, each report kept on disk.
#include "measure/OfflineMeter.h"
#include "source/BoundedJson.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::measure {

static std::optional<PressureReport> unpack(const std::string &Text) {
  PressureReport R;
  json::Path::Root Root;
  Expected<json::Value> V = parseJson(Text);
  if (!V) {
    consumeError(V.takeError());
    return std::nullopt;
  }
  return fromJSON(*V, R, Root) ? std::optional(std::move(R)) : std::nullopt;
}

/// In a child, as LLVM may crash.
PressureReport OfflineMeter::countLive(const MeasureRequest &R) {
  if (R.On.Kind != TargetKind::Amdgcn || !Amd)
    return Meter::pressure({R}).front();
  if (Disk)
    if (std::optional<std::string> Text = Disk->get(diskKey("pressure", R)))
      if (std::optional<PressureReport> Known = unpack(*Text))
        return std::move(*Known);
  PressureReport Failed;
  if (Error E = load({R})) {
    Failed.Problem = toString(std::move(E));
    return Failed;
  }
  std::function<std::string()> Work = [&] {
    return formatv("{0}", toJSON(Amd->pressure(R))).str();
  };
  process::ChildResult Result = process::runInChildren({Work}, Limits).front();
  if (Result.Status != process::ChildResult::Done) {
    Failed.Problem = "LLVM " + Result.Problem;
    return Failed;
  }
  std::optional<PressureReport> Report = unpack(Result.Output);
  if (!Report) {
    Failed.Problem = "the compiling process sent no result";
    return Failed;
  }
  if (Disk)
    Disk->put(diskKey("pressure", R), Result.Output);
  return std::move(*Report);
}

std::vector<PressureReport>
OfflineMeter::pressure(ArrayRef<MeasureRequest> Requests) {
  std::vector<PressureReport> Out;
  for (const MeasureRequest &R : Requests)
    Out.push_back(countLive(R));
  return Out;
}

} // namespace clrewrite::measure
